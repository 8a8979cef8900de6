// Objects that tasks of Ansible hand to Kubernetes, and where they stand.
#include "syntax/playbook_objects.h"

#include "support/catch.h"

using muster::CutText;
using muster::playbook_objects;

namespace {

/// What stands where the finding of `word` in a piece would point.
std::string pointed_at(std::string_view text, const CutText& piece, std::string_view word) {
  const auto at = static_cast<std::uint32_t>(piece.text.find(word));
  const muster::Span where =
      piece.place(muster::Span{muster::FileId{0}, at, at + static_cast<std::uint32_t>(word.size())});
  return std::string(text.substr(where.begin, where.end - where.begin));
}

}  // namespace

TEST_CASE("objects of tasks are cut out at their places, and Jinja is a mark", "[playbook-objects]") {
  const std::string_view text =
      "- name: serve\n"
      "  kubernetes.core.k8s:\n"
      "    state: present  # now\n"
      "    definition:\n"
      "      # what serves\n"
      "      apiVersion: v1\n"
      "      kind: Service\n"
      "      metadata: {name: \"{{ app }}-web\"}\n"
      "  when: serve\n"
      "- k8s:\n"
      "    definition:\n"
      "    - apiVersion: v1\n"
      "      kind: Namespace\n"
      "    -   apiVersion: v1\n"
      "        kind: Secret\n"
      "    wait: true\n"
      "- k8s:\n"
      "    definition: |\n"
      "      kind: ConfigMap\n";
  const std::vector<CutText> pieces = playbook_objects(text);
  REQUIRE(pieces.size() == 4);
  CHECK(pieces[0].text == "apiVersion: v1\nkind: Service\nmetadata: {name: \"${xxxxxx}-web\"}\n");
  CHECK(pointed_at(text, pieces[0], "Service") == "Service");
  CHECK(pieces[1].text == "apiVersion: v1\nkind: Namespace\n");
  CHECK(pieces[2].text == "apiVersion: v1\nkind: Secret\n");
  CHECK(pointed_at(text, pieces[2], "v1") == "v1");
  CHECK(pointed_at(text, pieces[2], "Secret") == "Secret");
  CHECK(pieces[3].text == "kind: ConfigMap\n");
}

TEST_CASE("what is taken away, patched or made by statements is no object", "[playbook-objects]") {
  CHECK(playbook_objects("- k8s:\n    state: absent\n    definition:\n      kind: Pod\n").empty());
  CHECK(playbook_objects("- k8s:\n    definition:\n      kind: Pod\n    state: patched\n").empty());
  CHECK(playbook_objects("- k8s:\n    definition:\n      kind: Pod\n      {% if a %}\n      a: b\n").empty());
  CHECK(playbook_objects("- k8s:\n    definition: \"{{ lookup('template', 'pod.yml') }}\"\n").empty());
  CHECK(playbook_objects("- k8s:\n    definition:\n      kind: \"{{ a\n        }}\"\n").empty());
  CHECK(playbook_objects("k8s:").empty());
  CHECK(playbook_objects("- k8s:\n    definition:").empty());
}

TEST_CASE("a chart that a task installs is a HelmRelease", "[playbook-objects]") {
  const std::string_view text =
      "- kubernetes.core.helm:\n"
      "    name: operator\n"
      "    chart_ref: nvidia/gpu-operator\n"
      "    chart_version: \"25.3\"\n"
      "    values:\n"
      "      driver:\n"
      "        enabled: \"{{ driver }}\"\n";
  const std::vector<CutText> pieces = playbook_objects(text);
  REQUIRE(pieces.size() == 1);
  CHECK(pieces[0].text ==
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: \"operator\"\nspec:\n  chart:\n"
        "    spec:\n      chart: \"gpu-operator\"\n      version: \"25.3\"\n"
        "      sourceRef: {kind: HelmRepository, name: \"${x}\"}\n  values:\n    driver:\n"
        "      enabled: \"${xxxxxxxxx}\"\n");
  CHECK(pointed_at(text, pieces[0], "gpu-operator") == "gpu-operator");
  CHECK(pointed_at(text, pieces[0], "25.3") == "25.3");
  CHECK(pointed_at(text, pieces[0], "enabled") == "enabled");
  CHECK(playbook_objects("- helm:\n    chart_ref: ./charts/own\n").empty());
  CHECK(playbook_objects("- helm:\n    chart_ref: a/b\n    state: absent\n").empty());
}

TEST_CASE("a manifest that Jinja fills in is read as if every statement held", "[playbook-objects]") {
  const auto piece = muster::filled_in_manifest(
      "{# who serves #}\napiVersion: v1\nkind: Pod\n{% if labels %}\nmetadata: {name: {{ name }}}\n{% endif %}\n");
  REQUIRE(piece);
  CHECK(piece->text == "apiVersion: v1\nkind: Pod\nmetadata: {name: ${xxxxxxx}}\n");
  CHECK(!muster::filled_in_manifest("apiVersion: v1\nkind: Pod\n{% if a %}\na: b\n{% else %}\na: c\n{% endif %}\n"));
  CHECK(!muster::filled_in_manifest("apiVersion: v1\nkind: Pod\na: {% if a %}b{% endif %}\n"));
  CHECK(!muster::filled_in_manifest("a: b\n"));
}
