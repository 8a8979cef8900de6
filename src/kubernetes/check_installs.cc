#include "kubernetes/check_installs.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "base/strings.h"
#include "syntax/shell_reader.h"

namespace muster {
namespace {

constexpr std::size_t kMostReported = 20;  // of one script

/// Charts that place pods or put drivers and devices on nodes, as their repositories name them.
constexpr std::array<std::string_view, 18> kCharts{"gpu-operator",
                                                   "jobset",
                                                   "kai-scheduler",
                                                   "karpenter",
                                                   "kuberay-operator",
                                                   "kubeflow-trainer",
                                                   "kueue",
                                                   "lws",
                                                   "mpi-operator",
                                                   "network-operator",
                                                   "nvidia-device-plugin",
                                                   "scheduler-plugins",
                                                   "slurm-bridge",
                                                   "slurm-operator",
                                                   "nvidia-dra-driver-gpu",
                                                   "slurm-operator-crds",
                                                   "training-operator",
                                                   "volcano"};

/// A word that is written out; empty: some of it is known when it runs.
std::string text_of(const ShellWord& word) {
  std::string out;
  for (const ShellPart& part : word.parts) {
    if (part.kind != ShellPart::Kind::Text) return {};
    out += part.text;
  }
  return out;
}

/// nvidia/gpu-operator, oci://registry.k8s.io/kueue/charts/kueue; nothing where it is a folder, a packed chart or a
/// release stands in it.
std::string_view chart_in(std::string_view word) {
  if (word.starts_with('.') || word.starts_with('/') || word.ends_with(".tgz") || word.starts_with('-')) return {};
  const bool oci = word.starts_with("oci://");
  if (oci) word.remove_prefix(6);
  if (!oci && std::ranges::count(word, '/') != 1) return {};
  const std::string_view name = word.substr(word.rfind('/') + 1);
  return std::ranges::find(kCharts, name) != kCharts.end() ? name : std::string_view{};
}

class Installs {
 public:
  Installs(FileId file, std::vector<Finding>& findings) : file_(file), findings_(findings) {}

  void look(const ShellCommand& command) {
    if (findings_.size() >= kMostReported) return;
    const std::vector<ShellWord>& words = command.words;
    std::size_t at = 0;
    while (at < words.size() && text_of(words[at]) != "helm") ++at;
    if (at > 1 || at + 1 >= words.size()) return;  // `sudo helm`
    const std::string verb = text_of(words[at + 1]);
    if (verb != "install" && verb != "upgrade") return;
    for (std::size_t i = at + 2; i < words.size(); ++i) one_dash(words[i]);
    const ShellWord* chart = nullptr;
    std::string name;
    for (std::size_t i = at + 2; i < words.size(); ++i) {
      const std::string text = text_of(words[i]);
      if (text == "--version" || text.starts_with("--version=") || text == "--devel") return;
      // "$@", ${EXTRA[@]}: it may say which.
      const bool value = i > 0 && text_of(words[i - 1]).starts_with('-') && !contains(text_of(words[i - 1]), "=");
      if (text.empty() && !value && is_whole_variable(words[i])) return;
      if (chart == nullptr && !value && !chart_in(text).empty()) {
        chart = &words[i];
        name = chart_in(text);
      }
    }
    if (chart == nullptr || !said_.insert(name).second) return;
    findings_.push_back(problem("operator-chart-unpinned", {file_, chart->begin, chart->end},
                                "`" + name + "` is installed in whatever release there is that day"));
  }

 private:
  /// `-set a=b`: pflag takes it for -s, -e and -t. Source: spf13/pflag:flag.go, parseShortArg (1.0.9).
  void one_dash(const ShellWord& word) {
    constexpr std::array<std::string_view, 14> kLong{
        "-atomic", "-create-namespace", "-debug",      "-dry-run", "-install", "-namespace", "-repo",
        "-set",    "-set-file",         "-set-string", "-timeout", "-values",  "-version",   "-wait"};
    const std::string text = text_of(word);
    const std::string name = text.substr(0, text.find('='));
    if (std::ranges::find(kLong, name) == kLong.end()) return;
    findings_.push_back(problem("helm-option-with-one-dash", {file_, word.begin, word.end},
                                "`" + name + "` has one dash: helm takes its letters for options of one letter each"));
  }

  static bool is_whole_variable(const ShellWord& word) {
    return std::ranges::all_of(
        word.parts, [](const ShellPart& part) { return part.kind != ShellPart::Kind::Text || part.text.empty(); });
  }

  FileId file_;
  std::vector<Finding>& findings_;
  std::set<std::string> said_;
};

}  // namespace

void check_installs(std::string_view text, FileId file, std::vector<Finding>& findings) {
  if (!contains(text, "helm ")) return;
  std::vector<Finding> found;
  Installs installs(file, found);
  for (const ShellCommand& command : read_shell(text)) installs.look(command);
  std::ranges::move(found, std::back_inserter(findings));
}

}  // namespace muster
