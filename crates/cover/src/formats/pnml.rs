//! Place/transition nets in PNML, the XML of ISO/IEC 15909-2.
//!
//! A file has one net of the type `ptnet`, possibly on several pages. Places, transitions,
//! weighted arcs, initial markings and references between pages are read; names, graphics and
//! what tools note for themselves change nothing. Whatever else there is could change what the
//! net does, and is refused as not supported; only an inhibitor arc can be left out, because
//! more is possible without it.
//!
//! PNML has no targets: they are given elsewhere. A place is called by its name, and by its
//! identifier if it has none or shares it.
//!
//! The XML is read by `roxmltree`: it is small, needs no other crate, knows where everything
//! stands, and refuses document types, with which entities could multiply.

use super::{
    Findings, FormatError, Inexpressible, Parsed, Wrong, distinct, number, taken_and_brought,
};
use crate::net::{MOST_TOKENS, Net, Place, Transition, Update};
use raddle_diagnostics::{Diagnostic, Span, nearest};
use roxmltree::{Document, Node};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt::Write;

/// Reads a net, which has no targets.
pub fn parse(text: &str) -> Result<Parsed, FormatError> {
    let document = match Document::parse(text) {
        Ok(document) => document,
        Err(error) => {
            let position = error.pos();
            let offset = offset(text, position.row, position.col);
            let label = "the XML is not readable here";
            let error = Diagnostic::new(offset..offset, error.to_string(), label);
            return Err(FormatError::Malformed(vec![error]));
        }
    };
    let mut findings = Findings::default();
    let net = read(&document, &mut findings).unwrap_or_else(|error| {
        findings.malformed.push(*error);
        Net::default()
    });
    findings.conclude(net)
}

/// The text of a plain net that has one initial marking. Its targets are left out.
pub fn print(net: &Net) -> Result<String, Inexpressible> {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n\
         <net id=\"net\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\n\
         <page id=\"page\">\n",
    );
    for (index, name) in net.places.iter().enumerate() {
        let tokens = net.least[index];
        if net.most[index] != tokens {
            let message = format!("PNML cannot express that `{name}` has any number of tokens");
            return Err(Inexpressible(message));
        }
        let name = escape(name);
        let _ = write!(
            out,
            "<place id=\"p{index}\"><name><text>{name}</text></name>"
        );
        if tokens > 0 {
            let _ = write!(
                out,
                "<initialMarking><text>{tokens}</text></initialMarking>"
            );
        }
        out.push_str("</place>\n");
    }
    for (index, transition) in net.transitions.iter().enumerate() {
        let name = escape(&transition.name);
        let _ = writeln!(
            out,
            "<transition id=\"t{index}\"><name><text>{name}</text></name></transition>"
        );
        for (place, (taken, brought)) in arcs(net, transition)? {
            let (place, transition) = (format!("p{}", place.0), format!("t{index}"));
            arc(&mut out, &place, &transition, taken);
            arc(&mut out, &transition, &place, brought);
        }
    }
    out.push_str("</page>\n</net>\n</pnml>\n");
    Ok(out)
}

/// How many tokens a plain transition takes from each place, and how many it brings.
fn arcs(net: &Net, transition: &Transition) -> Result<BTreeMap<Place, (u64, u64)>, Inexpressible> {
    let refuse = |what: &str| {
        let message = format!("PNML cannot express that `{}` {what}", transition.name);
        Err(Inexpressible(message))
    };
    if !transition.wakes.is_empty() {
        return refuse("wakes somebody");
    }
    // What is needed of each place, and how much it changes.
    let mut places: BTreeMap<Place, (u32, i64)> = BTreeMap::new();
    for &(place, needed) in &transition.guard {
        places.entry(place).or_default().0 = needed;
    }
    for update in &transition.updates {
        if update.sources != [update.place] {
            let name = &net.places[update.place.index()];
            return refuse(&format!("gives `{name}` what others have, or empties it"));
        }
        places.entry(update.place).or_default().1 = update.delta;
    }
    let arcs = places.into_iter();
    let arcs = arcs.map(|(place, (needed, change))| (place, taken_and_brought(needed, change)));
    let arcs: BTreeMap<Place, (u64, u64)> = arcs.collect();
    let mut weights = arcs.values().map(|&(taken, brought)| taken.max(brought));
    if weights.any(|weight| weight > u64::from(MOST_TOKENS)) {
        return refuse("has so heavy an arc");
    }
    Ok(arcs)
}

fn arc(out: &mut String, source: &str, target: &str, weight: u64) {
    if weight == 0 {
        return;
    }
    let _ = write!(
        out,
        "<arc id=\"{source}-{target}\" source=\"{source}\" target=\"{target}\">"
    );
    if weight > 1 {
        let _ = write!(out, "<inscription><text>{weight}</text></inscription>");
    }
    out.push_str("</arc>\n");
}

/// Text for XML. Characters that XML does not have are replaced.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\r' => out.push_str("&#13;"),
            '\n' | '\t' => out.push(character),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            character if character < ' ' => out.push('\u{fffd}'),
            character => out.push(character),
        }
    }
    out
}

/// The offset of a row and a column, both counted from one.
fn offset(text: &str, row: u32, column: u32) -> usize {
    let before = text
        .split_inclusive('\n')
        .take(row.saturating_sub(1) as usize);
    let start: usize = before.map(str::len).sum();
    let rest = text.get(start..).unwrap_or_default();
    let mut characters = rest.char_indices();
    let nth = characters.nth(column.saturating_sub(1) as usize);
    start + nth.map_or(rest.len(), |(offset, _)| offset)
}

/// How many references may lie between an arc and its end. Who refers to itself never ends.
const MOST_REFERENCES: usize = 1000;

/// What stands on the pages of a net.
#[derive(Default)]
struct Content<'d> {
    places: Vec<Node<'d, 'd>>,
    transitions: Vec<Node<'d, 'd>>,
    arcs: Vec<Node<'d, 'd>>,
    /// What an identifier stands for, and where that is.
    known: HashMap<&'d str, (Object<'d>, Span)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Object<'d> {
    Place(Place),
    Transition(usize),
    /// Whatever this identifier stands for.
    Reference(&'d str),
}

fn read<'d>(document: &'d Document<'d>, findings: &mut Findings) -> Result<Net, Wrong> {
    let root = document.root_element();
    let mut nets = elements(root).filter(|&child| is(child, "net"));
    let Some(net) = nets.next().filter(|_| is(root, "pnml")) else {
        return Err(wrong(
            root,
            "this is no net in PNML",
            "expected `pnml` with a `net`",
        ));
    };
    if let Some(second) = nets.next() {
        let message = "the file has several nets";
        findings
            .unsupported
            .push(at(second, message, "only one is supported"));
    }
    let kind = net.attribute("type").unwrap_or_default();
    if !kind.to_ascii_lowercase().ends_with("ptnet") && kind != "P/T net" {
        let message = format!("nets of the type `{kind}` are not supported");
        let label = "expected a place/transition net";
        findings.unsupported.push(at(net, message, label));
        return Ok(Net::default());
    }
    let content = collect(net, findings)?;
    build(&content, findings)
}

/// Goes through the pages, without recursion: a file may nest them at will.
fn collect<'d>(net: Node<'d, 'd>, findings: &mut Findings) -> Result<Content<'d>, Wrong> {
    let mut content = Content::default();
    let mut pages = VecDeque::from([net]);
    while let Some(page) = pages.pop_front() {
        for node in elements(page) {
            let object = match node.tag_name().name() {
                "page" => {
                    pages.push_back(node);
                    continue;
                }
                "arc" => {
                    content.arcs.push(node);
                    continue;
                }
                "place" => {
                    content.places.push(node);
                    Object::Place(Place(content.places.len() as u32 - 1))
                }
                "transition" => {
                    content.transitions.push(node);
                    Object::Transition(content.transitions.len() - 1)
                }
                "referencePlace" | "referenceTransition" => {
                    Object::Reference(attribute(node, "ref")?)
                }
                name if changes_nothing(name) => continue,
                name => {
                    findings.unsupported.push(surplus(node, name));
                    continue;
                }
            };
            let id = attribute(node, "id")?;
            if let Some((_, first)) = content.known.insert(id, (object, head(node))) {
                let message = format!("the identifier `{id}` is there twice");
                let twice = at(node, message, "again").related(first, "first here");
                findings.malformed.push(twice);
            }
        }
    }
    Ok(content)
}

fn build(content: &Content<'_>, findings: &mut Findings) -> Result<Net, Wrong> {
    let mut net = Net::default();
    for &place in &content.places {
        let marking = child(place, "initialMarking", findings);
        net.places.push(title(place)?);
        net.least.push(match marking {
            Some(marking) => inner_number(marking)?,
            None => 0,
        });
    }
    net.most = net.least.clone();
    name_places(content, &mut net)?;
    // How many tokens each transition takes from and brings to each place.
    let mut weights: Vec<BTreeMap<Place, (u64, u64)>> = Vec::new();
    for &transition in &content.transitions {
        // A transition has nothing but its name, which comes later.
        child(transition, "name", findings);
        weights.push(BTreeMap::new());
    }
    for &arc in &content.arcs {
        if findings.is_enough() {
            break;
        }
        let ends = (content.end(arc, "source"), content.end(arc, "target"));
        let (source, target) = match ends {
            (Ok(source), Ok(target)) => (source, target),
            (Err(error), _) | (_, Err(error)) => {
                findings.malformed.push(*error);
                continue;
            }
        };
        let weight = match child(arc, "inscription", findings) {
            Some(inscription) => u64::from(inner_number(inscription)?),
            None => 1,
        };
        if !is_normal(arc, findings) {
            continue;
        }
        match (source, target) {
            (Object::Place(place), Object::Transition(transition)) => {
                weights[transition].entry(place).or_default().0 += weight;
            }
            (Object::Transition(transition), Object::Place(place)) => {
                weights[transition].entry(place).or_default().1 += weight;
            }
            _ => {
                let message = "an arc goes from a place to a transition, or back";
                findings
                    .malformed
                    .push(at(arc, message, "both ends are of a kind"));
            }
        }
    }
    for (&transition, weights) in content.transitions.iter().zip(weights) {
        net.transitions.push(plain(transition, weights, findings)?);
    }
    Ok(net)
}

fn plain(
    node: Node<'_, '_>,
    weights: BTreeMap<Place, (u64, u64)>,
    findings: &mut Findings,
) -> Result<Transition, Wrong> {
    let mut transition = Transition {
        name: title(node)?,
        ..Transition::default()
    };
    for (place, (taken, brought)) in weights {
        if taken.max(brought) > u64::from(MOST_TOKENS) {
            let label = format!("at most {MOST_TOKENS} is possible");
            let message = "the weights of the arcs are too large";
            findings.malformed.push(at(node, message, &label));
            break;
        }
        if taken > 0 {
            transition.guard.push((place, taken as u32));
        }
        if taken != brought {
            transition.updates.push(Update {
                place,
                sources: vec![place],
                delta: brought as i64 - taken as i64,
            });
        }
    }
    Ok(transition)
}

/// Who shares its name with others, or has none, is called by its identifier.
fn name_places(content: &Content<'_>, net: &mut Net) -> Result<(), Wrong> {
    let mut count: HashMap<&str, u32> = HashMap::new();
    for name in &net.places {
        *count.entry(name).or_default() += 1;
    }
    let mut names = Vec::with_capacity(net.places.len());
    for (&node, name) in content.places.iter().zip(&net.places) {
        names.push(match count[name.as_str()] {
            1 => name.clone(),
            _ => attribute(node, "id")?.to_owned(),
        });
    }
    net.places = distinct(&names, str::to_owned);
    Ok(())
}

impl<'d> Content<'d> {
    /// What is at an end of an arc.
    fn end(&self, arc: Node<'d, 'd>, which: &str) -> Result<Object<'d>, Wrong> {
        let first = attribute(arc, which)?;
        let mut id = first;
        for _ in 0..MOST_REFERENCES {
            match self.known.get(id) {
                Some((Object::Reference(next), _)) => id = next,
                Some(&(object, _)) => return Ok(object),
                None => {
                    let message = format!("nothing has the identifier `{id}`");
                    let mut error = at(arc, message, &format!("the {which} is unknown"));
                    if let Some(similar) = nearest(id, self.known.keys().copied()) {
                        error = error.help(format!("there is `{similar}`"));
                    }
                    return Err(error.into());
                }
            }
        }
        let message = format!("`{first}` refers to something else again and again");
        Err(wrong(arc, &message, "it stands for nothing"))
    }
}

/// Whether an arc carries tokens; others are noted.
fn is_normal(arc: Node<'_, '_>, findings: &mut Findings) -> bool {
    let children = elements(arc).filter(|&child| is(child, "type"));
    let children = children.filter_map(|child| child.attribute("value").or(child.text()));
    let kinds = arc.attribute("type").into_iter().chain(children);
    match kinds.map(str::trim).find(|&kind| kind != "normal") {
        None => true,
        Some("inhibitor") => {
            let message = "an inhibitor arc is not monotone";
            let label = "it asks for a place without tokens";
            let obstacle = at(arc, message, label).help("without the arc, more is possible");
            findings.obstacles.push(obstacle);
            false
        }
        Some(kind) => {
            let message = format!("arcs of the type `{kind}` are not supported");
            findings
                .unsupported
                .push(at(arc, message, "not a normal arc"));
            false
        }
    }
}

/// The child with this name. All others must be without effect; who is not is noted.
fn child<'d>(node: Node<'d, 'd>, wanted: &str, findings: &mut Findings) -> Option<Node<'d, 'd>> {
    let mut found = None;
    for child in elements(node) {
        match child.tag_name().name() {
            name if name == wanted => found = Some(child),
            name if changes_nothing(name) => {}
            "type" if is(node, "arc") => {}
            name => findings.unsupported.push(surplus(child, name)),
        }
    }
    found
}

fn changes_nothing(element: &str) -> bool {
    matches!(element, "name" | "graphics" | "toolspecific")
}

fn surplus(node: Node<'_, '_>, name: &str) -> Diagnostic {
    let message = format!("`{name}` is not supported");
    at(node, message, "it may change what the net does")
}

/// The name of an object, or its identifier.
fn title(node: Node<'_, '_>) -> Result<String, Wrong> {
    let name = elements(node).find(|&child| is(child, "name"));
    let name = name.and_then(|name| inner_text(name).text());
    match name.filter(|name| !name.trim().is_empty()) {
        Some(name) => Ok(name.to_owned()),
        None => Ok(attribute(node, "id")?.to_owned()),
    }
}

/// The `text` in an element, or the element if there is none.
fn inner_text<'d>(node: Node<'d, 'd>) -> Node<'d, 'd> {
    let mut texts = elements(node).filter(|&child| is(child, "text"));
    texts.next().unwrap_or(node)
}

fn inner_number(node: Node<'_, '_>) -> Result<u32, Wrong> {
    let text = inner_text(node);
    let digits = text.text().unwrap_or_default().trim();
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    match is_number {
        true => number(digits, &text.range()),
        false => Err(wrong(text, "this is not a number", "expected a number")),
    }
}

fn attribute<'d>(node: Node<'d, 'd>, name: &str) -> Result<&'d str, Wrong> {
    node.attribute(name).ok_or_else(|| {
        let message = format!("`{}` has no `{name}`", node.tag_name().name());
        wrong(node, &message, "missing here")
    })
}

fn elements<'d>(node: Node<'d, 'd>) -> impl Iterator<Item = Node<'d, 'd>> {
    node.children().filter(|child| child.is_element())
}

/// Names are compared without their namespace, which older files do not have.
fn is(node: Node<'_, '_>, name: &str) -> bool {
    node.tag_name().name() == name
}

/// Where an element begins: its tag, without what is inside.
fn head(node: Node<'_, '_>) -> Span {
    let range = node.range();
    let text = node.document().input_text();
    let tag = text.get(range.clone()).unwrap_or_default();
    let length = tag.find('>').map_or(tag.len(), |end| end + 1);
    range.start..range.start + length
}

fn at(node: Node<'_, '_>, message: impl Into<String>, label: &str) -> Diagnostic {
    Diagnostic::new(head(node), message, label)
}

fn wrong(node: Node<'_, '_>, message: &str, label: &str) -> Wrong {
    at(node, message, label).into()
}
