// Files that hold parts of objects: nothing that is about a whole object is said of them.
#include "pipeline/check.h"
#include "support/catch.h"
#include "support/model.h"

using namespace muster;
using Files = std::map<std::string, std::string>;

namespace {

/// A Deployment without a selector, as a patch has it.
const std::string kPart =
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec:\n  template:\n    metadata: {labels: {a: b}}\n"
    "    spec: {containers: [{name: c, image: i}]}\n";

/// Which files lack something.
std::string lacking(const Files& files) {
  const test::Checked checked = test::check_files(files);
  std::string out;
  for (const Finding& finding : checked.report.findings) {
    if (finding.rule != "field-missing") continue;
    if (!out.empty()) out += ' ';
    out += checked.workspace.inputs.sources.file(finding.where.file).path();
  }
  return out;
}

}  // namespace

TEST_CASE("a whole object lacks what it lacks", "[pipeline][parts]") {
  CHECK(lacking({{"app/d.yaml", kPart}}) == "app/d.yaml");
  CHECK(lacking({{"dispatch/d.yaml", kPart}}) == "dispatch/d.yaml");
}

TEST_CASE("names of files and folders tell parts", "[pipeline][parts]") {
  for (const std::string path :
       {"patches/d.yaml", "d-patch.yaml", "overlays/x/d.yaml", "01-assert.yaml", "kuttl/a/d.yaml"})
    CHECK(lacking({{path, kPart}}).empty());
}

TEST_CASE("what others copy lacks what they add", "[pipeline][parts]") {
  for (const std::string path : {"template/d.yaml", "d-template.yaml", "skeleton/d.yaml"})
    CHECK(lacking({{path, kPart}}).empty());
  CHECK(lacking({{"templates/d.yaml", kPart}}) == "templates/d.yaml");
}

TEST_CASE("of what a test reads or expects no field is wrong", "[pipeline][parts]") {
  const std::string odd = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndatum: {a: Yg==}\n";
  for (const std::string path :
       {"testData/s.yaml", "test-data/s.yaml", "tests/expected_templates/s.yaml", "a/s.yaml"}) {
    const test::Checked checked = test::check_files({{path, odd}});
    CHECK(checked.report.findings.size() == (path == "a/s.yaml" ? 1 : 0));
  }
}

TEST_CASE("a version that is gone is kept for old clusters in a folder of its name", "[pipeline][parts]") {
  const std::string old = "apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: p}\nspec: {}\n";
  CHECK(test::check_files({{"deploy/v1beta1/p.yaml", old}}).report.findings.empty());
  CHECK(test::check_files({{"deploy/v1/p.yaml", old}}).report.findings.size() == 1);
}

TEST_CASE("what lies beside a test, or below it, is its scene", "[pipeline][parts]") {
  for (const std::string test : {"chainsaw-test.yaml", "kuttl-test.yaml", "kyverno-test.yaml"}) {
    CHECK(lacking({{"t/" + test, "a: b\n"}, {"t/d.yaml", kPart}, {"t/x/y/d.yaml", kPart}, {"u/d.yaml", kPart}}) ==
          "u/d.yaml");
    CHECK(lacking({{test, "a: b\n"}, {"x/d.yaml", kPart}}).empty());
  }
}

TEST_CASE("a kustomization that is not built tells parts from wholes", "[pipeline][parts]") {
  // Not beside it: to those it might add.
  const std::string unbuilt = "vars: [{name: x}]\n";
  CHECK(lacking({{"k/kustomization.yaml", unbuilt + "patches: [{path: ../a/b/c/d.yaml}]\n"}, {"a/b/c/d.yaml", kPart}})
            .empty());
  CHECK(
      lacking({{"k/kustomization.yaml", unbuilt + "resources: [d-patch.yaml]\n"}, {"k/d-patch.yaml", kPart}}).empty());
  CHECK(lacking({{"k/kustomization.yaml", unbuilt + "resources: [../a/patches/d.yaml]\n"},
                 {"a/patches/d.yaml", kPart}}) == "a/patches/d.yaml");
  CHECK(lacking({{"k/kustomization.yaml", unbuilt + "resources: [../a/c/d.yaml]\n"},
                 {"l/kustomization.yaml", unbuilt + "patches: [{path: ../a/c/d.yaml}]\n"},
                 {"a/c/d.yaml", kPart}})
            .empty());
}

TEST_CASE("what a kustomization builds is judged instead of the files it is made of", "[pipeline][parts]") {
  const std::string job =
      "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec:\n  template:\n    spec:\n      containers:\n"
      "        - {name: c, image: i, command: [\"run it\"], volumeMounts: [{name: v, mountPath: /v}]}\n";
  const std::string patch =
      "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec:\n  template:\n    spec:\n      restartPolicy: "
      "Never\n"
      "      containers: [{name: c, command: [run, it]}]\n      volumes: [{name: v, emptyDir: {}}]\n";
  const auto rules_of = [](const Files& files) {
    std::string out;
    for (const Finding& finding : test::check_files(files).report.findings) out += finding.rule + " ";
    return out;
  };
  const std::string wrong = "restart-policy-unsupported container-command-unsplit volume-mount-undefined ";
  CHECK(rules_of({{"k/job.yaml", job}}) == wrong);
  CHECK(rules_of({{"k/kustomization.yaml", "resources: [job.yaml]\n"}, {"k/job.yaml", job}}) == wrong);
  CHECK(rules_of({{"k/kustomization.yaml", "resources: [job.yaml]\npatches: [{path: more.yaml}]\n"},
                  {"k/job.yaml", job},
                  {"k/more.yaml", patch}})
            .empty());
}
