#include "report/proofs.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "base/utf8.h"
#include "report/json_text.h"
#include "report/proof_steps.h"

namespace muster {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kGangsDrawn = 8;
/// A certificate with more placements than that is checked, but not printed.
constexpr std::size_t kPlacementsListed = 1000;

const std::string& gang_name(const World& world, std::size_t gang) { return world.gangs[gang].name.value; }

std::string role_name(const World& world, const ProofStep& step) {
  return world.gangs[step.gang].roles[step.role].name;
}

std::int64_t gpus_of(const World& world, const ProofStep& step) {
  return step.pods * world.gangs[step.gang].roles[step.role].gpus_per_pod;
}

Json steps_json(const World& world, const ProofCounterexample& found) {
  Json steps = Json::array();
  for (const ProofStep& step : found.steps) {
    Json json{{"gang", gang_name(world, step.gang)}};
    if (!role_name(world, step).empty()) json["role"] = role_name(world, step);
    json["node"] = node_name(world, step.pool, step.node);
    json["pods"] = step.pods;
    json["gpus"] = gpus_of(world, step);
    json["commit"] = step.commit;
    if (step.cause != StepCause::Place) json["cause"] = name_of(step.cause);
    if (step.cause == StepCause::Evict) json["for"] = gang_name(world, step.by);
    steps.push_back(std::move(json));
  }
  return steps;
}

Json counterexample_json(const World& world, const ProofCounterexample& found) {
  Json holds = Json::array();
  for (const ProofHold& hold : found.holds)
    holds.push_back({{"gang", gang_name(world, hold.gang)}, {"placed", hold.placed}, {"needs", hold.needs}});
  return {{"free_gpus", found.free_gpus},
          {"holds", std::move(holds)},
          {"steps", steps_json(world, found)},
          {"repairs", found.repairs}};
}

Json placements_json(const World& world, const std::vector<ProofCertificate::Fill>& fills) {
  Json out = Json::array();
  for (const ProofCertificate::Fill& fill : fills) {
    Json one{{"set", fill.set}, {"gang", gang_name(world, fill.gang)}};
    if (const std::string& role = world.gangs[fill.gang].roles[fill.role].name; !role.empty()) one["role"] = role;
    one["node"] = node_name(world, fill.pool, fill.first);
    one["nodes"] = fill.nodes;
    one["pods_each"] = fill.pods;
    out.push_back(std::move(one));
  }
  return out;
}

Json certificate_json(const World& world, const ProofCertificate& certificate) {
  Json json{{"kind", name_of(certificate.kind)}, {"checked", certificate.checked}};
  if (!certificate.checked) json["unchecked"] = certificate.unchecked;
  if (certificate.fills.size() > kPlacementsListed) {
    json["placements_left_out"] = certificate.fills.size();
  } else if (!certificate.fills.empty()) {
    json["placements"] = placements_json(world, certificate.fills);
  }
  if (certificate.kind == ProofCertificate::Kind::Sums) json["slots"] = certificate.slots;
  if (certificate.kind == ProofCertificate::Kind::AllStates) json["states"] = certificate.states;
  if (certificate.kind != ProofCertificate::Kind::Bound) return json;
  Json entries = Json::array();
  for (const ProofCertificate::Entry& entry : certificate.entries) {
    Json one{{"gang", gang_name(world, entry.gang)}};
    if (const std::string& role = world.gangs[entry.gang].roles[entry.role].name; !role.empty()) one["role"] = role;
    one["held"] = entry.held;
    one["blocking"] = entry.blocking;
    entries.push_back(std::move(one));
  }
  json["entries"] = std::move(entries);
  return json;
}

Json result_json(const World& world, const ProofResult& result, std::size_t pool, const SourceMap& sources) {
  Json gangs = Json::array();
  for (const std::size_t gang : result.gangs) gangs.push_back(gang_name(world, gang));
  Json json{{"world", world.name.value},
            {"pool", world.pools[pool].name.value},
            {"gangs", std::move(gangs)},
            {"property", name_of(result.property)},
            {"verdict", name_of(result.verdict)},
            {"reason", result.reason},
            {"engine", result.engine ? Json(name_of(*result.engine)) : Json(nullptr)},
            {"states", result.states},
            {"budget", result.budget},
            {"budget_exhausted", result.budget_exhausted}};
  if (!world.assumes.empty()) json["assumes"] = world.assumes;
  for (const WorldSource& source : world.rests_on) {
    Json one{{"says", source.says}};
    if (source.where.placed()) one["location"] = location_json(sources, source.where);
    json["rests_on"].push_back(std::move(one));
  }
  for (const WorldAbsentee& one : world.besides) json["besides"].push_back({{"gang", one.gang}, {"needs", one.needs}});
  if (result.verdict == Verdict::Holds) json["certificate"] = certificate_json(world, result.certificate);
  if (result.counterexample) json["counterexample"] = counterexample_json(world, *result.counterexample);
  return json;
}

std::string names_of(const World& world, const std::vector<std::size_t>& gangs) {
  std::string out;
  for (std::size_t i = 0; i < std::min(gangs.size(), kGangsDrawn); ++i)
    out += (i == 0 ? "" : ", ") + printable(gang_name(world, gangs[i]));
  if (gangs.size() > kGangsDrawn) out += " and " + std::to_string(gangs.size() - kGangsDrawn) + " more";
  return out;
}

std::string result_text(const World& world, const ProofResult& result) {
  std::string property(name_of(result.property));
  property.resize(std::max<std::size_t>(property.size(), 17), ' ');
  std::string verdict(name_of(result.verdict));
  verdict.resize(std::max<std::size_t>(verdict.size(), 15), ' ');
  std::string out = "  " + property + verdict + printable(result.reason);
  if (result.engine) out += " [" + std::string(name_of(*result.engine)) + "]";
  if (result.verdict == Verdict::Holds && !result.certificate.checked)
    out += " (not checked again: " + printable(result.certificate.unchecked) + ")";
  out += "\n";
  if (result.counterexample) out += counterexample_text(world, result);
  return out;
}

/// " (FILE:LINE)"; empty without a place.
std::string line_text(Span where, const SourceMap& sources) {
  if (!where.placed()) return "";
  return " (" + printable(sources.file(where.file).path() + ":" + std::to_string(sources.begin_of(where).line)) + ")";
}

/// Who competes as well, and nothing is said of.
std::string besides_text(const World& world) {
  std::string out;
  for (std::size_t i = 0; i < std::min(world.besides.size(), kGangsDrawn); ++i)
    out +=
        "  besides, left out: `" + printable(world.besides[i].gang) + "` (" + printable(world.besides[i].needs) + ")\n";
  if (world.besides.size() > kGangsDrawn)
    out += "  besides, left out: " + std::to_string(world.besides.size() - kGangsDrawn) + " more\n";
  return out;
}

}  // namespace

std::string proofs_text(const std::vector<WorldProof>& proofs, const std::vector<UnprovedGang>& left_out,
                        const SourceMap& sources) {
  std::string out;
  std::size_t broken = 0;
  std::size_t open = 0;
  for (const WorldProof& proof : proofs) {
    const World& world = *proof.world;
    const std::vector<std::size_t>* pools = nullptr;
    for (const ProofResult& result : proof.results) {
      if (pools == nullptr || *pools != result.pools) {
        pools = &result.pools;
        out += (out.empty() ? "" : "\n") + printable(world.name.value) + ": pool ";
        for (std::size_t i = 0; i < pools->size(); ++i)
          out += (i == 0 ? "" : ", ") + printable(world.pools[(*pools)[i]].name.value);
        out += result.gangs.empty() ? ", no gangs\n" : ", gangs " + names_of(world, result.gangs) + "\n";
        for (const std::string& assumed : world.assumes) out += "  taken as given: " + printable(assumed) + "\n";
        for (const WorldSource& source : world.rests_on)
          out += (source.where.placed() ? "  as written: " : "  taken as given: ") + printable(source.says) +
                 line_text(source.where, sources) + "\n";
        out += besides_text(world);
      }
      out += result_text(world, result);
      broken += result.verdict == Verdict::Counterexample ? 1 : 0;
      open += result.verdict == Verdict::Unknown ? 1 : 0;
    }
  }
  if (!left_out.empty()) {
    out += std::string(out.empty() ? "" : "\n") + "left out (" + count_of(left_out.size(), "gang") +
           "), because it is not known:\n";
    for (const UnprovedGang& gang : left_out) {
      const std::string place = line_text(gang.where, sources);
      out += "  " + printable(gang.needs) + ": " + printable(gang.gang) + (place.empty() ? " ()" : place) + "\n";
    }
  }
  out += (out.empty() ? "" : "\n") + count_of(broken, "counterexample") + ", " + std::to_string(open) + " unknown in " +
         count_of(proofs.size(), "world") + "\n";
  return out;
}

Json proofs_value(const std::vector<WorldProof>& proofs, const std::vector<UnprovedGang>& left_out,
                  const SourceMap& sources) {
  Json results = Json::array();
  for (const WorldProof& proof : proofs) {
    for (const ProofResult& result : proof.results) {
      for (const std::size_t pool : result.pools) results.push_back(result_json(*proof.world, result, pool, sources));
    }
  }
  Json out_of_it = Json::array();
  for (const UnprovedGang& gang : left_out) {
    Json one{{"gang", gang.gang}, {"needs", gang.needs}};
    if (gang.where.placed()) one["location"] = location_json(sources, gang.where);
    out_of_it.push_back(std::move(one));
  }
  return {{"version", "muster.prove/v1"}, {"results", std::move(results)}, {"left_out", std::move(out_of_it)}};
}

std::string proofs_json(const std::vector<WorldProof>& proofs, const std::vector<UnprovedGang>& left_out,
                        const SourceMap& sources) {
  return to_json_text(proofs_value(proofs, left_out, sources));
}

}  // namespace muster
