//! What a class file says of its class without running it: methods and annotations.

use crate::classfile::{Attributes, ClassFile, Malformed, Reader};

/// A class from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// The name of the class, with slashes.
    pub name: String,
    /// That of its superclass.
    pub superclass: Option<String>,
    /// What it is annotated with.
    pub annotations: Vec<Annotation>,
    /// Its own methods, in the order of the file.
    pub methods: Vec<MethodOutline>,
}

/// A method from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodOutline {
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// Whether it is static.
    pub is_static: bool,
    /// What it is annotated with.
    pub annotations: Vec<Annotation>,
}

/// An annotation that is kept at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// The name of its class, with slashes.
    pub class: String,
    /// Those of its elements that are classes, or lists of classes, with their names.
    pub classes: Vec<(String, String)>,
}

/// Values of annotations may be nested so deeply.
const DEEPEST: u32 = 32;

/// Reads a class file.
pub fn outline(bytes: &[u8]) -> Result<Outline, Malformed> {
    let file = ClassFile::parse(bytes.into())?;
    let mut methods = Vec::new();
    for method in &file.methods {
        methods.push(MethodOutline {
            name: file.text(method.name)?.into_owned(),
            descriptor: file.text(method.descriptor)?.into_owned(),
            is_static: method.flags & crate::world::flags::STATIC != 0,
            annotations: annotations(&file, method.attributes)?,
        });
    }
    Ok(Outline {
        name: file.name()?.into_owned(),
        superclass: file.super_name()?.map(|name| name.into_owned()),
        annotations: annotations(&file, file.attributes)?,
        methods,
    })
}

/// Whether a class is annotated with this one. What cannot be read is no annotation.
pub(crate) fn is_annotated(file: &ClassFile, class: &str) -> bool {
    let all = annotations(file, file.attributes).unwrap_or_default();
    all.iter().any(|it| it.class == class)
}

fn annotations(file: &ClassFile, list: Attributes) -> Result<Vec<Annotation>, Malformed> {
    let Some(bytes) = file.attribute(list, "RuntimeVisibleAnnotations") else {
        return Ok(Vec::new());
    };
    let mut reader = Reader::new(bytes, 0);
    let count = reader.u2()?;
    (0..count)
        .map(|_| annotation(file, &mut reader, DEEPEST))
        .collect()
}

fn annotation(
    file: &ClassFile,
    reader: &mut Reader<'_>,
    deepest: u32,
) -> Result<Annotation, Malformed> {
    let class = class_at(file, reader.u2()?)?;
    let mut classes = Vec::new();
    for _ in 0..reader.u2()? {
        let name = file.text(reader.u2()?)?.into_owned();
        value(file, reader, &name, &mut classes, deepest)?;
    }
    Ok(Annotation { class, classes })
}

/// Reads the value of an element, and keeps it if it is a class.
fn value(
    file: &ClassFile,
    reader: &mut Reader<'_>,
    name: &str,
    classes: &mut Vec<(String, String)>,
    deepest: u32,
) -> Result<(), Malformed> {
    let Some(deeper) = deepest.checked_sub(1) else {
        return Err(Malformed("Annotations nested too deeply".to_owned()));
    };
    match reader.u1()? {
        b'c' => classes.push((name.to_owned(), class_at(file, reader.u2()?)?)),
        b'e' => drop(reader.take(4)?),
        b'@' => drop(annotation(file, reader, deeper)?),
        b'[' => {
            for _ in 0..reader.u2()? {
                value(file, reader, name, classes, deeper)?;
            }
        }
        _ => drop(reader.take(2)?),
    }
    Ok(())
}

/// The class with a descriptor.
fn class_at(file: &ClassFile, index: u16) -> Result<String, Malformed> {
    Ok(crate::descriptor::class_name(&file.text(index)?).to_owned())
}
