//! Where an invariant meets a host: cases are drawn, judged and shrunk.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use intentkey_core::Policy;
use proptest::strategy::BoxedStrategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use super::counterexample::Counterexample;
use crate::generate::intent::Intent;
use crate::generate::payload::Payloads;
use crate::generate::pick::scramble;
use crate::hosts::{Beside, Derived, Host, Outcome, Refused, Ring};

/// Steps of shrinking, at most: enough for a payload of some hundred parts.
pub(super) const MOST_SHRINKS: u32 = 20_000;

/// Draws in a row that may be given up, at most, before a strategy counts as impossible.
const MOST_REJECTS: u32 = 65_536;

/// Sets the secret apart from all else that a seed decides.
const SECRET: u64 = 0x5ec2_e75e_c2e7_5ec2;

/// Where one invariant meets a host.
pub(crate) struct Bench<'b> {
    /// Makes payloads.
    pub(crate) payloads: Rc<Payloads>,
    /// The secret of most cases.
    pub(crate) ring: Ring,
    host: &'b dyn Host,
    beside: &'b [Beside],
    cases: u32,
    seed: [u8; 32],
}

/// What came of an invariant.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No case broke it.
    Held {
        /// How many cases were tried.
        cases: u32,
    },
    /// A case broke it.
    Broken {
        /// How many cases were tried until then.
        cases: u32,
        /// The smallest one that was found.
        counterexample: Box<Counterexample>,
    },
    /// Nothing in the policy exercises it.
    Vacuous {
        /// Why.
        why: String,
    },
    /// What it needs is not there. That is no pass: nobody knows whether it holds.
    NotRun {
        /// Why, and what to do.
        why: String,
    },
}

/// Whether a case had anything in it that exercises the invariant; or how it broke it.
pub(crate) type Judged = Result<bool, Box<Counterexample>>;

impl<'b> Bench<'b> {
    /// A bench whose draws a seed and a name decide.
    pub(crate) fn new(policy: &Policy, host: &'b dyn Host, cases: u32, seed: u64, name: &str) -> Self {
        let mut bytes = [0; 32];
        let source = seed.to_le_bytes().into_iter().chain(name.bytes());
        bytes.iter_mut().zip(source).for_each(|(byte, from)| *byte = from);
        let ring = Ring::Bare(secret(seed));
        Bench { payloads: Rc::new(Payloads::of(policy)), ring, host, beside: &[], cases, seed: bytes }
    }

    /// With the hosts that must agree with the one that is looked at.
    pub(crate) fn with_beside(self, beside: &'b [Beside]) -> Self {
        Bench { beside, ..self }
    }

    pub(crate) fn beside(&self) -> &'b [Beside] {
        self.beside
    }

    pub(crate) fn cases(&self) -> u32 {
        self.cases
    }

    pub(crate) fn policy(&self) -> &Policy {
        self.payloads.policy()
    }

    /// Draws cases and judges each; shrinks the first that breaks the invariant.
    pub(crate) fn run<C: fmt::Debug + 'static>(
        &self,
        strategy: &BoxedStrategy<C>,
        nothing: &str,
        judge: impl Fn(&C) -> Judged,
    ) -> Verdict {
        let mut runner = self.runner();
        let (tried, exercised) = (Cell::new(0), Cell::new(false));
        let smallest = RefCell::new(None);
        let outcome = runner.run(strategy, |case| {
            if smallest.borrow().is_none() {
                tried.set(tried.get() + 1);
            }
            match judge(&case) {
                Ok(any) => {
                    exercised.set(exercised.get() || any);
                    Ok(())
                }
                Err(counterexample) => {
                    // The last case that breaks it is the smallest.
                    smallest.replace(Some(counterexample));
                    Err(TestCaseError::fail("broken"))
                }
            }
        });
        match (outcome, smallest.into_inner()) {
            (Err(TestError::Fail(..)), Some(counterexample)) => {
                Verdict::Broken { cases: tried.get(), counterexample }
            }
            (Err(error), _) => Verdict::Vacuous { why: format!("no payload could be made: {error}") },
            (Ok(()), _) if exercised.get() => Verdict::Held { cases: self.cases },
            (Ok(()), _) => Verdict::Vacuous { why: nothing.to_owned() },
        }
    }

    /// What draws the cases.
    pub(crate) fn runner(&self) -> TestRunner {
        let config = Config {
            cases: self.cases,
            max_shrink_iters: MOST_SHRINKS,
            max_local_rejects: MOST_REJECTS,
            failure_persistence: None,
            source_file: None,
            verbose: 0,
            ..Config::default()
        };
        TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &self.seed))
    }

    /// Derives the key of an intent with the usual secret.
    pub(crate) fn derive(&self, intent: &Intent) -> Outcome {
        self.derive_text(&self.ring, &intent.text())
    }

    /// Derives the key of an intent that must have one.
    pub(crate) fn derive_sound(&self, intent: &Intent) -> Result<Derived, Box<Counterexample>> {
        self.derive(intent).map_err(|_| self.refused(&self.ring, intent))
    }

    /// Derives the key of an intent from its text. A host that panics has refused.
    pub(crate) fn derive_text(&self, ring: &Ring, text: &str) -> Outcome {
        catch_unwind(AssertUnwindSafe(|| self.host.derive(ring, text))).unwrap_or_else(|_| {
            let message = String::from("the host panicked");
            Err(Refused { code: String::from("panicked"), message, ..Refused::default() })
        })
    }

    pub(crate) fn host(&self) -> &dyn Host {
        self.host
    }

    /// The counterexample of a sound intent that was refused.
    pub(crate) fn refused(&self, ring: &Ring, intent: &Intent) -> Box<Counterexample> {
        let side = |label| self.side(label, ring, intent);
        Counterexample::new("a sound intent is refused", side("the intent"), side("again")).boxed()
    }
}

/// The secret that a seed decides: 32 characters that stand nowhere else by chance, printable, so
/// that a message that shows them in whatever form is recognized.
fn secret(seed: u64) -> [u8; 32] {
    let mut secret = [b'k'; 32];
    let first = scramble(seed ^ SECRET);
    let digits = format!("{first:016x}{:016x}", scramble(first));
    secret.iter_mut().zip(digits.bytes()).for_each(|(byte, digit)| *byte = digit);
    secret
}
