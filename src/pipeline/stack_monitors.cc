#include "pipeline/stack_monitors.h"

#include <algorithm>
#include <map>
#include <string>

#include "base/strings.h"
#include "pipeline/helm_command.h"

namespace muster {
namespace {

constexpr std::string_view kStack = "kube-prometheus-stack";

constexpr std::size_t kMostOfFile = 200;  // places of a file where the chart is named

/// Names under which the input installs the chart, and where.
using Names = std::map<std::string, Span, std::less<>>;

bool is_plain_selector(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) { return is_word_char(c) || c == '-'; });
}

/// `helm upgrade --install NAME repository/kube-prometheus-stack`, before `at`, where the chart is named.
std::string name_in_command(std::string_view text, std::size_t at) {
  constexpr std::size_t kMostBefore = 300;
  std::size_t begin = at;
  while (begin > 0 && at - begin < kMostBefore) {
    const std::size_t line = text.rfind('\n', begin - 1);
    if (line == text.npos) {
      begin = 0;
      break;
    }
    if (!trim(text.substr(0, line)).ends_with('\\')) {
      begin = line + 1;
      break;
    }
    begin = line;
  }
  const std::size_t helm = text.find("helm ", begin);
  if (helm >= at) return {};
  const auto command = helm_command_at(text, helm + 5);
  if (!command || (command->verb != "install" && command->verb != "upgrade")) return {};
  const std::vector<std::string>& said = command->arguments;
  return said.size() < 2 || !said.back().ends_with(kStack) ? "?" : said[said.size() - 2];
}

/// Of `resource "helm_release"` of Terraform whose chart stands at `at`: `name = "monitoring"`.
std::string_view name_in_resource(std::string_view text, std::size_t at) {
  constexpr std::size_t kMostBefore = 2000;
  const std::size_t from = at - std::min(at, kMostBefore);
  const std::size_t found = text.substr(from, at - from).rfind("resource \"helm_release\"");
  if (found == text.npos) return {};
  const std::size_t begin = from + found;
  const std::size_t end = text.find("\n}", begin);
  if (end < at) return {};
  for (const std::string_view line : split(text.substr(begin, end - begin), '\n')) {
    std::string_view words = trim(line);
    if (!words.starts_with("name ") && !words.starts_with("name=")) continue;
    words = trim(words.substr(words.find('=') + 1));
    if (words.size() > 2 && words.front() == '"') return words.substr(1, words.find('"', 1) - 1);
    return {};
  }
  return {};
}

/// Whether somebody tells the chart what to select. Source: prometheus-community/helm-charts:charts/
/// kube-prometheus-stack/values.yaml (79).
bool speaks_of_selectors(std::string_view text) {
  return contains(text, "SelectorNilUsesHelmValues") || contains(text, "serviceMonitorSelector") ||
         contains(text, "podMonitorSelector");
}

}  // namespace

void find_unselected_monitors(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  const ManifestDef* monitors = &manifest_def("service_monitors");
  if (std::ranges::none_of(model.manifests, [&](const Manifest& one) { return one.def == monitors; })) return;
  Names names;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (speaks_of_selectors(text)) return;
    std::size_t looked = 0;
    for (std::size_t at = text.find(kStack); at != text.npos && ++looked <= kMostOfFile;
         at = text.find(kStack, at + 1)) {
      const std::string_view before = text.substr(0, at).substr(text.rfind('\n', at) + 1);  // npos + 1 is 0
      if (contains(before.substr(before.size() - std::min<std::size_t>(before.size(), 100)), "chart:")) return;
      std::string name = name_in_command(text, at);
      if (name.empty()) name = name_in_resource(text, at);
      if (name.empty()) continue;
      if (!is_plain_selector(name)) return;
      names.try_emplace(name, Span{static_cast<FileId>(i), static_cast<std::uint32_t>(at),
                                   static_cast<std::uint32_t>(at + kStack.size())});
    }
  }
  if (names.size() != 1) return;
  const auto& [name, where] = *names.begin();
  // Whoever labels some of them knows that it counts.
  const bool labels_some = std::ranges::any_of(model.manifests, [&, &name = name](const Manifest& one) {
    return one.def == monitors && one.part("labels").text_of("release") == name;
  });
  for (const Manifest& one : model.manifests) {
    if (one.def != monitors) continue;
    const WrittenValue& labels = one.part("labels");
    if (labels.state == State::Unknown || labels.text_of("release") == name) continue;
    const bool other = labels.state == State::Set && labels.find("release") != nullptr;
    if (other ? !labels.find("release")->is_text() : !labels_some) continue;
    findings.push_back(problem("monitor-of-other-release", other ? labels.find("release")->where : one.name.where,
                               "ServiceMonitor `" + one.name.value + "` " +
                                   (other ? "is labelled `release: " + std::string(labels.text_of("release")) + "`"
                                          : "has no label `release`") +
                                   ", and the input installs kube-prometheus-stack as `" + name + "`"));
    findings.back().related.push_back({where, "what installs it"});
  }
}

}  // namespace muster
