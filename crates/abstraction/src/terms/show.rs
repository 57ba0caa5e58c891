//! Terms for people.

use super::{Node, Operator, Term, Terms};

impl Terms {
    /// A term for people.
    pub fn show(&self, term: Term) -> String {
        match self.node(term) {
            Node::Bool(value) => value.to_string(),
            Node::Var(var) => self.info(*var).name.clone(),
            Node::Sum(..) => self.show_sum(term),
            Node::Operation(operator, a, b) => {
                let sign = match operator {
                    Operator::And => "&",
                    Operator::Or => "|",
                    Operator::Xor => "^",
                    Operator::ShiftLeft => "<<",
                    Operator::ShiftRight => ">>",
                    Operator::Divide => "/",
                    Operator::Remainder => "%",
                    Operator::Multiply => "*",
                };
                format!("({} {sign} {})", self.show(*a), self.show(*b))
            }
            Node::Wrap(a) => format!("wrap({})", self.show(*a)),
            Node::If(a, b, c) => {
                format!(
                    "({} ? {} : {})",
                    self.show(*a),
                    self.show(*b),
                    self.show(*c)
                )
            }
            Node::AtLeast(sum, bound) => self.show_comparison(*sum, ">=", *bound),
            Node::Is(sum, value) => self.show_comparison(*sum, "==", *value),
            Node::Not(a) => match self.node(*a) {
                Node::AtLeast(sum, bound) => self.show_comparison(*sum, "<", *bound),
                Node::Is(sum, value) => self.show_comparison(*sum, "!=", *value),
                _ => format!("!{}", self.show(*a)),
            },
            Node::And(a, b) => format!("({} && {})", self.show(*a), self.show(*b)),
            Node::Or(a, b) => format!("({} || {})", self.show(*a), self.show(*b)),
        }
    }

    /// What is subtracted goes to the other side.
    fn show_comparison(&self, sum: Term, sign: &str, number: i64) -> String {
        let (parts, _) = self.parts(sum);
        let left: Vec<_> = parts
            .iter()
            .filter(|(_, factor)| *factor > 0)
            .copied()
            .collect();
        let right = parts.iter().filter(|(_, factor)| *factor < 0);
        let right: Vec<_> = right.map(|(part, factor)| (*part, -*factor)).collect();
        let left = self.show_parts(&left, 0);
        format!("{left} {sign} {}", self.show_parts(&right, number))
    }

    fn show_sum(&self, term: Term) -> String {
        let (parts, number) = self.parts(term);
        self.show_parts(&parts, number)
    }

    fn show_parts(&self, parts: &[(Term, i64)], number: i64) -> String {
        let mut shown = String::new();
        for (part, factor) in parts {
            let sign = match (shown.is_empty(), *factor < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            shown.push_str(sign);
            if factor.unsigned_abs() != 1 {
                shown.push_str(&format!("{} * ", factor.unsigned_abs()));
            }
            shown.push_str(&self.show(*part));
        }
        match (shown.is_empty(), number) {
            (true, number) => number.to_string(),
            (false, 0) => shown,
            (false, number) if number < 0 => format!("{shown} - {}", number.unsigned_abs()),
            (false, number) => format!("{shown} + {number}"),
        }
    }
}
