// Random kustomizations against the real kustomize, where there is one: MUSTER_KUSTOMIZE, or `kustomize` on the PATH.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"
#include "support/share.h"
#include "support/skip.h"
#include "syntax/yaml_reader.h"

namespace {

namespace fs = std::filesystem;
using Files = std::map<std::string, std::string>;

std::string output_of(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "";
  std::string out;
  std::array<char, 4096> piece{};
  for (std::size_t n = std::fread(piece.data(), 1, piece.size(), pipe); n > 0;
       n = std::fread(piece.data(), 1, piece.size(), pipe))
    out.append(piece.data(), n);
  return pclose(pipe) == 0 ? out : "refused";
}

std::string kustomize() {
  const char* given = std::getenv("MUSTER_KUSTOMIZE");
  const std::string program = given == nullptr ? "kustomize" : given;
  return output_of("'" + program + "' version 2>/dev/null").starts_with("v5") ? program : "";
}

/// A value without order of keys and styles.
std::string flat(const muster::Node& node) {
  if (node.is_scalar()) return "'" + std::string(node.text()) + "'";
  if (node.is_sequence()) {
    std::string out = "[";
    for (std::size_t i = 0; i < node.size(); ++i) out += flat(node.item(i)) + ",";
    return out + "]";
  }
  if (!node.is_mapping()) return "null";
  std::set<std::string> members;
  for (std::size_t i = 0; i < node.size(); ++i)
    members.insert(std::string(node.key(i).text()) + ":" + flat(node.value(i)));
  std::string out = "{";
  for (const std::string& member : members) out += member + ",";
  return out + "}";
}

/// The objects of a stream, one a line, sorted.
std::string objects_in(const std::string& text) {
  std::set<std::string> objects;
  muster::SourceMap sources;
  const muster::FileId file = sources.add("out.yaml", text);
  for (const muster::Span& where : muster::split_yaml_documents(file, text)) {
    muster::Document document;
    std::vector<muster::Finding> findings;
    if (muster::read_yaml(text, where, document, findings)) objects.insert(flat(document.root()));
  }
  std::string out;
  for (const std::string& object : objects) out += object + "\n";
  return out;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  Files files() {
    Files out;
    out["base/kustomization.yaml"] = "resources: [a.yaml]\n" + generator("base");
    out["base/a.yaml"] = objects();
    out["mid/kustomization.yaml"] = "resources: [../base]\n" + changes();
    out["kustomization.yaml"] = std::string("resources: [mid]\n") + (chance(30) ? "components: [part]\n" : "") +
                                changes() + (chance(40) ? generator("top") : "");
    out["part/kustomization.yaml"] = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n" + changes();
    return out;
  }

 private:
  bool chance(int percent) { return std::uniform_int_distribution<int>(1, 100)(engine_) <= percent; }
  template <std::size_t N>
  std::string one_of(const std::array<const char*, N>& words) {
    return words[std::uniform_int_distribution<std::size_t>(0, N - 1)(engine_)];
  }
  std::string number() { return std::to_string(std::uniform_int_distribution<int>(1, 3)(engine_)); }
  std::string image() { return one_of(std::array{"x", "x:1", "e.com:5000/y:1", "e/z@sha256:ab", "e/z:2@sha256:cd"}); }

  std::string container(const std::string& name) {
    std::string out = "{name: " + name + ", image: \"" + image() + "\"";
    if (chance(60))
      out += ", env: [{name: A, value: \"" + number() +
             "\"}, {name: B, valueFrom: {configMapKeyRef: "
             "{name: m, key: k}}}]";
    if (chance(50)) out += ", ports: [{containerPort: 8" + number() + "}]";
    if (chance(40)) out += ", volumeMounts: [{name: v, mountPath: /m" + number() + "}]";
    if (chance(40)) out += ", args: [a" + number() + "]";
    if (chance(40)) out += ", resources: {limits: {nvidia.com/gpu: " + number() + "}}";
    return out + "}";
  }

  std::string pod() {
    std::string out = "{containers: [" + container("c1");
    if (chance(50)) out += ", " + container("c2");
    out += "]";
    if (chance(50)) out += ", volumes: [{name: v, configMap: {name: m}}, {name: s, secret: {secretName: s}}]";
    if (chance(40)) out += ", tolerations: [{key: t" + number() + "}]";
    if (chance(30)) out += ", serviceAccountName: sa";
    if (chance(30)) out += ", nodeSelector: {n: \"" + number() + "\"}";
    return out + "}";
  }

  std::string objects() {
    std::string out = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web" +
                      std::string(chance(30) ? ", namespace: old" : "") +
                      "}\nspec: {selector: {matchLabels: {a: b}}, " +
                      "template: {metadata: {labels: {a: b}}, spec: " + pod() + "}}\n";
    out += "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: job, labels: {tier: \"" + number() +
           "\"}}\nspec: {template: {spec: " + pod() + "}}\n";
    out += "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata: {k: v}\n";
    out += "---\napiVersion: v1\nkind: Service\nmetadata: {name: svc}\nspec: {selector: {a: b}, ports: [{port: 80}]}\n";
    out +=
        "---\napiVersion: e.io/v1\nkind: Train\nmetadata: {name: tr}\nspec: {replicas: 2, list: [{name: a}], "
        "template: {spec: " +
        pod() + "}}\n";
    if (chance(50))
      out += "---\napiVersion: v1\nkind: ServiceAccount\nmetadata: {name: sa" +
             std::string(chance(40) ? ", namespace: n1" : "") +
             "}\n---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: "
             "rb}\nroleRef: {apiGroup: "
             "rbac.authorization.k8s.io, kind: ClusterRole, name: r}\nsubjects: [{kind: ServiceAccount, name: sa" +
             std::string(chance(60) ? ", namespace: default" : "") +
             "}]\n---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: "
             "r}\n";
    return out;
  }

  std::string generator(const std::string& name) {
    if (!chance(50)) return "";
    return "configMapGenerator: [{name: gen-" + name + ", literals: [a=" + number() + ", 'b=\"<&>\"']" +
           (chance(30) ? ", options: {disableNameSuffixHash: true}" : "") + "}]\n" +
           (chance(50) ? "secretGenerator: [{name: s-" + name + ", literals: [p=" + number() + "]}]\n" : "");
  }

  std::string changes() {
    std::string out;
    if (chance(40)) out += "namespace: " + one_of(std::array{"n1", "n2"}) + "\n";
    if (chance(40)) out += "namePrefix: " + one_of(std::array{"p-", "q-"}) + "\n";
    if (chance(30)) out += "nameSuffix: -s" + number() + "\n";
    if (chance(30)) out += "commonLabels: {l: \"" + number() + "\"}\n";
    if (chance(30))
      out += std::string("labels: [{pairs: {x: z}") + (chance(50) ? ", includeSelectors: true" : "") +
             (chance(50) ? ", includeTemplates: true" : "") + "}]\n";
    if (chance(30)) out += "commonAnnotations: {an: \"" + number() + "\"}\n";
    if (chance(30)) out += "replicas: [{name: web, count: " + number() + "}]\n";
    if (chance(40))
      out += "images: [{name: " + one_of(std::array{"x", "e/z", "e.com:5000/y"}) +
             (chance(60) ? ", newTag: \"9\"" : ", digest: \"sha256:ef\"") + (chance(40) ? ", newName: w" : "") + "}]\n";
    if (chance(70)) out += "patches:\n" + patch() + (chance(50) ? patch() : "");
    return out;
  }

  std::string patch() {
    if (chance(30)) {
      return "  - target: {kind: " + one_of(std::array{"Deployment", "Job|Train", ".*"}) +
             (chance(30) ? ", labelSelector: tier=1" : "") +
             "}\n    patch: |-\n      - {op: add, path: /metadata/annotations, value: {j: \"" + number() + "\"}}\n";
    }
    const bool train = chance(30);
    const std::string head = train ? "apiVersion: e.io/v1, kind: Train, metadata: {name: tr}"
                                   : "apiVersion: apps/v1, kind: Deployment, metadata: {name: web}";
    std::string spec = "template: {spec: ";
    const std::string what = one_of(std::array{"pod", "delete", "null", "replace", "new"});
    if (what == "pod") spec += pod();
    if (what == "delete") spec += "{containers: [{name: c1, $patch: delete}, {name: c9}]}";
    if (what == "null") spec += "{nodeSelector: null, tolerations: null, volumes: null}";
    if (what == "replace") spec += "{$patch: replace, containers: [" + container("c3") + "]}";
    if (what == "new") spec += "{containers: [" + container("c1") + ", " + container("c4") + "]}";
    return "  - target: {kind: " + std::string(train ? "Train" : "Deployment") + "}\n    patch: '{" + head +
           ", spec: {" + spec + "}}}'\n";
  }

  std::mt19937 engine_;
};

}  // namespace

TEST_CASE("kustomize builds the same", "[kustomize]") {
  const std::string program = kustomize();
  if (program.empty()) return muster::test::skip("real kustomize", "there is no kustomize 5");
  const fs::path folder = fs::temp_directory_path() / ("muster-kustomize-" + std::to_string(std::random_device{}()));
  const unsigned count = muster::test::kSanitised ? 20 : 100;
  for (unsigned seed = 0; seed < count; ++seed) {
    const Files files = Random(seed).files();
    for (const auto& [path, text] : files) {
      fs::create_directories((folder / path).parent_path());
      std::ofstream(folder / path) << text;
    }
    const std::string theirs = output_of("'" + program + "' build '" + folder.string() + "' 2>/dev/null");
    Files on_disk;
    for (const auto& [path, text] : files) on_disk["r/" + path] = text;
    const muster::test::FakeDisk disk(on_disk);
    const std::string ours = muster::test::run_command({"dump", "rendered", "/r"}, disk).out;
    INFO("seed " << seed);
    if (theirs == "refused") {
      CHECK(ours.find("r/kustomization.yaml: not rendered: ") != ours.npos);
    } else {
      CHECK(objects_in(ours) == objects_in(theirs));
    }
    fs::remove_all(folder);
  }
}
