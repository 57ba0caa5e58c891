//! Modules. There is one for all classes of the library, without a name, and no layer: who asks
//! for those of the JDK gets an answer that is made up.

use super::class::class_modifiers;
use super::{Answer, Entry, reference, word};
use crate::code::Op;
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::interpret::{Args, Env, Trap};
use crate::made_up::Source::{self, Depends, Every, Impossible};
use crate::roles::Role::{Own, Pure};
use crate::stubs;
use crate::world::{Origin, flags, package};

const MODULE: &str = "java/lang/Module";
const SECURITY: &str = "java/lang/SecurityManager";
const GUARDED: Source = Impossible("a SecurityManager");

pub(super) const TABLE: &[Entry] = &[
    (
        "java/lang/ModuleLayer",
        "boot",
        "",
        Pure,
        Depends,
        |env, _| {
            if env.caller_name() != Some(SECURITY) {
                env.make_up("ModuleLayer.boot()")?;
            }
            Ok(0)
        },
    ),
    // It hides packages from what asks a security manager, of which there is none.
    (
        SECURITY,
        "addNonExportedPackages",
        "",
        Pure,
        Every,
        super::nothing,
    ),
    (
        SECURITY,
        "checkPackageAccess",
        "",
        Pure,
        GUARDED,
        super::nothing,
    ),
    (
        SECURITY,
        "checkPackageDefinition",
        "",
        Pure,
        GUARDED,
        super::nothing,
    ),
    // What the library does with a module is asked for below.
    (
        "java/lang/Class",
        "getModule",
        "",
        Own,
        Depends,
        |env, args| {
            let module = env.named_field(reference(args, 0), "module");
            if module == env.state.module.word() && env.is_called_by_program() {
                env.make_up("Class.getModule() of a class of the JDK")?;
            }
            Ok(module)
        },
    ),
    (MODULE, "isNamed", "", Own, Depends, |env, args| {
        // All of the JDK's are.
        if reference(args, 0) == env.state.module && env.is_asked_by_program() {
            return Ok(1);
        }
        Ok(u64::from(of_module(env, args, "name")? != 0))
    }),
    (MODULE, "getName", "", Own, Depends, |env, args| {
        of_module(env, args, "name")
    }),
    (MODULE, "getDescriptor", "", Own, Depends, |env, args| {
        of_module(env, args, "descriptor")
    }),
    (MODULE, "getLayer", "", Own, Depends, |env, args| {
        of_module(env, args, "layer")
    }),
    (
        "jdk/internal/reflect/Reflection",
        "verifyModuleAccess",
        "(Ljava/lang/Module;Ljava/lang/Class;)Z",
        Own,
        Depends,
        is_accessible,
    ),
    (MODULE, "defineModule0", "", Pure, Every, super::nothing),
    (MODULE, "addReads0", "", Pure, Every, super::nothing),
    (MODULE, "addExports0", "", Pure, Every, super::nothing),
    (MODULE, "addExportsToAll0", "", Pure, Every, super::nothing),
    (
        MODULE,
        "addExportsToAllUnnamed0",
        "",
        Pure,
        Every,
        super::nothing,
    ),
    (
        "jdk/internal/module/ServicesCatalog",
        "findServices",
        "",
        Own,
        Depends,
        find_services,
    ),
    (
        "jdk/internal/loader/BootLoader",
        "getSystemPackageLocation",
        "",
        Pure,
        Impossible("packages of the JDK by name"),
        super::nothing,
    ),
    (
        "jdk/internal/loader/BootLoader",
        "definePackage",
        "",
        Own,
        Every,
        define_package,
    ),
    (
        "jdk/internal/loader/BootLoader",
        "setBootLoaderUnnamedModule0",
        "",
        Pure,
        Every,
        super::nothing,
    ),
];

/// Classes of the library that ask only to decide where to put a class, to find a logger or texts of the
/// library, or whose question is answered in another place.
const INDIFFERENT: [&str; 4] = [
    "java/lang/reflect/Proxy",
    "java/util/ResourceBundle",
    "java/util/ServiceLoader",
    "jdk/internal/logger/",
];

/// A field of a module, which is made up if it is the one of the library.
fn of_module(env: &mut Env<'_>, args: &[u64], field: &str) -> Answer {
    if reference(args, 0) == env.state.module && !is_indifferent(env) {
        env.make_up("modules of the JDK")?;
    }
    Ok(env.named_field(reference(args, 0), field))
}

/// Whether the module of the library is asked for something that it answers as those of the JDK
/// would.
fn is_indifferent(env: &Env<'_>) -> bool {
    let Some(frame) = env.thread.frames.last() else {
        return false;
    };
    let method = env.world.method(frame.method);
    let class = env.world.class_name(method.class);
    let argument = |index: u32| {
        let at = (frame.base + index) as usize;
        env.thread.stack.get(at).copied().unwrap_or(0)
    };
    match (class, env.world.text(method.name)) {
        // Modules may be told to be more open, and to use any service.
        (MODULE, "implAddReads" | "implAddExportsOrOpens" | "canUse") => true,
        // The library itself is to be allowed something by a module that was made for it.
        (MODULE, "allows" | "canRead") => true,
        (MODULE, name) if name.starts_with("isReflectively") => true,
        // Proxies make accessible to themselves what is not.
        (MODULE, "implIsExportedOrOpen") if is_for_proxy(env) => true,
        (MODULE, "implIsExportedOrOpen") => {
            let package = env.state.text_of(env.world, Ref::of(argument(1)));
            package.is_some_and(|package| match argument(3) {
                0 => is_exported(&package),
                _ => OPEN.contains(&&*package),
            })
        }
        // What is open, or public in every respect, is accessible, whatever the module is called.
        ("java/lang/reflect/AccessibleObject", "checkCanSetAccessible") => {
            let declaring = env.state.mirrored(env.world, Ref::of(argument(2)));
            let member = env.named_field(Ref::of(argument(0)), "modifiers");
            declaring.is_some_and(|class| {
                let package = package(env.world.class_name(class)).replace('/', ".");
                let modifiers = [u64::from(class_modifiers(env.world, class)), member];
                let is_public = modifiers
                    .iter()
                    .all(|it| it & u64::from(flags::PUBLIC) != 0);
                OPEN.contains(&&*package) || is_public && is_exported(&package)
            })
        }
        _ => INDIFFERENT.iter().any(|it| class.starts_with(it)),
    }
}

/// Whether a module is asked by what makes proxies.
fn is_for_proxy(env: &Env<'_>) -> bool {
    let frames = env.thread.frames.iter().rev();
    let mut classes = frames.map(|it| env.world.class_name(env.world.method(it.method).class));
    let asking = classes.find(|class| *class != MODULE);
    asking.is_some_and(|class| class.starts_with("java/lang/reflect/Proxy"))
}

/// The packages of the JDK that are open for everybody.
const OPEN: [&str; 2] = ["sun.misc", "sun.reflect"];

/// Whether all packages with such a name are there for everybody.
fn is_exported(package: &str) -> bool {
    package.starts_with("java.") || package.starts_with("javax.") || OPEN.contains(&package)
}

/// The package of a class of the JDK. The loader of the library has one for each name.
fn define_package(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let descriptor = "(Ljava/lang/Class;Ljava/lang/Module;)Ljava/lang/Package;";
    let make = || {
        stubs::make(
            env.world,
            env.world.known().object,
            "<package>",
            descriptor,
            |a| {
                let loaders = "jdk/internal/loader/ClassLoaders";
                let loader = "()Ljdk/internal/loader/BuiltinClassLoader;";
                a.call_named(Op::InvokeStatic, loaders, "bootLoader", loader)?;
                a.load(0, Kind::Ref)?;
                let name = "()Ljava/lang/String;";
                a.call_named(Op::InvokeVirtual, "java/lang/Class", "getPackageName", name)?;
                a.load(1, Kind::Ref)?;
                let descriptor = "(Ljava/lang/String;Ljava/lang/Module;)Ljava/lang/Package;";
                a.call_named(
                    Op::InvokeVirtual,
                    "java/lang/ClassLoader",
                    "definePackage",
                    descriptor,
                )?;
                a.finish(Kind::Ref)
            },
        )
    };
    let arguments = [word(args, 0), env.state.module.word()];
    Err(env.call_stub("package of a class", make, &arguments))
}

/// Whether a public member of a class can be used by a module.
fn is_accessible(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let class = env.class_argument(args, 1)?;
    let module = env.named_field(reference(args, 1), "module");
    let package = package(env.world.class_name(class)).replace('/', ".");
    if module == word(args, 0) {
        return Ok(1);
    }
    if module == env.state.module.word() {
        if !is_exported(&package) {
            env.make_up("access to what a module of the JDK may hide")?;
        }
        return Ok(1);
    }
    let descriptor = "(Ljava/lang/String;Ljava/lang/Module;)Z";
    match env.world.method_of(MODULE, "isExported", descriptor) {
        Some(method) => {
            let package = env.new_string(&package);
            let args = [module, package, word(args, 0)];
            Err(Trap::Call(method, Args::from_slice(&args)))
        }
        None => Err(Trap::Unsupported("access to a module".to_owned())),
    }
}

/// Services of the library that no module of the JDK provides, or that are about loggers. What
/// data there are for locales is asked for in another place.
const UNPROVIDED: [&str; 15] = [
    "java.lang.System$LoggerFinder",
    "java.net.spi.",
    "java.nio.channels.spi.",
    "java.nio.file.spi.FileTypeDetector",
    "java.text.spi.",
    "java.time.",
    "java.util.spi.C",
    "java.util.spi.L",
    "java.util.spi.R",
    "java.util.spi.TimeZoneNameProvider",
    "jdk.internal.logger.",
    "sun.management.spi.PlatformMBeanProvider",
    "sun.text.spi.",
    "sun.util.locale.provider.",
    "sun.util.resources.",
];

/// The providers of a service in modules. The JDK's are not there; of a service of the program's
/// it has none.
fn find_services(env: &mut Env<'_>, args: &[u64]) -> Answer {
    let name = env.text(args, 1)?;
    let service = env.world.load(&name.replace('.', "/"))?;
    if name == "sun.management.spi.PlatformMBeanProvider" {
        env.one_of_many("management beans of modules other than java.management");
    }
    let is_left_out = UNPROVIDED.iter().any(|it| name.starts_with(it));
    if env.world.class(service).origin == Origin::Library && !is_left_out {
        env.make_up("services of the JDK")?;
    }
    match env
        .world
        .method_of("java/util/List", "of", "()Ljava/util/List;")
    {
        Some(empty) => {
            env.ensure_initialised(env.world.method(empty).class)?;
            Err(Trap::Call(empty, Args::new()))
        }
        None => Err(Trap::Unsupported("services of modules".to_owned())),
    }
}
