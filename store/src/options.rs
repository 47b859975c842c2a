//! How a store is opened.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use intentkey_core::protocol::Schedule;

use crate::seal::{Plain, Seal};

/// How a store is opened; the defaults are for production.
///
/// ```
/// use intentkey_store::Options;
/// use std::time::Duration;
///
/// let options = Options::default().longest_claim(Duration::from_secs(5)).connections(32);
/// ```
#[derive(Clone)]
pub struct Options {
    pub(crate) longest_claim: Duration,
    pub(crate) sweep_margin: Option<Duration>,
    pub(crate) connections: usize,
    pub(crate) schedule: Schedule,
    pub(crate) seal: Arc<dyn Seal>,
    pub(crate) unsafe_without_durability: bool,
    pub(crate) existing_only: bool,
    /// In PEM.
    #[cfg(feature = "tls")]
    pub(crate) root_certificates: Option<Vec<u8>>,
}

/// The longest that one statement of a claim may take.
const LONGEST_CLAIM: Duration = Duration::from_secs(10);
/// No statement waits for longer than a day: databases take no such times.
const LONGEST: Duration = Duration::from_secs(86_400);
/// A sweep margin beyond twice the longest claim: expiries are moved on by a minute at a time.
const MOVED_ON_BY: Duration = Duration::from_secs(60);

impl Default for Options {
    fn default() -> Self {
        Options {
            longest_claim: LONGEST_CLAIM,
            sweep_margin: None,
            connections: 16,
            schedule: Schedule::default(),
            seal: Arc::new(Plain),
            unsafe_without_durability: false,
            existing_only: false,
            #[cfg(feature = "tls")]
            root_certificates: None,
        }
    }
}

impl Options {
    /// Opens a file of SQLite only where it is there ([`StoreError::Missing`](crate::StoreError::Missing)):
    /// for operators, since of one that a slip of the pen has just made, nothing is unsettled.
    #[must_use]
    pub fn existing_only(mut self) -> Self {
        self.existing_only = true;
        self
    }

    /// The longest that one statement may take, waits for others included; 10 seconds, from 1
    /// millisecond to a day. On PostgreSQL the server enforces it (`statement_timeout`), on SQLite it is
    /// the `busy_timeout`. Waiting for a connection ends after it as well.
    ///
    /// On PostgreSQL a claim is one round trip only where the time to execute is at least twice as long.
    #[must_use]
    pub fn longest_claim(mut self, longest: Duration) -> Self {
        self.longest_claim = longest.clamp(Duration::from_millis(1), LONGEST);
        self
    }

    /// By how much a row must have expired before the sweep deletes it: at least, and by default, twice
    /// the longest claim and a minute, so that no claim that read its clock before the expiry is still
    /// under way.
    #[must_use]
    pub fn sweep_margin(mut self, margin: Duration) -> Self {
        self.sweep_margin = Some(margin);
        self
    }

    /// The most connections to PostgreSQL; 16.
    #[must_use]
    pub fn connections(mut self, most: usize) -> Self {
        self.connections = most.max(1);
        self
    }

    /// When recovery looks again; 1, 2 and 4 minutes after one another.
    #[must_use]
    pub fn schedule(mut self, schedule: Schedule) -> Self {
        self.schedule = schedule;
        self
    }

    /// What seals stored headers, bodies and requests; nothing.
    #[must_use]
    pub fn seal(mut self, seal: impl Seal + 'static) -> Self {
        self.seal = Arc::new(seal);
        self
    }

    /// Whom to trust with certificates of PostgreSQL servers, in PEM, such as the file that a provider of
    /// managed databases publishes; those of the operating system.
    #[cfg(feature = "tls")]
    #[must_use]
    pub fn root_certificates(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.root_certificates = Some(pem.into());
        self
    }

    /// Opens the store even where the database may forget what it has confirmed. After a crash of the
    /// machine, effects are then executed twice.
    #[must_use]
    pub fn unsafe_without_durability(mut self) -> Self {
        self.unsafe_without_durability = true;
        self
    }

    /// The margin of the sweep.
    pub(crate) fn margin(&self) -> Duration {
        let least = self.longest_claim.saturating_mul(2).saturating_add(MOVED_ON_BY);
        self.sweep_margin.map_or(least, |margin| margin.max(least))
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("longest_claim", &self.longest_claim)
            .field("sweep_margin", &self.margin())
            .field("connections", &self.connections)
            .field("unsafe_without_durability", &self.unsafe_without_durability)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sweep_leaves_time_for_claims_and_for_what_is_not_written() {
        let second = Duration::from_secs(1);
        let options = Options::default().longest_claim(5 * second);
        assert_eq!(options.margin(), 70 * second);
        assert_eq!(options.clone().sweep_margin(second).margin(), 70 * second);
        assert_eq!(options.sweep_margin(100 * second).margin(), 100 * second);
        assert_eq!(Options::default().longest_claim(Duration::MAX).longest_claim, LONGEST);
        assert_eq!(Options::default().longest_claim(Duration::ZERO).longest_claim.as_millis(), 1);
    }
}
