#include "model/topology.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace muster {
namespace {

constexpr std::size_t kMaxRing = 16;  // MAX_RING_SIZE of SchedMD/slurm:src/plugins/topology/ring/ring_record.h (26.05)

void keep_first(std::vector<std::string>& shown, std::int64_t& count, const std::string& name) {
  ++count;
  if (shown.size() < kShown) shown.push_back(name);
}

/// Which unit has each node. Nodes of the site have numbers by their place in its list; without one they are numbered
/// as they come.
class Placement {
 public:
  explicit Placement(const std::vector<std::string>* site) : site_(site), owners_(site == nullptr ? 0 : site->size()) {}

  std::optional<std::size_t> number_of(const std::string& name) {
    if (site_ == nullptr) {
      const auto [entry, fresh] = numbers_.emplace(name, numbers_.size());
      if (fresh) owners_.emplace_back();
      return entry->second;
    }
    const auto found = std::ranges::lower_bound(*site_, name);
    if (found == site_->end() || *found != name) return std::nullopt;
    return static_cast<std::size_t>(found - site_->begin());
  }

  struct Owners {
    std::optional<std::size_t> first;
    std::optional<std::size_t> last;
  };
  Owners& owners(std::size_t number) { return owners_[number]; }
  const std::vector<Owners>& all() const { return owners_; }

 private:
  const std::vector<std::string>* site_;
  std::unordered_map<std::string, std::size_t> numbers_;
  std::vector<Owners> owners_;
};

void place_nodes(TopologyUnit& unit, std::size_t index, Placement& placement) {
  unit.nodes->each([&](const std::string& name) {
    const std::optional<std::size_t> number = placement.number_of(name);
    if (!number) return keep_first(unit.unknown_nodes, unit.unknown_count, name);
    Placement::Owners& owners = placement.owners(*number);
    if (owners.last == index) return keep_first(unit.repeated_nodes, unit.repeated_count, name);
    ++unit.size;
    if (owners.first) {
      if (!unit.shared_with) unit.shared_with = *owners.first;
      keep_first(unit.shared_nodes, unit.shared_count, name);
    } else {
      owners.first = index;
      ++unit.own_count;
    }
    owners.last = index;
  });
}

/// Whether slurmctld, which counts only nodes it knows, meets one more behind the sixteenth.
bool exceeds_ring(const TopologyUnit& unit, Placement& placement) {
  std::size_t known = 0;
  bool over = false;
  unit.nodes->each([&](const std::string& name) {
    over = over || known >= kMaxRing;
    known += placement.number_of(name) ? 1 : 0;
  });
  return over;
}

template <class Unit>
void find_duplicates(std::vector<Unit>& units) {
  std::unordered_map<std::string_view, std::size_t> by_name;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const auto [entry, fresh] = by_name.emplace(units[i].name.value, i);
    if (!fresh) units[i].duplicate_of = entry->second;
  }
}

/// False when the lists hold more than any cluster.
template <class Unit>
bool place_all(std::vector<Unit>& units, Placement& placement) {
  std::uint64_t total = 0;
  for (const Unit& unit : units) total += unit.nodes ? unit.nodes->size() : 0;
  if (total > Hostlist::kMaxExpanded) return false;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (units[i].nodes) place_nodes(units[i], i, placement);
  }
  return true;
}

template <class Unit>
bool all_readable(const std::vector<Unit>& units) {
  return std::ranges::all_of(units, [](const Unit& unit) {
    return (unit.nodes_text.state == State::Absent || unit.nodes) && (!unit.nodes || unit.nodes->functions().empty());
  });
}

}  // namespace

TopologyMark topology_mark(const Topology& topology, TopologyMark::What what, Located<std::string> name,
                           std::string detail) {
  TopologyMark mark;
  mark.what = what;
  mark.name = std::move(name);
  mark.detail = std::move(detail);
  mark.yaml = topology.yaml;
  return mark;
}

void analyse_topology(Topology& topology, const std::vector<std::string>* site_nodes,
                      std::vector<TopologyMark>& marks) {
  find_duplicates(topology.switches);
  find_duplicates(topology.blocks);
  Placement placement(site_nodes);
  const bool placed = place_all(topology.switches, placement) && place_all(topology.blocks, placement);
  if (placed && topology.kind == Topology::Kind::Ring) {
    for (TopologyBlock& ring : topology.blocks) ring.too_long = ring.nodes && exceeds_ring(ring, placement);
  }
  for (const Placement::Owners& owners : placement.all()) topology.placed_count += owners.first ? 1 : 0;
  const bool has_units = !topology.switches.empty() || !topology.blocks.empty();
  if (site_nodes != nullptr && placed && has_units && all_readable(topology.switches) &&
      all_readable(topology.blocks)) {
    for (std::size_t i = 0; i < site_nodes->size(); ++i) {
      if (!placement.owners(i).first) keep_first(topology.unplaced_nodes, topology.unplaced_count, (*site_nodes)[i]);
    }
  }
  analyse_switches(topology, marks);
  if (placed) analyse_blocks(topology, marks);
}

}  // namespace muster
