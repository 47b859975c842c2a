//! The table of destinations and callers: `data/destinations.toml`, compiled in.

use std::sync::LazyLock;

use serde::Deserialize;

/// The table that is compiled in.
static COMPILED_IN: LazyLock<Table> =
    LazyLock::new(|| toml::from_str(include_str!("../../data/destinations.toml")).unwrap_or_default());

/// What is known of destinations and callers.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Where keys go.
    #[serde(rename = "destination")]
    pub destinations: Vec<Destination>,
    /// Who repeats for a stated time.
    #[serde(rename = "caller")]
    pub callers: Vec<Caller>,
}

/// A destination of keys.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Destination {
    /// What policies may call it; the first is the usual name.
    pub names: Vec<String>,
    /// What it is, for people.
    pub what: String,
    /// The most characters of a key, where the source states it.
    pub longest: Option<u64>,
    /// The fewest characters of a key, where the source states it.
    pub shortest: Option<u64>,
    /// Which keys it takes.
    pub alphabet: Alphabet,
    /// For how many seconds it knows a key, where the source states it.
    pub remembers: Option<u64>,
    /// Where all that stands.
    pub source: String,
    /// The day on which it was read there.
    pub read: String,
}

/// Which keys a destination takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Alphabet {
    /// Any printable ASCII.
    Ascii,
    /// ASCII letters, digits, `-` and `_`.
    Word,
    /// ASCII letters, digits and `-`.
    Dashed,
    /// A UUID.
    Uuid,
    /// A UUID of version 4.
    Uuid4,
}

/// A caller that repeats for a stated time.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Caller {
    /// Words that all stand in its name.
    pub words: Vec<String>,
    /// For how many seconds it repeats.
    pub repeats: u64,
    /// Where that stands.
    pub source: String,
    /// The day on which it was read there.
    pub read: String,
}

impl Table {
    /// The table that is compiled in.
    #[must_use]
    pub fn compiled_in() -> &'static Table {
        &COMPILED_IN
    }

    /// The destination of this name, however its case and dashes are written.
    #[must_use]
    pub fn destination(&self, name: &str) -> Option<&Destination> {
        let wanted = plain(name);
        self.destinations.iter().find(|known| known.names.iter().any(|name| plain(name) == wanted))
    }

    /// The usual name of a destination that this one is a slip of, where there is one.
    #[must_use]
    pub fn like(&self, name: &str) -> Option<&str> {
        let wanted = plain(name);
        let near = |known: &&Destination| known.names.iter().any(|name| is_slip(&plain(name), &wanted));
        self.destinations.iter().find(near)?.names.first().map(String::as_str)
    }

    /// What is known of a caller of this name.
    #[must_use]
    pub fn caller(&self, name: &str) -> Option<&Caller> {
        let name = name.to_ascii_lowercase();
        self.callers.iter().find(|known| known.words.iter().all(|word| name.contains(word.as_str())))
    }
}

fn plain(name: &str) -> String {
    name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether one character more, less or other, or two neighbours exchanged, makes one of the other.
fn is_slip(one: &str, other: &str) -> bool {
    if one.len() < 4 || one.len().abs_diff(other.len()) > 1 {
        return false;
    }
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let front = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    let back = one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count();
    let longest = one.len().max(other.len());
    let between = longest.saturating_sub(front + back);
    let exchanged = || {
        let pair = |text: &[char]| text.get(front..front + 2).map(<[char]>::to_vec);
        let turned = pair(&other).map(|pair| pair.into_iter().rev().collect::<Vec<_>>());
        one.len() == other.len() && pair(&one) == turned
    };
    between <= 1 || between == 2 && exchanged()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_whole() {
        let table: Table = toml::from_str(include_str!("../../data/destinations.toml")).unwrap();
        assert_eq!((table.destinations.len(), table.callers.len()), (18, 2));
        for destination in &table.destinations {
            assert!(destination.source.starts_with("https://"), "{}", destination.what);
            assert_eq!(destination.read.len(), 10, "{}", destination.what);
            assert!(destination.shortest <= destination.longest, "{}", destination.what);
        }
    }

    #[test]
    fn destinations_are_found_by_any_of_their_names() {
        let table = Table::compiled_in();
        let longest = |name| table.destination(name).and_then(|destination| destination.longest);
        for (name, expected) in [
            ("stripe", 255),
            ("Stripe", 255),
            ("open-finance-brasil", 40),
            ("open_finance_brasil", 40),
            ("uk-open-banking", 40),
            ("open-banking-uk", 40),
            ("worldline", 40),
            ("adyen", 64),
            ("square", 45),
            ("square-payments", 45),
            ("razorpay", 36),
            ("razorpay-payouts", 36),
            ("paypal", 108),
            ("paypal-orders", 108),
            ("ec2", 64),
            ("aws-ec2", 64),
            ("sqs", 128),
            ("sqs-fifo", 128),
            ("sns-fifo", 128),
            ("dict", 36),
        ] {
            assert_eq!(longest(name), Some(expected), "{name}");
        }
        assert_eq!(longest("our-ledger"), None);
        assert_eq!(table.like("strpie"), Some("stripe"));
        assert_eq!(table.like("stripes"), Some("stripe"));
        assert_eq!(table.like("our-ledger"), None);
        assert_eq!(table.caller("stripe-webhooks").map(|caller| caller.repeats), Some(259_200));
        assert_eq!(table.caller("Stripe").map(|caller| caller.repeats), Some(259_200));
        assert_eq!(table.caller("queue").map(|caller| caller.repeats), None);
    }
}
