//! Findings that the policy's owner accepts, with a reason, in a comment beside the place.

use super::Finding;

/// What such a comment begins with.
const ALLOW: &str = "lint: allow ";

/// Marks the findings that a comment on their line, or on the lines of comments right above it,
/// accepts: `# lint: allow ID: reason`. Without a reason it accepts nothing.
pub(super) fn mark<'t>(lines: impl Iterator<Item = (&'t str, &'t str)>, findings: &mut [Finding]) {
    let mut above: Vec<(&str, &str)> = Vec::new();
    for (number, (code, comment)) in (1..).zip(lines) {
        above.extend(read(comment));
        if code.trim().is_empty() && !comment.is_empty() {
            continue;
        }
        for finding in findings.iter_mut().filter(|finding| finding.line == Some(number)) {
            if let Some((_, reason)) = above.iter().find(|(id, _)| *id == finding.id) {
                finding.accepted = Some((*reason).to_owned());
            }
        }
        above.clear();
    }
}

/// The id and the reason of a comment.
fn read(comment: &str) -> Option<(&str, &str)> {
    let (id, reason) = comment.trim_start_matches('#').trim().strip_prefix(ALLOW)?.split_once(':')?;
    let (id, reason) = (id.trim(), reason.trim());
    (!reason.is_empty()).then_some((id, reason))
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_comment_accepts_with_a_reason() {
        let whole = "# lint: allow free-text-in-identity: the subject is short";
        assert_eq!(read(whole), Some(("free-text-in-identity", "the subject is short")));
        assert_eq!(read("# lint: allow free-text-in-identity"), None);
        assert_eq!(read("# lint: allow free-text-in-identity: "), None);
        assert_eq!(read("# allow it"), None);
    }
}
