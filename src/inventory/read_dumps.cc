#include "inventory/read_dumps.h"

#include <algorithm>
#include <array>
#include <deque>

#include "base/strings.h"
#include "input/kind.h"
#include "inventory/inventory.h"
#include "inventory/readers.h"
#include "kinds/recognise.h"
#include "slurm/scontrol_dump.h"
#include "syntax/json_reader.h"
#include "syntax/template_probe.h"
#include "syntax/yaml_reader.h"

namespace muster {
namespace {

constexpr std::size_t kMaxListDepth = 3;  // List within List

bool begins_a_line(std::string_view text, std::string_view words) {
  return text.starts_with(words) || contains(text, "\n" + std::string(words));
}

/// Whether a YAML document may be a dump, judged by its text: what is none is not parsed.
bool may_be_dump(std::string_view text) {
  for (const std::string_view kind :
       {"kind: Node", "kind: List", "kind: ResourceSlice", "kind: HyperNode", "kind: Topology"}) {
    if (contains(text, kind) && contains(text, "apiVersion:")) return true;
  }
  if (begins_a_line(text, "switches:") && begins_a_line(text, "blocks:")) return true;
  return begins_a_line(text, "meta:") &&
         (begins_a_line(text, "nodes:") || begins_a_line(text, "sinfo:") || begins_a_line(text, "partitions:"));
}

/// The same of a JSON text; a broken one is a finding only then.
bool may_be_json_dump(std::string_view text) {
  if (contains(text, "\"apiVersion\"") && contains(text, "\"kind\"")) return true;
  for (const std::string_view key : {"\"nodes\"", "\"sinfo\"", "\"partitions\"", "\"GpuIDList\"", "\"switches\""}) {
    if (contains(text, key)) return true;
  }
  return false;
}

/// What one file holds.
struct OneFile {
  std::deque<Document> documents;
  std::vector<DumpedObject> objects;  ///< of Kubernetes
  std::vector<Node> others;           ///< roots of documents in formats of their own
  ParsedFile slurm;
  bool scontrol = false;
  bool fabric = false;
  bool broken = false;  ///< ours, and it cannot be parsed
};

class DumpReader {
 public:
  DumpReader(const SourceMap& sources, const std::vector<FileContext>& files)
      : sources_(sources), files_(files), parsed_(files.size()), context_{sources, out_.dumps, out_.findings} {}

  DumpFiles run() {
    std::vector<DumpedObject> objects;
    std::vector<SlurmFile> slurm;
    for (std::size_t i = 0; i < files_.size(); ++i) {
      parse(static_cast<FileId>(i), parsed_[i]);
      objects.insert(objects.end(), parsed_[i].objects.begin(), parsed_[i].objects.end());
      for (const Artifact& artifact : parsed_[i].slurm.artifacts) slurm.push_back({&artifact, &files_[i]});
    }
    const std::vector<LabelLevels> kueue = kueue_levels(objects);
    for (std::size_t i = 0; i < files_.size(); ++i) read(static_cast<FileId>(i), parsed_[i], kueue);
    if (!slurm.empty()) read_slurm_sites(slurm, context_);
    std::ranges::stable_sort(out_.dumps, {}, &Dump::file);
    return std::move(out_);
  }

 private:
  void parse(FileId file, OneFile& one) {
    const std::string_view text = sources_.file(file).text();
    one.scontrol = is_scontrol_dump(text);
    one.fabric = !one.scontrol && looks_like_ibnetdiscover(text);
    if (one.scontrol || one.fabric) return;
    const std::string_view first = trim(text).substr(0, 1);
    if (first == "{" || first == "[") {
      if (!parse_json(file, text, one)) parse_slurm(file, one);
      return;
    }
    parse_yaml(file, text, one);
    if (one.objects.empty() && one.others.empty() && !one.broken) parse_slurm(file, one);
  }

  /// False where it is no JSON at all.
  bool parse_json(FileId file, std::string_view text, OneFile& one) {
    if (!may_be_json_dump(text)) return false;
    Document document;
    std::vector<Finding> findings;
    if (read_json(file, text, document, findings)) {
      one.documents.push_back(std::move(document));
      take(one.documents.back().root(), file, one, 0);
      return true;
    }
    one.broken = true;
    out_.findings.insert(out_.findings.end(), findings.begin(), findings.end());
    return true;
  }

  void parse_yaml(FileId file, std::string_view text, OneFile& one) {
    for (const Span& where : split_yaml_documents(file, text)) {
      if (!may_be_dump(text.substr(where.begin, where.end - where.begin))) continue;
      if (probe_template(text)) return;
      Document document;
      std::vector<Finding> findings;
      if (read_yaml(text, where, document, findings)) {
        one.documents.push_back(std::move(document));
        take(one.documents.back().root(), file, one, 0);
      } else {
        one.broken = true;
        out_.findings.insert(out_.findings.end(), findings.begin(), findings.end());
      }
    }
  }

  /// An object, the items of a list of objects, or a dump in a format of its own.
  static void take(const Node& node, FileId file, OneFile& one, std::size_t depth, bool listed = false) {
    const Node items = node["items"];
    if (node["kind"].text().ends_with("List") && items.is_sequence() && depth < kMaxListDepth) {
      for (std::size_t i = 0; i < items.size(); ++i) take(items.item(i), file, one, depth + 1, true);
    } else if (is_dumped_kind(node)) {
      one.objects.push_back({node, file, listed});
    } else if (looks_like_slurm_json(node) || looks_like_topograph(node)) {
      one.others.push_back(node);
    }
  }

  void parse_slurm(FileId file, OneFile& one) {
    parse_file(file, sources_, one.slurm);
    std::erase_if(one.slurm.artifacts, [](const Artifact& artifact) {
      constexpr std::array<std::string_view, 4> kRead{"gres-conf", "slurm-conf", "topology-conf", "topology-yaml"};
      return std::ranges::find(kRead, artifact.kind->id) == kRead.end();
    });
  }

  void read(FileId file, OneFile& one, const std::vector<LabelLevels>& kueue) {
    if (one.scontrol) return read_scontrol(file, context_);
    if (one.fabric) return read_ibnetdiscover(file, context_);
    if (!one.objects.empty()) read_kubernetes(one.objects, kueue, context_);
    for (const Node& root : one.others) {
      if (looks_like_slurm_json(root)) {
        read_slurm_json(root, file, context_);
      } else {
        read_topograph(root, file, context_);
      }
    }
    if (one.objects.empty() && one.others.empty() && one.slurm.artifacts.empty() && !one.broken)
      out_.unknown.push_back(file);
  }

  const SourceMap& sources_;
  const std::vector<FileContext>& files_;
  std::vector<OneFile> parsed_;  ///< nodes of documents point into it
  DumpFiles out_;
  DumpContext context_;
};

}  // namespace

DumpFiles read_dumps(const SourceMap& sources, const std::vector<FileContext>& files) {
  return DumpReader(sources, files).run();
}

std::string known_dumps() {
  return "scontrol show nodes, show partitions and show topology, as text or JSON; sinfo --json; nodes and partitions "
         "of slurmrestd\n"
         "slurm.conf, gres.conf, topology.conf, topology.yaml\n"
         "ibnetdiscover; models of topograph; NVLink nodes and topology graph of NetQ\n"
         "kubectl get nodes,resourceslices,hypernodes,topologies -o yaml or -o json";
}

}  // namespace muster
