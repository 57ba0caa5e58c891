//! Where classes come from: directories, jars, and the library of a JDK.
//!
//! This is the one module that reads files.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

use jimage_rs::JImage;
use zip::ZipArchive;
use zip::result::ZipError;

/// The largest class or resource that is read, unpacked: an archive can claim any size, and have
/// another one.
pub const LARGEST: u64 = 64 << 20;

/// The content of a file of at most `limit` bytes. What is not a regular file is refused: a pipe
/// or a device may have no end, or nobody at the other one.
pub fn read_file(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let is_regular = |metadata: fs::Metadata| match metadata.is_dir() || metadata.is_file() {
        true => Ok(metadata),
        false => Err(io::Error::new(
            ErrorKind::InvalidInput,
            "this is not a regular file",
        )),
    };
    is_regular(fs::metadata(path)?)?;
    let mut file = File::open(path)?;
    let metadata = is_regular(file.metadata()?)?;
    read_at_most(&mut file, metadata.len(), limit)
}

/// What a reader has, which claims to have `length` bytes.
pub fn read_at_most(from: &mut impl Read, length: u64, limit: u64) -> io::Result<Vec<u8>> {
    let too_large = || {
        let why = format!("larger than {} MiB", limit >> 20);
        Err(io::Error::new(ErrorKind::FileTooLarge, why))
    };
    if length > limit {
        return too_large();
    }
    let mut content = Vec::new();
    from.take(limit + 1).read_to_end(&mut content)?;
    match content.len() as u64 > limit {
        true => too_large(),
        false => Ok(content),
    }
}

/// What went wrong with a file, without the number that the system has for it, and without the name
/// of a temporary one that may follow.
pub fn describe(error: &io::Error) -> String {
    let text = error.to_string();
    let plain = text.split_once(" (os error ").map(|(plain, _)| plain);
    plain.unwrap_or(&text).to_owned()
}

/// What is found under a name: nothing, a content, or one that cannot be read.
pub type Found = Result<Option<Box<[u8]>>, String>;

/// A place that may have a class or another resource.
pub trait Source: Send + Sync {
    /// The content of `name`, for example `java/lang/Object.class`.
    fn find(&self, name: &str) -> Found;

    /// Where a resource is that is there, as a URL.
    fn url(&self, _name: &str) -> Option<String> {
        None
    }

    /// Whether this is an archive, as libraries are.
    fn is_archive(&self) -> bool {
        false
    }
}

/// What the first source that has a resource has.
pub fn find_in(sources: &[Box<dyn Source>], name: &str) -> Found {
    for source in sources {
        if let Some(content) = source.find(name)? {
            return Ok(Some(content));
        }
    }
    Ok(None)
}

/// A folder with class files.
pub struct Directory(pub PathBuf);

impl Source for Directory {
    fn find(&self, name: &str) -> Found {
        if name.split('/').any(|part| part == ".." || part.is_empty()) {
            return Ok(None);
        }
        let path = self.0.join(name);
        let told = |error| format!("{}: {error}", path.display());
        match path.metadata() {
            Ok(metadata) if !metadata.is_dir() => {
                let content = read_file(&path, LARGEST).map_err(told)?;
                Ok(Some(content.into()))
            }
            _ => Ok(None),
        }
    }

    fn url(&self, name: &str) -> Option<String> {
        Some(format!("file:{}/{name}", path_in_url(&self.0)?))
    }
}

/// What was compiled for one run: the folder is another one in the next.
pub struct Compiled(pub PathBuf);

impl Source for Compiled {
    fn find(&self, name: &str) -> Found {
        Directory(self.0.clone()).find(name)
    }

    fn url(&self, name: &str) -> Option<String> {
        Some(format!("file:/classes/{name}"))
    }
}

/// A path as it stands in a URL.
fn path_in_url(path: &Path) -> Option<String> {
    let path = path.canonicalize().ok()?;
    let mut told = String::new();
    for &byte in path.to_str()?.as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                told.push(char::from(byte));
            }
            _ => told.push_str(&format!("%{byte:02X}")),
        }
    }
    Some(told)
}

/// The content of an entry of an archive.
fn unpacked<A: Read + Seek>(archive: &Mutex<ZipArchive<A>>, name: &str) -> Found {
    let mut archive = archive.lock().unwrap_or_else(|poison| poison.into_inner());
    let mut entry = match archive.by_name(name) {
        Ok(entry) => entry,
        Err(ZipError::FileNotFound) => return Ok(None),
        Err(error) => return Err(format!("{name}: {error}")),
    };
    let length = entry.size();
    let content = read_at_most(&mut entry, length, LARGEST);
    let content = content.map_err(|error| format!("{name}: {error}"))?;
    Ok(Some(content.into()))
}

/// A jar.
pub struct Jar {
    path: PathBuf,
    archive: Mutex<ZipArchive<File>>,
}

impl Jar {
    /// Opens a jar.
    pub fn open(path: &Path) -> Result<Self, String> {
        let told = |error: String| format!("{}: {error}", path.display());
        let metadata = fs::metadata(path).map_err(|error| told(error.to_string()))?;
        if !metadata.is_file() {
            return Err(told("this is not a regular file".to_owned()));
        }
        let file = File::open(path).map_err(|error| told(error.to_string()))?;
        let archive = ZipArchive::new(file).map_err(|error| told(error.to_string()))?;
        Ok(Self {
            path: path.to_owned(),
            archive: Mutex::new(archive),
        })
    }
}

impl Source for Jar {
    fn find(&self, name: &str) -> Found {
        unpacked(&self.archive, name).map_err(|why| format!("{}: {why}", self.path.display()))
    }

    fn url(&self, name: &str) -> Option<String> {
        Some(format!("jar:file:{}!/{name}", path_in_url(&self.path)?))
    }

    fn is_archive(&self) -> bool {
        true
    }
}

/// Files of the host that a program may read.
#[derive(Debug)]
pub(crate) struct Outside {
    /// The JDK, whose links may lead anywhere: its settings are often elsewhere.
    home: PathBuf,
    /// The paths by which the program knows folders, and the folders.
    folders: Vec<(PathBuf, PathBuf)>,
}

impl Outside {
    /// Lets a program read what belongs to the JDK.
    pub(crate) fn of(home: &Path) -> Self {
        Self {
            home: home.to_owned(),
            folders: Vec::new(),
        }
    }

    /// Lets a program read what is below a folder, which it knows by the path `shown`.
    pub(crate) fn allow(&mut self, shown: &Path, folder: &Path) -> Result<(), String> {
        let folder = folder
            .canonicalize()
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        self.folders.push((shown.to_owned(), folder));
        Ok(())
    }

    /// Where a path leads, if that is allowed: links do not lead out.
    fn locate(&self, path: &str) -> Option<PathBuf> {
        let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
        if let Ok(below) = Path::new(path).strip_prefix(&self.home)
            && !self.home.as_os_str().is_empty()
            && below.components().all(is_plain)
        {
            return Some(self.home.join(below));
        }
        self.folders.iter().find_map(|(shown, folder)| {
            let below = Path::new(path).strip_prefix(shown).ok()?;
            let found = folder.join(below).canonicalize().ok()?;
            found.starts_with(folder).then_some(found)
        })
    }

    /// Whether a path is one of the JDK or of the operating system, where the library looks for what it
    /// needs itself.
    pub(crate) fn is_of_system(&self, path: &str) -> bool {
        let systems = ["/proc", "/sys", "/etc", "/dev"].map(Path::new);
        let mut all = systems.into_iter().chain([self.home.as_path()]);
        all.any(|folder| !folder.as_os_str().is_empty() && Path::new(path).starts_with(folder))
    }

    /// The length of a file, none for a folder. Nothing for what is not allowed, and for pipes
    /// and devices.
    pub(crate) fn find(&self, path: &str) -> Option<Option<usize>> {
        let metadata = fs::metadata(self.locate(path)?).ok()?;
        let is_known = metadata.is_file() || metadata.is_dir();
        is_known.then(|| metadata.is_file().then_some(metadata.len() as usize))
    }

    /// The content of a file.
    pub(crate) fn read(&self, path: &str) -> Option<Vec<u8>> {
        read_file(&self.locate(path)?, LARGEST).ok()
    }

    /// The names in a folder, in any order.
    pub(crate) fn list(&self, path: &str) -> Option<Vec<String>> {
        let entries = fs::read_dir(self.locate(path)?).ok()?;
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        Some(names.collect())
    }
}

/// A module as it is packed for linking: an archive behind four bytes.
struct Packed {
    name: String,
    archive: Mutex<ZipArchive<Behind>>,
}

/// A file without its first bytes.
struct Behind(File);

const HEADER: u64 = 4;

impl Read for Behind {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Seek for Behind {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        let to = match to {
            SeekFrom::Start(at) => SeekFrom::Start(at.saturating_add(HEADER)),
            other => other,
        };
        let at = self.0.seek(to)?;
        at.checked_sub(HEADER)
            .ok_or_else(|| std::io::Error::from(std::io::ErrorKind::InvalidInput))
    }
}

impl Packed {
    fn open(path: &Path) -> Result<Self, String> {
        let told = |error: String| format!("{}: {error}", path.display());
        let mut file = Behind(File::open(path).map_err(|error| told(error.to_string()))?);
        file.seek(SeekFrom::Start(0))
            .map_err(|error| told(error.to_string()))?;
        let archive = ZipArchive::new(file).map_err(|error| told(error.to_string()))?;
        let name = path.file_stem().unwrap_or_default();
        Ok(Self {
            name: name.to_string_lossy().into_owned(),
            archive: Mutex::new(archive),
        })
    }

    fn find(&self, name: &str) -> Option<Box<[u8]>> {
        unpacked(&self.archive, &format!("classes/{name}")).ok()?
    }
}

/// Where a JDK has the classes of its library.
enum Library {
    /// All in one file.
    Image(JImage),
    /// Module by module, in the order of the JDK's list of them.
    Modules(Vec<Packed>),
}

impl Library {
    /// Opens the image, or what it was made of if there is none.
    fn open(home: &Path, modules: &[String]) -> Result<Self, String> {
        let path = home.join("lib/modules");
        let folder = home.join("jmods");
        if path.exists() || !folder.is_dir() {
            let image = JImage::open(&path);
            return image
                .map(Self::Image)
                .map_err(|error| format!("{}: {error}", path.display()));
        }
        let files = modules
            .iter()
            .map(|module| folder.join(format!("{module}.jmod")));
        let packed = files.filter(|file| file.is_file());
        let packed: Result<_, String> = packed.map(|file| Packed::open(&file)).collect();
        Ok(Self::Modules(packed?))
    }
}

/// The library of an installed JDK.
pub struct Jdk {
    library: Library,
    modules: Vec<String>,
    version: u32,
    home: PathBuf,
}

impl Jdk {
    /// Opens the JDK that is installed in `home`.
    pub fn open(home: &Path) -> Result<Self, String> {
        let release = fs::read_to_string(home.join("release"))
            .map_err(|_| format!("{}: not a JDK: it has no file `release`", home.display()))?;
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
        let version =
            version.ok_or_else(|| format!("{}: no JAVA_VERSION in `release`", home.display()))?;
        Ok(Self {
            library: Library::open(home, &modules)?,
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

    /// The module that has a resource, and its content.
    pub fn find_in_module(&self, name: &str) -> Option<(&str, Box<[u8]>)> {
        match &self.library {
            Library::Image(image) => self.modules.iter().find_map(|module| {
                let content = image.find_resource(&format!("/{module}/{name}")).ok()??;
                Some((module.as_str(), content.into()))
            }),
            Library::Modules(modules) => modules
                .iter()
                .find_map(|module| Some((module.name.as_str(), module.find(name)?))),
        }
    }
}

impl Source for Jdk {
    fn find(&self, name: &str) -> Found {
        Ok(self.find_in_module(name).map(|(_, content)| content))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_claims_to_be_small_is_bounded_all_the_same() {
        let too_large = |length| {
            let read = read_at_most(&mut io::repeat(0), length, 1 << 20);
            read.is_err_and(|error| error.kind() == ErrorKind::FileTooLarge)
        };
        assert!(too_large(0) && too_large(1) && too_large(u64::MAX));
        let exact = read_at_most(&mut io::repeat(0).take(1 << 20), 0, 1 << 20);
        assert_eq!(exact.map(|it| it.len()).ok(), Some(1 << 20));
    }
}
