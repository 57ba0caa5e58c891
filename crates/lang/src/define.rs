//! Other values for a program's constants, and numbers of threads, given from outside.

use crate::ast::{Expression, ExpressionKind, Item, Name, Program, UnaryOperator};
use raddle_diagnostics::Diagnostic;
use raddle_machine::ir::BinaryOperator;

/// What a constant is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Number,
    Truth,
    Member,
}

/// Gives constants other values. A truth value is given as 0 or 1.
pub(crate) fn apply(tree: &mut Program, defines: &[(String, i64)]) -> Result<(), Vec<Diagnostic>> {
    // The sorts are those that the author wrote, whatever is defined first.
    let mut changes: Vec<(usize, ExpressionKind)> = Vec::new();
    for (name, value) in defines {
        let Some((index, declared)) = find(tree, name) else {
            return Err(vec![unknown(tree, name)]);
        };
        if changes.iter().any(|(other, _)| *other == index) {
            let message = format!("the constant `{name}` is defined twice");
            let error = Diagnostic::new(declared.span.clone(), message, "one value is enough");
            return Err(vec![error]);
        }
        let refuse = |message: String, label: &str| {
            let error = Diagnostic::new(declared.span.clone(), message, label);
            Err(vec![error])
        };
        let kind = match (sort_of_item(tree, index), value) {
            (Sort::Number, value) => ExpressionKind::Number(*value),
            (Sort::Truth, 0 | 1) => ExpressionKind::Bool(*value == 1),
            (Sort::Truth, value) => {
                return refuse(
                    format!("`{name}` is a truth value, and cannot be {value}"),
                    "expected true or false",
                );
            }
            (Sort::Member, _) => {
                return refuse(
                    format!("`{name}` is not a number"),
                    "its value is a member of an enumeration, and cannot be defined from outside",
                );
            }
        };
        changes.push((index, kind));
    }
    for (index, kind) in changes {
        match tree.items.get_mut(index) {
            Some(Item::Constant { value, .. }) => value.kind = kind,
            Some(Item::Thread(thread)) => {
                let span = thread.name.span.clone();
                thread.count = Some(Expression { kind, span });
                thread.replicated = false;
            }
            _ => {}
        }
    }
    Ok(())
}

/// The item that declares a constant.
fn find<'t>(tree: &'t Program, name: &str) -> Option<(usize, &'t Name)> {
    let items = tree.items.iter().enumerate();
    items
        .filter_map(|(index, item)| Some((index, constant(item)?)))
        .find(|(_, constant)| constant.text == name)
}

/// What can be given another value: a constant, or how many threads there are of a kind
/// of which there are any number.
fn constant(item: &Item) -> Option<&Name> {
    match item {
        Item::Constant { name, .. } => Some(name),
        Item::Thread(thread) if thread.replicated => Some(&thread.name),
        _ => None,
    }
}

fn unknown(tree: &Program, name: &str) -> Diagnostic {
    let known: Vec<&str> = tree
        .items
        .iter()
        .filter_map(constant)
        .map(|constant| constant.text.as_str())
        .collect();
    let known = match known.as_slice() {
        [] => "the program has no constants".to_owned(),
        [one] => format!("its only constant is `{one}`"),
        many => format!("its constants are `{}`", many.join("`, `")),
    };
    let message = format!("there is no constant `{name}` to define; {known}");
    Diagnostic::new(0..0, message, "in this program")
}

/// What a constant is, judging by its value. Constants are declared before they are
/// used, so that only earlier items can matter.
fn sort_of_item(tree: &Program, index: usize) -> Sort {
    match tree.items.get(index) {
        Some(Item::Constant { value, .. }) => sort(tree, index, value),
        _ => Sort::Number,
    }
}

fn sort(tree: &Program, before: usize, value: &Expression) -> Sort {
    use BinaryOperator as B;
    let mut value = value;
    loop {
        match &value.kind {
            ExpressionKind::Bool(_)
            | ExpressionKind::Unary(UnaryOperator::Not, _)
            | ExpressionKind::Binary(
                B::And
                | B::Or
                | B::Equal
                | B::NotEqual
                | B::Less
                | B::LessOrEqual
                | B::Greater
                | B::GreaterOrEqual,
                ..,
            ) => return Sort::Truth,
            // These are for numbers and for truth values.
            ExpressionKind::Binary(B::BitAnd | B::BitOr | B::BitXor, left, _) => value = left,
            ExpressionKind::Conditional(_, then, _) => value = then,
            ExpressionKind::Field(..) => return Sort::Member,
            ExpressionKind::Name(name) => {
                return match find(tree, name) {
                    Some((index, _)) if index < before => sort_of_item(tree, index),
                    Some(_) => Sort::Number,
                    None if is_member(tree, name) => Sort::Member,
                    None => Sort::Number,
                };
            }
            _ => return Sort::Number,
        }
    }
}

fn is_member(tree: &Program, name: &str) -> bool {
    tree.items.iter().any(|item| match item {
        Item::Enumeration { members, .. } => members.iter().any(|member| member.text == name),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use crate::{compile_with, parse_define};

    const PROGRAM: &str = "enum E { A, B } const N = 3; const DEBUG = false; const E0 = A; \
                           const BIG = N > 2; const AGAIN = DEBUG; int x = N; bool b = DEBUG; \
                           bool c = BIG; bool d = AGAIN; E e = E0; thread t { }";

    fn outcome(defines: &[&str]) -> Result<(), String> {
        let defines: Result<Vec<_>, _> = defines.iter().map(|it| parse_define(it)).collect();
        match compile_with(PROGRAM, &defines?) {
            Ok(_) => Ok(()),
            Err(errors) => Err(errors[0].message.clone()),
        }
    }

    #[test]
    fn numbers_and_truth_values_can_be_defined() {
        assert_eq!(outcome(&["N=5", "DEBUG=true"]), Ok(()));
        assert_eq!(outcome(&["DEBUG=0", "BIG=false", "AGAIN=1"]), Ok(()));
    }

    #[test]
    fn other_values_are_refused() {
        let error = |define| outcome(&[define]).expect_err("this is refused");
        assert_eq!(
            error("DEBUG=2"),
            "`DEBUG` is a truth value, and cannot be 2"
        );
        assert_eq!(
            error("AGAIN=7"),
            "`AGAIN` is a truth value, and cannot be 7"
        );
        assert_eq!(error("E0=1"), "`E0` is not a number");
        assert_eq!(error("N=many"), "`many` is not a number of 32 bits");
    }

    #[test]
    fn unknown_names_and_repetitions_are_refused() {
        let error = outcome(&["M=1"]).expect_err("this is refused");
        assert!(
            error.contains("its constants are `N`, `DEBUG`, `E0`"),
            "{error}"
        );
        let error = outcome(&["N=1", "N=2"]).expect_err("this is refused");
        assert_eq!(error, "the constant `N` is defined twice");
    }
}
