#include "base/strings.h"
#include "base/utf8.h"
#include "pipeline/dump.h"

namespace muster {
namespace {

/// A YAML text in double quotes, whatever it holds.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : printable(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string mapping(const std::map<std::string, std::string>& texts) {
  std::string out;
  for (const auto& [key, value] : texts) out += (out.empty() ? "" : ", ") + quoted(key) + ": " + quoted(value);
  return "{" + out + "}";
}

std::string bytes(std::int64_t amount) {
  constexpr std::int64_t kMiB = 1024 * 1024;
  return amount % kMiB == 0 ? std::to_string(amount / kMiB) + "Mi" : std::to_string(amount);
}

std::string nodes_text(const WorldNodes& nodes) {
  std::string out = "{count: " + std::to_string(nodes.count) + ", gpus: " + std::to_string(nodes.gpus);
  if (nodes.milli_cpus) out += ", cpus: " + std::to_string(*nodes.milli_cpus) + "m";
  if (nodes.memory) out += ", memory: " + bytes(*nodes.memory);
  if (!nodes.labels.empty()) out += ", labels: " + mapping(nodes.labels);
  if (!nodes.domains.empty()) out += ", domains: " + mapping(nodes.domains);
  return out + "}";
}

std::string role_text(const WorldRole& role, bool named) {
  std::string out;
  if (named) out = "name: " + quoted(role.name) + ", ";
  out += "pool: " + quoted(role.pool) + ", pods: " + std::to_string(role.pods) + ", gpus_per_pod: " + std::to_string(role.gpus_per_pod);
  if (role.milli_cpus_per_pod > 0) out += ", cpus_per_pod: " + std::to_string(role.milli_cpus_per_pod) + "m";
  if (role.memory_per_pod > 0) out += ", memory_per_pod: " + bytes(role.memory_per_pod);
  if (!role.selector.empty()) out += ", node_labels: " + mapping(role.selector);
  if (!role.domain.empty()) out += ", domain: " + quoted(role.domain);
  if (named && role.guaranteed > 0) out += ", guaranteed: " + std::to_string(role.guaranteed);
  return out;
}

std::string gang_text(const WorldGang& gang) {
  std::string out = "{name: " + quoted(gang.name.value) + ", ";
  const bool plain = gang.roles.size() == 1 && gang.roles.front().name.empty() && gang.roles.front().guaranteed == 0 && gang.roles.front().domain.empty();
  if (plain) {
    out += role_text(gang.roles.front(), false);
  } else {
    out += "roles: [";
    for (const WorldRole& role : gang.roles) out += (&role == gang.roles.data() ? "{" : ", {") + role_text(role, true) + "}";
    out += "]";
  }
  out += ", mechanism: " + std::string(name_of(gang.mechanism));
  if (gang.guaranteed.known()) out += ", guaranteed: " + std::to_string(gang.guaranteed.value);
  if (gang.timeout_seconds) out += ", timeout_seconds: " + std::to_string(*gang.timeout_seconds);
  if (!gang.domain.empty()) out += ", domain: " + quoted(gang.domain);
  if (gang.priority != 0) out += ", priority: " + std::to_string(gang.priority);
  if (gang.preempts) out += gang.evicts_pods ? ", preempts: pods" : ", preempts: true";
  if (gang.restarts_whole) out += ", restarts: whole";
  if (gang.one_per_node) out += ", one_per_node: true";
  if (!gang.queue.empty()) out += ", queue: " + quoted(gang.queue);
  if (!gang.scheduler.empty()) out += ", scheduler: " + quoted(gang.scheduler);
  if (!gang.coupled) out += ", tightly_coupled: false";
  std::string beyond;
  for (const std::string& word : gang.beyond) beyond += (beyond.empty() ? "" : ", ") + quoted(word);
  if (!beyond.empty()) out += ", asks_beyond: [" + beyond + "]";
  return out + "}";
}

}  // namespace

std::string dump_worlds(const std::vector<World>& worlds) {
  std::string out;
  for (const World& world : worlds) {
    out += std::string(out.empty() ? "" : "---\n") + "muster: world/v1\nname: " + quoted(world.name.value) + "\npools:\n";
    for (const WorldPool& pool : world.pools) {
      out += "  - name: " + quoted(pool.name.value) + "\n";
      if (pool.quota.known()) out += "    quota: " + std::to_string(pool.quota.value) + "\n";
      if (pool.serial.known() && pool.serial.value) out += "    serial: true\n";
      out += "    nodes:\n";
      for (const WorldNodes& nodes : pool.nodes) out += "      - " + nodes_text(nodes) + "\n";
    }
    if (!world.queues.empty()) out += "queues:\n";
    for (const WorldQueue& queue : world.queues) out += "  - {name: " + quoted(queue.name) + ", gpus: " + std::to_string(queue.gpus) + "}\n";
    out += "gangs:\n";
    for (const WorldGang& gang : world.gangs) out += "  - " + gang_text(gang) + "\n";
  }
  return out;
}

}  // namespace muster
