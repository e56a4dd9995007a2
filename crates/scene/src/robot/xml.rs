//! Elements and attributes of an XML file with their places, and what of them was left unread.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use roxmltree::{Attribute, Node, TextPos};

use crate::error::SceneError;

pub(super) type Answer<T> = Result<T, SceneError>;

/// Where the name of an element stands.
pub(super) fn name_place(node: &Node<'_, '_>) -> Range<usize> {
    let start = node.range().start + 1;
    start..start + node.tag_name().name().len()
}

/// The place of a line and a column.
pub(super) fn place_of(text: &str, at: TextPos) -> Range<usize> {
    let line =
        text.split_inclusive('\n').take(at.row.saturating_sub(1) as usize).map(str::len).sum::<usize>();
    let rest = text.get(line..).unwrap_or_default();
    let column =
        rest.char_indices().nth(at.col.saturating_sub(1) as usize).map_or(rest.len(), |(byte, _)| byte);
    line + column..(line + column + 1).min(text.len())
}

/// That something is wrong with an element.
pub(super) fn wrong(node: &Node<'_, '_>, message: impl Into<String>) -> SceneError {
    SceneError::at(name_place(node), message)
}

/// That something is wrong with an attribute.
pub(super) fn wrong_attribute(attribute: &Attribute<'_, '_>, message: impl Into<String>) -> SceneError {
    SceneError::at(attribute.range(), message)
}

/// That an attribute is missing.
pub(super) fn missing(node: &Node<'_, '_>, name: &str) -> SceneError {
    let tag = node.tag_name().name();
    wrong(node, format!("<{tag}> needs '{name}'")).with_help(format!("write <{tag} {name}=\"...\" ...>"))
}

/// The numbers of an attribute.
pub(super) fn numbers(attribute: &Attribute<'_, '_>) -> Answer<Vec<f64>> {
    let number = |word: &str| word.parse::<f64>().ok().filter(|x| x.is_finite());
    attribute.value().split_whitespace().map(number).collect::<Option<_>>().ok_or_else(|| {
        let message = format!("'{}' must be numbers with blanks between them", attribute.name());
        if attribute.value().contains("$(") || attribute.value().contains("${") {
            let message = format!(
                "'{}' has a substitution that was not expanded: {}",
                attribute.name(),
                attribute.value()
            );
            return wrong_attribute(attribute, message)
                .with_help("expand the file with ROS: xacro FILE > robot.urdf, or write the numbers");
        }
        wrong_attribute(attribute, message).with_help(format!("write {}=\"0 0 1\"", attribute.name()))
    })
}

/// Exactly so many numbers of an attribute.
pub(super) fn exactly<const N: usize>(attribute: &Attribute<'_, '_>) -> Answer<[f64; N]> {
    let list = numbers(attribute)?;
    let count = list.len();
    list.try_into().map_err(|_| {
        let message = format!("'{}' has {count} numbers, but needs {N}", attribute.name());
        wrong_attribute(attribute, message)
    })
}

/// The attribute of an element.
pub(super) fn attribute<'a, 'i>(node: &Node<'a, 'i>, name: &str) -> Option<Attribute<'a, 'i>> {
    node.attribute_node(name)
}

/// The attribute of an element that must be there.
pub(super) fn needed<'a, 'i>(node: &Node<'a, 'i>, name: &str) -> Answer<Attribute<'a, 'i>> {
    attribute(node, name).ok_or_else(|| missing(node, name))
}

/// The child elements.
pub(super) fn children<'a, 'i>(node: &Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(Node::is_element)
}

/// The first child of a name.
pub(super) fn child<'a, 'i>(node: &Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    children(node).find(|child| child.tag_name().name() == name)
}

/// What was left unread: each name once, with its first line and how often it came.
pub(super) struct Notes<'a> {
    file: String,
    text: &'a str,
    found: BTreeMap<String, (usize, usize, &'static str)>,
    /// Warnings as they are, each once.
    said: BTreeSet<String>,
}

/// Elements of a file that change the appearance only.
const LOOKS: &str = "changes the appearance only";

impl<'a> Notes<'a> {
    pub(super) fn new(path: &Path, text: &'a str) -> Self {
        let file = path.file_name().map_or("robot".to_owned(), |name| name.to_string_lossy().into_owned());
        Self { file, text, found: BTreeMap::new(), said: BTreeSet::new() }
    }

    /// Notes that something is not read, and why.
    pub(super) fn unread(&mut self, what: String, place: &Range<usize>, why: &'static str) {
        let text = self.text;
        // Lines are counted for the first of each name alone: a large file may have the same one everywhere.
        let line = || text.get(..place.start).map_or(1, |before| before.matches('\n').count() + 1);
        self.found.entry(what).or_insert_with(|| (line(), 0, why)).1 += 1;
    }

    /// Notes a warning that is a sentence already.
    pub(super) fn say(&mut self, warning: String) {
        self.said.insert(warning);
    }

    /// Notes that an element is not read.
    pub(super) fn element(&mut self, node: &Node<'_, '_>, why: &'static str) {
        self.unread(format!("<{}>", node.tag_name().name()), &name_place(node), why);
    }

    /// Notes that an element is not read since it changes the appearance only.
    pub(super) fn looks(&mut self, node: &Node<'_, '_>) {
        self.element(node, LOOKS);
    }

    /// Notes every attribute of an element that is neither read nor about appearance.
    pub(super) fn attributes(&mut self, node: &Node<'_, '_>, read: &[&str], looks: &[&str]) {
        for attribute in node.attributes() {
            let name = attribute.name();
            if !read.contains(&name) {
                let why = if looks.contains(&name) { LOOKS } else { "" };
                let what = format!("'{name}' of <{}>", node.tag_name().name());
                self.unread(what, &attribute.range(), why);
            }
        }
    }

    /// The warnings: appearance in one, everything else in one each.
    pub(super) fn finish(self) -> Vec<String> {
        let (looks, other): (Vec<_>, Vec<_>) = self.found.into_iter().partition(|(_, note)| note.2 == LOOKS);
        let line = |(what, (line, count, why)): (String, (usize, usize, &'static str))| {
            let times = if count > 1 { format!(" ({count} times)") } else { String::new() };
            let why = if why.is_empty() { String::new() } else { format!(": {why}") };
            format!("{}:{line}: {what} is not read{why}{times}", self.file)
        };
        let mut warnings: Vec<String> = other.into_iter().map(line).collect();
        if !looks.is_empty() {
            let names: Vec<&str> = looks.iter().map(|(what, _)| what.as_str()).collect();
            warnings.push(format!("{}: appearance is not read: {}", self.file, names.join(", ")));
        }
        warnings.extend(self.said);
        warnings
    }
}

/// A name with its place.
#[derive(Debug, Clone)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) spot: super::mjcf::document::Spot,
}
