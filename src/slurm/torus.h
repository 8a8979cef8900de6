#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/topology.h"
#include "syntax/document.h"

namespace muster {

/// Reads fields of topology.yaml as Slurm's parser does; what it refuses or passes over becomes a mark of the topology.
class YamlFields {
 public:
  YamlFields(const Topology& topology, std::vector<TopologyMark>& marks);

  TopologyMark& mark(TopologyMark::What what, Located<std::string> name, std::string detail = {});
  void wrong_type(const Node& node, std::string_view field, std::string_view expected);
  /// Marks keys that no release reads at this level (`tree.switches`), or only some.
  void check_keys(const Node& node, std::string_view level);
  /// The mappings of a list, or the one mapping that stands in its place.
  std::vector<Node> items(const Node& node, std::string_view level);
  bool is_mapping(const Node& node, std::string_view level);
  /// Absent where nothing or an empty text is given.
  Located<std::string> text(const Node& node, FieldName field);
  std::optional<std::int64_t> number(const Node& node, FieldName field);

 private:
  const Topology& topology_;
  std::vector<TopologyMark>& marks_;
};

/// Dimensions, regions and placements of a torus. Regions that can be read become the nodes of the torus.
/// Source: SchedMD/slurm:src/plugins/topology/torus3d/torus3d_record.c (26.05).
void check_torus(const Node& node, TopologyBlock& torus, YamlFields& fields);

}  // namespace muster
