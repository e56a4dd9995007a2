//! The tables of settings hold together with the types that they describe.

use std::collections::BTreeMap;

use zerogap_contact::law::NormalLaw;
use zerogap_contact::material::{Material, PairProperties};
use zerogap_contact::solve::ImpactLaw;
use zerogap_core::units::Dimension;
use zerogap_dynamics::multibody::{Dof, Motor};

use super::tables::{COLLISION, DOF, MATERIAL, MOTOR, PAIR, RUN, SERVO, WORLD};
use super::*;
use crate::world::{
    ContactModel, ErrorControl, EventLocation, MethodParams, PatchPoints, Stepping, WorldParams,
};

/// A value in a test.
#[derive(Debug, Clone)]
enum Given {
    Numbers(Vec<f64>),
    Text(String),
    Flag(bool),
}

/// Values by name.
struct Values {
    section: &'static Section,
    given: BTreeMap<&'static str, Given>,
}

impl Values {
    fn new(section: &'static Section) -> Self {
        Self { section, given: BTreeMap::new() }
    }

    fn number(mut self, key: &'static str, value: f64) -> Self {
        self.given.insert(key, Given::Numbers(vec![value]));
        self
    }

    fn text(mut self, key: &'static str, value: &str) -> Self {
        self.given.insert(key, Given::Text(value.to_owned()));
        self
    }

    /// Writes out every default that has an effect with some words.
    fn with_defaults(mut self, selected: &[Selected]) -> Self {
        for key in self.section.keys().filter(|key| key.unused_with(selected).is_none()) {
            let value = match key.default {
                DefaultValue::Number(x) => Given::Numbers(vec![x]),
                DefaultValue::Count(count) => Given::Numbers(vec![count as f64]),
                DefaultValue::Vector(numbers) => Given::Numbers(numbers.to_vec()),
                DefaultValue::Flag(flag) => Given::Flag(flag),
                DefaultValue::Word(word) => Given::Text(word.to_owned()),
                DefaultValue::Needed | DefaultValue::None | DefaultValue::Described(_) => continue,
            };
            self.given.entry(key.name).or_insert(value);
        }
        self
    }
}

impl Source for Values {
    type Error = SettingError;

    fn section(&self) -> &'static Section {
        self.section
    }

    fn has(&self, key: &str) -> bool {
        self.given.contains_key(key)
    }

    fn is_text(&self, key: &str) -> bool {
        matches!(self.given.get(key), Some(Given::Text(_)))
    }

    fn read_number(&self, key: &'static Key, _: Dimension) -> Result<Option<f64>, SettingError> {
        Ok(self.read_numbers(key)?.map(|numbers| numbers[0]))
    }

    fn read_numbers(&self, key: &'static Key) -> Result<Option<Vec<f64>>, SettingError> {
        Ok(self.given.get(key.name).map(|given| match given {
            Given::Numbers(numbers) => numbers.clone(),
            other => panic!("{} is {other:?}", key.name),
        }))
    }

    fn read_count(&self, key: &'static Key) -> Result<Option<usize>, SettingError> {
        Ok(self.read_numbers(key)?.map(|numbers| numbers[0] as usize))
    }

    fn read_flag(&self, key: &'static Key) -> Result<Option<bool>, SettingError> {
        Ok(self.given.get(key.name).map(|given| matches!(given, Given::Flag(true))))
    }

    fn read_text(&self, key: &'static Key) -> Result<Option<String>, SettingError> {
        Ok(self.given.get(key.name).map(|given| match given {
            Given::Text(text) => text.clone(),
            other => panic!("{} is {other:?}", key.name),
        }))
    }

    fn refuse(&self, error: SettingError) -> SettingError {
        error
    }
}

#[test]
fn a_world_with_every_default_written_out_is_the_default_world() {
    let read = |values: Values| read_world(&values, &WorldParams::default()).unwrap();
    assert_eq!(read(Values::new(&WORLD)), WorldParams::default());
    for (method, contact, expected) in [
        ("auto", "hunt-crossley", MethodParams::default()),
        ("events", "hunt-crossley", EventLocation::default().into()),
        ("events", "rigid", EventLocation::new(ContactModel::Rigid(ImpactLaw::default())).into()),
        ("stepping", "rigid", Stepping::default().into()),
    ] {
        let values = Values::new(&WORLD).text("method", method).text("contact", contact);
        let values = values.with_defaults(&[("method", method), ("contact", contact)]);
        assert_eq!(read(values), WorldParams::new(expected), "{method} {contact}");
    }
    let linear = Values::new(&WORLD).text("contact", "linear").number("stiffness", 1e4);
    let linear = linear.with_defaults(&[("method", "auto"), ("contact", "linear")]);
    let law = NormalLaw::Linear { stiffness: 1e4, damping_ratio: DAMPING_RATIO };
    let events = EventLocation { phases: true, ..EventLocation::new(ContactModel::Elastic(law)) };
    assert_eq!(read(linear), WorldParams::new(events));
}

#[test]
fn patch_points_are_a_number_or_a_word_and_for_stepping_alone() {
    let read = |values: Values| read_world(&values, &WorldParams::default());
    let world = |method: &str| Values::new(&WORLD).text("method", method);
    let given = |values: Values| read(values).unwrap().method.stepping().unwrap().patch_points;
    assert_eq!(given(world("stepping")), PatchPoints::Auto);
    assert_eq!(given(world("stepping").text("patch_points", "auto")), PatchPoints::Auto);
    assert_eq!(given(world("stepping").text("patch_points", "all")), PatchPoints::All);
    assert_eq!(given(world("stepping").number("patch_points", 6.0)), PatchPoints::AtMost(6));
    for refused in [
        world("stepping").number("patch_points", 0.0),
        world("stepping").text("patch_points", "some"),
        world("silvia").number("patch_points", 4.0),
        world("events").text("patch_points", "all"),
    ] {
        assert!(read(refused).unwrap_err().to_string().contains("patch_points"));
    }
}

#[test]
fn pyramids_have_sides_and_round_cones_none() {
    let read = |values: Values| read_world(&values, &WorldParams::default()).map(|params| params.method);
    let world = |method: &str| Values::new(&WORLD).text("method", method);
    let sides = |values: Values| read(values).unwrap().stepping().unwrap().cone_sides;
    let lcp = || world("stepping").text("solver", "lcp");
    assert_eq!(sides(world("stepping")), None);
    assert_eq!(sides(world("stepping").text("solver", "cones")), None);
    assert_eq!(sides(lcp()), Some(CONE_SIDES));
    assert_eq!(sides(lcp().number("cone_sides", 4.0)), Some(4));
    for refused in [
        world("stepping").number("cone_sides", 4.0),
        lcp().number("cone_sides", 2.0),
        lcp().number("cone_sides", 1e4),
        world("events").number("cone_sides", 4.0),
    ] {
        assert!(read(refused).unwrap_err().to_string().contains("cone_sides"));
    }
    assert!(read(world("silvia").text("solver", "lcp")).unwrap_err().to_string().contains("solver"));
    let midpoints = read(world("stepping").number("midpoint_iterations", 2.0)).unwrap();
    assert_eq!(midpoints.stepping().unwrap().midpoint_iterations, 2);
}

#[test]
fn stepping_has_a_step_or_a_tolerance_but_not_both() {
    let read = |values: Values, base: MethodParams| read_method(&values, &base);
    let stepping = || Values::new(&WORLD).text("method", "stepping");
    let control = |params: MethodParams| params.stepping().unwrap().control;
    let usual = MethodParams::default();
    assert_eq!(control(read(stepping(), usual).unwrap()), None);
    let controlled = read(stepping().number("rtol", 1e-4), usual).unwrap();
    assert_eq!(control(controlled), Some(ErrorControl { rtol: 1e-4, max_step: MAX_STEP }));
    let shorter = read(stepping().number("rtol", 1e-4).number("max_step", 0.01), usual).unwrap();
    assert_eq!(control(shorter), Some(ErrorControl { rtol: 1e-4, max_step: 0.01 }));
    // What overrides one replaces it by the other.
    let finer = read(Values::new(&WORLD).number("rtol", 1e-6), shorter).unwrap();
    assert_eq!(control(finer), Some(ErrorControl { rtol: 1e-6, max_step: 0.01 }));
    let fixed = read(Values::new(&WORLD).number("step", 2e-3), shorter).unwrap();
    assert_eq!((control(fixed), fixed.step()), (None, 2e-3));
    let silvia = read(Values::new(&WORLD).text("method", "silvia"), shorter).unwrap();
    assert_eq!(control(silvia), None);
    let refused = |values: Values| read(values, usual).unwrap_err().to_string();
    let both = refused(stepping().number("rtol", 1e-4).number("step", 1e-3));
    assert!(both.contains("'rtol' and 'step' exclude each other"), "{both}");
    let alone = refused(stepping().number("max_step", 0.01));
    assert!(alone.contains("'max_step' has no effect"), "{alone}");
    for key in ["rtol", "max_step"] {
        let unused = refused(Values::new(&WORLD).text("method", "silvia").number(key, 1e-2));
        assert_eq!(unused, format!("'{key}' has no meaning for method = \"silvia\""));
    }
    assert!(refused(stepping().number("rtol", 1.0)).contains("rtol"));
}

#[test]
fn written_out_defaults_are_those_of_the_types() {
    let events = [("method", "events"), ("contact", "hunt-crossley")];
    let pair = Values::new(&PAIR).with_defaults(&events);
    assert_eq!(read_pair(&pair, &events).unwrap(), PairProperties::default());
    let quasi = [("method", "events"), ("collision", "quasi-lmd"), ("sides", "closed")];
    let collision = Values::new(&COLLISION).text("collision", "quasi-lmd").with_defaults(&quasi);
    let usual = CollisionSettings { collision: "quasi-lmd", ..CollisionSettings::default() };
    assert_eq!(read_collision(&collision, &quasi).unwrap(), usual);
    let pieces = [("method", "events"), ("collision", "pieces"), ("sides", "closed")];
    let collision = Values::new(&COLLISION).text("collision", "pieces").with_defaults(&pieces);
    let usual = CollisionSettings { collision: "pieces", ..CollisionSettings::default() };
    assert_eq!(read_collision(&collision, &pieces).unwrap(), usual);
    let dof = Values::new(&DOF).with_defaults(&[]);
    assert_eq!(read_dof(&dof, true, &Dof::default()).unwrap(), Dof::default());
    let material = Values::new(&MATERIAL).number("young_modulus", 1e9).number("density", 1e3);
    let expected = Material { young_modulus: 1e9, poisson_ratio: POISSON_RATIO, density: 1e3 };
    assert_eq!(read_material(&material.with_defaults(&[])).unwrap(), expected);
    let motor = Values::new(&MOTOR).number("position", 1.0).number("stiffness", 2.0);
    let expected = Motor::Position { target: 1.0, stiffness: 2.0, damping: 0.0, limit: f64::INFINITY };
    assert_eq!(read_motor(&motor.with_defaults(&[("motor", "position")]), true).unwrap(), expected);
}

#[test]
fn every_default_lies_in_its_range_and_every_use_names_known_words() {
    for section in [&WORLD, &RUN, &MATERIAL, &PAIR, &COLLISION, &DOF, &MOTOR, &SERVO] {
        for key in section.keys() {
            let number = match key.default {
                DefaultValue::Number(x) => x,
                DefaultValue::Count(count) => count as f64,
                DefaultValue::Word(word) => {
                    assert!(
                        matches!(key.kind, Kind::Word(words) | Kind::CountOr(words) if words.contains(&word)),
                        "{key:?}"
                    );
                    continue;
                }
                _ => continue,
            };
            assert!(key.range.contains(number), "{key:?}");
        }
        for used in section.keys().flat_map(|key| key.uses) {
            let known: &[&str] = match used.selector {
                "method" => METHODS,
                "contact" => CONTACTS,
                "collision" => COLLISIONS,
                "sides" => SIDES,
                "motor" => &["effort", "speed", "position"],
                other => panic!("{other} selects nothing"),
            };
            assert!(used.words.iter().all(|word| known.contains(word)), "{used:?}");
        }
    }
}

#[test]
fn what_a_method_or_contact_model_does_not_use_is_refused_and_what_it_needs_is_asked_for() {
    let refused = |values: Values| read_world(&values, &WorldParams::default()).unwrap_err().to_string();
    let world = || Values::new(&WORLD);
    assert_eq!(refused(world().text("contact", "linear")), "contact = \"linear\" needs 'stiffness'");
    let voigt = || world().text("contact", "kelvin-voigt").number("stiffness", 1e4);
    assert_eq!(refused(voigt()), "contact = \"kelvin-voigt\" needs 'damping'");
    let hertz = world().text("contact", "hertz").number("stiffness", 1e4);
    assert_eq!(refused(hertz), "'stiffness' has no meaning for contact = \"hertz\"");
    let soft = world().text("contact", "soft");
    assert_eq!(
        refused(soft),
        "'contact' is \"soft\": it must be hunt-crossley, hertz, linear, kelvin-voigt, modia3d, rigid"
    );
    let stepping = world().text("method", "stepping").number("atol", 1e-6);
    assert_eq!(refused(stepping), "'atol' has no meaning for method = \"stepping\"");
    assert_eq!(refused(world().number("rtol", 1.0)), "'rtol' is 1: it must be above 0 and below 1");
    let short = world().text("method", "silvia").number("step", 0.0);
    assert_eq!(refused(short), "'step' is 0 s: it must be above 0");
    let help = |values: Values| read_world(&values, &WorldParams::default()).unwrap_err().help().unwrap();
    let auto = read_world(&world().text("method", "auto"), &WorldParams::default()).unwrap().method;
    assert!(auto.word() == "auto" && auto.events().is_some_and(|events| events.phases));
    assert!(help(world().text("method", "dop853")).contains("integrator = \"dop853\""));
    assert_eq!(help(world().text("method", "steping")), "did you mean 'stepping'?");
}

#[test]
fn a_source_overrides_some_settings_and_leaves_the_others() {
    let events = EventLocation {
        max_step: 0.02,
        ..EventLocation::new(ContactModel::Elastic(NormalLaw::Linear { stiffness: 1e4, damping_ratio: 0.5 }))
    };
    let read = |values: Values, base: MethodParams| read_method(&values, &base).unwrap();
    let finer = read(Values::new(&WORLD).number("rtol", 1e-8), events.into());
    let tolerance = zerogap_dynamics::integrate::Tolerance { relative: 1e-8, absolute: 1e-8 * ATOL_PER_RTOL };
    assert_eq!(finer, EventLocation { tolerance, ..events }.into());
    let steps = Stepping { step: 0.01, ..Stepping::default() };
    let by_events = read(Values::new(&WORLD).text("method", "events"), steps.into());
    let rigid = EventLocation::new(ContactModel::Rigid(ImpactLaw::Moreau));
    assert_eq!(by_events, EventLocation { step: 0.01, ..rigid }.into());
    let silvia = read(Values::new(&WORLD).text("method", "silvia"), steps.into());
    assert_eq!((silvia.word(), silvia.stepping().unwrap().step), ("silvia", 0.01));
}

#[test]
fn settings_of_pairs_without_effect_on_a_contact_law_are_refused_by_name() {
    let refused = |contact: &'static str, key: &'static str| {
        let selected = [("method", "events"), ("contact", contact)];
        read_pair(&Values::new(&PAIR).number(key, 0.5), &selected).unwrap_err().to_string()
    };
    for contact in ["hertz", "linear", "kelvin-voigt"] {
        let message = format!("'restitution' has no meaning for contact = \"{contact}\"");
        assert_eq!(refused(contact, "restitution"), message);
    }
    assert_eq!(refused("modia3d", "spinning"), "'spinning' has no meaning for contact = \"modia3d\"");
    for key in ["static_friction", "grip"] {
        assert_eq!(refused("rigid", key), format!("'{key}' has no meaning for contact = \"rigid\""));
    }
    let across = "'friction_across' has no meaning for method = \"events\"";
    assert_eq!(refused("hertz", "friction_across"), across);
    // Contacts of steps are rigid, and know these all the same.
    let by_steps = |key: &'static str| {
        let selected = [("method", "stepping"), ("contact", "rigid")];
        read_pair(&Values::new(&PAIR).number(key, 0.75), &selected)
    };
    for key in ["static_friction", "rolling", "spinning", "contact_radius"] {
        assert!(by_steps(key).is_ok(), "{key}");
    }
    assert_eq!(by_steps("grip").unwrap_err().to_string(), "'grip' has no meaning for method = \"stepping\"");
    let alone = by_steps("friction_across").unwrap_err().to_string();
    assert_eq!(alone, "'friction_across' needs 'friction_direction'");
}
