// What a NodeName line says of the CPUs of its nodes.
#include <algorithm>

#include "base/capped.h"
#include "base/strings.h"
#include "slurm/number_ranges.h"
#include "slurm/pairs.h"
#include "slurm/records.h"

namespace muster {
namespace {

constexpr std::int64_t kMostOf16 = 65535;  ///< the largest count of a node, and what UNLIMITED stands for

}  // namespace

SlurmCpuCounts RecordReader::cpu_counts(const ConfLine& line) const {
  const auto count = [&](FieldName key) { return std::max<std::int64_t>(0, number(line, node_defaults_, key, 0)); };
  SlurmCpuCounts counts;
  counts.cpus = std::max(count("cpus"), count("procs"));
  counts.sockets = multiply_capped(count("socketsperboard"), std::max<std::int64_t>(1, count("boards")));
  if (counts.sockets == 0) counts.sockets = count("sockets");
  counts.cores_per_socket = count("corespersocket");
  counts.threads_per_core = count("threadspercore");
  const ConfPair* pair = find_pair(line, "cpus");
  counts.where = pair != nullptr ? pair->value_where : line.where;
  return counts;
}

/// A count of a NodeName line, of 16 bits; nothing where the line has none, or it is not known.
std::optional<std::int64_t> RecordReader::count16(const ConfLine& line, FieldName key, NodeCpus& counts) const {
  const Located<std::string> text = take(line, node_defaults_, key);
  if (text.state == State::Absent) return std::nullopt;
  if (equals_ignoring_case(text.value, "unlimited") || equals_ignoring_case(text.value, "infinite")) return kMostOf16;
  const std::optional<std::int64_t> value = text.is_set() ? parse_int(text.value) : std::nullopt;
  if (value && *value >= 0 && *value <= kMostOf16) return value;
  counts.known = false;
  return std::nullopt;
}

/// Source: SchedMD/slurm:src/common/read_config.c, _parse_nodename (22.05-26.05).
void RecordReader::judge_cpus(const ConfLine& line, SlurmNodes& nodes) const {
  NodeCpus& counts = nodes.cpus;
  const auto at_least_one = [](std::optional<std::int64_t> count) {
    return std::max<std::int64_t>(1, count.value_or(1));
  };
  std::optional<std::int64_t> written = count16(line, "cpus", counts);
  if (!written) written = count16(line, "procs", counts);
  const std::optional<std::int64_t> of_board = count16(line, "socketsperboard", counts);
  const std::optional<std::int64_t> sockets = count16(line, "sockets", counts);
  counts.boards = at_least_one(count16(line, "boards", counts));
  counts.cores_per_socket = at_least_one(count16(line, "corespersocket", counts));
  counts.threads_per_core = at_least_one(count16(line, "threadspercore", counts));
  if (!counts.known) return;
  const std::int64_t of_one_socket = counts.cores_per_socket * counts.threads_per_core;
  const std::int64_t cpus = written ? at_least_one(written) : 0;
  if (of_board) {
    counts.sockets = counts.boards * at_least_one(of_board) % (kMostOf16 + 1);
  } else if (sockets) {
    counts.sockets = at_least_one(sockets);
  } else {
    counts.sockets = cpus > 0 && cpus % of_one_socket == 0 ? cpus / of_one_socket : counts.boards;
  }
  const std::int64_t cores = counts.sockets * counts.cores_per_socket;
  const std::int64_t threads = cores * counts.threads_per_core;
  nodes.cores_each = cores;
  nodes.cpus_each = std::max(cpus, threads);
  const bool fits = cpus == counts.sockets || cpus == cores || cpus == threads;
  counts.cpus = written && fits ? cpus : threads % (kMostOf16 + 1);  // it resets others, and says so
  const ConfPair* pair = find_pair(line, "cpus");
  const auto say = [&](const std::string& text) {
    return set_to(text, pair != nullptr ? pair->value_where : line.where, "CPUs");
  };
  const auto count = [](std::int64_t number, std::string_view noun) {
    return count_of(static_cast<std::size_t>(number), noun);
  };
  if (counts.cpus != cores && counts.cpus != threads) {
    nodes.cpus_refused = say("CPUs=" + std::to_string(counts.cpus) + " is neither the " + count(cores, "core") +
                             " nor the " + count(threads, "thread") + " of the node");
  }
  const std::int64_t highest = nodes.cpu_spec_list.is_set() ? highest_of(number_ranges(nodes.cpu_spec_list.value)) : -1;
  if (highest >= counts.cpus) {
    nodes.cpu_spec_problem = set_to("CPUSpecList=" + nodes.cpu_spec_list.value + " has CPU " + std::to_string(highest) +
                                        ", and the node has " + count(counts.cpus, "CPU") + ", counted from 0",
                                    nodes.cpu_spec_list.where, "CPUSpecList");
  }
  if (!written || fits) return;
  nodes.cpus_problem = say("CPUs=" + std::to_string(*written) + " is neither the " + count(counts.sockets, "socket") +
                           ", the " + count(cores, "core") + " nor the " + count(threads, "thread") + " of the node");
}

}  // namespace muster
