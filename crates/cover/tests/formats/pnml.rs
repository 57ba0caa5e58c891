use crate::{KITCHEN, malformed, named, shown, unsupported};
use raddle_cover::Net;
use raddle_cover::formats::{Parsed, pnml};

fn net(text: &str) -> Net {
    let Parsed { net, obstacles, .. } = pnml::parse(text).unwrap();
    assert_eq!((obstacles, net.defect()), (vec![], None));
    net
}

/// A file with this in its net.
fn with(inside: &str) -> String {
    format!(
        "<pnml><net id='n' type='http://www.pnml.org/version-2009/grammar/ptnet'>\
         <place id='p'/><place id='q'/><transition id='t'/>{inside}</net></pnml>"
    )
}

#[test]
fn an_example_is_read() {
    let net = net(KITCHEN);
    assert_eq!(net.places.join(" "), "idle chopping frying knives stove");
    assert_eq!(net.least, [2, 0, 0, 2, 1]);
    assert_eq!(net.most, net.least);
    assert!(net.targets.is_empty());
    let rules = net.transitions.iter().map(|rule| {
        let changes = rule.updates.iter().map(|update| {
            assert_eq!(update.sources, [update.place]);
            format!("{}{:+}", net.places[update.place.index()], update.delta)
        });
        let changes: Vec<String> = changes.collect();
        format!(
            "{}: {} -> {}",
            rule.name,
            named(&net, &rule.guard),
            changes.join(" ")
        )
    });
    assert_eq!(
        rules.collect::<Vec<_>>(),
        [
            "chop: idle:1 knives:2 -> idle-1 chopping+1 knives-2",
            "fry: chopping:1 stove:1 -> chopping-1 frying+1 knives+2 stove-1",
            "serve: frying:1 -> idle+1 frying-1 stove+1",
        ]
    );
}

#[test]
fn arcs_between_the_same_two_are_added_up() {
    let text = with(
        "<arc id='a' source='p' target='t'/>\
         <arc id='b' source='p' target='t'><inscription><text>2</text></inscription></arc>\
         <arc id='c' source='t' target='p'/>\
         <arc id='d' source='q' target='t'/><arc id='e' source='t' target='q'/>",
    );
    let net = net(&text);
    assert_eq!(named(&net, &net.transitions[0].guard), "p:3 q:1");
    assert_eq!(net.transitions[0].updates.len(), 1);
    assert_eq!(net.transitions[0].updates[0].delta, -2);
}

#[test]
fn who_shares_a_name_is_called_by_its_identifier() {
    let text = with(
        "<place id='a'><name><text>x</text></name></place>\
         <place id='b'><name><text>x</text></name></place>\
         <place id='c'><name><text>a</text></name></place>\
         <place id='d'><name><text> </text></name></place>",
    );
    assert_eq!(net(&text).places.join(" "), "p q a b a_4 d");
}

#[test]
fn inhibitor_arcs_are_obstacles() {
    for inside in [
        "<arc id='a' source='p' target='t' type='inhibitor'/>",
        "<arc id='a' source='p' target='t'><type value='inhibitor'/></arc>",
    ] {
        let text = with(inside);
        let Parsed { net, obstacles, .. } = pnml::parse(&text).unwrap();
        let tag = &inside[..inside.find('>').unwrap() + 1];
        assert_eq!(
            shown(&text, &obstacles),
            [format!(
                "[{tag}] an inhibitor arc is not monotone: it asks for a place without tokens \
                 (without the arc, more is possible)"
            )]
        );
        assert!(net.transitions[0].guard.is_empty());
    }
}

#[test]
fn what_may_matter_is_not_supported() {
    let cases = [
        (
            "<arc id='a' source='p' target='t' type='reset'/>",
            "[<arc id='a' source='p' target='t' type='reset'/>] arcs of the type `reset` are not supported: not a normal arc",
        ),
        (
            "<place id='x'><capacity><text>1</text></capacity></place>",
            "[<capacity>] `capacity` is not supported: it may change what the net does",
        ),
        (
            "<transition id='x'><condition/></transition>",
            "[<condition/>] `condition` is not supported: it may change what the net does",
        ),
        (
            "<arc id='a' source='p' target='t'><hlinscription/></arc>",
            "[<hlinscription/>] `hlinscription` is not supported: it may change what the net does",
        ),
        (
            "<clock/>",
            "[<clock/>] `clock` is not supported: it may change what the net does",
        ),
        (
            "</net><net id='m' type='ptnet'>",
            "[<net id='m' type='ptnet'>] the file has several nets: only one is supported",
        ),
    ];
    for (inside, error) in cases {
        let text = with(inside);
        assert_eq!(unsupported(&text, pnml::parse(&text)), [error]);
    }
    let text = "<pnml><net id='n' type='x/symmetricnet'><place id='p'/></net></pnml>";
    assert_eq!(
        unsupported(text, pnml::parse(text)),
        [
            "[<net id='n' type='x/symmetricnet'>] nets of the type `x/symmetricnet` are not supported: expected a place/transition net"
        ]
    );
}

#[test]
fn errors_point_to_what_is_wrong() {
    let cases = [
        (
            "<arc id='a' source='p' target='u'/>",
            "[<arc id='a' source='p' target='u'/>] nothing has the identifier `u`: the target is unknown",
        ),
        (
            "<place id='kitchen'/><arc id='a' source='kitchne' target='t'/>",
            "[<arc id='a' source='kitchne' target='t'/>] nothing has the identifier `kitchne`: the source is unknown (there is `kitchen`)",
        ),
        (
            "<arc id='a' source='p' target='q'/>",
            "[<arc id='a' source='p' target='q'/>] an arc goes from a place to a transition, or back: both ends are of a kind",
        ),
        (
            "<arc id='a' source='p'/>",
            "[<arc id='a' source='p'/>] `arc` has no `target`: missing here",
        ),
        ("<place/>", "[<place/>] `place` has no `id`: missing here"),
        (
            "<place id='p'/>",
            "[<place id='p'/>] the identifier `p` is there twice: again",
        ),
        (
            "<referencePlace id='r'/>",
            "[<referencePlace id='r'/>] `referencePlace` has no `ref`: missing here",
        ),
        (
            "<referencePlace id='r' ref='s'/><referencePlace id='s' ref='r'/><arc id='a' source='t' target='r'/>",
            "[<arc id='a' source='t' target='r'/>] `r` refers to something else again and again: it stands for nothing",
        ),
        (
            "<arc id='a' source='p' target='t'><inscription><text>many</text></inscription></arc>",
            "[<text>] this is not a number: expected a number",
        ),
        (
            "<place id='x'><initialMarking><text>-1</text></initialMarking></place>",
            "[<text>] this is not a number: expected a number",
        ),
        (
            "<place id='x'><initialMarking/></place>",
            "[<initialMarking/>] this is not a number: expected a number",
        ),
        (
            "<place id='x'><initialMarking><text>5000000000</text></initialMarking></place>",
            "[<text>5000000000</text>] this number is too large: at most 1073741824 is possible",
        ),
    ];
    for (inside, error) in cases {
        let text = with(inside);
        assert_eq!(malformed(&text, pnml::parse(&text)), [error], "in {inside}");
    }
    let arcs = (0..3).map(|id| {
        format!("<arc id='{id}' source='t' target='p'><inscription><text>1073741824</text></inscription></arc>")
    });
    let text = with(&arcs.collect::<String>());
    assert_eq!(
        malformed(&text, pnml::parse(&text)),
        [
            "[<transition id='t'/>] the weights of the arcs are too large: at most 1073741824 is possible"
        ]
    );
    let text = "<html/>";
    assert_eq!(
        malformed(text, pnml::parse(text)),
        ["[<html/>] this is no net in PNML: expected `pnml` with a `net`"]
    );
}

#[test]
fn xml_that_is_not_readable_has_a_place() {
    let text = "<pnml>\n  <nét a=1/>\n</pnml>";
    let errors = malformed(text, pnml::parse(text));
    assert_eq!(errors.len(), 1);
    let Err(raddle_cover::formats::FormatError::Malformed(errors)) = pnml::parse(text) else {
        unreachable!()
    };
    assert_eq!(&text[errors[0].span.start..][..1], "1");
}

#[test]
fn documents_cannot_explode() {
    let bomb = "<!DOCTYPE pnml [<!ENTITY a 'x'><!ENTITY b '&a;&a;'>]><pnml>&b;</pnml>";
    assert!(malformed(bomb, pnml::parse(bomb))[0].contains("DTD"));
    let pages = "<page id='x'>".repeat(100_000);
    let deep = with(&format!(
        "{pages}<place id='z'/>{}",
        "</page>".repeat(100_000)
    ));
    match pnml::parse(&deep) {
        Ok(parsed) => assert_eq!(parsed.net.places.len(), 3),
        Err(trouble) => panic!("{trouble:?}"),
    }
}
