//! Expressions that do something: each becomes an instruction of its own, whose
//! result goes into a register.

use super::builder::Builder;
use super::expressions::{cell, stored};
use crate::check::tree::{Expression as Tree, ExpressionKind, Facts, Location};
use raddle_machine::ir::{Cell, Expression, FunctionId, Instruction, Register, ValueType};

/// Says into which register the result of an expression goes, if into any.
type ResultPlace<'p, B> = dyn FnMut(&mut B) -> Option<Register> + 'p;

impl Builder<'_> {
    /// The result of an expression that does something, in a temporary.
    pub(super) fn effect_value(&mut self, tree: &Tree) -> Expression {
        let mut result = None;
        self.effect(tree, &mut |builder| {
            let register = builder.temporary(builder.temporary_type(tree));
            result = Some(register);
            Some(register)
        });
        match result {
            Some(register) => Expression::Local(register),
            None => Expression::Constant(0),
        }
    }

    /// Does what an expression does; its result goes into a register, or nowhere.
    pub(super) fn effect_into(&mut self, tree: &Tree, register: Option<Register>) {
        let mark = self.mark();
        self.effect(tree, &mut |builder| {
            register.or_else(|| {
                // These have a result whether it is wanted or not.
                let needed = matches!(
                    tree.kind,
                    ExpressionKind::New(_)
                        | ExpressionKind::Choose(..)
                        | ExpressionKind::Receive(_)
                );
                needed.then(|| builder.temporary(builder.temporary_type(tree)))
            })
        });
        self.release(mark);
    }

    /// Whether the result of an expression can go into a register directly.
    pub(super) fn is_effect(tree: &Tree) -> bool {
        matches!(
            tree.kind,
            ExpressionKind::Call(..)
                | ExpressionKind::New(_)
                | ExpressionKind::Spawn(..)
                | ExpressionKind::Choose(..)
                | ExpressionKind::Receive(_)
                | ExpressionKind::CompareAndSet(..)
                | ExpressionKind::FetchAdd(..)
        )
    }

    /// Evaluates the operands, gives their temporaries back and asks for the register
    /// of the result, which may be one of them.
    fn effect(&mut self, tree: &Tree, place: &mut ResultPlace<'_, Self>) {
        let instruction = match &tree.kind {
            ExpressionKind::CompareAndSet(..) | ExpressionKind::FetchAdd(..) => {
                self.atomic_update(tree, place)
            }
            _ => self.action(tree, place),
        };
        if let Some(instruction) = instruction {
            self.emit(instruction, &tree.span);
        }
    }

    fn action(&mut self, tree: &Tree, place: &mut ResultPlace<'_, Self>) -> Option<Instruction> {
        let mark = self.mark();
        Some(match &tree.kind {
            ExpressionKind::Call(function, arguments) => {
                let arguments = self.arguments(*function, arguments, true);
                self.release(mark);
                Instruction::Call {
                    function: *function,
                    arguments,
                    result: place(self),
                }
            }
            ExpressionKind::Spawn(declaration, arguments) => {
                let declared = self.checked.declarations.get(declaration.0 as usize)?;
                let arguments = self.arguments(declared.function, arguments, false);
                self.release(mark);
                Instruction::Spawn {
                    declaration: *declaration,
                    arguments,
                    result: place(self),
                }
            }
            ExpressionKind::New(record) => Instruction::New(*record, place(self)?),
            ExpressionKind::Choose(low, high) => {
                let mut bounds = self.operands(&[low, high], Facts::default(), false);
                let (high, low) = (bounds.pop()?, bounds.pop()?);
                self.release(mark);
                let result = place(self)?;
                Instruction::Choose { low, high, result }
            }
            ExpressionKind::Receive(location) => {
                let (cell, _) = self.cell_with(location, &[])?;
                self.release(mark);
                Instruction::Receive(cell, place(self)?)
            }
            _ => return None,
        })
    }

    fn atomic_update(
        &mut self,
        tree: &Tree,
        place: &mut ResultPlace<'_, Self>,
    ) -> Option<Instruction> {
        let mark = self.mark();
        Some(match &tree.kind {
            ExpressionKind::CompareAndSet(location, expected, value) => {
                let (cell, mut words) = self.cell_with(location, &[expected, value])?;
                let word = words.pop()?;
                let expected = words.pop()?;
                self.release(mark);
                Instruction::CompareAndSet {
                    cell,
                    expected,
                    value: stored(word, value, location.value),
                    result: place(self),
                }
            }
            ExpressionKind::FetchAdd(location, value) => {
                let (cell, mut words) = self.cell_with(location, &[value])?;
                let value = words.pop()?;
                self.release(mark);
                let range = match location.value {
                    ValueType::Ranged(range) => Some(range),
                    _ => None,
                };
                Instruction::FetchAdd {
                    cell,
                    value,
                    range,
                    result: place(self),
                }
            }
            _ => return None,
        })
    }

    /// A shared object and the values of further expressions, evaluated after what
    /// names it; no shared read is kept, since the object is touched itself.
    pub(super) fn cell_with(
        &mut self,
        location: &Location,
        further: &[&Tree],
    ) -> Option<(Cell, Vec<Expression>)> {
        let mut trees: Vec<&Tree> = location.parts().collect();
        let named = trees.len();
        trees.extend(further);
        let mut parts = self.operands(&trees, Facts::default(), false);
        let values = parts.split_off(named.min(parts.len()));
        Some((cell(location, parts)?, values))
    }

    /// The arguments of a call or a spawn, each in the range of its parameter.
    fn arguments(
        &mut self,
        function: FunctionId,
        arguments: &[Tree],
        keep: bool,
    ) -> Vec<Expression> {
        let trees: Vec<&Tree> = arguments.iter().collect();
        let values = self.operands(&trees, Facts::default(), keep);
        let callee = self.checked.functions.get(function.0 as usize);
        let mut checked = Vec::new();
        for (position, (value, tree)) in values.into_iter().zip(arguments).enumerate() {
            let parameter = callee
                .and_then(|callee| callee.locals.get(callee.parameters.get(position)?.0))
                .map(|local| local.value);
            checked.push(match parameter {
                Some(ty) => stored(value, tree, ty),
                None => value,
            });
        }
        checked
    }
}
