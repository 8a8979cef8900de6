#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace muster {

/// Bytes of 4G, 512, 16gb; a number without a unit is so many MiB. Source: slurm.schedmd.com/sbatch.html, --mem.
std::optional<std::int64_t> slurm_memory(std::string_view text);

/// Minutes of 90, 30:00, 1:30:00, 2-0, 2-12:30, rounded up; nothing for what cannot be read, or has no end.
/// Source: slurm.schedmd.com/sbatch.html, --time.
std::optional<std::int64_t> slurm_minutes(std::string_view text);

/// Nodes of 4 and 4k; a k or m behind a number multiplies it. Source: slurm.schedmd.com/sbatch.html, --nodes.
std::optional<std::int64_t> slurm_count(std::string_view text);

}  // namespace muster
