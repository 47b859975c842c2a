//! The policy, its secrets and its routes, from files.

use std::path::Path;

use http::{HeaderName, Method};
use intentkey_core::{Keyring, Policies, Secret};
use intentkey_store::http::{Derivation, EpochFrom};

use crate::choices::Choices;

/// The environment variable that holds a secret in hex.
const SECRET: &str = "INTENTKEY_SECRET";

/// The derivation, where a policy is named.
pub(crate) fn derivation(choices: &Choices) -> Result<Option<Derivation>, String> {
    let Some(path) = &choices.policy else {
        return if choices.routes.is_empty() { Ok(None) } else { Err("--route needs --policy".into()) };
    };
    if choices.routes.is_empty() {
        return Err("--policy needs a --route: which requests are of which action".into());
    }
    let policies = policies(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let epoch = match &choices.epoch_field {
        Some(field) => EpochFrom::Field(field.clone()),
        None => {
            let name = choices.epoch_header.as_deref().unwrap_or("intent-epoch");
            EpochFrom::Header(HeaderName::try_from(name).map_err(|_| "--epoch-header is no header")?)
        }
    };
    let mut derivation =
        Derivation::new(policies, keyring(choices)?, epoch).map_err(|refusal| refusal.to_string())?;
    for route in &choices.routes {
        let (method, path, action) = parse_route(route)?;
        derivation =
            derivation.route(method, path, action).map_err(|error| format!("--route {route}: {error}"))?;
    }
    Ok(Some(derivation))
}

/// `POST /payments=pix.transfer`
fn parse_route(route: &str) -> Result<(Method, &str, &str), String> {
    let malformed = || format!("--route {route}: it is written 'POST /path=action'");
    let (request, action) = route.rsplit_once('=').ok_or_else(malformed)?;
    let (method, path) = request.trim().split_once(' ').ok_or_else(malformed)?;
    let method = Method::try_from(method).map_err(|_| malformed())?;
    let path = path.trim();
    if path.starts_with('/') { Ok((method, path, action.trim())) } else { Err(malformed()) }
}

fn policies(path: &Path) -> Result<Policies, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    if path.extension().is_some_and(|extension| extension == "json") {
        return Policies::from_json(&text).map_err(|refusal| refusal.to_string());
    }
    let mut document: serde_json::Value =
        toml::from_str(&text).map_err(|error: toml::de::Error| error.message().to_owned())?;
    let over_time = document.as_object_mut().and_then(|table| {
        (table.len() == 1).then(|| table.remove("policies")).flatten().filter(serde_json::Value::is_array)
    });
    let policies = over_time.unwrap_or(document);
    Policies::from_json(&policies.to_string()).map_err(|refusal| refusal.to_string())
}

fn keyring(choices: &Choices) -> Result<Keyring, String> {
    let read = |path: &Path| std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    if let Some(path) = &choices.keyring {
        let text = String::from_utf8(read(path)?).map_err(|_| "--keyring: it is no text")?;
        return Keyring::from_json(&text).map_err(|refusal| refusal.to_string());
    }
    if let Some(path) = &choices.secret_file {
        let bytes = read(path)?;
        if !bytes.is_empty() && bytes.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace())
        {
            return Err("--secret-file holds printable text, and not raw bytes: use --keyring, or INTENTKEY_SECRET with its hex digits".into());
        }
        return Secret::new(bytes).map(Keyring::from).map_err(|refusal| refusal.to_string());
    }
    let digits = std::env::var(SECRET).map_err(|_| {
        "--policy needs a secret: --secret-file, --keyring, or INTENTKEY_SECRET with its hex digits"
            .to_owned()
    })?;
    Secret::from_hex(digits.trim()).map(Keyring::from).map_err(|refusal| refusal.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_are_read() {
        let read = parse_route("POST /a/{id} = pix.transfer").unwrap();
        assert_eq!(read, (Method::POST, "/a/{id}", "pix.transfer"));
        for route in ["", "POST", "POST /a", "/a=b", "POST a=b"] {
            assert!(parse_route(route).is_err(), "{route}");
        }
    }
}
