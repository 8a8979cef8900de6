#pragma once

#include <cstddef>
#include <string_view>

namespace muster {

/// Whether a text is what scontrol prints of nodes, partitions or a topology: records that begin as lines of slurm.conf
/// and topology.conf do and go on with what no file of Slurm's has. It is for `muster inventory`, and none of ours to
/// check.
bool is_scontrol_dump(std::string_view text);

/// Where what `scontrol show config` prints begins in a text; npos where it does not.
std::size_t find_scontrol_config(std::string_view text);

/// The key that begins such a record, NodeName and the like; empty for any other line.
std::string_view scontrol_record(std::string_view line);

}  // namespace muster
