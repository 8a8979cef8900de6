// What kustomizations build: each case is small, and its expectation is what kustomize 5.8.1 printed for it.
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"

namespace {

using Files = std::map<std::string, std::string>;

/// What is rendered, without quotes and without the line that counts it.
std::string rendered(const Files& files) {
  const muster::test::FakeDisk disk(files);
  const muster::test::Ran ran = muster::test::run_command({"dump", "rendered", "/r"}, disk);
  std::string out;
  for (const char c : ran.out + ran.err) {
    if (c != '"') out += c;
  }
  return out;
}

/// Why the one kustomization is not rendered.
std::string trouble(const Files& files) {
  const std::string text = rendered(files);
  const std::size_t at = text.find(": not rendered: ");
  return at == text.npos ? "it is rendered" : text.substr(at + 16, text.find('\n', at) - at - 16);
}

const std::string kDeployment =
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n    spec:\n      containers:\n"
    "        - {name: a, image: \"x:1\", ports: [{containerPort: 80}]}\n        - {name: b, image: w}\n";

const std::string kMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata: {k: v}\n";

Files patched(const std::string& patch) {
  return {{"r/kustomization.yaml", "resources: [d.yaml]\npatches: [{path: p.yaml}]\n"},
          {"r/d.yaml", kDeployment},
          {"r/p.yaml",
           "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n    spec:\n" + patch}};
}

}  // namespace

TEST_CASE("an overlay sets namespace and prefix, and references follow", "[kustomize]") {
  CHECK(
      rendered({{"r/base/kustomization.yaml", "resources: [all.yaml]\n"},
                {"r/base/all.yaml",
                 "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  volumes: [{name: v, configMap: {name: m}}]\n"
                 "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n---\napiVersion: v1\nkind: Namespace\n"
                 "metadata: {name: n}\n"},
                {"r/prod/kustomization.yaml", "resources: [../base]\nnamespace: prod\nnamePrefix: p-\n"}}) ==
      "# r/prod/kustomization.yaml: 3 objects\n---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: p-p\n  namespace: "
      "prod\nspec:\n  volumes:\n    - name: v\n      configMap:\n        name: p-m\n---\napiVersion: v1\nkind: "
      "ConfigMap\nmetadata:\n  name: p-m\n  namespace: prod\n---\napiVersion: v1\nkind: Namespace\nmetadata:\n  "
      "name: prod\n");
}

TEST_CASE("a JSON patch may set an annotation of an object that has none, and no label", "[kustomize]") {
  const auto with = [](const std::string& operation) {
    return Files{{"r/kustomization.yaml",
                  "resources: [m.yaml]\npatches:\n- target: {kind: ConfigMap}\n  patch: |\n    - " + operation + "\n"},
                 {"r/m.yaml", kMap}};
  };
  for (const std::string operation : {"add", "replace"}) {
    CHECK(rendered(with("{op: " + operation + ", path: /metadata/annotations/a, value: b}")) ==
          "# r/kustomization.yaml: 1 object\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: m\n  "
          "annotations:\n    a: b\ndata:\n  k: v\n");
    CHECK_THAT(trouble(with("{op: " + operation + ", path: /metadata/labels/a, value: b}")),
               Catch::Matchers::Contains("/metadata/labels/a"));
  }
  CHECK_THAT(trouble(with("{op: remove, path: /metadata/annotations/a}")),
             Catch::Matchers::Contains("/metadata/annotations/a"));
}

TEST_CASE("a strategic-merge patch meets containers by name, puts new ones first and deletes", "[kustomize]") {
  const std::string head =
      "# r/kustomization.yaml: 1 object\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  "
      "template:\n    spec:\n";
  CHECK(rendered(patched("      containers: [{name: b, image: z}, {name: c}]\n")) ==
        head +
            "      containers:\n        - name: b\n          image: z\n        - name: c\n        - name: a\n"
            "          image: x:1\n          ports:\n            - containerPort: 80\n");
  CHECK(rendered(patched("      containers: [{name: a, $patch: delete}]\n")) ==
        head + "      containers:\n        - name: b\n          image: w\n");
  CHECK(rendered(patched("      containers: [{$patch: replace}, {name: c}]\n")) ==
        head + "      containers:\n        - name: c\n");
  CHECK(
      rendered(patched("      containers: [{name: a, image: null, ports: []}]\n")) ==
      head +
          "      containers:\n        - name: a\n          ports:\n            - containerPort: 80\n        - name: b\n"
          "          image: w\n");
}

TEST_CASE("lists of custom resources are replaced", "[kustomize]") {
  CHECK(rendered({{"r/kustomization.yaml",
                   "resources: [j.yaml]\npatches:\n  - patch: |\n      apiVersion: e.io/v1\n      kind: J\n      "
                   "metadata: {name: j}\n      containers: [{name: b}]\n"},
                  {"r/j.yaml", "apiVersion: e.io/v1\nkind: J\nmetadata: {name: j}\ncontainers: [{name: a}]\n"}}) ==
        "# r/kustomization.yaml: 1 object\n---\napiVersion: e.io/v1\nkind: J\nmetadata:\n  name: j\ncontainers:\n  - "
        "name: b\n");
}

TEST_CASE("a JSON patch changes what its target selects", "[kustomize]") {
  CHECK(rendered({{"r/kustomization.yaml",
                   "resources: [m.yaml]\npatches:\n  - target: {kind: Config.*, name: m}\n    patch: |-\n      - {op: "
                   "add, path: /data/a~1b, value: \"1\"}\n      - {op: remove, path: /data/k}\n"},
                  {"r/m.yaml", kMap}}) ==
        "# r/kustomization.yaml: 1 object\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: m\ndata:\n  a/b: "
        "1\n");
  CHECK(trouble({{"r/kustomization.yaml",
                  "resources: [m.yaml]\npatches:\n  - target: {kind: ConfigMap}\n    patch: '[{\"op\": \"replace\", "
                  "\"path\": \"/spec/z\", \"value\": 1}]'\n"},
                 {"r/m.yaml", kMap}}) == "a JSON patch speaks of `/spec/z`, which is not there");
}

TEST_CASE("labels, replicas and images", "[kustomize]") {
  CHECK(rendered({{"r/kustomization.yaml",
                   "resources: [d.yaml]\nlabels: [{pairs: {a: b}}]\ncommonLabels: {c: d}\nreplicas: [{name: web, "
                   "count: 3}]\nimages: [{name: x, newTag: \"2\"}, {name: w, digest: \"sha256:0\", newName: z}]\n"},
                  {"r/d.yaml", kDeployment}}) ==
        "# r/kustomization.yaml: 1 object\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  "
        "labels:\n    a: b\n    c: d\nspec:\n  template:\n    spec:\n      containers:\n        - name: a\n          "
        "image: x:2\n          ports:\n            - containerPort: 80\n        - name: b\n          image: "
        "z@sha256:0\n    metadata:\n      labels:\n        c: d\n  selector:\n    matchLabels:\n      c: d\n  "
        "replicas: 3\n");
}

TEST_CASE("a generated ConfigMap carries the hash that kustomize gives it", "[kustomize]") {
  CHECK(rendered({{"r/kustomization.yaml", "configMapGenerator: [{name: m, literals: [a=1, \"b='<x>'\"]}]\n"}}) ==
        "# r/kustomization.yaml: 1 object\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: "
        "m-fdtb6gftgd\ndata:\n  a: 1\n  b: <x>\n");
}

TEST_CASE("words that YAML 1.1 takes for booleans are written in quotes, true and false as they are", "[kustomize]") {
  const muster::test::FakeDisk disk(
      {{"r/kustomization.yaml", "resources: [m.yaml]\n"},
       {"r/m.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata: {a: off, b: Yes, c: true, d: n, e: 'on'}\n"}});
  const std::string out = muster::test::run_command({"dump", "rendered", "/r"}, disk).out;
  CHECK(out.find(R"("a": "off"
  "b": "Yes"
  "c": true
  "d": "n"
  "e": "on")") != out.npos);
}

TEST_CASE("a component changes what is there", "[kustomize]") {
  CHECK(rendered({{"r/kustomization.yaml", "resources: [m.yaml]\ncomponents: [c]\n"},
                  {"r/c/kustomization.yaml",
                   "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnameSuffix: -x\n"},
                  {"r/m.yaml", kMap}}) ==
        "# r/kustomization.yaml: 1 object\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: m-x\ndata:\n  k: "
        "v\n");
}

TEST_CASE("a replacement copies a field", "[kustomize]") {
  CHECK(rendered({{"r/kustomization.yaml",
                   "resources: [m.yaml]\nreplacements:\n  - source: {kind: ConfigMap, name: m, fieldPath: data.k}\n"
                   "    targets: [{select: {kind: ConfigMap}, fieldPaths: [metadata.labels.x], options: {create: "
                   "true}}]\n"},
                  {"r/m.yaml", kMap}}) ==
        "# r/kustomization.yaml: 1 object\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: m\n  labels:\n    "
        "x: v\ndata:\n  k: v\n");
}

TEST_CASE("a replacement leaves a text a text and a number a number", "[kustomize]") {
  const muster::test::FakeDisk disk(
      {{"r/kustomization.yaml",
        "resources: [f.yaml, m.yaml]\nreplacements:\n  - source: {kind: ConfigMap, name: m, fieldPath: data.k}\n"
        "    targets: [{select: {kind: Foo}, fieldPaths: [spec.text, spec.number]}]\n"},
       {"r/f.yaml", "apiVersion: v1\nkind: Foo\nmetadata: {name: f}\nspec: {text: PLACEHOLDER, number: 1}\n"},
       {"r/m.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata: {k: \"80\"}\n"}});
  const muster::test::Ran ran = muster::test::run_command({"dump", "rendered", "/r"}, disk);
  CHECK(ran.out.find("  \"text\": \"80\"\n  \"number\": 80\n") != std::string::npos);
}

TEST_CASE("keys with dots stand in brackets, and tagged merge keys merge", "[kustomize]") {
  CHECK(rendered({{"r/kustomization.yaml",
                   "resources: [m.yaml]\nreplacements:\n  - source: {kind: ConfigMap, name: m, fieldPath: "
                   "'data.[a.b]'}\n    targets: [{select: {kind: ConfigMap}, fieldPaths: ['data.[c.d/e]'], options: "
                   "{create: true}}]\n"},
                  {"r/m.yaml",
                   "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\nbase: &x {f: g}\ndata:\n  a.b: v\n  "
                   "!!merge <<: *x\n"}}) ==
        "# r/kustomization.yaml: 1 object\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: m\nbase:\n  f: "
        "g\ndata:\n  a.b: v\n  f: g\n  c.d/e: v\n");
}

TEST_CASE("what cannot be built is said with its reason", "[kustomize]") {
  CHECK(trouble({{"r/kustomization.yaml", "resources: [https://e.com/x.yaml]\n"}}) ==
        "`https://e.com/x.yaml` is fetched from elsewhere");
  CHECK(trouble({{"r/kustomization.yaml", "resources: [x.yaml]\n"}}) == "`x.yaml` is not in the input");
  CHECK(trouble({{"r/kustomization.yaml", "helmCharts: [{name: x}]\n"}}) == "muster does not build `helmCharts`");
  CHECK(trouble({{"r/kustomization.yaml", "resource: [x.yaml]\n"}}) ==
        "there is no field `resource` in a kustomization");
  CHECK(trouble({{"r/kustomization.yaml", "resources: [m.yaml, n.yaml]\n"}, {"r/m.yaml", kMap}, {"r/n.yaml", kMap}}) ==
        "there are two objects ConfigMap m");
  CHECK(trouble({{"r/a/kustomization.yaml", "resources: [../b]\n"},
                 {"r/b/kustomization.yaml", "resources: [../a]\n"}}) == "`r/a` is built of itself: a cycle");
}

TEST_CASE("bases that name two that name two are bounded", "[kustomize]") {
  Files files{{"r/k0/kustomization.yaml", "resources: [m.yaml]\n"}, {"r/k0/m.yaml", kMap}};
  for (int i = 1; i <= 30; ++i) {
    const std::string below = "../k" + std::to_string(i - 1);
    for (const std::string side : {"a", "b"})
      files["r/k" + std::to_string(i) + side + "/kustomization.yaml"] =
          "resources: [" + below + "]\nnameSuffix: -" + side + "\n";
    files["r/k" + std::to_string(i) + "/kustomization.yaml"] =
        "resources: [../k" + std::to_string(i) + "a, ../k" + std::to_string(i) + "b]\n";
  }
  CHECK(trouble(files) == "it is too large");
}
