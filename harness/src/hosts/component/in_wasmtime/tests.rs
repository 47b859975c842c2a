use super::*;
use crate::hosts::component::{NotFound, bring_up_to_date, find};
use crate::hosts::{Agreement, Dated, Native};

const RING: Ring = Ring::Bare([7; 32]);

fn policy() -> Policy {
    Policy::from_json(
        r#"{"name": "test", "actions": ["pay"], "bucket_seconds": 900, "edge_seconds": 20,
            "key": {"scope": "tenant"}, "identity": {"note": {"rule": "text"}}}"#,
    )
    .unwrap()
}

fn found() -> Found {
    bring_up_to_date(|_| {}).unwrap();
    find(None).unwrap()
}

fn component() -> Component {
    Component::open(&found(), &policy()).unwrap()
}

fn intent(note: &str) -> String {
    format!(
        r#"{{"tenant": "acme", "action": "pay", "intent_epoch": 1767225600, "payload": {{"note": "{note}"}}}}"#
    )
}

#[test]
fn it_derives_what_core_derives_with_every_kind_of_ring() {
    let (component, native) = (component(), Native::new(policy()));
    assert_eq!(component.digest().unwrap(), policy().digest());
    let dated = |id: &str, from_epoch, first| Dated { id: id.to_owned(), from_epoch, secret: [first; 32] };
    for ring in [
        RING,
        Ring::Dated(vec![dated("old", 0, 1), dated("new", 1_767_225_600, 2)]),
        Ring::Tenant { tenant: "acme".to_owned(), secret: [3; 32] },
        Ring::Tenant { tenant: "other".to_owned(), secret: [3; 32] },
        Ring::Dated(Vec::new()),
    ] {
        for note in ["Ol\u{e1}", " ", "a\\ud800"] {
            let (one, other) = (component.derive(&ring, &intent(note)), native.derive(&ring, &intent(note)));
            assert!(Agreement::Whole.holds(&one, &other), "{one:?} {other:?}");
        }
    }
    assert!(component.derive(&RING, &intent("a")).unwrap().edge.is_some());
}

#[test]
fn out_of_fuel_or_memory_is_a_trap_and_a_fresh_instance_takes_over() {
    let large = "\u{e9}".repeat(400_000);
    for (limits, says) in [
        (Limits { fuel: 20_000_000, ..LIMITS }, "all fuel consumed"),
        (Limits { memory: 2 << 20, ..LIMITS }, "unreachable"),
    ] {
        let component = Component { limits, ..component() };
        let before = component.derive(&RING, &intent("small")).unwrap();
        let trapped = component.derive(&RING, &intent(&large)).unwrap_err();
        assert_eq!(trapped.code, "trapped");
        assert!(trapped.message.contains(says), "{}", trapped.message);
        assert_eq!(component.derive(&RING, &intent("small")).unwrap(), before);
    }
}

#[test]
fn a_component_of_another_source_is_not_taken() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("other.wasm");
    let mut bytes = found().bytes;
    let at = bytes.len() - 1;
    bytes[at] = if bytes[at] == b'0' { b'1' } else { b'0' };
    std::fs::write(&file, &bytes).unwrap();
    assert_eq!(find(Some(&file)).unwrap_err(), NotFound::OfAnotherSource(file.clone()));
    assert_eq!(find(Some(folder.path())).unwrap_err(), NotFound::Unreadable(folder.path().to_owned()));
    std::fs::write(&file, found().bytes).unwrap();
    let elsewhere = find(Some(&file)).unwrap();
    assert!(Component::open(&elsewhere, &policy()).is_ok());
    assert_eq!(
        std::fs::read_dir(&folder).unwrap().count(),
        1,
        "nothing is kept beside a file that was named"
    );
}

#[cfg(unix)]
#[test]
fn what_was_compiled_is_kept_beside_the_component_and_not_run_when_it_was_changed() {
    use std::os::unix::fs::PermissionsExt as _;

    let (engine, here) = (compiled::engine().unwrap(), found());
    let folder = tempfile::tempdir().unwrap();
    let copy = Found { path: folder.path().join("intentkey.component.wasm"), ..here };
    let kept = || {
        let names = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        names.collect::<Vec<_>>()
    };
    assert!(Component::open(&copy, &policy()).is_ok());
    let [file] = kept().try_into().unwrap();
    let written = || std::fs::metadata(&file).unwrap().modified().unwrap();
    let first = written();
    assert!(compiled::code(&engine, &copy).is_ok());
    assert_eq!(written(), first, "it was read back");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes.truncate(bytes.len() - 1);
    std::fs::write(&file, &bytes).unwrap();
    assert!(Component::open(&copy, &policy()).is_ok());
    assert_eq!(std::fs::read(&file).unwrap().len(), bytes.len() + 1, "it was compiled again");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o666)).unwrap();
    assert!(Component::open(&copy, &policy()).is_ok());
    assert_eq!(
        std::fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600,
        "others could write it"
    );
}
