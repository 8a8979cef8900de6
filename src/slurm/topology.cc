#include "slurm/topology.h"

#include <algorithm>
#include <set>

#include "base/c_number.h"
#include "base/strings.h"
#include "syntax/placeholder.h"

namespace muster {
namespace {

using Place = TopologyKey::Place;
using What = TopologyMark::What;

Located<std::string> located(const ConfPair& pair, FieldName field) {
  // `Nodes=...` is how people leave out what does not matter in a sketch.
  const bool left_out = pair.value.find_first_not_of('.') == std::string::npos;
  if (left_out || is_placeholder(pair.value))
    return unknown_until<std::string>("a value for `" + pair.key + "`", pair.value_where, field);
  return set_to(pair.value, pair.value_where, field);
}

/// As strtoul in base 0 with a k for 1024 behind it, within 32 bits: what Slurm takes for an unsigned number.
bool is_uint32(std::string_view text) {
  if (equals_ignoring_case(text, "unlimited") || equals_ignoring_case(text, "infinite")) return true;
  const bool kilo = text.ends_with('k') || text.ends_with('K');
  if (kilo) text.remove_suffix(1);
  const std::optional<std::uint64_t> value = parse_c_number(text);
  return value && *value <= 0xFFFFFFFF / (kilo ? 1024u : 1u);
}

class ConfReader {
 public:
  ConfReader(const std::vector<const ConfLine*>& lines, SlurmSite& site, Topology& topology)
      : lines_(lines), marks_(site.topology_marks), topology_(topology) {}

  void run() {
    for (const ConfLine* line : lines_) {
      if (!line->pairs.empty()) read_line(*line);
      if (!line->rest.empty())
        syntax(line->rest_where, line->rest, !line->pairs.empty() && line->pairs.back().value.ends_with(','));
    }
  }

 private:
  TopologyMark& mark(What what, Located<std::string> name, std::string detail = {}) {
    marks_.push_back(topology_mark(topology_, what, std::move(name), std::move(detail)));
    return marks_.back();
  }
  void syntax(Span where, const std::string& text, bool spaced_list) {
    mark(What::Syntax, set_to(text, where), spaced_list ? "a list must not have blanks" : "Slurm expects `Key=Value`");
  }

  /// False for a key that no release has there; one that only some have is read and marked for the others.
  bool knows(const ConfPair& pair, Place place) {
    const TopologyKey* key = find_topology_key(topology_.kind, place, to_lower(pair.key));
    const Located<std::string> name = set_to(pair.key, pair.key_where);
    if (key == nullptr) {
      mark(What::UnknownKey, name, key_hint(pair.key));
      return false;
    }
    if (!key->releases.since.empty()) mark(What::UnknownKey, name).until = key->releases.since;
    if (!key->releases.until.empty()) mark(What::UnknownKey, name).since = key->releases.until;
    return true;
  }

  std::string key_hint(std::string_view key) const {
    const std::string lower = to_lower(key);
    for (const Topology::Kind kind : {Topology::Kind::Tree, Topology::Kind::Block, Topology::Kind::Ring}) {
      const bool other = kind != topology_.kind && (find_topology_key(kind, Place::Record, lower) ||
                                                    find_topology_key(kind, Place::Global, lower));
      if (other) return "it belongs to topology/" + std::string(name_of(kind));
    }
    return {};
  }

  void read_line(const ConfLine& line) {
    const ConfPair& first = line.pairs.front();
    const std::string lower = to_lower(first.key);
    if (find_topology_key(topology_.kind, Place::Global, lower) != nullptr) return read_global(line);
    if (!knows(first, Place::Record)) return;
    std::set<std::string> seen;
    for (std::size_t p = 1; p < line.pairs.size(); ++p) {
      const ConfPair& pair = line.pairs[p];
      if (!knows(pair, Place::InRecord)) continue;
      if (!seen.insert(to_lower(pair.key)).second) mark(What::RepeatedKey, set_to(pair.key, pair.key_where));
      const bool bad_number =
          equals_ignoring_case(pair.key, "linkspeed") && !is_placeholder(pair.value) && !is_uint32(pair.value);
      if (bad_number) mark(What::LinkSpeed, located(pair, "LinkSpeed"));
    }
    topology_.kind == Topology::Kind::Tree ? add_switch(line) : add_block(line);
  }

  void fill_unit(TopologyUnit& unit, const ConfLine& line) {
    unit.where = line.where;
    unit.name = located(line.pairs.front(), "Name");
    for (const ConfPair& pair : line.pairs) {
      if (equals_ignoring_case(pair.key, "nodes")) unit.nodes_text = located(pair, "Nodes");
    }
    unit.nodes = read_topology_list(unit.nodes_text, false, topology_, marks_);
  }

  void add_switch(const ConfLine& line) {
    Switch one;
    fill_unit(one, line);
    for (const ConfPair& pair : line.pairs) {
      if (equals_ignoring_case(pair.key, "switches")) one.children_text = located(pair, "Switches");
    }
    add_children(one, read_topology_list(one.children_text, true, topology_, marks_));
    topology_.switches.push_back(std::move(one));
  }

  void add_block(const ConfLine& line) {
    TopologyBlock block;
    fill_unit(block, line);
    topology_.blocks.push_back(std::move(block));
  }

  void read_global(const ConfLine& line) {
    const ConfPair& pair = line.pairs.front();
    knows(pair, Place::Global);
    if (line.pairs.size() > 1) syntax(line.pairs[1].key_where, line.pairs[1].key, false);
    if (equals_ignoring_case(pair.key, "blocklevels")) return read_levels(pair);
    if (topology_.block_sizes_where.placed()) {
      TopologyMark& repeated = mark(What::RepeatedKey, set_to(pair.key, pair.key_where));
      repeated.other = set_to(pair.key, topology_.block_sizes_where);
    }
    topology_.block_sizes_where = pair.key_where;
    topology_.block_sizes.clear();
    if (is_placeholder(pair.value)) return;
    for (const std::string_view piece : split(pair.value, ',')) {
      if (!piece.empty()) topology_.block_sizes.push_back({std::string(piece), pair.value_where, atoi_value(piece)});
    }
    if (topology_.block_sizes.empty()) topology_.block_sizes.push_back({pair.value, pair.value_where, 0});
  }

  /// Levels of 23.11: numbers and ranges below 16.
  void read_levels(const ConfPair& pair) {
    const Result<Hostlist> levels = Hostlist::parse("[" + pair.value + "]");
    const bool good = levels && levels->size() <= 16 &&
                      std::ranges::all_of(*levels->expand(16),
                                          [](const std::string& level) { return parse_int(level).value_or(16) < 16; });
    if (!good && !is_placeholder(pair.value))
      mark(What::BlockSizes, located(pair, "BlockLevels"), "levels are numbers and ranges from 0 to 15").until =
          "24.05";
  }

  const std::vector<const ConfLine*>& lines_;
  std::vector<TopologyMark>& marks_;
  Topology& topology_;
};

/// The kind of the first record that some plugin knows.
Topology::Kind kind_by_content(const std::vector<const ConfLine*>& lines) {
  for (const ConfLine* line : lines) {
    if (line->pairs.empty()) continue;
    const std::string key = to_lower(line->pairs.front().key);
    for (const Topology::Kind kind : {Topology::Kind::Tree, Topology::Kind::Block, Topology::Kind::Ring}) {
      if (find_topology_key(kind, Place::Record, key) || find_topology_key(kind, Place::Global, key)) return kind;
    }
  }
  return Topology::Kind::Other;
}

}  // namespace

std::int64_t atoi_value(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  std::int64_t value = 0;
  for (std::size_t i = 0; i < text.size() && text[i] >= '0' && text[i] <= '9' && value < (1LL << 40); ++i)
    value = value * 10 + (text[i] - '0');
  return negative ? -value : value;
}

std::optional<Hostlist> read_topology_list(const Located<std::string>& text, bool children, const Topology& topology,
                                           std::vector<TopologyMark>& marks) {
  if (!text.is_set()) return std::nullopt;
  Result<Hostlist> oldest = Hostlist::parse(text.value, HostlistDialect::V22_05);
  Result<Hostlist> middle = Hostlist::parse(text.value, HostlistDialect::V23_11);
  Result<Hostlist> newest = Hostlist::parse(text.value, HostlistDialect::V25_05);
  // An open bracket leaves 22.05 with a child of a name that no switch has: that is fatal, too.
  const bool old_bad = !oldest || (children && !middle);
  const auto add = [&](What what, std::string_view since, std::string_view until, const Result<Hostlist>& why) {
    TopologyMark mark = topology_mark(topology, what, text, why ? "" : why.error().message);
    mark.since = since;
    mark.until = until;
    marks.push_back(std::move(mark));
  };
  if (old_bad && !middle) {
    add(What::Hostlist, "", newest ? "25.05" : "", middle);
  } else if (old_bad) {
    add(What::Hostlist, "", "23.11", oldest);
  } else if (!middle) {
    add(What::OpenBracket, "", "", middle);
  }
  if (middle && !newest) add(What::Hostlist, "25.05", "", newest);
  // The level of such a switch is never found: its parent is then no tree, and without one slurmctld crashes.
  if (children && newest && newest->empty() && newest->functions().empty()) {
    marks.push_back(topology_mark(topology, What::Hostlist, text, "it names no switch"));
  }
  if (newest) return std::move(*newest);
  if (middle) return std::move(*middle);
  return std::nullopt;
}

void add_children(Switch& parent, const std::optional<Hostlist>& names) {
  // A list longer than any tree has switches is Slurm's problem to refuse, not ours to expand.
  constexpr std::uint64_t kMaxChildren = 65536;
  if (!names) return;
  for (const std::string& name : names->expand(kMaxChildren).value_or(std::vector<std::string>{})) {
    parent.children.push_back({name, parent.children_text.where, parent.name.value, false, {}});
  }
  // Of children no release makes anything out of a function: executed with 22.05.8, 24.11.5 and 26.05.5.
  for (const std::string& name : names->functions())
    parent.children.push_back({name, parent.children_text.where, parent.name.value, false, {}});
}

void read_topology_conf(const TopologyConfLines& conf, SlurmSite& site) {
  Topology topology;
  topology.file = conf.path;
  topology.missing_include = conf.missing_include;
  topology.where = conf.lines.empty() ? Span{conf.file, 0, 0} : conf.lines.front()->where;
  const SlurmSetting* plugin = site.setting("topologyplugin");
  const TopologyPlugin* known =
      plugin == nullptr || !plugin->value.is_set() ? nullptr : find_topology_plugin(plugin->value.value);
  topology.kind = known != nullptr && known->reads_conf ? known->kind : kind_by_content(conf.lines);
  // Without TopologyPlugin the flat plugin runs, which never opens the file.
  const bool open = known != nullptr ? known->reads_conf : plugin != nullptr || !site.complete;
  topology.plugin_reads_it = open;
  const std::size_t first = site.topology_marks.size();
  if (topology.kind != Topology::Kind::Other) ConfReader(conf.lines, site, topology).run();
  for (std::size_t m = first; m < site.topology_marks.size(); ++m)
    site.topology_marks[m].topology = site.topologies.size();
  site.topologies.push_back(std::move(topology));
}

}  // namespace muster
