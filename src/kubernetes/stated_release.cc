#include "kubernetes/stated_release.h"

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::array<std::string_view, 5> kNames{"kube_version", "kubernetes_version", "k8s_version", "k3s_version",
                                                 "rke2_version"};
constexpr std::array<std::string_view, 4> kFolders{"group_vars", "host_vars", "vars", "defaults"};

/// `v1.30.4+k3s1` as 1.30.4; empty for what is no release of Kubernetes.
std::string release_of(std::string_view value) {
  while (!value.empty() && std::string_view("\"' v").find(value.front()) != value.npos) value.remove_prefix(1);
  const std::size_t end = std::min(value.find_first_not_of("0123456789."), value.size());
  std::string_view release = value.substr(0, end);
  while (release.ends_with('.')) release.remove_suffix(1);
  return release.starts_with("1.") && release.size() > 2 ? std::string(release) : "";
}

}  // namespace

bool holds_playbook_variables(std::string_view path) {
  if (!path.ends_with(".yml") && !path.ends_with(".yaml")) return false;
  return std::ranges::any_of(kFolders, [&](std::string_view folder) {
    const std::size_t at = path.find(std::string(folder) + "/");
    return at != path.npos && (at == 0 || path[at - 1] == '/');
  });
}

std::vector<Located<std::string>> kubernetes_releases_stated_in(FileId file, std::string_view text) {
  std::vector<Located<std::string>> out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    for (const std::string_view name : kNames) {
      if (!line.starts_with(name) || line.substr(name.size(), 1) != ":") continue;
      std::string release = release_of(line.substr(name.size() + 1));
      const auto offset = static_cast<std::uint32_t>(begin);
      if (!release.empty())
        out.push_back(set_to(std::move(release), Span{file, offset, offset + static_cast<std::uint32_t>(name.size())},
                             FieldName(name)));
    }
    begin = end + 1;
  }
  return out;
}

}  // namespace muster
