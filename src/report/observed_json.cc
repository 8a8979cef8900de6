#include <nlohmann/json.hpp>

#include "report/json_text.h"
#include "report/observed.h"

namespace muster {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json names(const Observed& observed, const std::vector<std::size_t>& gangs) {
  Json out = Json::array();
  for (const std::size_t gang : gangs) out.push_back(observed.gangs[gang].name);
  return out;
}

Json gang_json(const ObservedGang& gang) {
  Json holds = Json::array();
  for (const ObservedHold& hold : gang.holds)
    holds.push_back({{"node", hold.node}, {"pods", hold.pods}, {"gpus", hold.gpus}});
  Json waits = Json::array();
  for (const ObservedWait& wait : gang.waits) {
    waits.push_back({{"pods", wait.pods},
                     {"gpus_each", wait.gpus_known ? Json(wait.gpus_each) : Json(nullptr)},
                     {"tell", text_or_null(wait.tell)},
                     {"message", text_or_null(wait.message)},
                     {"meaning", text_or_null(wait.meaning)}});
  }
  Json out{{"gang", gang.name},
           {"kind", gang.kind},
           {"state", name_of(gang.state)},
           {"until", gang.until ? Json(name_of(*gang.until)) : Json(nullptr)},
           {"why", text_or_null(gang.why)},
           {"needs", or_null(gang.needs)},
           {gang.needs ? "needs_from" : "needs_decided_by", text_or_null(gang.needs_from)},
           {"bound", gang.bound},
           {"pending", gang.pending},
           {"done", gang.done},
           {"gpus", gang.gpus},
           {"holds", std::move(holds)},
           {"waits", std::move(waits)},
           {"evict", text_or_null(gang.evict)}};
  if (!gang.queue.empty()) out["queue"] = gang.queue;
  return out;
}

Json job_json(const ObservedJob& job) {
  return {{"job", job.id},
          {"name", job.name},
          {"partition", job.partition},
          {"state", job.state},
          {"reason", job.reason},
          {"meaning", text_or_null(job.meaning)},
          {"nodes", job.nodes},
          {"gpus", or_null(job.gpus)},
          {"on", job.on},
          {"holds", job.holds},
          {"stranded", job.stranded},
          {"stuck", job.stuck},
          {"needs_change", job.never},
          {"why", text_or_null(job.why)},
          {"evict", job.stuck ? Json(job.evict) : Json(nullptr)}};
}

Json eviction_json(const Observed& observed, const ObservedEviction& eviction) {
  Json commands = Json::array();
  for (const std::size_t gang : eviction.gangs) {
    if (!observed.gangs[gang].evict.empty()) commands.push_back(observed.gangs[gang].evict);
  }
  return {{"gangs", names(observed, eviction.gangs)},
          {"gpus", eviction.gpus},
          {"method", eviction.method == Eviction::Method::Exact ? "exact" : "greedy"},
          {"commands", std::move(commands)},
          {"after_what_runs_has_ended", eviction.needs_ends},
          {"go_on_at_once", names(observed, eviction.at_once)},
          {"go_on_then", names(observed, eviction.after)}};
}

}  // namespace

std::string observed_json(const Observed& observed) {
  Json gangs = Json::array();
  for (const ObservedGang& gang : observed.gangs) gangs.push_back(gang_json(gang));
  Json jobs = Json::array();
  for (const ObservedJob& job : observed.jobs) jobs.push_back(job_json(job));
  Json gaps = Json::array();
  for (const ObservedGap& gap : observed.gaps)
    gaps.push_back({{"what", gap.what}, {"decides", text_or_null(gap.decides)}});
  Json json{{"version", "muster.observed/v1"},
            {"stuck", observed.is_stuck()},
            {"pods", observed.pods},
            {"nodes", observed.nodes},
            {"gpus",
             {{"total", or_null(observed.total_gpus)},
              {"free", or_null(observed.free_gpus)},
              {"held", observed.held_gpus},
              {"held_by_stuck", observed.idle_gpus}}},
            {"gangs", std::move(gangs)},
            {"jobs", std::move(jobs)},
            {"cycle", names(observed, observed.cycle)},
            {"eviction", observed.eviction ? eviction_json(observed, *observed.eviction) : Json(nullptr)},
            {"unknown", std::move(gaps)},
            {"assumes", observed.assumes}};
  return to_json_text(json);
}

}  // namespace muster
