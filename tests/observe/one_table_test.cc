// Every row of rules/schedulers and rules/kinds: `muster check` and `muster prove --observed` read the same from it.
#include <map>
#include <set>

#include "gang/membership.h"
#include "gang/scheduler.h"
#include "kinds/knowledge.h"
#include "kubernetes/described_kind.h"
#include "observe/snapshot.h"
#include "pipeline/check.h"
#include "support/catch.h"
#include "support/files.h"
#include "support/json.h"
#include "support/node_json.h"
#include "syntax/yaml_reader.h"

using namespace muster;
using Json = nlohmann::json;

namespace {

constexpr std::int64_t kLeast = 3;

KnownRows shipped_rows() { return {Knowledge::shipped().described(), SchedulerBook::shipped()}; }

/// What both readers make of the same objects.
struct Both {
  Model check;
  Snapshot observe;
};

Both read(const Json& items) {
  const std::string text = Json{{"apiVersion", "v1"}, {"kind", "List"}, {"items", items}}.dump();
  INFO(text);
  Both out;
  Options options;
  options.paths = {"objects.json"};
  Result<Workspace> workspace = read_workspace(options, MemoryFileSystem({{"objects.json", text}}));
  REQUIRE(workspace);
  out.check = std::move(workspace->model);
  SourceMap sources;
  sources.add("objects.json", text);
  out.observe = read_snapshot(sources, shipped_rows());
  CHECK(out.observe.findings.empty());
  return out;
}

void set_mark(Json& object, const Mark& mark, const std::string& value) {
  if (mark.in == Mark::In::Label) object["metadata"]["labels"][mark.key] = value;
  if (mark.in == Mark::In::Annotation) object["metadata"]["annotations"][mark.key] = value;
  if (mark.in != Mark::In::Field) return;
  Json* at = &object["spec"];
  for (const std::string& step : key_path(mark.key)) at = &(*at)[step];
  *at = value;
}

Json pod_of(const Scheduler& row) {
  Json pod{{"apiVersion", "v1"},
           {"kind", "Pod"},
           {"metadata", {{"name", "p"}, {"namespace", "ml"}}},
           {"spec", {{"containers", Json::array({{{"name", "c"}, {"image", "example.com/a:1"}}})}}}};
  if (!row.names.empty()) pod["spec"]["schedulerName"] = row.names.front();
  return pod;
}

Json job_of(const Json& pod) {
  Json job{{"apiVersion", "batch/v1"}, {"kind", "Job"}, {"metadata", {{"name", "j"}, {"namespace", "ml"}}}};
  job["spec"]["parallelism"] = kLeast;
  job["spec"]["template"] = {{"metadata", pod["metadata"]}, {"spec", pod["spec"]}};
  return job;
}

Json group_of(const PodGroupForm& form) {
  Json group{{"apiVersion", form.group + "/" + form.versions.substr(0, form.versions.find(' '))},
             {"kind", "PodGroup"},
             {"metadata", {{"name", "g"}, {"namespace", "ml"}}}};
  const auto put = [&](const KeyPath& path, const Json& value) {
    Json* at = &group["spec"];
    for (const std::string& step : path) at = &(*at)[step];
    *at = value;
  };
  put(form.min, kLeast);
  if (!form.queue.empty()) put(form.queue, "q");
  return group;
}

/// K of the group as each reader has it; of groups without an object it stands on the pods.
void check_least(const Both& both, const Scheduler& row, const MembershipMark& mark, const PodRecord& pod) {
  const Gang& gang = both.check.gangs.front();
  if (mark.has_object) {
    REQUIRE(gang.pod_group_index);
    const PodGroup& group = both.check.pod_groups[*gang.pod_group_index];
    const PodGroupRecord& record = both.observe.groups.at(row.id + "/ml/g");
    CHECK(group.min_member.value == kLeast);
    CHECK(record.min == kLeast);
    CHECK(record.queue == group.queue.value);
    CHECK(record.queue == (row.pod_group->queue.empty() ? "" : "q"));
  } else if (!row.min.empty() && mark.total.empty()) {
    CHECK(gang.guaranteed.is_set());
    CHECK(pod.size == gang.guaranteed.value);
  } else if (!mark.total.empty()) {
    CHECK(pod.size == kLeast);
  }
}

Json items_of_case(const std::string& id) {
  Json items = Json::array();
  const std::string folder = test::source_dir() + "/tests/cases/kinds/" + id;
  for (const std::string& name : test::entries(folder)) {
    if (!name.ends_with(".yaml")) continue;
    const std::string text = test::read_file(folder + "/" + name);
    for (const Span& where : split_yaml_documents(FileId{0}, text)) {
      std::vector<Finding> findings;
      Document document;
      REQUIRE(read_yaml(text, where, document, findings));
      items.push_back(test::to_json(document.root()));
    }
  }
  return items;
}

std::string space_of(const Gang& gang) { return gang.space.empty() ? "default" : gang.space; }

std::string api_of(const KindFile& file) {
  const std::string version = file.versions.substr(0, file.versions.find(' '));
  return file.group.empty() ? version : file.group + "/" + version;
}

}  // namespace

TEST_CASE("every membership that a scheduler's row has is read from pods and from templates alike", "[observe]") {
  std::size_t seen = 0;
  for (const Scheduler& row : SchedulerBook::shipped().schedulers) {
    for (const MembershipMark& mark : row.membership) {
      INFO(row.id << ": " << mark.key);
      Json pod = pod_of(row);
      set_mark(pod, mark, "g");
      if (!mark.with.empty()) pod["metadata"]["annotations"][mark.with] = "workers";
      if (!mark.total.empty()) pod["metadata"]["annotations"][mark.total] = std::to_string(kLeast);
      for (const Mark& min : row.min) {
        if (min.on == Mark::On::Template) set_mark(pod, min, std::to_string(kLeast));
      }
      Json items = Json::array({pod});
      if (mark.has_object) items.push_back(group_of(*row.pod_group));
      const Both both = read(items);
      REQUIRE(both.check.gangs.size() == 1);
      const Gang& gang = both.check.gangs.front();
      const PodRecord& record = both.observe.pods.at("ml/p");
      REQUIRE(record.group);
      CHECK(gang.pod_group->value == "g");
      CHECK(record.group->name == "g");
      CHECK(gang.pod_group_system == row.membership_of);
      CHECK(record.group->row == &row);
      CHECK(gang.pod_group_is_object == record.group->mark->has_object);
      check_least(both, row, mark, record);
      if (!mark.owned_with.empty()) {
        CHECK(read(Json::array({job_of(pod)})).check.gangs.front().pod_group->state == State::Absent);
        pod["metadata"]["annotations"][mark.owned_with] = "true";
      }
      const Both of_job = read(Json::array({job_of(pod)}));
      CHECK(of_job.check.gangs.front().pod_group->value == "g");
      CHECK(of_job.check.gangs.front().pod_group_system == row.membership_of);
      ++seen;
    }
  }
  CHECK(seen >= 10);
}

TEST_CASE("every queue that a scheduler's row has is read from pods and from manifests alike", "[observe]") {
  std::size_t seen = 0;
  for (const Scheduler& row : SchedulerBook::shipped().schedulers) {
    std::vector<Mark> marks = row.queue;
    if (row.admits) marks.push_back(*row.admits);
    for (const Mark& mark : marks) {
      INFO(row.id << ": " << mark.key);
      Json pod = pod_of(row);
      set_mark(pod, mark, "q");
      Json job = job_of(pod_of(row));
      set_mark(mark.on == Mark::On::Object ? job : job["spec"]["template"], mark, "q");
      const Both both = read(Json::array({pod, job}));
      REQUIRE(both.check.gangs.size() == 2);
      const std::string queue = mark_of_old(row, mark.key) == nullptr ? "q" : "";
      for (const Gang& gang : both.check.gangs) CHECK(gang.queue.value == queue);
      CHECK(both.observe.pods.at("ml/p").queue == queue);
      CHECK(both.observe.workloads.at("ml/Job/j").queue == queue);
      ++seen;
    }
  }
  CHECK(seen >= 8);
}

TEST_CASE("every kind's row gives a dump the sizes, K and queues that a check has", "[observe][kinds]") {
  for (const KindFile* row : Knowledge::shipped().described()) {
    const KindFile& file = *row;
    if (file.roles.empty() || file.id == "pod") continue;  // pods are read as pods
    INFO(file.id);
    const Json items = items_of_case(file.id);
    REQUIRE_FALSE(items.empty());
    const Both both = read(items);
    std::size_t seen = 0;
    for (const Gang& gang : both.check.gangs) {
      if (gang.kind != file.kind || gang.group != file.group) continue;
      if (gang.name.field != "metadata.name" || !gang.name.is_set()) continue;  // a dump has names
      INFO(gang.id);
      const WorkloadRecord& record =
          both.observe.workloads.at(space_of(gang) + "/" + file.shown + "/" + gang.name.value);
      const auto& size = gang.startup == Startup::LauncherWaits ? gang.essential : gang.size;
      CHECK(record.size.value_or(0) == (size.known() ? size.value : 0));
      CHECK(record.asked.value_or(0) == (gang.requested.is_set() ? gang.requested.value : 0));
      CHECK(record.queue == (gang.queue.known() ? gang.queue.value : ""));
      ++seen;
    }
    CHECK(seen > 0);
  }
}

TEST_CASE("every kind's row tells the pods of its workloads", "[observe][kinds]") {
  for (const KindFile* row : Knowledge::shipped().described()) {
    const KindFile& file = *row;
    if (file.id == "pod") continue;
    INFO(file.id);
    std::vector<std::string> labels = file.pods.labels;
    if (labels.empty()) labels.emplace_back();  // by what controls them alone
    for (const std::string& label : labels) {
      Json pod = pod_of({});
      if (!label.empty()) pod["metadata"]["labels"][label] = "w";
      if (!file.pods.group_label.empty()) pod["metadata"]["labels"][file.pods.group_label] = "0";
      if (!file.pods.size_annotation.empty()) pod["metadata"]["annotations"][file.pods.size_annotation] = "3";
      pod["metadata"]["ownerReferences"] =
          Json::array({{{"apiVersion", api_of(file)}, {"kind", file.kind}, {"name", "w"}, {"controller", true}}});
      const Both both = read(Json::array({pod}));
      const PodRecord& record = both.observe.pods.at("ml/p");
      CHECK(record.owner.row == &file);
      CHECK(record.owner.kind == file.shown);
      CHECK(record.owner.object == file.shown + "/w");
      CHECK(record.owner.name == (file.pods.group_label.empty() ? "w" : "w-0"));
      CHECK(record.owner.ends == file.pods.ends);
      CHECK(record.owner.by_kind == file.pods.needs_all);
      CHECK(record.size.has_value() == !file.pods.size_annotation.empty());
    }
  }
}

TEST_CASE("the outermost workload that labels name is the owner, and what controls a pod tells like labels apart",
          "[observe]") {
  const auto owner = [](const std::map<std::string, std::string>& labels, const std::string& controller) {
    Json pod = pod_of({});
    pod["metadata"]["labels"] = labels;
    if (!controller.empty())
      pod["metadata"]["ownerReferences"] = Json::array({{{"kind", controller}, {"name", "c"}, {"controller", true}}});
    const Both both = read(Json::array({pod}));
    const Owner& found = both.observe.pods.at("ml/p").owner;
    return found.kind + "/" + found.name;
  };
  CHECK(owner({{"jobset.sigs.k8s.io/jobset-name", "s"}, {"job-name", "s-0"}}, "Job") == "JobSet/s");
  CHECK(owner({{"training.kubeflow.org/job-name", "t"}, {"job-name", "t"}}, "PyTorchJob") == "PyTorchJob/t");
  CHECK(owner({{"training.kubeflow.org/job-name", "m"}, {"job-name", "m-launcher"}}, "Job") == "MPIJob/m");
  CHECK(owner({{"training.kubeflow.org/job-name", "x"}}, "MXJob") == "MXJob/x");
  CHECK(owner({{"training.kubeflow.org/job-name", "x"}}, "") == "kubeflow.org job/x");
  CHECK(owner({}, "DaemonSet") == "DaemonSet/c");
  CHECK(owner({}, "") == "Pod/p");
}

TEST_CASE("items of a typed list are what the list says they are", "[observe][kinds]") {
  // As an API server lists them; kubectl writes `kind` of the list behind its items.
  Json pod = pod_of({});
  pod.erase("kind");
  pod.erase("apiVersion");
  for (const std::string& text : {R"({"kind":"PodList","apiVersion":"v1","items":[)" + pod.dump() + "]}",
                                  R"({"apiVersion":"v1","items":[)" + pod.dump() + R"(],"kind":"PodList"})"}) {
    INFO(text);
    SourceMap sources;
    sources.add("pods.json", text);
    CHECK(read_snapshot(sources, shipped_rows()).pods.contains("ml/p"));
    Options options;
    options.paths = {"pods.json"};
    const Result<Workspace> workspace = read_workspace(options, MemoryFileSystem({{"pods.json", text}}));
    REQUIRE(workspace);
    REQUIRE(workspace->model.gangs.size() == 1);
    CHECK(workspace->model.gangs.front().id == "v1/Pod/ml/p");
  }
}

TEST_CASE("what is told of a shipped kind before its file is read is what the file says", "[kinds]") {
  std::set<std::string> ids;
  for (const DescribedKind& kind : shipped_kinds()) {
    INFO(kind.head().id);
    const KindFile& file = kind.file();
    CHECK(kind.head().id == file.id);
    CHECK(kind.head().group == file.group);
    CHECK(kind.head().versions == file.versions);
    CHECK(kind.head().kind == file.kind);
    CHECK(kind.head().doc == file.doc);
    CHECK(kind.head().read == file.is_read());
    CHECK(kind.head().used == !file.used_by.empty());
    ids.insert(file.id);
  }
  CHECK(ids.size() == shipped_kinds().size());
  CHECK(std::ranges::is_sorted(shipped_kinds(), {}, [](const DescribedKind& kind) { return kind.head().id; }));
  for (const DescribedKind& kind : shipped_kinds()) {
    INFO(kind.head().id);
    for (const std::string& made : kind.file().pods.makes) CHECK(ids.contains(made));
    for (const std::string& user : kind.file().used_by) CHECK(ids.contains(user));
  }
}
