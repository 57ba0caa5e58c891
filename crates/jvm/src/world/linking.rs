//! From the bytes of a class to fields with slots and methods with places in a table.

use std::sync::OnceLock;

use super::{
    Body, Class, ClassFile, ClassId, Field, Kind, LoadError, Malformed, Map, Method, MethodId,
    Name, Origin, Signature, Sort, World, descriptor, flags, package,
};

/// The packages of the libraries that run tests, and of what they bring along.
const ENGINES: [&str; 7] = [
    "org/junit/",
    "junit/framework/",
    "junit/runner/",
    "org/testng/",
    "org/hamcrest/",
    "org/opentest4j/",
    "org/apiguardian/",
];

/// The package of the classes by which raddle calls them.
const DRIVERS: &str = "raddle/engine/";

/// A class of the class path, and whose it is.
struct Found {
    bytes: Box<[u8]>,
    origin: Origin,
}

impl World {
    pub(super) fn load_locked(
        &self,
        name: Name,
        pending: &mut Vec<Name>,
    ) -> Result<ClassId, LoadError> {
        if let Some(found) = self.loaded(name) {
            return found;
        }
        let text = self.text(name);
        if pending.contains(&name) || pending.len() > 200 {
            return Err(LoadError::Circular(text.to_owned()));
        }
        pending.push(name);
        let result = self.make_class(name, pending);
        pending.pop();
        if !matches!(result, Err(LoadError::Circular(_))) || pending.is_empty() {
            let mut by_name = self
                .by_name
                .write()
                .unwrap_or_else(|poison| poison.into_inner());
            by_name.insert(name, result.clone());
        }
        result
    }

    fn make_class(&self, name: Name, pending: &mut Vec<Name>) -> Result<ClassId, LoadError> {
        let text = self.text(name);
        if let Some(element) = text.strip_prefix('[') {
            if descriptor::type_length(text) != Some(text.len()) {
                return Err(LoadError::NotFound(text.to_owned()));
            }
            let element =
                self.load_locked(self.names.intern(descriptor::class_name(element)), pending)?;
            let id = self.make_array(name, element, pending)?;
            let _ = self.class(element).array.set(id);
            return Ok(id);
        }
        if let Some(&kind) = Kind::PRIMITIVES
            .iter()
            .find(|kind| kind.primitive_name() == Some(text))
        {
            return self.add_class(|id| Class {
                sort: Sort::Primitive(kind),
                flags: flags::PUBLIC | flags::FINAL | flags::ABSTRACT,
                ..self.blank(id, name)
            });
        }
        let path = format!("{text}.class");
        let (bytes, origin, module) = if let Some((module, bytes)) = self.jdk.find_in_module(&path)
        {
            (bytes, Origin::Library, self.names.intern(module))
        } else if let Some(found) = self.find_on_class_path(&path)? {
            (found.bytes, found.origin, self.names.intern(""))
        } else {
            return Err(LoadError::NotFound(text.to_owned()));
        };
        self.define(name, bytes, origin, module, pending)
    }

    fn find_on_class_path(&self, path: &str) -> Result<Option<Found>, LoadError> {
        for source in &self.sources {
            if let Some(bytes) = source.find(path).map_err(LoadError::Unreadable)? {
                let mut engines = ENGINES.iter();
                let is_engine = path.starts_with(DRIVERS)
                    || source.is_archive() && engines.any(|engine| path.starts_with(engine));
                let origin = match is_engine {
                    true => Origin::Engine,
                    false => Origin::Program,
                };
                return Ok(Some(Found { bytes, origin }));
            }
        }
        Ok(None)
    }

    /// Makes a class from bytes that the program has at run time.
    pub(crate) fn define_class(
        &self,
        bytes: &[u8],
        hidden_suffix: Option<&str>,
    ) -> Result<ClassId, LoadError> {
        let _guard = self
            .loading
            .lock()
            .unwrap_or_else(|poison| poison.into_inner());
        let file = ClassFile::parse(bytes.into())
            .map_err(|error| LoadError::Malformed("?".into(), error))?;
        let plain = file
            .name()
            .map_err(|error| LoadError::Malformed("?".into(), error))?
            .into_owned();
        let name = self
            .names
            .intern(&format!("{plain}{}", hidden_suffix.unwrap_or("")));
        let mut defined = self
            .defined
            .lock()
            .unwrap_or_else(|poison| poison.into_inner());
        let known = defined.entry(name).or_default();
        let is_same = |id: ClassId| {
            let file = self.class(id).file.as_ref();
            file.is_some_and(|file| file.bytes() == bytes)
        };
        if let Some(&same) = known.iter().find(|&&id| is_same(id)) {
            return Ok(same);
        }
        if known.is_empty() && self.load_locked(name, &mut Vec::new()).is_ok() {
            let name = plain.replace('/', ".");
            return Err(LoadError::Unreadable(format!(
                "the class {name}, which is there, from other bytes"
            )));
        }
        let empty = self.names.intern("");
        let id = self.define_file(name, file, Origin::Program, empty, &mut vec![name])?;
        if known.is_empty() {
            self.by_name
                .write()
                .unwrap_or_else(|poison| poison.into_inner())
                .insert(name, Ok(id));
        }
        known.push(id);
        Ok(id)
    }

    /// How many classes of that name the program has made of bytes, if this is one of them.
    pub(crate) fn definitions(&self, class: ClassId) -> usize {
        let defined = self.defined.lock();
        let defined = defined.unwrap_or_else(|poison| poison.into_inner());
        let known = defined.get(&self.class(class).name);
        let known = known.filter(|known| known.contains(&class));
        known.map_or(0, Vec::len)
    }

    /// Whether a class was made of bytes by the program.
    pub(crate) fn is_defined(&self, class: ClassId) -> bool {
        self.definitions(class) > 0
    }

    fn make_array(
        &self,
        name: Name,
        element: ClassId,
        pending: &mut Vec<Name>,
    ) -> Result<ClassId, LoadError> {
        let object = self.load_locked(self.names.intern("java/lang/Object"), pending)?;
        let cloneable = self.load_locked(self.names.intern("java/lang/Cloneable"), pending)?;
        let serializable = self.load_locked(self.names.intern("java/io/Serializable"), pending)?;
        let mut interfaces = [cloneable, serializable];
        let object = self.class(object);
        let innermost = self.class(element);
        let visible = innermost.flags & (flags::PUBLIC | flags::PRIVATE | flags::PROTECTED);
        self.add_class(|id| {
            let interfaces_in_order = interfaces;
            interfaces.sort_unstable();
            Class {
                sort: Sort::Array(element),
                flags: visible | flags::FINAL | flags::ABSTRACT,
                origin: innermost.origin,
                module: innermost.module,
                ancestors: Box::new([object.id, id]),
                interfaces: Box::new(interfaces_in_order),
                all_interfaces: Box::new(interfaces),
                vtable: object.vtable.clone(),
                vtable_index: object.vtable_index.clone(),
                ..self.blank(id, name)
            }
        })
    }

    fn blank(&self, id: ClassId, name: Name) -> Class {
        Class {
            id,
            name,
            sort: Sort::Instance,
            origin: Origin::Library,
            flags: 0,
            file: None,
            module: self.names.intern("java.base"),
            ancestors: Box::new([id]),
            interfaces: Box::default(),
            all_interfaces: Box::default(),
            fields: Box::default(),
            instance_slots: 0,
            ref_slots: Box::default(),
            static_slots: 0,
            methods: Box::default(),
            declared: Map::default(),
            vtable: Box::default(),
            vtable_index: Map::default(),
            initializer: None,
            preparation: OnceLock::new(),
            array: OnceLock::new(),
            implementation: OnceLock::new(),
        }
    }

    fn add_class(&self, make: impl FnOnce(ClassId) -> Class) -> Result<ClassId, LoadError> {
        let id = self.classes.push_with(|id| make(ClassId(id)));
        id.map(ClassId)
            .ok_or_else(|| LoadError::Incompatible("too many classes".to_owned()))
    }

    fn define(
        &self,
        name: Name,
        bytes: Box<[u8]>,
        origin: Origin,
        module: Name,
        pending: &mut Vec<Name>,
    ) -> Result<ClassId, LoadError> {
        let text = self.text(name);
        let broken = |error| LoadError::Malformed(text.to_owned(), error);
        let file = ClassFile::parse(bytes).map_err(broken)?;
        let own_name = file.name().map_err(broken)?;
        if own_name != text {
            return Err(LoadError::Malformed(
                text.to_owned(),
                Malformed(format!("wrong name: {own_name}")),
            ));
        }
        self.define_file(name, file, origin, module, pending)
    }

    fn define_file(
        &self,
        name: Name,
        file: ClassFile,
        origin: Origin,
        module: Name,
        pending: &mut Vec<Name>,
    ) -> Result<ClassId, LoadError> {
        let text = self.text(name);
        if origin == Origin::Program
            && let Some(listener) = &self.listener
        {
            listener(text, &file);
        }
        let broken = |error| LoadError::Malformed(text.to_owned(), error);
        let superclass = match file.super_name().map_err(broken)? {
            Some(super_name) => Some(self.load_locked(self.names.intern(&super_name), pending)?),
            None if text == "java/lang/Object" => None,
            None => return Err(broken(Malformed("no superclass".to_owned()))),
        };
        let superclass = superclass.map(|id| self.class(id));
        if let Some(superclass) = superclass
            && (superclass.is_interface() || superclass.sort != Sort::Instance)
        {
            let message = format!(
                "class {text} has interface {} as super class",
                self.text(superclass.name)
            );
            return Err(LoadError::Incompatible(message.replace('/', ".")));
        }
        let mut interfaces = Vec::new();
        for interface in file.interface_names() {
            let id = self.load_locked(self.names.intern(&interface.map_err(broken)?), pending)?;
            if !self.class(id).is_interface() {
                let message = format!(
                    "class {text} can not implement {}, because it is not an interface",
                    self.class_name(id)
                );
                return Err(LoadError::Incompatible(message.replace('/', ".")));
            }
            interfaces.push(id);
        }
        let mut all_interfaces: Vec<ClassId> = superclass
            .map(|c| c.all_interfaces.to_vec())
            .unwrap_or_default();
        for &interface in &interfaces {
            all_interfaces.push(interface);
            all_interfaces.extend_from_slice(&self.class(interface).all_interfaces);
        }
        all_interfaces.sort_unstable();
        all_interfaces.dedup();
        let (fields, instance_slots, static_slots) =
            self.make_fields(&file, superclass).map_err(broken)?;
        let inherited = superclass
            .map(|c| &c.ref_slots[..])
            .unwrap_or_default()
            .iter()
            .copied();
        let own = fields
            .iter()
            .filter(|field| !field.is_static())
            .map(|field| field.kind == Kind::Ref);
        let ref_slots = inherited.chain(own).collect();
        let mut failure = None;
        let id = self.add_class(|id| {
            let mut class = Class {
                origin,
                module,
                flags: file.flags & !flags::SYNCHRONIZED,
                interfaces: interfaces.into(),
                all_interfaces: all_interfaces.into(),
                fields,
                instance_slots,
                ref_slots,
                static_slots,
                ..self.blank(id, name)
            };
            if let Some(superclass) = superclass {
                class.ancestors = superclass.ancestors.iter().copied().chain([id]).collect();
            }
            if let Err(error) = self.make_methods(&mut class, &file, superclass) {
                failure = Some(error);
            }
            class.file = Some(file);
            class
        })?;
        match failure {
            Some(error) => Err(broken(error)),
            None => Ok(id),
        }
    }

    fn make_fields(
        &self,
        file: &ClassFile,
        superclass: Option<&Class>,
    ) -> Result<(Box<[Field]>, u32, u32), Malformed> {
        let mut instance_slots = superclass.map_or(0, |c| c.instance_slots);
        let mut static_slots = 0;
        let mut fields = Vec::with_capacity(file.fields.len());
        for (index, member) in file.fields.iter().enumerate() {
            let descriptor = file.text(member.descriptor)?;
            let kind = Kind::of(&descriptor)
                .filter(|_| descriptor::type_length(&descriptor) == Some(descriptor.len()));
            let kind =
                kind.ok_or_else(|| Malformed(format!("Field has invalid signature {descriptor}")))?;
            let is_static = member.flags & flags::STATIC != 0;
            let counter = if is_static {
                &mut static_slots
            } else {
                &mut instance_slots
            };
            let slot = *counter;
            *counter += 1;
            let constant = if is_static {
                file.attribute(member.attributes, "ConstantValue")
                    .and_then(|content| content.first_chunk())
            } else {
                None
            };
            fields.push(Field {
                name: self.names.intern(&file.text(member.name)?),
                descriptor: self.names.intern(&descriptor),
                flags: member.flags,
                kind,
                slot,
                constant: constant.map_or(0, |&bytes| u16::from_be_bytes(bytes)),
                member: index as u16,
            });
        }
        Ok((fields.into(), instance_slots, static_slots))
    }

    fn make_methods(
        &self,
        class: &mut Class,
        file: &ClassFile,
        superclass: Option<&Class>,
    ) -> Result<(), Malformed> {
        let mut vtable = superclass
            .filter(|_| !class.is_interface())
            .map(|c| c.vtable.to_vec())
            .unwrap_or_default();
        let mut index = superclass
            .filter(|_| !class.is_interface())
            .map(|c| c.vtable_index.clone())
            .unwrap_or_default();
        let mut methods = Vec::with_capacity(file.methods.len());
        for (member_index, member) in file.methods.iter().enumerate() {
            let name = self.names.intern(&file.text(member.name)?);
            let text = file.text(member.descriptor)?;
            if Signature::parse(&text).is_none() {
                return Err(Malformed(format!(
                    "Method \"{}\" has illegal signature \"{text}\"",
                    self.text(name)
                )));
            }
            let descriptor = self.names.intern(&text);
            let is_virtual = !class.is_interface()
                && member.flags & (flags::STATIC | flags::PRIVATE) == 0
                && !self.text(name).starts_with('<');
            let vtable_index = is_virtual.then(|| {
                let above = index.get(&(name, descriptor)).copied();
                let place = above.filter(|&place| self.overrides(class, vtable[place as usize]));
                place.unwrap_or_else(|| {
                    vtable.push(MethodId(0));
                    index.insert((name, descriptor), vtable.len() as u32 - 1);
                    vtable.len() as u32 - 1
                })
            });
            let id = self.add_method(|id| Method {
                id,
                class: class.id,
                name,
                descriptor,
                flags: member.flags,
                member: member_index as u16,
                vtable_index,
                shape: OnceLock::new(),
                role: OnceLock::new(),
                body: OnceLock::new(),
            });
            if let Some(place) = vtable_index {
                vtable[place as usize] = id;
            }
            if self.text(name) == "<clinit>" && (self.text(descriptor) == "()V") {
                class.initializer = Some(id);
            }
            class.declared.insert((name, descriptor), id);
            methods.push(id);
        }
        class.methods = methods.into();
        if !class.is_interface() {
            self.inherit_defaults(class, &mut vtable, &mut index);
        }
        class.vtable = vtable.into();
        class.vtable_index = index;
        Ok(())
    }

    pub(crate) fn add_method(&self, make: impl FnOnce(MethodId) -> Method) -> MethodId {
        MethodId(self.methods.push_with(|id| make(MethodId(id))).unwrap_or(0))
    }

    /// Whether a method of `class` replaces `above` (of the same name and descriptor).
    fn overrides(&self, class: &Class, above: MethodId) -> bool {
        let Some(above) = self.methods.get(above.0) else {
            return true;
        };
        above.flags & (flags::PUBLIC | flags::PROTECTED) != 0
            || package(self.text(class.name)) == package(self.class_name(above.class))
    }

    /// Gives a class the methods of its interfaces that neither it nor a superclass defines.
    fn inherit_defaults(
        &self,
        class: &Class,
        vtable: &mut Vec<MethodId>,
        index: &mut Map<(Name, Name), u32>,
    ) {
        for &interface in &class.all_interfaces {
            for &method in &self.class(interface).methods {
                let method = self.method(method);
                if method.flags & (flags::STATIC | flags::PRIVATE) != 0
                    || self.text(method.name).starts_with('<')
                {
                    continue;
                }
                let key = (method.name, method.descriptor);
                match index.get(&key) {
                    None => {
                        index.insert(key, vtable.len() as u32);
                        vtable.push(method.id);
                    }
                    Some(&place) => {
                        let present = vtable[place as usize];
                        let Some(other) = self.methods.get(present.0) else {
                            continue;
                        };
                        if other.class == class.id || !self.class(other.class).is_interface() {
                            continue;
                        }
                        let is_below = self
                            .class(interface)
                            .all_interfaces
                            .binary_search(&other.class)
                            .is_ok();
                        let is_unrelated = self
                            .class(other.class)
                            .all_interfaces
                            .binary_search(&interface)
                            .is_err();
                        if is_below
                            || (is_unrelated && other.is_abstract() && !method.is_abstract())
                        {
                            vtable[place as usize] = method.id;
                        }
                    }
                }
            }
        }
    }

    /// A class that the machine makes: `methods` are given with their bodies.
    pub(crate) fn make_synthetic(
        &self,
        name: &str,
        superclass: ClassId,
        interfaces: &[ClassId],
        slots: &[Kind],
        static_slots: u32,
        methods: Vec<(Name, Name, u16, Body)>,
    ) -> Result<ClassId, LoadError> {
        let _guard = self
            .loading
            .lock()
            .unwrap_or_else(|poison| poison.into_inner());
        let name = self.names.intern(name);
        let parent = self.class(superclass);
        let mut all_interfaces = parent.all_interfaces.to_vec();
        for &interface in interfaces {
            all_interfaces.push(interface);
            all_interfaces.extend_from_slice(&self.class(interface).all_interfaces);
        }
        all_interfaces.sort_unstable();
        all_interfaces.dedup();
        let id = self.add_class(|id| {
            let mut class = Class {
                origin: Origin::Machine,
                module: self.names.intern(""),
                flags: flags::FINAL | flags::SYNTHETIC,
                ancestors: parent.ancestors.iter().copied().chain([id]).collect(),
                interfaces: interfaces.into(),
                all_interfaces: all_interfaces.into(),
                instance_slots: parent.instance_slots + slots.len() as u32,
                ref_slots: parent
                    .ref_slots
                    .iter()
                    .copied()
                    .chain(slots.iter().map(|&kind| kind == Kind::Ref))
                    .collect(),
                static_slots,
                ..self.blank(id, name)
            };
            let mut vtable = parent.vtable.to_vec();
            let mut index = parent.vtable_index.clone();
            let mut ids = Vec::new();
            for (method_name, descriptor, method_flags, body) in methods {
                let is_virtual = method_flags & flags::STATIC == 0;
                let place = is_virtual.then(|| {
                    *index.entry((method_name, descriptor)).or_insert_with(|| {
                        vtable.push(MethodId(0));
                        vtable.len() as u32 - 1
                    })
                });
                let method = self.add_method(|method| Method {
                    id: method,
                    class: id,
                    name: method_name,
                    descriptor,
                    flags: method_flags,
                    member: u16::MAX,
                    vtable_index: place,
                    shape: OnceLock::new(),
                    role: OnceLock::new(),
                    body: OnceLock::from(body),
                });
                if let Some(place) = place {
                    vtable[place as usize] = method;
                }
                class.declared.insert((method_name, descriptor), method);
                ids.push(method);
            }
            class.methods = ids.into();
            self.inherit_defaults(&class, &mut vtable, &mut index);
            class.vtable = vtable.into();
            class.vtable_index = index;
            class
        })?;
        self.by_name
            .write()
            .unwrap_or_else(|poison| poison.into_inner())
            .insert(name, Ok(id));
        Ok(id)
    }
}
