//! What must not be reached: faults, and states in which an invariant is false.
//!
//! A state in which an invariant is false is one with at least so many threads at labels and
//! with certain values of shared variables. An invariant that demands threads somewhere
//! (`count(l) >= 1`) is not of this kind: fewer threads would be the violation, and there are
//! always fewer.

use crate::lower::{Lowered, Unsupported};
use crate::program::{Program, Target};
use crate::terms::{Node, Operator, Term, Terms, WORD};
use raddle_machine::ir::{self, BinaryOperator, Cell, Expression, LabelId, UnaryOperator};
use std::collections::BTreeSet;

/// A disjunction that grows beyond this is given up.
const MOST_CASES: usize = 64;

/// The labels that invariants count.
pub(crate) fn labels(ir: &ir::Program) -> BTreeSet<LabelId> {
    let mut labels = BTreeSet::new();
    for invariant in &ir.invariants {
        invariant.condition.for_each(&mut |inner| {
            if let Expression::CountAt(label) = inner {
                labels.insert(*label);
            }
        });
    }
    labels
}

/// One way to be wrong.
#[derive(Clone, Debug, Default, PartialEq)]
struct Case {
    labels: Vec<LabelId>,
    condition: Vec<(Term, bool)>,
}

/// Sets the targets of a program.
pub(crate) fn set(
    ir: &ir::Program,
    program: &mut Program,
    faults: bool,
    invariants: bool,
) -> Lowered<()> {
    program.targets.clear();
    if faults {
        program.targets.push(Target {
            labels: Vec::new(),
            is_fault: true,
            condition: Vec::new(),
            name: "a fault".to_owned(),
        });
    }
    if !invariants {
        return Ok(());
    }
    for invariant in &ir.invariants {
        let mut reader = Reader { ir, program };
        let cases = reader.cases(&invariant.condition, false);
        let cases = cases.map_err(|what| Unsupported {
            what,
            place: Some(invariant.place),
        })?;
        for case in cases {
            program.targets.push(Target {
                labels: case.labels,
                is_fault: false,
                condition: case.condition,
                name: invariant.name.clone(),
            });
        }
    }
    Ok(())
}

struct Reader<'a> {
    ir: &'a ir::Program,
    program: &'a mut Program,
}

impl Reader<'_> {
    /// The cases in which an expression has a value.
    fn cases(&mut self, expression: &Expression, value: bool) -> Result<Vec<Case>, String> {
        let counts = {
            let mut counts = false;
            expression.for_each(&mut |it| counts |= matches!(it, Expression::CountAt(_)));
            counts
        };
        if !counts {
            let term = self.term(expression)?;
            let term = self.program.terms.to_bool(term);
            return literals(&mut self.program.terms, term, value);
        }
        use BinaryOperator as B;
        match expression {
            Expression::Unary(UnaryOperator::Not, inner) => self.cases(inner, !value),
            Expression::Binary(operator @ (B::And | B::Or), left, right) => {
                let left = self.cases(left, value)?;
                let right = self.cases(right, value)?;
                match (*operator == B::And) == value {
                    true => both(&left, &right),
                    false => Ok(left.into_iter().chain(right).collect()),
                }
            }
            Expression::Binary(operator, left, right) => {
                self.counted(*operator, left, right, value)
            }
            _ => Err("an invariant of this form, for any number of threads".to_owned()),
        }
    }

    /// Comparisons of numbers of threads with constants.
    fn counted(
        &mut self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
        value: bool,
    ) -> Result<Vec<Case>, String> {
        use BinaryOperator as B;
        let fail = || Err("an invariant that demands threads at a label".to_owned());
        let (labels, bound, operator) = match (sum(left), sum(right)) {
            (Some((labels, a)), Some((none, b))) if none.is_empty() => (labels, b - a, operator),
            (Some((none, a)), Some((labels, b))) if none.is_empty() => {
                let flipped = match operator {
                    B::Less => B::Greater,
                    B::LessOrEqual => B::GreaterOrEqual,
                    B::Greater => B::Less,
                    B::GreaterOrEqual => B::LessOrEqual,
                    other => other,
                };
                (labels, a - b, flipped)
            }
            _ => return Err("an invariant of this form, for any number of threads".to_owned()),
        };
        // The least number of threads for which the comparison has the value.
        let least = match (operator, value) {
            (B::LessOrEqual, false) | (B::Greater, true) => bound + 1,
            (B::Less, false) | (B::GreaterOrEqual, true) => bound,
            (B::Equal, false) | (B::NotEqual, true) if bound == 0 => 1,
            _ => return fail(),
        };
        if least > 8 {
            return Err("an invariant about more than eight threads at labels".to_owned());
        }
        let mut cases = vec![Vec::new()];
        for _ in 0..least.max(0) {
            let mut longer: Vec<Vec<LabelId>> = Vec::new();
            for case in &cases {
                for label in &labels {
                    // In order, so that no set comes twice.
                    if case.last().is_none_or(|last| last <= label) {
                        let mut case = case.clone();
                        case.push(*label);
                        longer.push(case);
                    }
                }
            }
            cases = longer;
        }
        let cases = cases.into_iter().map(|labels| Case {
            labels,
            condition: Vec::new(),
        });
        Ok(cases.collect())
    }

    fn term(&mut self, expression: &Expression) -> Result<Term, String> {
        use BinaryOperator as B;
        Ok(match expression {
            Expression::Constant(value) => self.program.terms.number(i64::from(*value)),
            Expression::Shared(cell) | Expression::SemaphoreValue(cell) => self.cell(cell)?,
            Expression::Unary(operator, inner) => {
                let inner = self.term(inner)?;
                let terms = &mut self.program.terms;
                match operator {
                    UnaryOperator::Not => {
                        let inner = terms.to_bool(inner);
                        terms.not(inner)
                    }
                    UnaryOperator::Negate => {
                        let inner = terms.to_number(inner);
                        let zero = terms.number(0);
                        let value = terms.plus(zero, inner, -1);
                        terms.wrap(value)
                    }
                    UnaryOperator::Complement => {
                        let inner = terms.to_number(inner);
                        let ones = terms.number(-1);
                        terms.plus(ones, inner, -1)
                    }
                }
            }
            Expression::Conditional(condition, then, otherwise) => {
                let condition = self.term(condition)?;
                let (then, otherwise) = (self.term(then)?, self.term(otherwise)?);
                let terms = &mut self.program.terms;
                let condition = terms.to_bool(condition);
                let (then, otherwise) = match terms.is_bool(then) && terms.is_bool(otherwise) {
                    true => (then, otherwise),
                    false => (terms.to_number(then), terms.to_number(otherwise)),
                };
                terms.choose(condition, then, otherwise)
            }
            Expression::Binary(operator, left, right) => {
                let (left, right) = (self.term(left)?, self.term(right)?);
                let terms = &mut self.program.terms;
                if matches!(operator, B::And | B::Or) {
                    let (left, right) = (terms.to_bool(left), terms.to_bool(right));
                    return Ok(match operator {
                        B::And => terms.and(left, right),
                        _ => terms.or(left, right),
                    });
                }
                let is_bool = terms.is_bool(left) && terms.is_bool(right);
                if is_bool && matches!(operator, B::Equal | B::NotEqual) {
                    let same = terms.equal(left, right);
                    return Ok(match operator {
                        B::Equal => same,
                        _ => terms.not(same),
                    });
                }
                let (left, right) = (terms.to_number(left), terms.to_number(right));
                arithmetic(terms, *operator, left, right)?
            }
            _ => return Err("an invariant of this form, for any number of threads".to_owned()),
        })
    }

    fn cell(&mut self, cell: &Cell) -> Result<Term, String> {
        let element = match cell.index.as_deref() {
            None => Some(0),
            Some(Expression::Constant(index)) => u32::try_from(*index).ok(),
            Some(_) => None,
        };
        let region = self.ir.regions.get(cell.region.0 as usize);
        let plain = cell.object.is_none() && region.is_some_and(|it| it.per_thread.is_none());
        let var = element.filter(|_| plain);
        let var = var.and_then(|it| self.program.cells.get(&(cell.region.0, it)).copied());
        match var {
            Some(var) => Ok(self.program.terms.of(var)),
            None => {
                Err("an invariant about elements or fields, for any number of threads".to_owned())
            }
        }
    }
}

fn arithmetic(
    terms: &mut Terms,
    operator: BinaryOperator,
    left: Term,
    right: Term,
) -> Result<Term, String> {
    use BinaryOperator as B;
    let value = match operator {
        B::Add => terms.plus(left, right, 1),
        B::Subtract => terms.plus(left, right, -1),
        B::Multiply => terms.operation(Operator::Multiply, left, right),
        B::BitAnd => terms.operation(Operator::And, left, right),
        B::BitOr => terms.operation(Operator::Or, left, right),
        B::BitXor => terms.operation(Operator::Xor, left, right),
        B::Equal | B::NotEqual => {
            let same = terms.equal(left, right);
            return Ok(match operator {
                B::Equal => same,
                _ => terms.not(same),
            });
        }
        B::GreaterOrEqual | B::Less => {
            let holds = terms.at_least(left, right);
            return Ok(match operator {
                B::Less => terms.not(holds),
                _ => holds,
            });
        }
        B::LessOrEqual | B::Greater => {
            let holds = terms.at_least(right, left);
            return Ok(match operator {
                B::Greater => terms.not(holds),
                _ => holds,
            });
        }
        _ => return Err("an invariant with a division or a shift".to_owned()),
    };
    let (low, high) = terms.range(value);
    debug_assert!(low <= high && WORD.0 < WORD.1);
    Ok(terms.wrap(value))
}

/// A number of threads at labels, and a constant.
fn sum(expression: &Expression) -> Option<(Vec<LabelId>, i64)> {
    match expression {
        Expression::Constant(value) => Some((Vec::new(), i64::from(*value))),
        Expression::CountAt(label) => Some((vec![*label], 0)),
        Expression::Binary(BinaryOperator::Add, left, right) => {
            let ((mut labels, a), (more, b)) = (sum(left)?, sum(right)?);
            labels.extend(more);
            labels.sort();
            let count = labels.len();
            labels.dedup();
            // A label that counts twice is something else.
            (labels.len() == count).then_some((labels, a + b))
        }
        _ => None,
    }
}

fn both(left: &[Case], right: &[Case]) -> Result<Vec<Case>, String> {
    let mut all = Vec::new();
    for a in left {
        for b in right {
            // Two demands on the same label are not their sum.
            if a.labels.iter().any(|label| b.labels.contains(label)) {
                return Err("an invariant that counts a label twice".to_owned());
            }
            let mut case = a.clone();
            case.labels.extend(&b.labels);
            case.condition.extend(&b.condition);
            all.push(case);
        }
    }
    match all.len() > MOST_CASES {
        true => Err("an invariant with too many cases".to_owned()),
        false => Ok(all),
    }
}

/// The cases in which a formula has a value.
fn literals(terms: &mut Terms, term: Term, value: bool) -> Result<Vec<Case>, String> {
    match *terms.node(term) {
        Node::Bool(known) if known == value => Ok(vec![Case::default()]),
        Node::Bool(_) => Ok(Vec::new()),
        Node::Not(inner) => literals(terms, inner, !value),
        Node::And(a, b) | Node::Or(a, b) => {
            let is_and = matches!(terms.node(term), Node::And(..));
            let left = literals(terms, a, value)?;
            let right = literals(terms, b, value)?;
            match is_and == value {
                true => both(&left, &right),
                false => Ok(left.into_iter().chain(right).collect()),
            }
        }
        _ => Ok(vec![Case {
            labels: Vec::new(),
            condition: vec![(term, value)],
        }]),
    }
}
