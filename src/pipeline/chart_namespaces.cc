#include "pipeline/chart_namespaces.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "pipeline/shell_texts.h"
#include "syntax/shell_reader.h"

namespace muster {
namespace {

constexpr std::string_view kOption = "--create-namespace";
constexpr std::size_t kMostInstalls = 1000;  // of one input
constexpr std::size_t kLongestInstall = 10'000;

/// `charts/serve` of `charts/serve/templates/namespace.yaml`; empty: the file is none of a chart.
std::string_view chart_of(std::string_view path) {
  constexpr std::string_view kTemplates = "/templates/";
  const std::size_t at = path.rfind(kTemplates);
  return at == path.npos ? std::string_view() : path.substr(0, at);
}

/// What `helm install NAME CHART -n SPACE --create-namespace` says.
struct Install {
  std::string_view chart;  ///< the last part of its path
  std::string_view space;
  bool open = false;  ///< values from elsewhere may leave the Namespace out
};

Install read_install(const std::vector<ShellWord>& words) {
  Install out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = plain_text(words[i]);
    const std::string_view next = i + 1 < words.size() ? plain_text(words[i + 1]) : std::string_view();
    if (word == "-n" || word == "--namespace") {
      out.space = next;
      ++i;
    } else if (word.starts_with("--namespace=")) {
      out.space = word.substr(12);
    } else if (word == "-f" || word == "--values" || word == "--set" || word.starts_with("--values=") ||
               word.starts_with("--set=")) {
      out.open = out.open || word == "-f" || word.starts_with("--values") ||
                 contains_ignoring_case(word.ends_with("set") ? next : word, "namespace");
      ++i;
    } else if (!word.starts_with('-') && (word.starts_with(".") || contains(word, "/")) && !contains(word, "://")) {
      out.chart = last_part(word.substr(0, word.find_last_not_of('/') + 1));
    }
  }
  return out;
}

}  // namespace

void find_chart_namespaces(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  const ManifestDef* spaces = &manifest_def("kubernetes_namespaces");
  std::multimap<std::string_view, const Manifest*> made;  // by the last part of the chart's folder
  for (const Manifest& one : model.manifests) {
    const std::string_view chart = chart_of(one.file);
    if (one.def == spaces && one.name.known() && !chart.empty()) made.emplace(last_part(chart), &one);
  }
  if (made.empty()) return;
  std::set<const Manifest*> said;
  std::size_t installs = 0;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    std::size_t behind = 0;  // each command once, however often it has the option
    for (std::size_t at = text.find(kOption); at != text.npos && ++installs < kMostInstalls;
         at = text.find(kOption, behind)) {
      const std::string_view line = command_around(text, at);
      behind = static_cast<std::size_t>(line.data() - text.data()) + line.size();
      const std::size_t helm = line.find("helm ");
      if (helm == line.npos || line.size() > kLongestInstall) continue;
      const auto begin = static_cast<std::uint32_t>(line.data() + helm - text.data());
      const std::vector<ShellCommand> commands = read_shell(line.substr(helm));
      if (commands.empty()) continue;
      const Install install = read_install(commands.front().words);
      if (install.chart.empty() || install.space.empty() || install.open) continue;
      const auto [first, last] = made.equal_range(install.chart);
      for (auto one = first; one != last; ++one) {
        const Manifest& space = *one->second;
        if (space.name.value != install.space || !said.insert(&space).second) continue;
        findings.push_back(
            problem("chart-namespace-of-release", space.name.where,
                    "the chart has the Namespace `" + space.name.value + "` that Helm is told to make before it"));
        findings.back().related.push_back({{static_cast<FileId>(i), begin, begin + 4}, "who tells it"});
      }
    }
  }
}

}  // namespace muster
