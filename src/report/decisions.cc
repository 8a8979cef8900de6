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

/// Facts that would settle what is open of plane, add-ons and hybrid. Each further choice names its own.
std::vector<std::string> unknown_facts(const Decision& decision) {
  std::set<std::string> facts;
  const auto add = [&](const Choice& choice) { facts.insert(choice.unknown.begin(), choice.unknown.end()); };
  add(decision.primary);
  add(decision.host);
  add(decision.hybrid);
  for (const AddonChoice& addon : decision.addons) add(addon.level);
  return {facts.begin(), facts.end()};
}

Json decision_json(const Decision& decision, const SourceMap& sources) {
  Json json{{"workload", decision.workload},
            {"status", decision.decided() ? "decided" : "undetermined"},
            {"primary", value_json(decision.primary)},
            {"host", value_json(decision.host)}};
  Json addons = Json::array();
  for (const AddonChoice& addon : decision.addons) addons.push_back(addon_json(addon));
  json["addons"] = std::move(addons);
  json["hybrid"] = hybrid_json(decision.hybrid);
  Json choices = Json::array({choice_json("control-plane", decision.primary), choice_json("host", decision.host),
                              choice_json("hybrid", decision.hybrid)});
  for (const NamedChoice& further : decision.choices) choices.push_back(choice_json(further.id, further.choice));
  json["choices"] = std::move(choices);
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

std::string fleet_text(const FleetDecision& fleet, std::set<std::string>& open_facts) {
  std::string out = "fleet: " + (fleet.planes.value ? join(fleet.kinds, " and ") : shown(fleet.planes)) + "\n";
  if (!fleet.planes.because.empty()) out += "  because " + printable(fleet.planes.because) + "\n";
  if (fleet.hybrid.value != "none") out += "  hybrid: " + shown(fleet.hybrid) + "\n";
  if (fleet.hybrid.value != "none" && !fleet.hybrid.because.empty())
    out += "    because " + printable(fleet.hybrid.because) + "\n";
  if (!fleet.economics.empty()) out += "  " + fleet.economics + "\n";
  return out + choices_text(fleet.choices, open_facts) + "\n";
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
  for (const Decision& decision : decisions) {
    out += printable(decision.workload) + ": " + shown(decision.primary);
    if (decision.host.value && decision.primary.value && *decision.host.value != *decision.primary.value)
      out += " on " + *decision.host.value;
    if (decision.primary.value) out += " (" + std::string(name_of(decision.primary.reversibility)) + ")";
    out += "\n";
    if (!decision.primary.because.empty()) out += "  because " + printable(decision.primary.because) + "\n";
    if (decision.primary.value && !decision.host.value) out += "  host: " + shown(decision.host) + "\n";
    for (const AddonChoice& addon : decision.addons) {
      out += "  " + addon.id + ": " + shown(addon.level) + "\n";
      if (!addon.level.because.empty()) out += "    because " + printable(addon.level.because) + "\n";
      if (addon.level.value && !addon.options.empty()) out += "    one of " + join(addon.options, ", ") + "\n";
    }
    if (decision.hybrid.value != "none") {
      out += "  hybrid: " + shown(decision.hybrid) + "\n";
      if (!decision.hybrid.because.empty()) out += "    because " + printable(decision.hybrid.because) + "\n";
    }
    out += choices_text(decision.choices, open_facts);
    out += trace_text(decision, sources) + "\n";
  }
  if (decisions.size() > 1) out += fleet_text(fleet, open_facts);
  if (!open_facts.empty()) {
    out += "what is open depends on " + join(std::vector<std::string>(open_facts.begin(), open_facts.end()), ", ") +
           "; a workloads or fleet file, --target or --set tell, `--format json` says which for each\n";
  }
  return out;
}

}  // namespace muster
