#include <algorithm>

#include "base/strings.h"
#include "gang/manifest.h"
#include "gang/membership.h"
#include "model/model.h"
#include "observe/snapshot.h"

namespace muster {
namespace {

std::string space_of(const Node& metadata) {
  return metadata["namespace"].text().empty() ? "default" : std::string(metadata["namespace"].text());
}

/// A message of the conditions that is recognised; the first.
std::string telling_condition(const Node& conditions) {
  std::string out;
  each_item(conditions, [&](const Node& one) {
    const std::string message = std::string(one["reason"].text()) + ": " + std::string(one["message"].text());
    if (out.empty() && recognise_tell(message) != nullptr) out = message.substr(0, kMessageKept);
  });
  return out;
}

void read_pod_group(const Node& object, const Scheduler& row, Snapshot& out) {
  const PodGroupForm& form = *row.pod_group;
  const Node spec = object["spec"];
  PodGroupRecord record;
  if (const auto value = parse_int(at_path(spec, form.min).text()); value && *value > 0) {
    record.min = value;
    record.min_from = form.min.back() + " of its PodGroup";
  }
  if (!form.queue.empty()) record.queue = at_path(spec, form.queue).text();
  for (const KeyPath& conditions : form.conditions) {
    if (record.message.empty()) record.message = telling_condition(at_path(object, conditions));
  }
  out.groups[row.id + "/" + space_of(object["metadata"]) + "/" + std::string(object["metadata"]["name"].text())] =
      std::move(record);
}

void remark(Snapshot& out, const std::string& about, std::string when, std::string message) {
  Remark& known = out.remarks[about];
  if (std::pair(known.when, known.message) < std::pair(when, message))
    known = {std::move(when), message.substr(0, kMessageKept)};
}

void read_event(const Node& event, const KnownRows& known, Snapshot& out) {
  const Node about = event["involvedObject"].exists() ? event["involvedObject"] : event["regarding"];
  const std::string message = std::string(event["reason"].text()) + ": " + std::string(event["message"].text());
  if (recognise_tell(message) == nullptr) return;
  remark(out,
         space_of(about) + "/" + shown_kind(about["apiVersion"].text(), about["kind"].text(), known) + "/" +
             std::string(about["name"].text()),
         std::string(event["lastTimestamp"].text()), message);
}

/// A Workload of Kueue speaks about the object that owns it.
void read_kueue_workload(const Node& object, const KnownRows& known, Snapshot& out) {
  const Node conditions = object["status"]["conditions"];
  bool reserved = false;
  bool waiting = false;
  each_item(conditions, [&](const Node& one) {
    reserved = reserved || (one["type"].text() == "QuotaReserved" && one["status"].text() == "True");
    waiting = waiting || (one["type"].text() == "PodsReady" && one["status"].text() == "False");
  });
  std::string message = telling_condition(conditions);
  if (message.empty() && reserved && waiting) message = "QuotaReserved=True, PodsReady=False";
  if (message.empty()) return;
  each_item(object["metadata"]["ownerReferences"], [&](const Node& owner) {
    remark(out,
           space_of(object["metadata"]) + "/" + shown_kind(owner["apiVersion"].text(), owner["kind"].text(), known) +
               "/" + std::string(owner["name"].text()),
           "", message);
  });
}

void keep_pod(PodRecord pod, Snapshot& out) {
  const std::string key = pod.space + "/" + pod.name;
  const auto [at, fresh] = out.pods.try_emplace(key, pod);
  if (fresh) return;
  PodRecord& kept = at->second;
  if (kept.node == pod.node && kept.state == pod.state) return;
  // Of two moments neither is the later one for sure: take the one that holds more, whatever comes first.
  if (out.twice++ == 0 || key < out.twice_name) out.twice_name = key;
  if (std::pair(pod.state, pod.node) < std::pair(kept.state, kept.node)) kept = std::move(pod);
}

/// The object as `muster check` reads it; whatever is wrong with it, the API server has taken it.
void read_workload(const Node& object, std::string_view api_version, const KindFile& row,
                   const SchedulerBook& schedulers, Snapshot& out) {
  const SourceMap sources;
  const FileContext file;
  Model model;
  std::vector<Finding> findings;
  const Kind kind{row.id, Format::Manifest, row.group, row.versions, row.kind, row.doc, nullptr, nullptr};
  Artifact artifact;
  artifact.kind = &kind;
  artifact.object = object;
  artifact.api_version = api_version;
  normalise_kind(row, artifact, {sources, file, model, findings, &schedulers});
  if (model.gangs.empty()) return;
  const Gang& gang = model.gangs.front();
  WorkloadRecord record;
  // A launcher that is made when the others run is not waited for before.
  const Located<std::int64_t>& size = gang.startup == Startup::LauncherWaits ? gang.essential : gang.size;
  if (size.known() && size.value > 0) record.size = size.value;
  if (gang.requested.is_set() && gang.requested.value > 0) {
    record.asked = gang.requested.value;
    record.asked_from = std::string(gang.requested.field) + " of the " + row.shown;
  }
  const Scheduler* scheduler = gang.scheduler.known() ? schedulers.find(gang.scheduler.value) : nullptr;
  const bool old = scheduler != nullptr && mark_of_old(*scheduler, FieldName(gang.queue.field).view()) != nullptr;
  if (gang.queue.known() && !old) record.queue = gang.queue.value;
  const Node metadata = object["metadata"];
  out.workloads[space_of(metadata) + "/" + row.shown + "/" + std::string(metadata["name"].text())] = std::move(record);
}

}  // namespace

void read_object(const Node& object, const Listed& listed, const KnownRows& known, Snapshot& out) {
  const bool named = !object["kind"].text().empty();
  const std::string_view kind = named ? object["kind"].text() : std::string_view(listed.kind);
  const std::string_view api_version =
      object["apiVersion"].text().empty() ? std::string_view(listed.api_version) : object["apiVersion"].text();
  if (api_version.empty()) return;
  const std::string_view group = api_group(api_version);
  const std::string name(object["metadata"]["name"].text());
  if (name.empty() && kind != "Event") return;
  if (kind == "Pod" && group.empty()) return keep_pod(read_pod(object, known, out.resources), out);
  if (kind == "Node" && group.empty()) {
    DescribedNode record;
    record.marks = read_node_marks(object);
    record.capacity = read_amounts(object["status"]["allocatable"], out.resources);
    out.nodes.insert_or_assign(name, std::move(record));
    return;
  }
  if (const Scheduler* row = known.schedulers.owner_of_groups(group); row != nullptr && kind == "PodGroup")
    return read_pod_group(object, *row, out);
  if (kind == "Event" && (group.empty() || group == "events.k8s.io")) return read_event(object, known, out);
  if (kind == "Workload" && group == "kueue.x-k8s.io") return read_kueue_workload(object, known, out);
  const KindFile* row = known.find(api_version, kind);
  if (row != nullptr && !row->roles.empty()) read_workload(object, api_version, *row, known.schedulers, out);
}

}  // namespace muster
