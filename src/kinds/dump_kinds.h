#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "input/artifact.h"
#include "source/source_map.h"

namespace muster {

/// What one of a scheduler's or a fabric's programs prints, for `muster inventory`; no config, and none to check.
struct DumpKind {
  enum class Form : unsigned char { Text, Tree, Object };  ///< of Kubernetes
  std::string_view id;                                     ///< scontrol, ibnetdiscover, slurm-json, kubernetes-node ...
  Form form = Form::Tree;
  bool (*is_text)(std::string_view) = nullptr;
  bool (*is_tree)(const Node&) = nullptr;
  std::string_view group;                    ///< of an object's API, whatever the version
  std::string_view object_kind;              ///< Node
  std::span<const std::string_view> keys;    ///< of a tree: all stand in its root ...
  std::span<const std::string_view> one_of;  ///< ... and one of these, where there are any
};

/// Sorted by id; of the forms that a text or tree has the first counts.
std::span<const DumpKind> all_dump_kinds();
/// The dump that an object of Kubernetes is; nullptr for other objects.
const DumpKind* find_dumped_object(std::string_view group, std::string_view object_kind);

/// An object or a tree of a dump.
struct DumpedThing {
  const DumpKind* kind = nullptr;
  Node node;
  bool listed = false;  ///< in a list, as `kubectl get` of all nodes prints it
};

/// What an inventory takes a file for. Nodes point into `file`: it must not move.
struct ParsedDump {
  ParsedFile file;                 ///< its artifacts are configs, such as slurm.conf
  const DumpKind* text = nullptr;  ///< of a text that is a dump as a whole
  std::vector<DumpedThing> things;
  bool broken = false;  ///< a dump that cannot be parsed: the findings of `file` say why
};

/// Recognises a file as parse_file does, dumps before all.
void parse_dump(FileId file, const SourceMap& sources, ParsedDump& out);

// The lists of Slurm's JSON; false for an empty one.
bool lists_slurm_nodes(const Node& list);
bool lists_slurm_partitions(const Node& list);
bool lists_slurm_groups(const Node& list);  ///< of sinfo: nodes that are alike

}  // namespace muster
