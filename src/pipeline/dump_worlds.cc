#include "pipeline/dump.h"
#include "syntax/write_yaml.h"

namespace muster {
namespace {

using Layout = YamlWriter::Layout;

void write_mapping(YamlWriter& out, std::string_view key, const std::map<std::string, std::string>& texts) {
  if (texts.empty()) return;
  out.key(key).begin_mapping(Layout::Flow);
  for (const auto& [name, value] : texts) out.quoted_key(name).quoted(value);
  out.end_mapping();
}

std::string bytes(std::int64_t amount) {
  constexpr std::int64_t kMiB = 1024 * 1024;
  return amount % kMiB == 0 ? std::to_string(amount / kMiB) + "Mi" : std::to_string(amount);
}

void write_nodes(YamlWriter& out, const WorldNodes& nodes) {
  out.begin_mapping(Layout::Flow).key("count").number(nodes.count).key("gpus").number(nodes.gpus);
  if (nodes.milli_cpus) out.key("cpus").word(std::to_string(*nodes.milli_cpus) + "m");
  if (nodes.memory) out.key("memory").word(bytes(*nodes.memory));
  write_mapping(out, "labels", nodes.labels);
  write_mapping(out, "domains", nodes.domains);
  out.end_mapping();
}

void write_role(YamlWriter& out, const WorldRole& role, bool named) {
  if (named) out.key("name").quoted(role.name);
  out.key("pool").quoted(role.pool).key("pods").number(role.pods).key("gpus_per_pod").number(role.gpus_per_pod);
  if (role.milli_cpus_per_pod > 0) out.key("cpus_per_pod").word(std::to_string(role.milli_cpus_per_pod) + "m");
  if (role.memory_per_pod > 0) out.key("memory_per_pod").word(bytes(role.memory_per_pod));
  write_mapping(out, "node_labels", role.selector);
  if (!role.domain.empty()) out.key("domain").quoted(role.domain);
  write_mapping(out, "within", role.within);
  if (named && role.guaranteed > 0) out.key("guaranteed").number(role.guaranteed);
}

void write_gang(YamlWriter& out, const WorldGang& gang) {
  out.begin_mapping(Layout::Flow).key("name").quoted(gang.name.value);
  const bool plain = gang.roles.size() == 1 && gang.roles.front().name.empty() && gang.roles.front().guaranteed == 0 &&
                     gang.roles.front().domain.empty() && gang.roles.front().within.empty();
  if (plain) {
    write_role(out, gang.roles.front(), false);
  } else {
    out.key("roles").begin_sequence(Layout::Flow);
    for (const WorldRole& role : gang.roles) {
      out.begin_mapping(Layout::Flow);
      write_role(out, role, true);
      out.end_mapping();
    }
    out.end_sequence();
  }
  out.key("mechanism").word(name_of(gang.mechanism));
  if (gang.guaranteed.known()) out.key("guaranteed").number(gang.guaranteed.value);
  if (gang.timeout_seconds) out.key("timeout_seconds").number(*gang.timeout_seconds);
  if (gang.at_once > 0) out.key("at_once").number(gang.at_once);
  if (!gang.domain.empty()) out.key("domain").quoted(gang.domain);
  if (gang.priority != 0) out.key("priority").number(gang.priority);
  if (gang.preempts) out.key("preempts").word(gang.evicts_pods ? "pods" : "true");
  if (gang.restarts_whole) out.key("restarts").word("whole");
  if (gang.one_per_node) out.key("one_per_node").word("true");
  if (!gang.taken_apart.empty()) out.key("may_lose_pods").quoted(gang.taken_apart);
  if (gang.takes != NodesTaken::Any) out.key("takes").word(name_of(gang.takes));
  if (!gang.queue.empty()) out.key("queue").quoted(gang.queue);
  if (!gang.scheduler.empty()) out.key("scheduler").quoted(gang.scheduler);
  if (!gang.coupled) out.key("tightly_coupled").word("false");
  if (!gang.may_work_alone.empty()) out.key("may_work_alone").quoted(gang.may_work_alone);
  if (!gang.beyond.empty()) out.key("asks_beyond").begin_sequence(Layout::Flow);
  for (const std::string& word : gang.beyond) out.quoted(word);
  if (!gang.beyond.empty()) out.end_sequence();
  out.end_mapping();
}

std::string world_text(const World& world) {
  YamlWriter out;
  out.begin_mapping().key("muster").word("world/v1").key("name").quoted(world.name.value).key("pools").begin_sequence();
  for (const WorldPool& pool : world.pools) {
    out.begin_mapping().key("name").quoted(pool.name.value);
    if (pool.quota.known()) out.key("quota").number(pool.quota.value);
    if (pool.serial.known() && pool.serial.value) out.key("serial").word("true");
    out.key("nodes").begin_sequence();
    for (const WorldNodes& nodes : pool.nodes) write_nodes(out, nodes);
    out.end_sequence().end_mapping();
  }
  out.end_sequence();
  if (!world.queues.empty()) out.key("queues").begin_sequence();
  for (const WorldQueue& queue : world.queues)
    out.begin_mapping(Layout::Flow).key("name").quoted(queue.name).key("gpus").number(queue.gpus).end_mapping();
  if (!world.queues.empty()) out.end_sequence();
  out.key("gangs").begin_sequence();
  for (const WorldGang& gang : world.gangs) write_gang(out, gang);
  out.end_sequence().end_mapping();
  return out.finish();
}

}  // namespace

std::string dump_worlds(const std::vector<World>& worlds) {
  std::string out;
  for (const World& world : worlds) out += (out.empty() ? "" : "---\n") + world_text(world);
  return out;
}

}  // namespace muster
