//! Annotations of GitHub Actions: a finding shown beside the line of the file that it is about.
//!
//! Written to standard error where `GITHUB_ACTIONS` says that a workflow runs, so that standard
//! output stays what it is everywhere. Source: "Workflow commands for GitHub Actions".

use std::io::{Write as _, stderr};

/// How an annotation is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// As a failure.
    Error,
    /// As a warning.
    Warning,
    /// As a remark.
    Notice,
}

/// Whether a workflow of GitHub Actions runs.
pub(super) fn are_wanted() -> bool {
    std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}

/// Writes an annotation.
pub(super) fn annotate(level: Level, file: &str, line: Option<usize>, title: &str, message: &str) {
    // An annotation that cannot be written is no reason to fail.
    let _ = writeln!(stderr(), "{}", command(level, file, line, title, message));
}

fn command(level: Level, file: &str, line: Option<usize>, title: &str, message: &str) -> String {
    let level = match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Notice => "notice",
    };
    let line = line.map(|line| format!(",line={line}")).unwrap_or_default();
    format!("::{level} file={}{line},title={}::{}", property(file), property(title), data(message))
}

/// A message, in which the ends of lines and the percent sign are escaped.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property, in which the signs that end it are escaped too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{Level, command};

    #[test]
    fn what_would_end_a_command_is_escaped() {
        assert_eq!(
            command(Level::Warning, "a,b:c.toml", Some(7), "x: y", "100 %\nsecond"),
            "::warning file=a%2Cb%3Ac.toml,line=7,title=x%3A y::100 %25%0Asecond"
        );
        assert_eq!(command(Level::Notice, "p", None, "t", "m"), "::notice file=p,title=t::m");
    }
}
