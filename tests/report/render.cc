#include "report/render.h"

namespace muster::test {
namespace {

RuleInfo rule(const std::string& id, Severity severity) {
  RuleInfo info;
  info.id = id;
  info.family = "gang";
  info.since = "0.1";
  info.severity = severity;
  info.effect = Effect::PartialPlacement;
  info.shipped = true;
  info.why = "What is wrong with " + id + ". And why\nit matters.";
  info.help = "mend it";
  info.sources = {"example.com/source.go:1 (1.0)"};
  return info;
}

/// The stretch of a file's text that reads `words`.
Span span_of(const SourceMap& sources, FileId file, const std::string& words) {
  const auto at = static_cast<std::uint32_t>(sources.file(file).text().find(words));
  return {file, at, at + static_cast<std::uint32_t>(words.size())};
}

Finding finding_at(const std::string& id, Severity severity, Span where, const std::string& message) {
  Finding finding = problem(id, where, message);
  finding.severity = severity;
  finding.effect = Effect::PartialPlacement;
  finding.plane = Plane::Fleet;
  finding.fingerprint = "00000000000000" + std::to_string(10 + static_cast<int>(severity));
  return finding;
}

}  // namespace

RenderOptions plain_options() {
  RenderOptions options;
  options.rules_url = "https://example.com/rules.html";
  options.version = "1.2.3";
  return options;
}

void fill_plain(SmallReport& small) {
  const FileId job = small.sources.add(
      "jobs/train.yaml", "kind: Job\nspec:\n  schedulerName: default-scheduler\n  größe: 8  # ünïcode before\n");
  const FileId queue = small.sources.add("queue.yaml", "kind: Queue\r\nspec: {}\r\n");
  Report& report = small.report;
  Finding error = finding_at("a-rule", Severity::Error, span_of(small.sources, job, "default-scheduler"),
                             "`train` spans 8 pods but nothing places them all-or-nothing");
  error.object = "batch/v1/Job/ml/train";
  error.follows = "two such jobs can wait for ever";
  error.help = "add a PodGroup";
  error.related = {{span_of(small.sources, job, "8"), "these make [8] pods"},
                   {span_of(small.sources, queue, "{}"), "the queue"}};
  Finding warning =
      finding_at("b-rule", Severity::Warning, span_of(small.sources, job, "# ünïcode before"), "a comment");
  // Over two lines: from `Job` to the end of `spec`.
  Finding info = finding_at("b-rule", Severity::Info, {queue, 6, 17}, "over two lines");
  report.findings = {error, warning, info};
  report.rules = {rule("a-rule", Severity::Error), rule("b-rule", Severity::Warning)};
  report.undecided = {
      {"a-rule", "batch/v1/Job/ml/other", span_of(small.sources, job, "kind"), {"the version of slurm", "x.y"}},
      {"b-rule", "batch/v1/Job/ml/third", span_of(small.sources, queue, "kind"), {"x.y"}}};
  report.templates = {{"chart/templates/job.yaml", "helm"}};
  report.summary = {1, 1, 1, 2, 3, 1200, 1300, 5, 1};
  Finding allowed =
      finding_at("a-rule", Severity::Error, span_of(small.sources, job, "kind"), "one that somebody allowed");
  report.suppressed = {{allowed, "burn-in", SuppressedFinding::Where::Source},
                       {allowed, "the lab", SuppressedFinding::Where::Config}};
  report.coverage = {1200,
                     {{"acme.io/v1", "TrainingRun", 5, 4}, {"v1", "Service", 7, 0}},
                     {{"v1", "Secret", 3, 0}},
                     6,
                     1,
                     2,
                     3,
                     4,
                     1,
                     1,
                     {{"deploy/kustomization.yaml", "a base is elsewhere"}, {"charts/a/Chart.yaml", "no queue", true}},
                     {{"read", "jobs/train.yaml", "1 object"}}};
  report.configured = {"muster.yaml", {"c-rule"}, {"b-rule=info"}, {"lab/**"}, 2, 1};
  report.selected = {{"gang-*", "slurm"}, {"d-rule"}, {"old/**"}, 4, 3};
  report.compared = {
      "ci/baseline.json",
      "origin/main",
      "0123456789012345678901234567890123456789",
      {{{"jobs/gone.yaml", "batch/v1/Job/ml/gone", "a-rule", "spec.x", "gone"}, Severity::Error, 2, true}}};
  report.known = {{allowed, KnownFinding::By::Baseline}, {allowed, KnownFinding::By::Revision}};
  report.summary.known = 2;
}

std::string hostile_text() {
  return "x\n::error::y\r\n%0A::set-output name=a::b \x1b[31mred\x1b]0;t\x07 \xE2\x80\xAE"
         "txt \xC2\x9B"
         "31m \"quote\" 'tick' `code` <script>alert(1)</script> "
         "[link](https://evil.example) ##[error]z \\ , : ; {{x}} \x7F\xFF end";
}

void fill_with(SmallReport& small, const std::function<std::string()>& words) {
  const std::string bad = words();
  const FileId file = small.sources.add("dir/" + words() + ".yaml", "before\n" + bad + "\nafter\n");
  Finding finding =
      finding_at("a-rule", Severity::Error, {file, 7, static_cast<std::uint32_t>(7 + bad.size())}, words());
  finding.object = words();
  finding.follows = words();
  finding.help = words();
  finding.related = {{{file, 0, 6}, words()}};
  small.report.findings = {finding};
  small.report.rules = {rule("a-rule", Severity::Error)};
  small.report.undecided = {{"a-rule", words(), {file, 0, 6}, {words()}}};
  small.report.templates = {{words(), "helm"}};
  small.report.summary = {1, 0, 0, 1, 0, 1, 1, 0, 1};
  small.report.suppressed = {{finding, words(), SuppressedFinding::Where::Config}};
  small.report.coverage = {1, {{words(), words(), 1, 1}}, {{words(), words(), 1, 0}}, 0, 0, 0, 0, 0, 1,
                           1, {{words(), words(), true}}, {{"read", words(), words()}}};
  small.report.configured = {words(), {words()}, {words()}, {words()}, 1, 1};
  small.report.selected = {{words()}, {words()}, {words()}, 1, 1};
  small.report.compared = {
      words(), words(), words(), {{{words(), words(), "a-rule", words(), words()}, Severity::Error, 2, true}}};
  small.report.known = {{finding, KnownFinding::By::Revision}};
}

void fill_hostile(SmallReport& small) { fill_with(small, hostile_text); }

}  // namespace muster::test
