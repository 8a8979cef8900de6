#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/strings.h"
#include "slurm/number_ranges.h"
#include "slurm/records.h"

namespace muster {
namespace {

constexpr std::uint64_t kMaxCompared =
    4 * Hostlist::kMaxExpanded;    // names of all lists together that are looked up in a site
constexpr int kMaxSetDepth = 100;  // sets of nodes that name each other

/// The nodes of a site by name: whether they have GPUs.
class NodeIndex {
 public:
  explicit NodeIndex(const SlurmSite& site) {
    std::uint64_t room = Hostlist::kMaxExpanded;
    for (const SlurmNodes& nodes : site.nodes) {
      const bool gpus = nodes.gpus_each > 0;
      without_gpus_ = without_gpus_ && !gpus;
      if (!nodes.hosts || nodes.hosts->size() > room) continue;
      room -= nodes.hosts->size();
      nodes.hosts->each([&](std::string name) { gpus_[std::move(name)] |= gpus; });
    }
  }

  bool without_gpus() const { return without_gpus_; }

  struct Answer {
    bool gpus = false;  ///< some have them
    bool all_defined = true;
  };
  Answer look_up(const Hostlist& list) const {
    Answer answer{false, list.functions().empty()};
    list.each([&](const std::string& name) {
      const auto found = gpus_.find(name);
      answer.all_defined = answer.all_defined && found != gpus_.end();
      answer.gpus = answer.gpus || (found != gpus_.end() && found->second);
    });
    return answer;
  }

 private:
  std::unordered_map<std::string, bool> gpus_;
  bool without_gpus_ = true;
};

constexpr std::size_t kMaxNamed = 3;  // names that a message shows

void name_gres(SlurmSite& site) {
  std::set<std::string> names;
  for (const SlurmNodes& nodes : site.nodes) {
    for (const Gres& gres : nodes.gres_items) names.insert(gres.name);
  }
  site.gres_names.assign(names.begin(), names.end());
}

void relate_nodes(SlurmSite& site) {
  std::unordered_map<std::string, std::size_t> first;
  std::uint64_t room = Hostlist::kMaxExpanded;
  for (std::size_t i = 0; i < site.nodes.size(); ++i) {
    SlurmNodes& nodes = site.nodes[i];
    if (!nodes.hosts || nodes.hosts->size() > room) continue;
    room -= nodes.hosts->size();
    std::vector<std::string> shared;
    nodes.hosts->each([&](std::string name) {
      const auto [found, fresh] = first.try_emplace(std::move(name), i);
      if (fresh) return;
      if (!nodes.duplicate_of) nodes.duplicate_of = found->second;
      if (shared.size() <= kMaxNamed) shared.push_back(found->first);
    });
    if (shared.empty()) continue;
    const bool more = shared.size() > kMaxNamed;
    if (more) shared.resize(kMaxNamed);
    nodes.duplicates = set_to(join(shared, ", ") + (more ? ", ..." : ""), nodes.names.where, "NodeName");
  }
  for (SlurmNodeSet& set : site.node_sets) set.overlaps = first.contains(set.name.value);
}

/// What the names of partitions may be.
class Names {
 public:
  explicit Names(const SlurmSite& site) {
    std::uint64_t room = Hostlist::kMaxExpanded;
    for (const SlurmNodes& nodes : site.nodes) {
      if (!nodes.hosts || nodes.hosts->size() > room) {
        known_ = false;
        continue;
      }
      room -= nodes.hosts->size();
      nodes.hosts->each([&](std::string name) { nodes_.insert(std::move(name)); });
    }
    known_ = known_ && site.complete && !site.fragment;
  }

  bool known() const { return known_; }
  bool has(const std::string& name) const { return nodes_.contains(name); }

 private:
  std::unordered_set<std::string> nodes_;
  bool known_ = true;
};

/// Looks for the names of lists that are neither nodes nor node sets, through all lists of a site and with one budget.
class UnknownNames {
 public:
  UnknownNames(SlurmSite& site, const Names& names) : site_(site), names_(names) {
    for (std::size_t i = 0; i < site.node_sets.size(); ++i) set_of_.emplace(site.node_sets[i].name.value, i);
  }

  /// Those of a partition's list and of the sets it names; false when there are too many names to look at.
  bool find(const std::string& text, SlurmPartition& out, std::vector<std::string>& unknown) {
    if (all_nodes_.contains(text)) return true;
    const Result<Hostlist> list = Hostlist::parse(replace_all(text, " ", ","));
    if (!list) return true;
    if (list->size() > budget_) return false;
    budget_ -= list->size();
    out.node_functions.insert(out.node_functions.end(), list->functions().begin(), list->functions().end());
    bool all_nodes = list->functions().empty();
    bool enough = true;
    list->each([&](std::string name) {
      if (names_.has(name)) return;
      all_nodes = false;
      const auto set = set_of_.find(name);
      if (set == set_of_.end()) return unknown.push_back(std::move(name));
      enough = find_in_set(site_.node_sets[set->second], out, unknown) && enough;
    });
    if (all_nodes) all_nodes_.insert(text);
    return enough;
  }

 private:
  bool find_in_set(SlurmNodeSet& set, SlurmPartition& out, std::vector<std::string>& unknown) {
    const bool first_use = !std::exchange(set.used, true);
    if (!first_use || !set.nodes.is_set() || equals_ignoring_case(set.nodes.value, "all")) return true;
    if (depth_ == kMaxSetDepth) return false;
    ++depth_;
    const bool enough = find(set.nodes.value, out, unknown);
    --depth_;
    return enough;
  }

  SlurmSite& site_;
  const Names& names_;
  std::unordered_map<std::string, std::size_t> set_of_;
  std::unordered_set<std::string> all_nodes_;  ///< lists of nodes alone: most partitions name the same ones
  std::uint64_t budget_ = kMaxCompared;
  int depth_ = 0;
};

/// Hosts that are said to run slurmctld, `ctl` or `ctl(10.0.0.1)`: one that is no node is never powered down.
std::set<std::string_view> controllers_of(const SlurmSite& site) {
  std::set<std::string_view> out;
  for (const SlurmSetting& setting : site.settings) {
    const std::string_view value = setting.value.value;
    if (setting.lower_key == "slurmctldhost" || setting.lower_key == "controlmachine" ||
        setting.lower_key == "backupcontroller")
      out.insert(value.substr(0, value.find('(')));
  }
  return out;
}

/// SuspendExcNodes, where `n[1-8]:2` keeps any two. Source: SchedMD/slurm:src/slurmctld/power_save.c, _parse_exc_nodes
/// (24.11).
void relate_exclusions(SlurmSite& site, const Names& names) {
  const SlurmSetting* setting = site.setting("suspendexcnodes");
  if (setting == nullptr || !setting->value.is_set() || !names.known() || site.is_template) return;
  std::string text;
  bool in_count = false;
  for (const char c : setting->value.value) {
    in_count = c == ':' || (in_count && c != ',');
    if (!in_count) text += c;
  }
  const Result<Hostlist> list = Hostlist::parse(text);
  if (!list || !list->functions().empty() || list->size() > kMaxCompared) return;
  const std::set<std::string_view> hosts = controllers_of(site);
  std::vector<std::string> unknown;
  std::vector<std::string> controllers;  // no nodes: harmless but for old releases
  bool keeps = false;                    // it is about something that could be powered down
  list->each([&](std::string name) {
    const bool known = names.has(name);
    const bool controls = !known && hosts.contains(name);
    keeps = keeps || !controls;
    std::vector<std::string>& named = controls ? controllers : unknown;
    if (!known && named.size() < kMaxNamed) named.push_back(std::move(name));
  });
  if (unknown.empty()) unknown = std::move(controllers);
  if (!unknown.empty() && keeps) site.not_excluded = set_to(join(unknown, ", "), setting->where, "SuspendExcNodes");
}

void relate_partitions(SlurmSite& site) {
  const Names names(site);
  relate_exclusions(site, names);
  UnknownNames lists(site, names);
  std::unordered_map<std::string, std::size_t> first;
  for (std::size_t i = 0; i < site.partitions.size(); ++i) {
    SlurmPartition& partition = site.partitions[i];
    const auto [found, fresh] = first.try_emplace(partition.name.value, i);
    if (!fresh && partition.name.is_set()) partition.duplicate_of = found->second;
    partition.unknown_count =
        unknown_until<std::int64_t>("the nodes of the whole slurm.conf", partition.nodes.where, "Nodes");
    if (!partition.nodes.known()) {
      if (partition.nodes.state == State::Absent)
        partition.unknown_count = defaulted_to<std::int64_t>(0, partition.where, "Nodes");
      continue;
    }
    std::vector<std::string> unknown;
    const bool enough =
        equals_ignoring_case(partition.nodes.value, "all") || lists.find(partition.nodes.value, partition, unknown);
    if (!enough || (!names.known() && !unknown.empty())) continue;
    partition.unknown_count = set_to(static_cast<std::int64_t>(unknown.size()), partition.nodes.where, "Nodes");
    unknown.resize(std::min(unknown.size(), kMaxNamed));
    partition.unknown_nodes = std::move(unknown);
  }
  std::uint64_t budget = kMaxCompared;
  for (SlurmDownNodes& down : site.down_nodes) {
    const Result<Hostlist> list =
        down.names.is_set() ? Hostlist::parse(down.names.value) : Result<Hostlist>(Hostlist{});
    if (!names.known() || !list || list->size() > budget) continue;
    budget -= list->size();
    list->each([&](std::string name) {
      if (names.has(name)) return;
      ++down.unknown_count;
      if (down.unknown_nodes.size() < kMaxNamed) down.unknown_nodes.push_back(std::move(name));
    });
  }
}

void fill_partition_gpus(SlurmSite& site) {
  const NodeIndex index(site);
  std::uint64_t budget = kMaxCompared;
  std::unordered_map<std::string, NodeIndex::Answer> answers;
  for (SlurmPartition& partition : site.partitions) {
    const Span where = partition.name.where;
    if (index.without_gpus() && site.nodes_known) {
      partition.has_gpus = set_to(false, where);
      continue;
    }
    partition.has_gpus = unknown_until<bool>("the nodes of partition `" + partition.name.value + "`", where);
    if (!partition.nodes.is_set()) continue;
    if (equals_ignoring_case(partition.nodes.value, "all")) {
      if (!index.without_gpus() || site.nodes_known) partition.has_gpus = set_to(!index.without_gpus(), where);
      continue;
    }
    auto answer = answers.find(partition.nodes.value);
    if (answer == answers.end()) {
      const Result<Hostlist> list = Hostlist::parse(partition.nodes.value);
      if (!list || list->size() > budget) continue;
      budget -= list->size();
      answer = answers.emplace(partition.nodes.value, index.look_up(*list)).first;
    }
    // A NodeSet or a node defined elsewhere may still have them; only names that are all known settle it.
    if (answer->second.gpus) partition.has_gpus = set_to(true, where);
    if (!answer->second.gpus && answer->second.all_defined && site.nodes_known)
      partition.has_gpus = set_to(false, where);
  }
}

/// Whether the cores are a part of some socket. Slurm numbers cores socket by socket.
bool tears_sockets(const NumberRanges& cores, std::int64_t cores_per_socket) {
  return std::ranges::any_of(cores, [&](const auto& range) {
    return range.first % cores_per_socket != 0 || (range.second + 1) % cores_per_socket != 0;
  });
}

/// The first NodeName line of each kind that relate_cores tells apart.
std::vector<std::size_t> unlike_nodes(const SlurmSite& site) {
  std::set<std::tuple<std::string_view, std::int64_t, bool, std::int64_t>> seen;
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < site.nodes.size(); ++i) {
    const SlurmNodes& nodes = site.nodes[i];
    if (nodes.cores_each == 0) continue;
    if (seen.insert({nodes.gres.value, nodes.cores_each, nodes.cpus.known, nodes.cpus.cores_per_socket}).second)
      out.push_back(i);
  }
  return out;
}

/// The nodes of each line of gres.conf that says which cores are near its devices.
void relate_cores(SlurmSite& site) {
  const bool any = std::ranges::any_of(site.gres_lines, [](const GresLine& line) { return line.highest_core >= 0; });
  if (!any) return;
  std::unordered_map<std::string, std::size_t> line_of;
  std::uint64_t room = Hostlist::kMaxExpanded;
  for (std::size_t i = 0; i < site.nodes.size(); ++i) {
    const SlurmNodes& nodes = site.nodes[i];
    if (nodes.cores_each == 0 || !nodes.hosts || nodes.hosts->size() > room) continue;
    room -= nodes.hosts->size();
    nodes.hosts->each([&](std::string name) { line_of.emplace(std::move(name), i); });
  }
  const std::vector<std::size_t> unlike = unlike_nodes(site);
  std::uint64_t budget = kMaxCompared;
  const auto affords = [&](std::uint64_t names) { return names <= budget && (budget -= names, true); };
  for (GresLine& line : site.gres_lines) {
    if (line.highest_core < 0 || !line.name.is_set()) continue;
    const NumberRanges cores = merged(number_ranges(line.cores.value));
    std::map<std::int64_t, bool> torn;  // by cores of a socket
    std::set<std::size_t> seen;
    const auto consider = [&](std::size_t i) {
      const SlurmNodes& nodes = site.nodes[i];
      const bool has =
          std::ranges::any_of(nodes.gres_items, [&](const Gres& gres) { return gres.name == line.name.value; });
      if (!has || !seen.insert(i).second) return;
      if (!line.smallest_nodes || nodes.cores_each < site.nodes[*line.smallest_nodes].cores_each)
        line.smallest_nodes = i;
      if (line.torn_nodes || line.highest_core >= nodes.cores_each || !nodes.cpus.known) return;
      const auto [at, fresh] = torn.try_emplace(nodes.cpus.cores_per_socket);
      if (fresh) at->second = tears_sockets(cores, at->first);
      if (at->second) line.torn_nodes = i;
    };
    if (line.hosts && affords(line.hosts->size())) {
      line.hosts->each([&](const std::string& name) {
        if (const auto found = line_of.find(name); found != line_of.end()) consider(found->second);
      });
    } else if (line.nodes.state == State::Absent && affords(unlike.size())) {
      for (const std::size_t i : unlike) consider(i);
    }
  }
}

}  // namespace

void relate_records(SlurmSite& site) {
  name_gres(site);
  relate_nodes(site);
  relate_partitions(site);
  fill_partition_gpus(site);
  relate_cores(site);
}

}  // namespace muster
