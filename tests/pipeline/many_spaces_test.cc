// Where only so much is looked at, what was found until then is said.
#include <algorithm>

#include "support/catch.h"
#include "support/model.h"

using namespace muster::test;

namespace {

std::string space_without_prometheus(const std::string& name) {
  const std::string in_space = ", namespace: " + name;
  return "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: np" + in_space +
         "}\nspec: {podSelector: {}, policyTypes: [Ingress], ingress: [{from: [{podSelector: {matchLabels: {x: "
         "z}}}]}]}\n"
         "---\napiVersion: v1\nkind: Service\nmetadata: {name: s" +
         in_space +
         ", labels: {app: a}}\nspec: {selector: {app: a}, ports: [{port: 80, name: http}]}\n---\napiVersion: "
         "apps/v1\nkind: Deployment\nmetadata: {name: a" +
         in_space +
         "}\nspec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {containers: "
         "[{name: x, image: \"y:1\"}]}}}\n---\napiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: "
         "{name: m" +
         in_space + "}\nspec: {selector: {matchLabels: {app: a}}, endpoints: [{port: http}]}\n---\n";
}

}  // namespace

TEST_CASE("of more namespaces that shut Prometheus out than are looked at the first are named", "[many-spaces]") {
  std::string text;
  for (int i = 0; i < 201; ++i) text += space_without_prometheus("s" + std::to_string(i));
  const Checked checked = check_files({{"a.yaml", text}});
  CHECK(std::ranges::count(checked.report.findings, "network-policy-shuts-out-monitor",
                           [](const muster::Finding& one) { return std::string_view(one.rule); }) == 200);
}
