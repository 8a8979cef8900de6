// --render: charts as Helm makes them, judged in the lines of their templates.
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/program.h"
#include "helm/packed_chart.h"
#include "pipeline/chart_capabilities.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/files.h"
#include "support/skip.h"

using muster::test::run_command;
namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

/// A chart of two jobs whose pods are made in a loop.
const std::string kJob =
    "{{- range .Values.jobs }}\n---\napiVersion: batch/v1\nkind: Job\nmetadata:\n  name: {{ .name }}\nspec:\n"
    "  parallelism: {{ .pods }}\n  completions: {{ .pods }}\n  template:\n    spec:\n      restartPolicy: Never\n"
    "      containers:\n        - name: main\n          image: example.com/train:1\n"
    "          command: [torchrun, \"--nnodes={{ .pods }}\", train.py]\n          resources:\n            requests:\n"
    "              {{- toYaml $.Values.resources | nindent 14 }}\n{{- end }}\n";
const std::string kValues =
    "resources: {nvidia.com/gpu: 8}\njobs:\n  - {name: small, pods: 2}\n  - {name: large, pods: 4}\n";

/// What Helm 3.16 prints of it.
std::string job_as_rendered(const std::string& name, const std::string& pods) {
  return "---\n# Source: train/templates/job.yaml\napiVersion: batch/v1\nkind: Job\nmetadata:\n  name: " + name +
         "\nspec:\n  parallelism: " + pods + "\n  completions: " + pods +
         "\n  template:\n    spec:\n      restartPolicy: Never\n      containers:\n        - name: main\n"
         "          image: example.com/train:1\n          command: [torchrun, \"--nnodes=" +
         pods + "\", train.py]\n          resources:\n            requests:\n              nvidia.com/gpu: 8\n";
}

class ChartOnDisk {
 public:
  ChartOnDisk() {
    fs::create_directories(folder_.path() + "/in/templates");
    fs::create_directories(folder_.path() + "/bin");
    put("Chart.yaml", "apiVersion: v2\nname: train\nversion: 0.1.0\n");
    put("values.yaml", kValues);
    put("templates/job.yaml", kJob);
    const char* path = std::getenv("PATH");
    before_ = path == nullptr ? "" : path;
  }
  ~ChartOnDisk() { ::setenv("PATH", before_.c_str(), 1); }
  ChartOnDisk(const ChartOnDisk&) = delete;
  ChartOnDisk& operator=(const ChartOnDisk&) = delete;

  void put(const std::string& path, const std::string& text) { muster::test::write_file(input() + "/" + path, text); }
  std::string input() const { return folder_.path() + "/in"; }
  /// A program that is called helm, and nothing else, is found.
  void play_helm(const std::string& script) {
    const std::string helm = folder_.path() + "/bin/helm";
    muster::test::write_file(helm, "#!/bin/sh\n" + script);
    fs::permissions(helm, fs::perms::owner_all);
    ::setenv("PATH", (folder_.path() + "/bin").c_str(), 1);
  }
  Json check(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"check", input(), "--render", "--format", "json", "--fail-on", "never"});
    const muster::test::Ran ran = run_command(more);
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    return Json::parse(ran.out);
  }

 private:
  muster::test::TemporaryFolder folder_;
  std::string before_;
};

/// `RULE LINE` of each finding in the template.
std::set<std::string> in_template(const Json& report) {
  std::set<std::string> out;
  for (const Json& finding : report["findings"]) {
    const std::string file = finding["location"]["file"];
    if (file.ends_with("templates/job.yaml"))
      out.insert(finding["rule"].get<std::string>() + " " + finding["location"]["line"].dump());
  }
  return out;
}

void judge(const Json& report) {
  const std::set<std::string> found = in_template(report);
  INFO(report.dump(1));
  // Requests of devices without limits are refused: the line that prints them.
  CHECK(found.contains("accelerator-request-without-limit 19"));
  CHECK(found.contains("gang-scheduler-missing 11"));
  CHECK(report["coverage"]["charts"] == 1);
  CHECK(report["coverage"]["not_rendered"].empty());
  CHECK(report["summary"]["templates"] == 0);
}

std::string printing(const std::string& text) { return "/bin/cat <<'END'\n" + text + "END\n"; }

}  // namespace

TEST_CASE("what Helm makes of a chart is judged in the lines of its templates", "[helm]") {
  ChartOnDisk chart;
  chart.play_helm(printing(job_as_rendered("small", "2") + job_as_rendered("large", "4")));
  judge(chart.check());
}

TEST_CASE("charts are rendered without Helm, and places of values are those of their file", "[helm]") {
  ChartOnDisk chart;
  ::setenv("PATH", "/nowhere", 1);
  const auto check = [&] {
    const muster::test::Ran ran = run_command({"check", chart.input(), "--format", "json", "--fail-on", "never"});
    REQUIRE(ran.code == 0);
    return Json::parse(ran.out);
  };
  const Json report = check();
  const std::set<std::string> found = in_template(report);
  INFO(report.dump(1));
  CHECK(found.contains("gang-scheduler-missing 11"));
  CHECK(report["coverage"]["charts"] == 1);
  CHECK(report["coverage"]["not_rendered"].empty());
  CHECK(report["summary"]["templates"] == 0);
  bool in_values = false;
  for (const Json& finding : report["findings"]) {
    const bool limit = finding["rule"] == "accelerator-request-without-limit";
    in_values |= limit && finding["location"]["file"].get<std::string>().ends_with("values.yaml") &&
                 finding["location"]["line"] == 1;
  }
  CHECK(in_values);
  // Other values, and a part that is not there.
  chart.put("values.yaml", "resources: {}\njobs:\n  - {name: small, pods: 1}\n");
  CHECK(in_template(check()).empty());
  chart.put("values-large.yaml", kValues);
  CHECK(check()["coverage"]["charts"] == 2);
  CHECK_FALSE(in_template(check()).empty());
  chart.put("Chart.yaml", "name: train\nversion: 0.1.0\ndependencies: [{name: other, version: 1.0.0}]\n");
  const muster::test::Ran lines = run_command({"check", chart.input(), "--coverage", "--fail-on", "never"});
  CHECK(lines.out.find("without other") != std::string::npos);
  // What is not read or not tried is named.
  fs::create_directories(chart.input() + "/charts");
  chart.put("charts/broken-1.0.0.tgz", "no archive");
  for (int i = 0; i < 32; ++i) chart.put("values-" + std::to_string(i) + ".yaml", kValues);
  const std::string named = run_command({"check", chart.input(), "--coverage", "--fail-on", "never"}).out;
  CHECK(named.find("without other and 1 more file") != std::string::npos);
  CHECK(named.find("with 10 more files of values") != std::string::npos);
  for (int i = 0; i < 32; ++i) fs::remove(chart.input() + "/values-" + std::to_string(i) + ".yaml");
  chart.put("templates/broken.yaml", "{{ required \"name the queue\" .Values.queue }}\n");
  const Json refused = check();
  REQUIRE(refused["coverage"]["not_rendered"].size() == 2);
  CHECK(refused["coverage"]["not_rendered"][0]["why"].get<std::string>().find("name the queue") != std::string::npos);
}

TEST_CASE("many charts that would never end are given up together", "[helm][security]") {
  muster::test::TemporaryFolder folder;
  for (int i = 0; i < 300; ++i) {
    const std::string chart = folder.path() + "/c" + std::to_string(i);
    fs::create_directories(chart + "/templates");
    muster::test::write_file(chart + "/Chart.yaml", "name: c\nversion: 0.1.0\n");
    muster::test::write_file(chart + "/templates/a.yaml", "{{ range until 1000000000 }}a{{ end }}{{ .Values.a }}\n");
    muster::test::write_file(chart + "/templates/b.yaml",
                             "{{ range untilStep 0 900000 1 }}{{ add 1 2 | toString }}{{ end }}\n");
  }
  const Json report = Json::parse(run_command({"check", folder.path(), "--format", "json", "--fail-on", "never"}).out);
  const Json& not_rendered = report["coverage"]["not_rendered"];
  REQUIRE(not_rendered.size() == 300);
  CHECK(not_rendered[0]["why"].get<std::string>().find("too many steps") != std::string::npos);
}

TEST_CASE("packed charts and charts beside one are rendered with it", "[helm]") {
  ChartOnDisk chart;
  ::setenv("PATH", "/usr/bin:/bin", 1);
  chart.put("Chart.yaml",
            "name: train\nversion: 0.1.0\ndependencies:\n  - name: names\n    version: 1.0.0\n    repository: "
            "\"file://../names\"\n");
  const std::string beside = chart.input() + "/../names";
  fs::create_directories(beside + "/templates");
  muster::test::write_file(beside + "/Chart.yaml", "name: names\nversion: 1.0.0\ntype: library\n");
  muster::test::write_file(beside + "/templates/_names.tpl", "{{ define \"names.job\" }}a-{{ .name }}{{ end }}\n");
  std::string job = kJob;
  job.replace(job.find("{{ .name }}"), 11, "{{ include \"names.job\" . }}");
  chart.put("templates/job.yaml", job);
  const muster::test::Ran ran = run_command({"dump", "rendered", fs::path(chart.input()).parent_path().string()});
  INFO(ran.err << ran.out);
  CHECK(ran.out.find("a-small") != std::string::npos);
  CHECK(ran.out.find("a-large") != std::string::npos);
  // The same, packed.
  fs::create_directories(chart.input() + "/charts");
  const std::string archive = chart.input() + "/charts/names-1.0.0.tgz";
  REQUIRE(std::system(("tar -C " + beside + "/.. -czf " + archive + " names").c_str()) == 0);
  fs::remove_all(beside);
  CHECK(run_command({"dump", "rendered", chart.input()}).out.find("a-small") != std::string::npos);
  // What is broken off or not one at all is none, and nobody is harmed.
  const std::string packed = muster::test::read_file(archive);
  CHECK(muster::helm::unpack_chart(packed, 1 << 20).size() == 2);
  CHECK(muster::helm::unpack_chart(packed, 100).empty());
  for (std::size_t size = 0; size < packed.size(); ++size)
    CHECK(muster::helm::unpack_chart(std::string_view(packed).substr(0, size), 1 << 20).empty());
}

TEST_CASE("a chart is rendered by Helm itself", "[helm]") {
  if (!muster::find_program("helm")) return muster::test::skip("helm", "no `helm` in PATH");
  ChartOnDisk chart;
  judge(chart.check());
  chart.put("values.yaml", "resources: {}\njobs:\n  - {name: small, pods: 1}\n");
  CHECK(in_template(chart.check()).empty());
  chart.put("ci/many-values.yaml", kValues);
  CHECK(chart.check()["coverage"]["charts"] == 2);
  chart.put("templates/broken.yaml", "{{ required \"name the queue\" .Values.queue }}\n");
  const Json report = chart.check();
  REQUIRE(report["coverage"]["not_rendered"].size() == 2);
  CHECK(report["coverage"]["not_rendered"][0]["why"].get<std::string>().find("name the queue") != std::string::npos);
}

TEST_CASE("a chart that asks for API versions is answered as a cluster of the release does", "[helm]") {
  const std::string asks =
      "{{ if .Capabilities.APIVersions.Has \"policy/v1beta1\" }}{{ if $.Capabilities.APIVersions.Has `policy/v1` }}\n"
      "{{ if (.Capabilities.APIVersions.Has \"apps/v1/Deployment\") }}{{ if .Capabilities.APIVersions.Has "
      "(\"policy/v1beta1/"
      "PodDisruptionBudget\") }}{{ if .Capabilities.APIVersions.Has \"example.com/v1/Thing\" }}\n"
      "{{ .Capabilities.APIVersions.Has \"batch.volcano.sh/v1alpha1/Job\" }}{{ .Capabilities.APIVersions.Has "
      "\"resource.k8s.io/v1beta2/ResourceClaim\" }}\n{{ .Capabilities.APIVersions.Has $name }} {{ "
      ".Capabilities.APIVersions.Has \"";
  std::string changed = asks;
  changed.replace(changed.find("policy/v1beta1"), 1, "-");
  for (const auto& [release, text] : {std::pair{"1.24", std::string()}, {"1.25", changed}, {"", changed}}) {
    INFO(release);
    const muster::AskedVersions asked = muster::asked_versions(asks, release);
    CHECK(asked.text == text);
    CHECK(asked.served == std::vector<std::string>{"apps/v1/Deployment"});
  }
  ChartOnDisk chart;
  chart.put("templates/guard.yaml", asks);
  chart.play_helm(
      "echo \"Error: $* $(grep -o 'Has .[-p]olicy/v1b[a-z0-9]*.' \"$3\"/templates/guard.yaml | head -1)\" >&2\nexit "
      "1\n");
  const Json report = chart.check({"--target", "kubernetes=1.34"});
  REQUIRE(report["coverage"]["not_rendered"].size() == 1);
  CHECK(report["coverage"]["not_rendered"][0]["why"].get<std::string>().ends_with(
      "--kube-version 1.34 --api-versions apps/v1/Deployment Has \"-olicy/v1beta1\""));
}

TEST_CASE("Helm writes what a chart writes for the versions that are served", "[helm]") {
  if (!muster::find_program("helm")) return muster::test::skip("helm", "no `helm` in PATH");
  ChartOnDisk chart;
  chart.put("values.yaml", "jobs: []\n");
  chart.put(
      "templates/guard.yaml",
      "{{- if .Capabilities.APIVersions.Has \"policy/v1beta1\" }}\napiVersion: policy/v1beta1\n{{- else }}\n"
      "apiVersion: policy/v1\n{{- end }}\nkind: PodDisruptionBudget\nmetadata: {name: a}\n"
      "spec: {minAvailable: 1, selector: {matchLabels: {app: a}}}\n---\n"
      "{{- if .Capabilities.APIVersions.Has \"batch/v1/CronJob\" }}\napiVersion: batch/v1\n{{- else }}\n"
      "apiVersion: batch/v1beta1\n{{- end }}\nkind: CronJob\nmetadata: {name: a}\nspec:\n  schedule: \"@daily\"\n"
      "  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: \"b:1\"}]}}}}\n");
  for (const auto& [release, budget] : {std::pair<std::string, std::string>{"1.24", "v1beta1"}, {"1.34", "v1"}}) {
    const std::string out =
        run_command({"dump", "rendered", chart.input(), "--render", "--target", "kubernetes=" + release}).out;
    INFO(out);
    CHECK(out.find("\"apiVersion\": policy/" + budget + "\n\"kind\": PodDisruptionBudget\n") != out.npos);
    CHECK(out.find("\"apiVersion\": batch/v1\n\"kind\": CronJob\n") != out.npos);
    const Json report = chart.check({"--target", "kubernetes=" + release});
    INFO(report.dump(1));
    CHECK(report["coverage"]["not_rendered"].empty());
    CHECK(report["coverage"]["charts"] == 1);
    for (const Json& finding : report["findings"]) CHECK(finding["rule"] != "api-version-removed");
  }
}

TEST_CASE("a chart that Helm refuses is named, and its templates are judged as they are", "[helm]") {
  ChartOnDisk chart;
  chart.play_helm("echo 'Error: execution error at (train/templates/job.yaml:1:3): no queue' >&2\nexit 1\n");
  const Json report = chart.check();
  REQUIRE(report["coverage"]["not_rendered"].size() == 1);
  CHECK(report["coverage"]["not_rendered"][0]["why"] == "execution error at (train/templates/job.yaml:1:3): no queue");
  CHECK(report["summary"]["templates"] == 1);
}

TEST_CASE("Helm sees the chart that was read and nothing else", "[helm]") {
  ChartOnDisk chart;
  chart.play_helm(
      "echo \"Error: $(cd \"$3\" && echo * templates/*) $(test -z \"$HELM_KUBECONTEXT$USER\" && echo alone)\" >&2\n"
      "exit 1\n");
  const Json report = chart.check();
  REQUIRE(report["coverage"]["not_rendered"].size() == 1);
  CHECK(report["coverage"]["not_rendered"][0]["why"] == "Chart.yaml templates values.yaml templates/job.yaml alone");
  muster::test::write_file(chart.input() + "/../secret", "password");
  fs::create_symlink(chart.input() + "/../secret", chart.input() + "/templates/linked.yaml");
  CHECK(chart.check()["coverage"]["not_rendered"][0]["why"] == "`templates/linked.yaml` is not read");
}

TEST_CASE("charts that are no release of their own are not rendered", "[helm]") {
  ChartOnDisk chart;
  chart.play_helm("echo \"Error: $*\" >&2\nexit 1\n");
  chart.put("Chart.yaml", "apiVersion: v2\nname: train\ntype: library\n");
  CHECK(chart.check()["coverage"]["not_rendered"].empty());
  chart.put("Chart.yaml", "apiVersion: v2\nname: train\n");
  fs::create_directories(chart.input() + "/charts/below");
  chart.put("charts/below/Chart.yaml", "apiVersion: v2\nname: below\n");
  CHECK(chart.check()["coverage"]["not_rendered"].size() == 1);
}

TEST_CASE("--render without Helm says what is missing", "[helm]") {
  ChartOnDisk chart;
  ::setenv("PATH", chart.input().c_str(), 1);
  const muster::test::Ran ran = run_command({"check", chart.input(), "--render"});
  CHECK(ran.code == 2);
  CHECK(ran.err.find("there is no `helm`") != std::string::npos);
}
