//! The kinds of changes, and what each does to keys: one table for the report and for people.

use super::may::May;

/// A kind of change of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// What is changed.
    pub change: &'static str,
    /// What becomes of the keys of intents that both policies accept.
    pub keys: &'static str,
    /// What else changes.
    pub besides: &'static str,
    /// Whether it breaks something that is in flight.
    pub breaking: bool,
    /// What it can do to keys at worst.
    pub may: May,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident: $change:literal, $keys:literal, $besides:literal, $breaking:literal, $may:ident;)+) => {
        $(
            $(#[$doc])*
            pub(super) const $name: Kind =
                Kind { change: $change, keys: $keys, besides: $besides, breaking: $breaking, may: May::$may };
        )+

        /// Every kind of change, in the order of a policy's parts.
        pub const KINDS: &[Kind] = &[$($name),+];
    };
}

kinds! {
    WORDS: "name, a reason, destinations, retention", "stay", "", false, STAY;
    ACTION_ADDED: "action added", "stay", "it is accepted", false, STAY;
    ACTION_REMOVED: "action removed", "stay", "it is refused", true, STAY;
    BUCKET_WIDER: "bucket_seconds raised", "all move", "merges intents that were in different buckets; splits some too unless it is a multiple", true, ANYTHING;
    BUCKET_NARROWER: "bucket_seconds lowered", "all move", "splits intents that were in one bucket; merges some too unless it is a divisor", true, ANYTHING;
    BUCKETS_BEGIN: "bucket_seconds from 0", "all move", "splits intents in what is now different buckets", true, SPLIT;
    BUCKETS_END: "bucket_seconds to 0", "all move", "merges equal intents of all time", true, MERGE;
    EDGE_WIDER: "edge_seconds raised", "stay", "merges equal intents near an edge", true, MERGE_AT_EDGES;
    EDGE_NARROWER: "edge_seconds lowered", "stay", "splits one intent whose producers' clocks differ", true, SPLIT_AT_EDGES;
    SHAPE: "key.format or key.length", "all move", "", true, MOVE;
    SCOPE: "key.scope", "all move", "", true, MOVE;
    FIELD_REQUIRED: "identity or checked field added, required", "stay", "refuses what lacks it", true, STAY;
    FIELD_OPTIONAL: "identity or checked field added, optional", "stay", "accepts what has it", false, STAY;
    FIELD_REMOVED: "identity or checked field removed", "stay", "refuses what has it", true, STAY;
    IDENTITY_TO_CHECKED: "identity field to checked", "move where it is present", "merges intents that differ in it", true, MERGE;
    IDENTITY_TO_IGNORED: "identity field to ignored", "move where it is present", "merges intents that differ in it", true, MERGE;
    CHECKED_TO_IDENTITY: "checked field to identity", "move where it is present", "splits intents that differ in it", true, SPLIT;
    CHECKED_TO_IGNORED: "checked field to ignored", "stay", "conflicts in it pass unseen", true, STAY;
    IGNORED_TO_IDENTITY: "ignored field to identity", "move where it is present", "splits intents that differ in it; refuses what its rule does not take", true, SPLIT;
    IGNORED_TO_CHECKED: "ignored field to checked", "stay", "retries that differ in it conflict", true, STAY;
    IGNORED_ADDED: "ignored path added", "stay", "accepts what has it", false, STAY;
    IGNORED_REMOVED: "ignored path removed", "stay", "refuses what has it", true, STAY;
    RULE: "rule", "some move", "may merge, split, refuse and accept", true, ANYTHING;
    PARAMETER: "a rule's parameter", "some move", "may merge, split, refuse and accept", true, ANYTHING;
    OPTIONAL: "required to optional", "stay", "accepts what lacks it", false, STAY;
    REQUIRED: "optional to required", "stay", "refuses what lacks it", true, STAY;
    NULL_ABSENT: "null = \"absent\" added", "stay", "accepts null", false, STAY;
    NULL_REFUSED: "null = \"absent\" removed", "stay", "refuses null", true, STAY;
    EMPTY_REFUSED: "empty to \"refuse\"", "stay", "refuses what is empty", true, STAY;
    EMPTY_ACCEPTED: "empty from \"refuse\"", "stay", "accepts what is empty", false, STAY;
    EMPTY_ABSENT: "empty from \"keep\" to \"absent\"", "move where it is empty", "merges empty and absent", true, MERGE;
    EMPTY_KEPT: "empty from \"absent\" to \"keep\"", "move where it is empty", "splits empty and absent", true, SPLIT;
    ORDER_ANY: "a list's order to \"any\"", "move where it is not sorted", "merges lists that differ in order", true, MERGE;
    ORDER_MATTERS: "a list's order to \"matters\"", "move where it is not sorted", "splits lists that differ in order", true, SPLIT;
}
