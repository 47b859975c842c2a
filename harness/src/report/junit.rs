//! A report for CI, in JUnit's XML.

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

use crate::check::{Report, Verdict};

/// The report could not be written as XML.
pub type NotWritten = quick_junit::SerializeError;

/// The reports as one JUnit document: a policy is a suite, an invariant a case; what no field
/// exercises is skipped.
///
/// # Errors
///
/// Those of the XML writer.
pub fn to_junit(reports: &[Report]) -> Result<String, NotWritten> {
    let mut document = quick_junit::Report::new("intentkey check");
    for report in reports {
        let mut suite = TestSuite::new(report.policy.as_str());
        suite.add_property(("seed", report.seed.to_string().as_str()));
        suite.add_property(("cases", report.cases.to_string().as_str()));
        for entry in &report.entries {
            let mut case = TestCase::new(entry.name, status(&entry.verdict));
            case.set_classname(report.policy.as_str());
            if let Verdict::Broken { .. } = entry.verdict {
                case.set_system_out(report.to_string());
            }
            suite.add_test_case(case);
        }
        document.add_test_suite(suite);
    }
    document.to_string()
}

fn status(verdict: &Verdict) -> TestCaseStatus {
    match verdict {
        Verdict::Held { .. } => TestCaseStatus::success(),
        Verdict::Broken { counterexample, .. } => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_message(counterexample.why.as_str());
            status.set_type("broken");
            status
        }
        Verdict::Vacuous { why } => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(why.as_str());
            status
        }
        Verdict::NotRun { why } => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(why.as_str());
            status.set_type("not run");
            status
        }
    }
}
