use super::*;

/// Relative difference of two numbers.
fn off(value: f64, expected: f64) -> f64 {
    (value / expected - 1.0).abs()
}

#[test]
fn steel_on_steel_has_half_its_plane_modulus() {
    let table = MaterialTable::builtin();
    let steel = table.id("steel").unwrap();
    let pair = table.pair(steel, steel).unwrap();
    assert!(off(pair.modulus, 0.5 * 2e11 / 0.91) < 1e-15);
    assert!(off(pair.grip, 2.0 * 0.7 / 1.7) < 1e-15);
    assert_eq!(
        pair.properties,
        PairProperties { restitution: 0.7, friction: 0.5, rolling: 0.001, ..Default::default() }
    );
}

#[test]
fn a_pair_is_the_same_in_either_order() {
    let table = MaterialTable::builtin();
    let names: Vec<&str> = table.names().collect();
    for a in &names {
        for b in &names {
            let (a, b) = (table.id(a).unwrap(), table.id(b).unwrap());
            assert_eq!(table.pair(a, b), table.pair(b, a));
        }
    }
    let (ball, wood) = (table.id("billiard-ball").unwrap(), table.id("dry-wood").unwrap());
    assert!((table.properties(wood, ball).friction - 0.8).abs() < 1e-15);
    assert!(table.properties(wood, ball).restitution.abs() < 1e-15);
}

#[test]
fn materials_without_a_pair_combine_what_they_do_to_themselves() {
    let mut table = MaterialTable::builtin();
    let of = |table: &MaterialTable, a: &str, b: &str| {
        table.properties(table.id(a).unwrap(), table.id(b).unwrap())
    };
    let both = of(&table, "steel", "ice");
    assert!((both.restitution - 0.3).abs() < 1e-15);
    assert!((both.friction - (0.5_f64 * 0.03).sqrt()).abs() < 1e-15);
    assert!((both.rolling - 0.001).abs() < 1e-15);
    assert_eq!(both.static_friction, None);
    // A material of which nothing was said stands in with the default.
    let plastic = Material { young_modulus: 3e9, poisson_ratio: 0.38, density: 1200.0 };
    table.insert("plastic", plastic).unwrap();
    assert_eq!(of(&table, "plastic", "plastic"), PairProperties::default());
    assert!((of(&table, "plastic", "steel").restitution - 0.5).abs() < 1e-15);
    // Static friction survives and never falls below sliding friction.
    let sticky = PairProperties { friction: 0.4, static_friction: Some(0.9), ..Default::default() };
    table.insert_pair("plastic", "plastic", sticky).unwrap();
    let both = of(&table, "steel", "plastic");
    assert!((both.static_friction() - (0.9_f64 * 0.5).sqrt()).abs() < 1e-15);
    // What is said about the pair itself goes first.
    table.insert_pair("plastic", "steel", PairProperties { friction: 0.1, ..Default::default() }).unwrap();
    assert!((of(&table, "steel", "plastic").friction - 0.1).abs() < 1e-15);
}

#[test]
fn replacing_a_material_keeps_its_id_and_its_pairs() {
    let mut table = MaterialTable::builtin();
    let steel = table.id("steel").unwrap();
    let soft = Material { young_modulus: 2e8, poisson_ratio: 0.3, density: 8000.0 };
    assert_eq!(table.insert("steel", soft), Ok(steel));
    assert_eq!(table.material(steel), Some(&soft));
    assert!((table.properties(steel, steel).restitution - 0.7).abs() < 1e-15);
}

#[test]
fn numbers_out_of_range_are_refused_by_name() {
    let good = Material { young_modulus: 1e9, poisson_ratio: 0.3, density: 1000.0 };
    let mut table = MaterialTable::builtin();
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(table.insert("x", Material { young_modulus: bad, ..good }).is_err());
        assert!(table.insert("x", Material { density: bad, ..good }).is_err());
    }
    for bad in [-1.0, 0.51, f64::NAN] {
        let message = table.insert("goo", Material { poisson_ratio: bad, ..good }).unwrap_err().to_string();
        assert!(message.contains("goo") && message.contains("poisson_ratio"), "{message}");
    }
    assert_eq!(table.insert("", good), Err(MaterialError::NoName));
    let fair = PairProperties::default();
    let bad = [
        PairProperties { restitution: 1.1, ..fair },
        PairProperties { restitution: f64::NAN, ..fair },
        PairProperties { friction: -0.1, ..fair },
        PairProperties { rolling: -0.1, ..fair },
        PairProperties { spinning: f64::INFINITY, ..fair },
        PairProperties { contact_radius: Some(0.0), ..fair },
        PairProperties { grip: Some(0.0), ..fair },
        PairProperties { static_friction: Some(0.4), ..fair },
        PairProperties { static_friction: Some(f64::NAN), ..fair },
    ];
    for properties in bad {
        assert!(table.insert_pair("steel", "ice", properties).is_err(), "{properties:?}");
    }
    let message = table.id("stel").unwrap_err().to_string();
    assert!(message.contains("\"stel\"") && message.contains("steel, billiard-ball"), "{message}");
}

#[test]
fn the_grip_of_unequal_materials_lies_between_those_of_equal_ones() {
    let table = MaterialTable::builtin();
    let [steel, rubber] = ["steel", "rubber"].map(|name| *table.material_named(name).unwrap());
    // All the give is in the rubber, so the pair grips like rubber on something rigid: the same share as rubber on rubber.
    assert!(off(grip_of(&steel, &rubber), grip_of(&rubber, &rubber)) < 1e-3);
    let (low, high) = (grip_of(&rubber, &rubber), grip_of(&steel, &steel));
    assert!((low..=high).contains(&grip_of(&steel, &rubber)));
}
