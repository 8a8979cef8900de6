#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <set>

#include "base/strings.h"
#include "gang/scheduler.h"
#include "kubernetes/kind_file.h"
#include "observe/observed.h"
#include "observe/snapshot.h"
#include "syntax/json_lists.h"

namespace muster {
namespace {

// Keys that anything here is read from, besides those that the rows of kinds and schedulers name; all else is not even
// kept.
constexpr auto kWanted = std::to_array<std::string_view>({"affinity",
                                                          "allocatable",
                                                          "annotations",
                                                          "apiVersion",
                                                          "args",
                                                          "array_job_id",
                                                          "array_task_id",
                                                          "array_task_string",
                                                          "command",
                                                          "conditions",
                                                          "containers",
                                                          "controller",
                                                          "deletionTimestamp",
                                                          "effect",
                                                          "env",
                                                          "gres",
                                                          "gres_detail",
                                                          "het_job_id",
                                                          "het_job_offset",
                                                          "infinite",
                                                          "initContainers",
                                                          "involvedObject",
                                                          "items",
                                                          "job_id",
                                                          "job_state",
                                                          "jobs",
                                                          "key",
                                                          "kind",
                                                          "labels",
                                                          "lastTimestamp",
                                                          "limits",
                                                          "matchExpressions",
                                                          "matchFields",
                                                          "message",
                                                          "metadata",
                                                          "name",
                                                          "namespace",
                                                          "node",
                                                          "nodeAffinity",
                                                          "nodeName",
                                                          "nodeSelector",
                                                          "nodeSelectorTerms",
                                                          "node_count",
                                                          "nodes",
                                                          "number",
                                                          "operator",
                                                          "overhead",
                                                          "ownerReferences",
                                                          "partition",
                                                          "phase",
                                                          "real_memory",
                                                          "reason",
                                                          "regarding",
                                                          "requests",
                                                          "requiredDuringSchedulingIgnoredDuringExecution",
                                                          "resourceClaims",
                                                          "resources",
                                                          "restartPolicy",
                                                          "schedulerName",
                                                          "schedulingGates",
                                                          "set",
                                                          "spec",
                                                          "state_reason",
                                                          "status",
                                                          "taints",
                                                          "template",
                                                          "tolerations",
                                                          "tres_alloc_str",
                                                          "tres_per_job",
                                                          "tres_per_node",
                                                          "tres_per_socket",
                                                          "tres_per_task",
                                                          "tres_req_str",
                                                          "type",
                                                          "unschedulable",
                                                          "value",
                                                          "values"});

// Keys below which names are free.
constexpr auto kFree = std::to_array<std::string_view>(
    {"allocatable", "annotations", "labels", "limits", "nodeSelector", "overhead", "requests"});

/// Which keys of a dump are kept.
class Wanted {
 public:
  explicit Wanted(const KnownRows& known) : keys_(kWanted.begin(), kWanted.end()), free_(kFree.begin(), kFree.end()) {
    for (const KindFile* kind : known.kinds) add(*kind);
    for (const Scheduler& row : known.schedulers.schedulers) add(row);
  }

  bool operator()(const std::vector<std::string>& open, std::string_view key) const {
    if (free_.contains(open.back())) return key != "kubectl.kubernetes.io/last-applied-configuration";
    if (keys_.contains(key)) return true;
    return std::ranges::any_of(open, [&](const std::string& parent) { return whole_.contains(parent); });
  }

 private:
  using Keys = std::set<std::string_view, std::less<>>;

  void add(const KeyPath& path) { keys_.insert(path.begin(), path.end()); }
  void add(const std::vector<KindField>& fields) {
    for (const KindField& field : fields) {
      if (field.from != KindField::From::Object) continue;
      add(field.path);
      // Whatever an expression looks for in it.
      if (field.type == KindField::Type::Any && !field.path.empty()) whole_.insert(field.path.back());
    }
  }
  void add(const KindFile& kind) {
    add(kind.base);
    add(kind.metadata);
    add(kind.fields);
    for (const SetForm& set : kind.sets) {
      add(set.each);
      add(set.name_path);
      add(set.fields);
    }
    for (const RoleForm& role : kind.roles) {
      add(role.at);
      add(role.name_path);
      add(role.pods);
      if (role.otherwise) add(*role.otherwise);
      add(role.fields);
      if (!role.each) continue;
      add(*role.each);
      if (!role.each->empty()) free_.insert(role.each->back());
    }
  }
  void add(const Scheduler& row) {
    for (const MembershipMark& mark : row.membership) {
      if (mark.in != Mark::In::Field) continue;
      fields_.push_back(key_path(mark.key));
      add(fields_.back());
    }
    if (!row.pod_group) return;
    add(row.pod_group->min);
    add(row.pod_group->queue);
    for (const KeyPath& path : row.pod_group->conditions) add(path);
  }

  Keys keys_;
  Keys free_;
  Keys whole_;                  ///< of which everything is kept
  std::deque<KeyPath> fields_;  ///< texts of keys_ that no row holds
};

/// Reads a file. Items of a typed list need not say what they are; where the list says it behind them, it is read
/// twice.
class FileReader {
 public:
  FileReader(FileId file, const SourceMap& sources, const KnownRows& known, const Wanted& wanted, Snapshot& out)
      : file_(file), sources_(sources), known_(known), wanted_(wanted), out_(out) {}

  void run() {
    const std::size_t before = out_.findings.size();
    read();
    if (too_early_ && !listed_.kind.empty() && out_.findings.size() == before) read();  // now it is known what they are
    if (!ours_ && out_.findings.size() == before) out_.unknown.push_back(file_);
  }

 private:
  void read() {
    JsonLists lists;
    lists.wanted = std::cref(wanted_);
    lists.text = [&](std::string_view key, std::string_view text) {
      if (key == "apiVersion") listed_.api_version = text;
      if (key == "kind" && text.ends_with("List")) listed_.kind = text.substr(0, text.size() - 4);
    };
    lists.item = [&](std::string_view list, const Node& item) { read_item(list, item); };
    lists.root = [&](const Node& root) { read_root(root); };
    read_json_lists(file_, sources_.file(file_).text(), lists, out_.findings);
  }

  void read_item(std::string_view list, const Node& item) {
    ours_ = true;
    if (list == "items") {
      const bool bare = item["kind"].text().empty() && listed_.kind.empty();
      too_early_ = too_early_ || bare;
      // What a plain List holds says itself what it is.
      return bare ? void() : read_object(item, listed_.kind.empty() ? Listed{} : listed_, known_, out_);
    }
    if (too_early_) return;
    if (list == "jobs" && item["job_id"].exists()) return read_job(item, out_);
    if (list == "nodes" && item["name"].exists()) return read_slurm_node(item, out_);
  }

  void read_root(const Node& root) {
    const bool kubernetes = root["items"].is_sequence() || (root["kind"].exists() && root["metadata"].exists());
    const bool slurm = root["jobs"].is_sequence() || root["nodes"].is_sequence();
    ours_ = ours_ || kubernetes || slurm;
    out_.kubernetes = out_.kubernetes || kubernetes;
    out_.slurm = out_.slurm || slurm;
    if (kubernetes && !root["items"].is_sequence()) read_object(root, {}, known_, out_);
  }

  FileId file_;
  const SourceMap& sources_;
  const KnownRows& known_;
  const Wanted& wanted_;
  Snapshot& out_;
  Listed listed_;
  bool too_early_ = false;
  bool ours_ = false;
};

}  // namespace

Snapshot read_snapshot(const SourceMap& sources, const KnownRows& known) {
  Snapshot out;
  const Wanted wanted(known);
  for (std::size_t i = 0; i < sources.size(); ++i)
    FileReader(static_cast<FileId>(i), sources, known, wanted, out).run();
  return out;
}

std::string known_observations() {
  return "kubectl get pods,podgroups,nodes -A -o json  (also jobs, jobsets and other workloads, events, one file or "
         "several)\n"
         "squeue --json  (and scontrol show nodes --json)\n";
}

}  // namespace muster
