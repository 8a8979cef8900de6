#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace muster {

/// What a line holds Snakemake to.
struct SnakemakePin {
  std::int64_t at_least = 0;  ///< a release, without what stands behind its dot; 0: any
  bool older = false;         ///< one before 8
};

/// Of `snakemake-minimal>=8.4`, `snakemake==7.32.4`, `snakemake = ">=8,<9"`, `FROM snakemake/snakemake:v7.32.4`;
/// nothing: the line holds it to none.
std::optional<SnakemakePin> snakemake_pin(std::string_view line);

/// N of `min_version("N...")`; 0: none is asked for.
std::int64_t least_snakemake(std::string_view text);

}  // namespace muster
