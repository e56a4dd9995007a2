//! Stage 2: a model without classes, frames, replicas and attached models.
//!
//! In: a [`Document`]. Out: a [`Flat`] model: bodies with what is in them, and the other sections, in which every element has all its attributes, its pose among its frames, and the settings it was written under.
//! Names of attached models get a prefix, those of replicas a suffix; what refers to a replicated name is replicated with it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use zerogap_core::{Pose, Vec3, files};

use super::attributes::{Attributes, euler};
use super::classes::Classes;
use super::document::{Answer, Attr, Document, Node, Spot};
use super::settings::Settings;

/// Bodies in bodies at most [-].
const MAX_BODY_NESTING: usize = 10_000;

/// Replicas in replicas, and models in models, at most [-].
const MAX_NESTING: usize = 30;

/// Elements of a model after replication at most [-].
const MAX_ITEMS: usize = 2_000_000;

/// Attributes that name other elements.
const REFERENCES: [&str; 26] = [
    "joint",
    "joint1",
    "joint2",
    "jointinparent",
    "body",
    "body1",
    "body2",
    "geom",
    "geom1",
    "geom2",
    "site",
    "site1",
    "site2",
    "tendon",
    "tendon1",
    "tendon2",
    "actuator",
    "sensor",
    "objname",
    "refname",
    "reftype_name",
    "refsite",
    "cranksite",
    "slidersite",
    "sidesite",
    "mesh",
];

/// An element with everything resolved.
#[derive(Debug, Clone)]
pub(super) struct Item {
    pub(super) tag: Arc<str>,
    pub(super) attrs: Vec<Attr>,
    pub(super) spot: Spot,
    /// The frames around it, in the body around it.
    pub(super) frame: Pose,
    pub(super) settings: Arc<Settings>,
    pub(super) children: Vec<usize>,
}

impl Attributes for Item {
    fn list(&self) -> &[Attr] {
        &self.attrs
    }
    fn spot(&self) -> &Spot {
        &self.spot
    }
    fn tag(&self) -> &str {
        &self.tag
    }
}

impl Item {
    /// Its pose in the body around it.
    pub(super) fn place(&self) -> Answer<Pose> {
        Ok(self.frame * self.pose(&self.settings)?)
    }

    fn set(&mut self, name: &str, value: String) {
        let spot = self.spot.clone();
        match self.attrs.iter_mut().find(|attr| &*attr.name == name) {
            Some(attr) => attr.value = value.into(),
            None => self.attrs.push(Attr { name: name.into(), value: value.into(), spot }),
        }
    }
}

/// A model without anything to expand.
#[derive(Debug)]
pub(super) struct Flat {
    pub(super) items: Vec<Item>,
    /// What is in the world.
    pub(super) world: Vec<usize>,
    /// Elements of the other sections, by section.
    pub(super) sections: BTreeMap<&'static str, Vec<usize>>,
    pub(super) settings: Arc<Settings>,
    /// Names of each replica without suffix, and the suffixes; inner ones first.
    replicas: Vec<(BTreeSet<String>, Vec<String>)>,
}

/// Sections whose elements are kept.
const SECTIONS: [&str; 9] =
    ["asset", "contact", "equality", "tendon", "actuator", "sensor", "keyframe", "option", "deformable"];

/// What surrounds elements while they are expanded.
#[derive(Clone)]
struct Around {
    childclass: Option<Arc<str>>,
    frame: Pose,
    depth: usize,
}

/// A model while it is expanded.
struct Expander<'a> {
    document: &'a Document,
    classes: Classes,
    flat: Flat,
    /// Models that are attached, by name.
    models: BTreeMap<Arc<str>, Arc<Flat>>,
    nesting: usize,
}

/// Reads and expands a model.
pub(super) fn expand(path: &Path, text: &str, nesting: usize) -> Answer<Flat> {
    let document = Document::read(path, text)?;
    let settings = Arc::new(Settings::read(&document)?);
    let flat = Flat {
        items: Vec::new(),
        world: Vec::new(),
        sections: BTreeMap::new(),
        settings,
        replicas: Vec::new(),
    };
    let classes = Classes::read(&document)?;
    let mut expander = Expander { document: &document, classes, flat, models: BTreeMap::new(), nesting };
    expander.assets()?;
    let roots: Vec<usize> =
        document.sections("worldbody").flat_map(|node| node.children.iter().copied()).collect();
    let around = Around { childclass: None, frame: Pose::identity(), depth: 1 };
    expander.flat.world = expander.subtree(&roots, &around, 0)?;
    expander.others()?;
    Ok(expander.flat)
}

impl Expander<'_> {
    fn item(&mut self, node: &Node, section: &str, around: &Around) -> Answer<usize> {
        if self.flat.items.len() >= MAX_ITEMS {
            let message = format!("a model has {MAX_ITEMS} elements at most after replication");
            return Err(node.spot.wrong(message));
        }
        let attrs = self.classes.attributes(node, section, around.childclass.as_ref())?;
        self.flat.items.push(Item {
            tag: node.tag.clone(),
            attrs,
            spot: node.spot.clone(),
            frame: around.frame,
            settings: self.flat.settings.clone(),
            children: Vec::new(),
        });
        Ok(self.flat.items.len() - 1)
    }

    /// Assets and models to attach.
    fn assets(&mut self) -> Answer<()> {
        let around = Around { childclass: None, frame: Pose::identity(), depth: 1 };
        for section in self.document.sections("asset") {
            for node in section.children.iter().map(|child| &self.document.nodes[*child]) {
                if &*node.tag == "model" {
                    self.model(node)?;
                    continue;
                }
                let item = self.item(node, "asset", &around)?;
                let one = &mut self.flat.items[item];
                if one.get("name").is_none()
                    && let Some(file) = one.text("file")
                {
                    let stem = Path::new(file)
                        .file_stem()
                        .map_or(String::new(), |s| s.to_string_lossy().into_owned());
                    one.set("name", stem);
                }
                self.flat.sections.entry("asset").or_default().push(item);
            }
        }
        Ok(())
    }

    fn model(&mut self, node: &Node) -> Answer<()> {
        let Some(file) = node.attr("file") else {
            return Err(node
                .spot
                .wrong("<model> needs 'file'")
                .with_help("write <model file=\"other.xml\"/>"));
        };
        if self.nesting >= MAX_NESTING {
            return Err(file
                .spot
                .wrong(format!("models are attached to each other more than {MAX_NESTING} deep")));
        }
        let path = self.document.folder.join(&*file.value);
        let text = files::read_text(&path, files::MAX_SCENE).map_err(|error| {
            file.spot
                .wrong(format!("{} cannot be read: {error}", path.display()))
                .with_help("the name of a model to attach is relative to the folder of the model")
        })?;
        let flat = expand(&path, &text, self.nesting + 1)?;
        let stem = path.file_stem().map_or(String::new(), |s| s.to_string_lossy().into_owned());
        let name = node.attr("name").map_or_else(|| stem.as_str().into(), |name| name.value.clone());
        self.models.insert(name, Arc::new(flat));
        Ok(())
    }

    /// Expands elements that stand in one body; returns those that are left there, in order.
    fn subtree(&mut self, nodes: &[usize], around: &Around, nesting: usize) -> Answer<Vec<usize>> {
        let mut top = Vec::new();
        let mut waiting: Vec<(usize, Option<usize>, Around)> =
            nodes.iter().rev().map(|node| (*node, None, around.clone())).collect();
        while let Some((number, parent, around)) = waiting.pop() {
            let node = &self.document.nodes[number];
            let mut add = |items: &mut Vec<Item>, item: usize| match parent {
                Some(parent) => items[parent].children.push(item),
                None => top.push(item),
            };
            let inner = |around: &Around, parent| {
                node.children.iter().rev().map(|child| (*child, parent, around.clone())).collect::<Vec<_>>()
            };
            let childclass =
                node.attr("childclass").map(|class| class.value.clone()).or(around.childclass.clone());
            if let Some(class) = node.attr("childclass") {
                self.classes.check(class)?;
            }
            match &*node.tag {
                "frame" => {
                    let item = self.item(node, "", &Around { frame: Pose::identity(), ..around.clone() })?;
                    let own = self.flat.items[item].pose(&self.flat.settings)?;
                    let around = Around { childclass, frame: around.frame * own, ..around };
                    waiting.extend(inner(&around, parent));
                }
                "replicate" => {
                    if nesting >= MAX_NESTING {
                        return Err(node
                            .spot
                            .wrong(format!("replicas are nested more than {MAX_NESTING} deep")));
                    }
                    let around = Around { childclass, ..around };
                    for item in self.replicate(number, &around, nesting)? {
                        add(&mut self.flat.items, item);
                    }
                }
                "attach" => {
                    for item in self.attach(node, &around)? {
                        add(&mut self.flat.items, item);
                    }
                }
                "body" => {
                    if around.depth > MAX_BODY_NESTING {
                        let message = format!("bodies are nested more than {MAX_BODY_NESTING} deep here");
                        return Err(node.spot.wrong(message).with_help("write a shorter chain"));
                    }
                    let item = self.item(node, "", &around)?;
                    add(&mut self.flat.items, item);
                    let around = Around { childclass, frame: Pose::identity(), depth: around.depth + 1 };
                    waiting.extend(inner(&around, Some(item)));
                }
                _ => {
                    let item = self.item(node, "", &around)?;
                    add(&mut self.flat.items, item);
                }
            }
        }
        Ok(top)
    }

    /// A `<replicate>`: its contents so many times, each turned and shifted once more.
    fn replicate(&mut self, number: usize, around: &Around, nesting: usize) -> Answer<Vec<usize>> {
        let node = &self.document.nodes[number];
        let plain = Around { frame: Pose::identity(), ..around.clone() };
        let item = self.item(node, "", &plain)?;
        let own = self.flat.items[item].clone();
        let Some(count) = own.number("count")? else { return Err(own.missing("count")) };
        if !(0.0..=1e6).contains(&count) {
            return Err(own.needed("count")?.spot.wrong("'count' must be a number of copies, 0 to 1000000"));
        }
        let count = count as usize;
        let offset = Vec3::from(own.numbers::<3>("offset")?.unwrap_or_default());
        let angles = own.numbers::<3>("euler")?.unwrap_or_default();
        let separator = own.text("sep").unwrap_or_default().to_owned();
        let settings = self.flat.settings.clone();
        let turned = |times: f64| {
            euler(angles.map(|angle| angle * times), &settings)
                .and_then(|quaternion| Pose::new(Vec3::zeros(), quaternion))
                .map_err(|error| own.wrong(error.to_string()))
        };
        let inner = self.subtree(&node.children, &plain, nesting + 1)?;

        let names = names_below(&self.flat.items, &inner);
        let digits = count.to_string().len();
        let suffixes: Vec<String> = (0..count).map(|k| format!("{separator}{k:0digits$}")).collect();
        let (mut all, mut place) = (Vec::new(), Vec3::zeros());
        let mut turn = Pose::identity();
        let (step, mut outer) = (turned(1.0)?, turned(0.0)?);
        for (k, suffix) in suffixes.iter().enumerate() {
            let here = turned(k as f64)?;
            let at = Pose::from_translation(place).map_err(|error| own.wrong(error.to_string()))? * here;
            let rename = |name: &str| format!("{name}{suffix}");
            let copies =
                copy(&mut self.flat.items, None, &inner, &rename, &|name| names.contains(name), &own.spot)?;
            for item in &copies {
                let one = &mut self.flat.items[*item];
                one.frame = around.frame * at * one.frame;
            }
            all.extend(copies);
            place += outer.transform_vector(&offset);
            turn = turn * step;
            outer = turn;
        }
        self.flat.replicas.push((names, suffixes));
        Ok(all)
    }

    /// An `<attach>`: a body of another model, or all of it, with everything that refers to it alone.
    fn attach(&mut self, node: &Node, around: &Around) -> Answer<Vec<usize>> {
        let Some(model) = node.attr("model") else {
            return Err(node.spot.wrong("<attach> needs 'model'"));
        };
        let Some(other) = self.models.get(&model.value).cloned() else {
            let message = format!("there is no model '{}' in <asset>", model.value);
            return Err(model
                .spot
                .wrong(message)
                .with_help("write <model name=\"...\" file=\"...\"/> in <asset>"));
        };
        let prefix = node.attr("prefix").map_or("", |prefix| &*prefix.value);
        let roots = match node.attr("body") {
            None => other.world.clone(),
            Some(body) => {
                let is_it = |item: &Item| &*item.tag == "body" && item.name() == &*body.value;
                let found = reachable(&other).into_iter().find(|item| is_it(&other.items[*item]));
                vec![found.ok_or_else(|| {
                    body.spot
                        .wrong(format!("there is no body '{}' in the model '{}'", body.value, model.value))
                })?]
            }
        };
        let names = names_below(&other.items, &roots);
        let rename = |name: &str| format!("{prefix}{name}");
        let all = |_: &str| true;
        let copies = copy(&mut self.flat.items, Some(&other), &roots, &rename, &all, &node.spot)?;
        for item in &copies {
            let one = &mut self.flat.items[*item];
            one.frame = around.frame * one.frame;
        }
        // Tendons and actuators may be named by what stands after them.
        let mut known = names;
        known.extend(["world".to_owned(), String::new()]);
        for section in SECTIONS.into_iter().filter(|section| *section != "option") {
            for item in other.sections.get(section).into_iter().flatten() {
                let is_asset = matches!(section, "asset" | "keyframe");
                let found = references(&other.items, *item);
                if !is_asset && (found.is_empty() || !found.iter().all(|name| known.contains(name))) {
                    continue;
                }
                let name = other.items[*item].name();
                if !is_asset && !name.is_empty() {
                    known.insert(name.to_owned());
                }
                let copied = copy(&mut self.flat.items, Some(&other), &[*item], &rename, &all, &node.spot)?;
                self.flat.sections.entry(section).or_default().extend(copied);
            }
        }
        Ok(copies)
    }

    /// The other sections, with copies of what refers to a replica.
    fn others(&mut self) -> Answer<()> {
        let around = Around { childclass: None, frame: Pose::identity(), depth: 1 };
        for section in SECTIONS.into_iter().filter(|section| *section != "asset") {
            let mut own = Vec::new();
            for top in self.document.sections(section) {
                if section == "option" {
                    own.push(self.deep(top, section, &around)?);
                    continue;
                }
                for node in top.children.iter().map(|child| &self.document.nodes[*child]) {
                    own.push(self.deep(node, section, &around)?);
                }
            }
            self.flat.sections.entry(section).or_default().extend(own);
        }
        let replicas = std::mem::take(&mut self.flat.replicas);
        for (names, suffixes) in &replicas {
            for section in ["contact", "equality", "tendon", "actuator", "sensor"] {
                let before = self.flat.sections.remove(section).unwrap_or_default();
                let mut after = Vec::new();
                // Copies stand together by their number where several follow each other.
                for item in before {
                    if !references(&self.flat.items, item).iter().any(|name| names.contains(name)) {
                        after.push(item);
                        continue;
                    }
                    for suffix in suffixes {
                        let rename = |name: &str| format!("{name}{suffix}");
                        let own = self.flat.items[item].name().to_owned();
                        let is_renamed =
                            |name: &str| names.contains(name) || (name == own && !own.is_empty());
                        let spot = self.flat.items[item].spot.clone();
                        after.extend(copy(&mut self.flat.items, None, &[item], &rename, &is_renamed, &spot)?);
                    }
                }
                self.flat.sections.insert(section, after);
            }
        }
        Ok(())
    }

    /// An element with what is in it: tendons and options have elements of their own.
    fn deep(&mut self, node: &Node, section: &str, around: &Around) -> Answer<usize> {
        let item = self.item(node, section, around)?;
        for child in &node.children {
            // Elements in a tendon name others and have no defaults.
            let inner = &self.document.nodes[*child];
            self.flat.items.push(Item {
                tag: inner.tag.clone(),
                attrs: inner.attrs.clone(),
                spot: inner.spot.clone(),
                frame: Pose::identity(),
                settings: self.flat.settings.clone(),
                children: Vec::new(),
            });
            let number = self.flat.items.len() - 1;
            self.flat.items[item].children.push(number);
        }
        Ok(item)
    }
}

/// All elements in the world of a model.
fn reachable(flat: &Flat) -> Vec<usize> {
    let mut waiting = flat.world.clone();
    let mut all = Vec::new();
    while let Some(item) = waiting.pop() {
        all.push(item);
        waiting.extend(&flat.items[item].children);
    }
    all
}

/// Names of elements and of all in them.
fn names_below(items: &[Item], roots: &[usize]) -> BTreeSet<String> {
    let (mut waiting, mut names) = (roots.to_vec(), BTreeSet::new());
    while let Some(item) = waiting.pop() {
        let name = items[item].name();
        if !name.is_empty() {
            names.insert(name.to_owned());
        }
        waiting.extend(&items[item].children);
    }
    names
}

/// Names that an element of a section refers to, with what is in it.
fn references(items: &[Item], item: usize) -> Vec<String> {
    let inner = items[item].children.iter().flat_map(|child| &items[*child].attrs);
    let all = items[item].attrs.iter().chain(inner);
    all.filter(|attr| REFERENCES.contains(&&*attr.name)).map(|attr| attr.value.to_string()).collect()
}

/// Copies elements with all in them to the end of the list, from another model or the same one, and renames what `is_renamed` says.
fn copy(
    items: &mut Vec<Item>,
    from: Option<&Flat>,
    roots: &[usize],
    rename: &dyn Fn(&str) -> String,
    is_renamed: &dyn Fn(&str) -> bool,
    spot: &Spot,
) -> Answer<Vec<usize>> {
    let mut copied = Vec::new();
    let mut waiting: Vec<(usize, Option<usize>)> = roots.iter().rev().map(|root| (*root, None)).collect();
    while let Some((old, parent)) = waiting.pop() {
        if items.len() >= MAX_ITEMS {
            return Err(spot.wrong(format!("a model has {MAX_ITEMS} elements at most after replication")));
        }
        let mut item = from.map_or_else(|| items[old].clone(), |from| from.items[old].clone());
        let children = std::mem::take(&mut item.children);
        for attr in &mut item.attrs {
            let is_name =
                &*attr.name == "name" || REFERENCES.contains(&&*attr.name) || &*attr.name == "hfield";
            if is_name && &*attr.value != "world" && !attr.value.is_empty() && is_renamed(&attr.value) {
                attr.value = rename(&attr.value).into();
            }
        }
        let number = items.len();
        items.push(item);
        match parent {
            Some(parent) => items[parent].children.push(number),
            None => copied.push(number),
        }
        waiting.extend(children.into_iter().rev().map(|child| (child, Some(number))));
    }
    Ok(copied)
}
