// Where nothing is asked for behind the report, the trees of manifests go as soon as the model is made.
#include "pipeline/check.h"
#include "report/report.h"
#include "support/cases.h"
#include "support/catch.h"
#include "support/files.h"

using namespace muster;

namespace {

constexpr std::size_t kEachCase = 11;  // of the rules' cases

std::string report_of(const std::string& path, bool keeps_trees, Workspace& workspace) {
  const DiskFileSystem disk;
  Options options;
  options.paths = {path};
  options.today = *parse_date("2026-06-01");
  options.keeps_trees = keeps_trees;
  const Result<Report> report = check(options, disk, workspace);
  REQUIRE(report);
  std::string out;
  for (const char* format : {"json", "sarif"}) out += find_report_format(format)->render(*report, {});
  return out;
}

void check_same(const std::string& path) {
  INFO(path);
  Workspace with;
  Workspace without;
  CHECK(report_of(path, true, with) == report_of(path, false, without));
}

}  // namespace

TEST_CASE("a check that drops its trees finds what one that keeps them finds", "[dropped-trees]") {
  const std::vector<test::Case> cases = test::cases_in("rules");
  for (std::size_t i = 0; i < cases.size(); i += kEachCase) check_same(cases[i].path);
  for (const char* name : {"pod-clique-set", "train-job", "app-wrapper", "ray-cron-job", "inference-service"})
    check_same(test::source_dir() + "/tests/cases/kinds/" + name);
  check_same(test::source_dir() + "/examples/training-repo");
}

TEST_CASE("what comments and annotations allow is known when the trees are gone", "[dropped-trees]") {
  const test::TemporaryFolder folder;
  test::write_file(folder.path() + "/job.yaml", R"(apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata:
  name: train
  annotations:
    muster.dev/allow: |
      gang-without-restart-policy -- restarts by hand
      no-such-rule -- is said to be none
spec:
  schedulerName: volcano
  minAvailable: 6
  tasks:
    - name: worker
      replicas: 8
      template:
        spec:
          containers:
            - name: c
              image: registry.example.com/train:1
              command: [torchrun, --nnodes=8, train.py]
              resources: {limits: {nvidia.com/gpu: 8}}  # muster: allow container-shared-memory-small -- mounted by a webhook
---
apiVersion: acme.io/v1
kind: Farm
metadata: {name: f}
spec: {template: {spec: {containers: [{name: c, resources: {limits: {nvidia.com/gpu: 8}}}]}}}
)");
  Workspace with;
  Workspace without;
  const std::string dropped = report_of(folder.path(), false, without);
  CHECK(dropped == report_of(folder.path(), true, with));
  CHECK(without.suppressed.size() == 2);
  CHECK(dropped.find("no-such-rule") != dropped.npos);
  const auto documents = [](const Workspace& workspace) { return workspace.parsed.at(0).documents.size(); };
  CHECK(documents(with) == 2);
  CHECK(documents(without) == 0);
  CHECK(!with.model.manifests.empty());
  CHECK(without.model.manifests.empty());
}

TEST_CASE("the definition of a kind counts for what texts quote, also when trees are dropped", "[dropped-trees]") {
  const test::TemporaryFolder folder;
  test::write_file(folder.path() + "/crd.yaml", R"(apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: farms.acme.io}
spec:
  group: acme.io
  names: {kind: Farm, plural: farms}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}
)");
  test::write_file(folder.path() + "/farm.yaml",
                   "apiVersion: acme.io/v1\nkind: Farm\nmetadata: {name: a}\nspec: {sise: 3}\n");
  test::write_file(folder.path() + "/README.md",
                   "Write\n\n```yaml\napiVersion: acme.io/v1\nkind: Farm\nmetadata: {name: b}\nspec: {sise: 3}\n```\n");
  Workspace with;
  Workspace without;
  const std::string dropped = report_of(folder.path(), false, without);
  CHECK(dropped == report_of(folder.path(), true, with));
  CHECK(dropped.find("sise") != dropped.npos);
}

TEST_CASE("files of which others have a say keep their trees until all are read", "[dropped-trees]") {
  const test::TemporaryFolder folder;
  const std::string job =
      "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec: {template: {spec: {containers: "
      "[{name: c, image: x, resources: {limits: {nvidia.com/gpu: 8}}}]}}}\n";
  test::write_file(folder.path() + "/job.yaml", job);
  check_same(folder.path());
  test::write_file(folder.path() + "/kustomization.yaml", "namePrefix: pre-\nresources: [job.yaml]\n");
  check_same(folder.path());
  test::write_file(folder.path() + "/kustomization.yaml", "resources: [job.yaml, missing.yaml]\n");
  check_same(folder.path());
}
