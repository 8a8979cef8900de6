#pragma once

#include <optional>
#include <string>

#include "pipeline/check.h"

namespace muster {

/// The baseline of --baseline, else that of muster.yaml; empty: none, as `--baseline none` says of either.
std::string baseline_path(const Options& options, const Config& config);

/// check(), and then what a baseline or an earlier revision has already is no finding any more but known. For a
/// revision the input is checked as it was then, by the configuration of then.
Result<Report> gate(const Options& options, const FileSystem& disk, Workspace& workspace, KeptInput* kept = nullptr);

}  // namespace muster
