#include "inventory/missing_nodes.h"

#include <algorithm>
#include <map>

#include "base/natural_order.h"
#include "inventory/merge_nodes.h"

namespace muster {
namespace {

/// One finding for all nodes of a dump that another does not have.
void report_missing(std::vector<std::pair<std::string, Span>> missing, const Dump& judge, const std::string& lacks,
                    std::vector<Finding>& findings) {
  if (missing.empty()) return;
  std::ranges::sort(missing, [](const auto& a, const auto& b) { return naturally_before(a.first, b.first); });
  std::vector<std::string> names;
  for (const auto& [name, where] : missing) names.push_back(name);
  std::string shown = show_nodes(names);
  const bool one = names.size() == 1;
  Finding finding = problem("inventory-node-missing", missing.front().second,
                            shown + (one ? " stands" : " stand") + " here and " + lacks);
  finding.related.push_back({judge.where, std::string(judge.format) + ", which has all nodes"});
  finding.object = std::move(shown);
  findings.push_back(std::move(finding));
}

}  // namespace

NodeClaims::NodeClaims(const std::vector<Dump>& dumps) : dumps_(dumps), names_(dumps.size()) {
  for (std::size_t d = 0; d < dumps.size(); ++d) {
    for (const NodeRecord& record : dumps[d].nodes) {
      for (const std::string& name : record.names) {
        names_[d].nodes.emplace(name, record.where);
        if (record.may_be_hidden) hidden_.insert(name);
      }
    }
    for (const TopologyRecord& topology : dumps[d].topologies) {
      for (const DomainRecord& domain : topology.domains) {
        for (const std::string& name : domain.nodes) {
          names_[d].others.emplace(name, domain.where);
          if (topology.places_all) names_[d].placed.emplace(name, domain.where);
        }
      }
    }
    for (const NodeGroup& group : dumps[d].groups) {
      for (const std::string& name : group.nodes) names_[d].others.emplace(name, dumps[d].where);
    }
  }
}

bool NodeClaims::judges(std::size_t judge, std::size_t dump) const {
  const Scope scope = dumps_[dump].scope;
  const std::string& cluster = dumps_[dump].cluster;
  if (!cluster.empty() && !dumps_[judge].cluster.empty() && cluster != dumps_[judge].cluster) return false;
  return dumps_[judge].lists_all_nodes && dumps_[judge].scope != Scope::Fabric &&
         (dumps_[judge].scope == scope || scope == Scope::Fabric || scope == Scope::Any);
}

std::optional<std::size_t> NodeClaims::first_judge(std::size_t dump) const {
  for (std::size_t judge = 0; judge < dumps_.size(); ++judge) {
    if (judges(judge, dump)) return judge;
  }
  return std::nullopt;
}

bool NodeClaims::is_node(const std::string& name, std::size_t dump) const {
  if (hidden_.contains(name)) return true;
  bool judged = false;
  for (std::size_t judge = 0; judge < dumps_.size(); ++judge) {
    if (!judges(judge, dump)) continue;
    judged = true;
    if (names_[judge].nodes.contains(name)) return true;
  }
  return !judged;
}

void NodeClaims::each_other_name(std::size_t dump,
                                 const std::function<void(const std::string&, const Span&)>& visit) const {
  for (const auto& [name, where] : names_[dump].others) visit(name, where);
}

/// Names of a dump that no dump of all nodes has. Of a fabric these may be storage and gateways, or nodes that were
/// forgotten.
void NodeClaims::report_strangers(std::size_t dump, std::vector<Finding>& findings) const {
  const std::optional<std::size_t> judge = first_judge(dump);
  if (!judge) return;
  std::map<std::string, Span> missing;
  for (const auto* names : {&names_[dump].nodes, &names_[dump].others}) {
    for (const auto& [name, where] : *names) {
      if (!is_node(name, dump)) missing.try_emplace(name, where);
    }
  }
  const bool fabric = dumps_[dump].scope == Scope::Fabric || dumps_[dump].scope == Scope::Any;
  report_missing({missing.begin(), missing.end()}, dumps_[*judge],
                 fabric ? "no scheduler lists them" : "not among all nodes as the other dump lists them", findings);
}

/// Nodes of one dump of all nodes that another such dump does not have.
void NodeClaims::compare(std::size_t dump, std::size_t judge, std::vector<Finding>& findings) const {
  std::vector<std::pair<std::string, Span>> missing;
  for (const auto& [name, where] : names_[dump].nodes) {
    if (!names_[judge].nodes.contains(name) && !hidden_.contains(name)) missing.emplace_back(name, where);
  }
  report_missing(std::move(missing), dumps_[judge], "not among all nodes as the other dump lists them", findings);
}

/// Nodes that a topology for all nodes does not place.
void NodeClaims::compare_placed(std::size_t dump, std::vector<Finding>& findings) const {
  if (names_[dump].placed.empty()) return;
  std::map<std::string, Span> missing;
  for (std::size_t judge = 0; judge < dumps_.size(); ++judge) {
    if (!judges(judge, dump) || dumps_[judge].scope != dumps_[dump].scope) continue;
    for (const auto& [name, where] : names_[judge].nodes) {
      if (!names_[dump].placed.contains(name)) missing.try_emplace(name, where);
    }
  }
  if (missing.empty()) return;
  report_missing({missing.begin(), missing.end()}, dumps_[dump], "no switch of the topology has them", findings);
  findings.back().related.back().message = "a topology that is for all nodes";
}

void NodeClaims::report(std::vector<Finding>& findings) const {
  for (std::size_t dump = 0; dump < dumps_.size(); ++dump) {
    report_strangers(dump, findings);
    compare_placed(dump, findings);
    // Each against the first, and the first against each: what two others differ in shows there, too.
    const std::optional<std::size_t> first = dumps_[dump].lists_all_nodes ? first_judge(dump) : std::nullopt;
    if (!first || *first == dump) continue;
    compare(dump, *first, findings);
    compare(*first, dump, findings);
  }
}

}  // namespace muster
