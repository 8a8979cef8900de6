#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/strings.h"

namespace muster {

// Source: pytorch/pytorch:torch/distributed/run.py and launch.py (1.10 to 2.10). Also with `_` for `-`.
inline constexpr std::array<std::string_view, 25> kTorchrunWithWords{"--duplicate-stderr-filters",
                                                                     "--duplicate-stdout-filters",
                                                                     "--event-log-handler",
                                                                     "--local-addr",
                                                                     "--local-ranks-filter",
                                                                     "--log-dir",
                                                                     "--log-line-prefix-template",
                                                                     "--logs-specs",
                                                                     "--master-addr",
                                                                     "--master-port",
                                                                     "--max-restarts",
                                                                     "--monitor-interval",
                                                                     "--nnodes",
                                                                     "--node-rank",
                                                                     "--nproc-per-node",
                                                                     "--numa-binding",
                                                                     "--rdzv-backend",
                                                                     "--rdzv-conf",
                                                                     "--rdzv-endpoint",
                                                                     "--rdzv-id",
                                                                     "--redirects",
                                                                     "--role",
                                                                     "--signals-to-handle",
                                                                     "--start-method",
                                                                     "--tee"};
inline constexpr std::array<std::string_view, 8> kTorchrunAlone{
    "--enable-each-rank-log", "--help", "--module", "--no-python", "--run-path", "--standalone", "--use-env",
    "--virtual-local-rank"};

enum class TorchrunTakes { Nothing, Word, Unknown };

/// What an option takes behind it. As argparse looks for it: whole, or the beginning of one.
inline TorchrunTakes torchrun_takes(std::string_view name) {
  if (name == "-m" || name == "-h" || name == "-u") return TorchrunTakes::Nothing;
  if (name == "-r" || name == "-t") return TorchrunTakes::Word;
  if (!name.starts_with("--")) return TorchrunTakes::Unknown;
  const bool underscores = contains(name, "_");
  std::string dashes(name);
  if (underscores && contains(name.substr(2), "-")) return TorchrunTakes::Unknown;
  std::ranges::replace(dashes, '_', '-');
  const auto begins = [&](std::string_view option) { return option.starts_with(dashes); };
  if (std::ranges::any_of(kTorchrunAlone, [&](std::string_view option) { return option == dashes; }))
    return TorchrunTakes::Nothing;
  if (std::ranges::any_of(kTorchrunWithWords, begins)) return TorchrunTakes::Word;
  return std::ranges::any_of(kTorchrunAlone, begins) ? TorchrunTakes::Nothing : TorchrunTakes::Unknown;
}

}  // namespace muster
