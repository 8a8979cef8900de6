#include "base/paths.h"

#include <vector>

#include "base/strings.h"

namespace muster {

std::string normal_path(std::string_view path) {
  std::vector<std::string_view> steps;
  for (const std::string_view step : split(path, '/')) {
    if (step.empty() || step == ".") continue;
    if (step == ".." && !steps.empty() && steps.back() != "..") {
      steps.pop_back();
    } else {
      steps.push_back(step);
    }
  }
  return (path.starts_with('/') ? "/" : "") + join(steps, "/");
}

std::string joined_path(std::string_view folder, std::string_view path) {
  return normal_path(folder.empty() || path.starts_with('/') ? std::string(path)
                                                             : std::string(folder) + "/" + std::string(path));
}

std::vector<std::string> folders_around(std::string_view folder) {
  std::vector<std::string> out{std::string(folder)};
  for (std::string_view above = folder_of(folder); above != out.back(); above = folder_of(above))
    out.emplace_back(above);
  return out;
}

}  // namespace muster
