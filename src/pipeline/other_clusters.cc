#include "pipeline/other_clusters.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/input_names.h"

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

/// {1, 34} of `v1.34.0` or `:1.34.0-amd64`.
struct Minor {
  std::int64_t major = 0, minor = 0;
  auto operator<=>(const Minor&) const = default;
};

/// Whether a line has a release, with all three parts, that is older.
bool says_before(std::string_view line, Minor release) {
  for (std::size_t dot = line.find('.'); dot != line.npos; dot = line.find('.', dot + 1)) {
    std::size_t begin = dot, end = dot + 1;
    while (begin > 0 && is_digit(line[begin - 1])) --begin;
    while (end < line.size() && is_digit(line[end])) ++end;
    const bool first = begin == 0 || contains("v/:=\"' -", line.substr(begin - 1, 1));
    if (!first || end >= line.size() || line[end] != '.' || line.substr(begin).starts_with("0.0.")) continue;
    const std::optional<std::int64_t> major = parse_int(line.substr(begin, dot - begin));
    const std::optional<std::int64_t> minor = parse_int(line.substr(dot + 1, end - dot - 1));
    if (major && minor && Minor{*major, *minor} < release) return true;
  }
  return false;
}

/// `VERSION=v0.8.1` for a line with `$VERSION`.
bool sets_before(std::string_view text, std::string_view line, Minor release) {
  for (std::size_t at = line.find('$'); at != line.npos; at = line.find('$', at + 1)) {
    const std::size_t begin = at + 1 + (line.substr(at + 1).starts_with('{') ? 1 : 0);
    const auto end = static_cast<std::size_t>(
        std::find_if_not(line.begin() + static_cast<std::ptrdiff_t>(begin), line.end(), is_word_char) - line.begin());
    if (end == begin) continue;
    const std::string set = std::string(line.substr(begin, end - begin)) + "=";
    const bool older = some_line_with(text, set, [&](std::string_view one) {
      one = trim(one);
      for (const std::string_view word : {"$ ", "export "}) {
        if (one.starts_with(word)) one = trim(one.substr(word.size()));
      }
      return one.starts_with(set) && says_before(one.substr(set.size() - 1), release);
    });
    if (older) return true;
  }
  return false;
}

/// A line that installs a release of that name from before that one, or pins the chart a few lines above it.
bool installs_before(std::string_view text, std::string_view name, Minor release) {
  if (!contains_ignoring_case(text, name)) return false;
  constexpr int kMostBehind = 12;  // lines of a release of Helm behind its chart
  int behind = kMostBehind;
  return std::ranges::any_of(split(text, '\n'), [&](std::string_view line) {
    const bool about = contains_ignoring_case(line, name);
    const std::string_view key = trim(line);
    const bool chart = key.starts_with("chart") && key.find_first_of(":=") != key.npos;
    behind = chart && about ? 0 : chart || key == "}" ? kMostBehind : behind + 1;
    if (about && sets_before(text, line, release)) return true;
    return (about || (behind < kMostBehind && key.starts_with("version"))) && says_before(line, release);
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
  // Release notes of Kueue 0.15: older ones do not serve v1beta2.
  drop_if(is_of_kueue, [](std::string_view, std::string_view text) {
    return is_kueue_of_openshift(text) || installs_before(text, "kueue", {0, 15});
  });
  // The kinds of alpha left with 0.33, v1beta1 with 1.1: karpenter-api-removed.
  constexpr std::array<std::pair<std::string_view, Minor>, 3> kOfKarpenter{
      {{"/v1alpha5`", {0, 33}}, {"/v1alpha1`", {0, 33}}, {"/v1beta1`", {1, 1}}}};
  for (const auto& [version, left] : kOfKarpenter) {
    const auto is_of_karpenter = [version = version](const Finding& one) {
      return (one.rule == "karpenter-api-removed" || one.rule == "custom-api-version-unknown") &&
             contains(one.message, "karpenter.") && contains(one.message, version);
    };
    // The blueprints of the CDK bring a release of their own, up to 1.0.
    drop_if(is_of_karpenter, [left = left](std::string_view, std::string_view text) {
      return installs_before(text, "karpenter", left) || contains(text, "@aws-quickstart/eks-blueprints\"");
    });
  }
  // VictoriaMetrics and its operator take more than PromQL.
  drop_if(is_of("prometheus-query-refused"), [](std::string_view path, std::string_view text) {
    return contains_ignoring_case(path, "victoria") || contains_ignoring_case(text, "victoriametrics") ||
           contains_ignoring_case(text, "victoria-metrics");
  });
  // Node groups that are made elsewhere have labels of their own, and nodes that run already.
  drop_if(is_of("node-label-late-for-karpenter"), [](std::string_view path, std::string_view text) {
    return path.ends_with(".tf") && (contains(text, "node_group") || contains(text, "node_pool"));
  });
  const auto is_of_ray = [](const Finding& one) {
    return one.rule == "custom-api-version-deprecated" && contains(one.message, "`ray.io/");
  };
  drop_if(is_of_ray, installs_old_kuberay);
}

}  // namespace muster
