#include "slurm/request.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/capped.h"
#include "base/slurm_units.h"
#include "base/strings.h"
#include "syntax/placeholder.h"

namespace muster::sbatch {
namespace {

/// With these not any node of the partition will do, or not the first ones.
constexpr std::array<std::string_view, 10> kChoosyOptions{"nodelist",      "exclude",    "constraint", "nodefile",
                                                          "reservation",   "contiguous", "switches",   "spread-job",
                                                          "use-min-nodes", "prefer"};

constexpr std::int64_t kMemoryUnit = 1024 * 1024;

/// 4, 8-64, 8-64:4, 2,4,8.
void read_nodes(const SbatchOption& option, SbatchComponent& out) {
  out.nodes_given = true;
  out.min_nodes = unknown_until<std::int64_t>("a value for `--nodes`", option.value_where, "--nodes");
  out.max_nodes = out.min_nodes;
  if (!option.value) return;
  std::string_view text = *option.value;
  text = text.substr(0, text.find(':'));
  std::int64_t low = 0;
  std::int64_t high = 0;
  for (const std::string_view piece : split(text, ',')) {
    for (const std::string_view number : split(piece, '-')) {
      const std::optional<std::int64_t> nodes = slurm_count(number);
      if (!nodes) return;
      low = low == 0 ? *nodes : std::min(low, *nodes);
      high = std::max(high, *nodes);
    }
  }
  out.min_nodes = set_to(low, option.value_where, "--nodes");
  out.max_nodes = set_to(high, option.value_where, "--nodes");
}

/// Without --nodes Slurm takes as few nodes as the tasks need: one, unless tasks per node say more.
void default_nodes(SbatchComponent& out, Span where) {
  if (out.min_nodes.state != State::Absent) return;
  const std::int64_t tasks = out.tasks.value;
  const std::int64_t per_node = out.tasks_per_node.value;
  if (out.tasks.is_set() && tasks > 0 && per_node > 0) {
    out.min_nodes = set_to((tasks - 1) / per_node + 1, out.tasks.where, "--ntasks");
  } else if (out.tasks.state == State::Absent || (out.tasks.is_set() && tasks == 1)) {
    out.min_nodes = defaulted_to<std::int64_t>(1, where, "--nodes");
  } else {
    out.min_nodes = unknown_until<std::int64_t>("how many nodes `--ntasks` comes to", out.tasks.where, "--nodes");
  }
  out.max_nodes = out.min_nodes;
}

/// Fewer tasks than nodes: sbatch lowers the nodes, with a warning; of a range the upper end without a word. Executed
/// with 22.05.8, 24.11.5 and 26.05.5.
void lower_nodes_to_tasks(SbatchComponent& out) {
  out.nodes_asked = out.min_nodes;
  if (!out.nodes_given || !out.min_nodes.known() || !out.tasks.is_set() || out.tasks.value < 1) return;
  if (out.max_nodes.known()) out.max_nodes.value = std::min(out.max_nodes.value, out.tasks.value);
  if (out.tasks.value >= out.min_nodes.value) return;
  out.min_nodes.value = out.tasks.value;
  out.max_nodes = out.min_nodes;
}

Located<std::int64_t> memory_value(const SbatchOption& option, FieldName field) {
  const std::optional<std::int64_t> bytes = option.value ? slurm_memory(*option.value) : std::nullopt;
  if (bytes) return set_to((*bytes + kMemoryUnit - 1) / kMemoryUnit, option.value_where, field);
  return unknown_until<std::int64_t>("a value for `--" + option.name + "`", option.value_where, field);
}

Located<std::int64_t> time_value(const SbatchOption& option) {
  const std::optional<std::int64_t> minutes = option.value ? slurm_minutes(*option.value) : std::nullopt;
  if (minutes) return set_to(*minutes, option.value_where, "--time");
  return unknown_until<std::int64_t>("a value for `--time`", option.value_where, "--time");
}

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a <= 0 || b <= 0 ? 0 : (a - 1) / b + 1; }

/// Tasks of the node that has the fewest when they are spread evenly over as many nodes as it takes.
void spread_tasks(SbatchComponent& out, Span where) {
  const Located<std::int64_t>& nodes = out.max_nodes;
  if (out.tasks.unknown() || out.tasks_per_node.unknown()) {
    const Located<std::int64_t>& open = out.tasks.unknown() ? out.tasks : out.tasks_per_node;
    out.tasks_each = unknown_until<std::int64_t>(open.needs(), open.where, open.field);
  } else if (out.tasks.is_set() && nodes.known() && nodes.value > 0) {
    out.tasks_each = set_to(ceil_div(out.tasks.value, nodes.value), out.tasks.where, "--ntasks");
  } else if (out.tasks.is_set()) {
    out.tasks_each = unknown_until<std::int64_t>("how many nodes `--ntasks` comes to", out.tasks.where, "--ntasks");
  } else if (out.tasks_per_node.is_set()) {
    out.tasks_each = out.tasks_per_node;
  } else {
    out.tasks_each = defaulted_to<std::int64_t>(1, where, "--ntasks");
  }
}

/// GPUs a node has to have, from all spellings; the largest where several speak of them.
void spread_gpus(SbatchComponent& out, Span where) {
  std::int64_t most = 0;
  Span place = where;
  std::string needs = out.devices_known ? "" : "a number of GPUs";
  std::array<std::int64_t, 4> sums{};
  for (const DeviceAsk& ask : out.devices) {
    if (ask.name != "gpu") continue;
    std::int64_t& sum = sums[static_cast<std::size_t>(ask.per)];
    sum = add_capped(sum, ask.count);
    std::int64_t each = sum;
    if (ask.per == DevicesPer::Job) {
      if (!out.max_nodes.known() || out.max_nodes.value < 1) needs = "how many nodes the job gets";
      each = ceil_div(sum, std::max<std::int64_t>(1, out.nodes_of_gpus()));
    }
    if (ask.per == DevicesPer::Task) {
      if (!out.tasks_each.known()) needs = out.tasks_each.needs();
      each = multiply_capped(sum, std::max<std::int64_t>(1, out.tasks_each.value));
    }
    if (ask.per == DevicesPer::Socket && out.exclusive.state != State::Absent) needs = "how many sockets a node has";
    if (each < most) continue;
    most = each;
    place = ask.where;
  }
  if (!needs.empty()) {
    out.gpus_each = unknown_until<std::int64_t>(needs, place, "--gpus-per-node");
  } else if (out.asks_gpus) {
    out.gpus_each = set_to(most, place, "--gpus-per-node");
  } else {
    out.gpus_each = defaulted_to<std::int64_t>(0, where, "--gpus-per-node");
  }
}

void spread_cpus(SbatchComponent& out, Span where) {
  const Located<std::int64_t>* open = nullptr;
  for (const Located<std::int64_t>* value : {&out.tasks_each, &out.cpus_per_task, &out.cpus_per_gpu}) {
    if (value->unknown()) open = value;
  }
  if (out.cpus_per_gpu.is_set() && out.gpus_each.unknown()) open = &out.gpus_each;
  if (open != nullptr) {
    out.cpus_each = unknown_until<std::int64_t>(open->needs(), open->where, open->field);
    return;
  }
  const std::int64_t by_tasks =
      multiply_capped(out.tasks_each.value, out.cpus_per_task.is_set() ? out.cpus_per_task.value : 1);
  out.cpus_each = defaulted_to(by_tasks, where, "--cpus-per-task");
  if (out.tasks_each.is_set()) out.cpus_each = set_to(by_tasks, out.tasks_each.where, "--ntasks");
  if (out.cpus_per_task.is_set()) out.cpus_each = set_to(by_tasks, out.cpus_per_task.where, "--cpus-per-task");
  const std::int64_t by_gpus =
      out.cpus_per_gpu.is_set() ? multiply_capped(out.cpus_per_gpu.value, out.gpus_each.value) : 0;
  if (by_gpus > by_tasks) out.cpus_each = set_to(by_gpus, out.cpus_per_gpu.where, "--cpus-per-gpu");
}

void spread_memory(SbatchComponent& out) {
  const auto times = [&](const Located<std::int64_t>& each, const Located<std::int64_t>& count) {
    out.memory_each =
        each.known() && count.known()
            ? set_to(multiply_capped(each.value, count.value), each.where, each.field)
            : unknown_until<std::int64_t>(each.known() ? count.needs() : each.needs(), each.where, each.field);
  };
  if (out.memory.state != State::Absent) {
    out.memory_each = out.memory;
  } else if (out.memory_per_cpu.state != State::Absent) {
    times(out.memory_per_cpu, out.cpus_each);
  } else if (out.memory_per_gpu.state != State::Absent) {
    times(out.memory_per_gpu, out.gpus_each);
  }
}

void read_device_option(const SbatchOption& option, SbatchComponent& out) {
  const std::string_view name = option.name;
  const bool tres = name.starts_with("tres-per-");
  const bool gpus = name == "gpus" || name.starts_with("gpus-per-");
  if (name != "gres" && !tres && !gpus) return;
  if (option.value && is_batch_placeholder(*option.value)) {
    out.devices_known = false;
    out.asks_gpus = true;
    return;
  }
  // The last of one spelling counts.
  const DevicesPer per = name == "gpus"                  ? DevicesPer::Job
                         : name.ends_with("-per-task")   ? DevicesPer::Task
                         : name.ends_with("-per-socket") ? DevicesPer::Socket
                                                         : DevicesPer::Node;
  std::erase_if(out.devices, [&](const DeviceAsk& ask) { return ask.per == per && (ask.name == "gpu" || !gpus); });
  std::optional<std::vector<DeviceAsk>> read =
      option.value ? read_devices(*option.value, name, option.value_where) : std::nullopt;
  if (!read) {
    out.devices_known = false;
    return;
  }
  for (DeviceAsk& ask : *read) {
    ask.per = per;
    out.asks_gpus = out.asks_gpus || (ask.count > 0 && (ask.name == "gpu" || ask.name == "shard" || ask.name == "mps"));
    out.devices.push_back(std::move(ask));
  }
}

}  // namespace

Located<std::string> text_value(const SbatchOption& option, FieldName field) {
  if (!option.value) return set_to<std::string>("", option.where, field);
  if (is_batch_placeholder(*option.value))
    return unknown_until<std::string>("a value for `--" + option.name + "`", option.value_where, field);
  return set_to(*option.value, option.value_where, field);
}

Located<std::int64_t> number_value(const SbatchOption& option, FieldName field) {
  const std::optional<std::int64_t> number = option.value ? parse_int(*option.value) : std::nullopt;
  if (number) return set_to(*number, option.value_where, field);
  return unknown_until<std::int64_t>("a value for `--" + option.name + "`", option.value_where, field);
}

std::optional<std::vector<DeviceAsk>> read_devices(std::string_view text, std::string_view option, Span where) {
  std::vector<DeviceAsk> out;
  for (std::string_view item : split(text, ',')) {
    item = trim(item);
    if (item.empty()) continue;
    DeviceAsk ask;
    ask.where = where;
    const bool named = item.starts_with("gres/") || item.starts_with("gres:");
    if (named) item.remove_prefix(5);
    if (option.starts_with("tres-per-") && !named) continue;  // cpu=4 and the like
    item = item.substr(0, item.find('('));
    std::vector<std::string_view> words;
    for (const std::string_view piece : split(item, ':')) {
      for (const std::string_view word : split(piece, '=')) words.push_back(word);
    }
    std::size_t at = 0;
    ask.name = option.starts_with("gpus") ? "gpu" : std::string(words[at++]);
    if (at < words.size() && !slurm_count(words[at])) ask.type = words[at++];
    if (at < words.size()) {
      const std::optional<std::int64_t> count = slurm_count(words[at++]);
      if (!count) return std::nullopt;
      ask.count = *count;
    }
    if (at < words.size() || ask.name.empty()) return std::nullopt;
    if (ask.name == "none") continue;
    out.push_back(std::move(ask));
  }
  return out;
}

void read_request(const SbatchOption& option, SbatchComponent& out) {
  const std::string_view name = option.name;
  if (name == "nodes") read_nodes(option, out);
  if (name == "ntasks") out.tasks = number_value(option, "--ntasks");
  if (name == "ntasks-per-node") out.tasks_per_node = number_value(option, "--ntasks-per-node");
  if (name == "cpus-per-task") out.cpus_per_task = number_value(option, "--cpus-per-task");
  if (name == "cpus-per-gpu") out.cpus_per_gpu = number_value(option, "--cpus-per-gpu");
  if (name == "mem") out.memory = memory_value(option, "--mem");
  if (name == "mem-per-cpu") out.memory_per_cpu = memory_value(option, "--mem-per-cpu");
  if (name == "mem-per-gpu") out.memory_per_gpu = memory_value(option, "--mem-per-gpu");
  if (name == "time") out.minutes = time_value(option);
  if (name == "partition") out.partition = text_value(option, "--partition");
  if (name == "account") out.account = text_value(option, "--account");
  if (name == "qos") out.qos = text_value(option, "--qos");
  if (name == "constraint") out.constraint = text_value(option, "--constraint");
  if (name == "reservation") out.reservation = text_value(option, "--reservation");
  if (name == "exclusive") out.exclusive = text_value(option, "--exclusive");
  if (name == "requeue") out.requeue = set_to(true, option.where, "--requeue");
  if (name == "no-requeue") out.requeue = set_to(false, option.where, "--no-requeue");
  out.choosy = out.choosy || std::ranges::find(kChoosyOptions, name) != kChoosyOptions.end();
  out.elsewhere = out.elsewhere || name == "clusters";
  read_device_option(option, out);
}

void finish_request(SbatchComponent& out, Span where) {
  default_nodes(out, where);
  lower_nodes_to_tasks(out);
  spread_tasks(out, where);
  spread_gpus(out, where);
  spread_cpus(out, where);
  spread_memory(out);
}

}  // namespace muster::sbatch
