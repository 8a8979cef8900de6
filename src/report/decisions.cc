#include "report/decisions.h"

#include <nlohmann/json.hpp>
#include <set>

#include "base/strings.h"
#include "base/utf8.h"
#include "report/json_text.h"

namespace muster {
namespace {

using Json = nlohmann::ordered_json;

Json value_json(const Choice& choice) { return choice.value ? Json(*choice.value) : Json(nullptr); }

/// What an open value could be and what would settle it.
void add_open(Json& json, const Choice& choice) {
  if (choice.value) return;
  json["possible"] = choice.possible;
  json["unknown"] = choice.unknown;
}

Json addon_json(const AddonChoice& addon) {
  Json json{{"id", addon.id},
            {"level", value_json(addon.level)},
            {"options", addon.options},
            {"because", addon.level.because}};
  add_open(json, addon.level);
  return json;
}

Json hybrid_json(const Choice& hybrid) {
  if (hybrid.value == "none") return nullptr;
  Json json{{"mode", value_json(hybrid)}};
  if (hybrid.value) json["because"] = hybrid.because;
  add_open(json, hybrid);
  return json;
}

Json choice_json(std::string_view id, const Choice& choice) {
  Json json{{"id", id},
            {"value", value_json(choice)},
            {"reversibility", name_of(choice.reversibility)},
            {"horizon", text_or_null(choice.horizon)},
            {"because", choice.because},
            {"rule", choice.rule}};
  add_open(json, choice);
  return json;
}

/// Where the workload runs in this fleet.
Json runs_on_json(const Choice& runs_on) {
  Json json{{"plane", value_json(runs_on)}, {"because", runs_on.because}, {"rule", runs_on.rule}};
  add_open(json, runs_on);
  return json;
}

/// Facts that would settle what is open of plane, add-ons and hybrid. Each further choice names its own.
std::vector<std::string> unknown_facts(const Decision& decision) {
  std::set<std::string> facts;
  const auto add = [&](const Choice& choice) { facts.insert(choice.unknown.begin(), choice.unknown.end()); };
  add(decision.primary);
  add(decision.host);
  add(decision.runs_on);
  add(decision.hybrid);
  for (const AddonChoice& addon : decision.addons) add(addon.level);
  return {facts.begin(), facts.end()};
}

Json decision_json(const Decision& decision, const SourceMap& sources) {
  Json json{{"workload", decision.workload},
            {"status", decision.decided() ? "decided" : "undetermined"},
            {"primary", value_json(decision.primary)},
            {"host", value_json(decision.host)},
            {"runs_on", runs_on_json(decision.runs_on)}};
  Json addons = Json::array();
  for (const AddonChoice& addon : decision.addons) addons.push_back(addon_json(addon));
  json["addons"] = std::move(addons);
  json["hybrid"] = hybrid_json(decision.hybrid);
  Json choices = Json::array({choice_json("control-plane", decision.primary), choice_json("host", decision.host),
                              choice_json("placement", decision.runs_on), choice_json("hybrid", decision.hybrid)});
  for (const NamedChoice& further : decision.choices) choices.push_back(choice_json(further.id, further.choice));
  json["choices"] = std::move(choices);
  Json pools = Json::array();
  for (const PoolDecision& pool : decision.pools) {
    Json further = Json::array();
    for (const NamedChoice& choice : pool.choices) further.push_back(choice_json(choice.id, choice.choice));
    pools.push_back({{"pool", pool.pool}, {"choices", std::move(further)}});
  }
  json["pools"] = std::move(pools);
  if (decision.pools_left_out > 0) json["pools_left_out"] = decision.pools_left_out;
  json["unknown"] = unknown_facts(decision);
  json["trace"] = trace_json(decision, sources);
  if (!decision.why_not.empty()) json["why_not"] = why_not_json(decision, sources);
  return json;
}

Json fleet_json(const FleetDecision& fleet) {
  Json json{{"planes", fleet.planes.value ? Json(fleet.kinds) : Json(nullptr)},
            {"hybrid", hybrid_json(fleet.hybrid)},
            {"because", fleet.planes.because}};
  add_open(json, fleet.planes);
  if (!fleet.economics.empty()) json["economics"] = fleet.economics;
  Json choices = Json::array();
  for (const NamedChoice& further : fleet.choices) choices.push_back(choice_json(further.id, further.choice));
  json["choices"] = std::move(choices);
  Json clusters = Json::array();
  for (const ClusterScheduler& cluster : fleet.gang_schedulers) {
    Json one{{"plane", cluster.plane},
             {"scheduler", value_json(cluster.scheduler)},
             {"because", cluster.scheduler.because},
             {"workloads", cluster.workloads}};
    add_open(one, cluster.scheduler);
    clusters.push_back(std::move(one));
  }
  json["gang_schedulers"] = std::move(clusters);
  Json numbers = Json::array();
  for (const BreakEven& one : fleet.break_evens) {
    numbers.push_back({{"choice", one.choice},
                       {"value", one.value},
                       {"fact", one.fact},
                       {"now", one.now},
                       {"direction", one.upwards ? "up" : "down"},
                       {"until", one.until},
                       {"then", one.then}});
  }
  json["break_even"] = std::move(numbers);
  return json;
}

std::string shown(const Choice& choice) {
  if (choice.value) return *choice.value;
  return "undetermined: " + join(choice.possible, " or ") + ", depending on " + join(choice.unknown, ", ");
}

/// What is decided a line each, further outputs of a table behind the first; the names of what is open in one line, the
/// facts that it depends on into `open_facts`.
std::string choices_text(const std::vector<NamedChoice>& choices, std::set<std::string>& open_facts) {
  std::string out;
  std::vector<std::string> open;
  for (const auto& [id, choice] : choices) {
    if (id.find('.') != std::string::npos) continue;
    if (!choice.value) {
      open.push_back(id);
      open_facts.insert(choice.unknown.begin(), choice.unknown.end());
    } else if (*choice.value != "none") {
      out += "  " + id + ": " + *choice.value;
      for (const NamedChoice& other : choices) {
        if (other.id.starts_with(id + ".") && other.choice.value)
          out += ", " + other.id.substr(id.size() + 1) + " " + *other.choice.value;
      }
      out += " (" + std::string(name_of(choice.reversibility)) + ")\n";
      if (!choice.because.empty()) out += "    because " + printable(choice.because) + "\n";
    }
  }
  if (!open.empty()) out += "  open: " + join(open, ", ") + "\n";
  return out;
}

/// The plane in this fleet, with the one that the workload alone would call for where that is another.
std::string plane_text(const Decision& decision) {
  std::string out = shown(decision.primary);
  if (decision.host.value && decision.primary.value && *decision.host.value != *decision.primary.value)
    out += " on " + *decision.host.value;
  if (decision.primary.value) out += " (" + std::string(name_of(decision.primary.reversibility)) + ")";
  const bool elsewhere =
      decision.runs_on.value && decision.host.value && *decision.runs_on.value != *decision.host.value;
  if (elsewhere) {
    const bool ray = decision.primary.value == "ray";
    std::string alone = ray ? "ray on " + *decision.host.value : *decision.host.value;
    out = (ray ? "ray on " : "") + *decision.runs_on.value + " (" +
          std::string(name_of(decision.runs_on.reversibility)) + ")";
    return out + "\n  because " + printable(decision.runs_on.because) + "\n  alone it would call for " + alone + "\n";
  }
  out += "\n";
  if (!decision.primary.because.empty()) out += "  because " + printable(decision.primary.because) + "\n";
  if (decision.primary.value && !decision.host.value) out += "  host: " + shown(decision.host) + "\n";
  if (decision.host.value && !decision.runs_on.value) out += "  runs on: " + shown(decision.runs_on) + "\n";
  return out;
}

/// What the pools that can hold it decide otherwise, a line each.
std::string by_pool_text(const Decision& decision) {
  if (decision.pools_left_out > 0) {
    return "  not asked for each pool: " + with_thousands(decision.pools_left_out) +
           " can hold it; the answers are those that all of them share\n";
  }
  std::string out;
  for (const PoolDecision& pool : decision.pools) {
    std::vector<std::string> words;
    for (const NamedChoice& choice : pool.choices)
      words.push_back(choice.id + " " + (choice.choice.value ? *choice.choice.value : "open"));
    if (!words.empty()) out += "  in pool " + printable(pool.pool) + ": " + join(words, ", ") + "\n";
  }
  return out;
}

std::string decision_text(const Decision& decision, std::set<std::string>& open_facts, const SourceMap& sources) {
  std::string out = printable(decision.workload) + ": " + plane_text(decision);
  for (const AddonChoice& addon : decision.addons) {
    out += "  " + addon.id + ": " + shown(addon.level) + "\n";
    if (!addon.level.because.empty()) out += "    because " + printable(addon.level.because) + "\n";
    if (addon.level.value && !addon.options.empty()) out += "    one of " + join(addon.options, ", ") + "\n";
  }
  if (decision.hybrid.value != "none") {
    out += "  hybrid: " + shown(decision.hybrid) + "\n";
    if (!decision.hybrid.because.empty()) out += "    because " + printable(decision.hybrid.because) + "\n";
  }
  return out + choices_text(decision.choices, open_facts) + by_pool_text(decision) + trace_text(decision, sources);
}

std::string fleet_text(const FleetDecision& fleet, std::set<std::string>& open_facts) {
  std::string out = "fleet: " + (fleet.planes.value ? join(fleet.kinds, " and ") : shown(fleet.planes)) + "\n";
  if (!fleet.planes.because.empty()) out += "  because " + printable(fleet.planes.because) + "\n";
  if (fleet.hybrid.value != "none") out += "  hybrid: " + shown(fleet.hybrid) + "\n";
  if (fleet.hybrid.value != "none" && !fleet.hybrid.because.empty())
    out += "    because " + printable(fleet.hybrid.because) + "\n";
  if (!fleet.economics.empty()) out += "  " + fleet.economics + "\n";
  for (const ClusterScheduler& cluster : fleet.gang_schedulers) {
    out += "  one gang scheduler on " + cluster.plane + ": " + shown(cluster.scheduler) + ", for " +
           printable(join(cluster.workloads, ", ")) + "\n";
    if (!cluster.scheduler.because.empty()) out += "    because " + printable(cluster.scheduler.because) + "\n";
  }
  out += choices_text(fleet.choices, open_facts);
  for (const BreakEven& one : fleet.break_evens) {
    out += "  " + one.choice + " stays " + one.value + " while " + one.fact +
           (one.upwards ? " is at most " : " is at least ") + one.until + " (now " + one.now + "), then " + one.then +
           "\n";
  }
  return out + "\n";
}

}  // namespace

Json decisions_value(const std::vector<Decision>& decisions, const FleetDecision& fleet, const SourceMap& sources) {
  Json list = Json::array();
  for (const Decision& decision : decisions) list.push_back(decision_json(decision, sources));
  return {{"version", "muster.decide/v1"}, {"decisions", std::move(list)}, {"fleet", fleet_json(fleet)}};
}

std::string decisions_json(const std::vector<Decision>& decisions, const FleetDecision& fleet,
                           const SourceMap& sources) {
  return to_json_text(decisions_value(decisions, fleet, sources));
}

std::string decisions_text(const std::vector<Decision>& decisions, const FleetDecision& fleet,
                           const SourceMap& sources) {
  std::string out;
  std::set<std::string> open_facts;
  for (const Decision& decision : decisions) out += decision_text(decision, open_facts, sources) + "\n";
  if (decisions.size() > 1) out += fleet_text(fleet, open_facts);
  if (!open_facts.empty()) {
    out += "what is open depends on " + join(std::vector<std::string>(open_facts.begin(), open_facts.end()), ", ") +
           "; a workloads or fleet file, --target or --set tell, `--format json` says which for each\n";
  }
  return out;
}

}  // namespace muster
