//! Classes with tests, as far as their files tell.

use crate::Trouble;
use crate::program::{Program, classes_in};
use raddle_jvm::{Annotation, MemberOutline, Outline, outline};

/// A class with tests, with all that it inherits from.
pub(crate) struct Level {
    /// The class first, then its superclasses, then their interfaces. Those of the JDK are left
    /// out.
    pub(super) family: Vec<Outline>,
}

impl Level {
    pub(crate) fn of(program: &Program, name: &str) -> Result<Self, Trouble> {
        let mut family = Vec::new();
        let mut next = Some(name.to_owned());
        while let Some(name) = next {
            next = add(program, &name, &mut family)?;
        }
        let mut at = 0;
        while let Some(class) = family.get(at) {
            for interface in class.interfaces.clone() {
                add(program, &interface, &mut family)?;
            }
            at += 1;
        }
        match family.is_empty() {
            true => Err(Trouble::new(format!("there is no class {}", dotted(name)))),
            false => Ok(Self { family }),
        }
    }

    /// The class itself.
    pub(super) fn own(&self) -> &Outline {
        &self.family[0]
    }

    /// The methods of the class, the inherited ones last, with the classes that declare them. One
    /// that is overridden is not among them.
    pub(crate) fn methods(&self) -> Vec<(&Outline, &MemberOutline)> {
        let mut methods: Vec<(&Outline, &MemberOutline)> = Vec::new();
        for class in &self.family {
            for method in &class.methods {
                let is_same = |(_, it): &(&Outline, &MemberOutline)| {
                    (&it.name, &it.descriptor) == (&method.name, &method.descriptor)
                };
                let is_made = method.modifiers.is_synthetic() || method.name.starts_with('<');
                if !is_made && !methods.iter().any(is_same) {
                    methods.push((class, method));
                }
            }
        }
        methods
    }

    /// The fields of the class, the inherited ones last.
    pub(super) fn fields(&self) -> impl Iterator<Item = &MemberOutline> {
        self.family.iter().flat_map(|class| &class.fields)
    }
}

/// Adds a class, unless it is there already or one of the JDK; the answer is its superclass.
fn add(
    program: &Program,
    name: &str,
    family: &mut Vec<Outline>,
) -> Result<Option<String>, Trouble> {
    // A class that is its own superclass is for the machine to complain of.
    if family.iter().any(|it| it.name == name) {
        return Ok(None);
    }
    let Some(class) = look_up(program, name)? else {
        return Ok(None);
    };
    let superclass = class.superclass.clone();
    family.push(class);
    Ok(superclass)
}

/// A class of the program. Its annotations are followed by those that they carry themselves.
pub(super) fn look_up(program: &Program, name: &str) -> Result<Option<Outline>, Trouble> {
    let Some(mut class) = read(program, name)? else {
        return Ok(None);
    };
    let members = class.fields.iter_mut().chain(&mut class.methods);
    let of_members = members.map(|member| &mut member.annotations);
    for annotations in of_members.chain([&mut class.annotations]) {
        add_carried(program, annotations);
    }
    Ok(Some(class))
}

fn read(program: &Program, name: &str) -> Result<Option<Outline>, Trouble> {
    let Some(bytes) = program.class(name)? else {
        return Ok(None);
    };
    match outline(&bytes) {
        Ok(outline) => Ok(Some(outline)),
        Err(error) => Err(Trouble::new(format!("class {name}: {error}"))),
    }
}

/// The name of a class with its package, which may be left out if no other one has the name.
pub(crate) fn full_name(program: &Program, class: &str) -> Result<String, Trouble> {
    if program.class(class)?.is_some() {
        return Ok(class.replace('.', "/"));
    }
    let mut found = Vec::new();
    if program.root.is_dir() {
        let all = classes_in(&program.root)?.into_iter();
        let ending = format!(".{class}");
        found = all
            .map(|it| it.name)
            .filter(|it| dotted(it) == class || dotted(it).ends_with(&ending))
            .collect();
    }
    match &found[..] {
        [only] => Ok(only.clone()),
        [] => Err(Trouble::new(format!("there is no class {class}"))),
        many => {
            let names: Vec<String> = many.iter().map(|name| dotted(name)).collect();
            Err(Trouble::new(format!("which class? {}", names.join(", "))))
        }
    }
}

/// Adds what annotations carry themselves: an annotation of the program may stand for several.
/// What those of the test libraries carry is their own business.
fn add_carried(program: &Program, all: &mut Vec<Annotation>) {
    let mut at = 0;
    while let Some(annotation) = all.get(at) {
        let class = &annotation.class;
        let libraries = ["java/", "org/junit/", "org/testng/"];
        let is_plain = libraries.iter().any(|library| class.starts_with(library));
        if !is_plain && let Ok(Some(class)) = read(program, class) {
            let is_new = |it: &Annotation| !all.iter().any(|known| known.class == it.class);
            let carried: Vec<_> = class.annotations.into_iter().filter(is_new).collect();
            all.extend(carried);
        }
        at += 1;
    }
}

/// The name of an annotation without its package.
pub(super) fn simple_name(annotation: &Annotation) -> &str {
    let name = annotation.class.rsplit(['/', '$']).next();
    name.unwrap_or_default()
}

/// The annotation with one of these names, of any package.
pub(crate) fn find<'a>(annotations: &'a [Annotation], names: &[&str]) -> Option<&'a Annotation> {
    let mut all = annotations.iter();
    all.find(|annotation| names.contains(&simple_name(annotation)))
}

/// A name as the source has it.
pub(crate) fn dotted(name: &str) -> String {
    name.replace(['/', '$'], ".")
}

/// The package of a class, with slashes.
pub(crate) fn package(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(package, _)| package)
}
