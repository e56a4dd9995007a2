//! Stage 1: files to one tree of elements, with included files in place of what names them.
//!
//! In: a path and its text. Out: a [`Document`], in which every element and attribute knows its file and place. Nodes stand in one list, so that neither reading nor dropping depends on how deep they are nested.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use zerogap_core::files;

use crate::error::SceneError;
use crate::places::Origin;
use crate::robot::xml::{name_place, place_of};

pub(in crate::robot) type Answer<T> = Result<T, SceneError>;

/// Elements of a model with all that it includes at most [-].
const MAX_ELEMENTS: usize = 2_000_000;

/// Files of a model at most [-].
const MAX_FILES: usize = 1000;

/// Where something stands.
#[derive(Debug, Clone)]
pub(in crate::robot) struct Spot {
    pub(in crate::robot) origin: Arc<Origin>,
    pub(in crate::robot) span: Range<usize>,
}

impl Spot {
    /// What is wrong there.
    pub(in crate::robot) fn wrong(&self, message: impl Into<String>) -> SceneError {
        let error = SceneError::at(self.span.clone(), message);
        SceneError { file: Some(self.origin.file.clone()), text: Some(self.origin.text.clone()), ..error }
    }

    /// As `robot.xml:12`.
    pub(in crate::robot) fn line(&self) -> String {
        let before = self.origin.text.get(..self.span.start).unwrap_or_default();
        let name =
            self.origin.file.file_name().map_or("robot".into(), |name| name.to_string_lossy().into_owned());
        format!("{name}:{}", before.matches('\n').count() + 1)
    }
}

/// An attribute.
#[derive(Debug, Clone)]
pub(in crate::robot) struct Attr {
    pub(in crate::robot) name: Arc<str>,
    pub(in crate::robot) value: Arc<str>,
    pub(in crate::robot) spot: Spot,
}

/// An element.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) tag: Arc<str>,
    pub(super) attrs: Vec<Attr>,
    pub(super) children: Vec<usize>,
    pub(super) spot: Spot,
}

impl Node {
    pub(super) fn attr(&self, name: &str) -> Option<&Attr> {
        self.attrs.iter().find(|attr| &*attr.name == name)
    }
}

/// A model with all that it includes; the first node is the root.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) nodes: Vec<Node>,
    /// The folder that file names are relative to.
    pub(super) folder: PathBuf,
}

impl Document {
    pub(super) fn root(&self) -> &Node {
        &self.nodes[0]
    }

    /// Children of the root of a name.
    pub(super) fn sections<'a>(&'a self, tag: &'a str) -> impl Iterator<Item = &'a Node> + 'a {
        self.root().children.iter().map(|child| &self.nodes[*child]).filter(move |node| &*node.tag == tag)
    }

    /// Reads a model.
    pub(super) fn read(path: &Path, text: &str) -> Answer<Self> {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let mut document = Self { nodes: Vec::new(), folder };
        let mut files = vec![path.to_owned()];
        document.add_file(path, text, None, &mut files)?;
        Ok(document)
    }

    /// Adds the elements of a file: its root, or where it is included what is in its root.
    fn add_file(
        &mut self,
        path: &Path,
        text: &str,
        into: Option<usize>,
        files: &mut Vec<PathBuf>,
    ) -> Answer<()> {
        let origin = Arc::new(Origin { file: path.to_owned(), text: text.to_owned() });
        let parsed = roxmltree::Document::parse(text).map_err(|error| {
            let spot = Spot { origin: origin.clone(), span: place_of(text, error.pos()) };
            spot.wrong(format!("this is not XML: {error}"))
        })?;
        // Elements that wait, the first last, and what they belong to.
        let root = parsed.root_element();
        let elements = |node: roxmltree::Node<'_, '_>| -> Vec<_> {
            node.children().filter(roxmltree::Node::is_element).map(|child| child.id()).collect()
        };
        let mut waiting: Vec<(roxmltree::NodeId, Option<usize>)> = match into {
            None => vec![(root.id(), None)],
            Some(_) => elements(root).into_iter().rev().map(|id| (id, into)).collect(),
        };
        while let Some((id, parent)) = waiting.pop() {
            let Some(node) = parsed.get_node(id) else { continue };
            let spot = Spot { origin: origin.clone(), span: name_place(&node) };
            if node.has_tag_name("include") {
                self.include(&node, &spot, parent, files)?;
                continue;
            }
            if self.nodes.len() >= MAX_ELEMENTS {
                let message = format!("a model has {MAX_ELEMENTS} elements at most, and this is one more");
                return Err(spot.wrong(message).with_help("write fewer elements, or take <replicate>"));
            }
            let attrs = node.attributes().map(|attr| Attr {
                name: attr.name().into(),
                value: attr.value().into(),
                spot: Spot { origin: origin.clone(), span: attr.range() },
            });
            let number = self.nodes.len();
            let tag = node.tag_name().name().into();
            self.nodes.push(Node { tag, attrs: attrs.collect(), children: Vec::new(), spot });
            if let Some(parent) = parent {
                self.nodes[parent].children.push(number);
            }
            waiting.extend(elements(node).into_iter().rev().map(|id| (id, Some(number))));
        }
        Ok(())
    }

    /// Puts what is in another file in the place of an `<include>`.
    fn include(
        &mut self,
        node: &roxmltree::Node<'_, '_>,
        spot: &Spot,
        parent: Option<usize>,
        files: &mut Vec<PathBuf>,
    ) -> Answer<()> {
        let Some(name) = node.attribute_node("file") else {
            return Err(spot
                .wrong("<include> needs 'file'")
                .with_help("write <include file=\"other.xml\"/>"));
        };
        let at = Spot { origin: spot.origin.clone(), span: name.range() };
        let around = spot.origin.file.parent().unwrap_or(Path::new(""));
        let path = [self.folder.as_path(), around].map(|folder| folder.join(name.value()));
        let path = path.iter().find(|path| path.exists()).unwrap_or(&path[0]).clone();
        if files.contains(&path) {
            let message = format!("{} is included a second time, or includes itself", path.display());
            return Err(at.wrong(message).with_help("include a file once"));
        }
        if files.len() >= MAX_FILES {
            return Err(at.wrong(format!("a model has {MAX_FILES} files at most, and this is one more")));
        }
        files.push(path.clone());
        let text = files::read_text(&path, files::MAX_SCENE).map_err(|error| {
            at.wrong(format!("{} cannot be read: {error}", path.display()))
                .with_help("the name of an included file is relative to the folder of the model")
        })?;
        self.add_file(&path, &text, parent.or(Some(0)), files)
    }
}
