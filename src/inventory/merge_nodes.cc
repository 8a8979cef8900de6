#include "inventory/merge_nodes.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "base/hostlist.h"
#include "base/natural_order.h"
#include "base/strings.h"
#include "inventory/missing_nodes.h"
#include "model/fact.h"

namespace muster {
namespace {

/// Letters and digits in lower case: NVIDIA-H100-80GB-HBM3 and nvidia_h100_80gb_hbm3 are one model.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : to_lower(text)) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) out += c;
  }
  return out;
}

/// What two dumps have to agree about, and the rule if they do not. Empty: they may differ.
std::string_view rule_about(std::size_t fact, const Dump& a, const Dump& b) {
  const std::string_view name = pool_facts()[fact].name;
  if (name == "gpus_per_node" || name == "accelerator.model" || name == "accelerator.memory_gib")
    return "inventory-conflict-gpus";
  // A scheduler may be told of fewer CPUs and less memory than there are; one scheduler should not be told two things.
  if (name.starts_with("node.") && a.scope == b.scope) return "inventory-conflict-hardware";
  return {};
}

bool agree(std::size_t fact, const std::string& a, const std::string& b) {
  if (a == b) return true;
  const std::string_view name = pool_facts()[fact].name;
  if (name == "accelerator.model") {
    // A Gres type is a piece of the GPU's name. Source: slurm.schedmd.com/gres.conf.html, Type.
    const std::string x = plain(a);
    const std::string y = plain(b);
    return contains(x, y) || contains(y, x);
  }
  if (name == "accelerator.memory_gib")
    return std::abs(parse_int(a).value_or(0) - parse_int(b).value_or(0)) <= 1;  // rounded in two ways
  return false;
}

std::string words_for(std::size_t fact, const std::string& value) {
  const std::string_view name = pool_facts()[fact].name;
  if (name == "gpus_per_node") return value == "1" ? "1 GPU" : value + " GPUs";
  if (name == "accelerator.model") return "GPUs of model `" + value + "`";
  if (name == "accelerator.memory_gib") return value + " GiB in each GPU";
  if (name == "node.memory_mib") return value + " MiB of memory";
  if (name == "node.cpus") return value + " CPUs";
  return value + (name == "node.sockets" ? " sockets" : " cores in each socket");
}

/// A record and the dump it stands in.
struct Source {
  const NodeRecord* record;
  std::size_t dump;
};

class NodeMerger {
 public:
  NodeMerger(const std::vector<Dump>& dumps, std::vector<Finding>& findings) : dumps_(dumps), findings_(findings) {}

  std::vector<MergedNode> run() {
    const NodeClaims claims(dumps_);
    for (const std::size_t d : by_rank()) {
      for (const NodeRecord& record : dumps_[d].nodes) {
        for (const std::string& name : record.names) {
          if (!claims.is_node(name, d)) continue;
          sources_[node(name, d, record.where)].push_back({&record, d});
        }
      }
      claims.each_other_name(d, [&](const std::string& name, const Span& where) {
        if (claims.is_node(name, d)) node(name, d, where);
      });
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) settle(i);
    report_conflicts();
    claims.report(findings_);
    std::ranges::sort(nodes_,
                      [](const MergedNode& a, const MergedNode& b) { return naturally_before(a.name, b.name); });
    return std::move(nodes_);
  }

 private:
  std::vector<std::size_t> by_rank() const {
    std::vector<std::size_t> order(dumps_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return dumps_[i].rank; });
    return order;
  }

  std::size_t node(const std::string& name, std::size_t dump, const Span& where) {
    const auto [found, fresh] = index_.try_emplace(name, nodes_.size());
    if (fresh) {
      MergedNode merged;
      merged.name = name;
      merged.facts.resize(pool_facts().size());
      merged.where = where;
      merged.dump = dump;
      if (!dumps_[dump].plane.empty())
        merged.facts[row_of("control_plane")] = Believed{dumps_[dump].plane, where, dump};
      nodes_.push_back(std::move(merged));
      sources_.emplace_back();
    }
    return found->second;
  }

  /// Of each fact the first that is said with certainty; else the first that is said at all.
  void settle(std::size_t i) {
    MergedNode& merged = nodes_[i];
    const std::size_t plane = row_of("control_plane");
    std::vector<bool> weak(merged.facts.size(), false);
    for (const Source& source : sources_[i]) {
      for (const Statement& said : source.record->says) {
        std::optional<Believed>& believed = merged.facts[said.fact];
        if (!believed || (weak[said.fact] && !said.weak)) {
          believed = Believed{said.value, said.where, source.dump};
          weak[said.fact] = said.weak;
        } else if (said.fact == plane) {
          merged.two_planes = merged.two_planes || (believed->value == "slurm") != (said.value == "slurm");
        } else if (!said.weak && !agree(said.fact, believed->value, said.value)) {
          note_conflict(merged, said, *believed, source.dump);
        }
      }
      for (const OpenFact& open : source.record->open) merged.open.push_back(&open);
    }
  }

  using Key = std::tuple<std::size_t, std::size_t, std::size_t, std::string, std::string>;
  struct Conflict {
    std::string_view rule;
    Span where;
    Span believed;
    std::vector<std::string> nodes;
  };

  void note_conflict(const MergedNode& merged, const Statement& said, const Believed& believed, std::size_t dump) {
    const std::string_view rule = rule_about(said.fact, dumps_[dump], dumps_[believed.dump]);
    if (rule.empty()) return;
    const auto [found, fresh] = conflicts_.try_emplace(Key{dump, believed.dump, said.fact, said.value, believed.value});
    if (fresh) found->second = {rule, said.where, believed.where, {}};
    found->second.nodes.push_back(merged.name);
  }

  void report_conflicts() {
    for (auto& [key, conflict] : conflicts_) {
      const auto& [dump, believed_dump, fact, value, believed] = key;
      const bool one = conflict.nodes.size() == 1;
      std::string nodes = show_nodes(conflict.nodes);
      Finding finding = problem(conflict.rule, conflict.where,
                                nodes + (one ? " has " : " have ") + words_for(fact, value) + " here and " +
                                    words_for(fact, believed) + " there");
      finding.related.push_back({conflict.believed, words_for(fact, believed) + "; the fleet file has this"});
      finding.object = std::move(nodes);
      finding.field = pool_facts()[fact].name;
      findings_.push_back(std::move(finding));
    }
  }

  const std::vector<Dump>& dumps_;
  std::vector<Finding>& findings_;
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<MergedNode> nodes_;
  std::vector<std::vector<Source>> sources_;  ///< by node
  std::map<Key, Conflict> conflicts_;
};

}  // namespace

std::vector<MergedNode> merge_nodes(const std::vector<Dump>& dumps, std::vector<Finding>& findings) {
  return NodeMerger(dumps, findings).run();
}

std::string show_nodes(std::vector<std::string> names) {
  constexpr std::size_t kListed = 60;
  std::ranges::sort(names, naturally_before);
  const std::string list = compress_hostlist(names);
  if (names.size() == 1) return "`" + list + "`";
  if (list.size() <= kListed) return "`" + list + "` (" + count_of(names.size(), "node") + ")";
  return "`" + names.front() + "` and " + count_of(names.size() - 1, "more node");
}

std::string show_names(const std::vector<std::string>& names) {
  constexpr std::size_t kListed = 8;
  std::vector<std::string> first(names.begin(),
                                 names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kListed)));
  return join(first, ", ") + (names.size() > kListed ? " and " + std::to_string(names.size() - kListed) + " more" : "");
}

}  // namespace muster
