//! Descriptors of fields and methods.

/// What a value is to the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Kind {
    /// `boolean`
    Boolean,
    /// `byte`
    Byte,
    /// `char`
    Char,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `long`
    Long,
    /// `float`
    Float,
    /// `double`
    Double,
    /// An object or null.
    Ref,
    /// Nothing.
    Void,
}

impl Kind {
    /// Which kind the first character of a descriptor means.
    pub(crate) fn of(descriptor: &str) -> Option<Self> {
        Some(match descriptor.as_bytes().first()? {
            b'Z' => Self::Boolean,
            b'B' => Self::Byte,
            b'C' => Self::Char,
            b'S' => Self::Short,
            b'I' => Self::Int,
            b'J' => Self::Long,
            b'F' => Self::Float,
            b'D' => Self::Double,
            b'L' | b'[' => Self::Ref,
            b'V' => Self::Void,
            _ => return None,
        })
    }

    /// How many local variables it takes.
    pub fn words(self) -> u16 {
        match self {
            Self::Long | Self::Double => 2,
            Self::Void => 0,
            _ => 1,
        }
    }

    /// The name of the primitive type, as in the language.
    pub(crate) fn primitive_name(self) -> Option<&'static str> {
        Some(match self {
            Self::Boolean => "boolean",
            Self::Byte => "byte",
            Self::Char => "char",
            Self::Short => "short",
            Self::Int => "int",
            Self::Long => "long",
            Self::Float => "float",
            Self::Double => "double",
            Self::Void => "void",
            Self::Ref => return None,
        })
    }

    /// The class of the library whose objects are boxed values of this kind.
    pub(crate) fn box_class(self) -> Option<&'static str> {
        Some(match self {
            Self::Boolean => "java/lang/Boolean",
            Self::Byte => "java/lang/Byte",
            Self::Char => "java/lang/Character",
            Self::Short => "java/lang/Short",
            Self::Int => "java/lang/Integer",
            Self::Long => "java/lang/Long",
            Self::Float => "java/lang/Float",
            Self::Double => "java/lang/Double",
            Self::Void => "java/lang/Void",
            Self::Ref => return None,
        })
    }

    /// The character that stands for the kind in descriptors.
    pub(crate) fn letter(self) -> char {
        match self {
            Self::Boolean => 'Z',
            Self::Byte => 'B',
            Self::Char => 'C',
            Self::Short => 'S',
            Self::Int => 'I',
            Self::Long => 'J',
            Self::Float => 'F',
            Self::Double => 'D',
            Self::Ref => 'L',
            Self::Void => 'V',
        }
    }

    /// All kinds that are not objects.
    pub(crate) const PRIMITIVES: [Self; 9] = [
        Self::Boolean,
        Self::Byte,
        Self::Char,
        Self::Short,
        Self::Int,
        Self::Long,
        Self::Float,
        Self::Double,
        Self::Void,
    ];
}

/// A method's parameters and result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// The types of the parameters.
    pub parameters: Box<[Box<str>]>,
    /// That of the result.
    pub result: Box<str>,
}

impl Signature {
    /// What the descriptor of a method says.
    pub fn parse(descriptor: &str) -> Option<Self> {
        let mut rest = descriptor.strip_prefix('(')?;
        let mut parameters = Vec::new();
        while !rest.starts_with(')') {
            let length = type_length(rest)?;
            parameters.push(rest.get(..length)?.into());
            rest = rest.get(length..)?;
        }
        let result = rest.strip_prefix(')')?;
        if result != "V" && type_length(result)? != result.len() {
            return None;
        }
        (parameters.len() <= 255).then(|| Self {
            parameters: parameters.into(),
            result: result.into(),
        })
    }

    pub(crate) fn kinds(&self) -> impl Iterator<Item = Kind> {
        self.parameters
            .iter()
            .filter_map(|parameter| Kind::of(parameter))
    }

    pub(crate) fn result_kind(&self) -> Kind {
        Kind::of(&self.result).unwrap_or(Kind::Void)
    }

    pub(crate) fn words(&self) -> u16 {
        self.kinds().map(Kind::words).sum()
    }
}

/// The length of the field descriptor that `text` begins with.
pub(crate) fn type_length(text: &str) -> Option<usize> {
    let dimensions = text.bytes().take_while(|&b| b == b'[').count();
    if dimensions > 255 {
        return None;
    }
    match text.as_bytes().get(dimensions)? {
        b'L' => Some(text.find(';').filter(|&end| end > dimensions + 1)? + 1),
        b'Z' | b'B' | b'C' | b'S' | b'I' | b'J' | b'F' | b'D' => Some(dimensions + 1),
        _ => None,
    }
}

/// The class that a field descriptor names: `I` is `int`, `Lx/Y;` is `x/Y`, arrays are as they are.
pub(crate) fn class_name(descriptor: &str) -> &str {
    match Kind::of(descriptor) {
        Some(Kind::Ref) if descriptor.starts_with('L') => descriptor
            .strip_prefix('L')
            .and_then(|name| name.strip_suffix(';'))
            .unwrap_or(descriptor),
        Some(Kind::Ref) | None => descriptor,
        Some(kind) => kind.primitive_name().unwrap_or(descriptor),
    }
}

/// The field descriptor of a class: the reverse of [`class_name`].
pub(crate) fn of_class(name: &str) -> String {
    if name.starts_with('[') {
        return name.to_owned();
    }
    match Kind::PRIMITIVES
        .iter()
        .find(|kind| kind.primitive_name() == Some(name))
    {
        Some(kind) => kind.letter().to_string(),
        None => format!("L{name};"),
    }
}

/// The kinds of a method's parameters (not of the receiver) and of its result.
pub(crate) fn method_kinds(descriptor: &str) -> Option<(smallvec::SmallVec<[Kind; 8]>, Kind)> {
    let mut rest = descriptor.strip_prefix('(')?;
    let mut parameters = smallvec::SmallVec::new();
    while !rest.starts_with(')') {
        parameters.push(Kind::of(rest)?);
        rest = rest.get(type_length(rest)?..)?;
    }
    let result = rest.strip_prefix(')')?;
    let is_proper = result == "V" || type_length(result)? == result.len();
    if is_proper {
        Some((parameters, Kind::of(result)?))
    } else {
        None
    }
}

/// A type as the language writes it.
pub(crate) fn readable(descriptor: &str) -> String {
    let dimensions = descriptor.bytes().take_while(|&b| b == b'[').count();
    let element = descriptor.get(dimensions..).unwrap_or_default();
    format!(
        "{}{}",
        class_name(element).replace('/', "."),
        "[]".repeat(dimensions)
    )
}
