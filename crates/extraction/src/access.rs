//! Instructions that read and write fields and elements, and those that make objects.

use raddle_jvm::descriptor::Kind;
use raddle_jvm::listing::Op;
use raddle_jvm::{ClassId, Ref};
use raddle_machine::ir::{BinaryOperator, Expression, Instruction, Target as Assigned};

use crate::execute::{At, binary};
use crate::family::Beginning;
use crate::obstacle::Untranslatable;
use crate::scene::{Access, Variable};
use crate::value::{Target, Value};
use crate::walk::{Out, Storage, Walker};

/// The longest array that a thread may make for itself.
const LONGEST_OWN: u32 = 64;

impl<'s, 'a> Walker<'s, 'a> {
    /// Notes that the thread accesses a variable.
    pub(crate) fn note(
        &mut self,
        at: &At<'_>,
        variable: Variable,
        is_write: bool,
        is_ordered: bool,
    ) {
        let access = Access {
            variable,
            is_write,
            is_ordered,
            thread: self.thread,
            locks: at.key.locks.iter().map(|(lock, _)| *lock).collect(),
            line: self.place(&at.key),
        };
        self.scene.accesses.insert(access);
    }

    /// Reads a shared variable into a register: what it may hold, and how that is told.
    pub(crate) fn read(
        &mut self,
        at: &At<'_>,
        variable: Variable,
        index: Option<Expression>,
        is_ordered: bool,
        out: &mut Out,
    ) -> (Value, Option<Expression>) {
        self.note(at, variable, false, is_ordered);
        let (value, is_written) = self.scene.holds(variable);
        if !is_written
            || !value.is_followed()
            || value.constant().is_some()
            || value.single().is_some()
        {
            let word = self.expression(at.storage(at.instr.a), &value);
            return (value, word);
        }
        let cell = self.scene.cell(variable, index);
        let register = self.register(at.storage(at.instr.a));
        let read = Instruction::Assign(Assigned::Local(register), Expression::Shared(cell));
        out.act(read);
        (value, Some(Expression::Local(register)))
    }

    /// Writes a shared variable.
    pub(crate) fn write(
        &mut self,
        at: &At<'_>,
        variable: Variable,
        index: Option<Expression>,
        (value, word): (&Value, Option<Expression>),
        is_ordered: bool,
        out: &mut Out,
    ) -> Result<(), Untranslatable> {
        self.note(at, variable, true, is_ordered);
        self.scene.write(variable, value)?;
        let (holds, _) = self.scene.holds(variable);
        if holds.is_followed() && holds.constant().is_none() && holds.single().is_none() {
            let missing = || Untranslatable::new("a value that is not followed is written");
            let word = word.ok_or_else(missing)?;
            let cell = self.scene.cell(variable, index);
            out.act(Instruction::Assign(Assigned::Shared(cell), word));
        }
        Ok(())
    }

    pub(crate) fn get_field(&mut self, at: At<'_>, out: &mut Out) -> Result<(), Untranslatable> {
        let i = at.instr;
        let site = at.listing.field(i.x, false).map_err(Untranslatable::new)?;
        let Some(target) = self.split(&at, i.b, out)? else {
            return Ok(());
        };
        self.usable(target)?;
        let (value, word) = match target {
            Target::Null => return self.raise_named(at, "java/lang/NullPointerException", out),
            Target::Object(object) => {
                let variable = Variable::Field(object, site.slot);
                self.read(&at, variable, None, site.is_volatile, out)
            }
            Target::Member(array) => {
                self.read_member(&at, array, site.slot, site.is_volatile, out)?
            }
            _ => self.own_cell(&at, target, site.slot),
        };
        self.define(at, value, word, out);
        Ok(())
    }

    /// Reads a field of an object of some thread.
    fn read_member(
        &mut self,
        at: &At<'_>,
        array: Ref,
        slot: u32,
        is_ordered: bool,
        out: &mut Out,
    ) -> Result<(Value, Option<Expression>), Untranslatable> {
        let variable = Variable::Member(array, slot);
        let index = self.word(at, at.instr.b)?;
        let is_written = self.scene.holds(variable).1;
        Ok(match self.scene.beginning_of(array, slot)? {
            // Nobody else has its number.
            Beginning::Number if !is_written => (Value::Int(None), Some(index)),
            Beginning::Member(other) if !is_written => {
                (Value::reference(Target::Member(other)), Some(index))
            }
            _ => self.read(at, variable, Some(index), is_ordered, out),
        })
    }

    /// What a field of the thread's own holds.
    fn own_cell(&mut self, at: &At<'_>, target: Target, slot: u32) -> (Value, Option<Expression>) {
        let value = at.known.cells.get(&(target, slot)).cloned();
        let value = value.unwrap_or_else(|| match target {
            Target::Own(object) => self.own_view(self.scene.initial_field(object, slot)),
            _ => Value::Unset,
        });
        let word = self.expression(Storage::Cell(target, slot), &value);
        (value, word)
    }

    /// The same of a value that stands in an object of the thread's own: what it refers to may be
    /// its own, too.
    pub(crate) fn own_view(&self, value: Value) -> Value {
        match value {
            Value::Reference(targets) => {
                let own = targets.into_iter().map(|target| match target {
                    Target::Object(object) if self.own.contains(&object) => Target::Own(object),
                    other => other,
                });
                Value::Reference(own.collect())
            }
            other => other,
        }
    }

    pub(crate) fn put_field(
        &mut self,
        mut at: At<'_>,
        out: &mut Out,
    ) -> Result<(), Untranslatable> {
        let i = at.instr;
        let site = at.listing.field(i.x, false).map_err(Untranslatable::new)?;
        let Some(target) = self.split(&at, i.a, out)? else {
            return Ok(());
        };
        self.usable(target)?;
        let value = at.value(i.b).clone();
        let word = self.expression(at.storage(i.b), &value);
        match target {
            Target::Null => return self.raise_named(at, "java/lang/NullPointerException", out),
            Target::Object(object) => {
                let variable = Variable::Field(object, site.slot);
                self.write(&at, variable, None, (&value, word), site.is_volatile, out)?;
            }
            Target::Member(array) => {
                let index = Some(self.word(&at, i.a)?);
                let variable = Variable::Member(array, site.slot);
                self.write(&at, variable, index, (&value, word), site.is_volatile, out)?;
            }
            _ => {
                self.put(out, Storage::Cell(target, site.slot), word);
                at.known.cells.insert((target, site.slot), value);
            }
        }
        at.next(out);
        Ok(())
    }

    pub(crate) fn static_field(&mut self, at: At<'_>, out: &mut Out) -> Result<(), Untranslatable> {
        let i = at.instr;
        let site = at.listing.field(i.x, true).map_err(Untranslatable::new)?;
        let class = site.class.unwrap_or_default();
        self.needs(class)?;
        let mirror = self.scene.mirror(class);
        if mirror.is_null() {
            return Err(Untranslatable::new("a static field of a class that is new"));
        }
        let variable = Variable::Field(mirror, site.slot);
        if i.op == Op::GetStatic {
            let (value, word) = self.read(&at, variable, None, site.is_volatile, out);
            self.define(at, value, word, out);
            return Ok(());
        }
        let value = at.value(i.b).clone();
        let word = self.expression(at.storage(i.b), &value);
        self.write(&at, variable, None, (&value, word), site.is_volatile, out)?;
        at.next(out);
        Ok(())
    }

    pub(crate) fn length(&mut self, at: At<'_>, out: &mut Out) -> Result<(), Untranslatable> {
        let Some(target) = self.split(&at, at.instr.b, out)? else {
            return Ok(());
        };
        self.usable(target)?;
        if target == Target::Null {
            return self.raise_named(at, "java/lang/NullPointerException", out);
        }
        if let Target::Object(array) = target
            && self.scene.families.contains_key(&array)
        {
            let word = self.length_for_threads(array);
            self.define(at, Value::Int(None), Some(word), out);
            return Ok(());
        }
        let Some(length) = self.length_of(&at, target) else {
            return Err(Untranslatable::new(
                "the length of an array that is not followed",
            ));
        };
        let word = Some(Expression::Constant(length));
        self.define(at, Value::Int(Some(length)), word, out);
        Ok(())
    }

    fn length_of(&self, at: &At<'_>, target: Target) -> Option<i32> {
        match target {
            Target::Object(array) | Target::Own(array) => {
                let found = self.scene.state.heap.get(array)?;
                i32::try_from(found.body.length()?).ok()
            }
            Target::Made(_) => {
                let cells = at.known.cells.keys();
                let count = cells.filter(|(made, _)| *made == target).count();
                i32::try_from(count).ok()
            }
            _ => None,
        }
    }

    /// Raises an exception if an index is not one of an array of this length. False if it never is
    /// one.
    pub(crate) fn bounds(
        &mut self,
        at: &At<'_>,
        index: u16,
        length: i32,
        out: &mut Out,
    ) -> Result<bool, Untranslatable> {
        const WRONG: &str = "java/lang/ArrayIndexOutOfBoundsException";
        match at.value(index).constant() {
            Some(number) if (0..length).contains(&number) => Ok(true),
            Some(_) => {
                self.raise_named(at.clone(), WRONG, out)?;
                Ok(false)
            }
            None => {
                let word = self.word(at, index)?;
                let low = binary(
                    BinaryOperator::GreaterOrEqual,
                    word.clone(),
                    Expression::Constant(0),
                );
                let high = binary(BinaryOperator::Less, word, Expression::Constant(length));
                let (wrong, right) = (out.label(), out.label());
                out.unless(binary(BinaryOperator::And, low, high), wrong);
                out.act(Instruction::Jump(raddle_machine::ir::Pc(right)));
                out.place(wrong);
                self.raise_named(at.clone(), WRONG, out)?;
                out.place(right);
                Ok(true)
            }
        }
    }

    pub(crate) fn load_element(&mut self, at: At<'_>, out: &mut Out) -> Result<(), Untranslatable> {
        let i = at.instr;
        let Some(target) = self.split(&at, i.b, out)? else {
            return Ok(());
        };
        self.usable(target)?;
        if target == Target::Null {
            return self.raise_named(at, "java/lang/NullPointerException", out);
        }
        if let Some(array) = self.family(&at, target, i.c) {
            return self.load_for_thread(at, array, out);
        }
        let length = self.length_of(&at, target);
        let length = length.ok_or_else(|| Untranslatable::new("an array that is not followed"))?;
        if !self.bounds(&at, i.c, length, out)? {
            return Ok(());
        }
        let index = self.word(&at, i.c)?;
        let number = at.value(i.c).constant().map(|number| number as u32);
        let (value, word) = match (target, number) {
            (Target::Object(array), number) => {
                let variable = Variable::Elements(array);
                let is_written = self.scene.holds(variable).1;
                match number.filter(|_| !is_written) {
                    Some(number) => {
                        self.note(&at, variable, false, false);
                        let elements = self.scene.initial_elements(array);
                        let value = elements.into_iter().nth(number as usize);
                        let value = value.unwrap_or(Value::Unset);
                        let word = self.expression(at.storage(i.a), &value);
                        (value, word)
                    }
                    None => self.read_element(&at, variable, index, out),
                }
            }
            (_, Some(number)) => self.own_element(&at, target, number),
            (_, None) => {
                return Err(Untranslatable::new(
                    "an array of the thread's own with an index that is not known",
                ));
            }
        };
        self.define(at, value, word, out);
        Ok(())
    }

    /// The array, if it has an element for each thread of a kind: one that is indexed by the number
    /// of the thread itself, and is as long as there are threads.
    pub(crate) fn family(&mut self, at: &At<'_>, target: Target, index: u16) -> Option<Ref> {
        let Target::Object(array) = target else {
            return None;
        };
        if *at.value(index) == Value::Number {
            self.scene.add_family(array, self.thread, self.threads);
        }
        self.scene.families.contains_key(&array).then_some(array)
    }

    /// How many threads there are.
    pub(crate) fn length_for_threads(&mut self, array: Ref) -> Expression {
        Expression::Length(self.scene.cell(Variable::Elements(array), None).region)
    }

    /// The index of an element of such an array.
    pub(crate) fn thread_index(
        &mut self,
        at: &At<'_>,
        array: Ref,
        register: u16,
        out: &mut Out,
    ) -> Result<Expression, Untranslatable> {
        // A number that is known may be the first of those that a loop counts: it stands in the
        // register, too.
        let index = match self.word(at, register)? {
            Expression::Constant(_) => Expression::Local(self.register(at.storage(register))),
            index => index,
        };
        // Its own number is one. Others are counted up from zero, or they have no place in an
        // abstraction, so that they are not less than that.
        if *at.value(register) != Value::Number {
            let length = self.length_for_threads(array);
            let (wrong, right) = (out.label(), out.label());
            let is_one = binary(BinaryOperator::Less, index.clone(), length);
            out.unless(is_one, wrong);
            out.act(Instruction::Jump(raddle_machine::ir::Pc(right)));
            out.place(wrong);
            self.raise_named(at.clone(), "java/lang/ArrayIndexOutOfBoundsException", out)?;
            out.place(right);
        }
        Ok(index)
    }

    fn load_for_thread(
        &mut self,
        at: At<'_>,
        array: Ref,
        out: &mut Out,
    ) -> Result<(), Untranslatable> {
        let index = self.thread_index(&at, array, at.instr.c, out)?;
        let variable = Variable::Elements(array);
        let (value, word) = match self.scene.first_member(array) {
            Some(_) => {
                self.note(&at, variable, false, false);
                (Value::reference(Target::Member(array)), Some(index))
            }
            None => self.read(&at, variable, Some(index), false, out),
        };
        self.define(at, value, word, out);
        Ok(())
    }

    fn store_for_thread(
        &mut self,
        at: At<'_>,
        array: Ref,
        out: &mut Out,
    ) -> Result<(), Untranslatable> {
        if self.scene.first_member(array).is_some() {
            return Err(Untranslatable::new(
                "an array with an object for each thread is changed",
            ));
        }
        let index = self.thread_index(&at, array, at.instr.b, out)?;
        let value = at.value(at.instr.c).clone();
        let word = self.expression(at.storage(at.instr.c), &value);
        let variable = Variable::Elements(array);
        self.write(&at, variable, Some(index), (&value, word), false, out)?;
        at.next(out);
        Ok(())
    }

    /// Reads an element of a shared array. Its index may not be known, so that there has to be a
    /// region even if nobody writes it.
    fn read_element(
        &mut self,
        at: &At<'_>,
        variable: Variable,
        index: Expression,
        out: &mut Out,
    ) -> (Value, Option<Expression>) {
        let (value, is_written) = self.scene.holds(variable);
        let is_single = value.constant().is_some() || value.single().is_some();
        if is_written || is_single || !value.is_followed() {
            return self.read(at, variable, Some(index), false, out);
        }
        self.note(at, variable, false, false);
        let cell = self.scene.cell(variable, Some(index));
        let register = self.register(at.storage(at.instr.a));
        let read = Instruction::Assign(Assigned::Local(register), Expression::Shared(cell));
        out.act(read);
        (value, Some(Expression::Local(register)))
    }

    fn own_element(
        &mut self,
        at: &At<'_>,
        target: Target,
        number: u32,
    ) -> (Value, Option<Expression>) {
        let known = at.known.cells.get(&(target, number)).cloned();
        let value = known.unwrap_or_else(|| match target {
            Target::Own(array) => {
                let elements = self.scene.initial_elements(array);
                let value = elements.into_iter().nth(number as usize);
                self.own_view(value.unwrap_or(Value::Unset))
            }
            _ => Value::Unset,
        });
        let word = self.expression(Storage::Cell(target, number), &value);
        (value, word)
    }

    pub(crate) fn store_element(
        &mut self,
        mut at: At<'_>,
        out: &mut Out,
    ) -> Result<(), Untranslatable> {
        let i = at.instr;
        let Some(target) = self.split(&at, i.a, out)? else {
            return Ok(());
        };
        self.usable(target)?;
        if target == Target::Null {
            return self.raise_named(at, "java/lang/NullPointerException", out);
        }
        if let Some(array) = self.family(&at, target, i.b) {
            return self.store_for_thread(at, array, out);
        }
        let length = self.length_of(&at, target);
        let length = length.ok_or_else(|| Untranslatable::new("an array that is not followed"))?;
        if !self.bounds(&at, i.b, length, out)? {
            return Ok(());
        }
        let index = self.word(&at, i.b)?;
        let value = at.value(i.c).clone();
        let word = self.expression(at.storage(i.c), &value);
        match (target, at.value(i.b).constant()) {
            (Target::Object(array), _) => {
                let variable = Variable::Elements(array);
                self.write(&at, variable, Some(index), (&value, word), false, out)?;
            }
            (_, Some(number)) => {
                self.put(out, Storage::Cell(target, number as u32), word);
                at.known.cells.insert((target, number as u32), value);
            }
            (_, None) => {
                return Err(Untranslatable::new(
                    "an array of the thread's own with an index that is not known",
                ));
            }
        }
        at.next(out);
        Ok(())
    }

    pub(crate) fn new_array(&mut self, at: At<'_>, out: &mut Out) -> Result<(), Untranslatable> {
        let i = at.instr;
        let length = at.value(i.b).constant();
        let length = length.and_then(|it| u32::try_from(it).ok());
        let Some(length) = length.filter(|&it| it <= LONGEST_OWN) else {
            return Err(Untranslatable::new(
                "a new array that is long, or of unknown length",
            ));
        };
        let zero = match i.op {
            Op::NewRefArray => Value::reference(Target::Null),
            _ => match i.x {
                6 | 7 => Value::Opaque("a floating-point number".into()),
                11 => Value::Long(Some(0)),
                _ => Value::Int(Some(0)),
            },
        };
        let class = self.scene.world.load("[Ljava/lang/Object;");
        let class = class.map_err(|error| Untranslatable::new(error.to_string()))?;
        let cells = (0..length).map(|index| (index, zero.clone())).collect();
        self.make(at, class, cells, out)
    }

    pub(crate) fn new_object(
        &mut self,
        at: At<'_>,
        class: ClassId,
        out: &mut Out,
    ) -> Result<(), Untranslatable> {
        let world = self.scene.world;
        if self.scene.is_library(class) && world.class_name(class) != "java/lang/Object" {
            // Where an exception was made is where it is said to come from.
            let throwable = world.load("java/lang/Throwable");
            let is_exception = throwable.is_ok_and(|it| world.is_assignable(class, it));
            let value = Value::reference(match is_exception {
                true => Target::Made(self.site(&at.key, class)),
                false => Target::Other(class),
            });
            let word = value
                .single()
                .and_then(Target::code)
                .map(Expression::Constant);
            self.define(at, value, word, out);
            return Ok(());
        }
        self.needs(class)?;
        let ancestors = world.class(class).ancestors.iter();
        let fields = ancestors.flat_map(|&it| world.class(it).fields.iter());
        let own = fields.filter(|field| !field.is_static());
        let cells = own.map(|field| (field.slot, zero(field.kind))).collect();
        self.make(at, class, cells, out)
    }

    /// The object of a lambda.
    pub(crate) fn make_lambda(
        &mut self,
        at: At<'_>,
        class: ClassId,
        kinds: &[Kind],
        out: &mut Out,
    ) -> Result<(), Untranslatable> {
        let mut values = Vec::new();
        let mut register = at.instr.a;
        for (slot, kind) in kinds.iter().enumerate() {
            let value = at.value(register).clone();
            let word = self.expression(at.storage(register), &value);
            values.push((slot as u32, value, word));
            register += kind.words();
        }
        let site = self.site(&at.key, class);
        for (slot, _, word) in &values {
            self.put(out, Storage::Cell(Target::Made(site), *slot), word.clone());
        }
        let cells = values.into_iter().map(|(slot, value, _)| (slot, value));
        self.made_here(at, class, cells.collect(), out)
    }

    fn make(
        &mut self,
        at: At<'_>,
        class: ClassId,
        cells: Vec<(u32, Value)>,
        out: &mut Out,
    ) -> Result<(), Untranslatable> {
        let site = self.site(&at.key, class);
        for (slot, value) in &cells {
            let storage = Storage::Cell(Target::Made(site), *slot);
            let word = self.expression(storage, value);
            self.put(out, storage, word);
        }
        self.made_here(at, class, cells, out)
    }

    fn made_here(
        &mut self,
        mut at: At<'_>,
        class: ClassId,
        cells: Vec<(u32, Value)>,
        out: &mut Out,
    ) -> Result<(), Untranslatable> {
        let target = Target::Made(self.site(&at.key, class));
        self.forget_garbage(&mut at);
        if at.known.cells.keys().any(|(made, _)| *made == target) {
            return Err(Untranslatable::new(
                "a thread makes another object while it still has one made here before",
            ));
        }
        for (slot, value) in cells {
            at.known.cells.insert((target, slot), value);
        }
        let word = target.code().map(Expression::Constant);
        self.define(at, Value::reference(target), word, out);
        Ok(())
    }

    /// Forgets the objects that the thread has made and cannot reach any more.
    fn forget_garbage(&mut self, at: &mut At<'_>) {
        let mut reached = std::collections::BTreeSet::new();
        let mut pending = Vec::new();
        let last = at.known.frames.len().saturating_sub(1);
        for (index, (frame, position)) in at.known.frames.iter().zip(&at.key.frames).enumerate() {
            let Some(listing) = self.scene.world.listing(self.method(position.context)) else {
                continue;
            };
            let pc = position.pc + u32::from(index != last);
            for (register, value) in frame.iter().enumerate() {
                if listing.is_live(pc, register)
                    && !(index == last && register == usize::from(at.instr.a))
                {
                    pending.push(value.clone());
                }
            }
        }
        let own = at
            .known
            .cells
            .iter()
            .filter(|((holder, _), _)| matches!(holder, Target::Own(_)));
        pending.extend(own.map(|(_, value)| value.clone()));
        while let Some(value) = pending.pop() {
            let Value::Reference(targets) = value else {
                continue;
            };
            for target in targets {
                if matches!(target, Target::Made(_)) && reached.insert(target) {
                    let cells = at
                        .known
                        .cells
                        .iter()
                        .filter(|((holder, _), _)| *holder == target);
                    pending.extend(cells.map(|(_, value)| value.clone()));
                }
            }
        }
        at.known.cells.retain(|(holder, _), _| {
            !matches!(holder, Target::Made(_)) || reached.contains(holder)
        });
    }

    pub(crate) fn cast(&mut self, at: At<'_>, out: &mut Out) -> Result<(), Untranslatable> {
        let i = at.instr;
        let wanted = at.listing.class(i.x).map_err(Untranslatable::new)?;
        let register = if i.op == Op::CheckCast { i.a } else { i.b };
        let Value::Reference(targets) = at.value(register).clone() else {
            return Err(Untranslatable::new(
                "a cast of a value that is not followed",
            ));
        };
        let mut answers = Vec::new();
        for &target in &targets {
            let is_null = target == Target::Null;
            let fits = !is_null
                && self
                    .scene
                    .world
                    .is_assignable(self.class_of(target)?, wanted);
            answers.push((is_null, fits));
        }
        if i.op == Op::CheckCast {
            if answers.iter().all(|(is_null, fits)| *is_null || *fits) {
                at.next(out);
                return Ok(());
            }
            return match self.split(&at, register, out)? {
                Some(_) => self.raise_named(at, "java/lang/ClassCastException", out),
                None => Ok(()),
            };
        }
        let first = answers.first().is_some_and(|(_, fits)| *fits);
        if answers.iter().all(|(_, fits)| *fits == first)
            || self.split(&at, register, out)?.is_some()
        {
            let number = i32::from(first);
            let word = Some(Expression::Constant(number));
            self.define(at, Value::Int(Some(number)), word, out);
        }
        Ok(())
    }
}

/// What a new field holds.
fn zero(kind: Kind) -> Value {
    match kind {
        Kind::Ref => Value::reference(Target::Null),
        Kind::Long => Value::Long(Some(0)),
        Kind::Float | Kind::Double | Kind::Void => Value::Opaque("a floating-point number".into()),
        _ => Value::Int(Some(0)),
    }
}
