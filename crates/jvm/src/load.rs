//! Where classes come from: directories, jars, and the library of a JDK.
//!
//! This is the one module that reads files.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use jimage_rs::JImage;
use zip::ZipArchive;

/// A place that may have a class or another resource.
pub trait Source: Send + Sync {
    /// The content of `name`, for example `java/lang/Object.class`.
    fn find(&self, name: &str) -> Option<Box<[u8]>>;

    /// Whether classes from here belong to the library rather than to the program.
    fn is_library(&self) -> bool {
        false
    }
}

/// A folder with class files.
pub struct Directory(pub PathBuf);

impl Source for Directory {
    fn find(&self, name: &str) -> Option<Box<[u8]>> {
        if name.split('/').any(|part| part == ".." || part.is_empty()) {
            return None;
        }
        fs::read(self.0.join(name)).ok().map(Vec::into_boxed_slice)
    }
}

/// A jar.
pub struct Jar(Mutex<ZipArchive<File>>);

impl Jar {
    /// Opens a jar.
    pub fn open(path: &Path) -> Result<Self, String> {
        let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let archive =
            ZipArchive::new(file).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self(Mutex::new(archive)))
    }
}

impl Source for Jar {
    fn find(&self, name: &str) -> Option<Box<[u8]>> {
        let mut archive = self.0.lock().unwrap_or_else(|poison| poison.into_inner());
        let mut entry = archive.by_name(name).ok()?;
        let mut content = Vec::new();
        entry.read_to_end(&mut content).ok()?;
        Some(content.into())
    }
}

/// The library of an installed JDK.
pub struct Jdk {
    image: JImage,
    modules: Vec<String>,
    version: u32,
    home: PathBuf,
}

impl Jdk {
    /// Opens the JDK that is installed in `home`.
    pub fn open(home: &Path) -> Result<Self, String> {
        let path = home.join("lib/modules");
        let image = JImage::open(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let path = home.join("release");
        let release =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let value = |key: &str| {
            let line = release
                .lines()
                .find_map(|line| line.strip_prefix(key)?.strip_prefix('='))?;
            Some(line.trim().trim_matches('"').to_owned())
        };
        let mut modules: Vec<String> = value("MODULES")
            .unwrap_or_default()
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        modules.retain(|module| module != "java.base");
        modules.insert(0, "java.base".to_owned());
        let version = value("JAVA_VERSION").unwrap_or_default();
        let version = version
            .split(['.', '-', '+'])
            .next()
            .and_then(|major| major.parse().ok());
        let version = version.ok_or_else(|| format!("{}: no JAVA_VERSION", path.display()))?;
        Ok(Self {
            image,
            modules,
            version,
            home: home.to_owned(),
        })
    }

    /// The feature release: 17, 21, ...
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Where it is installed.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The length of a file of the JDK, none for a folder. Nothing for what is elsewhere.
    pub(crate) fn find_file(&self, path: &str) -> Option<Option<usize>> {
        let path = Path::new(path);
        if !path.starts_with(&self.home) {
            return None;
        }
        let metadata = fs::metadata(path).ok()?;
        Some(metadata.is_file().then_some(metadata.len() as usize))
    }

    /// The content of a file of the JDK.
    pub(crate) fn read_file(&self, path: &str) -> Option<Vec<u8>> {
        let path = Path::new(path);
        if path.starts_with(&self.home) {
            fs::read(path).ok()
        } else {
            None
        }
    }

    /// The module that has a resource, and its content.
    pub fn find_in_module(&self, name: &str) -> Option<(&str, Box<[u8]>)> {
        self.modules.iter().find_map(|module| {
            let content = self
                .image
                .find_resource(&format!("/{module}/{name}"))
                .ok()??;
            Some((module.as_str(), content.into()))
        })
    }
}

impl Source for Jdk {
    fn find(&self, name: &str) -> Option<Box<[u8]>> {
        self.find_in_module(name).map(|(_, content)| content)
    }

    fn is_library(&self) -> bool {
        true
    }
}
