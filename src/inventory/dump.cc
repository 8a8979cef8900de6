#include "inventory/dump.h"

#include <algorithm>
#include <set>

#include "base/capped.h"
#include "base/check.h"
#include "base/hostlist.h"
#include "base/strings.h"
#include "model/fact.h"
#include "slurm/records.h"

namespace muster {
namespace {

std::string shown(std::string_view text) {
  constexpr std::size_t kShown = 60;
  return std::string(text.substr(0, kShown)) + (text.size() > kShown ? "..." : "");
}

/// 1g.10gb and the like: a piece of a GPU.
bool is_mig_profile(std::string_view type) {
  const std::size_t g = type.find("g.");
  return g != type.npos && g > 0 && g < 3 && type.find("gb", g) != type.npos;
}

}  // namespace

std::size_t row_of(std::string_view fact) {
  const std::optional<std::size_t> row = fact_index(pool_facts(), fact);
  MUSTER_CHECK(row.has_value(), "a dump speaks of a fact that node pools do not have");
  return *row;
}

void say(DumpContext& context, NodeRecord& record, std::string_view fact, std::string value, Span where, bool weak) {
  const std::size_t row = row_of(fact);
  const FactDef& def = pool_facts()[row];
  if (def.type == FactType::Int) {
    const std::optional<std::int64_t> number = parse_int(value);
    const std::string wrong = number ? objection(def, *number) : "is no whole number";
    if (!wrong.empty())
      return unreadable(context, where,
                        "`" + std::string(fact) + "` " + wrong + ", and here stands `" + shown(value) + "`");
    value = std::to_string(*number);
  }
  if (value.empty()) return;
  record.says.push_back({row, std::move(value), where, weak});
}

void leave_open(NodeRecord& record, std::string_view fact, std::string why) {
  record.open.push_back({row_of(fact), std::move(why)});
}

bool is_node_name(std::string_view name) {
  constexpr std::size_t kLongest = 253;  // of a DNS name
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
           c == '_';
  };
  return !name.empty() && name.size() <= kLongest && name.front() != '-' && std::ranges::all_of(name, fits);
}

void unreadable(DumpContext& context, Span where, std::string message) {
  context.findings.push_back(problem("inventory-record-unreadable", where, std::move(message)));
}

std::vector<std::string> names_of(DumpContext& context, std::string_view list, Span where) {
  const Result<Hostlist> hosts = Hostlist::parse(list);
  if (!hosts) {
    unreadable(context, where, "`" + shown(list) + "` is no node list: " + hosts.error().message);
    return {};
  }
  if (hosts->size() > context.names_left) {
    unreadable(context, where,
               "with `" + shown(list) + "` the dumps name more than " + with_thousands(4u << 20) +
                   " nodes; the list is left out");
    return {};
  }
  context.names_left -= hosts->size();
  std::vector<std::string> names = hosts->expand(hosts->size()).value_or(std::vector<std::string>{});
  const auto bad = std::ranges::find_if_not(names, is_node_name);
  if (bad != names.end()) unreadable(context, where, "`" + shown(*bad) + "` cannot be the name of a node");
  std::erase_if(names, [](const std::string& name) { return !is_node_name(name); });
  return names;
}

void say_gres(DumpContext& context, NodeRecord& record, std::string_view gres, Span where) {
  std::int64_t gpus = 0;
  std::set<std::string> types;
  bool untyped = false;
  bool mig = false;
  for (const Gres& item : parse_gres(gres)) {
    if (item.name != "gpu") continue;
    gpus = add_capped(gpus, item.count);
    mig = mig || is_mig_profile(item.type);
    if (item.type.empty()) untyped = true;
    if (!item.type.empty()) types.insert(item.type);
  }
  if (mig) {
    say(context, record, "accelerator.partitioning", "mig", where);
    leave_open(record, "gpus_per_node",
               "Gres counts pieces of GPUs (MIG); nvidia-smi -L on a node tells how many GPUs they are of");
    leave_open(record, "accelerator.model",
               "Gres names pieces of GPUs (MIG); nvidia-smi -L on a node tells of which model");
    return;
  }
  say(context, record, "gpus_per_node", std::to_string(gpus), where);
  if (types.size() == 1 && !untyped) say(context, record, "accelerator.model", *types.begin(), where);
  if (types.size() > 1 || (untyped && !types.empty())) {
    leave_open(record, "accelerator.model", "the GPUs of one node differ: " + shown(gres) + "; a pool has one model");
  }
}

}  // namespace muster
