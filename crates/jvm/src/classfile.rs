//! Class files: their structure, read lazily.
//!
//! An own reader rather than a crate's: an empty `main` touches some 400 classes of which it
//! runs a tenth of the methods, so that decoding only what is asked for is most of the
//! start-up time. Nothing here trusts the file; every index and length is checked.

use std::fmt;

/// Why a class file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed(pub String);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

pub(crate) type Parsed<T> = Result<T, Malformed>;

fn malformed<T>(what: impl Into<String>) -> Parsed<T> {
    Err(Malformed(what.into()))
}

/// The newest class file version that is understood (Java 25).
pub const NEWEST_VERSION: u16 = 69;

/// What one wants to know of a class file before running it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The name of the class, with slashes.
    pub name: String,
    /// Whether it has a `main` method to begin with.
    pub has_main: bool,
}

/// Reads what one wants to know of a class file before running it.
pub fn summary(bytes: &[u8]) -> Result<Summary, Malformed> {
    let file = ClassFile::parse(bytes.into())?;
    let mut has_main = false;
    for method in &file.methods {
        let is_main = file.text(method.name)? == "main"
            && file.text(method.descriptor)? == "([Ljava/lang/String;)V";
        has_main |= is_main && method.flags & 0x8 != 0;
    }
    Ok(Summary {
        name: file.name()?.into_owned(),
        has_main,
    })
}

/// An entry of the constant pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Constant {
    Unusable,
    Utf8 { at: u32, length: u16 },
    Integer(i32),
    Float(u32),
    Long(i64),
    Double(u64),
    Class(u16),
    String(u16),
    Field { class: u16, name_and_type: u16 },
    Method { class: u16, name_and_type: u16 },
    InterfaceMethod { class: u16, name_and_type: u16 },
    NameAndType { name: u16, descriptor: u16 },
    MethodHandle { kind: u8, reference: u16 },
    MethodType(u16),
    Dynamic { bootstrap: u16, name_and_type: u16 },
    InvokeDynamic { bootstrap: u16, name_and_type: u16 },
    Other(u16),
}

/// A field or method as the file has it.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) flags: u16,
    pub(crate) name: u16,
    pub(crate) descriptor: u16,
    pub(crate) attributes: Attributes,
}

/// Where a list of attributes stands in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attributes {
    at: u32,
    count: u16,
}

/// A class file.
#[derive(Debug)]
pub struct ClassFile {
    bytes: Box<[u8]>,
    pool: Box<[Constant]>,
    pub(crate) major: u16,
    pub(crate) flags: u16,
    this_class: u16,
    super_class: u16,
    interfaces: Box<[u16]>,
    pub(crate) fields: Box<[Member]>,
    pub(crate) methods: Box<[Member]>,
    pub(crate) attributes: Attributes,
}

/// The `Code` attribute of a method.
#[derive(Debug)]
pub(crate) struct CodeAttribute<'a> {
    pub(crate) max_stack: u16,
    pub(crate) max_locals: u16,
    pub(crate) code: &'a [u8],
    pub(crate) handlers: Vec<Handler>,
    pub(crate) attributes: Attributes,
}

/// An entry of an exception table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handler {
    pub(crate) start: u16,
    pub(crate) end: u16,
    pub(crate) target: u16,
    pub(crate) class: u16,
}

/// An entry of the table of bootstrap methods.
#[derive(Clone, Debug)]
pub(crate) struct Bootstrap {
    pub(crate) method: u16,
    pub(crate) arguments: Vec<u16>,
}

/// Reads big-endian numbers one after the other.
#[derive(Clone)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    pub(crate) at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    pub(crate) fn take(&mut self, length: usize) -> Parsed<&'a [u8]> {
        let end = self.at.checked_add(length);
        let Some(taken) = end.and_then(|end| self.bytes.get(self.at..end)) else {
            return malformed("Truncated class file");
        };
        self.at += length;
        Ok(taken)
    }

    pub(crate) fn u1(&mut self) -> Parsed<u8> {
        Ok(self.take(1)?[0])
    }

    pub(crate) fn u2(&mut self) -> Parsed<u16> {
        let b = self.take(2)?;
        Ok(u16::from_be_bytes([b[0], b[1]]))
    }

    pub(crate) fn u4(&mut self) -> Parsed<u32> {
        let b = self.take(4)?;
        Ok(u32::from_be_bytes([b[0], b[1], b[2], b[3]]))
    }

    fn u8(&mut self) -> Parsed<u64> {
        Ok((u64::from(self.u4()?) << 32) | u64::from(self.u4()?))
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }
}

impl ClassFile {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Reads the structure of a class file.
    pub(crate) fn parse(bytes: Box<[u8]>) -> Parsed<Self> {
        let mut r = Reader::new(&bytes, 0);
        if r.u4()? != 0xCAFE_BABE {
            return malformed("Incompatible magic value");
        }
        let minor = r.u2()?;
        let major = r.u2()?;
        if !(45..=NEWEST_VERSION).contains(&major) {
            return malformed(format!("Unsupported class file version {major}.{minor}"));
        }
        let pool = read_pool(&mut r)?;
        let flags = r.u2()?;
        let this_class = r.u2()?;
        let super_class = r.u2()?;
        let count = r.u2()?;
        let interfaces = (0..count).map(|_| r.u2()).collect::<Parsed<Box<[u16]>>>()?;
        let fields = read_members(&mut r)?;
        let methods = read_members(&mut r)?;
        let attributes = skip_attributes(&mut r)?;
        if !r.is_at_end() {
            return malformed("Extra bytes at the end of class file");
        }
        let file = Self {
            bytes,
            pool,
            major,
            flags,
            this_class,
            super_class,
            interfaces,
            fields,
            methods,
            attributes,
        };
        // A name is looked for in folders, too: it must not lead out of them (JVMS 4.2.1).
        let name = file.name()?;
        let is_legal = |part: &str| !part.is_empty() && !part.contains(['.', ';', '[']);
        if !name.split('/').all(is_legal) {
            return malformed(format!("Illegal class name \"{name}\""));
        }
        drop(name);
        Ok(file)
    }

    pub(crate) fn constant(&self, index: u16) -> Parsed<Constant> {
        match self.pool.get(index as usize) {
            Some(&constant) => Ok(constant),
            None => malformed(format!("Invalid constant pool index {index}")),
        }
    }

    pub(crate) fn pool_size(&self) -> usize {
        self.pool.len()
    }

    fn utf8_bytes(&self, index: u16) -> Parsed<&[u8]> {
        match self.constant(index)? {
            Constant::Utf8 { at, length } => {
                Reader::new(&self.bytes, at as usize).take(length as usize)
            }
            _ => malformed(format!("Constant pool entry {index} is not a string")),
        }
    }

    /// A name: text without the two peculiarities of the file's encoding.
    pub(crate) fn text(&self, index: u16) -> Parsed<std::borrow::Cow<'_, str>> {
        let bytes = self.utf8_bytes(index)?;
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(text.into()),
            Err(_) => Ok(String::from_utf16_lossy(&decode(bytes)?).into()),
        }
    }

    /// Whether the file names a class that begins like this.
    pub fn names_class(&self, beginning: &str) -> bool {
        let mut constants = self.pool.iter();
        constants.any(|constant| match *constant {
            Constant::Class(name) => {
                let name = self.text(name);
                name.is_ok_and(|name| name.trim_start_matches(['[', 'L']).starts_with(beginning))
            }
            _ => false,
        })
    }

    /// A string constant as the program sees it.
    pub(crate) fn utf16(&self, index: u16) -> Parsed<Vec<u16>> {
        decode(self.utf8_bytes(index)?)
    }

    pub(crate) fn class_name(&self, index: u16) -> Parsed<std::borrow::Cow<'_, str>> {
        match self.constant(index)? {
            Constant::Class(name) => self.text(name),
            _ => malformed(format!("Constant pool entry {index} is not a class")),
        }
    }

    pub(crate) fn name(&self) -> Parsed<std::borrow::Cow<'_, str>> {
        self.class_name(self.this_class)
    }

    pub(crate) fn super_name(&self) -> Parsed<Option<std::borrow::Cow<'_, str>>> {
        if self.super_class == 0 {
            Ok(None)
        } else {
            self.class_name(self.super_class).map(Some)
        }
    }

    pub(crate) fn interface_names(
        &self,
    ) -> impl Iterator<Item = Parsed<std::borrow::Cow<'_, str>>> {
        self.interfaces.iter().map(|&index| self.class_name(index))
    }

    /// Name and descriptor of a name-and-type entry.
    pub(crate) fn name_and_type(&self, index: u16) -> Parsed<(u16, u16)> {
        match self.constant(index)? {
            Constant::NameAndType { name, descriptor } => Ok((name, descriptor)),
            _ => malformed(format!(
                "Constant pool entry {index} is not a name and type"
            )),
        }
    }

    /// The attributes of a list: name and content.
    pub(crate) fn attributes(
        &self,
        list: Attributes,
    ) -> impl Iterator<Item = (std::borrow::Cow<'_, str>, &[u8])> {
        let mut r = Reader::new(&self.bytes, list.at as usize);
        (0..list.count).map_while(move |_| {
            let name = r.u2().ok()?;
            let length = r.u4().ok()?;
            let content = r.take(length as usize).ok()?;
            Some((self.text(name).unwrap_or_default(), content))
        })
    }

    pub(crate) fn attribute(&self, list: Attributes, name: &str) -> Option<&[u8]> {
        self.attributes(list)
            .find(|(found, _)| found == name)
            .map(|(_, content)| content)
    }

    /// The code of a method, if it has any.
    pub(crate) fn code(&self, member: &Member) -> Parsed<Option<CodeAttribute<'_>>> {
        let Some(content) = self.attribute(member.attributes, "Code") else {
            return Ok(None);
        };
        let start = content.as_ptr() as usize - self.bytes.as_ptr() as usize;
        let mut r = Reader::new(&self.bytes, start);
        let max_stack = r.u2()?;
        let max_locals = r.u2()?;
        let length = r.u4()?;
        if length == 0 || length > 65535 {
            return malformed("Invalid method Code length");
        }
        let code = r.take(length as usize)?;
        let count = r.u2()?;
        let mut handlers = Vec::with_capacity(count as usize);
        for _ in 0..count {
            handlers.push(Handler {
                start: r.u2()?,
                end: r.u2()?,
                target: r.u2()?,
                class: r.u2()?,
            });
        }
        let attributes = skip_attributes(&mut r)?;
        Ok(Some(CodeAttribute {
            max_stack,
            max_locals,
            code,
            handlers,
            attributes,
        }))
    }

    pub(crate) fn bootstrap(&self, index: u16) -> Parsed<Bootstrap> {
        let Some(content) = self.attribute(self.attributes, "BootstrapMethods") else {
            return malformed("Missing BootstrapMethods attribute");
        };
        let mut r = Reader::new(content, 0);
        let count = r.u2()?;
        if index >= count {
            return malformed("Invalid bootstrap method index");
        }
        for _ in 0..index {
            r.u2()?;
            let arguments = r.u2()?;
            r.take(2 * arguments as usize)?;
        }
        let method = r.u2()?;
        let count = r.u2()?;
        let arguments = (0..count).map(|_| r.u2()).collect::<Parsed<_>>()?;
        Ok(Bootstrap { method, arguments })
    }
}

fn read_pool(r: &mut Reader<'_>) -> Parsed<Box<[Constant]>> {
    let count = r.u2()?;
    let mut pool = Vec::with_capacity(count as usize);
    pool.push(Constant::Unusable);
    while pool.len() < count as usize {
        let constant = match r.u1()? {
            1 => {
                let length = r.u2()?;
                let at = r.at as u32;
                r.take(length as usize)?;
                Constant::Utf8 { at, length }
            }
            3 => Constant::Integer(r.u4()?.cast_signed()),
            4 => Constant::Float(r.u4()?),
            5 => Constant::Long(r.u8()?.cast_signed()),
            6 => Constant::Double(r.u8()?),
            7 => Constant::Class(r.u2()?),
            8 => Constant::String(r.u2()?),
            9 => Constant::Field {
                class: r.u2()?,
                name_and_type: r.u2()?,
            },
            10 => Constant::Method {
                class: r.u2()?,
                name_and_type: r.u2()?,
            },
            11 => Constant::InterfaceMethod {
                class: r.u2()?,
                name_and_type: r.u2()?,
            },
            12 => Constant::NameAndType {
                name: r.u2()?,
                descriptor: r.u2()?,
            },
            15 => Constant::MethodHandle {
                kind: r.u1()?,
                reference: r.u2()?,
            },
            16 => Constant::MethodType(r.u2()?),
            17 => Constant::Dynamic {
                bootstrap: r.u2()?,
                name_and_type: r.u2()?,
            },
            18 => Constant::InvokeDynamic {
                bootstrap: r.u2()?,
                name_and_type: r.u2()?,
            },
            19 | 20 => Constant::Other(r.u2()?),
            tag => return malformed(format!("Unknown constant tag {tag}")),
        };
        let is_wide = matches!(constant, Constant::Long(_) | Constant::Double(_));
        pool.push(constant);
        if is_wide {
            pool.push(Constant::Unusable);
        }
    }
    Ok(pool.into())
}

fn read_members(r: &mut Reader<'_>) -> Parsed<Box<[Member]>> {
    let count = r.u2()?;
    (0..count)
        .map(|_| {
            let flags = r.u2()?;
            let name = r.u2()?;
            let descriptor = r.u2()?;
            Ok(Member {
                flags,
                name,
                descriptor,
                attributes: skip_attributes(r)?,
            })
        })
        .collect()
}

fn skip_attributes(r: &mut Reader<'_>) -> Parsed<Attributes> {
    let count = r.u2()?;
    let at = r.at as u32;
    for _ in 0..count {
        r.u2()?;
        let length = r.u4()?;
        r.take(length as usize)?;
    }
    Ok(Attributes { at, count })
}

/// Decodes the file's variant of UTF-8 (a zero takes two bytes, what lies beyond the basic
/// plane six).
fn decode(bytes: &[u8]) -> Parsed<Vec<u16>> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    loop {
        rest = match *rest {
            [] => return Ok(units),
            [a, ref rest @ ..] if a & 0x80 == 0 => {
                units.push(u16::from(a));
                rest
            }
            [a, b, ref rest @ ..] if a & 0xE0 == 0xC0 => {
                units.push(u16::from(a & 0x1F) << 6 | u16::from(b & 0x3F));
                rest
            }
            [a, b, c, ref rest @ ..] if a & 0xF0 == 0xE0 => {
                units.push(
                    u16::from(a & 0x0F) << 12 | u16::from(b & 0x3F) << 6 | u16::from(c & 0x3F),
                );
                rest
            }
            _ => return malformed("Illegal UTF8 string in constant pool"),
        }
    }
}
