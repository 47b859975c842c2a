//! A report as one self-contained page: styles and plots are in it, and no script.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::plots::{Kind, Plot, Role, Series};
use super::words::{
    DAYS_ONLY, Effect, advice, compared, counted, counted_unclassified, edge_cells, edge_heads, how, instant,
    joined, number, percent, span, up_to, verdict, width, width_cells, width_heads,
};
use super::{Causes, Keys, Report, Truth};

/// The page's style, but for the colours of the plots.
const STYLE: &str = include_str!("page.css");

/// The most rows of a list; the JSON report has all.
const MOST_ROWS: usize = 50;

/// The report as one self-contained page, for light and dark.
#[must_use]
pub fn to_html(report: &Report) -> String {
    let has_truth = report.truth.is_some();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "Audit of " (report.policy) }
                style { (PreEscaped(STYLE)) (PreEscaped(roles())) }
            }
            body {
                main {
                    (head(report))
                    @if let Some(truth) = &report.truth { (causes(truth)) }
                    (conflicts(&report.keys))
                    @if report.events.keyed > 0 {
                        (sweep(report, has_truth))
                        (edges(report, has_truth))
                        (over_time(report))
                        (repeats(report))
                    }
                    (refused(report))
                    (unclassified(report))
                    (broken(report))
                    footer {
                        p {
                            "Two events have one key exactly where tenant, action, canonical identity fields and bucket are equal. "
                            "Edge protection is counted as if every claim took its edge key too. "
                            "intentkey " (env!("CARGO_PKG_VERSION")) "."
                        }
                    }
                }
            }
        }
    };
    page.into_string()
}

/// The style that gives the plots' roles their colours.
fn roles() -> String {
    let each = Role::ALL.iter().map(|(role, name)| {
        let code = role.code();
        format!("svg [fill=\"{code}\"]{{fill:var(--{name})}}svg [stroke=\"{code}\"]{{stroke:var(--{name})}}")
    });
    each.collect()
}

fn head(report: &Report) -> Markup {
    let mood = if report.is_clean() { "good" } else { "bad" };
    html! {
        header class=(mood) {
            p.policy { "Audit of " strong { (report.policy) } }
            h1 { (verdict(report)) }
            @for why in &report.partial { p.partial { strong { "Partial: " } (why) "." } }
            @if report.days_only { p { "Note: " (DAYS_ONLY) "." } }
            p.inputs {
                (report.inputs.join(", "))
                @if let Some([first, last]) = report.span { " · decided from " (instant(first)) " to " (instant(last)) }
                " · buckets of " (width(report.bucket_seconds))
                @if report.edge_seconds > 0 { ", " (span(report.edge_seconds)) " of edge protection" }
            }
            div.tiles {
                (tile("events", report.events.read, "", false))
                (tile("with a key", report.events.keyed, &percent(report.events.keyed, report.events.read), false))
                (tile("refused", report.events.refused, &percent(report.events.refused, report.events.read), true))
                (tile("broken lines", report.events.broken, "", true))
                (tile("keys", report.keys.count, "", false))
                (tile("repeats", report.keys.repeats, &percent(report.keys.repeats, report.events.keyed), false))
                @if let Some(truth) = &report.truth {
                    (tile("intents", truth.intents, "", false))
                    (tile("false merges", truth.merged_keys, &format!("{} lost", counted(truth.lost_intents, "intent", "intents")), true))
                    (tile("false splits", truth.split_intents, &format!("{} too many", counted(truth.extra_keys, "key", "keys")), true))
                }
                @if report.keys.conflicts > 0 {
                    (tile("conflicts", report.keys.conflicts, "a checked field changed", true))
                }
            }
        }
    }
}

fn tile(name: &str, count: u64, note: &str, is_fault: bool) -> Markup {
    html! {
        div class={ "tile" @if is_fault && count > 0 { " fault" } } {
            span.count { (number(count)) }
            span.name { (name) }
            @if !note.is_empty() { span.note { (note) } }
        }
    }
}

fn causes(truth: &Truth) -> Markup {
    html! {
        @if truth.without > 0 {
            p { (counted(truth.without, "event", "events")) " without an id in " code { (truth.field) } ": not judged." }
        }
        @if truth.joined_intents > 0 { p { (joined(truth)) "." } }
        (cause_table("What merges different intents", Effect::Merge, truth.merges.as_ref(), truth.merged_keys, ""))
        (cause_table("What splits one intent", Effect::Split, truth.splits.as_ref(), truth.split_intents, ""))
    }
}

fn conflicts(keys: &Keys) -> Markup {
    let pairs: Vec<String> = keys.conflicting.iter().map(|pair| pair.join(" and ")).collect();
    let first = if pairs.is_empty() { String::new() } else { format!("The first: {}.", pairs.join("; ")) };
    let title = "What changes under one key";
    cause_table(title, Effect::Conflict, keys.conflict_fields.as_ref(), keys.conflicts, &first)
}

/// `more` stands below the table.
fn cause_table(title: &str, effect: Effect, causes: Option<&Causes>, of: u64, more: &str) -> Markup {
    let what = effect.what();
    let role = if effect == Effect::Merge { "merge" } else { "split" };
    html! {
        @if of > 0 {
            section {
                h2 { (title) }
                @if let Some(causes) = causes {
                    p.lead { "Fields that differ, in " (compared(causes, of, what)) "." }
                    div.scroll { table.causes {
                        thead { tr { th { "field" } th { "class" } th.number { (what) } th { "how they differ" } th { "example" } } }
                        tbody {
                            @for cause in causes.fields.iter().take(MOST_ROWS) {
                                tr {
                                    td { code { (cause.field) } }
                                    td { (cause.class) @if let Some(rule) = &cause.rule { " (" (rule) ")" } }
                                    td.number { (number(cause.count)) (bar(cause.count, causes.compared, role)) }
                                    td { (how(cause)) @if let Some(advice) = advice(cause, effect) { span.advice { (advice) } } }
                                    td.example {
                                        (cause.example.join(", "))
                                        @if let Some([one, other]) = cause.values.as_ref().filter(|values| !values[0].is_empty()) {
                                            span.advice { code { (one) } " · " code { (other) } }
                                        }
                                    }
                                }
                            }
                        }
                    } }
                } @else {
                    p.lead { "Standard input is read only once: give a file to see the fields." }
                }
                @if !more.is_empty() { p { (more) } }
            }
        }
    }
}

/// A bar in a cell.
fn bar(part: u64, whole: u64, role: &str) -> Markup {
    let share = part as f64 / whole.max(1) as f64 * 100.0;
    html! { span.bar { span style={ "width:" (format!("{share:.1}")) "%;background:var(--" (role) ")" } {} } }
}

fn sweep(report: &Report, has_truth: bool) -> Markup {
    let values = |value: fn(&super::Width) -> u64| report.sweep.iter().map(value).collect::<Vec<u64>>();
    let series = if has_truth {
        vec![
            Series {
                name: "intents lost in merges",
                role: Role::Merge,
                values: values(|row| row.lost_intents),
            },
            Series { name: "split intents", role: Role::Split, values: values(|row| row.split_intents) },
        ]
    } else {
        vec![Series { name: "repeats", role: Role::Repeat, values: values(|row| row.repeats) }]
    };
    let plot = Plot {
        kind: Kind::Lines,
        labels: report.sweep.iter().map(|row| width(row.bucket_seconds)).collect(),
        series,
        policy: report.sweep.iter().position(|row| row.is_policy),
    };
    let rows = report.sweep.iter().map(|row| (row.is_policy, width_cells(row, has_truth))).collect();
    let lead = if has_truth {
        "Wider buckets split fewer intents and merge more of those that are equal and meant twice. Choose where both are low."
    } else {
        "Wider buckets take more repeats for one intent, also those that were meant. Choose where the curve levels off."
    };
    let lead =
        if report.edge_seconds > 0 { format!("{lead} Without edge protection.") } else { lead.to_owned() };
    section("How wide should a bucket be?", &lead, &plot, table(&width_heads(has_truth), rows))
}

fn edges(report: &Report, has_truth: bool) -> Markup {
    if report.edges.is_empty() {
        return html! {};
    }
    let values = |value: fn(&super::Edge) -> u64| report.edges.iter().map(value).collect::<Vec<u64>>();
    let series = if has_truth {
        vec![
            Series {
                name: "intents lost in merges",
                role: Role::Merge,
                values: values(|row| row.lost_intents),
            },
            Series { name: "split intents", role: Role::Split, values: values(|row| row.split_intents) },
        ]
    } else {
        vec![Series {
            name: "repeats parted and not joined",
            role: Role::Split,
            values: values(|row| row.parted - row.joined),
        }]
    };
    let label = |seconds: u64| if seconds == 0 { String::from("none") } else { span(seconds) };
    let plot = Plot {
        kind: Kind::Lines,
        labels: report.edges.iter().map(|row| label(row.edge_seconds)).collect(),
        series,
        policy: report.edges.iter().position(|row| row.is_policy),
    };
    let rows = report.edges.iter().map(|row| (row.is_policy, edge_cells(row, has_truth))).collect();
    section(
        "What falls at the edges of buckets?",
        "Retries on two sides of an edge have two keys. With edge_seconds they share a second one.",
        &plot,
        table(&edge_heads(has_truth), rows),
    )
}

fn over_time(report: &Report) -> Markup {
    let slots = &report.timeline.slots;
    let [first, .., last] = slots.as_slice() else { return html! {} };
    let length = report.timeline.slot_seconds;
    let label = |epoch: u64| {
        let instant = instant(epoch);
        // The day, or for slots of less than six hours the time of day.
        let part = if length >= 21_600 { instant.get(5..10) } else { instant.get(11..16) };
        part.unwrap_or(&instant).to_owned()
    };
    let plot = Plot {
        kind: Kind::Bars,
        labels: slots.iter().map(|slot| label(slot.from)).collect(),
        series: vec![
            Series {
                name: "events",
                role: Role::Event,
                values: slots.iter().map(|slot| slot.events).collect(),
            },
            Series {
                name: "repeats",
                role: Role::Repeat,
                values: slots.iter().map(|slot| slot.repeats).collect(),
            },
        ],
        policy: None,
    };
    let rows = slots.iter().filter(|slot| slot.events > 0);
    let rows = rows.map(|slot| (false, vec![instant(slot.from), number(slot.events), number(slot.repeats)]));
    let rows = rows.collect();
    let lead = format!(
        "Events in each {}, from {} to {}, and those of them whose key was there before.",
        span(length),
        instant(first.from),
        instant(last.from)
    );
    section("When do events and repeats come?", &lead, &plot, table(&["from", "events", "repeats"], rows))
}

fn repeats(report: &Report) -> Markup {
    if report.gaps.iter().all(|bin| bin.count == 0) {
        return html! {};
    }
    let before = std::iter::once(None).chain(report.gaps.iter().map(|bin| bin.up_to_seconds));
    let labels: Vec<String> =
        before.zip(&report.gaps).map(|(before, bin)| up_to(bin.up_to_seconds, before, span)).collect();
    let plot = Plot {
        kind: Kind::Bars,
        series: vec![Series {
            name: "repeats",
            role: Role::Repeat,
            values: report.gaps.iter().map(|bin| bin.count).collect(),
        }],
        policy: None,
        labels,
    };
    let before = std::iter::once(None).chain(report.keys.sizes.iter().map(|size| size.up_to));
    let rows = before.zip(&report.keys.sizes).filter(|(_, size)| size.keys > 0).map(|(before, size)| {
        (false, vec![up_to(size.up_to, before, number), number(size.keys), number(size.events)])
    });
    let sizes = table(&["events of a key", "keys", "events in all"], rows.collect());
    let more = html! {
        (sizes)
        ul { @for large in &report.keys.largest {
            li { (counted(large.events, "event", "events")) " within " (span(large.span[1] - large.span[0])) ", the first at " (large.first) }
        } }
    };
    section(
        "How soon do repeats follow?",
        "Events of one identity, by the time since the one before. Retries come soon; what comes late is often meant.",
        &plot,
        more,
    )
}

fn section(title: &str, lead: &str, plot: &Plot, more: Markup) -> Markup {
    html! {
        section {
            h2 { (title) }
            p.lead { (lead) }
            p.legend {
                @for series in &plot.series {
                    span { i style={ "background:var(--" (name(series.role)) ")" } {} (series.name) }
                }
                @if plot.policy.is_some() { span { i style="background:var(--policy);opacity:.4" {} "the policy's" } }
            }
            div.plot { (PreEscaped(plot.svg())) }
            details { summary { "numbers" } (more) }
        }
    }
}

fn name(role: Role) -> &'static str {
    Role::ALL.iter().find(|(own, _)| *own == role).map_or("ink", |(_, name)| name)
}

fn table(heads: &[&str], rows: Vec<(bool, Vec<String>)>) -> Markup {
    html! {
        div.scroll { table {
            thead { tr { @for head in heads { th.number { (head) } } } }
            tbody {
                @for (is_policy, cells) in rows {
                    tr class={ @if is_policy { "policy" } } { @for cell in cells { td.number { (cell) } } }
                }
            }
        } }
    }
}

fn refused(report: &Report) -> Markup {
    html! {
        @if !report.refused.is_empty() {
            section {
                h2 { "What is refused" }
                p.lead { (counted(report.events.refused, "event has", "events have")) " no key." }
                div.scroll { table {
                    thead { tr { th { "code" } th { "field" } th.number { "events" } th { "first" } } }
                    tbody { @for refused in report.refused.iter().take(MOST_ROWS) { tr {
                        td { code { (refused.code) } @if let Some(advice) = &refused.advice { span.advice { (advice) } } }
                        td { @if let Some(field) = &refused.field { code { (field) } } }
                        td.number { (number(refused.count)) (bar(refused.count, report.events.refused, "merge")) }
                        td.example { (refused.first) }
                    } } }
                } }
            }
        }
    }
}

fn unclassified(report: &Report) -> Markup {
    html! {
        @if !report.unclassified.is_empty() {
            section {
                h2 { "Fields that the policy does not classify" }
                p.lead { "Each is identity, checked or ignored: until the policy says which, events that have it are refused. " (counted_unclassified(report)) }
                div.scroll { table {
                    thead { tr { th { "field" } th.number { "events" } th { "shapes of a sample" } th { "first" } } }
                    tbody { @for field in report.unclassified.iter().take(MOST_ROWS) { tr {
                        td { code { (field.field) } @if let Some(meant) = &field.meant { span.advice { "did you mean " code { (meant) } "?" } } }
                        td.number { (number(field.count)) }
                        td {
                            @for (index, (shape, count)) in field.shapes.iter().take(4).enumerate() {
                                @if index > 0 { ", " }
                                (shape) " × " (number(*count))
                            }
                            @if !field.values.is_empty() { span.advice { @for value in &field.values { code { (value) } " " } } }
                        }
                        td.example { (field.first) }
                    } } }
                } }
            }
        }
    }
}

fn broken(report: &Report) -> Markup {
    html! {
        @if !report.broken.is_empty() {
            section {
                h2 { "Broken lines" }
                div.scroll { table {
                    thead { tr { th { "what" } th.number { "lines" } th { "first" } } }
                    tbody { @for broken in &report.broken { tr {
                        td { (broken.what.what()) } td.number { (number(broken.count)) } td.example { (broken.first) }
                    } } }
                } }
            }
        }
    }
}
