//! Coefficients of the explicit Runge-Kutta pair of order 8 with embedded orders 5 and 3, and of its continuous extension of order 7.
//!
//! Source: Dormand and Prince's 8(5,3) pair as tabulated in Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, 2nd ed. 1993,
//! sections II.5, II.6 and II.10. Each number is the double nearest to the published decimals; zeros are left out, so a row lists `(stage, weight)`.
//! The tests check the conditions of order that make them what they are.

#![expect(clippy::unreadable_literal, reason = "published decimals, to be compared digit by digit")]

/// A row of the tableau without its zeros: which stage, with which weight.
pub(super) type Row = &'static [(usize, f64)];

/// Stages of one step; stage 12 is the derivative at its end, stages 13 to 15 serve the dense output alone.
pub(super) const STAGES: usize = 16;

/// Where in the step each stage is evaluated, as a part of it [-].
pub(super) const NODES: [f64; STAGES] = [
    0.0,
    0.05260015195876773,
    0.0789002279381516,
    0.1183503419072274,
    0.2816496580927726,
    0.3333333333333333,
    0.25,
    0.3076923076923077,
    0.6512820512820513,
    0.6,
    0.8571428571428571,
    1.0,
    1.0,
    0.1,
    0.2,
    0.7777777777777778,
];

/// How each stage is reached from those before; row 12 is the solution of order 8.
pub(super) const WEIGHTS: [Row; STAGES] = [
    &[],
    &[(0, 0.05260015195876773)],
    &[(0, 0.0197250569845379), (1, 0.0591751709536137)],
    &[(0, 0.02958758547680685), (2, 0.08876275643042054)],
    &[(0, 0.2413651341592667), (2, -0.8845494793282861), (3, 0.924834003261792)],
    &[(0, 0.037037037037037035), (3, 0.17082860872947386), (4, 0.12546768756682242)],
    &[(0, 0.037109375), (3, 0.17025221101954405), (4, 0.06021653898045596), (5, -0.017578125)],
    &[
        (0, 0.03709200011850479),
        (3, 0.17038392571223998),
        (4, 0.10726203044637328),
        (5, -0.015319437748624402),
        (6, 0.008273789163814023),
    ],
    &[
        (0, 0.6241109587160757),
        (3, -3.3608926294469414),
        (4, -0.868219346841726),
        (5, 27.59209969944671),
        (6, 20.154067550477894),
        (7, -43.48988418106996),
    ],
    &[
        (0, 0.47766253643826434),
        (3, -2.4881146199716677),
        (4, -0.590290826836843),
        (5, 21.230051448181193),
        (6, 15.279233632882423),
        (7, -33.28821096898486),
        (8, -0.020331201708508627),
    ],
    &[
        (0, -0.9371424300859873),
        (3, 5.186372428844064),
        (4, 1.0914373489967295),
        (5, -8.149787010746927),
        (6, -18.52006565999696),
        (7, 22.739487099350505),
        (8, 2.4936055526796523),
        (9, -3.0467644718982196),
    ],
    &[
        (0, 2.273310147516538),
        (3, -10.53449546673725),
        (4, -2.0008720582248625),
        (5, -17.9589318631188),
        (6, 27.94888452941996),
        (7, -2.8589982771350235),
        (8, -8.87285693353063),
        (9, 12.360567175794303),
        (10, 0.6433927460157636),
    ],
    &[
        (0, 0.054293734116568765),
        (5, 4.450312892752409),
        (6, 1.8915178993145003),
        (7, -5.801203960010585),
        (8, 0.3111643669578199),
        (9, -0.1521609496625161),
        (10, 0.20136540080403034),
        (11, 0.04471061572777259),
    ],
    &[
        (0, 0.056167502283047954),
        (6, 0.25350021021662483),
        (7, -0.2462390374708025),
        (8, -0.12419142326381637),
        (9, 0.15329179827876568),
        (10, 0.00820105229563469),
        (11, 0.007567897660545699),
        (12, -0.008298),
    ],
    &[
        (0, 0.03183464816350214),
        (5, 0.028300909672366776),
        (6, 0.053541988307438566),
        (7, -0.05492374857139099),
        (10, -0.00010834732869724932),
        (11, 0.0003825710908356584),
        (12, -0.00034046500868740456),
        (13, 0.1413124436746325),
    ],
    &[
        (0, -0.42889630158379194),
        (5, -4.697621415361164),
        (6, 7.683421196062599),
        (7, 4.06898981839711),
        (8, 0.3567271874552811),
        (12, -0.0013990241651590145),
        (13, 2.9475147891527724),
        (14, -9.15095847217987),
    ],
];

/// Solution less the embedded one of order 5.
pub(super) const ERROR_FIVE: Row = &[
    (0, 0.01312004499419488),
    (5, -1.2251564463762044),
    (6, -0.4957589496572502),
    (7, 1.6643771824549864),
    (8, -0.35032884874997366),
    (9, 0.3341791187130175),
    (10, 0.08192320648511571),
    (11, -0.022355307863886294),
];

/// Solution less the embedded one of order 3.
pub(super) const ERROR_THREE: Row = &[
    (0, -0.18980075407240762),
    (5, 4.450312892752409),
    (6, 1.8915178993145003),
    (7, -5.801203960010585),
    (8, -0.42268232132379197),
    (9, -0.1521609496625161),
    (10, 0.20136540080403034),
    (11, 0.022651792198360825),
];

/// The four highest coefficients of the dense output.
pub(super) const DENSE: [Row; 4] = [
    &[
        (0, -8.428938276109013),
        (5, 0.5667149535193777),
        (6, -3.0689499459498917),
        (7, 2.38466765651207),
        (8, 2.117034582445028),
        (9, -0.871391583777973),
        (10, 2.2404374302607883),
        (11, 0.6315787787694688),
        (12, -0.08899033645133331),
        (13, 18.148505520854727),
        (14, -9.194632392478356),
        (15, -4.436036387594894),
    ],
    &[
        (0, 10.427508642579134),
        (5, 242.28349177525817),
        (6, 165.20045171727028),
        (7, -374.5467547226902),
        (8, -22.113666853125306),
        (9, 7.733432668472264),
        (10, -30.674084731089398),
        (11, -9.332130526430229),
        (12, 15.697238121770845),
        (13, -31.139403219565178),
        (14, -9.35292435884448),
        (15, 35.81684148639408),
    ],
    &[
        (0, 19.985053242002433),
        (5, -387.0373087493518),
        (6, -189.17813819516758),
        (7, 527.8081592054236),
        (8, -11.57390253995963),
        (9, 6.8812326946963),
        (10, -1.0006050966910838),
        (11, 0.7777137798053443),
        (12, -2.778205752353508),
        (13, -60.19669523126412),
        (14, 84.32040550667716),
        (15, 11.99229113618279),
    ],
    &[
        (0, -25.69393346270375),
        (5, -154.18974869023643),
        (6, -231.5293791760455),
        (7, 357.6391179106141),
        (8, 93.40532418362432),
        (9, -37.45832313645163),
        (10, 104.0996495089623),
        (11, 29.8402934266605),
        (12, -43.53345659001114),
        (13, 96.32455395918828),
        (14, -39.17726167561544),
        (15, -149.72683625798564),
    ],
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The weighted sum of `node^power`.
    fn moment(row: Row, power: i32) -> f64 {
        row.iter().map(|&(j, weight)| weight * NODES[j].powi(power)).sum()
    }

    #[test]
    fn each_stage_stands_at_its_node() {
        for stage in 1..STAGES {
            assert!((moment(WEIGHTS[stage], 0) - NODES[stage]).abs() < 1e-13, "{stage}");
            // From the third on they are good to second order.
            if stage > 1 {
                let half = 0.5 * NODES[stage] * NODES[stage];
                assert!((moment(WEIGHTS[stage], 1) - half).abs() < 1e-13, "{stage}");
            }
        }
    }

    #[test]
    fn the_solution_integrates_polynomials_of_degree_seven() {
        for power in 0..8 {
            let exact = 1.0 / (f64::from(power) + 1.0);
            assert!((moment(WEIGHTS[12], power) - exact).abs() < 1e-14, "{power}");
        }
        assert!((moment(WEIGHTS[12], 8) - 1.0 / 9.0).abs() > 1e-8);
    }

    #[test]
    fn the_error_estimates_vanish_up_to_their_order() {
        for (row, order) in [(ERROR_FIVE, 5), (ERROR_THREE, 3)] {
            for power in 0..order {
                assert!(moment(row, power).abs() < 1e-14, "order {order}, power {power}");
            }
            assert!(moment(row, order).abs() > 1e-5, "order {order}");
        }
    }

    #[test]
    fn the_dense_output_is_exact_for_powers_up_to_seven() {
        // y = t^p over a step of 1; the first three coefficients as the method forms them.
        for power in 1..8 {
            let slope = |node: f64| f64::from(power) * node.powi(power - 1);
            let change = 1.0;
            let at_start = slope(0.0) - change;
            let high = DENSE.map(|row| row.iter().map(|&(j, w)| w * slope(NODES[j])).sum::<f64>());
            let cubic = change - slope(1.0) - at_start;
            for k in 1..10 {
                let part = f64::from(k) / 10.0;
                let rest = 1.0 - part;
                let top = high[0] + part * (high[1] + rest * (high[2] + part * high[3]));
                let value = part * (change + rest * (at_start + part * (cubic + rest * top)));
                assert!((value - part.powi(power)).abs() < 1e-13, "power {power} at {part}");
            }
        }
    }
}
