#include "observe/slurm.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/capped.h"
#include "base/hostlist.h"
#include "base/strings.h"

namespace muster {
namespace {

constexpr std::uint64_t kNodesNamed = 4096;  // of one job; a longer list is not written out

/// A number, or {set, infinite, number}, as data parsers print it since 23.02.
std::int64_t number_in(const Node& node) {
  if (!node.is_mapping()) return parse_int(node.text()).value_or(0);
  if (node["set"].text() == "false" || node["infinite"].text() == "true") return 0;
  return parse_int(node["number"].text()).value_or(0);
}

/// Pieces between commas that no bracket encloses.
std::vector<std::string_view> entries_of(std::string_view list) {
  std::vector<std::string_view> out;
  std::size_t begin = 0;
  int open = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    if (i < list.size() && (list[i] == '(' || list[i] == '[')) ++open;
    if (i < list.size() && (list[i] == ')' || list[i] == ']')) --open;
    if (i < list.size() && (list[i] != ',' || open > 0)) continue;
    if (i > begin) out.push_back(trim(list.substr(begin, i - begin)));
    begin = i + 1;
  }
  return out;
}

/// gpu, gpu:8, gpu:h100:8(IDX:0-7), gpu:h100(CNT:8), gres/gpu=8, gres:gpu:8.
std::optional<std::int64_t> gpus_of_entry(std::string_view entry) {
  for (const std::string_view prefix : {"gres/", "gres:"}) {
    if (entry.starts_with(prefix)) entry.remove_prefix(prefix.size());
  }
  if (!entry.starts_with("gpu")) return std::nullopt;
  entry.remove_prefix(3);
  if (!entry.empty() && entry.front() != ':' && entry.front() != '=' && entry.front() != '(') return std::nullopt;
  const std::size_t bracket = std::min(entry.find('('), entry.size());
  const std::string_view behind = entry.substr(bracket);
  entry = entry.substr(0, bracket);
  if (behind.starts_with("(CNT:")) return parse_int(behind.substr(5, behind.find(')') - 5)).value_or(0);
  const std::size_t last = entry.find_last_of(":=");
  return last == entry.npos ? 1 : parse_int(entry.substr(last + 1)).value_or(1);
}

/// What the job holds, or asks for while it waits.
std::optional<std::int64_t> gpus_of_job(const Node& job, std::int64_t nodes, bool holds) {
  const Node detail = job["gres_detail"];
  if (holds && detail.is_sequence() && detail.size() > 0) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < detail.size(); ++i)
      sum = add_capped(sum, gpus_of_gres(detail.item(i).text()).value_or(0));
    return sum;
  }
  if (const auto gpus = gpus_of_gres(job[holds ? "tres_alloc_str" : "tres_req_str"].text())) return gpus;
  if (const auto gpus = gpus_of_gres(job["tres_per_node"].text())) return multiply_capped(*gpus, nodes);
  if (const auto gpus = gpus_of_gres(job["tres_per_job"].text())) return gpus;
  for (const std::string_view key : {"tres_per_task", "tres_per_socket"}) {
    if (gpus_of_gres(job[key].text())) return std::nullopt;
  }
  if (!job["tres_per_node"].exists() && !detail.exists()) return std::nullopt;
  return 0;
}

bool has_state(const JobRecord& job, std::string_view state) {
  return std::ranges::find(job.states, state) != job.states.end();
}

/// Source: <https://slurm.schedmd.com/job_state_codes.html>: a suspended job keeps its allocation, a completing one
/// until its nodes are clean.
bool holds_nodes(const JobRecord& job) {
  if (job.nodes.empty()) return false;
  return std::ranges::any_of(std::to_array<std::string_view>({"RUNNING", "SUSPENDED", "STOPPED", "CONFIGURING",
                                                              "COMPLETING", "RESIZING", "STAGE_OUT", "SIGNALING"}),
                             [&](std::string_view state) { return has_state(job, state); });
}
bool is_stopped(const JobRecord& job) { return has_state(job, "SUSPENDED") || has_state(job, "STOPPED"); }

std::string id_of(const JobRecord& job) {
  if (job.het_id > 0) return std::to_string(job.het_id) + "+" + std::to_string(job.het_offset);
  if (job.array_id > 0 && !job.array.empty()) {
    const bool one = parse_int(job.array).has_value();
    return std::to_string(job.array_id) + "_" + (one ? job.array : "[" + job.array + "]");
  }
  return std::to_string(job.id);
}

std::vector<std::string> nodes_of(const JobRecord& job) {
  const Result<Hostlist> list = Hostlist::parse(job.nodes);
  if (!list) return {job.nodes};
  return list->expand(kNodesNamed).value_or(std::vector<std::string>{job.nodes});
}

ObservedJob observed(const JobRecord& job) {
  ObservedJob out;
  out.id = id_of(job);
  out.name = job.name;
  out.partition = job.partition;
  out.state = join(job.states, "+");
  out.reason = job.reason;
  if (const SlurmReason* reason = slurm_reason(job.reason)) out.meaning = reason->meaning;
  out.nodes = job.node_count;
  out.gpus = job.gpus;
  out.holds = holds_nodes(job);
  if (out.holds) out.on = nodes_of(job);
  // scancel takes the number of the first component for the whole of a heterogeneous job.
  out.evict = "scancel " + std::to_string(job.het_id > 0 ? job.het_id : job.id);
  return out;
}

/// Whether a job waits for GPUs that others have.
bool waits_for_gpus(const JobRecord& job) {
  const SlurmReason* reason = slurm_reason(job.reason);
  return has_state(job, "PENDING") && !holds_nodes(job) && job.gpus.value_or(1) > 0 && reason != nullptr &&
         reason->kind == SlurmReason::Kind::Room;
}

/// Source: <https://slurm.schedmd.com/slurm.conf.html>, PreemptMode SUSPEND: "Suspended jobs will not release GRES".
void judge_stopped(const JobRecord& job, std::size_t waiting, ObservedJob& out) {
  if (!is_stopped(job) || !out.holds || out.gpus == 0) return;
  out.stranded = true;
  out.stuck = waiting > 0;
  out.why = "stopped, and Slurm takes the CPUs of a suspended job, never its GPUs" +
            (waiting > 0 ? "; " + count_of(waiting, "job") + (waiting == 1 ? " waits" : " wait") + " for GPUs"
                         : std::string());
}

}  // namespace

std::optional<std::int64_t> gpus_of_gres(std::string_view gres) {
  std::optional<std::int64_t> sum;
  bool total = false;  // tres_alloc_str has gres/gpu=8 and beside it gres/gpu:h100=8
  for (const std::string_view entry : entries_of(gres)) {
    if (entry.starts_with("gres/gpu=")) total = true;
  }
  for (const std::string_view entry : entries_of(gres)) {
    if (total && !entry.starts_with("gres/gpu=")) continue;
    if (const auto gpus = gpus_of_entry(entry)) sum = add_capped(sum.value_or(0), std::max<std::int64_t>(0, *gpus));
  }
  return sum;
}

void read_job(const Node& job, Snapshot& out) {
  JobRecord record;
  record.id = number_in(job["job_id"]);
  record.het_id = number_in(job["het_job_id"]);
  record.het_offset = number_in(job["het_job_offset"]);
  record.array_id = number_in(job["array_job_id"]);
  record.array = job["array_task_string"].text();
  const Node task = job["array_task_id"];
  const bool one_task = task.is_mapping() ? task["set"].text() == "true" : task.is_scalar();
  if (record.array.empty() && one_task) record.array = std::to_string(number_in(task));
  record.name = job["name"].text();
  record.partition = job["partition"].text();
  const Node state = job["job_state"];
  if (state.is_scalar()) record.states.emplace_back(state.text());
  for (std::size_t i = 0; state.is_sequence() && i < state.size(); ++i)
    record.states.emplace_back(state.item(i).text());
  record.reason = job["state_reason"].text();
  record.nodes = job["nodes"].text();
  record.node_count = std::max<std::int64_t>(0, number_in(job["node_count"]));
  record.gpus = gpus_of_job(job, record.node_count, holds_nodes(record));
  out.jobs.push_back(std::move(record));
}

void read_slurm_node(const Node& node, Snapshot& out) {
  if (!node["gres"].exists()) return;
  out.slurm_gpus[std::string(node["name"].text())] = gpus_of_gres(node["gres"].text()).value_or(0);
}

void judge_jobs(const Snapshot& snapshot, Observed& out) {
  std::vector<JobRecord> jobs = snapshot.jobs;
  std::ranges::sort(jobs, [](const JobRecord& a, const JobRecord& b) {
    return std::tuple(a.id, a.array, a.states, a.nodes) < std::tuple(b.id, b.array, b.states, b.nodes);
  });
  const auto twice = [](const JobRecord& a, const JobRecord& b) { return a.id == b.id && a.array == b.array; };
  jobs.erase(std::unique(jobs.begin(), jobs.end(), twice), jobs.end());
  const auto waiting = static_cast<std::size_t>(std::ranges::count_if(jobs, waits_for_gpus));
  struct Parts {
    std::size_t held = 0;
    std::size_t pending = 0;
  };
  std::map<std::int64_t, Parts> components;
  for (const JobRecord& job : jobs) {
    if (job.het_id == 0) continue;
    components[job.het_id].held += holds_nodes(job) ? 1 : 0;
    components[job.het_id].pending += has_state(job, "PENDING") ? 1 : 0;
  }
  for (const JobRecord& job : jobs) {
    ObservedJob one = observed(job);
    judge_stopped(job, waiting, one);
    const SlurmReason* reason = slurm_reason(job.reason);
    const bool pending = has_state(job, "PENDING");
    if (pending && reason != nullptr &&
        (reason->kind == SlurmReason::Kind::Never || reason->kind == SlurmReason::Kind::Person))
      one.never = true, one.why = reason->meaning;
    const auto parts = components.find(job.het_id);
    if (job.het_id > 0 && one.holds && parts->second.pending > 0) {
      one.stuck = true;
      one.why = "a component of a heterogeneous job that holds its nodes while " +
                count_of(parts->second.pending, "other") + " of its components " +
                (parts->second.pending == 1 ? "waits" : "wait");
      one.why = replace_all(one.why, "1 other of its components waits", "another of its components waits");
    }
    if (has_state(job, "COMPLETING") && one.holds && one.why.empty()) one.why = "ends; its nodes are not clean yet";
    if (one.holds) out.held_gpus = add_capped(out.held_gpus, one.gpus.value_or(0));
    if (one.stuck) out.idle_gpus = add_capped(out.idle_gpus, one.gpus.value_or(0));
    out.jobs.push_back(std::move(one));
  }
  if (!snapshot.slurm_gpus.empty()) {
    std::int64_t total = 0;
    for (const auto& [node, gpus] : snapshot.slurm_gpus) total = add_capped(total, gpus);
    out.total_gpus = total;
    out.free_gpus = std::max<std::int64_t>(0, add_capped(total, -out.held_gpus));
    out.nodes += static_cast<std::int64_t>(snapshot.slurm_gpus.size());
  } else if (!jobs.empty()) {
    out.gaps.push_back(
        {"how many GPUs are free in Slurm: its nodes are not in the input", "scontrol show nodes --json"});
  }
}

}  // namespace muster
