//! The list of keys, the reader, the reference page and the schema hold together.

use std::path::Path;

use serde_json::Value;
use zerogap::core::units::Dimension;
use zerogap::scene::keys::{BODY, ROTATION, SCENE};
use zerogap::scene::{Scene, built_in, key_tables, schema};
use zerogap::settings::tables::{
    BUSHING, COLLISION, DOF, METHOD, MOTOR, PAIR, PAIR_PROPERTIES, SERVO, SPRING, WORLD,
};
use zerogap::settings::{CONTACTS, DefaultValue, Key, Kind, METHODS, Section};

/// How a table is reached: the text before its keys, and what closes its inline tables.
#[derive(Clone)]
struct Way {
    head: String,
    /// Not empty where keys stand between braces.
    tail: String,
}

impl Way {
    fn with(&self, key: &str, value: &str) -> (String, usize) {
        let start = format!("{}{}{key} = ", self.head, self.comma());
        (format!("{start}{value}{}\n", self.tail), start.len())
    }

    fn comma(&self) -> &'static str {
        if !self.tail.is_empty() && !self.head.ends_with("{ ") { ", " } else { "" }
    }

    /// Into the table behind a key.
    fn into(&self, key: &str, kind: Kind) -> Self {
        let (is_inline, comma) = (!self.tail.is_empty(), self.comma());
        let own = |head: String| Self { head, tail: String::new() };
        match kind {
            Kind::Table(_) if !is_inline && !self.head.contains('[') => own(format!("[{key}]\n")),
            Kind::Tables(_) if !is_inline && !self.head.contains('[') => own(format!("[[{key}]]\n")),
            Kind::Tables(_) if !is_inline => {
                let owner = self.head.trim_matches(['[', ']', '\n']);
                own(format!("{}[[{owner}.{key}]]\n", self.head))
            }
            Kind::Tables(_) => {
                Self { head: format!("{}{comma}{key} = [{{ ", self.head), tail: format!(" }}]{}", self.tail) }
            }
            Kind::Named(_) => own(format!("[{key}.some]\n")),
            _ => Self { head: format!("{}{comma}{key} = {{ ", self.head), tail: format!(" }}{}", self.tail) },
        }
    }
}

/// A value that is wrong for a kind.
fn wrong(kind: Kind) -> &'static str {
    match kind {
        Kind::Word(_) => "\"no such word\"",
        Kind::Flag | Kind::Quantity(_) | Kind::Coordinate(..) => "\"seven\"",
        Kind::Vector(..) => "[1, 2, 3, 4, 5, 6, 7]",
        _ => "7.5",
    }
}

/// Visits every key with a way to its table.
fn visit(
    section: &'static Section,
    way: &Way,
    seen: &mut Vec<*const Section>,
    look: &mut dyn FnMut(&Way, &'static Key),
) {
    for key in section.keys() {
        look(way, key);
        let inner = match key.kind {
            Kind::Table(inner) | Kind::Tables(inner) | Kind::Named(inner) | Kind::WordOr(_, inner) => inner,
            Kind::Rotation => &ROTATION,
            _ => continue,
        };
        if !seen.contains(&std::ptr::from_ref(inner)) {
            seen.push(inner);
            visit(inner, &way.into(key.name, key.kind), seen, look);
        }
    }
}

#[test]
fn a_value_of_the_wrong_kind_is_underlined_at_every_key() {
    let mut count = 0;
    visit(&SCENE, &Way { head: String::new(), tail: String::new() }, &mut Vec::new(), &mut |way, key| {
        let (key, kind) = (key.name, key.kind);
        let (text, at) = way.with(key, wrong(kind));
        let error = Scene::parse(&text, "x", Path::new("")).expect_err(&text);
        let span = error.span.clone().unwrap_or_else(|| panic!("{text}: {error}"));
        assert!(span.start == at && span.end <= at + wrong(kind).len(), "{text}\n{}", error.report());
        assert!(error.message.contains(key) || matches!(kind, Kind::Word(_)), "{}", error.report());
        count += 1;
    });
    assert!(count > 100, "{count} keys");
}

#[test]
fn every_table_refuses_unknown_keys() {
    visit(&SCENE, &Way { head: String::new(), tail: String::new() }, &mut Vec::new(), &mut |way, _| {
        let (text, _) = way.with("no_such_key", "1");
        let error = Scene::parse(&text, "x", Path::new("")).expect_err(&text);
        assert!(error.message.contains("has no key 'no_such_key'"), "{text}\n{}", error.report());
    });
}

fn page(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// Compares what is made with what is kept, or keeps it.
fn keep(name: &str, made: &str) {
    if std::env::var_os("ZEROGAP_BLESS").is_some() {
        std::fs::write(page(name), made).unwrap();
    }
    let kept = std::fs::read_to_string(page(name)).unwrap_or_default();
    assert!(kept == made, "{name} is out of date: ZEROGAP_BLESS=1 cargo test -p zerogap --test scene_keys");
}

#[test]
fn the_schema_is_up_to_date() {
    keep("docs/scene.schema.json", &schema());
}

#[test]
fn the_tables_of_the_reference_page_are_up_to_date() {
    let kept = std::fs::read_to_string(page("docs/scenes.md")).unwrap();
    let (begin, end) = ("<!-- keys: made from the list of keys, do not edit -->\n", "<!-- end of keys -->\n");
    let (before, rest) = kept.split_once(begin).expect("where the tables begin");
    let (_, after) = rest.split_once(end).expect("where the tables end");
    keep("docs/scenes.md", &format!("{before}{begin}\n{}\n{end}{after}", key_tables()));
}

/// The stub of Python, and the functions in it that take settings as keywords.
const STUB: &str = "apps/python/python/zerogap/_zerogap.pyi";
const FUNCTIONS: [(&str, &Section); 10] = [
    ("World", &WORLD),
    ("World.pair", &PAIR_PROPERTIES),
    ("World.fixed", &COLLISION),
    ("World.body", &COLLISION),
    ("World.dof", &DOF),
    ("World.set_motor", &MOTOR),
    ("World.servo", &SERVO),
    ("World.spring", &SPRING),
    ("World.bushing", &BUSHING),
    ("simulate", &METHOD),
];

/// A setting as a keyword of Python.
fn keyword(key: &Key) -> String {
    let literal = |words: &[&str]| {
        format!("Literal[{}]", words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", "))
    };
    let annotation = match key.kind {
        Kind::Word(words) => literal(words),
        Kind::CountOr(words) => format!("int | {}", literal(words)),
        Kind::Count => "int".to_owned(),
        Kind::Flag => "bool".to_owned(),
        Kind::Vector(..) => "ArrayLike".to_owned(),
        Kind::Quantity(Dimension::Number) => "float".to_owned(),
        Kind::Quantity(dimension) => format!("_{dimension:?}"),
        Kind::Coordinate(..) => "_Coordinate".to_owned(),
        other => panic!("no keyword of Python is {other:?}"),
    };
    if key.is_needed() {
        format!("{}: {annotation},", key.name)
    } else {
        format!("{}: {annotation} | None = None,", key.name)
    }
}

#[test]
fn the_settings_in_the_stub_of_python_are_up_to_date() {
    let mut made = std::fs::read_to_string(page(STUB)).unwrap();
    for (function, section) in FUNCTIONS {
        let begin = format!("# Settings of {function}, made from the tables of settings.\n");
        let (before, rest) = made.split_once(&begin).expect(&begin);
        let (kept, after) = rest.split_once("# End of settings.\n").expect("where the settings end");
        let indent = &kept[kept.rfind('\n').map_or(0, |end| end + 1)..];
        let keywords: Vec<String> = section.keys().map(|key| format!("{indent}{}\n", keyword(key))).collect();
        let keywords = keywords.concat();
        made = format!("{before}{begin}{keywords}{indent}# End of settings.\n{after}");
    }
    keep(STUB, &made);
}

#[test]
fn the_examples_of_the_reference_page_are_scenes() {
    let kept = std::fs::read_to_string(page("docs/scenes.md")).unwrap();
    let examples: Vec<&str> =
        kept.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(examples.len() >= 5, "{}", examples.len());
    for example in examples {
        let scene = Scene::parse(example, "example", Path::new(""))
            .unwrap_or_else(|error| panic!("{}", error.report()));
        scene.build().unwrap_or_else(|error| panic!("{}", error.report()));
    }
}

/// Whether a value fits a schema, for the words that the schema uses.
fn fits(value: &toml::Value, schema: &Value, whole: &Value) -> bool {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.trim_start_matches("#/definitions/");
        return fits(value, &whole["definitions"][name], whole);
    }
    let list = |word: &str| schema[word].as_array().map(Vec::as_slice);
    let is_kind = match schema["type"].as_str() {
        None => true,
        Some("string") => value.is_str(),
        Some("boolean") => value.is_bool(),
        Some("integer") => {
            value.as_integer().is_some_and(|x| schema["minimum"].as_i64().is_none_or(|min| x >= min))
        }
        Some("number") => value.is_integer() || value.is_float(),
        Some("array") => value.is_array(),
        Some("object") => value.is_table(),
        Some(other) => panic!("{other}"),
    };
    // A text with a unit is not compared: its number is not in SI.
    let number = value.as_float().or(value.as_integer().map(|x| x as f64));
    let beyond = |word: &str, is_beyond: fn(f64, f64) -> bool| {
        number.zip(schema[word].as_f64()).is_some_and(|(x, end)| is_beyond(x, end))
    };
    let is_within = !beyond("minimum", |x, end| x < end)
        && !beyond("exclusiveMinimum", |x, end| x <= end)
        && !beyond("maximum", |x, end| x > end)
        && !beyond("exclusiveMaximum", |x, end| x >= end);
    let fits_words =
        list("enum").is_none_or(|words| words.iter().any(|word| word.as_str() == value.as_str()));
    let fits_any = list("anyOf").is_none_or(|ways| ways.iter().any(|way| fits(value, way, whole)));
    let fits_all = list("allOf").is_none_or(|ways| ways.iter().all(|way| fits(value, way, whole)));
    let fits_items = value.as_array().is_none_or(|items| {
        let count = items.len() as u64;
        schema["minItems"].as_u64().is_none_or(|min| count >= min)
            && schema["maxItems"].as_u64().is_none_or(|max| count <= max)
            && (schema["items"].is_null() || items.iter().all(|item| fits(item, &schema["items"], whole)))
    });
    let fits_keys = value.as_table().is_none_or(|table| {
        let more = &schema["additionalProperties"];
        let known = |(key, value): (&String, &toml::Value)| match &schema["properties"][key] {
            Value::Null if more.is_object() => fits(value, more, whole),
            Value::Null => more.as_bool() != Some(false),
            own => fits(value, own, whole),
        };
        let needed = list("required")
            .unwrap_or_default()
            .iter()
            .all(|key| key.as_str().is_none_or(|key| table.contains_key(key)));
        needed && table.iter().all(known)
    });
    is_kind && is_within && fits_words && fits_any && fits_all && fits_items && fits_keys
}

#[test]
fn all_built_in_scenes_fit_the_schema_and_wrong_ones_do_not() {
    let schema: Value = serde_json::from_str(&schema()).unwrap();
    for (name, text) in built_in() {
        let value: toml::Value = toml::from_str(text).unwrap();
        assert!(fits(&value, &schema, &schema), "{name}");
    }
    for text in [
        "colour = 1",
        "[world]\nrtol = true",
        "[[bodies]]\nshape = \"box:1,1,1\"",
        "[run]\nuntil = [1]",
        "[run]\nuntil = 0",
        "[world]\nrtol = 1",
    ] {
        let value: toml::Value = toml::from_str(text).unwrap();
        assert!(!fits(&value, &schema, &schema), "{text}");
    }
}

/// A value of a kind that is right.
fn right(kind: Kind) -> String {
    match kind {
        Kind::Word(words) => format!("\"{}\"", words[0]),
        Kind::Quantity(_) => "0.25".to_owned(),
        Kind::Vector(count, _) => format!("{:?}", vec![1.0; count]),
        _ => "2".to_owned(),
    }
}

/// The words of a setting with which a key has no effect.
fn unused_words(
    key: &'static Key,
    selector: &'static str,
    all: &'static [&'static str],
) -> impl Iterator<Item = &'static str> {
    all.iter().copied().filter(move |word| key.words_of(selector).is_some_and(|used| !used.contains(word)))
}

#[test]
fn a_key_of_a_pair_that_the_contact_law_does_not_use_is_refused_by_name() {
    let mut refused = 0;
    for key in PAIR.keys() {
        for contact in unused_words(key, "contact", CONTACTS) {
            let numbers = match contact {
                "linear" => "stiffness = 1e5\n",
                "kelvin-voigt" => "stiffness = 1e5\ndamping = 10\n",
                _ => "",
            };
            let pair = format!("[[pairs]]\nmaterials = [\"steel\", \"steel\"]\n{} = 0.75\n", key.name);
            let text = format!("[world]\ncontact = \"{contact}\"\n{numbers}{pair}");
            let error = Scene::parse(&text, "scene", Path::new("")).expect_err(&text);
            let expected = format!("'{}' has no meaning for contact = \"{contact}\"", key.name);
            assert!(error.to_string().contains(&expected), "{text}\n{error}");
            refused += 1;
        }
    }
    assert!(refused >= 8, "{refused}");
}

#[test]
fn every_default_written_out_is_read_as_the_default() {
    let mut written = 0;
    visit(&SCENE, &Way { head: String::new(), tail: String::new() }, &mut Vec::new(), &mut |way, key| {
        let value = match key.default {
            DefaultValue::Number(x) => format!("{x:e}"),
            DefaultValue::Count(count) => count.to_string(),
            DefaultValue::Flag(flag) => flag.to_string(),
            DefaultValue::Word(word) => format!("\"{word}\""),
            DefaultValue::Vector(numbers) => format!("{numbers:?}"),
            DefaultValue::Needed | DefaultValue::None | DefaultValue::Described(_) => return,
        };
        // The value fits its kind; that a table lacks others, or has no use for it, is another matter.
        let (text, at) = way.with(key.name, &value);
        if let Err(error) = Scene::parse(&text, "x", Path::new("")) {
            let is_about_it = error.span.as_ref().is_some_and(|span| span.start == at);
            let is_kind = error.message.contains("must be");
            assert!(!(is_about_it && is_kind), "{text}\n{}", error.report());
        }
        written += 1;
    });
    assert!(written > 40, "{written}");
}

#[test]
fn a_key_that_the_method_does_not_use_is_refused_by_name() {
    let pair = "[[pairs]]\nmaterials = [\"steel\", \"steel\"]\n";
    let ball = "[[bodies]]\nname = \"ball\"\nshape = \"sphere:1\"\n";
    let mut refused = 0;
    for (section, head) in [(&WORLD, ""), (&PAIR, pair), (&BODY, ball)] {
        for key in section.keys() {
            for method in unused_words(key, "method", METHODS) {
                let value = right(key.kind);
                let text = format!("[world]\nmethod = \"{method}\"\n{head}{} = {value}\n", key.name);
                let error = Scene::parse(&text, "scene", Path::new("")).expect_err(&text);
                let expected = format!("'{}' has no meaning for method = \"{method}\"", key.name);
                assert!(error.to_string().contains(&expected), "{text}\n{error}");
                refused += 1;
            }
        }
    }
    assert!(refused >= 30, "{refused}");
    // What a method does anyway may be said.
    let text = "[world]\nmethod = \"stepping\"\ncontact = \"rigid\"\n";
    assert!(Scene::parse(text, "scene", Path::new("")).is_ok());
}

#[test]
fn a_scene_names_its_keys_that_another_method_does_not_use() {
    let text = "[world]\nrtol = 1e-7\n[[pairs]]\nmaterials = [\"steel\", \"steel\"]\nfriction = 0.2\nrolling = 0.1\n\
                [[pairs]]\nmaterials = [\"steel\", \"ice\"]\nfriction = 0.1\n";
    let scene = Scene::parse(text, "scene", Path::new("")).unwrap();
    assert!(scene.unused_by("events").is_empty());
    assert_eq!(scene.unused_by("stepping"), ["'rtol' of [world]"]);
    assert_eq!(
        scene.unused_by("silvia"),
        ["'rtol' of [world]", "'friction' of [[pairs]]", "'rolling' of [[pairs]]"]
    );
    assert_eq!(scene.unused_warning("events"), None);
}
