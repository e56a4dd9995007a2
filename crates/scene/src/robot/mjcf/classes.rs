//! Default classes: attributes that elements take where they have none of their own.
//!
//! In: all `<default>` of a model. Out: for every class and kind of element its attributes, those of the classes around it included.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::attributes::ORIENTATIONS;
use super::document::{Answer, Attr, Document, Node};

/// The class that everything without a class has, where it has no other name.
const MAIN: &str = "main";

/// Classes in classes at most [-].
const MAX_DEFAULT_NESTING: usize = 100;

/// Lists of numbers of which the last ones may be left out: those of the class remain.
const PARTIAL: [&str; 9] =
    ["size", "friction", "gear", "gainprm", "biasprm", "dynprm", "polycoef", "solref", "solimp"];

/// Attributes by kind of element.
type Elements = BTreeMap<&'static str, Vec<Attr>>;

/// A class that waits to be read: its element, its name, that of the class around it, and how deep it is.
type Waiting<'a> = (&'a Node, Arc<str>, Option<Arc<str>>, usize);

/// Classes by name.
#[derive(Debug)]
pub(super) struct Classes {
    main: Arc<str>,
    classes: BTreeMap<Arc<str>, Elements>,
}

/// The kind under which an element finds its defaults: all actuators share theirs, as do all tendons and all equalities.
fn kind(tag: &str, section: &str) -> Option<&'static str> {
    Some(match (section, tag) {
        ("equality", _) | (_, "equality" | "connect" | "weld") => "equality",
        ("sensor", _) => return None,
        (_, "tendon" | "spatial" | "fixed") => "tendon",
        ("actuator", _)
        | (
            _,
            "general" | "motor" | "position" | "velocity" | "intvelocity" | "damper" | "cylinder" | "muscle"
            | "adhesion" | "dcmotor" | "plugin",
        ) => "actuator",
        (_, "geom") => "geom",
        (_, "joint") => "joint",
        (_, "mesh") => "mesh",
        (_, "site") => "site",
        (_, "pair") => "pair",
        _ => return None,
    })
}

/// The attributes of a class with those of an element over them.
fn merged(class: &[Attr], own: &[Attr]) -> Vec<Attr> {
    let is_oriented = own.iter().any(|attr| ORIENTATIONS.contains(&&*attr.name));
    let is_own = |name: &str| own.iter().any(|attr| &*attr.name == name);
    // Damping is given in one way; that of the element counts.
    let is_replaced = |name: &str| match name {
        "kv" => is_own("dampratio"),
        "dampratio" => is_own("kv"),
        _ => is_own(name),
    };
    let kept = class.iter().filter(|attr| {
        let is_left_out = is_replaced(&attr.name) || is_oriented && ORIENTATIONS.contains(&&*attr.name);
        !is_left_out && &*attr.name != "class"
    });
    let mut all: Vec<Attr> = kept.cloned().collect();
    for attr in own.iter().filter(|attr| &*attr.name != "class") {
        let mut attr = attr.clone();
        if PARTIAL.contains(&&*attr.name)
            && let Some(of_class) = class.iter().find(|other| other.name == attr.name)
        {
            let count = attr.value.split_whitespace().count();
            let rest: Vec<&str> = of_class.value.split_whitespace().skip(count).collect();
            if !rest.is_empty() {
                attr.value = format!("{} {}", attr.value, rest.join(" ")).into();
            }
        }
        all.push(attr);
    }
    all
}

impl Classes {
    /// Reads all `<default>` of a model, the outer ones first.
    pub(super) fn read(document: &Document) -> Answer<Self> {
        let mut classes = Self { main: MAIN.into(), classes: BTreeMap::new() };
        let mut waiting: Vec<Waiting<'_>> = Vec::new();
        for node in document.sections("default") {
            if let Some(class) = node.attr("class") {
                classes.main = class.value.clone();
            }
        }
        let top: Vec<&Node> = document.sections("default").collect();
        waiting.extend(top.into_iter().rev().map(|node| (node, classes.main.clone(), None, 1)));
        while let Some((node, name, around, depth)) = waiting.pop() {
            if depth > MAX_DEFAULT_NESTING {
                let message = format!("default classes are nested more than {MAX_DEFAULT_NESTING} deep here");
                return Err(node.spot.wrong(message).with_help("put classes side by side"));
            }
            let around = around.and_then(|around| classes.classes.get(&around)).cloned().unwrap_or_default();
            let mut here = classes.classes.remove(&name).unwrap_or(around);
            let children = node.children.iter().map(|child| &document.nodes[*child]);
            for inner in children.clone().filter(|inner| &*inner.tag != "default") {
                if let Some(kind) = kind(&inner.tag, "") {
                    let attrs = here.entry(kind).or_default();
                    *attrs = merged(attrs, &inner.attrs);
                }
            }
            classes.classes.insert(name.clone(), here);
            let inner: Vec<&Node> = children.filter(|inner| &*inner.tag == "default").collect();
            for inner in inner.into_iter().rev() {
                let Some(class) = inner.attr("class") else {
                    let error = inner.spot.wrong("<default> needs 'class'");
                    return Err(error.with_help(
                        "write <default class=\"...\">; only the outermost one may have no name",
                    ));
                };
                waiting.push((inner, class.value.clone(), Some(name.clone()), depth + 1));
            }
        }
        Ok(classes)
    }

    /// The attributes of an element with those of its own class, or else that of the body around it.
    pub(super) fn attributes(
        &self,
        node: &Node,
        section: &str,
        childclass: Option<&Arc<str>>,
    ) -> Answer<Vec<Attr>> {
        let own = node.attr("class");
        let class = own.map(|own| &own.value).or(childclass).unwrap_or(&self.main);
        let elements = self.classes.get(class);
        if let Some(own) = own
            && elements.is_none()
            && *class != self.main
        {
            let known: Vec<&str> = self.classes.keys().map(|name| &**name).collect();
            let error = own.spot.wrong(format!("there is no default class '{class}'"));
            return Err(match zerogap_core::text::nearest(class, &known) {
                Some(meant) => error.with_help(format!("did you mean '{meant}'?")),
                None => error.with_help("a class is made by <default class=\"...\"> in <default>; a part of a model needs those of the model that includes it"),
            });
        }
        let of_class = kind(&node.tag, section).and_then(|kind| elements?.get(kind));
        Ok(merged(of_class.map_or(&[], Vec::as_slice), &node.attrs))
    }
}

impl Classes {
    /// Refuses a class that is not there.
    pub(super) fn check(&self, class: &Attr) -> Answer<()> {
        if class.value == self.main || self.classes.contains_key(&class.value) {
            return Ok(());
        }
        let known: Vec<&str> = self.classes.keys().map(|name| &**name).collect();
        let error = class.spot.wrong(format!("there is no default class '{}'", class.value));
        Err(match zerogap_core::text::nearest(&class.value, &known) {
            Some(meant) => error.with_help(format!("did you mean '{meant}'?")),
            None => error.with_help("a class is made by <default class=\"...\"> in <default>; a part of a model needs those of the model that includes it"),
        })
    }
}
