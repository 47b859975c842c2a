//! Buckets: floor(epoch / seconds), and what lies near their edges.

/// The buckets of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Buckets {
    /// The width; 0 is one bucket for all time.
    pub(crate) seconds: u64,
    /// How far from an edge an intent gets a second key; at most half the width.
    pub(crate) edge_seconds: u64,
}

impl Buckets {
    /// The bucket of an epoch.
    pub(crate) fn of(self, epoch: u64) -> u64 {
        epoch.checked_div(self.seconds).unwrap_or(0)
    }

    /// The first second of a bucket.
    pub(crate) fn first_second(self, bucket: u64) -> u64 {
        bucket.saturating_mul(self.seconds)
    }

    /// The bucket that begins at the edge which the epoch is near, if it is near one: the
    /// epoch's own, or the next. Nothing lies before bucket 0, so its start is no edge.
    pub(crate) fn edge_near(self, epoch: u64) -> Option<u64> {
        if self.edge_seconds == 0 {
            return None;
        }
        let bucket = self.of(epoch);
        let offset = epoch - self.first_second(bucket);
        if offset < self.edge_seconds {
            (bucket > 0).then_some(bucket)
        } else if offset >= self.seconds - self.edge_seconds {
            Some(bucket + 1)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_epoch_is_near_the_edge_on_either_side() {
        let buckets = Buckets { seconds: 900, edge_seconds: 20 };
        for (epoch, edge) in [
            (0, None),
            (19, None),
            (879, None),
            (880, Some(1)),
            (899, Some(1)),
            (900, Some(1)),
            (919, Some(1)),
            (920, None),
            (1780, Some(2)),
        ] {
            assert_eq!(buckets.edge_near(epoch), edge, "{epoch}");
        }
        assert_eq!(Buckets { seconds: 900, edge_seconds: 0 }.edge_near(900), None);
        assert_eq!(Buckets { seconds: 0, edge_seconds: 0 }.edge_near(900), None);
        let half = Buckets { seconds: 60, edge_seconds: 30 };
        assert_eq!(half.edge_near(89), Some(1));
        assert_eq!(half.edge_near(90), Some(2));
    }

    #[test]
    fn without_a_width_there_is_one_bucket() {
        let forever = Buckets { seconds: 0, edge_seconds: 0 };
        assert_eq!((forever.of(1_700_000_000), forever.first_second(0)), (0, 0));
        let quarter = Buckets { seconds: 900, edge_seconds: 0 };
        assert_eq!((quarter.of(1_704_067_299), quarter.first_second(1_893_408)), (1_893_408, 1_704_067_200));
    }
}
