// Which nodes batch jobs go to, as far as slurm.conf tells.
//
// Executed with slurmctld 22.05.8, 24.11.5 and 26.05.5 (idle cluster, nodes of State=CLOUD): the components of a
// heterogeneous job take different nodes, be these shared or not; they are tried in the order of the script, those of
// partitions with a higher PriorityTier first; each takes the first nodes of its partition and none is tried anywhere
// else when a later one finds too few.
#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "base/capped.h"
#include "base/hostlist.h"
#include "base/strings.h"
#include "model/model.h"
#include "model/node_table.h"
#include "model/site_ties.h"

namespace muster {
namespace {

using Nodes = NodeTable::Nodes;

constexpr std::size_t kMostComponents = 32;  // components of a job that is looked at; each is compared with each
constexpr std::size_t kMaxSubsets = 8;       // components whose subsets are all looked at

Nodes without(const Nodes& nodes, const Nodes& taken) {
  Nodes left;
  std::ranges::set_difference(nodes, taken, std::back_inserter(left));
  return left;
}

Nodes together(const Nodes& a, const Nodes& b) {
  Nodes both;
  std::ranges::set_union(a, b, std::back_inserter(both));
  return both;
}

/// One component with the nodes it may take.
struct Part {
  const SbatchComponent* asks = nullptr;
  std::vector<std::size_t> partitions;  ///< in SlurmSite::partitions; it runs in one of them
  Nodes nodes;                          ///< of all of them
  std::string names;                    ///< of the partitions
  std::int64_t tier = 1;
};

std::int64_t size_of(const Nodes& nodes) { return static_cast<std::int64_t>(nodes.size()); }

/// The order in which the backfill scheduler tries them.
std::vector<const Part*> tried_order(const std::vector<Part>& parts) {
  std::vector<const Part*> order;
  for (const Part& part : parts) order.push_back(&part);
  std::ranges::stable_sort(order, std::greater<>{}, [](const Part* part) { return part->tier; });
  return order;
}

/// Takes nodes for each component in turn. What becomes of it is known as long as what is free is one run of nodes, or
/// is taken whole.
struct Taking {
  bool known = true;
  const Part* starved = nullptr;
  std::int64_t left = 0;
};
Taking take_in_order(const std::vector<const Part*>& order) {
  Taking out;
  Nodes taken;
  for (const Part* part : order) {
    const Nodes free = without(part->nodes, taken);
    const std::int64_t needs = part->asks->min_nodes.value;
    if (size_of(free) < needs) {
      out.starved = part;
      out.left = size_of(free);
      return out;
    }
    const bool one_run = free.empty() || free.back() - free.front() + 1 == free.size();
    if (!one_run && size_of(free) != needs) {
      out.known = false;
      return out;
    }
    taken = together(taken, Nodes(free.begin(), free.begin() + needs));
  }
  return out;
}

class Placer {
 public:
  explicit Placer(Model& model) : model_(model), ties_(model) {
    for (std::size_t s = 0; s < model.slurm_sites.size(); ++s) {
      const SlurmSite& site = model.slurm_sites[s];
      for (std::size_t p = 0; p < site.partitions.size(); ++p) {
        const auto count = [&](Found& found) { found = {s, p, found.count + 1}; };
        count(named_[{site.bundle, site.partitions[p].name.value}]);
        if (is_default(site.partitions[p])) count(default_[site.bundle]);
      }
    }
  }

  void place(SbatchJob& job) {
    job.starved = Located<std::string>{};
    if (std::ranges::any_of(job.parts, &SbatchComponent::elsewhere)) return;
    if (job.parts.size() > kMostComponents) return wait_for_nodes(job);
    std::vector<Part> parts(job.parts.size());
    bool all_found = true;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      parts[i].asks = &job.parts[i];
      all_found = find_partitions(job, parts[i]) && all_found;
      if (i == 0 && parts[i].partitions.size() == 1) job.partition_index = parts[i].partitions.front();
    }
    const bool nodes_found = all_found && find_nodes(*job.site, parts);
    if (all_found && !nodes_found && parts.size() == 1) return bound_by_names(job, parts.front());
    if (!nodes_found) return wait_for_nodes(job);
    find_overfull(job, parts);
    if (parts.size() > 1 && !job.overfull) find_starved(job, parts);
  }

 private:
  /// The partitions a component names, else the default one; all of one site of its bundle.
  bool find_partitions(SbatchJob& job, Part& part) {
    if (part.asks->partition.unknown()) return false;
    const bool named = part.asks->partition.is_set();
    for (const std::string_view name :
         named ? split(part.asks->partition.value, ',') : std::vector<std::string_view>{""}) {
      const Found found = named ? named_[{job.bundle, std::string(name)}] : default_[job.bundle];
      if (found.count != 1 || (job.site && *job.site != found.site) || model_.slurm_sites[found.site].fragment ||
          !ties_.tied(job, found.site))
        return false;
      job.site = found.site;
      part.partitions.push_back(found.partition);
      part.names +=
          (part.names.empty() ? "" : ", ") + model_.slurm_sites[found.site].partitions[found.partition].name.value;
    }
    return true;
  }

  static std::string_view setting_of(const SlurmPartition& partition, std::string_view lower_key) {
    const auto found = std::ranges::find(partition.settings, lower_key, &SlurmSetting::lower_key);
    return found == partition.settings.end() ? std::string_view{} : std::string_view(found->value.value);
  }
  static bool is_default(const SlurmPartition& partition) {
    return equals_ignoring_case(setting_of(partition, "default"), "yes");
  }

  NodeTable* table_of(std::size_t site) {
    if (!model_.slurm_sites[site].nodes_known) return nullptr;
    return &tables_.try_emplace(site, model_.slurm_sites[site]).first->second;
  }

  bool find_nodes(std::size_t site, std::vector<Part>& parts) {
    NodeTable* table = table_of(site);
    if (table == nullptr) return false;
    for (Part& part : parts) {
      for (const std::size_t partition : part.partitions) {
        const std::optional<Nodes>& nodes = table->of(partition);
        if (!nodes) return false;
        part.nodes = together(part.nodes, *nodes);
        part.tier = parse_int(setting_of(model_.slurm_sites[site].partitions[partition], "prioritytier")).value_or(1);
      }
    }
    return true;
  }

  /// Partitions some of whose nodes are defined nowhere have no more nodes than names.
  void bound_by_names(SbatchJob& job, const Part& part) {
    const SlurmSite& site = model_.slurm_sites[*job.site];
    if (!site.nodes_known || !site.node_sets.empty() || !part.asks->min_nodes.known()) return;
    Overfull over{part.names, 1, part.asks->min_nodes.value, 0};
    for (const std::size_t p : part.partitions) {
      const SlurmPartition& partition = site.partitions[p];
      const Result<Hostlist> names = Hostlist::parse(partition.nodes.value);
      if (!names || !partition.unknown_count.known() || !partition.node_functions.empty()) return;
      over.has = add_capped(over.has, static_cast<std::int64_t>(names->size()));
    }
    if (over.needs > over.has) job.overfull = over;
  }

  /// Only where partitions differ can one component be in another's way although there are nodes for all.
  static void wait_for_nodes(SbatchJob& job) {
    if (job.parts.size() < 2) return;
    const auto other = std::ranges::find_if(job.parts, [&](const SbatchComponent& part) {
      return part.partition.value != job.parts.front().partition.value;
    });
    const bool named =
        std::ranges::all_of(job.parts, [](const SbatchComponent& part) { return part.partition.is_set(); });
    if (other == job.parts.end() || !named) return;
    job.starved = unknown_until<std::string>(
        "the nodes of partitions `" + job.parts.front().partition.value + "` and `" + other->partition.value + "`",
        other->partition.where);
  }

  /// Some components need more nodes than there are in all their partitions: the smallest such set of them.
  static void find_overfull(SbatchJob& job, const std::vector<Part>& parts) {
    const std::size_t subsets = parts.size() <= kMaxSubsets ? (std::size_t{1} << parts.size()) - 1 : 0;
    std::vector<std::vector<std::size_t>> sets;
    for (std::size_t bits = 1; bits <= subsets; ++bits) {
      std::vector<std::size_t> members;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        if ((bits >> i & 1) != 0) members.push_back(i);
      }
      sets.push_back(std::move(members));
    }
    if (sets.empty()) {
      sets.emplace_back(parts.size());
      std::iota(sets.back().begin(), sets.back().end(), std::size_t{0});
    }
    std::ranges::stable_sort(sets, {}, &std::vector<std::size_t>::size);
    for (const std::vector<std::size_t>& members : sets) {
      Overfull over;
      Nodes nodes;
      std::vector<std::string> names;
      for (const std::size_t i : members) {
        over.needs +=
            parts[i].asks->min_nodes.known() ? std::min<std::int64_t>(parts[i].asks->min_nodes.value, 1 << 20) : 1;
        nodes = together(nodes, parts[i].nodes);
        if (std::ranges::find(names, parts[i].names) == names.end()) names.push_back(parts[i].names);
      }
      over.has = size_of(nodes);
      over.components = static_cast<std::int64_t>(members.size());
      over.partitions = join(names, ", ");
      if (over.needs <= over.has) continue;
      job.overfull = over;
      return;
    }
  }

  void find_starved(SbatchJob& job, const std::vector<Part>& parts) {
    const std::vector<const Part*> order = tried_order(parts);
    if (!may_starve(order)) return;
    const SbatchComponent& last = *order.back()->asks;
    const Span where = last.partition.is_set() ? last.partition.where : job.where;
    const Taking taking = is_simple(*job.site, parts) ? take_in_order(order) : Taking{false, nullptr, 0};
    if (!taking.known) {
      job.starved = unknown_until<std::string>("which nodes Slurm gives to each component", where);
      return;
    }
    if (taking.starved == nullptr) return;
    const SbatchComponent& starved = *taking.starved->asks;
    job.starved = set_to(taking.starved->names, starved.partition.is_set() ? starved.partition.where : where);
    job.starvation.needs = starved.min_nodes.value;
    job.starvation.left = taking.left;
    std::vector<const Part*> better = order;
    std::ranges::stable_sort(better, {}, [](const Part* part) { return part->nodes.size(); });
    const bool same_tier =
        std::ranges::all_of(better, [&](const Part* part) { return part->tier == better.front()->tier; });
    const Taking again = take_in_order(better);
    if (!same_tier || !again.known || again.starved != nullptr) return;
    std::vector<std::string> names;
    for (const Part* part : better) names.push_back(part->names);
    job.starvation.order = join(names, ", ");
  }

  /// Whether some choice of nodes for the first ones leaves another too few.
  static bool may_starve(const std::vector<const Part*>& order) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      std::int64_t lost = 0;
      for (std::size_t j = 0; j < i; ++j) {
        const std::int64_t shared = size_of(order[i]->nodes) - size_of(without(order[i]->nodes, order[j]->nodes));
        lost += order[j]->asks->max_nodes.known() ? std::min(shared, order[j]->asks->max_nodes.value) : shared;
      }
      const std::int64_t needs = order[i]->asks->min_nodes.known() ? order[i]->asks->min_nodes.value : 1;
      if (size_of(order[i]->nodes) - lost < needs) return true;
    }
    return false;
  }

  /// Nothing but the order of the nodes decides which of them a component takes.
  bool is_simple(std::size_t s, const std::vector<Part>& parts) {
    const SlurmSite& site = model_.slurm_sites[s];
    // A job's size or partition may change the order of its components, and others than the first nodes may be chosen.
    constexpr std::array<std::string_view, 3> kWeights{"priorityweightjobsize", "priorityweightpartition",
                                                       "priorityweighttres"};
    for (const std::string_view key : kWeights) {
      if (const SlurmSetting* setting = site.setting(key); setting != nullptr && setting->value.value != "0")
        return false;
    }
    const SlurmSetting* select = site.setting("selecttypeparameters");
    const SlurmSetting* plugin = site.setting("topologyplugin");
    const bool flat = plugin == nullptr || contains(plugin->value.value, "none") ||
                      plugin->value.value == "topology/default" || plugin->value.value == "topology/flat";
    const bool other_topology = std::ranges::any_of(site.topologies, &Topology::yaml);
    if (!flat || other_topology || !site.complete ||
        (select != nullptr && contains_ignoring_case(select->value.value, "LLN")))
      return false;
    Nodes all;
    for (const Part& part : parts) {
      const SbatchComponent& asks = *part.asks;
      if (part.partitions.size() != 1 || asks.choosy || !asks.min_nodes.known() || !asks.max_nodes.known() ||
          asks.min_nodes.value != asks.max_nodes.value)
        return false;
      if (equals_ignoring_case(setting_of(site.partitions[part.partitions.front()], "lln"), "yes")) return false;
      all = together(all, part.nodes);
    }
    return table_of(s)->alike(all);
  }

  /// The last partition of a name, and how many there are.
  struct Found {
    std::size_t site = 0;
    std::size_t partition = 0;
    int count = 0;
  };

  Model& model_;
  SiteTies ties_;
  std::map<std::pair<std::string, std::string>, Found> named_;  ///< by bundle and name
  std::map<std::string, Found> default_;                        ///< by bundle
  std::map<std::size_t, NodeTable> tables_;                     ///< by place in Model::slurm_sites
};

}  // namespace

void place_jobs(Model& model) {
  Placer placer(model);
  for (SbatchJob& job : model.sbatch_jobs) placer.place(job);
}

}  // namespace muster
