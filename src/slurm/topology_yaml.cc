#include <algorithm>
#include <map>

#include "base/strings.h"
#include "slurm/topology.h"
#include "slurm/torus.h"
#include "syntax/placeholder.h"
#include "syntax/read_value.h"

namespace muster {

using What = TopologyMark::What;

YamlFields::YamlFields(const Topology& topology, std::vector<TopologyMark>& marks)
    : topology_(topology), marks_(marks) {}

TopologyMark& YamlFields::mark(What what, Located<std::string> name, std::string detail) {
  marks_.push_back(topology_mark(topology_, what, std::move(name), std::move(detail)));
  return marks_.back();
}

void YamlFields::wrong_type(const Node& node, std::string_view field, std::string_view expected) {
  mark(What::FieldType, set_to(std::string(field), node.where()),
       "expected " + std::string(expected) + ", got " + describe(node));
}

bool YamlFields::is_mapping(const Node& node, std::string_view level) {
  if (node.is_mapping()) return true;
  if (node.exists()) wrong_type(node, level, "a mapping");
  return false;
}

void YamlFields::check_keys(const Node& node, std::string_view level) {
  std::vector<std::string_view> names;
  for (const TopologyField& field : topology_fields()) {
    if (field.level == level) names.push_back(field.name);
  }
  for (std::size_t i = 0; node.is_mapping() && i < node.size(); ++i) {
    const std::string key(node.key(i).text());
    const auto known = std::ranges::find_if(
        topology_fields(), [&](const TopologyField& field) { return field.level == level && field.name == key; });
    const Located<std::string> name = set_to(key, node.key(i).where());
    if (known == topology_fields().end()) {
      TopologyMark& unknown = mark(What::UnknownField, name);
      const auto same =
          std::ranges::find_if(names, [&](std::string_view other) { return equals_ignoring_case(other, key); });
      const std::optional<std::string_view> guess = same != names.end() ? std::optional(*same) : nearest(key, names);
      if (guess) unknown.near_miss = *guess;
    } else if (!known->releases.since.empty()) {
      mark(What::UnknownField, name).until = known->releases.since;
    }
  }
}

std::vector<Node> YamlFields::items(const Node& node, std::string_view level) {
  std::vector<Node> out;
  if (!node.exists() || node.is_null()) return out;
  if (node.is_mapping()) {
    out.push_back(node);  // one alone needs no list
  } else if (!node.is_sequence()) {
    wrong_type(node, level, "a list");
  }
  for (std::size_t i = 0; node.is_sequence() && i < node.size(); ++i) out.push_back(node.item(i));
  std::erase_if(out, [&](const Node& item) { return !is_mapping(item, level); });
  for (const Node& item : out) check_keys(item, level);
  return out;
}

Located<std::string> YamlFields::text(const Node& node, FieldName field) {
  Located<std::string> out;
  out.where = node.where();
  out.field = field;
  if (!node.exists() || node.is_null()) return out;
  if (!node.is_scalar()) {
    wrong_type(node, field, "a text");
    return unknown_until<std::string>("a value for `" + std::string(field) + "`", node.where(), field);
  }
  if (node.text().empty()) return out;
  if (is_placeholder(node.text()))
    return unknown_until<std::string>("a value for `" + std::string(field) + "`", node.where(), field);
  return set_to(std::string(node.text()), node.where(), field);
}

std::optional<std::int64_t> YamlFields::number(const Node& node, FieldName field) {
  if (!node.exists() || node.is_null()) return std::nullopt;
  const std::optional<std::int64_t> value = node.is_scalar() ? parse_int(node.text()) : std::nullopt;
  if (!value && !(node.is_scalar() && is_placeholder(node.text()))) wrong_type(node, field, "an integer");
  return value;
}

namespace {

class TopologyReader {
 public:
  TopologyReader(Topology& topology, std::vector<TopologyMark>& marks)
      : topology_(topology), marks_(marks), fields_(topology, marks) {}

  void run(const Node& entry) {
    fields_.check_keys(entry, "");
    topology_.name = fields_.text(entry["topology"], "topology");
    const Node fallback = entry["cluster_default"];
    if (fallback.is_sequence() || fallback.is_mapping())
      fields_.wrong_type(fallback, "cluster_default", "true or false");
    choose_kind(entry);
    if (topology_.kind == Topology::Kind::Tree) read_tree(entry["tree"]);
    if (topology_.kind == Topology::Kind::Block) read_blocks(entry["block"]);
    if (topology_.kind == Topology::Kind::Ring) read_rings(entry["ring"]);
    if (topology_.kind == Topology::Kind::Torus) read_toruses(entry["torus3d"]);
    if (topology_.kind == Topology::Kind::Flat && entry["flat"].is_mapping()) fields_.check_keys(entry["flat"], "flat");
  }

 private:
  struct Type {
    std::string_view key;
    Topology::Kind kind;
    std::string_view since;
  };
  static constexpr Type kTypes[] = {{"tree", Topology::Kind::Tree, ""},
                                    {"block", Topology::Kind::Block, ""},
                                    {"flat", Topology::Kind::Flat, ""},
                                    {"ring", Topology::Kind::Ring, "26.05"},
                                    {"torus3d", Topology::Kind::Torus, "26.05"}};

  /// Whether a topology is of the type; `{}` beside another type is what scontrol show topoconf writes, and says
  /// nothing.
  bool is_given(const Node& entry, const Type& type) {
    const Node node = entry[type.key];
    if (!node.exists() || node.is_null()) return false;
    if (type.kind == Topology::Kind::Flat && node.is_scalar()) {
      constexpr std::string_view kTrue[] = {"true", "yes", "y", "on", "1"};
      return std::ranges::any_of(kTrue, [&](std::string_view word) { return equals_ignoring_case(node.text(), word); });
    }
    if (!node.is_mapping())
      fields_.wrong_type(node, type.key, type.kind == Topology::Kind::Flat ? "true or a mapping" : "a mapping");
    return node.size() > 0 || type.kind == Topology::Kind::Flat;
  }

  void choose_kind(const Node& entry) {
    topology_.kind = Topology::Kind::Other;
    const Type* chosen = nullptr;
    for (const Type& type : kTypes) {
      if (!is_given(entry, type)) continue;
      if (chosen != nullptr) {
        TopologyMark& mark = fields_.mark(
            What::TypesConflict, set_to(std::string(type.key), entry[type.key].key_where()), std::string(chosen->key));
        mark.other = set_to(std::string(chosen->key), entry[chosen->key].key_where());
        mark.since = type.since;
        continue;
      }
      chosen = &type;
      topology_.kind = type.kind;
    }
    if (chosen != nullptr && chosen->since.empty()) return;
    TopologyMark& mark = fields_.mark(What::TypeMissing, set_to(topology_.name.value, topology_.where));
    if (chosen != nullptr) mark.until = chosen->since;
  }

  void fill_unit(TopologyUnit& unit, const Node& node, FieldName name_key, std::string_view what) {
    unit.yaml = true;
    unit.name = fields_.text(node[name_key], name_key);
    unit.where = node[name_key].where();
    if (unit.name.state == State::Absent) {
      fields_.mark(What::FieldType, set_to(std::string(name_key), node.where()),
                   "a " + std::string(what) + " needs a name");
    }
    unit.nodes_text = fields_.text(node["nodes"], "nodes");
    unit.nodes = read_topology_list(unit.nodes_text, false, topology_, marks_);
  }

  void read_tree(const Node& tree) {
    fields_.check_keys(tree, "tree");
    for (const Node& node : fields_.items(tree["switches"], "tree.switches")) {
      Switch one;
      fill_unit(one, node, "switch", "switch");
      one.children_text = fields_.text(node["children"], "children");
      // Beside nodes the children are ignored, whoever they are.
      if (one.nodes_text.state == State::Absent)
        add_children(one, read_topology_list(one.children_text, true, topology_, marks_));
      topology_.switches.push_back(std::move(one));
    }
  }

  void read_blocks(const Node& block) {
    fields_.check_keys(block, "block");
    const Node sizes = block["block_sizes"];
    topology_.block_sizes_where = sizes.key_where();
    std::vector<Node> values;
    if (sizes.is_sequence()) {
      for (std::size_t i = 0; i < sizes.size(); ++i) values.push_back(sizes.item(i));
    } else if (sizes.is_null()) {
      fields_.wrong_type(sizes, "block_sizes", "a number or a list of them");
    } else if (sizes.exists()) {
      values.push_back(sizes);
    }
    for (const Node& value : values) {
      if (const std::optional<std::int64_t> size = fields_.number(value, "block_sizes")) {
        topology_.block_sizes.push_back({std::string(value.text()), value.where(), *size});
      }
    }
    add_units(block["blocks"], "block.blocks", "block", "block");
  }

  void read_rings(const Node& ring) {
    fields_.check_keys(ring, "ring");
    add_units(ring["rings"], "ring.rings", "ring", "ring");
  }

  void add_units(const Node& list, std::string_view level, FieldName name_key, std::string_view what) {
    for (const Node& node : fields_.items(list, level)) {
      TopologyBlock unit;
      fill_unit(unit, node, name_key, what);
      topology_.blocks.push_back(std::move(unit));
    }
  }

  void read_toruses(const Node& torus3d) {
    fields_.check_keys(torus3d, "torus3d");
    for (const Node& node : fields_.items(torus3d["toruses"], "torus3d.toruses")) {
      TopologyBlock torus;
      fill_unit(torus, node, "name", "torus");
      check_torus(node, torus, fields_);
      topology_.blocks.push_back(std::move(torus));
    }
  }

  Topology& topology_;
  std::vector<TopologyMark>& marks_;
  YamlFields fields_;
};

bool is_yes_to_slurm(const Node& node) {
  return equals_ignoring_case(node.text(), "true") || equals_ignoring_case(node.text(), "yes") ||
         equals_ignoring_case(node.text(), "on");
}

/// What the entries say of each other: the default and their names.
void compare_entries(const std::vector<Node>& entries, std::size_t first, SlurmSite& site) {
  const Node* fallback = nullptr;
  std::map<std::string, std::size_t> names;
  const auto add = [&](std::size_t e, What what, Located<std::string> other) {
    const Topology& topology = site.topologies[first + e];
    const Span where = what == What::SecondDefault ? entries[e]["cluster_default"].where() : topology.where;
    TopologyMark mark = topology_mark(topology, what, set_to(topology.name.value, where), {});
    mark.other = std::move(other);
    mark.topology = first + e;
    site.topology_marks.push_back(std::move(mark));
  };
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const std::string& name = site.topologies[first + e].name.value;
    if (const auto [entry, fresh] = names.emplace(name, e); !fresh)
      add(e, What::SameName, site.topologies[first + entry->second].name);
    if (!is_yes_to_slurm(entries[e]["cluster_default"])) continue;
    if (fallback != nullptr)
      add(e, What::SecondDefault, set_to(std::string("true"), (*fallback)["cluster_default"].where()));
    if (fallback == nullptr) site.topologies[first + e].is_default = true;
    if (fallback == nullptr) fallback = &entries[e];
  }
  if (fallback == nullptr && entries.size() > 1) add(0, What::NoDefault, {});
}

void mark_file(SlurmSite& site, const std::string& path, Span where, What what, const std::string& detail) {
  Topology topology;
  topology.yaml = true;
  topology.kind = Topology::Kind::Other;
  topology.file = path;
  topology.where = {where.file, 0, 0};
  TopologyMark mark = topology_mark(topology, what, set_to(path.substr(path.rfind('/') + 1), where), detail);
  mark.topology = site.topologies.size();
  site.topology_marks.push_back(std::move(mark));
  site.topologies.push_back(std::move(topology));
}

}  // namespace

void read_topology_yaml(const Artifact& artifact, const std::string& path, SlurmSite& site) {
  const Node root = artifact.object;
  const Span top{artifact.file, 0, 0};
  if (!artifact.trouble.empty())
    return mark_file(site, path, artifact.trouble_where, What::YamlSyntax, artifact.trouble);
  if (!root.exists() || root.is_null()) return mark_file(site, path, top, What::YamlEmpty, {});
  if (root.is_sequence() && root.size() == 0) return mark_file(site, path, root.where(), What::YamlEmptyList, {});
  if (!root.is_sequence() && !root.is_mapping())
    return mark_file(site, path, root.where(), What::FieldType, "expected a list of topologies, got " + describe(root));
  std::vector<Node> entries;
  const std::size_t first = site.topologies.size();
  for (std::size_t e = 0; e < (root.is_sequence() ? root.size() : 1); ++e) {
    const Node entry = root.is_sequence() ? root.item(e) : root;
    if (!entry.is_mapping()) {
      mark_file(site, path, entry.where(), What::FieldType, "expected a topology, got " + describe(entry));
      return;
    }
    Topology topology;
    topology.yaml = true;
    topology.file = path;
    topology.where = entry["topology"].exists() ? entry["topology"].where() : entry.where();
    const std::size_t before = site.topology_marks.size();
    TopologyReader(topology, site.topology_marks).run(entry);
    for (std::size_t m = before; m < site.topology_marks.size(); ++m)
      site.topology_marks[m].topology = site.topologies.size();
    site.topologies.push_back(std::move(topology));
    entries.push_back(entry);
  }
  compare_entries(entries, first, site);
}

}  // namespace muster
