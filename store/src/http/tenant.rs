//! Whose request it is.

use http::request::Parts;

/// Says whose request it is, from what authentication has left in it: an extension, or a header that
/// only a gateway can set. Closures implement it.
///
/// Keys of different tenants never meet, so it must stay the same for one client over all its repeats: an
/// account, never a token that is renewed.
pub trait Tenant: Send + Sync + 'static {
    /// The tenant; `None` or empty where it is not known, which is answered with 403.
    fn tenant(&self, request: &Parts) -> Option<String>;
}

impl<F: Fn(&Parts) -> Option<String> + Send + Sync + 'static> Tenant for F {
    fn tenant(&self, request: &Parts) -> Option<String> {
        self(request)
    }
}
