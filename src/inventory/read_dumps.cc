#include "inventory/read_dumps.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "input/kind.h"
#include "inventory/inventory.h"
#include "inventory/readers.h"
#include "kinds/dump_kinds.h"

namespace muster {
namespace {

/// What an inventory makes something of, besides dumps.
constexpr std::array<std::string_view, 4> kConfigs{"gres-conf", "slurm-conf", "topology-conf", "topology-yaml"};

bool is_object(const DumpedThing& thing) { return thing.kind->form == DumpKind::Form::Object; }

class DumpReader {
 public:
  DumpReader(const SourceMap& sources, const std::vector<FileContext>& files)
      : sources_(sources), files_(files), parsed_(files.size()), context_{sources, out_.dumps, out_.findings} {}

  DumpFiles run() {
    std::vector<DumpedObject> objects;
    std::vector<SlurmFile> slurm;
    for (std::size_t i = 0; i < files_.size(); ++i) {
      ParsedDump& one = parsed_[i];
      const auto file = static_cast<FileId>(i);
      parse_dump(file, sources_, one);
      std::erase_if(one.file.artifacts, [](const Artifact& artifact) {
        return std::ranges::find(kConfigs, artifact.kind->id) == kConfigs.end();
      });
      for (const DumpedObject& object : objects_of(one)) objects.push_back(object);
      for (const Artifact& artifact : one.file.artifacts) slurm.push_back({&artifact, &files_[i]});
      if (one.broken) std::ranges::copy(one.file.findings, std::back_inserter(out_.findings));
    }
    const std::vector<LabelLevels> levels = topology_levels(objects);
    for (std::size_t i = 0; i < files_.size(); ++i) read(static_cast<FileId>(i), parsed_[i], levels);
    if (!slurm.empty()) read_slurm_sites(slurm, context_);
    std::ranges::stable_sort(out_.dumps, {}, &Dump::file);
    return std::move(out_);
  }

 private:
  static std::vector<DumpedObject> objects_of(const ParsedDump& one) {
    std::vector<DumpedObject> out;
    for (const DumpedThing& thing : one.things) {
      if (is_object(thing)) out.push_back({thing.kind, thing.node, one.file.file, thing.listed});
    }
    return out;
  }

  void read(FileId file, const ParsedDump& one, const std::vector<LabelLevels>& levels) {
    if (one.text != nullptr && one.text->id == "scontrol") {
      read_scontrol(file, context_);
      return read_scontrol_config(file, context_);
    }
    if (one.text != nullptr) return read_ibnetdiscover(file, context_);
    if (const std::vector<DumpedObject> objects = objects_of(one); !objects.empty())
      read_kubernetes(objects, levels, context_);
    for (const DumpedThing& thing : one.things) {
      if (is_object(thing)) continue;
      if (thing.kind->id == "slurm-json")
        read_slurm_json(thing.node, file, context_);
      else
        read_topograph(thing.node, thing.kind->id, file, context_);
    }
    if (one.things.empty() && one.file.artifacts.empty() && !one.broken) out_.unknown.push_back(file);
  }

  const SourceMap& sources_;
  const std::vector<FileContext>& files_;
  std::vector<ParsedDump> parsed_;  ///< nodes of documents point into it
  DumpFiles out_;
  DumpContext context_;
};

}  // namespace

DumpFiles read_dumps(const SourceMap& sources, const std::vector<FileContext>& files) {
  return DumpReader(sources, files).run();
}

std::string known_dumps() {
  return "scontrol show nodes, show partitions and show topology, as text or JSON; show config as text; sinfo --json; "
         "nodes and partitions "
         "of slurmrestd\n"
         "slurm.conf, gres.conf, topology.conf, topology.yaml\n"
         "ibnetdiscover; models of topograph; NVLink nodes and topology graph of NetQ\n"
         "kubectl get nodes,resourceslices,hypernodes,topologies -o yaml or -o json";
}

}  // namespace muster
