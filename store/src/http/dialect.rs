//! Dialects: the same answers as others spell them.

use http::header::{HeaderName, HeaderValue};
use http::{HeaderMap, StatusCode};
use intentkey_core::protocol::{ClientKey, KeyMalformed, PROBLEM_JSON, Problem};
use serde_json::json;

use super::problem::Answer;

/// Whose spelling of header and answers is used.
///
/// | name | header | read | same key, other request |
/// | --- | --- | --- | --- |
/// | `ietf` | `Idempotency-Key` | strictly | 422, problem details |
/// | `stripe` | `Idempotency-Key` | leniently | 400, `idempotency_error` |
/// | `open-finance-brasil` | `x-idempotency-key` | leniently | 422, `ERRO_IDEMPOTENCIA` |
///
/// Of the draft, revision 07 (15 October 2025) was compared, sections 2.1 to 2.7 and 5. It asks for what revision
/// 06 asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dialect {
    /// As draft-ietf-httpapi-idempotency-key-header-07.
    Ietf,
    /// As Stripe's API, so that its clients understand.
    Stripe,
    /// As Open Finance Brasil. A request's `x-fapi-interaction-id` is mirrored in answers without one. Up to the
    /// service are to refuse requests without such an id, and the signature (JWS) of answers. A key with
    /// blanks inside, which the API's pattern allows, is malformed here.
    OpenFinanceBrasil,
}

/// How the header is read: see [`ClientKey`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// An RFC 8941 string.
    Strict,
    /// That, or the key as it is.
    Lenient,
}

impl Reading {
    pub(super) fn read(self, value: &[u8]) -> Result<ClientKey, KeyMalformed> {
        match self {
            Reading::Strict => ClientKey::strict(value),
            Reading::Lenient => ClientKey::lenient(value),
        }
    }
}

/// An answer in a dialect.
pub(super) struct Spelled {
    pub(super) status: StatusCode,
    pub(super) media_type: &'static str,
    /// Of the texts for people.
    pub(super) language: &'static str,
    pub(super) body: String,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Dialect; 3] = [Dialect::Ietf, Dialect::Stripe, Dialect::OpenFinanceBrasil];

    /// Its name, as configurations write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Ietf => "ietf",
            Dialect::Stripe => "stripe",
            Dialect::OpenFinanceBrasil => "open-finance-brasil",
        }
    }

    /// The dialect of a name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Dialect> {
        Dialect::ALL.into_iter().find(|dialect| dialect.name() == name)
    }

    /// The name of its header.
    #[must_use]
    pub fn header(self) -> HeaderName {
        match self {
            Dialect::Ietf | Dialect::Stripe => HeaderName::from_static("idempotency-key"),
            Dialect::OpenFinanceBrasil => HeaderName::from_static("x-idempotency-key"),
        }
    }

    pub(super) fn reading(self) -> Reading {
        match self {
            Dialect::Ietf => Reading::Strict,
            Dialect::Stripe | Dialect::OpenFinanceBrasil => Reading::Lenient,
        }
    }

    /// What of a request every answer to it repeats: a header by which both sides find it in their logs.
    pub(super) fn mirrored(self, request: &HeaderMap) -> Option<(HeaderName, HeaderValue)> {
        let name = HeaderName::from_static("x-fapi-interaction-id");
        let value = (self == Dialect::OpenFinanceBrasil).then(|| request.get(&name).cloned()).flatten()?;
        Some((name, value))
    }

    pub(super) fn spell(self, answer: &Answer) -> Spelled {
        match self {
            Dialect::Ietf => Spelled {
                status: answer.status(),
                media_type: PROBLEM_JSON,
                language: "en",
                body: answer.details(),
            },
            Dialect::Stripe => stripe(answer),
            Dialect::OpenFinanceBrasil => open_finance_brasil(answer),
        }
    }
}

/// As Stripe's API answers: `error.type` and `error.message`, which its clients and plug-ins compare, and a
/// `code` where it has one; a mismatch has none.
///
/// DIFFERENCE: Stripe's messages go on with the key itself, and its mismatch tells another path from other
/// parameters. Here no text shows a key, and both are one fingerprint.
fn stripe(answer: &Answer) -> Spelled {
    let mut status = answer.status();
    let own_code = || answer.name().replace('-', "_");
    let (kind, code) = match answer {
        Answer::Protocol(Problem::KeyReused) => {
            status = StatusCode::BAD_REQUEST;
            ("idempotency_error", None)
        }
        Answer::Protocol(Problem::InFlight { .. }) => {
            ("idempotency_error", Some("idempotency_key_in_use".to_owned()))
        }
        _ if status.is_server_error() => ("api_error", Some(own_code())),
        _ => ("invalid_request_error", Some(own_code())),
    };
    let message = match answer {
        Answer::Protocol(Problem::KeyReused) => {
            "Keys for idempotent requests can only be used with the same parameters they were first used with."
        }
        Answer::Protocol(Problem::InFlight { .. }) => {
            "There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through). Please try again later."
        }
        _ => answer.detail(),
    };
    let mut error = json!({"type": kind, "message": message, "doc_url": answer.type_uri()});
    if let (Some(code), Some(members)) = (code, error.as_object_mut()) {
        members.insert("code".to_owned(), code.into());
    }
    let body = json!({ "error": error }).to_string();
    Spelled { status, media_type: "application/json", language: "en", body }
}

/// As the payments API has it (OpenBanking-Brasil/openapi, `swagger-apis/payments/4.0.0.yml`): the codes,
/// titles and details of `422ResponseErrorCreateConsent`, where `meta` is optional; 422 for parameters that
/// are missing or malformed too, as its order of checks says (1.3.1, 2.2.1). What it has no code for keeps
/// its own, in English.
fn open_finance_brasil(answer: &Answer) -> Spelled {
    let known = match answer {
        Answer::Protocol(Problem::KeyReused) => Some((
            "ERRO_IDEMPOTENCIA",
            "Erro idempotência.",
            "Conteúdo da mensagem (claim data) diverge do conteúdo associado a esta chave de idempotência (x-idempotency-key).",
        )),
        Answer::Protocol(Problem::KeyMissing) => Some((
            "PARAMETRO_NAO_INFORMADO",
            "Parâmetro não informado.",
            "Parâmetro x-idempotency-key obrigatório não informado.",
        )),
        Answer::Protocol(Problem::KeyMalformed) => Some((
            "PARAMETRO_INVALIDO",
            "Parâmetro inválido.",
            "Parâmetro x-idempotency-key não obedece as regras de formatação esperadas.",
        )),
        _ => None,
    };
    let error = known.map_or_else(
        || {
            let code = answer.name().replace('-', "_").to_ascii_uppercase();
            json!({"code": code, "title": answer.title(), "detail": answer.detail()})
        },
        |(code, title, detail)| json!({"code": code, "title": title, "detail": detail}),
    );
    Spelled {
        status: known.map_or(answer.status(), |_| StatusCode::UNPROCESSABLE_ENTITY),
        media_type: "application/json; charset=utf-8",
        language: known.map_or("en", |_| "pt-BR"),
        body: json!({ "errors": [error] }).to_string(),
    }
}
