#include <nlohmann/json.hpp>

#include "report/decisions.h"
#include "report/json_text.h"
#include "report/review.h"

namespace muster {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json value_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json place_value(const ReviewPlace& place) {
  return place.file.empty() ? Json(nullptr) : Json{{"file", place.file}, {"line", place.line}};
}

template <class T, class F>
Json list_of(const std::vector<T>& items, const F& value_of) {
  Json out = Json::array();
  for (const T& item : items) out.push_back(value_of(item));
  return out;
}

Json fleet_value(const Review& review) {
  if (!review.has_fleet) return nullptr;
  return {
      {"nodes", review.nodes},
      {"gpus", value_or_null(review.gpus)},
      {"stage", text_or_null(review.stage)},
      {"planes",
       {{"workload", {{"owner", text_or_null(review.workload_owner)}}},
        {"node_runtime", {{"owner", text_or_null(review.runtime_owner)}}},
        {"fleet", {{"owner", text_or_null(review.fleet_owner)}, {"cordon_and_drain", text_or_null(review.drain)}}}}},
      {"control_planes",
       list_of(
           review.control_planes,
           [](const ReviewControlPlane& plane) -> Json {
             return {{"kind", plane.kind}, {"version", text_or_null(plane.version)}, {"workloads", plane.workloads}};
           })},
      {"pools", list_of(review.pools,
                        [](const ReviewPool& pool) -> Json {
                          return {{"name", pool.name},
                                  {"control_plane", text_or_null(pool.control_plane)},
                                  {"nodes", pool.nodes},
                                  {"gpus_per_node", value_or_null(pool.gpus_each)},
                                  {"accelerator", text_or_null(pool.accelerator)},
                                  {"fabric", text_or_null(pool.fabric)},
                                  {"driver", text_or_null(pool.driver)},
                                  {"runtime", text_or_null(pool.runtime)}};
                        })},
      {"tenants", list_of(review.tenants, [](const ReviewTenant& tenant) -> Json {
         return {{"name", tenant.name},
                 {"parent", text_or_null(tenant.parent)},
                 {"guaranteed_gpus", value_or_null(tenant.guaranteed)},
                 {"limit_gpus", value_or_null(tenant.limit)}};
       })}};
}

Json topology_value(const ReviewTopology& topology) {
  return {{"from", topology.from},
          {"levels", topology.levels},
          {"nodes", topology.nodes},
          {"unplaced", topology.unplaced},
          {"roots", topology.roots},
          {"domains", list_of(topology.domains, [](const ReviewDomain& domain) -> Json {
             return {{"level", domain.level},   {"names", domain.names}, {"nodes", domain.nodes},
                     {"alike", !domain.unlike}, {"below", domain.below}, {"pools", domain.pools}};
           })}};
}

Json queue_value(const ReviewQueue& queue) {
  return {{"name", queue.name},
          {"system", queue.system},
          {"below", text_or_null(queue.below)},
          {"limits", queue.limits},
          {"gangs", queue.gangs},
          {"largest_gpus", value_or_null(queue.largest)},
          {"place", place_value(queue.place)}};
}

Json share_value(const ReviewShare& share) {
  return {{"name", share.name},
          {"fleet", text_or_null(share.fleet)},
          {"account", text_or_null(share.account)},
          {"queue", text_or_null(share.queue)}};
}

Json chain_value(const ReviewChain& chain) {
  return {{"plane", chain.plane},
          {"detect", text_or_null(chain.detect)},
          {"quarantine", text_or_null(chain.quarantine)},
          {"drain", text_or_null(chain.drain)},
          {"resume", text_or_null(chain.resume)},
          {"spare", text_or_null(chain.spare)}};
}

Json flip_value(const ReviewFlip& flip) {
  return {{"value", flip.value},
          {"changes", list_of(flip.changes,
                              [](const FactChange& change) -> Json {
                                return {{"fact", change.fact}, {"from", text_or_null(change.from)}, {"to", change.to}};
                              })},
          {"fixed", flip.fixed}};
}

Json review_decision_value(const ReviewDecision& decision) {
  const Choice& choice = decision.choice;
  return {{"id", decision.id},
          {"value", value_or_null(choice.value)},
          {"possible", choice.value ? std::vector<std::string>{} : choice.possible},
          {"unknown", choice.value ? std::vector<std::string>{} : choice.unknown},
          {"reversibility", name_of(choice.reversibility)},
          {"horizon", text_or_null(choice.horizon)},
          {"because", choice.because},
          {"rule", choice.rule},
          {"options", decision.options},
          {"workloads", decision.workloads},
          {"flips", list_of(decision.flips, flip_value)}};
}

Json risk_value(const ReviewRisk& risk) {
  return {{"what", risk.what},
          {"follows", risk.follows},
          {"help", risk.help},
          {"severity", name_of(risk.severity)},
          {"effect", name_of(risk.effect)},
          {"gpus", risk.gpus},
          {"places", risk.count},
          {"rule", text_or_null(risk.rule)},
          {"place", place_value(risk.place)}};
}

Json question_value(const ReviewQuestion& question) {
  return {{"asks", question.asks},
          {"settles", question.settles},
          {"who", question.who},
          {"how", question.how},
          {"weight", question.weight}};
}

Json goodput_of_rate(const Goodput& goodput) {
  const std::optional<TimeParts>& parts = goodput.parts;
  return {{"gpus", goodput.gpus},
          {"gpu_hours_per_interruption", goodput.rate},
          {"hours_between_interruptions", goodput.hours_between},
          {"interruptions_a_day", expected_interruptions(goodput, 24)},
          {"chance_of_a_day_without", chance_of_none(goodput, 24)},
          {"write_seconds", value_or_null(goodput.write)},
          {"interval_seconds", value_or_null(goodput.interval)},
          {"recovery_seconds", value_or_null(goodput.recovery)},
          {"best_checkpoint_seconds", value_or_null(goodput.best_interval)},
          {"best_checkpoint_seconds_daly", value_or_null(goodput.daly_interval)},
          {"best_cycle_seconds", value_or_null(goodput.cycle)},
          {"lost_gpu_hours_per_year", value_or_null(goodput.lost_gpu_hours)},
          {"goodput", value_or_null(goodput.share)},
          {"best_goodput", value_or_null(goodput.best_share)},
          {"lost_to_interruptions", parts ? Json(parts->interruptions) : Json(nullptr)},
          {"lost_to_checkpoints", parts ? Json(parts->writes) : Json(nullptr)},
          {"recovery_seconds_for_90_percent", value_or_null(goodput.recovery_most)},
          {"indicative", goodput.indicative},
          {"missing", goodput.missing}};
}

Json goodput_value(const ReviewGoodput& job) {
  Json out = goodput_of_rate(job.goodput);
  out["workload"] = job.workload;
  out["useful"] = value_or_null(job.useful);
  out["at_best_published_rate"] = job.at_best ? goodput_of_rate(*job.at_best) : Json(nullptr);
  return out;
}

Json money_value(const MoneyFigure& figure) {
  return {{"id", figure.id},
          {"what", figure.what},
          {"unit", figure.unit},
          {"low", value_or_null(figure.low)},
          {"high", value_or_null(figure.high)},
          {"formula", figure.formula},
          {"source", figure.source},
          {"missing", figure.missing}};
}

Json check_value(const ReviewCheck& check) {
  return {{"id", check.id},
          {"asks", check.asks},
          {"blocks", check.blocks},
          {"result", name_of(check.result)},
          {"evidence", check.evidence},
          {"place", place_value(check.place)},
          {"source", check.source}};
}

Json readiness_value(const ReviewReadiness& dra) {
  return {
      {"verdict", text_or_null(dra.verdict)}, {"because", dra.because}, {"checks", list_of(dra.checks, check_value)}};
}

Json figures_value(const Review& review) {
  Json spares = nullptr;
  if (review.spares)
    spares = {{"nodes", review.spares->nodes},
              {"mean_in_repair", review.spares->mean_in_repair},
              {"enough_for_95_percent", review.spares->enough_for_95},
              {"enough_for_99_percent", review.spares->enough_for_99}};
  return {{"goodput", list_of(review.goodput, goodput_value)},
          {"spares", std::move(spares)},
          {"money", list_of(review.money, money_value)},
          {"two_planes", text_or_null(review.economics)}};
}

Json proofs_of(const Review& review) {
  std::vector<WorldProof> proofs;
  for (const ReviewProof& proof : review.proofs) proofs.push_back(proof.proof);
  return proofs_value(proofs, review.left_out, *review.report->sources);
}

}  // namespace

std::string review_json(const Review& review) {
  const auto gap = [](const ReviewGap& one) -> Json { return {{"what", one.what}, {"why", one.why}}; };
  const auto source = [](const ReviewSource& one) -> Json {
    return {{"source", one.source}, {"used_by", one.used_by}};
  };
  const auto input = [](const ReviewInput& one) -> Json { return {{"file", one.file}, {"sha256", one.sha256}}; };
  return to_json_text({{"version", "muster.review/v1"},
                       {"name", review.name},
                       {"date", review.date},
                       {"muster", review.version},
                       {"digest", review.digest},
                       {"options", review.options},
                       {"fleet", fleet_value(review)},
                       {"topologies", list_of(review.topologies, topology_value)},
                       {"queues", list_of(review.queues, queue_value)},
                       {"shares", list_of(review.shares, share_value)},
                       {"drain_chains", list_of(review.chains, chain_value)},
                       {"decisions", list_of(review.decisions, review_decision_value)},
                       {"dra", readiness_value(review.dra)},
                       {"risks", list_of(review.risks, risk_value)},
                       {"questions", list_of(review.questions, question_value)},
                       {"figures", figures_value(review)},
                       {"assumptions", review.assumptions},
                       {"not_checked", list_of(review.gaps, gap)},
                       {"sources", list_of(review.sources, source)},
                       {"inputs", list_of(review.inputs, input)},
                       {"check", report_value(*review.report)},
                       {"decide", decisions_value(*review.decided, review.fleet_decision, *review.report->sources)},
                       {"prove", proofs_of(review)}});
}

}  // namespace muster
