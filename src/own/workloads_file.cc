#include <map>

#include "base/strings.h"
#include "input/kind.h"
#include "own/own_file.h"
#include "syntax/read_value.h"

namespace muster::workloads_file {
bool recognises(const Artifact& artifact) { return artifact.object["muster"].text().starts_with("workloads/"); }

/// muster: workloads/v1. A missing fact is unknown, never false.
void normalise(const Artifact& artifact, const NormaliseContext& context) {
  const Node root = artifact.object;
  constexpr std::string_view kOthers[] = {"name", "tenant"};
  constexpr std::string_view kTop[] = {"muster", "workloads"};
  report_unknown_keys(root, kTop, "a workloads file", context.findings);
  if (root["muster"].text() != "workloads/v1") {
    context.findings.push_back(
        problem("own-file-value", root["muster"].where(), "expected `workloads/v1`, got " + describe(root["muster"])));
  }
  const Node list = root["workloads"];
  if (!list.is_sequence()) {
    context.findings.push_back(
        problem("own-file-value", list.key_where(), "`workloads`: expected a list, got " + describe(list)));
    return;
  }
  std::map<std::string, Span> names;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Node node = list.item(i);
    if (!node["name"].is_scalar()) {
      context.findings.push_back(problem("own-file-value", node.where(), "a workload needs a `name`"));
      continue;
    }
    report_unknown_fact_keys(node, workload_facts(), kOthers, "a workload", context.findings);
    Workload workload;
    static_cast<Object&>(workload) = own_object("workload", node["name"], context);
    const auto [first, is_new] = names.emplace(workload.name.value, workload.where);
    if (!is_new) {
      context.findings.push_back(
          problem("own-file-value", workload.where, "there are two workloads called `" + workload.name.value + "`"));
      context.findings.back().related.push_back({first->second, "the first one"});
      continue;
    }
    workload.tenant = read_text(node["tenant"], "tenant", context.findings);
    workload.facts = read_facts(node, workload_facts(), context.findings);
    context.model.workloads.push_back(std::move(workload));
  }
}

}  // namespace muster::workloads_file
