//! Values: what an expression computes where a path has come, and where values go.
//!
//! What goes wrong in an expression (an index outside of an array, a division by zero, a
//! number outside of its range) becomes a fault of the path; what is not evaluated because
//! of `&&`, `||` or `?:` cannot go wrong.

use super::identities::Identity;
use super::{Lowered, Lowering, MOST_ELEMENTS, Path, range_of};
use crate::program::Variable;
use crate::terms::{Operator, Term, Var, VarInfo, WORD};
use raddle_machine::ir::{
    Array, BinaryOperator, Cell, Expression, Range, Register, Target, UnaryOperator,
};
use raddle_model::Kind;

impl Lowering<'_> {
    /// The value of an expression, as a number.
    pub(super) fn number(&mut self, path: &mut Path, expression: &Expression) -> Lowered<Term> {
        let value = self.value(path, expression)?;
        Ok(self.out.terms.to_number(value))
    }

    /// The value of an expression, as a truth value.
    pub(super) fn truth(&mut self, path: &mut Path, expression: &Expression) -> Lowered<Term> {
        let value = self.value(path, expression)?;
        Ok(self.out.terms.to_bool(value))
    }

    /// Two values as values of one sort.
    pub(super) fn alike(&mut self, a: Term, b: Term) -> (Term, Term) {
        let terms = &mut self.out.terms;
        match (terms.is_bool(a), terms.is_bool(b)) {
            (true, false) => match terms.as_number(b) {
                Some(value @ (0 | 1)) => (a, terms.bool(value == 1)),
                _ => (terms.to_number(a), b),
            },
            (false, true) => match terms.as_number(a) {
                Some(value @ (0 | 1)) => (terms.bool(value == 1), b),
                _ => (a, terms.to_number(b)),
            },
            _ => (a, b),
        }
    }

    /// A value as a variable can have it.
    pub(super) fn as_typed(&mut self, var: Var, value: Term) -> Term {
        match self.out.terms.info(var).range {
            None => self.out.terms.to_bool(value),
            Some(_) => self.out.terms.to_number(value),
        }
    }

    pub(super) fn value(&mut self, path: &mut Path, expression: &Expression) -> Lowered<Term> {
        Ok(match expression {
            Expression::Constant(value) => self.out.terms.number(i64::from(*value)),
            Expression::Local(register) => self.local(path, *register),
            Expression::LocalElement(array, index) => {
                let elements = self.local_elements(path, *array)?;
                self.element(path, &elements, index)?
            }
            Expression::ThreadLocal(slot) => match self.thread_locals.get(usize::from(*slot)) {
                Some(&var) => self.current(path, var),
                None => return self.unsupported("a variable that does not exist"),
            },
            Expression::ThreadLocalElement(array, index) => {
                let elements = self.own_elements(*array)?;
                self.element(path, &elements, index)?
            }
            Expression::Shared(cell) => self.shared_value(path, cell)?,
            Expression::Unary(operator, inner) => match operator {
                UnaryOperator::Not => {
                    let inner = self.truth(path, inner)?;
                    self.out.terms.not(inner)
                }
                UnaryOperator::Negate => {
                    let inner = self.number(path, inner)?;
                    let zero = self.out.terms.number(0);
                    let value = self.out.terms.plus(zero, inner, -1);
                    self.wrapped(path, value)
                }
                UnaryOperator::Complement => {
                    let inner = self.number(path, inner)?;
                    let ones = self.out.terms.number(-1);
                    self.out.terms.plus(ones, inner, -1)
                }
            },
            Expression::Binary(operator, left, right) => {
                self.binary(path, *operator, left, right)?
            }
            Expression::Conditional(condition, then, otherwise) => {
                let condition = self.truth(path, condition)?;
                let then = self.under(path, condition, then)?;
                let not = self.out.terms.not(condition);
                let otherwise = self.under(path, not, otherwise)?;
                let (then, otherwise) = self.alike(then, otherwise);
                self.out.terms.choose(condition, then, otherwise)
            }
            Expression::Bounded(inner, bound) => {
                let inner = self.number(path, inner)?;
                self.must_be_within(path, inner, 0, i64::from(*bound) - 1);
                inner
            }
            Expression::Ranged(inner, range) => {
                let inner = self.number(path, inner)?;
                self.ranged(path, inner, *range)?
            }
            Expression::SemaphoreValue(cell) => self.shared_value(path, cell)?,
            Expression::Me => self.choice("self", Some((0, WORD.1))),
            Expression::Owner(_) => self.choice("owner", Some((-1, WORD.1))),
            Expression::Length(region) => {
                let region = self.ir.regions.get(region.0 as usize);
                match region {
                    Some(region) if region.per_thread.is_some() => {
                        self.choice("threads", Some((0, WORD.1)))
                    }
                    Some(region) => self.out.terms.number(i64::from(region.length())),
                    None => return self.unsupported("a region that does not exist"),
                }
            }
            Expression::ChannelLength(_) => return self.unsupported("a channel"),
            // Where a thread stands in the middle of a step is not followed.
            Expression::At(_) => self.choice("at", None),
            Expression::CountAt(_) | Expression::Accessed => {
                return self.unsupported("where other threads stand");
            }
        })
    }

    /// Evaluates something that is evaluated only under a condition.
    fn under(&mut self, path: &mut Path, when: Term, inner: &Expression) -> Lowered<Term> {
        let outer = path.condition;
        path.condition = self.out.terms.and(outer, when);
        let value = self.value(path, inner);
        path.condition = outer;
        value
    }

    fn local(&mut self, path: &mut Path, register: Register) -> Term {
        let Some(frame) = path.control.frames.last().cloned() else {
            return self.choice("nothing", Some(WORD));
        };
        if self.indices.kind(frame.function, register.0).is_some() {
            // The thread's own number is one number; those of others are any.
            return match (self.own_index, frame.copy, register.0) {
                (Some(var), 0, 0) => self.out.terms.of(var),
                _ => self.choice("index", Some((0, WORD.1))),
            };
        }
        let var = self.register(frame.function, frame.copy, register.0);
        self.current(path, var)
    }

    /// Which thread an expression stands for.
    pub(super) fn identity_of(&self, path: &Path, expression: &Expression) -> Option<Identity> {
        let Expression::Local(register) = expression else {
            return None;
        };
        let frame = path.control.frames.last()?;
        path.control.indices.get(&(frame.copy, register.0)).copied()
    }

    fn binary(
        &mut self,
        path: &mut Path,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
    ) -> Lowered<Term> {
        use BinaryOperator as B;
        if let Some(known) = self.identities(path, operator, left, right)? {
            return Ok(known);
        }
        if matches!(operator, B::And | B::Or) {
            let left = self.truth(path, left)?;
            let when = match operator {
                B::And => left,
                _ => self.out.terms.not(left),
            };
            let right = self.under(path, when, right)?;
            let right = self.out.terms.to_bool(right);
            return Ok(match operator {
                B::And => self.out.terms.and(left, right),
                _ => self.out.terms.or(left, right),
            });
        }
        let left = self.value(path, left)?;
        let right = self.value(path, right)?;
        if matches!(operator, B::Equal | B::NotEqual) {
            let (left, right) = self.alike(left, right);
            let same = self.out.terms.equal(left, right);
            return Ok(match operator {
                B::Equal => same,
                _ => self.out.terms.not(same),
            });
        }
        if self.out.terms.is_bool(left) && self.out.terms.is_bool(right) {
            match operator {
                B::BitAnd => return Ok(self.out.terms.and(left, right)),
                B::BitOr => return Ok(self.out.terms.or(left, right)),
                B::BitXor => {
                    let same = self.out.terms.equal(left, right);
                    return Ok(self.out.terms.not(same));
                }
                _ => {}
            }
        }
        let left = self.out.terms.to_number(left);
        let right = self.out.terms.to_number(right);
        self.arithmetic(path, operator, left, right)
    }

    fn arithmetic(
        &mut self,
        path: &mut Path,
        operator: BinaryOperator,
        left: Term,
        right: Term,
    ) -> Lowered<Term> {
        use BinaryOperator as B;
        let terms = &mut self.out.terms;
        let value = match operator {
            B::Add => terms.plus(left, right, 1),
            B::Subtract => terms.plus(left, right, -1),
            B::Multiply => terms.operation(Operator::Multiply, left, right),
            B::Divide | B::Remainder => {
                let zero = terms.number(0);
                let by_zero = terms.equal(right, zero);
                let fault = terms.and(path.condition, by_zero);
                path.faults.push(fault);
                let operator = match operator {
                    B::Divide => Operator::Divide,
                    _ => Operator::Remainder,
                };
                terms.operation(operator, left, right)
            }
            B::BitAnd => terms.operation(Operator::And, left, right),
            B::BitOr => terms.operation(Operator::Or, left, right),
            B::BitXor => terms.operation(Operator::Xor, left, right),
            B::ShiftLeft => terms.operation(Operator::ShiftLeft, left, right),
            B::ShiftRight => terms.operation(Operator::ShiftRight, left, right),
            B::Greater | B::LessOrEqual => {
                let at_most = terms.at_least(right, left);
                return Ok(match operator {
                    B::LessOrEqual => at_most,
                    _ => terms.not(at_most),
                });
            }
            B::Less | B::GreaterOrEqual => {
                let at_least = terms.at_least(left, right);
                return Ok(match operator {
                    B::GreaterOrEqual => at_least,
                    _ => terms.not(at_least),
                });
            }
            B::Equal | B::NotEqual | B::And | B::Or => left,
        };
        Ok(self.wrapped(path, value))
    }

    /// Comparisons of threads: of numbers of threads, and of who holds a lock.
    fn identities(
        &mut self,
        path: &mut Path,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
    ) -> Lowered<Option<Term>> {
        use BinaryOperator as B;
        let is_equal = matches!(operator, B::Equal | B::NotEqual);
        if let (true, Expression::Owner(cell), Expression::Me)
        | (true, Expression::Me, Expression::Owner(cell)) = (is_equal, left, right)
            && cell.object.is_none()
            && cell.index.is_none()
        {
            let held = path.control.held.iter();
            let name = self
                .ir
                .regions
                .get(cell.region.0 as usize)
                .map(|it| &it.name);
            let mut held = held.filter(|(lock, _)| self.out.locks.get(**lock) == name);
            let is_mine = held.next().is_some();
            return Ok(Some(self.out.terms.bool(is_mine == (operator == B::Equal))));
        }
        if let (true, Expression::Me, Expression::Me) = (is_equal, left, right) {
            return Ok(Some(self.out.terms.bool(operator == B::Equal)));
        }
        let identity = |side: &Expression| match side {
            Expression::Length(region) => {
                let region = self.ir.regions.get(region.0 as usize)?;
                region.per_thread.map(|_| Identity::End)
            }
            side => self.identity_of(path, side),
        };
        let (Some(left), Some(right)) = (identity(left), identity(right)) else {
            return Ok(None);
        };
        let known = match operator {
            B::Equal => left.same(right),
            B::NotEqual => left.same(right).map(|same| !same),
            B::Less => left.before(right),
            B::GreaterOrEqual => left.before(right).map(|before| !before),
            B::Greater => right.before(left),
            B::LessOrEqual => right.before(left).map(|before| !before),
            _ => return Ok(None),
        };
        Ok(Some(match known {
            Some(known) => self.out.terms.bool(known),
            None => self.choice("order", None),
        }))
    }

    /// A result of arithmetic, which wraps around or is assumed not to.
    pub(super) fn wrapped(&mut self, path: &mut Path, value: Term) -> Term {
        if self.view.wraps {
            return self.out.terms.wrap(value);
        }
        self.no_overflow(path, value);
        value
    }

    pub(super) fn no_overflow(&mut self, path: &mut Path, value: Term) {
        let (low, high) = self.out.terms.range(value);
        if low >= WORD.0 && high <= WORD.1 {
            return;
        }
        let terms = &mut self.out.terms;
        let (least, most) = (terms.number(WORD.0), terms.number(WORD.1));
        let above = terms.at_least(value, least);
        let below = terms.at_least(most, value);
        let fits = terms.and(above, below);
        let not = terms.not(path.condition);
        let fits = terms.or(not, fits);
        path.fits.push(fits);
    }

    fn must_be_within(&mut self, path: &mut Path, value: Term, low: i64, high: i64) {
        let terms = &mut self.out.terms;
        let (low, high) = (terms.number(low), terms.number(high));
        let above = terms.at_least(value, low);
        let below = terms.at_least(high, value);
        let fits = terms.and(above, below);
        let outside = terms.not(fits);
        let fault = terms.and(path.condition, outside);
        path.faults.push(fault);
    }

    pub(super) fn ranged(&mut self, path: &mut Path, value: Term, range: Range) -> Lowered<Term> {
        let (low, high) = (i64::from(range.low), i64::from(range.high));
        if !range.wraps {
            self.must_be_within(path, value, low, high);
            return Ok(value);
        }
        // Wrapping around once is enough for what counts up or down.
        let size = high - low + 1;
        let (least, most) = self.out.terms.range(value);
        if least >= low && most <= high {
            return Ok(value);
        }
        if most.saturating_sub(least) > 4 * size {
            return self.unsupported("a range that wraps around more than a few times");
        }
        let mut wrapped = value;
        let turns = ((most - low).div_euclid(size)).max(0);
        let below = (low - least).max(0).div_euclid(size) + 1;
        for turn in -below..=turns {
            let terms = &mut self.out.terms;
            let first = terms.number(low + turn * size);
            let last = terms.number(low + (turn + 1) * size - 1);
            let above = terms.at_least(value, first);
            let under = terms.at_least(last, value);
            let here = terms.and(above, under);
            let shift = terms.number(turn * size);
            let shifted = terms.plus(value, shift, -1);
            wrapped = terms.choose(here, shifted, wrapped);
        }
        Ok(wrapped)
    }

    fn local_elements(&mut self, path: &Path, array: Array) -> Lowered<Vec<Var>> {
        if array.length > MOST_ELEMENTS {
            return self.unsupported("a large array");
        }
        let Some(frame) = path.control.frames.last().cloned() else {
            return self.unsupported("an array of nobody");
        };
        let slots = array.base..array.base.saturating_add(array.length as u16);
        Ok(slots
            .map(|slot| self.register(frame.function, frame.copy, slot))
            .collect())
    }

    fn own_elements(&mut self, array: Array) -> Lowered<Vec<Var>> {
        if array.length > MOST_ELEMENTS {
            return self.unsupported("a large array");
        }
        let first = usize::from(array.base);
        let slots = self.thread_locals.get(first..first + array.length as usize);
        match slots {
            Some(slots) => Ok(slots.to_vec()),
            None => self.unsupported("an array that does not exist"),
        }
    }

    /// The element of an array that an index chooses.
    fn element(&mut self, path: &mut Path, elements: &[Var], index: &Expression) -> Lowered<Term> {
        let index = self.number(path, index)?;
        self.must_be_within(path, index, 0, elements.len() as i64 - 1);
        let mut value = None;
        for (number, var) in elements.iter().enumerate().rev() {
            let here = self.current(path, *var);
            value = Some(match value {
                None => here,
                Some(rest) => {
                    let number = self.out.terms.number(number as i64);
                    let is_it = self.out.terms.equal(index, number);
                    self.out.terms.choose(is_it, here, rest)
                }
            });
        }
        match value {
            Some(value) => Ok(value),
            None => self.unsupported("an array without elements"),
        }
    }

    /// The variables of a shared array, or of a single variable.
    fn shared_elements(&mut self, cell: &Cell) -> Lowered<Vec<Var>> {
        if cell.object.is_some() {
            return self.unsupported("the heap (a field of a record)");
        }
        let Some(region) = self.ir.regions.get(cell.region.0 as usize) else {
            return self.unsupported("a region that does not exist");
        };
        if !matches!(region.kind, Kind::Variable | Kind::Semaphore) {
            return self.unsupported("an object that is not a variable");
        }
        let elements = 0..region.length();
        let elements = elements.map(|element| self.shared.get(&(cell.region.0, element)).copied());
        match elements.collect::<Option<Vec<Var>>>() {
            Some(elements) => Ok(elements),
            None => self.unsupported("a large array"),
        }
    }

    fn shared_value(&mut self, path: &mut Path, cell: &Cell) -> Lowered<Term> {
        if let Some(identity) = self.per_thread_identity(path, cell)? {
            return match identity {
                Identity::Other(_) => {
                    let region = &self.ir.regions[cell.region.0 as usize];
                    let range = range_of(self.ir, region.value);
                    Ok(self.choice(&region.name, range))
                }
                identity => {
                    let var = self.cell(cell.region.0, identity)?;
                    Ok(self.current(path, var))
                }
            };
        }
        let elements = self.shared_elements(cell)?;
        match &cell.index {
            None => Ok(self.current(path, elements[0])),
            Some(index) => self.element(path, &elements, index),
        }
    }

    /// The thread whose element of an array with one for each thread is meant.
    fn per_thread_identity(&mut self, path: &Path, cell: &Cell) -> Lowered<Option<Identity>> {
        let region = self.ir.regions.get(cell.region.0 as usize);
        if region.is_none_or(|region| region.per_thread.is_none()) {
            return Ok(None);
        }
        let index = cell.index.as_deref();
        match index.and_then(|index| self.identity_of(path, index)) {
            Some(Identity::End) | None => {
                self.unsupported("an element of an array of threads whose index is computed")
            }
            Some(identity) => Ok(Some(identity)),
        }
    }

    /// The element of the thread itself, or of one that is followed.
    fn cell(&mut self, region: u32, identity: Identity) -> Lowered<Var> {
        let info = &self.ir.regions[region as usize];
        if info.kind != Kind::Variable {
            return self.unsupported("a lock or semaphore of each thread");
        }
        let raddle_machine::ir::Home::Shared(offset) = info.home else {
            return self.unsupported("the heap");
        };
        let initial = self.ir.initial_words.get(offset as usize).copied();
        let range = range_of(self.ir, info.value);
        match identity {
            Identity::Tracked(number) => {
                if let Some(&var) = self.cells.get(&(region, number)) {
                    return Ok(var);
                }
                let letter = char::from(b'i' + (number as u8 % 16));
                let var = self.out.terms.var(VarInfo {
                    name: format!("{}[{letter}]", info.name),
                    range,
                    choice: false,
                });
                let initial = initial.map(i64::from);
                self.out.globals.push(Variable { var, initial });
                self.cells.insert((region, number), var);
                Ok(var)
            }
            _ => {
                if let Some(&var) = self.own_cells.get(&region) {
                    return Ok(var);
                }
                let name = info.name.clone();
                let var = self.new_var(&name, range, initial);
                self.own_cells.insert(region, var);
                Ok(var)
            }
        }
    }

    /// Puts a value where it belongs.
    pub(super) fn store(&mut self, path: &mut Path, target: &Target, value: Term) -> Lowered<()> {
        let (elements, index) = match target {
            Target::Local(register) => {
                let Some(frame) = path.control.frames.last().cloned() else {
                    return Ok(());
                };
                (
                    vec![self.register(frame.function, frame.copy, register.0)],
                    None,
                )
            }
            Target::LocalElement(array, index) => (self.local_elements(path, *array)?, Some(index)),
            Target::ThreadLocal(slot) => match self.thread_locals.get(usize::from(*slot)) {
                Some(&var) => (vec![var], None),
                None => return self.unsupported("a variable that does not exist"),
            },
            Target::ThreadLocalElement(array, index) => (self.own_elements(*array)?, Some(index)),
            Target::Shared(cell) => match self.per_thread_identity(path, cell)? {
                Some(Identity::Other(_)) => {
                    return self.unsupported("a write to another thread's element of an array");
                }
                Some(identity) => (vec![self.cell(cell.region.0, identity)?], None),
                None => (self.shared_elements(cell)?, cell.index.as_deref()),
            },
        };
        let Some(index) = index else {
            let value = self.as_typed(elements[0], value);
            path.updates.insert(elements[0], value);
            return Ok(());
        };
        let index = self.number(path, index)?;
        self.must_be_within(path, index, 0, elements.len() as i64 - 1);
        for (number, var) in elements.iter().enumerate() {
            let number = self.out.terms.number(number as i64);
            let is_it = self.out.terms.equal(index, number);
            let old = self.current(path, *var);
            let value = self.as_typed(*var, value);
            let value = self.out.terms.choose(is_it, value, old);
            path.updates.insert(*var, value);
        }
        Ok(())
    }
}
