//! Policies from files: TOML for people, JSON for machines, one schema.

mod json_places;
mod toml_lines;

use std::fmt;
use std::path::{Path, PathBuf};

use intentkey_core::{Code, Policies, Refusal};

use json_places::{Position, malformed_at, position_of};

/// Why a policy could not be loaded.
#[derive(Debug)]
pub struct LoadError {
    path: PathBuf,
    problem: Problem,
}

#[derive(Debug)]
enum Problem {
    Unreadable(std::io::Error),
    /// The TOML itself is malformed; its parser says where.
    Toml {
        error: Box<toml::de::Error>,
        line: Option<usize>,
    },
    Refused {
        refusal: Refusal,
        at: At,
    },
}

/// Where in a file something is.
#[derive(Clone, Copy, Debug)]
enum At {
    Nowhere,
    /// In TOML.
    Line(usize),
    /// In JSON.
    Position(Position),
}

impl LoadError {
    /// The refusal, where the file could be read and parsed.
    #[must_use]
    pub fn refusal(&self) -> Option<&Refusal> {
        match &self.problem {
            Problem::Refused { refusal, .. } => Some(refusal),
            Problem::Unreadable(_) | Problem::Toml { .. } => None,
        }
    }

    /// Whether the file could not be read at all.
    #[must_use]
    pub fn is_unreadable(&self) -> bool {
        matches!(self.problem, Problem::Unreadable(_))
    }

    /// What is wrong, without the file and the line.
    #[must_use]
    pub fn reason(&self) -> String {
        match &self.problem {
            Problem::Unreadable(error) => error.to_string(),
            Problem::Toml { error, .. } => error.message().to_owned(),
            Problem::Refused { refusal, .. } => refusal.message().to_owned(),
        }
    }

    /// The line that the refusal names, counted from 1.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        match self.problem {
            Problem::Refused { at: At::Line(line) | At::Position(Position { line, .. }), .. } => Some(line),
            Problem::Toml { line, .. } => line,
            Problem::Refused { at: At::Nowhere, .. } | Problem::Unreadable(_) => None,
        }
    }

    /// The column of that line, in characters counted from 1; for JSON files.
    #[must_use]
    pub fn column(&self) -> Option<usize> {
        match self.problem {
            Problem::Refused { at: At::Position(Position { column, .. }), .. } => Some(column),
            _ => None,
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        match &self.problem {
            Problem::Unreadable(error) => write!(f, ": {error}"),
            Problem::Toml { error, line: Some(line) } => {
                write!(f, ":{line}: policy_invalid: {}", error.message())
            }
            Problem::Toml { error, line: None } => write!(f, ": policy_invalid: {}", error.message()),
            Problem::Refused { refusal, at: At::Nowhere } => write!(f, ": {refusal}"),
            Problem::Refused { refusal, at: At::Line(line) } => write!(f, ":{line}: {refusal}"),
            Problem::Refused { refusal, at: At::Position(Position { line, column }) } => {
                write!(f, ":{line}:{column}: {refusal}")
            }
        }
    }
}

impl std::error::Error for LoadError {}

/// Loads a policy, or policies over time, from a file.
///
/// A file whose name ends in `.json` is JSON: one policy, or a list of `{"from_epoch", "policy"}`.
/// Any other file is TOML: one policy, or an array of tables `[[policies]]`, each with
/// `from_epoch` and `policy`.
///
/// # Errors
///
/// Where the file cannot be read, or is refused as `policy_invalid`, with the line.
pub fn load(path: &Path) -> Result<Policies, LoadError> {
    Document::read(path)?.policies()
}

/// The text of a policy file, before it is judged: for tools that point at its lines or change it.
#[derive(Clone, Debug)]
pub struct Document {
    path: PathBuf,
    text: String,
    /// The same as JSON, for a file that is TOML.
    from_toml: Option<String>,
}

impl Document {
    /// Reads a file, as [`load`] does.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read, or is no TOML.
    pub fn read(path: &Path) -> Result<Self, LoadError> {
        let failed = |problem| LoadError { path: path.to_owned(), problem };
        let text = std::fs::read_to_string(path).map_err(|error| failed(Problem::Unreadable(error)))?;
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
            return Ok(Document { path: path.to_owned(), text, from_toml: None });
        }
        let json = toml_to_json(&text).map_err(|error| {
            let line = error.span().and_then(|span| toml_lines::line_at(&text, span.start));
            failed(Problem::Toml { error: Box::new(error), line })
        })?;
        Ok(Document { path: path.to_owned(), text, from_toml: Some(json) })
    }

    /// The policy, or the policies over time.
    ///
    /// # Errors
    ///
    /// `policy_invalid`, with the line.
    pub fn policies(&self) -> Result<Policies, LoadError> {
        Policies::from_json(self.json()).map_err(|refusal| {
            let at = self.at(&refusal);
            LoadError { path: self.path.clone(), problem: Problem::Refused { refusal, at } }
        })
    }

    /// The document as JSON text.
    #[must_use]
    pub fn json(&self) -> &str {
        self.from_toml.as_deref().unwrap_or(&self.text)
    }

    /// The line, counted from 1, of a place such as `identity.creditor\.key.scale`, or of the
    /// nearest place above it that the document has.
    #[must_use]
    pub fn line_of(&self, place: &str) -> Option<usize> {
        match self.from_toml {
            Some(_) => toml_lines::line_of(&self.text, place),
            None => position_of(&self.text, place).map(|position| position.line),
        }
    }

    /// Where the document has what is refused.
    fn at(&self, refusal: &Refusal) -> At {
        if self.from_toml.is_some() {
            return refusal.field().and_then(|place| self.line_of(place)).map_or(At::Nowhere, At::Line);
        }
        let position = malformed_at(&self.text).or_else(|| position_of(&self.text, refusal.field()?));
        position.map_or(At::Nowhere, At::Position)
    }

    /// The lines of a TOML file, each as what stands before its comment and the comment; none of
    /// a JSON file.
    pub(crate) fn comments(&self) -> impl Iterator<Item = (&str, &str)> {
        let text = if self.from_toml.is_some() { &*self.text } else { "" };
        text.lines().map(toml_lines::at_comment)
    }
}

/// Policies from the text of a TOML file.
pub(crate) fn from_toml(text: &str) -> Result<Policies, Refusal> {
    // What the proposal writes is TOML; what is not is no policy.
    let json = toml_to_json(text).map_err(|_| Refusal::from(Code::PolicyInvalid))?;
    Policies::from_json(&json)
}

/// The same document as JSON text.
///
/// What TOML has and JSON has not (dates, infinity) becomes a value that the schema refuses at
/// its place.
fn toml_to_json(text: &str) -> Result<String, toml::de::Error> {
    let mut table: toml::Table = toml::from_str(text)?;
    let policies = match table.remove("policies") {
        Some(toml::Value::Array(policies)) if table.is_empty() => toml::Value::Array(policies),
        Some(other) => {
            table.insert("policies".to_owned(), other);
            toml::Value::Table(table)
        }
        None => toml::Value::Table(table),
    };
    Ok(json_of(policies).to_string())
}

fn json_of(value: toml::Value) -> serde_json::Value {
    match value {
        toml::Value::String(text) => text.into(),
        toml::Value::Integer(integer) => integer.into(),
        toml::Value::Float(float) => float.into(),
        toml::Value::Boolean(boolean) => boolean.into(),
        toml::Value::Datetime(_) => serde_json::Value::Null,
        toml::Value::Array(elements) => elements.into_iter().map(json_of).collect(),
        toml::Value::Table(members) => {
            members.into_iter().map(|(name, value)| (name, json_of(value))).collect()
        }
    }
}

#[cfg(test)]
mod tests;
