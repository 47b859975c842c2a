//! Requests that HTTP/1 forbids, and that are parsed all the same: they are refused before anything else, as
//! the service might read them otherwise.

use http::{Request, StatusCode, Version, header};

/// How a request is refused that says twice, or not at all, whom it is for (RFC 9112, section 3.2), or whose
/// body has a coding that nobody takes off (section 6.1).
pub(crate) fn refused<B>(request: &Request<B>) -> Option<StatusCode> {
    let headers = request.headers();
    let hosts = headers.get_all(header::HOST).iter().count();
    if hosts > 1 || (hosts == 0 && request.version() == Version::HTTP_11) {
        return Some(StatusCode::BAD_REQUEST);
    }
    let mut codings = headers.get_all(header::TRANSFER_ENCODING).iter();
    let is_taken_off = codings.all(|coding| coding.as_bytes().trim_ascii().eq_ignore_ascii_case(b"chunked"));
    (!is_taken_off).then_some(StatusCode::NOT_IMPLEMENTED)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(version: Version, headers: &[(&str, &str)]) -> Option<u16> {
        let mut request = Request::post("/pay").version(version);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        refused(&request.body(()).ok()?).map(|status| status.as_u16())
    }

    #[test]
    fn a_request_is_for_one_host() {
        assert_eq!(status(Version::HTTP_11, &[("host", "a")]), None);
        assert_eq!(status(Version::HTTP_11, &[]), Some(400));
        assert_eq!(status(Version::HTTP_11, &[("host", "a"), ("host", "a")]), Some(400));
        assert_eq!(status(Version::HTTP_10, &[]), None);
        assert_eq!(status(Version::HTTP_2, &[]), None, "its target names the host");
        assert_eq!(status(Version::HTTP_2, &[("host", "a"), ("host", "b")]), Some(400));
    }

    #[test]
    fn only_chunks_are_taken_off() {
        let coded = |coding| status(Version::HTTP_11, &[("host", "a"), ("transfer-encoding", coding)]);
        assert_eq!((coded("chunked"), coded("Chunked")), (None, None));
        assert_eq!((coded("gzip, chunked"), coded("chunked, chunked")), (Some(501), Some(501)));
    }
}
