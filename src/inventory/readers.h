#pragma once

#include <string_view>

#include "inventory/dump.h"
#include "kinds/dump_kinds.h"
#include "slurm/site.h"
#include "syntax/document.h"

namespace muster {

// One for each format: what it says. What a file is, kinds/dump_kinds.h knows.

/// `scontrol show nodes`, `show partitions`, `show topology`, with or without -o, one behind the other as they come;
/// see is_scontrol_dump.
void read_scontrol(FileId file, DumpContext& context);

/// `scontrol show config`, wherever it begins in the file: what the cluster and its hosts are called, and its release.
void read_scontrol_config(FileId file, DumpContext& context);

/// `scontrol show nodes --json`, `show partitions --json`, `sinfo --json`, the same from slurmrestd and with --yaml, of
/// all data parsers since 21.08.
void read_slurm_json(const Node& root, FileId file, DumpContext& context);

/// slurm.conf, gres.conf, topology.conf and topology.yaml, joined as `muster check` joins them.
void read_slurm_sites(const std::vector<SlurmFile>& files, DumpContext& context);

/// `ibnetdiscover`. Switches that reach the same hosts are one domain, named after the first of them.
void read_ibnetdiscover(FileId file, DumpContext& context);

/// Labels of Kubernetes nodes that are levels of a topology, widest first; a Topology of Kueue or KAI names others.
struct LabelLevels {
  std::vector<std::string> keys;
  Span where;
};

/// An object of a Kubernetes dump and its file. Lists are taken apart before.
struct DumpedObject {
  const DumpKind* kind = nullptr;
  Node object;
  FileId file = FileId::None;
  bool listed = false;  ///< in a list, as `kubectl get` of all nodes prints it
};

/// The dump of a list of objects of one kind, yet without what they say.
Dump dump_of_objects(const std::vector<DumpedObject>& objects, std::string_view format, int rank);
std::vector<LabelLevels> topology_levels(const std::vector<DumpedObject>& objects);
/// The objects of one file.
void read_kubernetes(const std::vector<DumpedObject>& objects, const std::vector<LabelLevels>& levels,
                     DumpContext& context);
void read_resource_slices(const std::vector<DumpedObject>& slices, DumpContext& context);
void read_hyper_nodes(const std::vector<DumpedObject>& hyper_nodes, DumpContext& context);

/// Models of topograph, and the two answers of NetQ that topograph reads.
void read_topograph(const Node& root, std::string_view kind, FileId file, DumpContext& context);

}  // namespace muster
