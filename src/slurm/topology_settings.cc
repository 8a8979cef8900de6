// What slurm.conf says of topologies: TopologyPlugin, TopologyParam, SelectType, Topology= of partitions and nodes.
#include <algorithm>
#include <set>
#include <unordered_map>

#include "base/strings.h"
#include "slurm/topology.h"

namespace muster {
namespace {

using What = TopologyMark::What;

constexpr std::string_view kYamlSince = "25.05";  // topology.yaml, and Topology= of partitions and nodes

class SettingsCheck {
 public:
  SettingsCheck(SlurmSite& site, bool made_elsewhere) : site_(site), made_elsewhere_(made_elsewhere) {
    for (std::size_t t = 0; t < site.topologies.size(); ++t) {
      const Topology& topology = site.topologies[t];
      has_yaml_ = has_yaml_ || topology.yaml;
      has_conf_ = has_conf_ || !topology.yaml;
    }
    for (std::size_t t = 0; t < site.topologies.size(); ++t) {
      if (site.topologies[t].yaml == has_yaml_) defined_.push_back(t);
    }
  }

  void run() {
    if (site_.fragment) return;
    check_plugin();
    check_params();
    check_select();
    for (const SlurmPartition& partition : site_.partitions) check_partition(partition);
    for (const SlurmNodes& nodes : site_.nodes) check_nodes(nodes);
    check_spans();
  }

 private:
  TopologyMark& mark(What what, Located<std::string> name, std::string detail = {}) {
    TopologyMark out;
    out.what = what;
    out.name = std::move(name);
    out.detail = std::move(detail);
    site_.topology_marks.push_back(std::move(out));
    return site_.topology_marks.back();
  }
  TopologyMark& unsettled(TopologyMark& mark, std::string needs) const {
    mark.settled = unknown_until<bool>(std::move(needs), mark.name.where);
    return mark;
  }
  const SlurmSetting* setting(std::string_view key) const {
    const SlurmSetting* found = site_.setting(key);
    return found != nullptr && found->value.is_set() ? found : nullptr;
  }

  void check_plugin() {
    const SlurmSetting* plugin = setting("topologyplugin");
    if (plugin == nullptr) return;
    const TopologyPlugin* known = find_topology_plugin(plugin->value.value);
    // Any spelling with `none` in it since 23.11, and the bare word `default` since 25.05, mean the flat plugin
    // (executed with slurmctld 24.11.5 and 26.05.5).
    const std::string_view taken_since = contains(to_lower(plugin->value.value), "none") ? "23.11"
                                         : plugin->value.value == "default"              ? "25.05"
                                                                                         : "";
    if (known == nullptr && !taken_since.empty()) {
      mark(What::Plugin, plugin->value, "it is taken for the flat plugin since " + std::string(taken_since)).until =
          taken_since;
      return;
    }
    if (known == nullptr) {
      std::vector<std::string_view> names;
      for (const TopologyPlugin& other : topology_plugins()) names.push_back(other.name);
      TopologyMark& unknown = mark(What::Plugin, plugin->value, "no release of Slurm since 22.05 has it");
      if (const std::optional<std::string_view> guess = nearest(plugin->value.value, names)) unknown.near_miss = *guess;
      if (has_yaml_) unknown.until = kYamlSince;
      return;
    }
    const auto [since, until] = known->releases;
    const std::string_view end = has_yaml_ ? kYamlSince : "";  // from there on the plugin is ignored
    if (!since.empty())
      mark(What::Plugin, plugin->value, "it exists since " + std::string(since)).until =
          has_yaml_ && since > kYamlSince ? kYamlSince : since;
    if (!until.empty() && (end.empty() || until < end)) {
      TopologyMark& gone = mark(What::Plugin, plugin->value, "it was removed in " + std::string(until));
      gone.since = until;
      gone.until = end;
    }
    if (known->kind == Topology::Kind::Torus && !has_yaml_)
      mark(What::Plugin, plugin->value, "a torus can only be described in topology.yaml").since = since;
    if (known->reads_conf && !has_conf_ && site_.complete) {
      TopologyMark& missing = mark(What::ConfMissing, plugin->value);
      missing.until = end;
      // The files that stand beside slurm.conf are here, and nothing speaks of another place.
      const bool all_here =
          (site_.has_cgroup_conf || site_.has_gres_conf) && !made_elsewhere_ && contains(site_.file, "slurm.conf");
      if (all_here)
        missing.settled = assumed_to(true, "topology.conf would stand beside the other files", missing.name.where);
      else
        unsettled(missing, "topology.conf beside slurm.conf");
    }
  }

  void check_params() {
    const SlurmSetting* params = setting("topologyparam");
    if (params == nullptr) return;
    for (const std::string_view word : split(params->value.value, ',')) {
      const std::string lower = to_lower(trim(word));
      if (lower.empty()) continue;
      const auto known = std::ranges::find_if(topology_params(), [&](const TopologyParam& param) {
        return param.lower.ends_with('=') ? lower.starts_with(param.lower) : lower == param.lower;
      });
      const Located<std::string> name = set_to(std::string(trim(word)), params->value.where);
      if (known == topology_params().end()) {
        std::vector<std::string_view> names;
        for (const TopologyParam& param : topology_params()) names.push_back(param.name);
        TopologyMark& unknown = mark(What::Param, name);
        if (const std::optional<std::string_view> guess = nearest(word, names)) unknown.near_miss = *guess;
      } else if (!known->releases.since.empty()) {
        mark(What::Param, name, "it is read since " + std::string(known->releases.since)).until = known->releases.since;
      }
    }
  }

  /// select/linear refuses trees since 24.05.
  void check_select() {
    const SlurmSetting* select = setting("selecttype");
    const SlurmSetting* plugin = setting("topologyplugin");
    if (select == nullptr || select->value.value != "select/linear") return;
    if (plugin != nullptr && plugin->value.value == "topology/tree") {
      TopologyMark& old = mark(What::SelectLinear, select->value);
      old.since = "24.05";
      if (has_yaml_) old.until = kYamlSince;
      old.other = plugin->value;
    }
    const Topology* fallback = default_topology();
    if (has_yaml_ && fallback != nullptr && fallback->kind == Topology::Kind::Tree)
      mark(What::SelectLinear, select->value).since = kYamlSince;
  }

  const Topology* default_topology() const {
    const Topology* first = nullptr;
    for (const std::size_t t : defined_) {
      if (first == nullptr || (site_.topologies[t].is_default && !first->is_default)) first = &site_.topologies[t];
    }
    return first;
  }

  /// The topology of a name; the one of a topology.conf is called default.
  const Topology* find(std::string_view name) const {
    for (const std::size_t t : defined_) {
      const Topology& topology = site_.topologies[t];
      if (topology.yaml ? topology.name.value == name : name == "default") return &topology;
    }
    return nullptr;
  }

  void name_missing(What what, const Located<std::string>& text, std::string_view name, std::string detail) {
    std::vector<std::string_view> names;
    for (const std::size_t t : defined_)
      names.push_back(site_.topologies[t].yaml ? std::string_view(site_.topologies[t].name.value) : "default");
    TopologyMark& missing = mark(what, text, std::move(detail));
    missing.since = kYamlSince;
    if (const std::optional<std::string_view> guess = nearest(name, names)) missing.near_miss = *guess;
    if (defined_.empty() && name != "default") unsettled(missing, "topology.yaml beside slurm.conf");
  }

  void check_partition(const SlurmPartition& partition) {
    if (!partition.topology.is_set()) return;
    mark(What::EarlyKey, partition.topology).until = kYamlSince;
    const std::string& name = partition.topology.value;
    if (find(name) == nullptr && !(defined_.empty() && name == "default"))
      name_missing(What::PartitionTopology, partition.topology, name, {});
  }

  void check_nodes(const SlurmNodes& nodes) {
    if (!nodes.topology.is_set()) return;
    mark(What::EarlyKey, nodes.topology).until = kYamlSince;
    for (const std::string_view item : split(nodes.topology.value, ',')) {
      const std::vector<std::string_view> parts = split(item, ':');
      const Topology* topology = find(parts.front());
      if (topology == nullptr) {
        if (!(defined_.empty() && parts.front() == "default"))
          name_missing(What::NodeTopology, nodes.topology, parts.front(),
                       "there is no topology `" + std::string(parts.front()) + "`");
      } else if (parts.size() > 1 && !parts[1].empty() && !has_unit(*topology, parts[1])) {
        const std::string what =
            topology->kind == Topology::Kind::Tree ? "switch" : std::string(name_of(topology->kind));
        TopologyMark& missing =
            mark(What::NodeTopology, nodes.topology,
                 "topology `" + std::string(parts.front()) + "` has no " + what + " `" + std::string(parts[1]) + "`");
        missing.since = kYamlSince;
        if (!topology->missing_include.empty())
          unsettled(missing, "`" + topology->missing_include + "`, which topology.conf includes");
      }
    }
  }

  static bool has_unit(const Topology& topology, std::string_view name) {
    const auto named = [&](const TopologyUnit& unit) { return unit.name.value == name; };
    if (topology.kind == Topology::Kind::Flat || topology.kind == Topology::Kind::Other) return true;
    return std::ranges::any_of(topology.switches, named) || std::ranges::any_of(topology.blocks, named);
  }

  void check_spans() {
    const SlurmSetting* params = setting("topologyparam");
    if (params != nullptr && contains_ignoring_case(params->value.value, "TopoOptional")) return;
    std::uint64_t budget = 4 * Hostlist::kMaxExpanded;
    for (const std::size_t t : defined_) {
      const Topology& topology = site_.topologies[t];
      if (topology.kind != Topology::Kind::Tree || topology.root_count < 2 ||
          topology.largest_root >= topology.placed_count)
        continue;
      const std::unordered_map<std::string, std::size_t> root_of = roots_of_nodes(topology);
      for (const SlurmPartition& partition : site_.partitions) {
        const bool uses =
            partition.topology.is_set() ? find(partition.topology.value) == &topology : default_topology() == &topology;
        if (uses) check_span(partition, t, root_of, budget);
      }
    }
  }

  static std::unordered_map<std::string, std::size_t> roots_of_nodes(const Topology& topology) {
    const std::vector<std::size_t> roots = roots_of_switches(topology);
    std::unordered_map<std::string, std::size_t> out;
    for (std::size_t i = 0; i < roots.size(); ++i) {
      const Switch& leaf = topology.switches[i];
      if (leaf.nodes && leaf.nodes->size() <= Hostlist::kMaxExpanded)
        leaf.nodes->each([&](const std::string& name) { out.emplace(name, roots[i]); });
    }
    return out;
  }

  void check_span(const SlurmPartition& partition, std::size_t t,
                  const std::unordered_map<std::string, std::size_t>& root_of, std::uint64_t& budget) {
    if (!partition.nodes.is_set()) return;
    std::unordered_map<std::size_t, std::int64_t> nodes_of_root;
    if (equals_ignoring_case(partition.nodes.value, "all")) {
      for (const auto& [name, root] : root_of) ++nodes_of_root[root];
    } else {
      const Result<Hostlist> list = Hostlist::parse(partition.nodes.value);
      if (!list || list->size() > budget) return;
      budget -= list->size();
      list->each([&](const std::string& name) {
        if (const auto found = root_of.find(name); found != root_of.end()) ++nodes_of_root[found->second];
      });
    }
    std::int64_t largest = 0;
    for (const auto& [root, count] : nodes_of_root) largest = std::max(largest, count);
    const std::optional<std::int64_t> limit = parse_int(partition.max_nodes.value);
    if (nodes_of_root.size() < 2 || (limit && *limit <= largest)) return;
    TopologyMark& span = mark(What::PartitionSpan, partition.name);
    span.count = static_cast<std::int64_t>(nodes_of_root.size());
    span.limit = largest;
    span.topology = t;
  }

  SlurmSite& site_;
  bool made_elsewhere_;  ///< a script or playbook speaks of a topology file
  bool has_yaml_ = false;
  bool has_conf_ = false;
  std::vector<std::size_t> defined_;  ///< the topologies in force: of topology.yaml where there is one
};

}  // namespace

void check_topology_settings(SlurmSite& site, bool made_elsewhere) { SettingsCheck(site, made_elsewhere).run(); }

}  // namespace muster
