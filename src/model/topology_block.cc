// What Slurm's block plugin makes of BlockSizes. Source: SchedMD/slurm:src/plugins/topology/block/block_record.c
// (24.05-26.05).
#include <algorithm>
#include <set>

#include "model/topology.h"

namespace muster {
namespace {

constexpr int kMaxLevel = 15;  // MAX_BLOCK_LEVELS 16

/// log2 where it is a whole number.
std::optional<int> level_of(std::int64_t ratio) {
  int level = 0;
  while (ratio > 1 && ratio % 2 == 0) {
    ratio /= 2;
    ++level;
  }
  return ratio == 1 ? std::optional(level) : std::nullopt;
}

/// Why slurmctld refuses a size; empty when it does not.
std::string trouble_with(const BlockSize& size, std::int64_t base) {
  if (size.value <= 0) return "it is no positive number";
  if (size.value % base != 0) return "it is no multiple of the first, " + std::to_string(base);
  const std::optional<int> level = level_of(size.value / base);
  if (!level)
    return "it is " + std::to_string(size.value / base) + " times the first, and only powers of two are allowed";
  if (*level > kMaxLevel) return "it is more than 32,768 times the first";
  return "";
}

/// The levels slurmctld keeps: ascending, cut at the first that takes all blocks.
std::vector<int> kept_levels(const std::set<int>& levels, std::size_t blocks, std::set<int>& unused) {
  std::vector<int> kept;
  for (const int level : levels) {
    if (!kept.empty() && (std::size_t{1} << kept.back()) >= blocks) {
      unused.insert(level);
    } else {
      kept.push_back(level);
    }
  }
  return kept;
}

/// Whether the block is part of an aggregated block of some level, whose name slurmctld then reads as a host list.
bool is_aggregated(std::size_t index, std::size_t blocks, const std::vector<int>& levels) {
  for (std::size_t j = 1; j < levels.size(); ++j) {
    const std::size_t size = std::size_t{1} << levels[j];
    const std::size_t remaining = blocks - (index - index % size);
    if (!(size > remaining && (std::size_t{1} << levels[j - 1]) >= remaining)) return true;
  }
  return false;
}

}  // namespace

void analyse_blocks(Topology& topology, std::vector<TopologyMark>& marks) {
  if (topology.kind != Topology::Kind::Block) return;
  std::set<int> levels;
  for (const BlockSize& size : topology.block_sizes) {
    const std::string trouble = trouble_with(size, topology.base_size == 0 ? size.value : topology.base_size);
    if (!trouble.empty()) {
      marks.push_back(topology_mark(topology, TopologyMark::What::BlockSizes, set_to(size.text, size.where), trouble));
      break;
    }
    if (topology.base_size == 0) topology.base_size = size.value;
    levels.insert(level_of(size.value / topology.base_size).value_or(0));
  }
  if (topology.block_sizes.empty()) levels = {0, 1, 2, 3, 4};
  for (const TopologyBlock& block : topology.blocks) {
    if (topology.base_size == 0) topology.base_size = block.size;
  }
  std::set<int> unused;
  const std::vector<int> kept = kept_levels(levels, topology.blocks.size(), unused);
  for (const BlockSize& size : topology.block_sizes) {
    const bool is_unused = size.value > 0 && topology.base_size > 0 &&
                           unused.contains(level_of(size.value / topology.base_size).value_or(0));
    if (is_unused) topology.unused_sizes.push_back(size.text);
  }
  for (std::size_t i = 0; i < topology.blocks.size(); ++i) {
    const Located<std::string>& name = topology.blocks[i].name;
    if (!name.is_set() || Hostlist::parse(name.value, HostlistDialect::V23_11) ||
        !is_aggregated(i, topology.blocks.size(), kept))
      continue;
    marks.push_back(topology_mark(topology, TopologyMark::What::BlockName, name, {}));
    marks.back().since = "24.11";
  }
}

}  // namespace muster
