#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/capped.h"
#include "base/slurm_units.h"
#include "base/strings.h"
#include "slurm/records.h"

namespace muster {
namespace {

constexpr std::uint64_t kMaxLooked = 4 * Hostlist::kMaxExpanded;  // names of all lists that are looked up in a site
constexpr int kMaxSets = 20;                                      // sets of nodes within sets

using Places = std::vector<std::uint32_t>;  ///< of nodes, in the order of their records; ascending

/// What a list of nodes stands for.
struct Sign {
  enum class Of { Partition, GresLine, DownNodes };
  Of of = Of::Partition;
  std::size_t index = 0;  ///< in the lists of SlurmSite
};

/// Tells the nodes of a site apart by the lists that they stand in. Each list costs its length.
class NodeClasses {
 public:
  std::size_t add_root() {
    chain_.push_back({});
    return chain_.size() - 1;
  }
  void add_node(std::size_t root) { of_.push_back(root); }

  void mark(const Places& nodes, const Sign& sign) {
    std::unordered_map<std::size_t, std::size_t> split;
    for (const std::uint32_t node : nodes) {
      const auto [found, fresh] = split.try_emplace(of_[node], chain_.size());
      if (fresh) chain_.push_back({of_[node], sign});
      of_[node] = found->second;
    }
  }

  std::size_t of(std::uint32_t node) const { return of_[node]; }
  /// The signs of a class, the first marked first.
  std::vector<Sign> signs(std::size_t one) const {
    std::vector<Sign> out;
    for (; chain_[one].parent; one = *chain_[one].parent) out.push_back(chain_[one].sign);
    std::ranges::reverse(out);
    return out;
  }

 private:
  struct Link {
    std::optional<std::size_t> parent;
    Sign sign;
  };
  std::vector<Link> chain_;
  std::vector<std::size_t> of_;  ///< by node
};

std::string in_capitals(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return out;
}

/// By the letters that a word begins with, as Slurm reads it.
std::string partition_state(std::string_view text) {
  const std::string word = in_capitals(text);
  for (const std::string_view state : {"UP", "DOWN", "DRAIN", "INACTIVE"}) {
    if (word.starts_with(state)) return std::string(state);
  }
  return word;
}

class SiteResolver {
 public:
  explicit SiteResolver(const SlurmSite& site) : site_(site) {
    for (std::size_t i = 0; i < site.node_sets.size(); ++i) set_names_.emplace(site.node_sets[i].name.value, i);
  }

  SiteTable run() {
    table_.fenced = fenced();
    table_.partitions.resize(site_.partitions.size());
    if (!name_nodes()) return std::move(table_);
    if (!mark_gres_lines()) return std::move(table_);
    table_.known = site_.nodes_known;
    mark_down_nodes();
    mark_partitions();
    if (!make_groups()) {
      table_.known = false;
      table_.groups.clear();
      return std::move(table_);
    }
    gather_devices();
    name_units();
    return std::move(table_);
  }

 private:
  Located<bool> fenced() const {
    const SlurmSetting* plugin = site_.setting("taskplugin");
    const Span where = plugin != nullptr ? plugin->where : site_.where;
    if (site_.fragment || (plugin == nullptr && !site_.complete) || (plugin != nullptr && !plugin->value.is_set()))
      return unknown_until<bool>("TaskPlugin of the whole slurm.conf", where, "TaskPlugin");
    if (plugin == nullptr || !contains(to_lower(plugin->value.value), "cgroup"))
      return defaulted_to(false, where, "TaskPlugin");
    if (!site_.has_cgroup_conf) return unknown_until<bool>("cgroup.conf", where, "ConstrainDevices");
    Located<bool> out = defaulted_to(false, where, "ConstrainDevices");
    for (const SlurmSetting& setting : site_.cgroup) {
      if (setting.lower_key != "constraindevices") continue;
      const std::string word = to_lower(setting.value.value);
      out = set_to(word == "yes" || word == "true" || word == "up" || word == "1", setting.where, "ConstrainDevices");
      if (setting.value.unknown()) out = unknown_until<bool>(setting.value.needs(), setting.where, "ConstrainDevices");
    }
    return out;
  }

  /// False where there are too many to tell apart.
  bool name_nodes() {
    std::int64_t total = 0;
    for (std::size_t i = 0; i < site_.nodes.size(); ++i) {
      const SlurmNodes& record = site_.nodes[i];
      const std::size_t root = classes_.add_root();
      if (!record.hosts) continue;
      total = add_capped(total, static_cast<std::int64_t>(record.hosts->size()));
      if (std::cmp_greater(total, Hostlist::kMaxExpanded)) return false;
      record.hosts->each([&](std::string name) {
        const auto [found, fresh] = place_of_.try_emplace(std::move(name), static_cast<std::uint32_t>(names_.size()));
        if (!fresh) return;  // of one named twice slurmctld has nothing to say: it does not start
        names_.push_back(&found->first);
        record_of_.push_back(i);
        classes_.add_node(root);
      });
    }
    return true;
  }

  std::optional<Places> places(const Hostlist& list) {
    if (list.size() > budget_) return std::nullopt;
    budget_ -= list.size();
    Places out;
    list.each([&](const std::string& name) {
      if (const auto found = place_of_.find(name); found != place_of_.end()) out.push_back(found->second);
    });
    return sorted(std::move(out));
  }

  static Places sorted(Places places) {
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
  }

  Places all() const {
    Places out(names_.size());
    for (std::uint32_t i = 0; i < out.size(); ++i) out[i] = i;
    return out;
  }

  /// False as above.
  bool mark_gres_lines() {
    for (std::size_t i = 0; i < site_.gres_lines.size(); ++i) {
      const GresLine& line = site_.gres_lines[i];
      if (!line.hosts) {
        everywhere_.push_back(i);
        continue;
      }
      const std::optional<Places> nodes = places(*line.hosts);
      if (!nodes) return false;
      classes_.mark(*nodes, {Sign::Of::GresLine, i});
    }
    return true;
  }

  void mark_down_nodes() {
    for (std::size_t i = 0; i < site_.down_nodes.size(); ++i) {
      const SlurmDownNodes& down = site_.down_nodes[i];
      if (!down.names.is_set()) continue;
      const Result<Hostlist> list = Hostlist::parse(down.names.value);
      if (!list) continue;
      if (const std::optional<Places> nodes = places(*list)) classes_.mark(*nodes, {Sign::Of::DownNodes, i});
    }
  }

  void mark_partitions() {
    // Most partitions name the same lists: each is looked up once.
    std::map<std::string, std::optional<Places>> lists;
    const bool some_open = std::ranges::any_of(site_.nodes, [](const SlurmNodes& one) { return one.gres.unknown(); });
    for (std::size_t i = 0; i < site_.partitions.size(); ++i) {
      const SlurmPartition& partition = site_.partitions[i];
      SitePartition& out = table_.partitions[i];
      read_limits(partition, out);
      if (partition.nodes.state == State::Absent) out.known = !site_.fragment;
      if (!partition.nodes.is_set()) continue;
      const auto [found, fresh] = lists.try_emplace(partition.nodes.value);
      if (fresh) found->second = members(partition.nodes.value, 0);
      out.known = found->second.has_value() && site_.nodes_known;
      if (!found->second || found->second->size() > budget_) continue;
      budget_ -= found->second->size();
      if (some_open) out.known = out.known && devices_known(*found->second);
      out.nodes = static_cast<std::int64_t>(found->second->size());
      classes_.mark(*found->second, {Sign::Of::Partition, i});
    }
  }

  /// Not where a template or a script has yet to put a value to Gres.
  bool devices_known(const Places& nodes) const {
    return std::ranges::none_of(nodes,
                                [&](std::uint32_t node) { return site_.nodes[record_of_[node]].gres.unknown(); });
  }

  void read_limits(const SlurmPartition& partition, SitePartition& out) {
    for (const SlurmSetting& setting : partition.settings) {
      if (!setting.value.is_set()) continue;
      if (setting.lower_key == "maxnodes") out.max_nodes = slurm_count(setting.value.value);
      if (setting.lower_key == "minnodes") out.min_nodes = slurm_count(setting.value.value);
      if (setting.lower_key == "maxtime") out.max_time = setting.value.value;
      if (setting.lower_key == "maxcpuspernode") out.max_cpus = limit_of(setting);
      if (setting.lower_key == "state") out.state = partition_state(setting.value.value);
    }
    if (!read_memory_limits(partition.settings, out)) read_memory_limits(site_.settings, out);
    out.default_memory = has_default_memory(partition.settings) || has_default_memory(site_.settings);
    read_default_memory(site_.settings, out);
    read_default_memory(partition.settings, out);
  }

  /// Nothing for UNLIMITED, 0 and what cannot be read.
  static std::optional<std::int64_t> limit_of(const SlurmSetting& setting) {
    const std::optional<std::int64_t> value = parse_int(setting.value.value);
    return value && *value > 0 ? value : std::nullopt;
  }

  /// Whether either of the limits is set there.
  static bool read_memory_limits(const std::vector<SlurmSetting>& settings, SitePartition& out) {
    bool set = false;
    for (const SlurmSetting& setting : settings) {
      const bool of_node = setting.lower_key == "maxmempernode";
      if ((!of_node && setting.lower_key != "maxmempercpu") || !setting.value.is_set()) continue;
      (of_node ? out.max_memory : out.max_memory_per_cpu) = limit_of(setting);
      set = true;
    }
    if (out.max_memory) out.max_memory_per_cpu.reset();
    return set;
  }

  /// Of a node, that is: where DefMemPerGPU stands alone, a job without --mem has the whole node's where limits are
  /// asked. Executed with slurmctld 22.05.8, 24.11.5 and 26.05.5.
  static bool has_default_memory(const std::vector<SlurmSetting>& settings) {
    return std::ranges::any_of(settings, [](const SlurmSetting& setting) {
      return setting.lower_key == "defmempernode" || setting.lower_key == "defmempercpu";
    });
  }

  /// A partition's own comes before the site's; DefMemPerGPU of a partition leaves DefMemPerCPU of the site what it is.
  /// Executed with slurmctld 22.05.8, 24.11.5 and 26.05.5. Nothing where two of them are set in one place.
  static void read_default_memory(const std::vector<SlurmSetting>& settings, SitePartition& out) {
    std::set<std::string_view> keys;
    for (const SlurmSetting& setting : settings) {
      if (!setting.lower_key.starts_with("defmemper")) continue;
      keys.insert(setting.lower_key);
      const bool known = setting.value.is_set();
      if (setting.lower_key == "defmempergpu") out.default_memory_per_gpu = known ? limit_of(setting) : std::nullopt;
      if (setting.lower_key == "defmempercpu") out.default_memory_per_cpu = known ? limit_of(setting) : std::nullopt;
      if (setting.lower_key == "defmempernode") out.default_memory_per_cpu.reset();
    }
    if (keys.size() < 2) return;
    out.default_memory_per_gpu.reset();
    out.default_memory_per_cpu.reset();
  }

  /// The nodes of a partition's list or a set of nodes; nothing where a name in it is nobody's.
  std::optional<Places> members(const std::string& text, int depth) {
    if (equals_ignoring_case(text, "all")) return all();
    const Result<Hostlist> list = Hostlist::parse(replace_all(text, " ", ","));
    if (!list || !list->functions().empty() || list->size() > budget_ || depth > kMaxSets) return std::nullopt;
    budget_ -= list->size();
    Places out;
    bool known = true;
    list->each([&](const std::string& name) {
      const bool is_set = set_names_.contains(name);  // of one named like a node slurmctld takes the set
      const auto node = is_set ? place_of_.end() : place_of_.find(name);
      if (node != place_of_.end()) return out.push_back(node->second);
      const std::optional<Places> more = known && is_set ? set_members(name, depth) : std::nullopt;
      known = known && more;
      if (more) out.insert(out.end(), more->begin(), more->end());
    });
    if (!known) return std::nullopt;
    return sorted(std::move(out));
  }

  std::optional<Places> set_members(const std::string& name, int depth) {
    const SlurmNodeSet* set = &site_.node_sets[set_names_.at(name)];
    if (set->nodes.unknown() || set->feature.unknown()) return std::nullopt;
    Places out;
    if (set->nodes.is_set()) {
      const std::optional<Places> named = members(set->nodes.value, depth + 1);
      if (!named) return std::nullopt;
      out = *named;
    }
    if (set->feature.is_set()) {
      if (names_.size() > budget_) return std::nullopt;
      budget_ -= names_.size();
      std::vector<bool> has(site_.nodes.size());
      for (std::size_t i = 0; i < has.size(); ++i) {
        const std::vector<std::string> features = features_of(site_.nodes[i]);
        has[i] = std::ranges::find(features, set->feature.value) != features.end();
      }
      for (std::uint32_t i = 0; i < names_.size(); ++i) {
        if (has[record_of_[i]]) out.push_back(i);
      }
    }
    return sorted(std::move(out));
  }

  /// False where too many lines without nodes speak of too many groups.
  bool make_groups() {
    std::unordered_map<std::size_t, std::size_t> group_of_class;
    std::vector<std::vector<std::string>> names;
    group_of_.resize(names_.size());
    for (std::uint32_t node = 0; node < names_.size(); ++node) {
      const auto [found, fresh] = group_of_class.try_emplace(classes_.of(node), table_.groups.size());
      if (fresh) {
        std::optional<SiteNodes> group = group_of(node);
        if (!group) return false;
        table_.groups.push_back(std::move(*group));
        names.emplace_back();
      }
      group_of_[node] = found->second;
      names[found->second].push_back(*names_[node]);
    }
    for (std::size_t g = 0; g < names.size(); ++g) {
      SiteNodes& group = table_.groups[g];
      group.names = compress_hostlist(names[g]);
      group.count = static_cast<std::int64_t>(names[g].size());
      for (const std::size_t partition : group.partitions) table_.partitions[partition].groups.push_back(g);
      note_unused_lines(group, names[g].front());
    }
    return true;
  }

  /// Nothing as above.
  std::optional<SiteNodes> group_of(std::uint32_t node) {
    const SlurmNodes& record = site_.nodes[record_of_[node]];
    SiteNodes group;
    group.record = record_of_[node];
    group.cpus = record.cpus;
    group.real_memory = record.real_memory;
    group.core_spec_count = record.core_spec_count;
    group.memory_spec = record.memory_spec;
    group.features = features_of(record);
    group.weight = record.weight.value;
    group.state = record.state.is_set() ? in_capitals(record.state.value) : "UNKNOWN";
    std::vector<std::size_t> own_lines;
    for (const Sign& sign : classes_.signs(classes_.of(node))) {
      if (sign.of == Sign::Of::Partition) group.partitions.push_back(sign.index);
      if (sign.of == Sign::Of::GresLine) own_lines.push_back(sign.index);
      if (sign.of == Sign::Of::DownNodes) {
        const Located<std::string>& state = site_.down_nodes[sign.index].state;
        group.state = state.is_set() ? in_capitals(state.value) : "DOWN";
      }
    }
    const std::vector<NodeDevices>* devices = devices_of(record, std::move(own_lines));
    if (devices == nullptr) return std::nullopt;
    group.devices = *devices;
    return group;
  }

  /// Those of a node whose own lines of gres.conf these are; null as above. Where hundreds of NodeName lines say the
  /// same, the lines for all nodes are looked at once.
  const std::vector<NodeDevices>* devices_of(const SlurmNodes& record, std::vector<std::size_t> own_lines) {
    static const std::vector<NodeDevices> none;
    if (!record.gres.is_set()) return &none;
    const bool cloud = starts_with_ignoring_case(record.state.value, "cloud");
    const auto [found, fresh] = devices_of_.try_emplace({record.gres.value, cloud, own_lines});
    if (!fresh) return &found->second;
    if (everywhere_.size() > budget_) return nullptr;
    budget_ -= everywhere_.size();
    std::vector<std::size_t> lines = std::move(own_lines);
    lines.insert(lines.end(), everywhere_.begin(), everywhere_.end());
    std::ranges::sort(lines);
    found->second = resolve_devices(site_, record, lines);
    return &found->second;
  }

  /// Lines of gres.conf that name the nodes of a group, but describe what slurm.conf does not give them.
  void note_unused_lines(const SiteNodes& group, const std::string& first_name) {
    const SlurmNodes& record = site_.nodes[group.record];
    if (record.gres.unknown()) return;
    for (const Sign& sign : classes_.signs(classes_.of(place_of_.at(first_name)))) {
      if (sign.of != Sign::Of::GresLine || !site_.gres_lines[sign.index].name.is_set()) continue;
      const std::string& name = site_.gres_lines[sign.index].name.value;
      const bool has = std::ranges::any_of(record.gres_items,
                                           [&](const Gres& gres) { return equals_ignoring_case(gres.name, name); });
      if (has) continue;
      std::string& nodes = table_.without_gres[sign.index];
      nodes += (nodes.empty() ? "" : ",") + group.names;
    }
  }

  /// What groups of one NodeName line have alike is said once.
  void gather_devices() {
    std::map<std::tuple<std::size_t, std::size_t, DeviceLoss, std::optional<std::int64_t>, std::optional<std::size_t>,
                        std::optional<std::size_t>>,
             std::size_t>
        rows;
    for (const SiteNodes& group : table_.groups) {
      const SlurmNodes& record = site_.nodes[group.record];
      for (std::size_t d = 0; d < group.devices.size(); ++d) {
        const NodeDevices& devices = group.devices[d];
        const auto [found, fresh] = rows.try_emplace(
            {group.record, d, devices.loss, devices.provided, devices.line, devices.twice_line}, table_.devices.size());
        if (fresh) {
          SiteDevices& row = table_.devices.emplace_back();
          static_cast<NodeDevices&>(row) = devices;
          row.record = group.record;
          row.cloud = group.is_cloud();
          row.where = record.gres.where;
        }
        SiteDevices& row = table_.devices[found->second];
        row.node_count += group.count;
        row.nodes += (row.nodes.empty() ? "" : ",") + group.names;
      }
    }
    for (SiteDevices& row : table_.devices) {
      const SlurmNodes& record = site_.nodes[row.record];
      if (static_cast<std::uint64_t>(row.node_count) == record.hosts->size()) row.nodes = record.names.value;
    }
  }

  /// Leaf switches and blocks, of every topology of the site.
  void name_units() {
    const auto name = [&](const TopologyUnit& unit) {
      if (!unit.nodes || !unit.name.is_set()) return;
      const std::optional<Places> nodes = places(*unit.nodes);
      if (!nodes) return;
      for (const std::uint32_t node : *nodes) {
        std::vector<std::string>& units = table_.groups[group_of_[node]].units;
        if (units.empty() || units.back() != unit.name.value) units.push_back(unit.name.value);
      }
    };
    for (const Topology& topology : site_.topologies) {
      if (topology.shadowed) continue;
      for (const Switch& leaf : topology.switches) name(leaf);
      for (const TopologyBlock& block : topology.blocks) name(block);
    }
  }

  const SlurmSite& site_;
  SiteTable table_;
  NodeClasses classes_;
  std::unordered_map<std::string, std::uint32_t> place_of_;
  std::unordered_map<std::string, std::size_t> set_names_;
  std::vector<const std::string*> names_;
  std::vector<std::size_t> record_of_;
  std::vector<std::size_t> group_of_;
  std::map<std::tuple<std::string, bool, std::vector<std::size_t>>, std::vector<NodeDevices>>
      devices_of_;  ///< by Gres, whether the state is CLOUD, and lines of gres.conf for some nodes
  std::vector<std::size_t> everywhere_;  ///< lines of gres.conf without NodeName, or whose nodes are not known
  std::uint64_t budget_ = kMaxLooked;
};

}  // namespace

std::vector<std::string> features_of(const SlurmNodes& record) {
  std::vector<std::string> out;
  if (!record.features.is_set()) return out;
  for (const std::string_view feature : split(record.features.value, ',')) {
    if (!trim(feature).empty()) out.emplace_back(trim(feature));
  }
  return out;
}

SiteTable resolve_site(const SlurmSite& site) { return SiteResolver(site).run(); }

}  // namespace muster
