// Findings about what kustomizations build: each once, in the file and line that wrote the value.
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"

namespace {

using Files = std::map<std::string, std::string>;

/// `FILE:LINE RULE` for each finding.
std::string findings(const Files& files) {
  const muster::test::FakeDisk disk(files);
  const muster::test::Ran ran = muster::test::run_command({"check", "/r", "--format", "github"}, disk);
  std::string out;
  for (std::size_t at = ran.out.find("::"); at != ran.out.npos; at = ran.out.find("\n::", at + 1)) {
    const auto value_of = [&](const std::string& key) {
      const std::size_t from = ran.out.find(key + "=", at) + key.size() + 1;
      return ran.out.substr(from, ran.out.find_first_of(",:", from) - from);
    };
    const std::string title = value_of("title");  // muster (RULE)
    const std::size_t open = title.find('(') + 1;
    out += value_of("file") + ":" + value_of("line") + " " + title.substr(open, title.find(')') - open) + "\n";
  }
  return out;
}

const std::string kBase = "resources: [job.yaml]\n";

std::string job(const std::string& more) {
  return "apiVersion: batch/v1\nkind: Job\nmetadata: {name: train}\nspec:\n  template:\n    spec:\n      "
         "restartPolicy: Never\n      containers:\n        - name: c\n          image: e/t:1\n" +
         more;
}

}  // namespace

TEST_CASE("what five overlays share is wrong once, in the base", "[kustomize]") {
  Files files{{"r/base/kustomization.yaml", kBase}, {"r/base/job.yaml", job("          imagePullPolice: Always\n")}};
  for (const std::string name : {"a", "b", "c", "d", "e"})
    files["r/" + name + "/kustomization.yaml"] = "resources: [../base]\nnamePrefix: " + name + "-\n";
  CHECK(findings(files) == "r/base/job.yaml:11 field-unknown\n");
}

TEST_CASE("what a patch writes is wrong in the patch", "[kustomize]") {
  const Files files{
      {"r/base/kustomization.yaml", kBase},
      {"r/base/job.yaml", job("")},
      {"r/over/kustomization.yaml", "resources: [../base]\npatches: [{path: p.yaml}]\n"},
      {"r/over/p.yaml", "apiVersion: batch/v1\nkind: Job\nmetadata: {name: train}\nspec:\n  backofLimit: 3\n"}};
  CHECK(findings(files) == "r/over/p.yaml:5 field-unknown\n");
}

TEST_CASE("what a kustomization writes in place is wrong in its line", "[kustomize]") {
  const Files files{
      {"r/kustomization.yaml",
       "resources: [job.yaml]\npatches:\n  - target: {kind: Job}\n    patch: |-\n      - op: add\n        "
       "path: /spec/parallelism\n        value: many\n"},
      {"r/job.yaml", job("")}};
  CHECK(findings(files) == "r/kustomization.yaml:7 field-type\n");
}

TEST_CASE("a base that is broken alone and whole in its overlay is fine", "[kustomize]") {
  const Files files{
      {"r/base/kustomization.yaml", kBase},
      {"r/base/job.yaml", job("          imagePullPolice: Always\n")},
      {"r/over/kustomization.yaml",
       "resources: [../base]\npatches:\n  - target: {kind: Job}\n    patch: |-\n      - {op: remove, path: "
       "/spec/template/spec/containers/0/imagePullPolice}\n"}};
  CHECK(findings(files).empty());
}

TEST_CASE("files of a kustomization that is not built are judged as they are, and it is named", "[kustomize]") {
  const Files files{{"r/kustomization.yaml", "resources: [job.yaml, https://e.com/x.yaml]\n"},
                    {"r/job.yaml", job("          imagePullPolice: Always\n")}};
  CHECK(findings(files) == "r/job.yaml:11 field-unknown\n");
  const muster::test::FakeDisk disk(files);
  const std::string text = muster::test::run_command({"check", "/r"}, disk).out;
  CHECK(text.find("kustomization, not built: r/kustomization.yaml: `https://e.com/x.yaml` is fetched from elsewhere") !=
        text.npos);
}

TEST_CASE("a comment in a patch allows what the patch writes", "[kustomize]") {
  const Files files{{"r/kustomization.yaml", "resources: [job.yaml]\npatches: [{path: p.yaml}]\n"},
                    {"r/job.yaml", job("")},
                    {"r/p.yaml",
                     "apiVersion: batch/v1\nkind: Job\nmetadata: {name: train}\nspec:\n  backofLimit: 3  # muster: "
                     "allow field-unknown -- our API server knows it\n"}};
  CHECK(findings(files).empty());
}
