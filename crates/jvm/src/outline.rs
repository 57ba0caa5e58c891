//! What a class file says of its class without running it: members and annotations.

use crate::classfile::{Attributes, ClassFile, Constant, Malformed, Member, Reader};
use crate::world::flags;

/// A class from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// The name of the class, with slashes.
    pub name: String,
    /// That of its superclass.
    pub superclass: Option<String>,
    /// Those of its interfaces.
    pub interfaces: Vec<String>,
    /// What it may be used for.
    pub modifiers: Modifiers,
    /// The class that it is declared in, if it is a member of one.
    pub outer: Option<String>,
    /// The classes that are declared in it.
    pub members: Vec<String>,
    /// What it is annotated with.
    pub annotations: Vec<Annotation>,
    /// Its own fields, in the order of the file.
    pub fields: Vec<MemberOutline>,
    /// Its own methods, in the order of the file.
    pub methods: Vec<MemberOutline>,
}

/// A field or a method from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct MemberOutline {
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// What it may be used for.
    pub modifiers: Modifiers,
    /// What it is annotated with.
    pub annotations: Vec<Annotation>,
    /// What its parameters are annotated with, if any is.
    pub parameters: Vec<Vec<Annotation>>,
}

/// The modifiers of a class or a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modifiers(u16);

impl Modifiers {
    /// Whether anybody may use it.
    pub fn is_public(self) -> bool {
        self.0 & flags::PUBLIC != 0
    }

    /// Whether only its class may use it.
    pub fn is_private(self) -> bool {
        self.0 & flags::PRIVATE != 0
    }

    /// Whether it belongs to its class.
    pub fn is_static(self) -> bool {
        self.0 & flags::STATIC != 0
    }

    /// Whether something is missing in it.
    pub fn is_abstract(self) -> bool {
        self.0 & flags::ABSTRACT != 0
    }

    /// Whether it is a constant of an enumeration, or one itself.
    pub fn is_enum(self) -> bool {
        self.0 & 0x4000 != 0
    }

    /// Whether the compiler made it.
    pub fn is_synthetic(self) -> bool {
        self.0 & flags::SYNTHETIC != 0
    }
}

/// An annotation that is kept at run time.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotation {
    /// The name of its class, with slashes.
    pub class: String,
    /// Those of its elements that have a value.
    pub elements: Vec<(String, Value)>,
}

impl Annotation {
    /// The value of an element.
    pub fn element(&self, name: &str) -> Option<&Value> {
        let mut elements = self.elements.iter();
        Some(&elements.find(|(element, _)| element == name)?.1)
    }
}

/// The value of an element of an annotation.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A whole number, a character or a truth value, with the letter of its type.
    Number(char, i64),
    /// A number with a fraction, with the letter of its type.
    Real(char, f64),
    /// A text.
    Text(String),
    /// The name of a class, with slashes.
    Class(String),
    /// The name of a constant.
    Constant(String),
    /// Another annotation.
    Annotation(Annotation),
    /// Several.
    List(Vec<Value>),
}

impl Value {
    /// The values of a list; one alone is a list, too.
    pub fn values(&self) -> &[Value] {
        match self {
            Self::List(values) => values,
            one => std::slice::from_ref(one),
        }
    }
}

/// Values of annotations may be nested so deeply.
const DEEPEST: u32 = 32;

/// Reads a class file.
pub fn outline(bytes: &[u8]) -> Result<Outline, Malformed> {
    let file = ClassFile::parse(bytes.into())?;
    let name = file.name()?.into_owned();
    let mut outer = None;
    let (mut modifiers, mut inside) = (Modifiers(file.flags), Vec::new());
    for (inner, around, flags) in inner_classes(&file)? {
        if inner == name {
            // Only here it says whether it is static or private.
            modifiers = Modifiers(flags);
            outer = around;
        } else if around.as_ref() == Some(&name) {
            inside.push(inner);
        }
    }
    let interfaces = file.interface_names();
    Ok(Outline {
        superclass: file.super_name()?.map(|name| name.into_owned()),
        interfaces: interfaces
            .map(|name| name.map(|name| name.into_owned()))
            .collect::<Result<_, _>>()?,
        modifiers,
        outer,
        members: inside,
        annotations: annotations(&file, file.attributes)?,
        fields: members(&file, &file.fields)?,
        methods: members(&file, &file.methods)?,
        name,
    })
}

fn members(file: &ClassFile, members: &[Member]) -> Result<Vec<MemberOutline>, Malformed> {
    let outline = |member: &Member| {
        Ok(MemberOutline {
            name: file.text(member.name)?.into_owned(),
            descriptor: file.text(member.descriptor)?.into_owned(),
            modifiers: Modifiers(member.flags),
            annotations: annotations(file, member.attributes)?,
            parameters: parameters(file, member.attributes)?,
        })
    };
    members.iter().map(outline).collect()
}

/// Classes that are declared in others, as far as a class mentions them: name, class around it
/// and modifiers.
fn inner_classes(file: &ClassFile) -> Result<Vec<(String, Option<String>, u16)>, Malformed> {
    let Some(bytes) = file.attribute(file.attributes, "InnerClasses") else {
        return Ok(Vec::new());
    };
    let mut reader = Reader::new(bytes, 0);
    let mut found = Vec::new();
    for _ in 0..reader.u2()? {
        let (inner, outer) = (reader.u2()?, reader.u2()?);
        let (_, flags) = (reader.u2()?, reader.u2()?);
        let outer = match outer {
            0 => None,
            outer => Some(file.class_name(outer)?.into_owned()),
        };
        found.push((file.class_name(inner)?.into_owned(), outer, flags));
    }
    Ok(found)
}

/// Whether a class is annotated with this one. What cannot be read is no annotation.
pub fn is_annotated(file: &ClassFile, class: &str) -> bool {
    let all = annotations(file, file.attributes).unwrap_or_default();
    all.iter().any(|it| it.class == class)
}

fn annotations(file: &ClassFile, list: Attributes) -> Result<Vec<Annotation>, Malformed> {
    let Some(bytes) = file.attribute(list, "RuntimeVisibleAnnotations") else {
        return Ok(Vec::new());
    };
    listed(file, &mut Reader::new(bytes, 0))
}

/// The annotations of each parameter of a method.
fn parameters(file: &ClassFile, list: Attributes) -> Result<Vec<Vec<Annotation>>, Malformed> {
    let Some(bytes) = file.attribute(list, "RuntimeVisibleParameterAnnotations") else {
        return Ok(Vec::new());
    };
    let mut reader = Reader::new(bytes, 0);
    let count = reader.u1()?;
    (0..count).map(|_| listed(file, &mut reader)).collect()
}

fn listed(file: &ClassFile, reader: &mut Reader<'_>) -> Result<Vec<Annotation>, Malformed> {
    let count = reader.u2()?;
    (0..count)
        .map(|_| annotation(file, reader, DEEPEST))
        .collect()
}

fn annotation(
    file: &ClassFile,
    reader: &mut Reader<'_>,
    deepest: u32,
) -> Result<Annotation, Malformed> {
    let class = class_at(file, reader.u2()?)?;
    let mut elements = Vec::new();
    for _ in 0..reader.u2()? {
        let name = file.text(reader.u2()?)?.into_owned();
        elements.push((name, value(file, reader, deepest)?));
    }
    Ok(Annotation { class, elements })
}

/// Reads the value of an element.
fn value(file: &ClassFile, reader: &mut Reader<'_>, deepest: u32) -> Result<Value, Malformed> {
    let Some(deeper) = deepest.checked_sub(1) else {
        return Err(Malformed("Annotations nested too deeply".to_owned()));
    };
    Ok(match reader.u1()? {
        b'c' => Value::Class(class_at(file, reader.u2()?)?),
        b'e' => {
            reader.u2()?;
            Value::Constant(file.text(reader.u2()?)?.into_owned())
        }
        b'@' => Value::Annotation(annotation(file, reader, deeper)?),
        b'[' => {
            let count = reader.u2()?;
            let values = (0..count).map(|_| value(file, reader, deeper));
            Value::List(values.collect::<Result<_, _>>()?)
        }
        b's' => Value::Text(file.text(reader.u2()?)?.into_owned()),
        letter => {
            let letter = char::from(letter);
            match file.constant(reader.u2()?)? {
                Constant::Integer(number) => Value::Number(letter, number.into()),
                Constant::Long(number) => Value::Number(letter, number),
                Constant::Float(bits) => Value::Real(letter, f32::from_bits(bits).into()),
                Constant::Double(bits) => Value::Real(letter, f64::from_bits(bits)),
                _ => return Err(Malformed("A value of an annotation is none".to_owned())),
            }
        }
    })
}

/// The class with a descriptor.
fn class_at(file: &ClassFile, index: u16) -> Result<String, Malformed> {
    Ok(crate::descriptor::class_name(&file.text(index)?).to_owned())
}
