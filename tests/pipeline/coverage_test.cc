// What became of every file and object.
#include "pipeline/coverage.h"

#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"
#include "support/model.h"

namespace {

using muster::Coverage;
using Files = std::map<std::string, std::string>;

const std::string kCoveredQueue =
    "apiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nmetadata: {name: q}\nspec: {weight: 1}\n";
const std::string kPods = "    spec: {containers: [{name: c, resources: {limits: {nvidia.com/gpu: 8}}}]}\n";

std::string stranger(const std::string& kind, const std::string& template_spec) {
  return "apiVersion: acme.io/v1\nkind: " + kind + "\nmetadata: {name: t}\nspec:\n  replicaTemplate:\n" + template_spec;
}

std::string kinds_of(const Coverage& coverage) {
  std::string out;
  for (const muster::UnknownKind& kind : coverage.unknown_kinds)
    out +=
        kind.api + "/" + kind.kind + " " + std::to_string(kind.objects) + "/" + std::to_string(kind.with_gpus) + "; ";
  return out;
}

Coverage coverage_of(const Files& files) { return muster::test::check_files(files).report.coverage; }

}  // namespace

TEST_CASE("objects of unknown kinds are counted, and those with GPUs found by their shape", "[pipeline][coverage]") {
  const Coverage coverage = coverage_of(
      {{"a.yaml", kCoveredQueue + "---\n" + stranger("TrainingRun", kPods) + "---\n" +
                      stranger("TrainingRun", "    spec: {containers: [{name: c}]}\n")},
       {"b.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: s}\n"},
       {"c.yaml", stranger("Zero", "    spec: {containers: [{name: c, resources: {limits: {nvidia.com/gpu: 0}}}]}\n")},
       {"README.md", "see\n```yaml\n" + stranger("TrainingRun", kPods) + "```\n"},
       {"notes.txt", "hello\n"}});
  CHECK(coverage.read == 1);
  CHECK(kinds_of(coverage) == "acme.io/v1/TrainingRun 2/1; acme.io/v1/Zero 1/0; ");
  REQUIRE(coverage.checked_kinds.size() == 1);
  CHECK(coverage.checked_kinds.front().kind == "Service");
  CHECK(coverage.foreign == 1);  // what the text for people quotes is checked for its pods
  CHECK(coverage.unknown_with_gpus() == 1);
}

TEST_CASE("a dump whose release counts is said to be one", "[pipeline][coverage]") {
  const std::string begin = "Configuration data as of 2026-01-01T00:00:00\n";
  const auto reason = [&](const std::string& rest) {
    return coverage_of({{"conf.txt", begin + rest}}).lines.at(0).detail;
  };
  CHECK(reason("SLURM_VERSION           = 24.11.5\nClusterName             = c\n") ==
        "a dump of scontrol, of which the release counts");
  CHECK(reason("it is a note\n").empty());
}

TEST_CASE("strangers are counted in lists, JSON and templates of theirs", "[pipeline][coverage]") {
  const std::string json =
      R"({"apiVersion": "acme.io/v1", "kind": "Run", "spec": {"template": {"spec": {"containers": [{"resources": {"requests": {"amd.com/gpu": 4}}}]}}}})";
  CHECK(kinds_of(coverage_of({{"a.json", json}})) == "acme.io/v1/Run 1/1; ");
  CHECK(kinds_of(coverage_of({{"a.json", R"({"apiVersion": "v1", "kind": "List", "items": [)" + json + "," + json +
                                             "]}"}})) == "acme.io/v1/Run 2/2; ");
  CHECK(kinds_of(coverage_of({{"a.yaml",
                               "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Secret}\n- {apiVersion: "
                               "scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: q}}\n"}})) == "");
  CHECK(kinds_of(coverage_of({{"a.yaml",
                               "apiVersion: acme.io/v1\nkind: Run\nspec:\n{{- if .x }}\n  limits: {nvidia.com/gpu: {{ "
                               ".n }}}\n{{- end }}\n"}})) == "acme.io/v1/Run 1/1; ");
}

TEST_CASE("templates of charts that are rendered hide what no rendering knows, and nothing else",
          "[pipeline][coverage]") {
  const auto of_chart = [](const std::string& api, const std::string& kind) {
    return kinds_of(
        coverage_of({{"c/Chart.yaml", "apiVersion: v2\nname: c\nversion: 1.0.0\n"},
                     {"c/values.yaml", "gpus: 1\n"},
                     {"c/templates/a.yaml",
                      "apiVersion: " + api + "\nkind: " + kind +
                          "\nmetadata: {name: a}\nspec:\n  {{- with .Values.none }}\n  x: {{ . }}\n  {{- end }}\n"
                          "  selector: {matchLabels: {a: b}}\n  template:\n    metadata: {labels: {a: b}}\n    spec:\n"
                          "      containers:\n        - name: c\n          image: a:1\n"
                          "          resources: {limits: {nvidia.com/gpu: {{ .Values.gpus }}}}\n"}}));
  };
  CHECK(of_chart("apps/v1", "Deployment").empty());
  CHECK(of_chart("acme.io/v1", "Run") == "acme.io/v1/Run 1/1; ");
}

TEST_CASE("strangers with accelerators outside of containers are named", "[pipeline][coverage]") {
  const auto kinds = [](const std::string& spec) {
    return kinds_of(coverage_of({{"a.yaml", "apiVersion: acme.io/v1\nkind: Run\nspec: " + spec + "\n"}}));
  };
  CHECK(kinds("{model: {resources: {limits: {nvidia.com/gpu: 1}}}}") == "acme.io/v1/Run 1/1; ");
  CHECK(kinds("{resourcesPerNode: {requests: {google.com/tpu: 4}}}") == "acme.io/v1/Run 1/1; ");
  CHECK(kinds("{worker: {resources: {cpu: 4, huawei.com/Ascend910: 8}}}") == "acme.io/v1/Run 1/1; ");
  CHECK(kinds("{limits: {nvidia.com/gpu: 64}}") == "acme.io/v1/Run 1/0; ");
  CHECK(kinds("{model: {resources: {limits: {nvidia.com/gpu: 0}}}}") == "acme.io/v1/Run 1/0; ");
}

TEST_CASE("each file is somewhere in the ledger", "[pipeline][coverage]") {
  muster::test::FakeDisk disk(Files{
      {"r/q.yaml", kCoveredQueue},
      {"r/t.yaml", stranger("Run", kPods)},
      {"r/vendor/v.yaml", kCoveredQueue},
      {"r/empty", ""},
      {"r/doc.md", "x\n"},
      {"r/chart.yaml", "apiVersion: batch/v1\nkind: Job\nspec:\n{{- if .x }}\n  completions: {{ .n }}\n{{- end }}\n"}});
  disk.files["r/huge.yaml"] = std::string(muster::kMaxFileSize + 1, '#');
  const muster::test::Ran ran = muster::test::run_command({"check", "r", "--coverage"}, disk);
  const std::string expected =
      "coverage:\n"
      "  template      r/chart.yaml: Helm, Go or Jinja2 template\n"
      "  foreign       r/doc.md\n"
      "  foreign       r/empty\n"
      "  too large     r/huge.yaml\n"
      "  read          r/q.yaml: 1 object\n"
      "  unknown kind  r/t.yaml: acme.io/v1/Run with GPUs\n"
      "  ignored       r/vendor/\n"
      "  1 object read; 1 template, 1 too large, 1 ignored, 2 foreign\n"
      "  1 object of unknown kind acme.io/v1/Run, 1 with GPUs\n\n"
      "1 GPU object of kinds muster does not know: Run of acme.io/v1 (1)\n"
      "1 warning in 1 artifact (3 files skipped, 1 too large, 1 ignored, 1 template not checked)\n";
  CHECK(ran.out.substr(ran.out.find("coverage:")) == expected);
  CHECK(ran.code == 0);
  CHECK(muster::test::run_command({"check", "r", "--fail-on-unknown"}, disk).code == 1);
}

TEST_CASE("what muster.yaml takes out is said in every report", "[pipeline][coverage]") {
  const muster::test::FakeDisk disk(Files{{"r/muster.yaml",
                                           "muster: config/v1\nexclude: [\"lab/**\"]\nrules: {severity: "
                                           "{topology-node-in-no-leaf: off, gang-without-restart-policy: warning}}\n"},
                                          {"r/q.yaml", kCoveredQueue},
                                          {"r/lab/a.yaml", kCoveredQueue},
                                          {"r/lab/b.yaml", kCoveredQueue}});
  const auto out = [&](const std::string& format) {
    return muster::test::run_command({"check", "r", "--format", format}, disk).out;
  };
  CHECK(out("text") ==
        "r/muster.yaml switches off topology-node-in-no-leaf; sets gang-without-restart-policy=warning; excludes "
        "lab/** (1 left out)\nno findings in 1 artifact (1 file skipped, 1 ignored)\n");
  CHECK(out("github") ==
        "::notice title=muster::r/muster.yaml switches off topology-node-in-no-leaf; sets "
        "gang-without-restart-policy=warning; excludes lab/** (1 left out)\n"
        "muster: no findings in 1 artifact (1 file skipped, 1 ignored)\n");
  for (const char* format : {"markdown", "github-summary"})
    CHECK(out(format).find("r/muster.yaml` switches off topology-node-in-no-leaf; sets") != std::string::npos);
  CHECK(out("json").find("\"off\": [\n      \"topology-node-in-no-leaf\"\n    ]") != std::string::npos);
  CHECK(out("sarif").find("\"ruleConfigurationOverrides\"") != std::string::npos);
}

TEST_CASE("what a batch script that is too long does not have is open, and said to be", "[pipeline][coverage]") {
  const std::string head = "#!/bin/bash\n#SBATCH --job-name=j\n#SBATCH --signal=B:USR1@60\n#SBATCH --time=60\n";
  std::string lines;
  for (int i = 0; i < 20'001; ++i) lines += "date\n";
  const auto said_of = [&](const std::string& body) {
    const muster::test::Checked checked = muster::test::check_files({{"j.sh", head + body}});
    std::string out;
    for (const muster::Finding& finding : checked.report.findings) {
      if (finding.rule == "sbatch-signal-without-trap") out += "found;";
    }
    for (const muster::Undecided& open : checked.report.undecided) {
      if (open.rule == "sbatch-signal-without-trap") out += open.needs.front() + ";";
    }
    for (const muster::CoverageLine& line : checked.report.coverage.lines) out += line.detail;
    return out;
  };
  CHECK(said_of("date\n") == "found;1 object");
  CHECK(said_of("trap save USR1\n" + lines) == "1 object, its script not to the end: it is too long");
  CHECK(said_of(lines + "trap save USR1\n") ==
        "the rest of a script that is too long to be read whole;"
        "1 object, its script not to the end: it is too long");
}
