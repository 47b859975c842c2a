//! The model checker's view: actions, states, and what must always hold.

use stateright::{Checker as _, Model, Property};

use super::Setup;
use super::world::{Action, World};

/// What must always hold.
const ONE_EFFECT: &str = "at most one effect an intent";
/// What must happen somewhere: else nothing was simulated.
const DONE: &str = "the intent is done somewhere";

/// What a run found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What was simulated.
    pub setup: Setup,
    /// How many different states were reached before the end, or before a double effect was found.
    pub states: usize,
    /// Whether the intent was done somewhere, with one effect; a run where it never is shows nothing.
    pub is_done: bool,
    /// A shortest trace to a double effect: what happened, and the world after it.
    pub double_effect: Option<Vec<(Action, World)>>,
}

/// One property a checker: with several, stateright 0.31 goes on after the first counterexample and keeps
/// the last, which is no shortest one.
struct Simulation {
    setup: Setup,
    property: fn() -> Property<Simulation>,
}

fn at_most_one_effect() -> Property<Simulation> {
    Property::always(ONE_EFFECT, |_, world: &World| world.effects < 2)
}

fn done_somewhere() -> Property<Simulation> {
    Property::sometimes(DONE, |_, world: &World| world.is_done() && world.effects == 1)
}

impl Model for Simulation {
    type State = World;
    type Action = Action;

    fn init_states(&self) -> Vec<World> {
        vec![World::new()]
    }

    fn actions(&self, state: &World, actions: &mut Vec<Action>) {
        state.actions(&self.setup, actions);
    }

    fn next_state(&self, state: &World, action: Action) -> Option<World> {
        state.after(&self.setup, action)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![(self.property)()]
    }
}

/// Explores every interleaving, up to a double effect.
#[must_use]
pub fn run(setup: Setup) -> Outcome {
    // One thread: several would race for which trace is the shortest.
    let explore = |property| Simulation { setup, property }.checker().threads(1).spawn_bfs().join();
    let checker = explore(at_most_one_effect);
    let double_effect = checker.discovery(ONE_EFFECT).map(|path| {
        let steps = path.into_vec();
        let worlds: Vec<World> = steps.iter().skip(1).map(|(world, _)| world.clone()).collect();
        steps.into_iter().filter_map(|(_, action)| action).zip(worlds).collect()
    });
    let is_done = explore(done_somewhere).discovery(DONE).is_some();
    Outcome { setup, states: checker.unique_state_count(), is_done, double_effect }
}
