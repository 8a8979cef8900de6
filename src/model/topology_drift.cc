// One network, described twice: topology.conf or topology.yaml, HyperNodes, the domains of a fleet file, labels of
// nodes.
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>

#include "base/strings.h"
#include "model/bundle_fleets.h"
#include "model/model.h"

namespace muster {
namespace {

/// A leaf, a block, a domain: a name and nodes that are near each other.
struct Unit {
  Located<std::string> name;
  std::vector<std::string> nodes;
};

/// One level of one description. Each node belongs to the first unit that names it.
struct View {
  std::string file;
  std::string id;
  std::string of;  ///< the topology of topology.yaml that it speaks of; empty: it does not say
  std::vector<Unit> units;
  std::unordered_map<std::string, std::size_t> unit_of;

  void index() {
    for (std::size_t i = 0; i < units.size(); ++i) {
      for (const std::string& node : units[i].nodes) unit_of.emplace(node, i);
    }
  }
};

enum class Missing { Told, Ignored };  ///< nodes that only one of two descriptions has

using Eligible = std::function<bool(const std::string&)>;

std::optional<View> view_of(const Topology& topology) {
  if ((topology.kind != Topology::Kind::Tree && topology.kind != Topology::Kind::Block) ||
      !topology.missing_include.empty())
    return std::nullopt;
  View view;
  view.file = topology.file;
  view.id = topology.file;
  std::uint64_t total = 0;
  bool sound = true;
  const auto add = [&](const TopologyUnit& unit) {
    if (unit.nodes_text.state == State::Absent) return;
    sound = sound && unit.nodes && unit.nodes->functions().empty() &&
            (total += unit.nodes->size()) <= Hostlist::kMaxExpanded;
    if (!sound) return;
    Unit out{unit.name, {}};
    if (unit.nodes_text.where.placed()) out.name.where = unit.nodes_text.where;
    unit.nodes->each([&](std::string name) { out.nodes.push_back(std::move(name)); });
    view.units.push_back(std::move(out));
  };
  std::ranges::for_each(topology.switches, add);
  std::ranges::for_each(topology.blocks, add);
  if (!sound) return std::nullopt;
  view.index();
  return view;
}

/// The domains of each level with all nodes below them.
std::vector<View> views_of(const Fleet& fleet) {
  std::map<std::string, std::size_t> by_name;
  std::vector<std::vector<std::string>> nodes(fleet.domains.size());
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < fleet.domains.size(); ++i) {
    const TopologyDomain& domain = fleet.domains[i];
    if (!by_name.emplace(domain.name.value, i).second) return {};
    if (!domain.hosts) continue;
    total += domain.hosts->size();
    if (total > Hostlist::kMaxExpanded || !domain.hosts->functions().empty()) return {};
    domain.hosts->each([&](std::string name) { nodes[i].push_back(std::move(name)); });
  }
  for (const std::size_t i : domains_bottom_up(fleet)) {
    const auto parent = by_name.find(fleet.domains[i].parent.value);
    if (!fleet.domains[i].parent.is_set() || parent == by_name.end() || parent->second == i) continue;
    nodes[parent->second].insert(nodes[parent->second].end(), nodes[i].begin(), nodes[i].end());
  }
  std::map<std::string, View> levels;
  for (std::size_t i = 0; i < fleet.domains.size(); ++i) {
    if (nodes[i].empty()) continue;
    View& view = levels[fleet.domains[i].level.value];
    view.file = fleet.file;
    view.id = fleet.file;
    Unit unit{fleet.domains[i].name, std::move(nodes[i])};
    if (fleet.domains[i].nodes.is_set()) unit.name.where = fleet.domains[i].nodes.where;
    view.units.push_back(std::move(unit));
  }
  std::vector<View> views;
  for (auto& [level, view] : levels) {
    view.index();
    views.push_back(std::move(view));
  }
  return views;
}

/// The HyperNodes of each tier whose nodes are all named.
std::vector<View> views_of(const Model& model, const std::string& bundle) {
  std::map<std::int64_t, View> tiers;
  for (const HyperNode& hyper_node : model.hyper_nodes) {
    if (hyper_node.bundle != bundle || !hyper_node.tier.known()) continue;
    Unit unit{hyper_node.name, {}};
    bool named = true;
    for (const HyperNodeMember& member : hyper_node.members) {
      named = named && member.type.value == "Node" && member.exact.is_set();
      if (named) unit.nodes.push_back(member.exact.value);
    }
    if (!named || unit.nodes.empty()) continue;
    View& view = tiers[hyper_node.tier.value];
    view.file = hyper_node.file;
    view.id = hyper_node.id;
    view.units.push_back(std::move(unit));
  }
  std::vector<View> views;
  for (auto& [tier, view] : tiers) {
    view.index();
    views.push_back(std::move(view));
  }
  return views;
}

/// `topo-switch:s1,topo-block:b1` of a node's annotation: the unit of each topology that it stands in. Source:
/// SlinkyProject/slurm-operator:docs/usage/topology.md (1.2).
constexpr std::string_view kSlinkyTopology = "topology.slinky.slurm.net/spec";

/// What labels of the Nodes of a bundle say of where they stand: labels that are known for it, and those that a
/// Topology of Kueue or KAI names.
class LabelViews {
 public:
  LabelViews(const Model& model, const std::string& bundle) {
    std::set<std::string_view> named;
    for (const LevelTopology& topology : model.level_topologies) {
      for (const TopologyLevel& level : topology.levels) named.insert(level.label.value);
    }
    const ManifestDef* nodes = &manifest_def("node_objects");
    for (const Manifest& node : model.manifests) {
      if (node.def != nodes || node.bundle != bundle) continue;
      const WrittenValue& labels = node.part("labels");
      for (std::size_t i = 0; i < labels.keys().size(); ++i) {
        const std::string key(labels.keys()[i]);
        if (key != "kubernetes.io/hostname" && (rank_of_level(key) || named.contains(key)) &&
            labels.items()[i].is_text())
          add(key, std::string(labels.items()[i].text()), labels.items()[i].where, node);
      }
      const WrittenValue* spec = node.part("annotations").find(kSlinkyTopology);
      if (spec == nullptr || !spec->is_text()) continue;
      for (const std::string_view one : split(spec->text(), ',')) {
        const std::size_t colon = one.rfind(':');
        if (colon != one.npos)
          add(std::string(kSlinkyTopology) + " " + std::string(one.substr(0, colon)),
              std::string(one.substr(colon + 1)), spec->where, node);
      }
    }
  }

  std::vector<View> run() {
    std::vector<View> out;
    for (auto& [label, view] : views_) {
      view.index();
      out.push_back(std::move(view));
    }
    return out;
  }

 private:
  void add(const std::string& label, const std::string& value, Span where, const Manifest& node) {
    View& view = views_[label];
    view.file = node.file;
    view.id = node.id;
    if (label.starts_with(kSlinkyTopology)) {
      const std::string_view path = std::string_view(label).substr(kSlinkyTopology.size() + 1);
      view.of = path.substr(0, path.find(':'));
    }
    const auto [at, fresh] = units_.try_emplace({label, value}, view.units.size());
    if (fresh) view.units.push_back({set_to(value, where), {}});
    view.units[at->second].nodes.push_back(node.name.value);
  }

  std::map<std::string, View> views_;
  std::map<std::pair<std::string, std::string>, std::size_t> units_;
};

/// Levels whose label no node of a dump has.
void find_unlabelled_nodes(Model& model) {
  std::map<std::string_view, std::size_t> nodes;  // by bundle: those of a running cluster
  std::set<std::pair<std::string_view, std::string_view>> labels;
  const ManifestDef* node_def = &manifest_def("node_objects");
  for (const Manifest& node : model.manifests) {
    if (node.def != node_def || node.part("info").state != State::Set) continue;
    ++nodes[node.bundle];
    for (const std::string_view key : node.part("labels").keys()) labels.emplace(node.bundle, key);
  }
  if (nodes.empty()) return;
  for (LevelTopology& topology : model.level_topologies) {
    const auto found = nodes.find(topology.bundle);
    if (found == nodes.end() || found->second < 2) continue;
    for (TopologyLevel& level : topology.levels)
      level.on_no_node = level.label.is_set() && !labels.contains({topology.bundle, level.label.value});
  }
}

/// How two views fit: for each unit of the one the unit of the other that most of their common nodes are in.
struct ViewFit {
  std::vector<std::size_t> match;  ///< by unit of the one; kNone: none
  std::size_t common = 0;
  std::size_t agreeing = 0;  ///< nodes of matching units
  bool refines = false;      ///< units of the one lie within units of the other, or the reverse
};
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

ViewFit fit(const View& one, const View& other) {
  std::vector<std::map<std::size_t, std::size_t>> there(one.units.size());
  std::vector<std::map<std::size_t, std::size_t>> here(other.units.size());
  ViewFit out;
  for (const auto& [node, unit] : one.unit_of) {
    const auto found = other.unit_of.find(node);
    if (found == other.unit_of.end()) continue;
    ++out.common;
    ++there[unit][found->second];
    ++here[found->second][unit];
  }
  const auto within = [](const auto& counts) {
    return std::ranges::all_of(counts, [](const auto& count) { return count.size() <= 1; });
  };
  out.refines = within(there) || within(here);
  const auto most = [](const std::map<std::size_t, std::size_t>& counts) {
    const auto best = std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; });
    return best == counts.end() ? kNone : best->first;
  };
  out.match.assign(one.units.size(), kNone);
  for (std::size_t u = 0; u < there.size(); ++u) {
    const std::size_t best = most(there[u]);
    if (best == kNone || most(here[best]) != u) continue;
    out.match[u] = best;
    out.agreeing += there[u][best];
  }
  return out;
}

class Drifts {
 public:
  explicit Drifts(Model& model) : model_(model), fleets_(model) {}

  void run() {
    for (const SlurmSite& site : model_.slurm_sites) compare_within(site);
    std::set<std::string> bundles;
    for (const Fleet& fleet : model_.fleets) bundles.insert(fleet.bundle);
    for (const HyperNode& hyper_node : model_.hyper_nodes) bundles.insert(hyper_node.bundle);
    const ManifestDef* nodes = &manifest_def("node_objects");
    for (const Manifest& one : model_.manifests) {
      if (one.def == nodes) bundles.insert(one.bundle);
    }
    for (const SlurmSite& site : model_.slurm_sites) {
      if (!site.topologies.empty()) bundles.insert(site.bundle);
    }
    for (const std::string& bundle : bundles) compare_bundle(bundle);
  }

 private:
  /// A topology.conf and the topology.yaml that replaces it.
  void compare_within(const SlurmSite& site) {
    for (const Topology& conf : site.topologies) {
      if (conf.yaml || !conf.shadowed) continue;
      std::vector<View> others;
      for (const Topology& yaml : site.topologies) {
        if (!yaml.yaml || yaml.kind != conf.kind) continue;
        if (std::optional<View> view = view_of(yaml)) others.push_back(std::move(*view));
      }
      if (const std::optional<View> view = view_of(conf))
        compare(*view, others, Missing::Told, [](const std::string&) { return true; });
    }
  }

  /// Only where there is one of a kind is it clear that they describe one network.
  void compare_bundle(const std::string& bundle) {
    const Fleet* fleet = fleets_.of(bundle);
    const SlurmSite* site = nullptr;
    int sites = 0;
    for (const SlurmSite& candidate : model_.slurm_sites) {
      if (candidate.bundle != bundle || candidate.topologies.empty()) continue;
      site = &candidate;
      ++sites;
    }
    const std::vector<View> hyper_nodes = views_of(model_, bundle);
    const std::vector<View> labels = LabelViews(model_, bundle).run();
    const std::vector<View> domains = fleet != nullptr ? views_of(*fleet) : std::vector<View>{};
    for (std::size_t t = 0; sites == 1 && t < site->topologies.size(); ++t) {
      const std::optional<View> view = site->topologies[t].shadowed ? std::nullopt : view_of(site->topologies[t]);
      if (!view) continue;
      if (fleet != nullptr)
        compare(*view, domains, Missing::Told,
                [own = nodes_under(*fleet, "slurm"), said = left_out(*site, *view)](const std::string& node) {
                  return own(node) && !said.contains(node);
                });
      compare(*view, hyper_nodes, Missing::Ignored, [](const std::string&) { return true; });
      compare(*view, about(labels, site->topologies[t]), Missing::Ignored, [](const std::string&) { return true; });
    }
    for (const View& view : labels) {
      if (fleet != nullptr) compare(view, domains, Missing::Ignored, [](const std::string&) { return true; });
    }
    for (const View& view : hyper_nodes) {
      compare(view, labels, Missing::Ignored, [](const std::string&) { return true; });
      if (fleet != nullptr) compare(view, domains, Missing::Told, nodes_under(*fleet, "kubernetes"));
    }
  }

  /// Nodes of slurm.conf that its topology leaves out: topology-node-in-no-leaf and its like speak of them.
  static std::set<std::string> left_out(const SlurmSite& site, const View& view) {
    std::set<std::string> out;
    std::uint64_t total = 0;
    for (const SlurmNodes& line : site.nodes) {
      if (!line.hosts || !line.hosts->functions().empty() || (total += line.hosts->size()) > Hostlist::kMaxExpanded)
        continue;
      line.hosts->each([&](std::string name) {
        if (!view.unit_of.contains(name)) out.insert(std::move(name));
      });
    }
    return out;
  }

  /// Those that speak of this topology, or do not say of which.
  static std::vector<View> about(const std::vector<View>& views, const Topology& topology) {
    std::vector<View> out;
    for (const View& view : views) {
      if (view.of.empty() || !topology.name.is_set() || view.of == topology.name.value) out.push_back(view);
    }
    return out;
  }

  /// False for nodes of pools that the fleet file gives to another control plane.
  static Eligible nodes_under(const Fleet& fleet, std::string_view plane) {
    std::set<std::string> others;
    for (const NodePool& pool : fleet.node_pools) {
      const Located<FactValue>& fact = pool.fact("control_plane");
      const auto* text = fact.is_set() ? std::get_if<std::string>(&fact.value) : nullptr;
      const bool own = text == nullptr || *text == plane || (*text == "k3s" && plane == "kubernetes");
      if (own || !pool.hosts || pool.hosts->size() > Hostlist::kMaxExpanded) continue;
      pool.hosts->each([&](std::string name) { others.insert(std::move(name)); });
    }
    return [others = std::move(others)](const std::string& node) { return !others.contains(node); };
  }

  /// The level of the other description that fits best; where it does not fit nearly, the two tell of different things.
  void compare(const View& one, const std::vector<View>& others, Missing missing, const Eligible& eligible) {
    const View* best = nullptr;
    ViewFit best_fit;
    for (const View& other : others) {
      ViewFit candidate = fit(one, other);
      if (candidate.common < 2 || (best != nullptr && candidate.agreeing <= best_fit.agreeing)) continue;
      best = &other;
      best_fit = std::move(candidate);
    }
    const bool nearly = best != nullptr && best_fit.agreeing * 4 >= best_fit.common * 3;
    if (!nearly) return;
    if (!best_fit.refines) tell_moved(one, *best, best_fit);
    if (missing == Missing::Ignored) return;
    std::vector<std::size_t> back(best->units.size(), kNone);
    for (std::size_t u = 0; u < one.units.size(); ++u) {
      if (best_fit.match[u] != kNone) back[best_fit.match[u]] = u;
    }
    tell_missing(one, *best, best_fit.match, eligible);
    tell_missing(*best, one, back, eligible);
  }

  void tell_moved(const View& one, const View& other, const ViewFit& how) {
    for (std::size_t u = 0; u < one.units.size(); ++u) {
      std::map<std::size_t, std::vector<std::string>> moved;
      for (const std::string& node : one.units[u].nodes) {
        const auto there = other.unit_of.find(node);
        if (one.unit_of.at(node) == u && there != other.unit_of.end() && there->second != how.match[u])
          moved[there->second].push_back(node);
      }
      for (auto& [unit, nodes] : moved) add(one, one.units[u].name, other, other.units[unit].name, std::move(nodes));
    }
  }

  /// Nodes of a unit, most of which the other description has in one of its own, that it does not have at all.
  void tell_missing(const View& one, const View& other, const std::vector<std::size_t>& match,
                    const Eligible& eligible) {
    for (std::size_t u = 0; u < one.units.size(); ++u) {
      if (match[u] == kNone) continue;
      std::vector<std::string> lost;
      std::size_t kept = 0;
      for (const std::string& node : one.units[u].nodes) {
        if (one.unit_of.at(node) != u || !eligible(node)) continue;
        other.unit_of.contains(node) ? static_cast<void>(++kept) : lost.push_back(node);
      }
      if (lost.empty() || kept <= lost.size()) continue;
      add(one, one.units[u].name, other, other.units[match[u]].name, std::move(lost));
      model_.topology_drifts.back().missing = true;
    }
  }

  void add(const View& one, const Located<std::string>& unit, const View& other, const Located<std::string>& other_unit,
           std::vector<std::string> nodes) {
    TopologyDrift drift;
    drift.unit = unit;
    drift.other = other_unit;
    drift.count = static_cast<std::int64_t>(nodes.size());
    nodes.resize(std::min(nodes.size(), kShown));
    drift.nodes = std::move(nodes);
    drift.other_file = other.file;
    drift.id = one.id + "/" + unit.value;
    model_.topology_drifts.push_back(std::move(drift));
  }

  Model& model_;
  BundleFleets fleets_;
};

}  // namespace

void find_topology_drifts(Model& model) {
  find_unlabelled_nodes(model);
  Drifts(model).run();
}

}  // namespace muster
