//! The rules about data: every word of the shared memory and of a record belongs to
//! exactly one region, and its initial value is one that the region can have.

use super::{Checker, MAXIMUM_WORDS};
use crate::ir::{EnumId, Home, Range, Record, RecordId, RegionInfo, Slot, ValueType};
use raddle_model::{Kind, Region};

impl Checker<'_> {
    pub(super) fn layout(&mut self) {
        let program = self.program;
        self.rule(!program.regions.is_empty(), || {
            "there is no region for the threads".to_string()
        });
        for (number, region) in program.regions.iter().enumerate() {
            self.region_info(number, region);
        }
        self.shared_words();
        for (number, record) in program.records.iter().enumerate() {
            self.record(number, record);
        }
        self.slots("the thread-local variables", &program.thread_locals);
    }

    fn region_info(&mut self, number: usize, region: &RegionInfo) {
        let name = &region.name;
        let threads = region.kind == Kind::Thread;
        self.rule(threads == (number == 0), || match threads {
            true => format!("region {number} ({name}) is a second region of threads"),
            false => format!("region 0 ({name}) is not the region of the threads"),
        });
        self.rule(threads == (region.home == Home::Threads), || {
            format!("region {number} ({name}) does not lie where its kind belongs")
        });
        self.rule(
            (region.kind == Kind::Channel) == (region.capacity > 0),
            || {
                format!(
                    "region {number} ({name}) has a capacity of {}",
                    region.capacity
                )
            },
        );
        self.rule(sane_words(region).is_some(), || {
            format!("region {number} ({name}) is too large")
        });
        self.value_type(region.value, || format!("region {number} ({name})"));
        if let Home::Field(record, _) = region.home {
            let listed = self.record_fields(record).contains(&Region(number as u32));
            self.rule(listed, || {
                format!("region {number} ({name}) is not among the fields of its record")
            });
        }
    }

    /// The fields of a record, none if there is no such record.
    fn record_fields(&self, record: RecordId) -> &[Region] {
        match self.program.records.get(usize::from(record.0)) {
            Some(record) => &record.fields,
            None => &[],
        }
    }

    fn shared_words(&mut self) {
        let program = self.program;
        let mut parts = Vec::new();
        for region in &program.regions {
            if let Home::Shared(offset) = region.home {
                parts.push((offset, region));
            }
        }
        self.parts("the shared words", parts, &program.initial_words);
        let exists = |record: &RecordId| usize::from(record.0) < program.records.len();
        self.rule(program.instances.iter().all(exists), || {
            "an instance is of a record that does not exist".to_owned()
        });
        self.rule(program.instances.len() <= MAXIMUM_WORDS as usize, || {
            format!("there are more than {MAXIMUM_WORDS} instances from the start")
        });
    }

    fn record(&mut self, number: usize, record: &Record) {
        let program = self.program;
        let mut parts = Vec::new();
        for (position, field) in record.fields.iter().enumerate() {
            let repeated = record.fields[..position].contains(field);
            match program.regions.get(field.0 as usize) {
                Some(region) if !repeated => match region.home {
                    Home::Field(owner, offset) if usize::from(owner.0) == number => {
                        parts.push((offset, region));
                    }
                    _ => self.defect(format!(
                        "record {number} ({}) lists region {} ({}), which is no field of it",
                        record.name, field.0, region.name
                    )),
                },
                _ => self.defect(format!(
                    "record {number} ({}) lists region {}, which does not exist or is listed twice",
                    record.name, field.0
                )),
            }
        }
        let what = format!("record {number} ({})", record.name);
        self.parts(&what, parts, &record.initial);
    }

    /// Regions must fill the words exactly, without overlap.
    fn parts(&mut self, what: &str, mut parts: Vec<(u32, &RegionInfo)>, words: &[i32]) {
        self.rule(words.len() <= MAXIMUM_WORDS as usize, || {
            format!("{what}: there are more than {MAXIMUM_WORDS} words")
        });
        parts.sort_by_key(|(offset, region)| (*offset, sane_words(region)));
        let mut next = 0;
        for (offset, region) in parts {
            let offset = offset as usize;
            self.rule(offset >= next, || {
                format!("{what}: {} overlaps with another region", region.name)
            });
            self.rule(offset <= next, || {
                format!("{what}: nothing lies before {}", region.name)
            });
            next = offset;
            // One that is too large has been reported.
            if let Some(length) = sane_words(region) {
                next = offset.saturating_add(length as usize);
                let initial = words.get(offset..next).unwrap_or_default();
                self.initial_values(what, region, initial);
            }
        }
        self.rule(next == words.len(), || {
            format!(
                "{what}: {} words have initial values, not {next}",
                words.len()
            )
        });
    }

    fn initial_values(&mut self, what: &str, region: &RegionInfo, words: &[i32]) {
        let fits = match region.kind {
            Kind::Variable => words
                .iter()
                .all(|&word| self.fits(region.value, word) || self.is_instance(region, word)),
            Kind::Monitor => words.iter().all(|&word| word == 0),
            Kind::Semaphore => words.iter().all(|&word| word >= 0),
            Kind::Channel => words
                .chunks(region.stride() as usize)
                .all(|channel| self.channel_fits(region.value, channel)),
            Kind::Thread => true,
        };
        self.rule(fits, || {
            format!("{what}: {} cannot have its initial value", region.name)
        });
    }

    /// A channel is its length, its elements and, so that states are canonical, zeros.
    fn channel_fits(&self, value: ValueType, words: &[i32]) -> bool {
        let Some((&length, elements)) = words.split_first() else {
            return true;
        };
        let Some((elements, rest)) = usize::try_from(length)
            .ok()
            .and_then(|length| elements.split_at_checked(length))
        else {
            return false;
        };
        elements.iter().all(|&word| self.fits(value, word)) && rest.iter().all(|&word| word == 0)
    }

    /// Whether a shared variable can refer to an instance that exists from the start.
    fn is_instance(&self, region: &RegionInfo, word: i32) -> bool {
        let (ValueType::Reference(record), Home::Shared(_)) = (region.value, region.home) else {
            return false;
        };
        let number = usize::try_from(i64::from(word) - 1).ok();
        let instance = number.and_then(|number| self.program.instances.get(number));
        instance == Some(&record)
    }

    /// Whether a constant is a value of a type. No reference is but null.
    pub(super) fn fits(&self, value: ValueType, word: i32) -> bool {
        match value {
            ValueType::Int => true,
            ValueType::Ranged(range) => (range.low..=range.high).contains(&word),
            ValueType::Bool => word == 0 || word == 1,
            ValueType::Enum(EnumId(number)) => {
                let members = self.program.enums.get(usize::from(number));
                let members = members.map_or(0, |enumeration| enumeration.members.len());
                usize::try_from(word).is_ok_and(|word| word < members)
            }
            ValueType::Reference(_) => word == 0,
            ValueType::Thread => word >= -1,
        }
    }

    pub(super) fn slots(&mut self, what: &str, slots: &[Slot]) {
        self.rule(slots.len() <= usize::from(u16::MAX), || {
            format!("{what} are more than {}", u16::MAX)
        });
        for slot in slots {
            self.value_type(slot.value, || slot.name.clone());
            // Slots of the other types need not be meaningful before they are set.
            let null = !matches!(slot.value, ValueType::Reference(_)) || slot.initial == 0;
            self.rule(null, || {
                format!("{} is a reference that is not null initially", slot.name)
            });
        }
    }

    fn value_type(&mut self, value: ValueType, what: impl Fn() -> String) {
        match value {
            ValueType::Int | ValueType::Bool | ValueType::Thread => {}
            ValueType::Ranged(range) => self.range(range),
            ValueType::Enum(number) => {
                let exists = usize::from(number.0) < self.program.enums.len();
                self.rule(exists, || {
                    format!("{}: there is no enumeration {}", what(), number.0)
                });
            }
            ValueType::Reference(record) => {
                let exists = usize::from(record.0) < self.program.records.len();
                self.rule(exists, || {
                    format!("{}: there is no record {}", what(), record.0)
                });
            }
        }
    }

    pub(super) fn range(&mut self, range: Range) {
        self.rule(range.low <= range.high, || {
            format!("the range {}..{} is empty", range.low, range.high)
        });
    }
}

/// The words of a region, if they are not too many.
fn sane_words(region: &RegionInfo) -> Option<u32> {
    region
        .checked_words()
        .filter(|&words| words <= MAXIMUM_WORDS)
}
