// What a CustomResourceDefinition of the input says of the fields of its kind.
#include "kubernetes/defined_kinds.h"
#include "support/catch.h"
#include "syntax/yaml_reader.h"

using namespace muster;

namespace {

constexpr const char* kFleet = R"(apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: fleets.example.com}
spec:
  group: example.com
  names: {kind: Fleet, plural: fleets}
  versions:
    - name: v1
      served: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [nodes]
              properties:
                nodes: {type: integer}
                mode: {type: string, enum: [fast, slow]}
                port: {x-kubernetes-int-or-string: true}
                labels: {type: object, additionalProperties: {type: string}}
                any: {type: object, x-kubernetes-preserve-unknown-fields: true}
                groups:
                  type: array
                  items: {type: object, properties: {name: {type: string}}}
    - {name: v0, served: false, schema: {openAPIV3Schema: {type: object}}}
)";

/// Rule and message of what is said of an object, with a definition.
std::vector<std::string> said_of(const std::string& definition, const std::string& object) {
  SourceMap sources;
  const FileId file = sources.add("a.yaml", definition + "---\n" + object);
  const std::string_view whole = sources.file(file).text();
  const std::vector<Span> spans = split_yaml_documents(file, whole);
  REQUIRE(spans.size() == 2);
  std::vector<Finding> findings;
  Document crd;
  Document document;
  REQUIRE(read_yaml(whole, spans[0], crd, findings));
  REQUIRE(read_yaml(whole, spans[1], document, findings));
  DefinedKinds kinds;
  kinds.add(crd.root());
  const Node root = document.root();
  REQUIRE(kinds.defines(root["apiVersion"].text(), root["kind"].text()));
  std::vector<std::string> out;
  for (const Finding& finding : kinds.check(root, root["apiVersion"].text(), root["kind"].text())) {
    out.push_back(finding.rule + ": " + finding.message);
    CHECK(finding.related.size() == 1);
  }
  return out;
}

std::string fleet(const std::string& spec) {
  return "apiVersion: example.com/v1\nkind: Fleet\nmetadata: {name: f, labels: {a: b}}\nspec: {nodes: 1, " + spec +
         "}\n";
}

using Said = std::vector<std::string>;

}  // namespace

TEST_CASE("a definition of the input says which fields its kind has", "[kubernetes]") {
  CHECK(
      said_of(kFleet, fleet("mode: fast, port: http, labels: {a: b}, any: {x: {y: 1}}, groups: [{name: g}]")).empty());
  CHECK(said_of(kFleet, fleet("mdoe: fast")) ==
        Said{"custom-field-unknown: there is no field `mdoe` in `spec` of Fleet; did you mean `mode`?"});
  CHECK(said_of(kFleet, fleet("groups: [{mode: fast}]")) ==
        Said{"custom-field-unknown: there is no field `mode` in `spec.groups` of Fleet; `spec` has one"});
  CHECK(said_of(kFleet, fleet("groups: {name: g}")) == Said{"field-type: `groups`: expected a list, got a mapping"});
  CHECK(said_of(kFleet, fleet("mode: slowly")).size() == 1);
  CHECK(said_of(kFleet, "apiVersion: example.com/v0\nkind: Fleet\nspec: {nodes: 1}\n") ==
        Said{"custom-api-version-not-served: `Fleet` has no version `example.com/v0`; its operator serves "
             "example.com/v1"});
  // The copy of the definition may be an old one.
  CHECK(said_of(kFleet, "apiVersion: example.com/v2alpha1\nkind: Fleet\nspec: {nodes: 1}\n") ==
        Said{"custom-api-version-unknown: `Fleet` has no version `example.com/v2alpha1`; its operator serves "
             "example.com/v1"});
}

TEST_CASE("of several definitions one that serves the version says more than one that does not", "[kubernetes]") {
  std::string newer = kFleet;
  newer.replace(newer.find("- name: v1"), 10, "- name: v2");
  for (const bool newer_first : {true, false}) {
    SourceMap sources;
    const std::string object = "apiVersion: example.com/v2\nkind: Fleet\nspec: {nodes: 1, mdoe: fast, nmoe: fast}\n";
    const FileId file = sources.add(
        "a.yaml", (newer_first ? newer + "---\n" + kFleet : std::string(kFleet) + "---\n" + newer) + "---\n" + object);
    const std::string_view whole = sources.file(file).text();
    const std::vector<Span> spans = split_yaml_documents(file, whole);
    REQUIRE(spans.size() == 3);
    std::vector<Finding> findings;
    std::vector<Document> documents(3);
    for (std::size_t i = 0; i < 3; ++i) REQUIRE(read_yaml(whole, spans[i], documents[i], findings));
    DefinedKinds kinds;
    kinds.add(documents[0].root());
    kinds.add(documents[1].root());
    const Node root = documents[2].root();
    findings = kinds.check(root, "example.com/v2", "Fleet");
    REQUIRE_FALSE(findings.empty());
    CHECK(findings[0].rule == "custom-field-unknown");
  }
}

TEST_CASE("a definition that says nothing takes everything", "[kubernetes]") {
  const std::string open =
      "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\n"
      "spec: {group: example.com, version: v1, names: {kind: Fleet}}\n";
  CHECK(said_of(open, fleet("anything: [1]")).empty());
  const std::string odd =
      "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
      "spec: {group: example.com, names: {kind: Fleet}, versions: [{name: v1, schema: "
      "{openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: "
      "{'a b': {type: string}, nodes: {type: integer}}}}}}}]}\n";
  CHECK(said_of(odd, fleet("a b: 1, c: 2")).empty());
}
