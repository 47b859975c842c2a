//! Tells the command which sources it is built from, so that it can tell a component of the same
//! ones from any other.

use std::path::Path;

fn main() {
    let workspace = Path::new("..");
    println!("cargo::rerun-if-changed=build.rs");
    for source in intentkey_stamp::SOURCES {
        println!("cargo::rerun-if-changed={}", workspace.join(source).display());
    }
    // Away from its workspace the command knows no component as its own.
    let sources = intentkey_stamp::digest(workspace).unwrap_or_default();
    println!("cargo::rustc-env=INTENTKEY_SOURCES={sources}");
}
