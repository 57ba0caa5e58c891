//! Class loaders: which classes they find, classes made of bytes, and resources.

use super::class::class_display_name;
use super::{Answer, Entry, nothing, null_pointer, reference, word};
use crate::heap::Ref;
use crate::interpret::{Args, Env, Trap};
use crate::made_up::Source::{Depends, Every};
use crate::reach::share;
use crate::roles::Role::{Own, Pure, ReadAll};
use crate::world::{ClassId, LoadError, Origin, World, package};

const CLASS: &str = "java/lang/Class";
const JAR_URL: &str = "sun/net/www/protocol/jar/JarURLConnection";
const FILE_URL: &str = "sun/net/www/protocol/file/FileURLConnection";
const JRT_URL: &str = "sun/net/www/protocol/jrt/JavaRuntimeURLConnection";
const LOADER: &str = "java/lang/ClassLoader";
const BUILTIN: &str = "jdk/internal/loader/BuiltinClassLoader";

pub(super) const TABLE: &[Entry] = &[
    (
        LOADER,
        "findBootstrapClass",
        "",
        Pure,
        Every,
        |env, args| {
            let name = env.text(args, 0)?;
            let class = seen_by(env, Ref::NULL, &name)?;
            Ok(class.map_or(0, |class| env.state.mirror(env.world, class).word()))
        },
    ),
    (LOADER, "findLoadedClass0", "", Pure, Depends, find_loaded),
    (
        LOADER,
        "defineClass1",
        "",
        ReadAll(2),
        Every,
        |env, args| define(env, args, (0, 2), None),
    ),
    (
        LOADER,
        "defineClass0",
        "",
        ReadAll(3),
        Every,
        |env, args| {
            let number = env.world.classes.count();
            define(env, args, (0, 3), Some(format!("/0x{number:016x}")))
        },
    ),
    (
        "jdk/internal/misc/Unsafe",
        "defineClass0",
        "",
        ReadAll(2),
        Every,
        |env, args| define(env, args, (5, 2), None),
    ),
    (
        "java/lang/Module",
        "getResourceAsStream",
        "",
        Pure,
        Every,
        |env, args| {
            let name = env.text(args, 1)?;
            resource_stream(env, name.trim_start_matches('/'))
        },
    ),
    (
        CLASS,
        "getResourceAsStream",
        "",
        Pure,
        Every,
        |env, args| {
            let class = env.class_argument(args, 0)?;
            let name = env.text(args, 1)?;
            let package = package(env.world.class_name(class));
            let path = match name.strip_prefix('/') {
                Some(absolute) => absolute.to_owned(),
                None if package.is_empty() => name,
                None => format!("{package}/{name}"),
            };
            resource_stream(env, &path)
        },
    ),
    (
        LOADER,
        "getSystemResourceAsStream",
        "",
        Pure,
        Every,
        |env, args| {
            let name = env.text(args, 0)?;
            resource_stream(env, &name)
        },
    ),
    (
        LOADER,
        "loadClass",
        "(Ljava/lang/String;Z)Ljava/lang/Class;",
        Own,
        Every,
        load_class,
    ),
    (BUILTIN, "loadClass", "", Own, Every, load_class),
    (
        "jdk/internal/loader/ClassLoaders$AppClassLoader",
        "loadClass",
        "",
        Own,
        Every,
        load_class,
    ),
    (
        BUILTIN,
        "loadClassOrNull",
        "(Ljava/lang/String;Z)Ljava/lang/Class;",
        Pure,
        Every,
        |env, args| {
            let name = env.text(args, 1)?;
            let class = seen_by(env, reference(args, 0), &name)?;
            Ok(class.map_or(0, |class| env.state.mirror(env.world, class).word()))
        },
    ),
    (
        BUILTIN,
        "findResourceOnClassPath",
        "",
        Pure,
        Depends,
        |env, args| {
            let urls = resource_urls(env, args)?;
            Ok(urls.first().map_or(0, |url| url.word()))
        },
    ),
    (
        BUILTIN,
        "findResourcesOnClassPath",
        "",
        Own,
        Depends,
        |env, args| {
            let urls = resource_urls(env, args)?;
            let array = env.ref_array("java/net/URL", &urls)?;
            let class = env.world.load("java/util/Arrays$ArrayList")?;
            let list = env.state.instantiate(env.world, class);
            env.set_named_field(list, "a", array.word());
            let descriptor = "(Ljava/util/Collection;)Ljava/util/Enumeration;";
            let all = env
                .world
                .method_of("java/util/Collections", "enumeration", descriptor);
            match all {
                Some(all) => {
                    env.ensure_initialised(env.world.method(all).class)?;
                    Err(Trap::Call(all, Args::from_slice(&[list.word()])))
                }
                None => Err(Trap::Unsupported("ClassLoader.getResources()".to_owned())),
            }
        },
    ),
    (
        LOADER,
        "getResourceAsStream",
        "",
        Pure,
        Every,
        |env, args| {
            let name = env.text(args, 1)?;
            resource_stream(env, &name)
        },
    ),
    (JAR_URL, "getInputStream", "", Pure, Every, open_url),
    (JAR_URL, "connect", "", Pure, Every, nothing),
    (FILE_URL, "getInputStream", "", Pure, Every, open_url),
    (FILE_URL, "connect", "", Pure, Every, nothing),
    (JRT_URL, "getInputStream", "", Pure, Every, open_url),
    (JRT_URL, "connect", "", Pure, Every, nothing),
    (
        "jdk/internal/jimage/ImageReaderFactory",
        "getImageReader",
        "",
        Pure,
        Depends,
        |env, _| {
            // It reads by other means here.
            let classes = env
                .thread
                .frames
                .iter()
                .map(|it| env.world.method(it.method).class);
            let is_known = classes
                .into_iter()
                .any(|it| env.world.class_name(it) == JRT_URL);
            if !is_known {
                env.make_up("the file with the modules of the JDK")?;
            }
            Ok(0)
        },
    ),
];

/// The URLs of a resource of the class path, as objects.
fn resource_urls(env: &mut Env<'_>, args: &[u64]) -> Result<Vec<Ref>, Trap> {
    let name = env.text(args, 1)?;
    let mut urls = env.world.resource_urls(&name).map_err(Trap::Unsupported)?;
    // What is the JDK's own and no class is hidden in its module.
    if urls.is_empty() && name.ends_with(".class") {
        urls.extend(env.world.library_url(&name));
    }
    urls.iter().map(|url| url_object(env, url)).collect()
}

/// A `java.net.URL`, made without its constructor, which would look for handlers.
pub(super) fn url_object(env: &mut Env<'_>, url: &str) -> Result<Ref, Trap> {
    let world = env.world;
    let (protocol, rest) = url.split_once(':').unwrap_or(("file", url));
    let class = world.load("java/net/URL")?;
    let handler = world.load(&format!("sun/net/www/protocol/{protocol}/Handler"))?;
    env.ensure_initialised(class)?;
    env.ensure_initialised(handler)?;
    let object = env.state.instantiate(world, class);
    let handler = env.state.instantiate(world, handler);
    let texts = [
        ("protocol", protocol),
        ("file", rest),
        ("path", rest),
        ("host", ""),
    ];
    for (field, text) in texts {
        let text = env.new_string(text);
        env.set_named_field(object, field, text);
    }
    let none = u64::from((-1_i32).cast_unsigned());
    env.set_named_field(object, "port", none);
    env.set_named_field(object, "hashCode", none);
    env.set_named_field(object, "handler", handler.word());
    Ok(object)
}

/// Opens what a URL of the class path leads to. Others lead out of what there is.
fn open_url(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let url = Ref::of(env.named_field(reference(args, 0), "url"));
    let part = |env: &Env<'_>, name: &str| {
        let text = Ref::of(env.named_field(url, name));
        env.state.text_of(env.world, text).unwrap_or_default()
    };
    let told = format!("{}:{}", part(env, "protocol"), part(env, "file"));
    match env.world.resource_at(&told).map_err(Trap::Unsupported)? {
        Some(bytes) => stream_of(env, &bytes),
        None => Err(Trap::Unsupported(format!("reading from {told}"))),
    }
}

/// The class that a loader finds by asking its parents: those of the program are seen by the loader of
/// the class path and by loaders below it, those of the library by all. No class if there is none.
pub(super) fn seen_by(
    env: &Env<'_>,
    loader: Ref,
    name: &str,
) -> Result<Option<ClassId>, LoadError> {
    let world = env.world;
    let class = match world.load(&name.replace('.', "/")) {
        Ok(class) => class,
        Err(LoadError::NotFound(_)) => return Ok(None),
        Err(error) => return Err(error),
    };
    if world.class(class).origin == Origin::Library {
        return Ok(Some(class));
    }
    let own = match world.definitions(class) {
        0 => Some(env.state.loader),
        // Only those that ask its own loader do, and at that only once it is there.
        1 => defined_by(env, class),
        _ => return Err(two_of(world, class)),
    };
    let Some(own) = own else {
        return Ok(None);
    };
    let mut next = loader;
    while !next.is_null() && next != own {
        next = Ref(env.named_field(next, "parent") as u32);
    }
    Ok((!next.is_null()).then_some(class))
}

/// The loader of a class that the program makes of bytes, once it has.
fn defined_by(env: &Env<'_>, class: ClassId) -> Option<Ref> {
    let mirror = env.state.class(class).mirror;
    let slot = env.world.known().class_loader;
    (!mirror.is_null()).then(|| env.state.heap.ref_field(mirror, slot))
}

fn two_of(world: &World, class: ClassId) -> LoadError {
    let name = class_display_name(world, class);
    LoadError::Unreadable(format!("two classes called {name}"))
}

/// The class of a name that a loader has defined or, which is not known, has found elsewhere before.
fn find_loaded(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let world = env.world;
    let (loader, name) = (reference(args, 0), env.text(args, 1)?);
    let class = match world.load(&name.replace('.', "/")) {
        Ok(class) => class,
        Err(LoadError::NotFound(_)) => return Ok(0),
        Err(error) => return Err(error.into()),
    };
    let own = match world.definitions(class) {
        0 => Some(env.state.loader),
        1 => defined_by(env, class),
        _ => return Err(two_of(world, class).into()),
    };
    match own {
        None => Ok(0),
        Some(own) if own == loader && world.is_defined(class) => {
            Ok(env.state.mirror(world, class).word())
        }
        // Others may have found it through their parents.
        Some(_) => {
            env.make_up("ClassLoader.findLoadedClass()")?;
            Ok(0)
        }
    }
}

/// Whether a loader is of a class of the program's, which may find classes in its own way.
pub(super) fn is_of_program(env: &Env<'_>, loader: Ref) -> bool {
    let class = env.state.heap.get(loader).map(|loader| loader.class);
    class.is_some_and(|class| env.world.class(class).origin != Origin::Library)
}

/// Makes a class for a loader, of bytes: of the array at an argument, from a place on, so many.
fn define(
    env: &mut Env<'_>,
    args: &[u64],
    (loader, at): (usize, usize),
    suffix: Option<String>,
) -> Answer {
    let Some(bytes) = env.state.heap.bytes(reference(args, at)) else {
        return null_pointer();
    };
    let (start, count) = (word(args, at + 1) as i32, word(args, at + 2) as i32);
    let range = usize::try_from(start).ok().zip(usize::try_from(count).ok());
    let Some(part) = range.and_then(|(start, count)| bytes.get(start..start.checked_add(count)?))
    else {
        return Err(Trap::Raise(
            "java/lang/ArrayIndexOutOfBoundsException",
            None,
        ));
    };
    let bytes: Vec<u8> = part.iter().map(|byte| byte.cast_unsigned()).collect();
    let class = env.world.define_class(&bytes, suffix.as_deref())?;
    if !env.state.class(class).mirror.is_null() {
        return Err(two_of(env.world, class).into());
    }
    let mirror = env.state.mirror(env.world, class);
    let loader = reference(args, loader);
    if !loader.is_null() {
        let known = env.world.known();
        let module = Ref::of(env.named_field(loader, "unnamedModule"));
        let heap = &mut env.state.heap;
        for (slot, object) in [(known.class_loader, loader), (known.class_module, module)] {
            // All can reach a class.
            share(env.world, heap, object);
            heap.set_field(mirror, slot, object.word());
        }
    }
    Ok(mirror.word())
}

/// A stream with the content of a resource, or null.
fn resource_stream(env: &mut Env<'_>, path: &str) -> Answer {
    let world = env.world;
    match world.resource(path).map_err(Trap::Unsupported)? {
        Some(bytes) => stream_of(env, &bytes),
        None => Ok(0),
    }
}

/// A stream of bytes.
fn stream_of(env: &mut Env<'_>, bytes: &[u8]) -> Answer {
    let world = env.world;
    let class = world.load("java/io/ByteArrayInputStream")?;
    env.ensure_initialised(class)?;
    let stream = env.state.instantiate(world, class);
    let buffer = env.state.byte_array(world, bytes);
    env.set_named_field(stream, "buf", buffer.word());
    env.set_named_field(stream, "count", bytes.len() as u64);
    Ok(stream.word())
}

/// Loads a class by name. What its parents do not see may still be found by a loader itself.
fn load_class(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let world = env.world;
    let name = env.text(args, 1)?;
    let loader = reference(args, 0);
    if let Some(class) = seen_by(env, loader, &name)? {
        return Ok(env.state.mirror(world, class).word());
    }
    let class = env.state.heap.get(loader).map(|loader| loader.class);
    let class = world.class(class.unwrap_or_default());
    let names = &world.names;
    let find = class.virtual_method(
        names.intern("findClass"),
        names.intern("(Ljava/lang/String;)Ljava/lang/Class;"),
    );
    // That of the class path has been asked.
    let is_own = |find| world.class_name(world.method(find).class) != BUILTIN;
    match find.filter(|&find| is_own(find)) {
        Some(find) => Err(Trap::Call(
            find,
            Args::from_slice(&[word(args, 0), word(args, 1)]),
        )),
        None => Err(Trap::Raise("java/lang/ClassNotFoundException", Some(name))),
    }
}
