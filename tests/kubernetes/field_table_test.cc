// The field tables of Kubernetes kinds and what going through an object along them says.
#include "kubernetes/field_table.h"
#include "kubernetes/check_fields.h"
#include "support/catch.h"
#include "syntax/yaml_reader.h"

using namespace muster;

namespace {

/// What is said of one object: rule and message.
std::vector<std::string> said_of(const std::string& text) {
  SourceMap sources;
  const FileId file = sources.add("a.yaml", text);
  std::vector<Finding> findings;
  Document document;
  const std::string_view whole = sources.file(file).text();
  REQUIRE(read_yaml(whole, split_yaml_documents(file, whole).front(), document, findings));
  const Node object = document.root();
  check_fields(object, object["apiVersion"].text(), object["kind"].text(), FieldTable::shipped(), findings);
  std::vector<std::string> out;
  for (const Finding& finding : findings) out.push_back(finding.rule + ": " + finding.message);
  return out;
}

using Said = std::vector<std::string>;

std::string pod(const std::string& spec) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {" + spec + "}\n";
}

}  // namespace

TEST_CASE("a kind remains where some API version of it is not gone", "[fields]") {
  const FieldTable& table = FieldTable::shipped();
  CHECK(table.is_served("Ingress"));                // extensions/v1beta1 became networking.k8s.io/v1
  CHECK(!table.is_served("PodSecurityPolicy"));     // nothing replaced it
  CHECK(!table.is_served("PodSchedulingContext"));  // of resource.k8s.io/v1alpha2
  CHECK(!table.is_served("NoSuchKind"));
}

TEST_CASE("every tree of the shipped fields can be reached and every type is one", "[fields]") {
  const FieldTable& table = FieldTable::shipped();
  for (const auto& [api, kind] :
       std::vector<std::pair<std::string, std::string>>{{"v1", "Pod"},
                                                        {"apps/v1", "Deployment"},
                                                        {"batch/v1", "Job"},
                                                        {"batch.volcano.sh/v1alpha1", "Job"},
                                                        {"kueue.x-k8s.io/v1beta2", "LocalQueue"},
                                                        {"ray.io/v1", "RayCluster"},
                                                        {"kubeflow.org/v1", "PyTorchJob"}}) {
    INFO(api << " " << kind);
    const FieldTable::ObjectKind* found = table.find(api, kind);
    REQUIRE(found != nullptr);
    CHECK(found->gone.empty());
    std::vector<const FieldTable::Tree*> open{table.tree(found->type)};
    std::set<const FieldTable::Tree*> seen(open.begin(), open.end());
    while (!open.empty()) {
      const FieldTable::Tree* tree = open.back();
      open.pop_back();
      CHECK(std::ranges::is_sorted(tree->fields, {}, &FieldTable::Field::name));
      for (const FieldTable::Field& field : tree->fields) {
        const std::string_view type = field.type.substr(field.type.find_first_not_of("[{"));
        if (type.front() == 'e') CHECK(table.words(type).size() > 0);
        const FieldTable::Tree* next = table.tree(type);
        if (next == nullptr) {
          CHECK(std::string_view("sinbqx*e").find(type.front()) != std::string_view::npos);
        } else if (seen.insert(next).second) {
          open.push_back(next);
        }
      }
    }
    CHECK(seen.size() > 4);
  }
  CHECK(table.find("policy/v1beta1", "PodDisruptionBudget")->gone == "1.25");
  CHECK(table.find("v1", "Job") == nullptr);
}

TEST_CASE("each type is held against what YAML makes of a value", "[fields]") {
  const std::string containers = "containers: [{name: c, image: i}]";
  CHECK(said_of(pod(containers)).empty());
  CHECK(said_of(pod(containers + ", priority: '1'")) ==
        Said{"field-type: `priority`: expected an integer, got the text `1`"});
  CHECK(said_of(pod(containers + ", priority: -5")).empty());
  CHECK(said_of(pod(containers + ", hostNetwork: maybe")) ==
        Said{"field-type: `hostNetwork`: expected true or false, got `maybe`"});
  CHECK(said_of(pod(containers + ", nodeSelector: {a: 1}")) ==
        Said{"field-type: `a`: expected a text, got the number `1`; put it in quotes"});
  CHECK(said_of(pod("containers: {name: c}")) == Said{"field-type: `containers`: expected a list, got a mapping"});
  CHECK(said_of(pod(containers + ", tolerations: [x]")) ==
        Said{"field-type: `tolerations`: expected a mapping, got `x`"});
  CHECK(said_of(pod(containers + ", restartPolicy: never")) ==
        Said{"field-value: `restartPolicy` does not take `never`; did you mean `Never`?; it takes Always, OnFailure, "
             "Never"});
  CHECK(said_of(pod("containers: [{name: c, image: i, resources: {limits: {cpu: much}}}]")).size() == 1);
  CHECK(said_of(pod("containers: [{name: c, image: i, ports: [{containerPort: http}]}]")).size() == 1);
}

TEST_CASE("a key that is no field is led to where it belongs", "[fields]") {
  CHECK(said_of(pod("containers: [{name: c, image: i, tolerations: []}]")) ==
        Said{"field-unknown: there is no field `tolerations` in `spec.containers` of Pod; `spec` has one"});
  CHECK(said_of("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {containers: [], selector: {}, "
                "template: {spec: {containers: []}}}\n") ==
        Said{"field-unknown: there is no field `containers` in `spec` of Deployment; `spec.template.spec` has one"});
  CHECK(said_of(pod("containers: [], nodeName: a, hostnetwork: true")) ==
        Said{"field-unknown: there is no field `hostnetwork` in `spec` of Pod; did you mean `hostNetwork`?"});
  CHECK(said_of(pod("containers: [], volumes: [{name: v, secret: {name: s}}]")) ==
        Said{"field-unknown: there is no field `name` in `spec.volumes.secret` of Pod; did you mean `secretName`?"});
  // Who writes both means two things.
  CHECK(said_of(pod("containers: [], nodeName: a, hostNetwork: true, hostNetwrk: true")) ==
        Said{"field-unknown: there is no field `hostNetwrk` in `spec` of Pod"});
  CHECK(said_of(pod("containers: [{name: c, image: i, hostNetwork: true}], hostNetwork: true")) ==
        Said{"field-unknown: there is no field `hostNetwork` in `spec.containers` of Pod"});
  CHECK(said_of(pod("containers: [{name: c, image: i, livenessProbe: {httpGet: , port: 80}}]")) ==
        Said{"field-unknown: there is no field `port` in `spec.containers.livenessProbe` of Pod; "
             "`spec.containers.livenessProbe.httpGet` has one"});
  CHECK(said_of("apiVersion: example.com/v1\nkind: Pod\nspec: {x: 1}\n").empty());
}

TEST_CASE("a thousand wrong keys of one object are not a thousand findings", "[fields]") {
  std::string keys;
  std::string containers;
  for (int i = 0; i < 1000; ++i) {
    const std::string number = std::to_string(i);
    keys += "k" + number + ": 1, ";
    containers += "{name: c" + number + ", image: i, k" + number + ": 1}, ";
  }
  // Those of one mapping are one mistake.
  const Said one = said_of(pod(keys + "containers: [{name: c, image: i}]"));
  REQUIRE(one.size() == 1);
  CHECK(one.front().size() < 300);
  const Said said = said_of(pod("containers: [" + containers + "]"));
  CHECK(said.size() == 50);
  CHECK(said.back().ends_with("more of this object is not looked at"));
  CHECK_FALSE(said.front().ends_with("more of this object is not looked at"));
}
