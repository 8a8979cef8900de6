#include "report/schema.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "facts/object_type.h"
#include "model/device_platforms.h"
#include "model/fact.h"
#include "report/json_text.h"

namespace muster {
namespace {

using Json = nlohmann::ordered_json;

// A key without a value says nothing, as if it were not there.
Json nullable(const char* type) { return {{"type", Json::array({type, "null"})}}; }

/// Text is any scalar as it is written: `version: 25.11` is a text.
Json text_schema() { return {{"type", Json::array({"string", "number", "boolean", "null"})}}; }

/// What Version::parse takes.
Json version_schema() {
  Json text{{"type", "string"}, {"pattern", R"(^\s*[vV]?[0-9]{1,9}(\.[0-9]{1,9}){0,3}([-+~].*)?\s*$)"}};
  Json number{{"type", "number"}, {"minimum", 0}};
  return {{"anyOf", Json::array({std::move(text), std::move(number), {{"type", "null"}}})}};
}

Json described(Json schema, std::string_view description) {
  schema["description"] = description;
  return schema;
}

Json object(Json properties) {
  return {{"type", Json::array({"object", "null"})},
          {"additionalProperties", false},
          {"properties", std::move(properties)}};
}
Json list_of(Json item) { return {{"type", Json::array({"array", "null"})}, {"items", std::move(item)}}; }

Json one_of(std::span<const std::string_view> words) {
  Json out = Json::array();
  for (const std::string_view word : words) out.push_back(word);
  out.push_back(nullptr);
  return {{"enum", std::move(out)}};
}

Json fact_schema(const FactDef& fact) {
  const auto number = [&](const char* type) {
    constexpr double kNoBound = 1e15;
    Json schema = nullable(type);
    schema["minimum"] = std::llround(fact.least);
    if (fact.most < kNoBound) schema["maximum"] = std::llround(fact.most);
    return schema;
  };
  switch (fact.type) {
    case FactType::Bool: return described(nullable("boolean"), fact.doc);
    case FactType::Int: return described(number("integer"), fact.doc);
    case FactType::Double: return described(number("number"), fact.doc);
    case FactType::String: return described(fact.words.empty() ? text_schema() : one_of(fact.words), fact.doc);
  }
  return {};
}

/// Adds the facts of a table to the properties of the object they describe; a dotted one goes into an object of its
/// own.
void add_facts(Json& properties, std::span<const FactDef> facts) {
  for (const FactDef& fact : facts) {
    Json* place = &properties;
    const std::vector<std::string_view> keys = split(fact.name, '.');
    for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
      Json& group = (*place)[std::string(keys[i])];
      if (group.is_null()) group = object(Json::object());
      place = &group["properties"];
    }
    (*place)[std::string(keys.back())] = fact_schema(fact);
  }
}

Json file_schema(std::string_view kind, std::string_view title, Json properties) {
  Json all{{"muster", {{"const", std::string(kind) + "/v1"}}}};
  all.update(properties);
  return {{"$schema", "http://json-schema.org/draft-07/schema#"},
          {"title", title},
          {"type", "object"},
          {"additionalProperties", false},
          {"required", Json::array({"muster"})},
          {"properties", std::move(all)}};
}

Json control_plane_schema() {
  constexpr std::array<std::string_view, 4> kKinds{"slurm", "kubernetes", "k3s", "ray"};
  return object(
      {{"kind", one_of(kKinds)},
       {"version", described(version_schema(), "in quotes: 1.30 without them is a number")},
       {"platform", described(one_of(platform_ids()), "whose Kubernetes it is")},
       {"feature_gates", {{"type", Json::array({"object", "null"})}, {"additionalProperties", nullable("boolean")}}}});
}

Json pool_schema() {
  Json properties{{"name", text_schema()}, {"nodes", described(text_schema(), "a Slurm hostlist: h100-[001-032]")}};
  add_facts(properties, pool_facts());
  properties["node"]["properties"]["labels"] = nullable("object");
  properties["node"]["properties"]["taints"] = nullable("array");
  return object(std::move(properties));
}

Json topology_schema() {
  Json domain = object({{"name", text_schema()},
                        {"level", text_schema()},
                        {"parent", text_schema()},
                        {"nodes", described(text_schema(), "a Slurm hostlist")}});
  return object(
      {{"levels", described(list_of(text_schema()), "widest first")}, {"domains", list_of(std::move(domain))}});
}

/// The releases that muster.yaml states, too.
Json targets_schema() {
  Json properties = Json::object();
  for (const std::string_view name : target_names()) properties[std::string(name)] = version_schema();
  return described(object(std::move(properties)), "releases of what runs: volcano: \"1.15\"");
}

Json operators_schema() {
  Json value{{"anyOf", Json::array({text_schema(), list_of(text_schema())})}};
  Json settings{{"type", Json::array({"object", "null"})}, {"additionalProperties", std::move(value)}};
  Json all{{"type", Json::array({"object", "null"})}, {"additionalProperties", std::move(settings)}};
  return described(std::move(all), "settings of operators, by operator and setting, as in muster.yaml");
}

}  // namespace

std::string workloads_schema() {
  Json properties{{"name", {{"type", Json::array({"string", "number", "boolean"})}}},
                  {"tenant", described(text_schema(), "the team it belongs to")}};
  add_facts(properties, workload_facts());
  Json workload = object(std::move(properties));
  workload["type"] = "object";
  workload["required"] = Json::array({"name"});
  Json file = file_schema("workloads", "muster workloads file",
                          {{"workloads", {{"type", "array"}, {"items", std::move(workload)}}}});
  file["required"] = Json::array({"muster", "workloads"});
  return to_json_text(file);
}

std::string fleet_schema() {
  Json gpus = nullable("integer");
  gpus["minimum"] = 0;
  Json tenant = object({{"name", text_schema()},
                        {"parent", described(text_schema(), "the tenant above it")},
                        {"guaranteed_gpus", described(gpus, "GPUs that are its own")},
                        {"limit_gpus", described(gpus, "most GPUs it may use")}});
  Json properties{{"name", text_schema()},
                  {"control_planes", list_of(control_plane_schema())},
                  {"node_pools", list_of(pool_schema())},
                  {"topology", topology_schema()},
                  {"tenants", list_of(std::move(tenant))},
                  {"targets", targets_schema()},
                  {"operators", operators_schema()}};
  add_facts(properties, fleet_facts());
  return to_json_text(file_schema("fleet", "muster fleet file", std::move(properties)));
}

}  // namespace muster
