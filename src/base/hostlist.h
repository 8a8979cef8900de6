#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace muster {

/// How Slurm reads node lists changed twice. Source: SchedMD/slurm:src/common/hostlist.c at the releases named.
enum class HostlistDialect {
  V22_05,  ///< nothing may follow the last bracket; an open bracket is taken for the host `prefix]`
  V23_11,  ///< text may follow the last bracket: node[1-3]-ib
  V25_05,  ///< and name{...} is a function that only the controller can expand
};

/// A Slurm node list such as `gpu[001-128],login1`, kept as written: n[1-65536] costs nothing until asked.
/// Order and duplicates are Slurm's own. Names are case-sensitive.
class Hostlist {
 public:
  /// Slurm's limit of hosts in one range (MAX_RANGE) and of prefix expansions (MAX_PREFIX_CNT).
  static constexpr std::uint64_t kMaxRange = 65536;
  /// More names than any analysis expands: sixteen times what one slurmctld takes (MAX_SLURM_NODES).
  static constexpr std::uint64_t kMaxExpanded = 1 << 20;

  /// Characters of a name of which a list makes several: four times what a system takes for a host's name
  /// (HOST_NAME_MAX), with its digits. A short text must not become gigabytes of names.
  static constexpr std::size_t kMaxName = 320;

  /// Fails with Slurm's own reason, without the file it stands in.
  static Result<Hostlist> parse(std::string_view text, HostlistDialect dialect = HostlistDialect::V25_05);

  /// Number of names, duplicates counted.
  std::uint64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// The i-th name in Slurm's order; i < size().
  std::string name(std::uint64_t i) const;
  bool contains(std::string_view name) const;
  void each(const std::function<void(std::string)>& visit) const;
  /// All names, unless there are more than `limit`.
  std::optional<std::vector<std::string>> expand(std::uint64_t limit) const;
  /// `switch{s}`, `block{b}`, `feature{f}` ...: who they are, only the controller knows (Slurm >= 24.11).
  const std::vector<std::string>& functions() const { return functions_; }

  /// A run of numbers, printed with at least `width` digits.
  struct Range {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    std::size_t width = 0;
    std::uint64_t before = 0;  ///< numbers of the ranges before it in its brackets

    std::uint64_t count() const { return high - low + 1; }
  };

 private:
  /// literal[0] ranges[0] literal[1] ranges[1] ... suffix
  struct Item {
    std::vector<std::string> literals;
    std::vector<std::vector<Range>> brackets;
    std::string suffix;
    std::uint64_t count = 1;
  };
  friend class HostlistParser;
  static std::string name_in(const Item& item, std::uint64_t i);

  std::vector<Item> items_;
  std::vector<std::string> functions_;
  std::uint64_t size_ = 0;
};

/// The shortest list Slurm itself would print for these names in this order: node1,node2,node4 -> node[1-2,4].
std::string compress_hostlist(std::span<const std::string> names);

}  // namespace muster
