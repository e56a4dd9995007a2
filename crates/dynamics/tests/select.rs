//! Zero-crossing functions for the pairs with the smallest gaps.

use zerogap_dynamics::event::select::Places;

/// Pairs by number with their gaps at an instant.
fn choose(gaps: &[(u32, f64)]) -> Vec<(u32, f64)> {
    let mut places = Places::new(6);
    for (pair, gap) in gaps {
        places.offer(*gap, *pair);
    }
    let gap = |pair: u32| gaps.iter().find(|(known, _)| *known == pair).map_or(f64::NAN, |(_, gap)| *gap);
    places.chosen().map(|pair| (pair, gap(pair))).collect()
}

/// Table 1 of Neumayr and Otter 2017: six functions at two instants, between which no gap crosses zero. The last column of the table has its second and third row exchanged: -0.015 comes before -0.002.
#[test]
fn table_one_of_neumayr_and_otter() {
    let before = [(2, 0.4), (3, -0.001), (4, 0.9), (5, -0.003), (7, 0.02), (8, 0.3), (10, -0.09), (12, 0.8)];
    let now = [(2, 0.53), (3, -0.002), (4, 0.5), (5, -0.015), (7, 0.04), (8, 0.55), (10, -0.08), (12, 0.4)];
    let selected = choose(&before);
    assert_eq!(selected, [(10, -0.09), (5, -0.003), (3, -0.001), (7, 0.02), (8, 0.3), (2, 0.4)]);
    // The functions of the selection of the step before, at its end, and those of the new one.
    let kept: Vec<f64> =
        selected.iter().map(|(pair, _)| now.iter().find(|(known, _)| known == pair).unwrap().1).collect();
    assert_eq!(kept, [-0.08, -0.015, -0.002, 0.04, 0.55, 0.53]);
    let anew = choose(&now);
    assert_eq!(anew, [(10, -0.08), (5, -0.015), (3, -0.002), (7, 0.04), (12, 0.4), (4, 0.5)]);
    // Pairs 8 and 2 have lost their places, and no function has changed its sign.
    let signs = |gaps: &mut dyn Iterator<Item = f64>| gaps.map(f64::is_sign_negative).collect::<Vec<_>>();
    assert_eq!(signs(&mut kept.into_iter()), signs(&mut anew.into_iter().map(|(_, gap)| gap)));
}
