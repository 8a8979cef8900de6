#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "slurm/batch_shell.h"

namespace muster::sbatch {

/// `bash serve.sh MODEL 8000 4`: $1, $2 and so on of that script are the words behind it, unless it moves them; those
/// of the caller are not.
inline void give_arguments(const std::vector<ShellValue>& words, std::size_t script, std::string_view text,
                           std::map<std::string, std::optional<ShellValue>>& scope) {
  constexpr std::size_t kMostGiven = 9;
  for (std::size_t i = 1; i <= kMostGiven; ++i) scope.erase(std::to_string(i));
  if (contains(text, "shift") || contains(text, "set --")) return;
  for (std::size_t i = 1; i <= kMostGiven && script + i < words.size(); ++i)
    scope[std::to_string(i)] = words[script + i];
}

}  // namespace muster::sbatch
