//! The same answers, as others spell them.

use serde_json::json;

use intentkey_store::http::{Dialect, Reading};

use crate::app::{app, layer, pay, post, send, store};

#[tokio::test]
async fn stripe() {
    let (app, effects) = app(&layer(store().await).dialect(Dialect::Stripe));
    let charge = |key: &'static str, body: &'static str| {
        send(&app, post("/pay").header("idempotency-key", key).body(body.into()).unwrap())
    };
    assert_eq!(charge("bare-key", "amount=1").await.status, 201);
    assert!(charge("bare-key", "amount=1").await.is_replay());
    let mismatch = charge("bare-key", "amount=2").await;
    assert_eq!((mismatch.status, mismatch.header("content-type")), (400, Some("application/json")));
    // What Stripe's clients and plug-ins compare.
    let error = &mismatch.json()["error"];
    assert_eq!((&error["type"], error.get("code")), (&json!("idempotency_error"), None));
    assert_eq!(
        error["message"],
        "Keys for idempotent requests can only be used with the same parameters they were first used with."
    );
    let malformed = charge("a b", "amount=2").await;
    assert_eq!((malformed.status, &malformed.json()["error"]["code"]), (400, &json!("key_malformed")));
    assert_eq!(effects.count(), 1);
}

#[tokio::test]
async fn stripe_says_that_the_original_runs() {
    let (app, _) = app(&layer(store().await).dialect(Dialect::Stripe));
    let charge = || send(&app, post("/slow").header("idempotency-key", "k").body("a".into()).unwrap());
    let (first, second) = tokio::join!(charge(), charge());
    let running = if first.status == 409 { first } else { second };
    assert_eq!((running.status, running.header("stripe-should-retry")), (409, Some("true")));
    let error = &running.json()["error"];
    assert_eq!(error["code"], "idempotency_key_in_use");
    let message = error["message"].as_str().unwrap();
    assert!(message.starts_with("There is currently another in-progress request using this Idempotent Key"));
}

#[tokio::test]
async fn open_finance_brasil() {
    let (app, effects) = app(&layer(store().await).dialect(Dialect::OpenFinanceBrasil));
    let pay = |body: &'static str, interaction: &'static str| {
        let request = post("/pay").header("x-idempotency-key", "8e03978e");
        send(&app, request.header("x-fapi-interaction-id", interaction).body(body.into()).unwrap())
    };
    assert_eq!(pay("a", "1").await.status, 201);
    let replay = pay("a", "2").await;
    assert!(replay.is_replay());
    // Of this request, not of the first one.
    assert_eq!(replay.header("x-fapi-interaction-id"), Some("2"));
    let mismatch = pay("b", "3").await;
    assert_eq!((mismatch.status, mismatch.header("content-language")), (422, Some("pt-BR")));
    assert_eq!(mismatch.header("x-fapi-interaction-id"), Some("3"));
    assert_eq!(
        mismatch.json(),
        json!({"errors": [{
            "code": "ERRO_IDEMPOTENCIA",
            "title": "Erro idempotência.",
            "detail": "Conteúdo da mensagem (claim data) diverge do conteúdo associado a esta chave de \
                       idempotência (x-idempotency-key).",
        }]})
    );
    let missing = send(&app, post("/pay").header("idempotency-key", "8e03978e").body("a".into()).unwrap());
    let missing = missing.await;
    assert_eq!(
        (missing.status, &missing.json()["errors"][0]["code"]),
        (422, &json!("PARAMETRO_NAO_INFORMADO"))
    );
    let malformed = post("/pay").header("x-idempotency-key", "a b").body("a".into()).unwrap();
    let malformed = send(&app, malformed).await;
    assert_eq!(
        (malformed.status, &malformed.json()["errors"][0]["code"]),
        (422, &json!("PARAMETRO_INVALIDO"))
    );
    assert_eq!(malformed.header("x-fapi-interaction-id"), None);
    assert_eq!(effects.count(), 1);
}

#[tokio::test]
async fn any_header_strict_or_lenient() {
    let layer = layer(store().await).header("paypal-request-id".parse().unwrap()).reading(Reading::Lenient);
    let (app, effects) = app(&layer);
    for key in ["K-1", "\"K-1\"", "K-1"] {
        let request = post("/pay").header("paypal-request-id", key).body("a".into()).unwrap();
        assert_eq!(send(&app, request).await.status, 201);
    }
    assert_eq!(effects.count(), 1);
    assert_eq!(pay(&app, "/pay", "K-1", "a").await.problem(), "key-missing");
}

#[test]
fn dialects_have_names() {
    for dialect in Dialect::ALL {
        assert_eq!(Dialect::by_name(dialect.name()), Some(dialect));
    }
    assert_eq!(Dialect::by_name("IETF"), None);
}
