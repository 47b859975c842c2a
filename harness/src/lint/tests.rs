use super::*;

/// A sound policy: a payment to a Pix key. Nothing is found in it.
const SOUND: &str = r#"
name = "pix-payment"
actions = ["pix.transfer", "pix.refund"]
bucket_seconds = 900
edge_seconds = 20

[key]
length = 40
scope = "tenant"
destinations = ["open-finance-brasil"]

[identity]
creditor_key = { rule = "pix_key" }
amount = { rule = "decimal", scale = "currency" }
currency = { rule = "currency" }
remittance = { rule = "text", required = false, empty = "absent" }

[checked]
payer_note = { rule = "text", required = false }

[ignored]
request_id = "new on every attempt"
attempt = "new on every attempt"
created_at = "the attempt's clock, not the intent's"
user_agent = "presentation"

[retention]
ttl_seconds = 604800
callers = { queue = 86400, stripe-webhooks = 259200 }
"#;

/// The sound policy with a passage replaced; each passage must be there.
fn changed(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(String::from(SOUND), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    })
}

fn report(text: &str) -> Report {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("policy.toml");
    std::fs::write(&path, text).unwrap();
    lint_file(&path).unwrap()
}

/// The ids found, each with its place.
fn found(text: &str) -> Vec<(&'static str, String)> {
    report(text).findings.into_iter().map(|finding| (finding.id, finding.place)).collect()
}

/// The sound policy with these lines more in its identity.
fn with_identity(lines: &str) -> String {
    changed(&[("[identity]", &format!("[identity]\n{lines}"))])
}

/// A policy with these lines as its identity and nothing else.
fn identity_only(lines: &str) -> String {
    format!("name = \"p\"\nactions = [\"thing.do\"]\nbucket_seconds = 900\n[identity]\n{lines}\n")
}

#[track_caller]
fn fires(id: &str, place: &str, text: &str) {
    let found = found(text);
    assert_eq!(
        found.iter().map(|(id, place)| (*id, place.as_str())).collect::<Vec<_>>(),
        [(id, place)],
        "{text}"
    );
}

#[track_caller]
fn quiet(text: &str) {
    assert_eq!(found(text), [], "{text}");
}

#[test]
fn a_sound_policy_stays_quiet() {
    quiet(SOUND);
    assert!(!report(SOUND).fails());
}

#[test]
fn a_policy_that_does_not_load_is_policy_invalid() {
    let broken = report(&changed(&[("rule = \"currency\"", "rule = \"money\"")]));
    assert_eq!(broken.findings[0].id, "policy_invalid");
    assert_eq!(
        (broken.findings[0].place.as_str(), broken.findings[0].line),
        ("identity.currency.rule", Some(15))
    );
    assert!(broken.fails());
    let malformed = report("name = \n");
    assert_eq!((malformed.findings[0].id, malformed.findings[0].line), ("policy_invalid", Some(1)));
}

#[test]
fn nothing_required() {
    fires(
        "nothing-required",
        "identity",
        &identity_only(
            "to = { rule = \"email\", required = false }\nref = { rule = \"uuid\", required = false }",
        ),
    );
    quiet(&identity_only("to = { rule = \"email\" }\nref = { rule = \"uuid\", required = false }"));
    quiet(&identity_only(
        "\"items[].sku\" = { rule = \"exact\" }\nref = { rule = \"uuid\", required = false }",
    ));
}

#[test]
fn the_one_telling_field_may_be_empty() {
    let amount = "amount = { rule = \"decimal\" }\n";
    let order = |rest: &str| identity_only(&format!("{amount}order_id = {{ rule = \"exact\"{rest} }}"));
    fires("empty-is-an-identity", "identity.order_id", &order(""));
    fires("empty-is-an-identity", "identity.order_id", &order(", empty = \"keep\""));
    assert!(!report(&order("")).fails());
    fires(
        "empty-is-an-identity",
        "identity.recipient_code",
        &identity_only(&format!(
            "{amount}recipient_code = {{ rule = \"text\" }}\nmemo = {{ rule = \"exact\", required = false, empty = \"absent\" }}"
        )),
    );
    quiet(&order(", empty = \"refuse\""));
    // What must not be empty; what is refused as identity_empty; what leaves another to tell.
    quiet(&identity_only(&format!("{amount}order_id = {{ rule = \"uuid\" }}")));
    quiet(&identity_only("order_id = { rule = \"exact\" }"));
    quiet(&identity_only(&format!(
        "{amount}order_id = {{ rule = \"exact\" }}\ncustomer_id = {{ rule = \"exact\" }}"
    )));
}

#[test]
fn attempt_fields_in_identity_by_name() {
    for name in [
        "requestId",
        "request_id",
        "RequestID",
        "x-request-id",
        "X-Request-Id",
        "req_id",
        "requestid",
        "client_request_id",
        "correlation_id",
        "correlationId",
        "x-correlation-id",
        "traceparent",
        "trace_id",
        "traceId",
        "x-b3-traceid",
        "span_id",
        "tracestate",
        "trace",
        "nonce",
        "client_nonce",
        "attempt",
        "attempt_no",
        "attemptNumber",
        "attempts",
        "retry",
        "retryCount",
        "retry_count",
        "is_retry",
        "redelivered",
        "delivery_count",
        "try_count",
        "tries",
        "created_at",
        "createdAt",
        "created",
        "creation_time",
        "date_created",
        "updated_at",
        "sent_at",
        "sentAt",
        "submitted_at",
        "requested_at",
        "request_time",
        "received_at",
        "timestamp",
        "ts",
        "client_timestamp",
        "current_time",
        "user_agent",
        "userAgent",
        "client_ip",
        "ip",
        "hostname",
        "worker_id",
        "tool_call_id",
        "run_id",
        "invocation_id",
        "receipt_handle",
        "jti",
        "random",
        "salt",
        "started_at",
        "queued_at",
        "last_modified_at",
        "x-amzn-trace-id",
        "attempt_id",
    ] {
        let text = with_identity(&format!("\"{name}\" = {{ rule = \"exact\" }}"))
            .replace("request_id = \"new", "other_id = \"new")
            .replace("attempt = \"new", "other = \"new")
            .replace("created_at = \"the", "clock = \"the")
            .replace("user_agent = \"pres", "agent = \"pres");
        fires("attempt-field-in-identity", &format!("identity.{name}"), &text);
    }
    let nested = with_identity("\"meta.request_id\" = { rule = \"uuid\" }\n");
    fires("attempt-field-in-identity", r"identity.meta\.request_id", &nested);
    fires(
        "attempt-field-in-identity",
        r"identity.trace\.id",
        &with_identity("\"trace.id\" = { rule = \"exact\" }\n"),
    );
    fires(
        "attempt-field-in-identity",
        r"identity.request\.id",
        &with_identity("\"request.id\" = { rule = \"exact\" }\n"),
    );
}

#[test]
fn attempt_fields_in_identity_by_rule() {
    for name in ["moment", "when", "seen", "placed_at"] {
        let text = with_identity(&format!("{name} = {{ rule = \"timestamp\", precision = \"milli\" }}"));
        fires("attempt-field-in-identity", &format!("identity.{name}"), &text);
    }
    for name in ["request", "correlation", "call"] {
        let text = with_identity(&format!("{name} = {{ rule = \"uuid\" }}"));
        fires("attempt-field-in-identity", &format!("identity.{name}"), &text);
        quiet(&text.replace("uuid", "exact"));
    }
    for name in [
        "start",
        "starts_at",
        "due_at",
        "scheduled_for",
        "departure_time",
        "valid_until",
        "event_time",
        "occurred_at",
    ] {
        quiet(&with_identity(&format!("{name} = {{ rule = \"timestamp\" }}")));
    }
}

#[test]
fn fields_that_only_look_like_an_attempts_stay_quiet() {
    for name in [
        "payment_request",
        "purchase_request_id",
        "creditor_id",
        "trace_number",
        "original_created_at",
        "requested_execution_date",
        "delivery_date",
        "created_by",
        "retriever",
        "ipo_code",
        "run_date",
        "spanner",
        "random_house_isbn_code_of_author",
        "call_sign",
        "statement_period",
        "timestamped_series_code",
    ] {
        let identity = with_identity(&format!("{name} = {{ rule = \"exact\" }}"));
        let found = found(&identity);
        let wrong: Vec<_> = found.iter().filter(|(id, _)| *id == "attempt-field-in-identity").collect();
        // A word for randomness is taken for one wherever it stands.
        assert_eq!(wrong.is_empty(), !name.starts_with("random"), "{name}: {wrong:?}");
    }
}

#[test]
fn attempt_field_in_checked() {
    let checked = |line: &str| {
        changed(&[("[checked]", &format!("[checked]\n{line}")), ("request_id = \"new", "other = \"new")])
    };
    fires("attempt-field-in-checked", "checked.request_id", &checked("request_id = { rule = \"uuid\" }"));
    quiet(&checked("created = { rule = \"timestamp\", required = false }"));
}

#[test]
fn intent_id_beside_fields() {
    fires("intent-id-beside-fields", "identity.intent_id", &with_identity("intent_id = { rule = \"uuid\" }"));
    fires("intent-id-beside-fields", "identity.intentId", &with_identity("intentId = { rule = \"exact\" }"));
    fires(
        "intent-id-beside-fields",
        "identity.endToEndId",
        &with_identity("endToEndId = { rule = \"exact\" }"),
    );
    fires(
        "intent-id-beside-fields",
        "identity.transfer_id",
        &with_identity("transfer_id = { rule = \"exact\" }"),
    );
    let paying =
        |line: &str| with_identity(line).replace("\"pix.transfer\", \"pix.refund\"", "\"pix.transfer\"");
    fires(
        "intent-id-beside-fields",
        "identity.transaction_id",
        &paying("transaction_id = { rule = \"exact\" }"),
    );
    quiet(&paying("transaction_id = { rule = \"exact\" }").replace("pix.transfer", "pix.refund"));
    // Alone, beside what says in whose numbering it counts, or an id of another thing.
    quiet(&identity_only("intent_id = { rule = \"uuid\" }"));
    quiet(&identity_only(
        "event_id = { rule = \"exact\" }\nprovider = { rule = \"enum\", values = [\"stripe\", \"adyen\"] }\naccount = { rule = \"exact\" }",
    ));
    quiet(&with_identity("refund_of = { rule = \"exact\", required = false, empty = \"refuse\" }"));
    quiet(&with_identity("original_transfer_id = { rule = \"exact\" }"));
    quiet(&with_identity("order_id = { rule = \"exact\" }"));
    quiet(&identity_only("\"items[].id\" = { rule = \"uuid\" }\nto = { rule = \"email\" }"));
}

#[test]
fn free_text_in_identity() {
    for name in ["remittance", "description", "subject", "prompt", "memo", "message", "purpose", "wording"] {
        let text = identity_only(&format!("{name} = {{ rule = \"text\" }}\nto = {{ rule = \"email\" }}"));
        fires("free-text-in-identity", &format!("identity.{name}"), &text);
    }
    fires(
        "free-text-in-identity",
        "identity.description",
        &identity_only("description = { rule = \"exact\" }\nto = { rule = \"email\" }"),
    );
    quiet(&identity_only(
        "memo = { rule = \"text\", required = false, empty = \"absent\" }\nto = { rule = \"email\" }",
    ));
    for name in ["order", "sku", "reference", "customer_id", "coupon_code", "payee_name"] {
        quiet(&identity_only(&format!("{name} = {{ rule = \"text\" }}\nto = {{ rule = \"email\" }}")));
    }
}

#[test]
fn fixed_scale_beside_currency() {
    let fixed = |scale: &str| changed(&[("scale = \"currency\"", scale)]);
    fires("fixed-scale-beside-currency", "identity.amount", &fixed("scale = 2"));
    fires("fixed-scale-beside-currency", "identity.amount", &changed(&[(", scale = \"currency\"", "")]));
    let listed = |currencies: &str| {
        fixed("scale = 2").replace(
            "currency = { rule = \"currency\" }",
            &format!("currency = {{ rule = \"enum\", values = {currencies} }}"),
        )
    };
    fires("fixed-scale-beside-currency", "identity.amount", &listed("[\"BRL\", \"JPY\"]"));
    quiet(&listed("[\"BRL\", \"EUR\"]"));
    quiet(&with_identity("exchange_rate = { rule = \"decimal\", scale = 6 }"));
    quiet(&with_identity("quantity = { rule = \"decimal\", scale = 3 }"));
    quiet(&identity_only("amount = { rule = \"decimal\" }\nto = { rule = \"email\" }"));
}

#[test]
fn unstable_text_form() {
    let text = |parameters: &str| {
        changed(&[(
            "remittance = { rule = \"text\",",
            &format!("remittance = {{ rule = \"text\", {parameters}"),
        )])
    };
    fires("unstable-text-form", "identity.remittance", &text("form = \"nfc_first\","));
    quiet(&text("form = \"canonical\","));
    quiet(&text("form = \"nfc_first\", case = \"keep\","));
}

#[test]
fn empty_and_absent_differ() {
    fires("empty-and-absent-differ", "identity.remittance", &changed(&[(", empty = \"absent\"", "")]));
    fires(
        "empty-and-absent-differ",
        "identity.remittance",
        &changed(&[("empty = \"absent\"", "empty = \"keep\"")]),
    );
    fires(
        "empty-and-absent-differ",
        "identity.refund_of",
        &with_identity("refund_of = { rule = \"exact\", required = false }"),
    );
    quiet(&changed(&[("empty = \"absent\"", "empty = \"refuse\"")]));
    quiet(&with_identity("tags = { rule = \"enum\", values = [\"a\"], required = false }"));
    quiet(&with_identity("\"labels[]\" = { rule = \"exact\", required = false }"));
}

#[test]
fn compat_identifier() {
    let text = with_identity("branch = { rule = \"identifier\" }");
    fires("compat-identifier", "identity.branch", &text);
    assert!(!report(&text).fails(), "a note");
    quiet(&with_identity("branch = { rule = \"digits\" }"));
}

#[test]
fn ignored_without_reason() {
    for reason in ["", " ", "-", "TODO", "n/a", "none", "ignored", "user agent", "..."] {
        fires(
            "ignored-without-reason",
            "ignored.user_agent",
            &changed(&[("\"presentation\"", &format!("\"{reason}\""))]),
        );
    }
    quiet(&changed(&[("\"presentation\"", "\"varies by device\"")]));
}

#[test]
fn identity_too_narrow() {
    fires(
        "identity-too-narrow",
        "identity",
        &identity_only("kind = { rule = \"enum\", values = [\"a\", \"b\"] }\nlive = { rule = \"boolean\" }"),
    );
    fires(
        "identity-too-narrow",
        "identity",
        &identity_only(
            "amount = { rule = \"decimal\", scale = \"currency\" }\ncurrency = { rule = \"currency\" }",
        ),
    );
    fires("identity-too-narrow", "identity", &identity_only("quantity = { rule = \"integer\" }"));
    quiet(&identity_only("kind = { rule = \"enum\", values = [\"a\", \"b\"] }\nday = { rule = \"date\" }"));
    quiet(&identity_only("invoice_number = { rule = \"integer\" }"));
}

#[test]
fn key_in_payload() {
    for name in [
        "idempotency_key",
        "idempotencyKey",
        "Idempotency-Key",
        "x-idempotency-key",
        "idem_key",
        "dedup_id",
        "deduplicationId",
        "MessageDeduplicationId",
        "client_token",
        "ClientToken",
        "clientRequestToken",
        "PayPal-Request-Id",
        "idempotence_key",
        "dedupeKey",
    ] {
        fires(
            "key-in-payload",
            &format!("identity.{name}"),
            &with_identity(&format!("\"{name}\" = {{ rule = \"exact\" }}")),
        );
    }
    let checked = changed(&[("[checked]", "[checked]\nidempotencyKey = { rule = \"uuid\" }")]);
    fires("key-in-payload", "checked.idempotencyKey", &checked);
    assert!(report(&checked).fails());
    let ignored =
        changed(&[("[ignored]", "[ignored]\nidempotency_key = \"the client's own, made in the attempt\"")]);
    fires("key-in-payload", "ignored.idempotency_key", &ignored);
    assert!(!report(&ignored).fails(), "known and not used: a note");
    quiet(&with_identity("creditor_pix_key = { rule = \"exact\" }"));
}

fn keys(key: &str) -> String {
    changed(&[
        ("length = 40\n", ""),
        ("scope = \"tenant\"\n", ""),
        ("destinations = [\"open-finance-brasil\"]", key),
        (
            "ttl_seconds = 604800\ncallers = { queue = 86400, stripe-webhooks = 259200 }",
            "callers = { app = 60 }",
        ),
    ])
}

#[test]
fn destination_length() {
    for (destination, key) in [
        ("open-finance-brasil", ""),
        ("uk-open-banking", "length = 41\n"),
        ("worldline", "format = \"base64url\"\n"),
        ("square", "length = 46\n"),
        ("razorpay-payouts", "length = 40\n"),
    ] {
        let text = keys(&format!("{key}destinations = [\"{destination}\"]"));
        fires("destination-length", "key.destinations", &text);
    }
    fires("destination-length", "key.destinations", &keys("destinations = [\"stripe\", \"square\"]"));
    for key in [
        "length = 40\ndestinations = [\"open-finance-brasil\", \"worldline\", \"square\"]",
        "destinations = [\"stripe\", \"adyen\", \"paypal-orders\", \"ec2\"]",
        "length = 36\ndestinations = [\"razorpay-payouts\", \"mangopay\"]",
        "format = \"base64url\"\nlength = 40\ndestinations = [\"worldline\"]",
    ] {
        quiet(&keys(key));
    }
}

#[test]
fn destination_alphabet() {
    fires("destination-alphabet", "key.destinations", &keys("length = 36\ndestinations = [\"dict\"]"));
    fires("destination-alphabet", "key.destinations", &keys("length = 32\ndestinations = [\"wise\"]"));
    fires(
        "destination-alphabet",
        "key.destinations",
        &keys("format = \"base64url\"\nlength = 36\ndestinations = [\"mangopay\"]"),
    );
    quiet(&keys("format = \"uuid4\"\ndestinations = [\"dict\", \"wise\"]"));
    quiet(&keys("format = \"uuid\"\ndestinations = [\"wise\", \"stripe\", \"razorpay\"]"));
    fires("destination-alphabet", "key.destinations", &keys("format = \"uuid\"\ndestinations = [\"dict\"]"));
    let version = report(&keys("format = \"uuid\"\ndestinations = [\"dict\"]")).findings;
    assert!(version.iter().all(|finding| finding.severity == Severity::Note), "{version:?}");
    let both: Vec<&str> = found(&keys("destinations = [\"dict\"]")).into_iter().map(|(id, _)| id).collect();
    assert_eq!(both, ["destination-length", "destination-alphabet"]);
}

#[test]
fn destination_forgets_first() {
    let stripe = |ttl: &str| {
        changed(&[("open-finance-brasil", "stripe"), ("604800", ttl), (", stripe-webhooks = 259200", "")])
    };
    fires("destination-forgets-first", "retention.ttl_seconds", &stripe("604800"));
    fires("destination-forgets-first", "retention.ttl_seconds", &stripe("86401"));
    quiet(&stripe("86400"));
    // Of a destination whose source states no retention, nothing is claimed.
    quiet(SOUND);
}

#[test]
fn destination_unknown() {
    let named = |name: &str| changed(&[("open-finance-brasil", name)]);
    fires("destination-unknown", "key.destinations", &named("our-own-ledger"));
    assert!(!report(&named("our-own-ledger")).fails(), "a note");
    fires("destination-unknown", "key.destinations", &named("open-finance-brasli"));
    assert!(report(&named("open-finance-brasli")).fails(), "a slip");
    quiet(&named("Open_Finance_Brasil"));
}

#[test]
fn retention_too_short() {
    let retention = |lines: &str| {
        changed(&[("ttl_seconds = 604800\ncallers = { queue = 86400, stripe-webhooks = 259200 }", lines)])
    };
    let at = "retention.ttl_seconds";
    fires("retention-too-short", at, &retention("ttl_seconds = 86400\ncallers = { queue = 86401 }"));
    fires(
        "retention-too-short",
        at,
        &retention("ttl_seconds = 86400\ncallers = { app = 60, stripe-webhooks = 259200 }"),
    );
    // Stripe goes on for 3 days, whatever is written.
    fires("retention-too-short", at, &retention("ttl_seconds = 86400\ncallers = { stripe-webhooks = 3600 }"));
    fires("retention-too-short", "retention", &retention("callers = { dead-letters = 1209600 }"));
    quiet(&retention("ttl_seconds = 259200\ncallers = { stripe-webhooks = 259200 }"));
    quiet(&retention("callers = { queue = 604800 }"));
    quiet(&retention("ttl_seconds = 86400"));
}

#[test]
fn caller_unmeasured() {
    fires(
        "caller-unmeasured",
        "retention.callers.queue",
        &changed(&[("queue = 86400", "queue = \"unmeasured\"")]),
    );
    fires(
        "caller-unmeasured",
        "retention.callers",
        &changed(&[("{ queue = 86400, stripe-webhooks = 259200 }", "\"unmeasured\"")]),
    );
    quiet(&changed(&[("queue = 86400", "queue = 0")]));
}

#[test]
fn bucket_over_retention() {
    let bucket = |seconds: &str| changed(&[("bucket_seconds = 900", &format!("bucket_seconds = {seconds}"))]);
    fires("bucket-over-retention", "bucket_seconds", &bucket("604801"));
    quiet(&bucket("604800"));
    quiet(&bucket("0").replace("edge_seconds = 20\n", ""));
    fires("bucket-over-retention", "bucket_seconds", &keys("destinations = [\"sqs-fifo\"]"));
    quiet(&keys("destinations = [\"sqs-fifo\"]").replace("bucket_seconds = 900", "bucket_seconds = 300"));
}

#[test]
fn findings_have_the_line_of_their_place() {
    let line = |text: &str| report(text).findings[0].line;
    assert_eq!(line(&with_identity("nonce = { rule = \"exact\" }")), Some(13));
    assert_eq!(line(&changed(&[("604800", "3600")])), Some(28));
    let dated = "[[policies]]\nfrom_epoch = 0\n[policies.policy]\nname = \"p\"\nactions = [\"a\"]\nbucket_seconds = 60\n\
                 [policies.policy.identity]\nto = { rule = \"email\" }\nnonce = { rule = \"exact\" }\n";
    let finding = &report(dated).findings[0];
    assert_eq!((finding.place.as_str(), finding.line), ("[0].policy.identity.nonce", Some(9)));
}

#[test]
fn a_comment_with_a_reason_accepts_a_finding() {
    let nonce =
        |before: &str, after: &str| with_identity(&format!("{before}nonce = {{ rule = \"exact\" }}{after}"));
    for text in [
        nonce("# lint: allow attempt-field-in-identity: drawn once, with the intent\n", ""),
        nonce("# lint: allow attempt-field-in-identity: drawn once\n# and more words\n", ""),
        nonce("", " # lint: allow attempt-field-in-identity: drawn once"),
    ] {
        let report = report(&text);
        assert!(report.findings[0].accepted.as_deref().unwrap().starts_with("drawn once"), "{text}");
        assert!(!report.fails());
    }
    for text in [
        nonce("# lint: allow attempt-field-in-identity\n", ""),
        nonce("# lint: allow nothing-required: not this one\n", ""),
        nonce("# lint: allow attempt-field-in-identity: too far away\n\n", ""),
    ] {
        assert!(report(&text).fails(), "{text}");
    }
}

#[test]
fn every_lint_has_its_text() {
    for lint in ALL {
        assert!(!lint.summary.is_empty() && !lint.summary.ends_with('.'), "{}", lint.id);
        assert!(lint.explanation.len() > 100, "{}", lint.id);
        assert_eq!(Lint::with_id(lint.id).map(|lint| lint.id), Some(lint.id));
    }
}

#[test]
fn the_ready_policies_stay_quiet_but_for_the_compatible_one() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("policies");
    for name in ["agent-tool-call", "order", "pix-payment", "webhook"] {
        let report = lint_file(&folder.join(name).with_extension("toml")).unwrap();
        let open: Vec<_> = report.findings.iter().filter(|finding| finding.accepted.is_none()).collect();
        assert!(open.is_empty(), "{name}: {open:#?}");
    }
    let report = lint_file(&folder.join("published.toml")).unwrap();
    let found: Vec<&str> = report.findings.iter().map(|finding| finding.id).collect();
    assert_eq!(
        found,
        [
            "nothing-required",
            "compat-identifier",
            "fixed-scale-beside-currency",
            "unstable-text-form",
            "empty-and-absent-differ",
        ]
    );
}
