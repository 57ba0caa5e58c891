//! What parameterised tests are called with, as Java has it.

use super::classes::{dotted, look_up, simple_name};
use crate::{Program, Trouble};
use raddle_jvm::{Annotation, MemberOutline, Value};

/// The arguments of each call of a method, or why they are not known.
pub(super) type Arguments = Result<Vec<Vec<String>>, String>;

/// All calls of a parameterised test, in the order of its sources.
pub(super) fn all(
    program: &Program,
    method: &MemberOutline,
    annotations: &[Annotation],
) -> Result<Arguments, Trouble> {
    let parameters = parameters(&method.descriptor);
    if method.parameters.iter().any(|of_one| !of_one.is_empty()) {
        return Ok(Err("its parameters have annotations".to_owned()));
    }
    let mut calls = Vec::new();
    for annotation in annotations {
        let name = simple_name(annotation);
        if !name.ends_with("Source") && !name.ends_with("Sources") {
            continue;
        }
        let found = match (name, &parameters[..]) {
            ("ValueSource", [parameter]) => of_values(program, annotation, parameter)?,
            ("EnumSource", [parameter]) => of_enum(program, annotation, parameter)?,
            ("NullSource", [parameter]) => null(parameter).map(|it| vec![it]),
            ("EmptySource", [parameter]) => empty(parameter).map(|it| vec![it]),
            ("NullAndEmptySource", [parameter]) => {
                let both = null(parameter).zip(empty(parameter));
                both.map(|(null, empty)| vec![null, empty])
            }
            ("CsvSource", _) => match of_table(program, annotation, &parameters)? {
                Some(lines) => {
                    calls.extend(lines);
                    continue;
                }
                None => None,
            },
            _ => None,
        };
        let Some(found) = found else {
            return Ok(Err(format!("this use of @{name} is not supported")));
        };
        calls.extend(found.into_iter().map(|argument| vec![argument]));
    }
    Ok(match calls.is_empty() {
        true => Err("it has no arguments".to_owned()),
        false => Ok(calls),
    })
}

/// The types of the parameters of a method.
pub(crate) fn parameters(descriptor: &str) -> Vec<String> {
    let inside = descriptor.trim_start_matches('(');
    let inside = inside.split(')').next().unwrap_or_default();
    let (mut found, mut rest) = (Vec::new(), inside);
    while !rest.is_empty() {
        let start = rest.len() - rest.trim_start_matches('[').len();
        let end = match rest[start..].starts_with('L') {
            true => rest.find(';').map_or(rest.len(), |end| end + 1),
            false => (start + 1).min(rest.len()),
        };
        found.push(rest[..end].to_owned());
        rest = &rest[end..];
    }
    found
}

fn of_values(
    program: &Program,
    annotation: &Annotation,
    parameter: &str,
) -> Result<Option<Vec<String>>, Trouble> {
    let mut found = Vec::new();
    for (_, value) in &annotation.elements {
        for value in value.values() {
            match literal(program, value, parameter)? {
                Some(text) => found.push(text),
                None => return Ok(None),
            }
        }
    }
    Ok(Some(found))
}

/// The constants of an enumeration of the program.
fn of_enum(
    program: &Program,
    annotation: &Annotation,
    parameter: &str,
) -> Result<Option<Vec<String>>, Trouble> {
    let own = parameter.trim_start_matches('L').trim_end_matches(';');
    let class = match annotation.element("value") {
        Some(Value::Class(class)) => class,
        _ => own,
    };
    let is_known = |name: &str| matches!(name, "value" | "names" | "mode");
    let is_plain = annotation.elements.iter().all(|(name, _)| is_known(name));
    let is_excluding = match annotation.element("mode") {
        None => false,
        Some(Value::Constant(mode)) if mode == "INCLUDE" => false,
        Some(Value::Constant(mode)) if mode == "EXCLUDE" => true,
        Some(_) => return Ok(None),
    };
    let outline = look_up(program, class)?;
    let Some(outline) = outline.filter(|it| is_plain && !it.modifiers.is_private()) else {
        return Ok(None);
    };
    let names = annotation.element("names").map_or(&[][..], Value::values);
    let is_meant = |name: &str| {
        let is_named = names.iter().any(|it| *it == Value::Text(name.to_owned()));
        names.is_empty() || is_named != is_excluding
    };
    let constants = outline.fields.iter().filter(|it| it.modifiers.is_enum());
    let constants = constants.filter(|it| is_meant(&it.name));
    let class = dotted(class);
    Ok(Some(
        constants.map(|it| format!("{class}.{}", it.name)).collect(),
    ))
}

fn null(parameter: &str) -> Option<String> {
    let class = parameter.strip_prefix('L')?.strip_suffix(';')?;
    Some(format!("({}) null", dotted(class)))
}

fn empty(parameter: &str) -> Option<String> {
    let what = match parameter {
        "Ljava/lang/String;" => "\"\"",
        "Ljava/util/List;" | "Ljava/util/Collection;" => "java.util.Collections.emptyList()",
        "Ljava/util/Set;" => "java.util.Collections.emptySet()",
        "Ljava/util/Map;" => "java.util.Collections.emptyMap()",
        _ => return None,
    };
    Some(what.to_owned())
}

/// The lines of a table of texts.
fn of_table(
    program: &Program,
    annotation: &Annotation,
    parameters: &[String],
) -> Result<Option<Vec<Vec<String>>>, Trouble> {
    let [(name, lines)] = &annotation.elements[..] else {
        return Ok(None);
    };
    let mut found = Vec::new();
    for line in lines.values() {
        let Value::Text(line) = line else {
            return Ok(None);
        };
        let fields = fields(line);
        if name != "value" || fields.len() != parameters.len() {
            return Ok(None);
        }
        let mut arguments = Vec::new();
        for (field, parameter) in fields.into_iter().zip(parameters) {
            let argument = match field {
                Some(text) => literal(program, &Value::Text(text), parameter)?,
                None => null(parameter),
            };
            match argument {
                Some(argument) => arguments.push(argument),
                None => return Ok(None),
            }
        }
        found.push(arguments);
    }
    Ok(Some(found))
}

/// The fields of a line: separated by commas, and in apostrophes where there are commas in them.
/// An empty one without apostrophes is none.
fn fields(line: &str) -> Vec<Option<String>> {
    let (mut fields, mut field) = (Vec::new(), String::new());
    let (mut is_quoted, mut is_inside) = (false, false);
    let mut letters = line.chars().peekable();
    let mut finish = |field: &mut String, is_quoted: &mut bool| {
        let text = std::mem::take(field);
        fields.push(match std::mem::take(is_quoted) {
            true => Some(text),
            false => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        });
    };
    while let Some(letter) = letters.next() {
        match letter {
            '\'' if is_inside && letters.peek() == Some(&'\'') => {
                letters.next();
                field.push('\'');
            }
            '\'' if is_inside => is_inside = false,
            '\'' if field.trim().is_empty() && !is_quoted => {
                field.clear();
                (is_quoted, is_inside) = (true, true);
            }
            ',' if !is_inside => finish(&mut field, &mut is_quoted),
            letter if is_quoted && !is_inside && letter.is_whitespace() => {}
            letter => field.push(letter),
        }
    }
    finish(&mut field, &mut is_quoted);
    fields
}

/// A value as an argument for a parameter, if JUnit would take it for one.
fn literal(program: &Program, value: &Value, parameter: &str) -> Result<Option<String>, Trouble> {
    let any = "Ljava/lang/Object;";
    let fits = |letter: char, boxed: &str| {
        let order = "BSIJFD";
        let widens = match (order.find(letter), order.find(parameter)) {
            (Some(from), Some(to)) => from <= to,
            (None, Some(to)) => letter == 'C' && to >= 2,
            _ => false,
        };
        widens
            || parameter.chars().eq([letter])
            || parameter == any
            || parameter == format!("Ljava/lang/{boxed};")
    };
    Ok(match value {
        Value::Number(letter, number) => {
            let (boxed, text) = match letter {
                'B' => ("Byte", format!("(byte) {number}")),
                'S' => ("Short", format!("(short) {number}")),
                'C' => ("Character", format!("(char) {number}")),
                'Z' => ("Boolean", (*number != 0).to_string()),
                'J' => ("Long", format!("{number}L")),
                _ => ("Integer", number.to_string()),
            };
            fits(*letter, boxed).then_some(text)
        }
        Value::Real('F', number) => {
            let bits = (*number as f32).to_bits().cast_signed();
            fits('F', "Float").then(|| format!("Float.intBitsToFloat({bits})"))
        }
        Value::Real(_, number) => {
            let bits = number.to_bits().cast_signed();
            fits('D', "Double").then(|| format!("Double.longBitsToDouble({bits}L)"))
        }
        Value::Text(text) => converted(program, text, parameter)?,
        _ => None,
    })
}

/// A text as JUnit converts it.
fn converted(program: &Program, text: &str, parameter: &str) -> Result<Option<String>, Trouble> {
    let quoted = quoted(text);
    Ok(Some(match parameter {
        "Ljava/lang/String;" | "Ljava/lang/CharSequence;" | "Ljava/lang/Object;" => quoted,
        "I" | "Ljava/lang/Integer;" => format!("Integer.decode({quoted})"),
        "J" | "Ljava/lang/Long;" => format!("Long.decode({quoted})"),
        "S" | "Ljava/lang/Short;" => format!("Short.decode({quoted})"),
        "B" | "Ljava/lang/Byte;" => format!("Byte.decode({quoted})"),
        "D" | "Ljava/lang/Double;" => format!("Double.valueOf({quoted})"),
        "F" | "Ljava/lang/Float;" => format!("Float.valueOf({quoted})"),
        "Z" | "Ljava/lang/Boolean;" => match text.to_ascii_lowercase().as_str() {
            known @ ("true" | "false") => known.to_owned(),
            _ => return Ok(None),
        },
        "C" | "Ljava/lang/Character;" if text.encode_utf16().count() == 1 => {
            format!("{quoted}.charAt(0)")
        }
        _ => {
            let class = parameter
                .strip_prefix('L')
                .and_then(|it| it.strip_suffix(';'));
            let Some(class) = class else {
                return Ok(None);
            };
            let outline = look_up(program, class)?;
            let is_enum =
                |it: &raddle_jvm::Outline| it.modifiers.is_enum() && !it.modifiers.is_private();
            match outline.is_some_and(|it| is_enum(&it)) {
                true => format!("{}.valueOf({quoted})", dotted(class)),
                false => return Ok(None),
            }
        }
    }))
}

/// A text as a literal of Java.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for unit in text.encode_utf16() {
        match char::from_u32(unit.into()) {
            Some(letter) if letter.is_ascii_alphanumeric() || letter == ' ' => quoted.push(letter),
            // Line ends are no part of a literal, also not when they are written like this.
            Some('\n') => quoted.push_str("\\n"),
            Some('\r') => quoted.push_str("\\r"),
            Some('"') => quoted.push_str("\\\""),
            Some('\\') => quoted.push_str("\\\\"),
            _ => quoted.push_str(&format!("\\u{unit:04x}")),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::{fields, parameters, quoted};

    #[test]
    fn the_types_of_parameters_are_taken_apart() {
        let found = parameters("(I[JLjava/lang/String;[[La/B;Z)V");
        assert_eq!(found, ["I", "[J", "Ljava/lang/String;", "[[La/B;", "Z"]);
        assert!(parameters("()V").is_empty());
    }

    #[test]
    fn a_line_of_a_table_is_taken_apart() {
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(fields("a, 1"), [text("a"), text("1")]);
        assert_eq!(fields("'a, b',''"), [text("a, b"), text("")]);
        assert_eq!(fields(", 'it''s' "), [None, text("it's")]);
    }

    #[test]
    fn texts_are_literals_of_java() {
        assert_eq!(quoted("a \"b\"\\\nü"), "\"a \\\"b\\\"\\\\\\n\\u00fc\"");
    }
}
