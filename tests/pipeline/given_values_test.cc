// Files of values that stand outside of a chart, and who gives them to it.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "support/catch.h"
#include "support/command.h"
#include "support/files.h"

namespace {

using Json = nlohmann::json;

/// A chart that writes a Deployment only where its values say so, two files of values beside it, and what `put` adds.
class Repository {
 public:
  Repository() {
    put("charts/srv/Chart.yaml", "apiVersion: v2\nname: srv\nversion: 0.1.0\n");
    put("charts/srv/values.yaml", "enabled: false\ngpus: 1\n");
    put("charts/srv/templates/d.yaml",
        "{{- if .Values.enabled }}\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: srv\nspec:\n"
        "  selector: {matchLabels: {app: srv}}\n  template:\n    metadata: {labels: {app: srv}}\n    spec:\n"
        "      containers:\n        - name: c\n          image: example.com/srv:1\n          resources:\n"
        "            requests: {nvidia.com/gpu: 1}\n            limits:\n"
        "              nvidia.com/gpu: {{ .Values.gpus }}\n{{- end }}\n");
    put("values/prod.yaml", "enabled: true\ngpus: 2\nstorageSize: 1Gi\n");
    put("values/dev.yaml", "enabled: true\n");
    put("values/large.yaml", "gpus: 4\n");
  }

  void put(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(folder_.path() + "/" + path).parent_path());
    muster::test::write_file(folder_.path() + "/" + path, text);
  }
  void remove(const std::string& path) { std::filesystem::remove(folder_.path() + "/" + path); }

  Json check() const {
    const muster::test::Ran ran =
        muster::test::run_command({"check", folder_.path(), "--format", "json", "--fail-on", "never"});
    REQUIRE(ran.code == 0);
    return Json::parse(ran.out);
  }

 private:
  muster::test::TemporaryFolder folder_;
};

/// `RULE FILE:LINE` of what was found.
std::set<std::string> found(const Json& report) {
  std::set<std::string> out;
  for (const Json& finding : report["findings"]) {
    const std::string file = finding["location"]["file"];
    out.insert(finding["rule"].get<std::string>() + " " + file.substr(file.rfind('/') + 1) + ":" +
               std::to_string(finding["location"]["line"].get<int>()));
  }
  return out;
}

constexpr const char* kLimit = "accelerator-request-without-limit d.yaml:15";

}  // namespace

TEST_CASE("a chart is rendered with the values that commands give to it", "[helm][pipeline]") {
  Repository repository;
  CHECK_FALSE(found(repository.check()).contains(kLimit));
  const auto with = [&](const std::string& path, const std::string& text) {
    repository.put(path, text);
    Json report = repository.check();
    repository.remove(path);
    return report;
  };
  // Two GPUs of prod.yaml against one that is asked for; its key that nothing reads.
  const Json prod =
      with("README.md", "```bash\nhelm upgrade --install srv ./charts/srv \\\n  -n ml -f values/prod.yaml\n```\n");
  CHECK(prod["coverage"]["charts"] == 2);
  CHECK(found(prod).contains(kLimit));
  CHECK(found(prod).contains("helm-value-unread prod.yaml:3"));
  // One GPU is right, and later files win.
  CHECK_FALSE(
      found(with("Makefile", "up:\n\thelm install srv charts/srv --values=values/dev.yaml\n")).contains(kLimit));
  CHECK(found(with("up.sh", "helm template charts/srv -f values/dev.yaml -f values/large.yaml\n")).contains(kLimit));
  CHECK_FALSE(found(with("up.sh", "helm template charts/srv -f values/large.yaml\n")).contains(kLimit));
  // Whatever options stand around, quotes, tabs and what takes the output.
  for (const char* command :
       {"helm upgrade srv ./charts/srv -f values/prod.yaml --history-max 5",
        "helm\tinstall srv\t./charts/srv\t-f\tvalues/prod.yaml",
        "helm upgrade -l team=ml srv charts/srv --set-literal a='b c' -f values/prod.yaml",
        "helm template srv charts/srv -s templates/d.yaml --values \"values/prod.yaml\" --set \"a=b c\" >out.yaml 2>&1",
        "helm install srv charts/srv -f values/prod.yaml 2>&1 | tee log",
        "(helm install srv charts/srv -f values/prod.yaml)",
        "x=$(helm template srv charts/srv -f values/prod.yaml --namespace $(cat name) --kube-apiserver https://a)",
        "helm --kubeconfig a --kube-context b upgrade srv charts/srv -f values/prod.yaml",
        "helm install srv charts/srv -f values/prod.yaml; echo done",
        "helm install srv charts/srv -f 'values/prod.yaml' && echo a"})
    CHECK(found(with("up.sh", command + std::string("\n"))).contains(kLimit));
  CHECK_FALSE(found(with("up.sh", "helm install srv charts/srv; echo -f values/prod.yaml\n")).contains(kLimit));
  // From another folder, with a variable, and in an Application.
  CHECK(found(with("ci/up.sh", "helm upgrade srv $ROOT/charts/srv -f $ROOT/values/pro${D}.yaml\n")).contains(kLimit));
  CHECK(found(with("app.yaml",
                   "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: srv, namespace: argocd}\n"
                   "spec:\n  project: default\n  destination: {name: in-cluster, namespace: ml}\n"
                   "  source:\n    repoURL: https://example.com/x.git\n    targetRevision: main\n    path: charts/srv\n"
                   "    helm: {valueFiles: [../../values/prod.yaml]}\n"))
            .contains(kLimit));
}

TEST_CASE("files beyond the most that a name with a variable stands for are counted", "[helm][pipeline]") {
  Repository repository;
  for (int i = 10; i < 30; ++i) repository.put("envs/site-" + std::to_string(i) + ".yaml", "enabled: true\n");
  repository.put("up.sh", "helm upgrade srv charts/srv -f envs/site-$N.yaml\n");
  CHECK(contains(repository.check().dump(), "8 more files of values"));
}

TEST_CASE("values of other charts, of nothing and of files that are not there are left out", "[helm][pipeline]") {
  Repository repository;
  // A file that the input does not have may decide; a chart of a repository elsewhere is none of the input.
  repository.put("README.md",
                 "`helm install srv ./charts/srv -f values/prod.yaml -f values/secret.yaml`\n"
                 "`helm install srv srv/srv -f values/prod.yaml`\nhelm is not -f values/prod.yaml\n");
  const Json report = repository.check();
  CHECK(report["coverage"]["charts"] == 1);
  CHECK_FALSE(found(report).contains(kLimit));
  // What two charts get need not be read by each.
  repository.remove("README.md");
  const std::string one = "helm install a charts/srv -f values/prod.yaml\n";
  repository.put("up.sh", one);
  CHECK(found(repository.check()).contains("helm-value-unread prod.yaml:3"));
  repository.put("up.sh", one + "helm install b other/chart -f values/prod.yaml\n");
  CHECK(found(repository.check()).contains(kLimit));
  CHECK_FALSE(found(repository.check()).contains("helm-value-unread prod.yaml:3"));
}
