//! Operations with values for their parameters: `put(int, 1..3)` is six calls.

use crate::junit::arguments::parameters;

/// So many calls one operation is at the most.
const MOST: usize = 64;

/// The calls of an operation as a user writes it: a name, and for each parameter a type, a range, several
/// values or one.
pub(super) fn expand(operation: &str) -> Result<Vec<String>, String> {
    let told = || format!("`{operation}` is not an operation; write `poll()` or `offer(int)`");
    let (name, rest) = operation.trim().split_once('(').ok_or_else(told)?;
    let parameters = rest.trim_end().strip_suffix(')').ok_or_else(told)?;
    let is_name = |it: char| it.is_alphanumeric() || it == '_' || it == '$';
    if name.is_empty() || !name.chars().all(is_name) {
        return Err(told());
    }
    let values = split(parameters, ',').into_iter().map(values_of).collect();
    calls(name, values)
}

/// The calls of a method, with values for some of its parameters or all.
pub(super) fn expand_method(
    name: &str,
    descriptor: &str,
    given: &[&str],
) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    for (at, parameter) in parameters(descriptor).iter().enumerate() {
        let values = match given.get(at) {
            Some(given) => values_of(given),
            None => of_type(&type_name(parameter)).ok_or_else(|| {
                format!(
                    "no values are known for the parameter {} of the operation `{name}`; say them \
                     with @Operation(values = ...)",
                    at + 1
                )
            })?,
        };
        all.push(values);
    }
    calls(name, all)
}

/// A name with all combinations of values.
fn calls(name: &str, values: Vec<Vec<String>>) -> Result<Vec<String>, String> {
    let count = values
        .iter()
        .map(Vec::len)
        .try_fold(1, |all: usize, it| all.checked_mul(it));
    if count.is_none_or(|count| count == 0 || count > MOST) {
        return Err(format!(
            "the operation `{name}` has too many combinations of values; {MOST} are the most"
        ));
    }
    let mut all = vec![String::new()];
    for values in values {
        let longer = |before: &String| -> Vec<String> {
            let comma = if before.is_empty() { "" } else { ", " };
            let one = |value: &String| format!("{before}{comma}{value}");
            values.iter().map(one).collect()
        };
        all = all.iter().flat_map(longer).collect();
    }
    Ok(all.iter().map(|it| format!("{name}({it})")).collect())
}

/// The values that are meant by what stands for a parameter.
fn values_of(text: &str) -> Vec<String> {
    let text = text.trim();
    if let Some(values) = of_type(text) {
        return values;
    }
    let alternatives = split(text, '|').into_iter();
    alternatives.flat_map(|it| range(it.trim())).collect()
}

/// The numbers of `1..3`; or a value by itself.
fn range(text: &str) -> Vec<String> {
    let bounds = text.split_once("..");
    let bounds = bounds.and_then(|(a, b)| Some((a.parse::<i32>().ok()?, b.parse::<i32>().ok()?)));
    match bounds {
        Some((first, last)) => (first..=last)
            .take(MOST + 1)
            .map(|it| it.to_string())
            .collect(),
        None => vec![text.to_owned()],
    }
}

/// Two values of a type.
fn of_type(name: &str) -> Option<Vec<String>> {
    let short = name.strip_prefix("java.lang.").unwrap_or(name);
    let two: [&str; 2] = match short {
        "int" | "Integer" | "Object" | "Number" | "Comparable" => ["1", "2"],
        "byte" | "Byte" => ["(byte) 1", "(byte) 2"],
        "short" | "Short" => ["(short) 1", "(short) 2"],
        "long" | "Long" => ["1L", "2L"],
        "float" | "Float" => ["1.0f", "2.0f"],
        "double" | "Double" => ["1.0", "2.0"],
        "char" | "Character" => ["'a'", "'b'"],
        "boolean" | "Boolean" => ["false", "true"],
        "String" | "CharSequence" => ["\"a\"", "\"b\""],
        _ => return None,
    };
    Some(two.map(str::to_owned).into())
}

/// A type as Java has it.
fn type_name(descriptor: &str) -> String {
    let name = match descriptor {
        "Z" => "boolean",
        "B" => "byte",
        "C" => "char",
        "S" => "short",
        "I" => "int",
        "J" => "long",
        "F" => "float",
        "D" => "double",
        class => class.trim_start_matches('L').trim_end_matches(';'),
    };
    name.replace('/', ".")
}

/// The parts between separators that are not inside of brackets or quotes. Nothing has no parts.
fn split(text: &str, separator: char) -> Vec<&str> {
    if text.trim().is_empty() {
        return Vec::new();
    }
    let (mut parts, mut begin, mut depth, mut quote, mut is_escaped) =
        (Vec::new(), 0, 0, None, false);
    for (at, it) in text.char_indices() {
        match (quote, it) {
            _ if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(open), close) if open == close => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(it),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, it) if it == separator && depth == 0 => {
                parts.push(&text[begin..at]);
                begin = at + it.len_utf8();
            }
            (None, _) => {}
        }
    }
    parts.push(&text[begin..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_is_called_with_all_combinations_of_values() {
        let expanded = |text| expand(text).expect("it is an operation").join(" ");
        assert_eq!(expanded("poll()"), "poll()");
        assert_eq!(expanded("offer(int)"), "offer(1) offer(2)");
        assert_eq!(
            expanded("put(0..1, \"a,b\" | null)"),
            "put(0, \"a,b\") put(0, null) put(1, \"a,b\") put(1, null)"
        );
        assert_eq!(
            expanded("compute(1, (k, v) -> v)"),
            "compute(1, (k, v) -> v)"
        );
        for wrong in ["poll", "poll(", "(1)", "a b()", "add(5..1)", "add(1..100)"] {
            assert!(expand(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_parameters_of_a_method_get_values_of_their_types() {
        let calls = |descriptor, given: &[&str]| expand_method("m", descriptor, given);
        assert_eq!(calls("()V", &[]), Ok(vec!["m()".to_owned()]));
        let both = ["m(1L, 7)", "m(2L, 7)"].map(str::to_owned).to_vec();
        assert_eq!(calls("(JI)V", &["long", "7"]), Ok(both));
        let text = ["m(\"a\")", "m(\"b\")"].map(str::to_owned).to_vec();
        assert_eq!(calls("(Ljava/lang/String;)V", &[]), Ok(text));
        assert!(calls("([I)V", &[]).is_err());
        assert!(calls("(Lfoo/Bar;)V", &[]).is_err());
    }
}
