#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/strings.h"
#include "slurm/records.h"

namespace muster {
namespace {

constexpr std::uint64_t kMaxCompared = 4 * Hostlist::kMaxExpanded;  // names of partitions that are looked up in a site

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
    bool gpus = false;         ///< some have them
    bool all_defined = true;
  };
  Answer look_up(const Hostlist& list) const {
    Answer answer;
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

/// The names of a list that are neither nodes nor node sets; those of the sets it names are looked at, too.
void find_unknown(SlurmSite& site, const Names& names, const std::string& text, SlurmPartition& out, std::vector<std::string>& unknown) {
  const Result<Hostlist> list = Hostlist::parse(replace_all(text, " ", ","));
  if (!list || list->size() > kMaxCompared) return;
  out.node_functions.insert(out.node_functions.end(), list->functions().begin(), list->functions().end());
  list->each([&](std::string name) {
    if (names.has(name)) return;
    for (SlurmNodeSet& set : site.node_sets) {
      if (set.name.value != name) continue;
      const bool first_use = !std::exchange(set.used, true);
      if (first_use && set.nodes.is_set() && !equals_ignoring_case(set.nodes.value, "all")) find_unknown(site, names, set.nodes.value, out, unknown);
      return;
    }
    unknown.push_back(std::move(name));
  });
}

void relate_partitions(SlurmSite& site) {
  const Names names(site);
  std::unordered_map<std::string, std::size_t> first;
  for (std::size_t i = 0; i < site.partitions.size(); ++i) {
    SlurmPartition& partition = site.partitions[i];
    const auto [found, fresh] = first.try_emplace(partition.name.value, i);
    if (!fresh && partition.name.is_set()) partition.duplicate_of = found->second;
    partition.unknown_count = unknown_until<std::int64_t>("the nodes of the whole slurm.conf", partition.nodes.where, "Nodes");
    if (!partition.nodes.known()) {
      if (partition.nodes.state == State::Absent) partition.unknown_count = defaulted_to<std::int64_t>(0, partition.where, "Nodes");
      continue;
    }
    std::vector<std::string> unknown;
    if (!equals_ignoring_case(partition.nodes.value, "all")) find_unknown(site, names, partition.nodes.value, partition, unknown);
    if (!names.known() && !unknown.empty()) continue;
    partition.unknown_count = set_to(static_cast<std::int64_t>(unknown.size()), partition.nodes.where, "Nodes");
    unknown.resize(std::min(unknown.size(), kMaxNamed));
    partition.unknown_nodes = std::move(unknown);
  }
  for (SlurmDownNodes& down : site.down_nodes) {
    const Result<Hostlist> list = down.names.is_set() ? Hostlist::parse(down.names.value) : Result<Hostlist>(Hostlist{});
    if (!names.known() || !list || list->size() > kMaxCompared) continue;
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
    const Result<Hostlist> list = Hostlist::parse(partition.nodes.value);
    if (!list || list->size() > budget) continue;
    budget -= list->size();
    // A NodeSet or a node defined elsewhere may still have them; only names that are all known settle it.
    const auto [gpus, all_defined] = index.look_up(*list);
    if (gpus) partition.has_gpus = set_to(true, where);
    if (!gpus && all_defined && site.nodes_known && list->functions().empty()) partition.has_gpus = set_to(false, where);
  }
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
  for (GresLine& line : site.gres_lines) {
    if (line.highest_core < 0 || !line.name.is_set()) continue;
    const auto consider = [&](std::size_t i) {
      const bool has = std::ranges::any_of(site.nodes[i].gres_items, [&](const Gres& gres) { return gres.name == line.name.value; });
      const bool smaller = has && (!line.smallest_nodes || site.nodes[i].cores_each < site.nodes[*line.smallest_nodes].cores_each);
      if (smaller) line.smallest_nodes = i;
    };
    if (line.hosts && line.hosts->size() <= Hostlist::kMaxExpanded) {
      line.hosts->each([&](const std::string& name) {
        if (const auto found = line_of.find(name); found != line_of.end()) consider(found->second);
      });
    } else if (line.nodes.state == State::Absent) {
      for (std::size_t i = 0; i < site.nodes.size(); ++i) {
        if (site.nodes[i].cores_each > 0) consider(i);
      }
    }
  }
}

}  // namespace

void relate_records(SlurmSite& site) {
  relate_nodes(site);
  relate_partitions(site);
  fill_partition_gpus(site);
  relate_cores(site);
}

}  // namespace muster
