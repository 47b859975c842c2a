//! Every lint there is: its id, what it looks for, why, and what to do.

use intentkey_core::Policy;

use super::{Finding, Severity, attempt, destinations, identity, key_in_payload, retention, values};

/// A lint.
#[derive(Debug)]
pub struct Lint {
    /// Its id; ids only ever get added.
    pub id: &'static str,
    /// The heaviest finding that it makes.
    pub severity: Severity,
    /// What it looks for, in one line.
    pub summary: &'static str,
    /// Why that is a mistake, what to do, and when it is none.
    pub explanation: &'static str,
    pub(super) find: Option<fn(&Policy, &mut Vec<Finding>)>,
}

impl Lint {
    /// The lint with this id.
    #[must_use]
    pub fn with_id(id: &str) -> Option<&'static Lint> {
        ALL.iter().find(|lint| lint.id == id)
    }
}

/// Every lint, those of the policy as a whole first.
pub const ALL: &[Lint] = &[
    Lint {
        id: "policy_invalid",
        severity: Severity::Error,
        summary: "the policy does not load",
        explanation: "The policy does not follow its schema: something is unknown, missing, overlapping or contradictory at \
            the place named. No key can be derived with it, and no other lint can look at it.",
        find: None,
    },
    Lint {
        id: "nothing-required",
        severity: Severity::Warning,
        summary: "no identity field is required",
        explanation: "A payload that lacks most of its fields gets a key all the same, made of what happens to be there. Two \
            different intents whose producers both forgot a field then share a key, and the second is never executed.\n\n\
            Make those fields required without which nobody could say what is to be done. Fields that are there for some \
            actions only may stay optional.",
        find: Some(identity::nothing_required),
    },
    Lint {
        id: "identity-too-narrow",
        severity: Severity::Warning,
        summary: "identity fields have but a few possible values",
        explanation: "Where all that tells two intents apart is a boolean, a listed value, a currency or an amount, different \
            intents of one tenant meet in one key: two payments of 10.00 BRL to two people are one.\n\n\
            Add what the action is about: who is paid, which order, which event. Where there is no such thing, record a \
            UUID with the intent.",
        find: Some(identity::too_narrow),
    },
    Lint {
        id: "attempt-field-in-identity",
        severity: Severity::Error,
        summary: "a field of the attempt is in the key",
        explanation: "A request id, a count of attempts, a trace, a nonce, the attempt's clock or its machine differ from \
            attempt to attempt. In the identity they give every attempt a key of its own: the destination never recognizes \
            a repeat, which is what the key is for.\n\n\
            Move the field to [ignored], with the reason. A timestamp is found by its rule too, unless its name says that \
            it was decided with the intent (start, due, scheduled_for, departure): that finding is a warning.",
        find: Some(attempt::in_identity),
    },
    Lint {
        id: "attempt-field-in-checked",
        severity: Severity::Warning,
        summary: "a field of the attempt is in the fingerprint",
        explanation: "A checked field must not change between attempts: same key, other value, and the store answers 422. A \
            request id or a count of attempts always changes, so every retry is refused as a conflict.\n\n\
            Move the field to [ignored], with the reason.",
        find: Some(attempt::in_checked),
    },
    Lint {
        id: "intent-id-beside-fields",
        severity: Severity::Warning,
        summary: "an id of the intent stands beside other identity fields",
        explanation: "An id that was recorded with the intent says alone which intent is meant. Whatever stands beside it in \
            the identity adds nothing, and splits the intent as soon as one producer spells it otherwise.\n\n\
            Keep the id, and move the rest to [checked]: then a change under the same id is a conflict that somebody \
            sees. Fields that say in whose numbering the id counts (provider, account) stay. An id of another thing (the \
            order that a refund is about) is none of the intent.",
        find: Some(identity::intent_id),
    },
    Lint {
        id: "key-in-payload",
        severity: Severity::Warning,
        summary: "a field looks like an idempotency key",
        explanation: "Somebody before this policy has made a key already. Recorded before the first attempt it is better \
            than anything derived: send it as it is. Made in the attempt it is as bad as a request id: in the identity it \
            gives every attempt a key of its own.\n\n\
            In [ignored] it is a note, since that says that it is known and not used.",
        find: Some(key_in_payload::key_in_payload),
    },
    Lint {
        id: "free-text-in-identity",
        severity: Severity::Warning,
        summary: "required free text is in the key",
        explanation: "Text that people or models write is written a little differently the next time: a word, a full stop, a \
            typing error mended. Then the same intent has another key.\n\n\
            Where the text is what tells two intents apart, record a UUID when the intent is decided, and take that. Move \
            the text to [checked]. Text that is optional is left alone, and so are codes and names (ref, sku, coupon); \
            for those, exact says better what is meant.",
        find: Some(identity::free_text),
    },
    Lint {
        id: "fixed-scale-beside-currency",
        severity: Severity::Warning,
        summary: "an amount has a fixed scale although the currency varies",
        explanation: "Yen have no decimal places, dinars three. With scale = 2, 1.234 and 1.233 KWD are rounded to one amount \
            and share a key, and a price in yen with decimals passes unseen.\n\n\
            Say scale = \"currency\". Numbers that are no money (rate, quantity, weight) are left alone, and so is an enum \
            of currencies that all have this scale.",
        find: Some(values::fixed_scale),
    },
    Lint {
        id: "unstable-text-form",
        severity: Severity::Warning,
        summary: "a text has the form nfc_first",
        explanation: "form = \"nfc_first\" is the form of existing Python producers, byte for byte: it composes before it \
            folds. Where a capital has no composed form and its small letter has one, texts that differ in case only get two \
            keys, and a canonical text fed back changes once more.\n\n\
            Leave form out unless keys of such a producer are in use.",
        find: Some(values::unstable_text),
    },
    Lint {
        id: "empty-and-absent-differ",
        severity: Severity::Warning,
        summary: "an optional identity field may be empty or absent, which are two intents",
        explanation: "One producer sends \"\" where another leaves the field out: a form with an empty box, and a client that \
            knows of no such box. With empty = \"keep\", which is the default of text and exact, those are two intents with \
            two keys.\n\n\
            Say empty = \"absent\" where both mean the same, or empty = \"refuse\" where \"\" is a mistake.",
        find: Some(values::empty_and_absent),
    },
    Lint {
        id: "empty-is-an-identity",
        severity: Severity::Note,
        summary: "the one field that tells intents apart may be empty",
        explanation: "text and exact keep what is empty, so \"\" is a value like any other. Where the other identity fields are \
            amounts, currencies and listed values, which come again, all events whose producer lost the one field that \
            tells them apart meet in one key: two orders of 10.00 BRL with order_id \"\" are one.\n\n\
            Say empty = \"refuse\": then such an event is field_empty and somebody sees it. No key of another event changes.",
        find: Some(identity::empty_is_an_identity),
    },
    Lint {
        id: "compat-identifier",
        severity: Severity::Note,
        summary: "a field has the rule identifier, which is there for existing producers",
        explanation: "The rule drops the dots, dashes and slashes of what else is digits only, so 2024-1-12 and 2024-11-2 \
            are one identifier, and it judges no check digits.\n\n\
            Take exact for ids of your own, pix_key for Pix keys, digits for numbers with a mask. Keep it where existing \
            keys must stay the same.",
        find: Some(values::compat_identifier),
    },
    Lint {
        id: "ignored-without-reason",
        severity: Severity::Warning,
        summary: "an ignored field has no reason",
        explanation: "An ignored field may differ between two intents without anybody noticing. The reason is what a reviewer \
            judges that by, and \"\", \"todo\" or the field's own name is none.\n\n\
            Write why it says nothing of what the action is: \"new on every attempt\", \"presentation\".",
        find: Some(values::without_reason),
    },
    Lint {
        id: "destination-length",
        severity: Severity::Error,
        summary: "keys are longer or shorter than a destination takes",
        explanation: "The destination refuses such a key, cuts it or passes it over; in the last two cases nothing is \
            protected, and nobody is told.\n\n\
            Say a length that every destination takes. The limits stand in the table of destinations, each with its source \
            and the day on which it was read.",
        find: Some(destinations::length),
    },
    Lint {
        id: "destination-alphabet",
        severity: Severity::Error,
        summary: "keys have characters or a shape that a destination does not take",
        explanation: "Some destinations take UUIDs alone, some UUIDs of version 4 alone, some no underscore.\n\n\
            Say the format that it takes: uuid is a UUID of version 8, uuid4 has the shape of version 4, hex has digits and \
            the letters a to f.",
        find: Some(destinations::alphabet),
    },
    Lint {
        id: "destination-forgets-first",
        severity: Severity::Warning,
        summary: "a destination forgets a key before this policy's retention is over",
        explanation: "After that a repeat with the same key is a new request to the destination, and is executed again.\n\n\
            Let callers give up before, and say so in ttl_seconds; or keep claims in a store of your own, which answers the \
            repeat itself.",
        find: Some(retention::forgets_first),
    },
    Lint {
        id: "destination-unknown",
        severity: Severity::Warning,
        summary: "a destination is not in the table",
        explanation: "Nothing about it can be checked. A name that is one slip away from a known one is a warning, any other \
            a note.",
        find: Some(destinations::unknown),
    },
    Lint {
        id: "retention-too-short",
        severity: Severity::Error,
        summary: "keys are kept for less time than a caller goes on repeating",
        explanation: "What is repeated after the key is forgotten is executed again. Stripe's webhooks go on for 3 days and \
            Adyen's for 30, whatever a policy says of them.\n\n\
            Keep keys for longer than the longest caller repeats.",
        find: Some(retention::too_short),
    },
    Lint {
        id: "caller-unmeasured",
        severity: Severity::Warning,
        summary: "nobody has measured for how long a caller repeats",
        explanation: "Without that number no retention is known to be enough.\n\n\
            Look it up: the queue's retention, the client's retry policy, the schedule of the webhooks.",
        find: Some(retention::unmeasured),
    },
    Lint {
        id: "bucket-over-retention",
        severity: Severity::Warning,
        summary: "a bucket is wider than keys are kept, here or at a destination",
        explanation: "The bucket says that equal intents within it are one. Once the key is forgotten, the second of them is \
            executed as new, within the same bucket.\n\n\
            Narrow the bucket or keep keys for longer. One bucket for all time (bucket_seconds = 0) is left alone: there \
            the identity has to tell intents apart by itself.",
        find: Some(retention::bucket_over),
    },
];
