use super::world::RECOVERY;
use super::*;

fn found(strategy: Strategy, destination: Destination, rules: Rules) -> bool {
    run(Setup { strategy, destination, rules }).double_effect.is_some()
}

#[test]
fn one_key_has_at_most_one_effect_everywhere() {
    for strategy in [Strategy::Recorded, Strategy::FrozenEpoch] {
        for destination in Destination::ALL {
            let outcome = run(Setup { strategy, destination, rules: Rules::ALL });
            assert!(outcome.double_effect.is_none(), "{}", text(&outcome));
            assert!(outcome.is_done);
            assert!(outcome.states > 500, "{}", text(&outcome));
        }
    }
}

#[test]
fn keys_of_the_attempt_have_two_everywhere() {
    for strategy in [Strategy::PerAttempt, Strategy::AttemptClock] {
        for destination in Destination::ALL {
            assert!(found(strategy, destination, Rules::ALL), "{strategy}, {destination}");
        }
    }
}

/// Which double effects each rule prevents, by the kind of destination.
#[test]
fn each_rule_prevents_a_double_effect() {
    for (rules, doubles) in [
        (Rules { fencing: false, ..Rules::ALL }, [false, true, true, false]),
        (Rules { unknown_is_not_absent: false, ..Rules::ALL }, [false, true, true, false]),
        (Rules { in_flight_stays: false, ..Rules::ALL }, [false, true, true, true]),
        (Rules { stated_lag: false, ..Rules::ALL }, [false, false, true, false]),
    ] {
        let found = Destination::ALL.map(|destination| found(Strategy::FrozenEpoch, destination, rules));
        assert_eq!(found, doubles, "{rules:?}");
    }
}

/// Claim, send, arrive, twice.
#[test]
fn a_trace_is_a_shortest_one() {
    for destination in Destination::ALL {
        let outcome = run(Setup { strategy: Strategy::PerAttempt, destination, rules: Rules::ALL });
        assert_eq!(outcome.double_effect.unwrap().len(), 6, "{destination}");
    }
}

#[test]
fn a_trace_is_told_in_two_timelines() {
    let rules = Rules { in_flight_stays: false, ..Rules::ALL };
    let outcome = run(Setup { strategy: Strategy::FrozenEpoch, destination: Destination::Neither, rules });
    let told = text(&outcome);
    assert!(
        told.starts_with("derived, frozen epoch | neither, in flight expires: DOUBLE EFFECT after "),
        "{told}"
    );
    assert!(told.contains("EFFECT number 2"), "{told}");
    let comparison = Comparison::explore();
    let page = html(&comparison, &[outcome]);
    assert!(page.contains("<td>sends the request"), "{page}");
    assert!(
        page.contains("<tr><td>recorded UUID<td>at most 1<td>at most 1<td>at most 1<td>at most 1"),
        "{page}"
    );
    assert!(!page.contains("<script") && !page.contains("assumed"), "{page}");
    let sound = Setup { strategy: Strategy::Recorded, destination: Destination::Neither, rules: Rules::ALL };
    let page = html(&comparison, comparison.outcome(sound).map(std::slice::from_ref).unwrap());
    assert!(page.contains("<li>an owner starts nothing once its time is over (fencing)"), "{page}");
}

/// Recovery executes what was recorded, and its own crash leaves the rest to the next one.
#[test]
fn recovery_takes_over_what_was_recorded() {
    let setup =
        Setup { strategy: Strategy::Recorded, destination: Destination::Idempotent, rules: Rules::ALL };
    let (mut world, mut told) = (World::new(), Vec::new());
    for action in [
        Action::Claim(0),
        Action::Crash(0),
        Action::Tick,
        Action::Recover(0, Said::Nothing),
        Action::Crash(RECOVERY),
        Action::Tick,
        Action::Recover(0, Said::Nothing),
        Action::Send(RECOVERY),
        Action::Arrive(0, true),
        Action::Settle(RECOVERY),
    ] {
        let mut possible = Vec::new();
        world.actions(&setup, &mut possible);
        assert!(possible.contains(&action), "{action:?} after {told:?}");
        world = world.after(&setup, action).unwrap();
        told.push(action);
    }
    assert!(world.is_done());
    assert_eq!(world.effects, 1);
}
