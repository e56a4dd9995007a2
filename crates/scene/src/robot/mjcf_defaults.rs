//! Defaults of MJCF: classes of attributes that elements take where they have none of their own.

use std::collections::BTreeMap;

use roxmltree::{Attribute, Node};

use super::xml::{Answer, Notes, attribute, children, needed, wrong, wrong_attribute};

/// The class that everything without a class has, where it has no other name.
const MAIN: &str = "main";

/// Classes in classes at most [-]: every attribute is searched for in all of them.
const MAX_DEFAULT_NESTING: usize = 100;

/// Classes by name, each with the class around it and its elements by name.
pub(super) struct Defaults<'a, 'i> {
    /// What the outermost class is called.
    main: &'a str,
    classes: BTreeMap<&'a str, Class<'a, 'i>>,
}

struct Class<'a, 'i> {
    around: Option<&'a str>,
    elements: BTreeMap<&'a str, Node<'a, 'i>>,
}

/// An element with the class that its attributes come from where it has none.
#[derive(Clone, Copy)]
pub(super) struct Element<'d, 'a, 'i> {
    pub(super) node: Node<'a, 'i>,
    defaults: &'d Defaults<'a, 'i>,
    class: &'a str,
}

impl<'a, 'i> Defaults<'a, 'i> {
    /// Reads all `<default>` of a model.
    pub(super) fn read(root: &Node<'a, 'i>, notes: &mut Notes<'_>) -> Answer<Self> {
        let mut defaults = Self { main: MAIN, classes: BTreeMap::new() };
        for node in children(root).filter(|node| node.has_tag_name("default")) {
            defaults.main = node.attribute("class").unwrap_or(defaults.main);
            defaults.add_tree(node, notes)?;
        }
        Ok(defaults)
    }

    /// Adds a class with all that are in it, the outer ones first.
    fn add_tree(&mut self, node: Node<'a, 'i>, notes: &mut Notes<'_>) -> Answer<()> {
        let mut waiting = vec![(node, self.main, None, 1)];
        while let Some((node, name, around, depth)) = waiting.pop() {
            if depth > MAX_DEFAULT_NESTING {
                let message = format!("default classes are nested more than {MAX_DEFAULT_NESTING} deep here");
                return Err(wrong(&node, message).with_help("put classes side by side"));
            }
            self.add(&node, name, around, notes);
            let inner: Vec<_> = children(&node).filter(|inner| inner.has_tag_name("default")).collect();
            for inner in inner.into_iter().rev() {
                waiting.push((inner, needed(&inner, "class")?.value(), Some(name), depth + 1));
            }
        }
        Ok(())
    }

    fn add(&mut self, node: &Node<'a, 'i>, name: &'a str, around: Option<&'a str>, notes: &mut Notes<'_>) {
        let elements = children(node).filter(|inner| !inner.has_tag_name("default"));
        let elements: BTreeMap<&'a str, Node<'a, 'i>> =
            elements.map(|inner| (inner.tag_name().name(), inner)).collect();
        for (tag, inner) in &elements {
            match *tag {
                "geom" | "joint" | "mesh" => {}
                "material" | "site" | "camera" | "light" => notes.looks(inner),
                _ => notes.element(inner, "defaults are read for geom, joint and mesh"),
            }
        }
        let known = self.classes.entry(name).or_insert(Class { around, elements: BTreeMap::new() });
        known.elements.extend(elements);
    }

    /// An element, with its own class or that of the body around it.
    pub(super) fn element<'d>(
        &'d self,
        node: Node<'a, 'i>,
        childclass: Option<&'a str>,
    ) -> Answer<Element<'d, 'a, 'i>> {
        let own = attribute(&node, "class");
        let class = own.as_ref().map(Attribute::value).or(childclass).unwrap_or(self.main);
        if let Some(own) = own
            && class != self.main
            && !self.classes.contains_key(class)
        {
            return Err(wrong_attribute(&own, format!("there is no default class '{class}'")));
        }
        Ok(Element { node, defaults: self, class })
    }
}

impl<'a, 'i> Element<'_, 'a, 'i> {
    /// An attribute: its own, else that of its class, else that of the classes around it.
    pub(super) fn attribute(&self, name: &str) -> Option<Attribute<'a, 'i>> {
        if let Some(own) = attribute(&self.node, name) {
            return Some(own);
        }
        let tag = self.node.tag_name().name();
        let mut class = self.defaults.classes.get(self.class);
        while let Some(here) = class {
            if let Some(found) = here.elements.get(tag).and_then(|node| attribute(node, name)) {
                return Some(found);
            }
            class = here.around.and_then(|around| self.defaults.classes.get(around));
        }
        None
    }

    /// All elements whose attributes count for this one, itself first.
    pub(super) fn sources(&self) -> Vec<Node<'a, 'i>> {
        let mut sources = vec![self.node];
        let mut class = self.defaults.classes.get(self.class);
        while let Some(here) = class {
            sources.extend(here.elements.get(self.node.tag_name().name()));
            class = here.around.and_then(|around| self.defaults.classes.get(around));
        }
        sources
    }
}
