#include <algorithm>
#include <map>

#include "base/strings.h"
#include "kinds/kind.h"
#include "kinds/own_file.h"
#include "syntax/read_value.h"

namespace muster::workloads_file {
namespace {

/// `serving.min_replicas` -> workload["serving"]["min_replicas"].
Node find_dotted(const Node& workload, std::string_view name) {
  const std::size_t dot = name.find('.');
  return dot == name.npos ? workload[name] : workload[name.substr(0, dot)][name.substr(dot + 1)];
}

Located<FactValue> convert(auto read) {
  Located<FactValue> out;
  static_cast<Origin&>(out) = read;
  if (read.known()) out.value = std::move(read.value);
  return out;
}

Located<FactValue> read_fact(const Node& node, const WorkloadFact& fact, std::vector<Finding>& findings) {
  const auto too_small = [&] {
    findings.push_back(problem("own-file-value", node.where(), "`" + std::string(fact.name) + "` must be at least " + std::to_string(fact.minimum)));
    return unknown_until<FactValue>("a value for `" + std::string(fact.name) + "`", node.where(), fact.name);
  };
  switch (fact.type) {
    case FactType::Bool: return convert(read_bool(node, fact.name, findings));
    case FactType::String: return convert(read_text(node, fact.name, findings));
    case FactType::Int: {
      const Located<std::int64_t> value = read_int(node, fact.name, findings);
      return value.is_set() && value.value < fact.minimum ? too_small() : convert(value);
    }
    case FactType::Double: {
      const Located<double> value = read_double(node, fact.name, findings);
      return value.is_set() && value.value < static_cast<double>(fact.minimum) ? too_small() : convert(value);
    }
  }
  return {};
}

/// The keys a workload may have at its top, and those below each of them that nests.
void report_keys(const Node& workload, std::vector<Finding>& findings) {
  std::vector<std::string_view> top{"name", "tenant"};
  std::vector<std::pair<std::string_view, std::vector<std::string_view>>> nested;
  for (const WorkloadFact& fact : workload_facts()) {
    const std::size_t dot = fact.name.find('.');
    const std::string_view head = fact.name.substr(0, dot);
    if (std::ranges::find(top, head) == top.end()) top.push_back(head);
    if (dot == fact.name.npos) continue;
    if (nested.empty() || nested.back().first != head) nested.push_back({head, {}});
    nested.back().second.push_back(fact.name.substr(dot + 1));
  }
  report_unknown_keys(workload, top, "a workload", findings);
  for (const auto& [head, keys] : nested) report_unknown_keys(workload[head], keys, "`" + std::string(head) + "`", findings);
}

}  // namespace

bool recognises(const Artifact& artifact) { return artifact.object["muster"].text().starts_with("workloads/"); }

/// muster: workloads/v1. A missing fact is unknown, never false.
void normalise(const Artifact& artifact, const NormaliseContext& context) {
  const Node root = artifact.object;
  constexpr std::string_view kTop[] = {"muster", "workloads"};
  report_unknown_keys(root, kTop, "a workloads file", context.findings);
  if (root["muster"].text() != "workloads/v1") {
    context.findings.push_back(problem("own-file-value", root["muster"].where(), "expected `workloads/v1`, got " + describe(root["muster"])));
  }
  const Node list = root["workloads"];
  if (!list.is_sequence()) {
    context.findings.push_back(problem("own-file-value", list.key_where(), "`workloads`: expected a list, got " + describe(list)));
    return;
  }
  std::map<std::string, Span> names;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Node node = list.item(i);
    if (!node["name"].is_scalar()) {
      context.findings.push_back(problem("own-file-value", node.where(), "a workload needs a `name`"));
      continue;
    }
    report_keys(node, context.findings);
    Workload workload;
    static_cast<Object&>(workload) = own_object("workload", node["name"], context);
    const auto [first, is_new] = names.emplace(workload.name.value, workload.where);
    if (!is_new) {
      context.findings.push_back(problem("own-file-value", workload.where, "there are two workloads called `" + workload.name.value + "`"));
      context.findings.back().related.push_back({first->second, "the first one"});
      continue;
    }
    workload.tenant = read_text(node["tenant"], "tenant", context.findings);
    for (const WorkloadFact& fact : workload_facts()) {
      workload.facts.push_back(read_fact(find_dotted(node, fact.name), fact, context.findings));
    }
    context.model.workloads.push_back(std::move(workload));
  }
}

}  // namespace muster::workloads_file
