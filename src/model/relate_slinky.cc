// Slurm in the pods of Kubernetes, and pods that Slurm places: values of the charts of Slinky and objects of their
// operators and Soperator's, held against slurm.conf, the Nodes and the fleet file of the same input.
#include <algorithm>
#include <map>
#include <set>

#include "base/capped.h"
#include "base/strings.h"
#include "model/bundle_fleets.h"
#include "model/model.h"

namespace muster {
namespace {

constexpr std::uint64_t kMostPartitionNodes = 200'000;

const WrittenValue* value_below(const WrittenValue* tree, std::initializer_list<std::string_view> path) {
  for (const std::string_view key : path) {
    if (tree == nullptr || tree->state != State::Set) return nullptr;
    tree = tree->find(key);
  }
  return tree;
}

bool is_switched(const WrittenValue* value, bool on) {
  return value != nullptr && value->state == State::Set && value->kind == WrittenValue::Kind::Bool && value->flag == on;
}

/// A number, or a text that is one.
std::optional<std::int64_t> number_of(const WrittenValue* value) {
  if (value == nullptr || value->state != State::Set) return std::nullopt;
  if (value->kind == WrittenValue::Kind::Int) return value->number();
  return value->kind == WrittenValue::Kind::Text ? parse_int(value->text()) : std::nullopt;
}

/// GPUs of `gpu:h100:8,gpu:2(S:0)` or `gpu`; nothing where a count cannot be read.
std::optional<std::int64_t> gpus_of_gres(std::string_view list) {
  std::optional<std::int64_t> out;
  for (std::string_view item : split(list, ',')) {
    item = trim(item.substr(0, item.find('(')));
    const std::vector<std::string_view> parts = split(item, ':');
    if (parts.front() != "gpu") continue;
    const std::optional<std::int64_t> count = parse_int(parts.back());
    const bool typed_or_bare = parts.size() == 1 || (parts.size() == 2 && !count);
    if (!count && !typed_or_bare) return std::nullopt;
    out = add_capped(out.value_or(0), count.value_or(1));
  }
  return out;
}

/// Pods of slurmd, be they of an object or of a chart's values.
struct SlurmdPods {
  const Manifest* of = nullptr;
  std::string name;
  Located<std::string> gres;              ///< as Slurm is told of it
  const WrittenValue* limits = nullptr;   ///< of its container
  const WrittenValue* selects = nullptr;  ///< labels of its nodes
  bool claims = false;                    ///< it has devices by ResourceClaims
};

/// What `Gres=` says in the words for a node.
Located<std::string> gres_in(const WrittenValue& words) {
  if (!words.is_text()) return {};
  for (const std::string_view word : split_blanks(words.text())) {
    constexpr std::string_view kGres = "gres=";
    if (starts_with_ignoring_case(word, kGres))
      return set_to(std::string(word.substr(kGres.size())), words.where, "extraConf");
  }
  return {};
}

/// `Gres: [gpu:h100:8]` or `Gres: gpu:8` of extraConfMap.
Located<std::string> gres_of_map(const WrittenValue& map) {
  for (std::size_t i = 0; i < map.keys().size(); ++i) {
    if (!equals_ignoring_case(map.keys()[i], "gres")) continue;
    const WrittenValue& value = map.items()[i];
    if (value.is_text()) return set_to(std::string(value.text()), value.where, "extraConfMap");
    std::vector<std::string> all;
    for (const WrittenValue& one : value.items()) {
      if (!one.is_text()) return {};
      all.emplace_back(one.text());
    }
    if (!all.empty()) return set_to(join(all, ","), value.where, "extraConfMap");
  }
  return {};
}

class SlinkyTies {
 public:
  explicit SlinkyTies(Model& model) : model_(model), fleets_(model) {}

  void run() {
    for (const Manifest& one : model_.manifests) {
      if (one.def == nodes_ && one.part("info").state == State::Set) nodes_of_[one.bundle].push_back(&one);
      note_partitions(one);
    }
    for (const Manifest& one : model_.manifests) {
      if (one.def == node_sets_) look_at_pods(pods_of(one));
      if (one.def == releases_) look_at_release(one);
      if (one.def == clusters_) look_at_blocks(one, one.part("topology_plugin"), one.part("topology"));
    }
  }

 private:
  bool is_chart(const Manifest& one, std::string_view chart) const {
    return one.def == releases_ && one.part("chart").text() == chart && one.part("values").state == State::Set &&
           one.part("values").kind == WrittenValue::Kind::Map;
  }

  /// The only one of a bundle that is a whole slurm.conf; nullptr: none, or nobody knows which.
  const SlurmSite* site_of(const std::string& bundle) const {
    const SlurmSite* found = nullptr;
    for (const SlurmSite& site : model_.slurm_sites) {
      if (site.bundle != bundle || site.file.empty() || site.fragment) continue;
      if (found != nullptr || site.is_template || !site.complete) return nullptr;
      found = &site;
    }
    return found;
  }

  // --- partitions of slurm-bridge

  /// NodeSets bring partitions of their names.
  void note_partitions(const Manifest& one) {
    if (one.def == node_sets_) {
      made_[one.bundle].insert(one.name.value);
      slurmd_.try_emplace(one.bundle, one.name.value);
    }
    if (!is_chart(one, "slurm")) return;
    const WrittenValue* sets = one.part("values").find("nodesets");
    if (sets != nullptr && !sets->keys().empty()) slurmd_.try_emplace(one.bundle, sets->keys().front());
    for (const char* list : {"nodesets", "partitions"}) {
      const WrittenValue* made = one.part("values").find(list);
      if (made != nullptr) made_[one.bundle].insert(made->keys().begin(), made->keys().end());
    }
  }

  void look_at_release(const Manifest& release) {
    const WrittenValue& values = release.part("values");
    if (is_chart(release, "slurm-bridge")) {
      const WrittenValue* partition = value_below(&values, {"schedulerConfig", "partition"});
      if (partition != nullptr && partition->state != State::Set) return;
      const bool written = partition != nullptr && partition->is_text() && !partition->text().empty();
      look_at_partition(release, written ? set_to(std::string(partition->text()), partition->where, "partition")
                                         : set_to(std::string("slurm-bridge"), release.where, "partition"));
    }
    if (is_chart(release, "nvsentinel")) look_at_drainer(release, values);
    if (is_chart(release, "slurm-cluster") || is_chart(release, "helm-slurm-cluster")) {
      const WrittenValue* plugin = value_below(&values, {"slurmConfig", "topologyPlugin"});
      const WrittenValue* topology = values.find("topology");
      look_at_blocks(release, plugin != nullptr ? *plugin : nothing_, topology != nullptr ? *topology : nothing_);
    }
    if (!is_chart(release, "slurm")) return;
    if (is_switched(value_below(&values, {"controller", "external"}), true)) look_at_site(release);
    const WrittenValue* sets = values.find("nodesets");
    for (std::size_t i = 0; sets != nullptr && i < sets->keys().size(); ++i) {
      if (is_switched(sets->items()[i].find("enabled"), false)) continue;
      look_at_pods(pods_of(release, std::string(sets->keys()[i]), sets->items()[i]));
    }
  }

  /// A drainer that evicts pods does so with those of slurmd, unless it hands their nodes to another. Source:
  /// github.com/NVIDIA/NVSentinel (node-drainer, customDrain).
  void look_at_drainer(const Manifest& release, const WrittenValue& values) {
    const WrittenValue* drains = value_below(&values, {"global", "nodeDrainer", "enabled"});
    const WrittenValue* custom = value_below(&values, {"node-drainer", "customDrain", "enabled"});
    const bool told = custom == nullptr || is_switched(custom, false);
    const auto slurmd = slurmd_.find(release.bundle);
    if (!is_switched(drains, true) || !told || slurmd == slurmd_.end() ||
        is_switched(value_below(&values, {"global", "dryRun"}), true))
      return;
    PlaneTie tie = tie_of(release, "drain", set_to(std::string("nodeDrainer"), drains->where, "enabled"));
    tie.there_says = "NodeSet `" + slurmd->second + "`";
    model_.plane_ties.push_back(std::move(tie));
  }

  void look_at_partition(const Manifest& release, const Located<std::string>& name) {
    const SlurmSite* site = site_of(release.bundle);
    if (site == nullptr || site->partitions_open || site->partitions.empty()) return;
    const auto found = std::ranges::find(site->partitions, name.value,
                                         [](const SlurmPartition& partition) { return partition.name.value; });
    if (found == site->partitions.end()) {
      if (made_[release.bundle].contains(name.value)) return;
      PlaneTie tie = tie_of(release, "partition", name);
      tie.there_says = "slurm.conf";
      for (const SlurmPartition& partition : site->partitions) add_name(tie, partition.name.value);
      model_.plane_ties.push_back(std::move(tie));
      return;
    }
    look_at_nodes_of(release, name, *site, *found);
  }

  /// Of a partition some nodes are Nodes, and others are not.
  void look_at_nodes_of(const Manifest& release, const Located<std::string>& name, const SlurmSite& site,
                        const SlurmPartition& partition) {
    const auto nodes = nodes_of_.find(release.bundle);
    if (nodes == nodes_of_.end() || !site.table.known) return;
    std::set<std::string_view> known;
    for (const Manifest* node : nodes->second) {
      known.insert(node->name.value);
      const WrittenValue* mapped = node->part("labels").find("slinky.slurm.net/slurm-nodename");
      if (mapped != nullptr && mapped->is_text()) known.insert(mapped->text());
    }
    PlaneTie tie = tie_of(release, "partition-nodes", name);
    tie.there = partition.nodes;
    tie.there_says = "slurm.conf";
    bool some = false;
    std::uint64_t total = 0;
    for (const SlurmNodes& line : site.nodes) {
      if (!line.hosts || !line.hosts->functions().empty() || (total += line.hosts->size()) > kMostPartitionNodes)
        return;
      line.hosts->each([&](const std::string& host) {
        if (!has_node(partition, site, host)) return;
        if (known.contains(host))
          some = true;
        else
          add_name(tie, host);
      });
    }
    if (some && tie.count > 0) model_.plane_ties.push_back(std::move(tie));
  }

  bool has_node(const SlurmPartition& partition, const SlurmSite& site, const std::string& host) {
    const auto key = std::make_pair(&site, partition.nodes.value);
    const auto [at, fresh] = members_.try_emplace(key);
    if (fresh) add_members(partition.nodes.value, site, at->second, 0);
    return at->second.all || at->second.names.contains(host);
  }

  struct Members {
    bool all = false;
    std::set<std::string> names;
  };

  static void add_members(const std::string& list, const SlurmSite& site, Members& out, int depth) {
    if (equals_ignoring_case(list, "ALL")) out.all = true;
    const Result<Hostlist> hosts = Hostlist::parse(list);
    if (!hosts || !hosts->functions().empty() || hosts->size() > kMostPartitionNodes || depth > 1) return;
    hosts->each([&](std::string name) {
      for (const SlurmNodeSet& set : site.node_sets) {
        if (set.name.value == name && set.nodes.is_set()) add_members(set.nodes.value, site, out, depth + 1);
      }
      out.names.insert(std::move(name));
    });
  }

  // --- slurmd in pods, slurmctld outside

  /// What Slinky wants of a slurmctld that it does not run. Source: SlinkyProject/slurm-operator:docs/usage/hybrid.md
  /// (1.2); slurm.schedmd.com/dynamic_nodes.html (MaxNodeCount).
  void look_at_site(const Manifest& release) {
    const SlurmSite* site = site_of(release.bundle);
    if (site == nullptr) return;
    PlaneTie tie = tie_of(release, "site",
                          set_to(std::string("external"),
                                 value_below(&release.part("values"), {"controller", "external"})->where, "external"));
    tie.there = set_to(site->file, site->where);
    tie.there_says = "slurm.conf";
    const auto has = [&](const char* key, std::string_view word) {
      const SlurmSetting* setting = site->setting(key);
      if (setting == nullptr) return false;
      const std::vector<std::string_view> words = split(setting->value.value, ',');
      return setting->value.unknown() ||
             std::ranges::any_of(words, [&](std::string_view one) { return equals_ignoring_case(trim(one), word); });
    };
    if (!has("authtype", "auth/slurm")) add_name(tie, "AuthType=auth/slurm");
    if (!has("authalttypes", "auth/jwt")) add_name(tie, "AuthAltTypes=auth/jwt");
    if (!has("authinfo", "use_client_ids")) add_name(tie, "AuthInfo=use_client_ids");
    if (!has("slurmctldparameters", "enable_configless")) add_name(tie, "SlurmctldParameters=enable_configless");
    if (site->setting("maxnodecount") == nullptr) add_name(tie, "MaxNodeCount");
    if (tie.count > 0) model_.plane_ties.push_back(std::move(tie));
  }

  static SlurmdPods pods_of(const Manifest& set) {
    SlurmdPods pods{&set, set.name.value, gres_in(set.part("extra_conf")), {}, {}, false};
    pods.limits = value_below(&set.part("slurmd"), {"resources", "limits"});
    pods.claims = value_below(&set.part("slurmd"), {"resources", "claims"}) != nullptr;
    pods.selects = value_below(&set.part("pod"), {"nodeSelector"});
    if (pods.selects == nullptr) pods.selects = value_below(&set.part("pod"), {"spec", "nodeSelector"});
    return pods;
  }

  /// `extraConf` goes before `extraConfMap`. Source: SlinkyProject/slurm-operator:helm/slurm/values.yaml (1.2).
  static SlurmdPods pods_of(const Manifest& release, const std::string& name, const WrittenValue& set) {
    SlurmdPods pods{&release, name, {}, {}, {}, false};
    const WrittenValue* words = set.find("extraConf");
    const WrittenValue* map = set.find("extraConfMap");
    if (words != nullptr && words->state == State::Set && !words->text().empty())
      pods.gres = gres_in(*words);
    else if (map != nullptr)
      pods.gres = gres_of_map(*map);
    pods.limits = value_below(&set, {"slurmd", "resources", "limits"});
    pods.claims = value_below(&set, {"slurmd", "resources", "claims"}) != nullptr;
    pods.selects = value_below(&set, {"podSpec", "nodeSelector"});
    return pods;
  }

  void look_at_pods(const SlurmdPods& pods) {
    std::optional<std::int64_t> devices = 0;
    const WrittenValue* at = nullptr;
    std::string_view resource;
    for (std::size_t i = 0; pods.limits != nullptr && i < pods.limits->keys().size(); ++i) {
      const std::string_view key = pods.limits->keys()[i];
      if (key != "nvidia.com/gpu" && key != "amd.com/gpu" && !key.starts_with("nvidia.com/mig-")) continue;
      const std::optional<std::int64_t> count = number_of(&pods.limits->items()[i]);
      devices = devices && count ? std::optional(add_capped(*devices, *count)) : std::nullopt;
      at = &pods.limits->items()[i];
      resource = key;
    }
    if (pods.limits != nullptr && pods.limits->state != State::Set) devices.reset();
    if (devices && at != nullptr && !pods.claims) compare_gres(pods, *devices, at->where);
    const bool one_kind = devices && at != nullptr && *number_of(at) == *devices;
    look_for_nodes(pods, one_kind ? at : nullptr, resource);
  }

  void compare_gres(const SlurmdPods& pods, std::int64_t devices, Span where) {
    const std::optional<std::int64_t> told = pods.gres.is_set() ? gpus_of_gres(pods.gres.value) : std::nullopt;
    if (!told || *told == devices) return;
    PlaneTie tie = tie_of(*pods.of, "gres", pods.gres);
    tie.name = set_to(pods.name, pods.gres.where);
    tie.there = set_to(std::to_string(devices), where);
    tie.there_says = "its limit";
    tie.count = *told - devices;
    model_.plane_ties.push_back(std::move(tie));
  }

  /// The Nodes of the input that its pods select, and whether one of them has as many GPUs.
  void look_for_nodes(const SlurmdPods& pods, const WrittenValue* limit, std::string_view resource) {
    const auto nodes = nodes_of_.find(pods.of->bundle);
    if (nodes == nodes_of_.end() || pods.selects == nullptr || !pods.selects->is_text_map()) return;
    PlaneTie tie = tie_of(*pods.of, "nodes", {});
    tie.name = set_to(pods.name, pods.selects->where);
    std::int64_t most = -1;
    const Manifest* best = nullptr;
    bool known = true;
    for (const Manifest* node : nodes->second) {
      if (!pods.selects->selects(node->part("labels"))) continue;
      ++tie.count;
      const std::int64_t has = number_of(node->part("allocatable").find(resource)).value_or(0);
      known = known && node->part("allocatable").state == State::Set;
      if (has > most) {
        most = has;
        best = node;
      }
    }
    if (tie.count == 0) {
      std::vector<std::string> labels;
      for (std::size_t i = 0; i < pods.selects->keys().size(); ++i)
        labels.push_back(std::string(pods.selects->keys()[i]) + "=" + std::string(pods.selects->items()[i].text()));
      tie.here = set_to(join(labels, ","), pods.selects->where, "nodeSelector");
      tie.there_says = count_of(nodes->second.size(), "Node") + " of the input";
      model_.plane_ties.push_back(std::move(tie));
      return;
    }
    if (limit == nullptr || !known || best == nullptr || most >= *number_of(limit)) return;
    tie.fact = "node-gpus";
    tie.here = set_to(std::to_string(*number_of(limit)), limit->where, "limits");
    tie.there = set_to(std::to_string(most), best->where);
    tie.there_says = "node `" + best->name.value + "`";
    model_.plane_ties.push_back(std::move(tie));
  }

  // --- blocks of Soperator

  /// Of block topologies the size, against the smallest NVLink domain. Source:
  /// nebius/soperator:api/v1/slurmcluster_types.go, internal/controller/topologyconfcontroller (4.1: 18 where
  /// `topology` is there, else 16).
  void look_at_blocks(const Manifest& cluster, const WrittenValue& plugin, const WrittenValue& topology) {
    if (!plugin.is_text() || plugin.text() != "topology/block" || topology.state == State::Unknown) return;
    const WrittenValue* written = topology.find("blockSize");
    if (written != nullptr && !number_of(written)) return;
    const std::int64_t size = written != nullptr ? *number_of(written) : topology.state == State::Set ? 18 : 16;
    const Span where = written != nullptr ? written->where : plugin.where;
    PlaneTie tie = tie_of(cluster, "block-size", set_to(std::to_string(size), where, "blockSize"));
    std::optional<std::int64_t> least = smallest_clique(cluster.bundle, tie);
    if (const Fleet* fleet = fleets_.of(cluster.bundle); !least && fleet != nullptr)
      least = smallest_domain(*fleet, tie);
    if (least && size > *least) model_.plane_ties.push_back(std::move(tie));
  }

  /// Nodes of one `nvidia.com/gpu.clique`, which are one NVLink domain, the fewest there are.
  std::optional<std::int64_t> smallest_clique(const std::string& bundle, PlaneTie& tie) const {
    const auto nodes = nodes_of_.find(bundle);
    if (nodes == nodes_of_.end()) return std::nullopt;
    std::map<std::string_view, std::pair<std::int64_t, Span>> cliques;
    for (const Manifest* node : nodes->second) {
      const WrittenValue* clique = node->part("labels").find("nvidia.com/gpu.clique");
      if (clique == nullptr || !clique->is_text() || clique->text().empty()) continue;
      auto& [count, where] = cliques[clique->text()];
      if (++count == 1) where = clique->where;
    }
    const auto least = std::ranges::min_element(cliques, {}, [](const auto& clique) { return clique.second.first; });
    if (least == cliques.end()) return std::nullopt;
    tie.there = set_to(std::to_string(least->second.first), least->second.second);
    tie.there_says = "`nvidia.com/gpu.clique` " + std::string(least->first);
    return least->second.first;
  }

  static std::optional<std::int64_t> smallest_domain(const Fleet& fleet, PlaneTie& tie) {
    std::optional<std::int64_t> least;
    for (const NodePool& pool : fleet.node_pools) {
      const Located<FactValue>& domain = pool.fact("fabric.nvlink_domain_nodes");
      if (!domain.known() || !is_slurm_pool(pool)) continue;
      const std::int64_t size = std::get<std::int64_t>(domain.value);
      if (size < 2 || (least && size >= *least)) continue;
      least = size;
      tie.there = set_to(std::to_string(size), domain.where);
      tie.there_says = "node pool `" + pool.name.value + "`";
    }
    return least;
  }

  static void add_name(PlaneTie& tie, const std::string& name) {
    if (tie.names.size() < 5) tie.names.push_back(name);
    ++tie.count;
  }

  static PlaneTie tie_of(const Manifest& one, std::string_view fact, const Located<std::string>& here) {
    PlaneTie tie;
    static_cast<Object&>(tie) = one;
    tie.fact = fact;
    tie.here = here;
    return tie;
  }

  Model& model_;
  BundleFleets fleets_;
  const WrittenValue nothing_;
  const ManifestDef* nodes_ = &manifest_def("node_objects");
  const ManifestDef* node_sets_ = &manifest_def("slinky_node_sets");
  const ManifestDef* releases_ = &manifest_def("helm_releases");
  const ManifestDef* clusters_ = &manifest_def("soperator_clusters");
  std::map<std::string, std::vector<const Manifest*>> nodes_of_;  // by bundle: those of a running cluster
  std::map<std::string, std::set<std::string>> made_;             // by bundle: partitions that NodeSets make
  std::map<std::string, std::string> slurmd_;                     // by bundle: one of its NodeSets
  std::map<std::pair<const SlurmSite*, std::string>, Members> members_;
};

}  // namespace

void relate_slinky(Model& model) { SlinkyTies(model).run(); }

}  // namespace muster
