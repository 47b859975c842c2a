//! The retrying client, against a service that counts effects by key.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use intentkey_core::Key;
use intentkey_core::protocol::{Status, Terms};
use intentkey_store::client::{ClientError, Intent, Keyed, Resend};
use intentkey_store::http::IdempotencyLayer;
use intentkey_store::{Filter, Looked, Options, Store, Target, open, recover, resume};
use reqwest_middleware::{ClientBuilder, ClientWithMiddleware, Error};
use tokio::net::TcpListener;

const DAY: Duration = Duration::from_secs(86_400);

/// A status, and what `Retry-After` says; status 0 is no answer.
type Answer = (u16, Option<&'static str>);

/// What the service answers, from the last to the first, and then 201.
#[derive(Clone, Default)]
struct Psp {
    answers: Arc<Mutex<Vec<Answer>>>,
    seen: Arc<Mutex<Vec<(String, String, bool)>>>,
}

impl Psp {
    fn answering(answers: &[Answer]) -> Self {
        let psp = Psp::default();
        psp.answers.lock().unwrap().extend(answers.iter().rev());
        psp
    }

    /// Keys and bodies, and whether there was an `Authorization`.
    fn seen(&self) -> Vec<(String, String, bool)> {
        self.seen.lock().unwrap().clone()
    }

    async fn serve(&self) -> SocketAddr {
        let app = Router::new().route("/pay", post(pay)).with_state(self.clone());
        serve(app).await
    }
}

async fn serve(app: Router) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });
    address
}

async fn pay(State(psp): State<Psp>, headers: HeaderMap, body: String) -> Response {
    let key = headers.get("idempotency-key").map(|key| key.to_str().unwrap().to_owned());
    psp.seen.lock().unwrap().push((key.unwrap_or_default(), body, headers.contains_key("authorization")));
    let next = psp.answers.lock().unwrap().pop();
    match next {
        Some((0, _)) => {
            tokio::time::sleep(Duration::from_secs(60)).await;
            "late".into_response()
        }
        Some((status, Some(after))) => {
            (StatusCode::from_u16(status).unwrap(), [("retry-after", after)]).into_response()
        }
        Some((status, None)) => StatusCode::from_u16(status).unwrap().into_response(),
        None => (StatusCode::CREATED, "paid").into_response(),
    }
}

async fn store() -> Arc<dyn Store> {
    open("sqlite::memory:", Options::default()).await.unwrap().into()
}

fn target(terms: Terms, execution: Duration) -> Target {
    Target::new("psp", terms, execution)
}

fn client(store: &Arc<dyn Store>, target: Target) -> ClientWithMiddleware {
    let keyed = Keyed::new(store.clone(), target, Duration::from_millis(300));
    let keyed = keyed.with_pauses(Duration::from_millis(10), Duration::from_millis(40));
    ClientBuilder::new(reqwest::Client::new()).with(keyed).build()
}

async fn send(
    client: &ClientWithMiddleware,
    at: SocketAddr,
    intent: &Intent,
    body: &'static str,
) -> Result<(u16, String), ClientError> {
    let request = client.post(format!("http://{at}/pay")).header("authorization", "Bearer x").body(body);
    match request.with_extension(intent.clone()).send().await {
        Ok(response) => Ok((response.status().as_u16(), response.text().await.unwrap())),
        Err(Error::Middleware(error)) => Err(error.downcast().unwrap()),
        Err(error) => panic!("{error}"),
    }
}

fn honours_keys() -> Target {
    target(Terms::idempotent_by_key(DAY), Duration::from_secs(30))
}

#[tokio::test]
async fn attempts_go_on_with_one_key_until_there_is_an_answer() {
    let psp = Psp::answering(&[(503, None), (0, None), (409, Some("1")), (429, None), (500, None)]);
    let (store, at) = (store().await, psp.serve().await);
    let intent = Intent::new("acme", "pay").unwrap();
    let begun = Instant::now();
    let client = client(&store, honours_keys());
    assert_eq!(send(&client, at, &intent, "a").await.unwrap(), (201, "paid".into()));
    assert!(begun.elapsed() >= Duration::from_secs(1), "Retry-After was heeded");
    let key = format!("\"{}\"", intent.key());
    assert_eq!(psp.seen(), vec![(key, "a".to_owned(), true); 6]);
    // The intent again: the store knows.
    assert_eq!(send(&client, at, &intent, "a").await.unwrap(), (201, "paid".into()));
    assert!(matches!(send(&client, at, &intent, "b").await, Err(ClientError::KeyReused)));
    assert_eq!(psp.seen().len(), 6);
    assert_eq!(store.counts().await.unwrap().recorded, 0);
}

#[tokio::test]
async fn a_final_answer_is_final_whatever_it_is() {
    for status in [200, 400, 402, 404, 422] {
        let psp = Psp::answering(&[(status, None)]);
        let (store, at) = (store().await, psp.serve().await);
        let intent = Intent::new("acme", "pay").unwrap();
        let client = client(&store, honours_keys());
        for _ in 0..2 {
            assert_eq!(send(&client, at, &intent, "a").await.unwrap().0, status);
        }
        assert_eq!(psp.seen().len(), 1);
    }
}

#[tokio::test]
async fn without_an_intent_nothing_is_added() {
    let psp = Psp::answering(&[(503, None)]);
    let (store, at) = (store().await, psp.serve().await);
    let client = client(&store, honours_keys());
    let response = client.post(format!("http://{at}/pay")).body("a").send().await.unwrap();
    assert_eq!(response.status(), 503);
    assert_eq!(psp.seen(), [(String::new(), "a".to_owned(), false)]);
}

#[tokio::test]
async fn what_could_not_be_sent_may_be_tried_again() {
    let held = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let nobody = held.local_addr().unwrap();
    drop(held);
    let store = store().await;
    let intent = Intent::new("acme", "pay").unwrap();
    let client = client(&store, target(Terms::idempotent_by_key(DAY), Duration::from_millis(600)));
    assert!(matches!(send(&client, nobody, &intent, "a").await, Err(ClientError::NotSent(_))));
    assert_eq!(store.get(&intent.key()).await.unwrap().unwrap().status, Status::Released);
}

#[tokio::test]
async fn a_destination_that_honours_no_keys_gets_one_attempt() {
    let psp = Psp::answering(&[(503, None), (503, None)]);
    let (store, at) = (store().await, psp.serve().await);
    let intent = Intent::new("acme", "pay").unwrap();
    let client = client(&store, target(Terms::neither(), Duration::from_secs(30)));
    assert!(matches!(send(&client, at, &intent, "a").await, Err(ClientError::StillUnknown(_))));
    assert!(matches!(send(&client, at, &intent, "a").await, Err(ClientError::InFlight { .. })));
    assert_eq!(psp.seen().len(), 1);
}

#[tokio::test]
async fn a_problem_that_says_unsettled_ends_it() {
    // A service behind our own layer, whose handler's outcome nobody knows.
    let here = Target::new("here", Terms::neither(), Duration::from_millis(50));
    let layer = IdempotencyLayer::new(store().await, here, |_: &Parts| Some("acme".into()));
    let unknown = || async { axum::Extension(intentkey_store::http::OutcomeUnknown) };
    let at = serve(Router::new().route("/pay", post(unknown)).layer(layer)).await;
    let store = store().await;
    let intent = Intent::new("acme", "pay").unwrap();
    let warm = client(&store, honours_keys());
    // The marker's response is 200; the repeat of another process is told the truth.
    assert_eq!(send(&warm, at, &intent, "a").await.unwrap().0, 200);
    tokio::time::sleep(Duration::from_millis(60)).await;
    let other = open("sqlite::memory:", Options::default()).await.unwrap().into();
    let outcome = send(&client(&other, honours_keys()), at, &intent, "a").await;
    assert!(matches!(outcome, Err(ClientError::Unsettled(_))), "{outcome:?}");
}

#[tokio::test]
async fn after_a_restart_the_same_key_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("outbox.db").display());
    let psp = Psp::answering(&[(0, None), (0, None)]);
    let at = psp.serve().await;
    let intent = Intent::new("acme", "pay").unwrap();
    let short = target(Terms::idempotent_by_key(DAY), Duration::from_millis(500));
    {
        let store: Arc<dyn Store> = open(&url, Options::default()).await.unwrap().into();
        let client = client(&store, short.clone());
        let sending = send(&client, at, &intent, "a");
        // The process ends while the first attempt is under way.
        assert!(tokio::time::timeout(Duration::from_millis(100), sending).await.is_err());
    }
    let store: Arc<dyn Store> = open(&url, Options::default()).await.unwrap().into();
    let mut headers = HeaderMap::new();
    headers.insert("authorization", "Bearer y".parse().unwrap());
    let plain = reqwest::Client::builder().default_headers(headers).build().unwrap();
    let again = Resend::new(plain, short, Duration::from_millis(300));
    let lease = Duration::from_millis(1);
    for _ in 0..100 {
        recover(&*store, &again, 16, lease).await.unwrap();
        resume(&*store, &again, 16, lease).await.unwrap();
        if store.counts().await.unwrap().done == 1 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(store.counts().await.unwrap().done, 1);
    let keys: HashMap<String, usize> =
        psp.seen().into_iter().fold(HashMap::new(), |mut keys, (key, body, had)| {
            assert_eq!((&*body, had), ("a", true), "the same request, with this process's authorization");
            *keys.entry(key).or_default() += 1;
            keys
        });
    assert_eq!(keys.keys().collect::<Vec<_>>(), [&format!("\"{}\"", intent.key())]);
}

/// Something in front of the destination lets nobody through any more; the attempt before got there.
#[tokio::test]
async fn a_refusal_says_nothing_of_the_attempt_before() {
    let psp = Psp::answering(&[(0, None), (401, None), (401, None), (401, None)]);
    let (store, at) = (store().await, psp.serve().await);
    let intent = Intent::new("acme", "pay").unwrap();
    let client = client(&store, target(Terms::idempotent_by_key(DAY), Duration::from_millis(500)));
    let _ = tokio::time::timeout(Duration::from_millis(100), send(&client, at, &intent, "a")).await;
    tokio::time::sleep(Duration::from_millis(600)).await;
    let outcome = send(&client, at, &intent, "a").await;
    assert!(matches!(outcome, Err(ClientError::StillUnknown(_))), "{outcome:?}");
    assert_eq!(store.get(&intent.key()).await.unwrap().unwrap().status, Status::InFlight);
}

#[tokio::test]
async fn after_a_restart_an_outcome_is_looked_up() {
    let psp = Psp::answering(&[(0, None)]);
    let (store, at) = (store().await, psp.serve().await);
    let asked = target(Terms::look_up(Duration::from_millis(50)), Duration::from_millis(400));
    let intent = Intent::new("acme", "pay").unwrap();
    let outcome = send(&client(&store, asked.clone()), at, &intent, "a").await;
    assert!(matches!(outcome, Err(ClientError::StillUnknown(_))));
    tokio::time::sleep(Duration::from_millis(500)).await;
    let found = |_: Key| async { Looked::Found(intentkey_store::Response::new(201, "looked up")) };
    let again = Resend::new(reqwest::Client::new(), asked, Duration::from_secs(1)).look_up(found);
    recover(&*store, &again, 16, Duration::from_secs(1)).await.unwrap();
    let row = store.list(&Filter::status(Status::Done)).await.unwrap().remove(0);
    assert_eq!(store.response(&row).unwrap().unwrap().body, b"looked up");
    assert_eq!(psp.seen().len(), 1);
}
