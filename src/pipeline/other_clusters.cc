#include "pipeline/other_clusters.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "base/strings.h"

namespace muster {
namespace {

bool says_old_kuberay(std::string_view line) {
  constexpr std::array<std::string_view, 5> kOld{"v1.0.", "\"1.0.", "version 1.0.", "version=1.0.", "v0."};
  return std::ranges::any_of(kOld, [&](std::string_view one) { return contains(line, one); });
}

/// A line that names KubeRay, or one with a version in a file that is called so.
bool installs_old_kuberay(std::string_view path, std::string_view text) {
  const bool own = contains_ignoring_case(path, "kuberay");
  if (!own && !contains_ignoring_case(text, "kuberay")) return false;
  return std::ranges::any_of(split(text, '\n'), [&](std::string_view line) {
    const bool about = contains_ignoring_case(line, "kuberay") ||
                       (own && contains_ignoring_case(line, "version") && !contains(line, "apiVersion"));
    return about && says_old_kuberay(line);
  });
}

/// A line that installs a Kueue of before 0.15, which does not serve v1beta2. Source: kubernetes-sigs/kueue, release
/// notes of 0.15.
bool installs_old_kueue(std::string_view text) {
  if (!contains(text, "kueue")) return false;
  constexpr int kMostBehind = 12;  // lines of a release of Helm behind its chart
  int behind = kMostBehind;
  return std::ranges::any_of(split(text, '\n'), [&](std::string_view line) {
    const bool about = contains_ignoring_case(line, "kueue");
    const std::string_view key = trim(line);
    const bool chart = key.starts_with("chart") && key.find_first_of(":=") != key.npos;
    behind = chart && about ? 0 : chart || key == "}" ? kMostBehind : behind + 1;
    const bool pins = behind < kMostBehind && trim(line).starts_with("version");
    if (!about && !pins) return false;
    for (std::size_t at = line.find("0."); at != line.npos; at = line.find("0.", at + 1)) {
      const bool begins = at == 0 || contains("v/:=\"' ", line.substr(at - 1, 1));
      std::size_t end = at + 2;
      while (end < line.size() && is_digit(line[end])) ++end;
      const std::optional<std::int64_t> minor = parse_int(line.substr(at + 2, end - at - 2));
      if (begins && minor && *minor < 15 && end < line.size() && line[end] == '.') return true;
    }
    return false;
  });
}

/// Red Hat's build of Kueue, whose older releases do not serve the newer version. Source: docs.redhat.com, Red Hat
/// build of Kueue 1.3, release notes.
bool is_kueue_of_openshift(std::string_view text) {
  return contains(text, "kueue.openshift.io") || contains(text, "openshift-kueue-operator");
}

}  // namespace

void drop_of_other_clusters(const Inputs& inputs, const Located<std::string>& kubernetes,
                            std::vector<Finding>& findings) {
  const auto is_of = [](std::string_view rule) { return [=](const Finding& one) { return one.rule == rule; }; };
  if (kubernetes.is_set() && static_cast<std::size_t>(kubernetes.where.file) < inputs.files.size()) {
    const std::string_view folder = inputs.files[static_cast<std::size_t>(kubernetes.where.file)].context.folder;
    std::erase_if(findings, [&](const Finding& one) {
      const auto file = static_cast<std::size_t>(one.where.file);
      if (one.rule != "api-version-too-new" || file >= inputs.files.size()) return false;
      const std::string_view own = inputs.files[file].context.folder;
      return !folder.empty() && own != folder && !own.starts_with(std::string(folder) + "/");
    });
  }
  const auto is_of_kueue = [](const Finding& one) {
    return one.rule == "custom-api-version-deprecated" && contains(one.message, "kueue.x-k8s.io");
  };
  const auto drop_if = [&](const auto& dropped, const auto& installs) {
    if (std::ranges::none_of(findings, dropped)) return;
    for (std::size_t i = 0; i < inputs.files.size(); ++i) {
      const SourceFile& file = inputs.sources.file(static_cast<FileId>(i));
      if (installs(file.path(), file.text())) return void(std::erase_if(findings, dropped));
    }
  };
  drop_if(is_of("ray-service-seconds-unread"), installs_old_kuberay);
  drop_if(is_of_kueue, [](std::string_view, std::string_view text) {
    return is_kueue_of_openshift(text) || installs_old_kueue(text);
  });
  const auto is_of_ray = [](const Finding& one) {
    return one.rule == "custom-api-version-deprecated" && contains(one.message, "`ray.io/");
  };
  drop_if(is_of_ray, installs_old_kuberay);
}

}  // namespace muster
