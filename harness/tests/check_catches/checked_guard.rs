//! Wrong cores that break checked-guard: checked fields in the wrong place.

use super::*;

#[test]
fn catches_a_checked_field_in_the_key() {
    let mut policy: Value = serde_json::from_str(POLICY).unwrap();
    let origin = policy["checked"].as_object_mut().unwrap().remove("origin").unwrap();
    policy["identity"]["origin"] = origin;
    caught(&Wrong::by(&policy.to_string()), &["checked-guard"]);
}

#[test]
fn catches_a_checked_field_that_is_not_in_the_fingerprint() {
    caught(&reading("note", |_| String::new()), &["checked-guard"]);
}
