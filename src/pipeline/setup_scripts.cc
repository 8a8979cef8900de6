#include "pipeline/setup_scripts.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/paths.h"
#include "base/strings.h"
#include "kinds/language.h"
#include "pipeline/helm_command.h"
#include "pipeline/input_names.h"
#include "syntax/shell_reader.h"

namespace muster {
namespace {

constexpr std::size_t kMostSaid = 200;  // findings of one input

bool is_script(std::string_view path) { return path.ends_with(".sh") || path.ends_with(".bash"); }

/// `install.sh`, `01-setup-cluster.sh`: what somebody runs who has nothing yet.
bool begins_things(std::string_view path) {
  const std::string name = to_lower(last_part(path));
  for (const char* word : {"uninstall", "undeploy", "redeploy", "upgrade", "teardown"}) {
    if (contains(name, word)) return false;
  }
  return std::ranges::any_of(std::array{"install", "setup", "bootstrap", "deploy"},
                             [&](const char* word) { return contains(name, word); });
}

/// A word that stands for something else: YOUR_REGION, CLUSTER_ID_PLACEHOLDER, __NAME__, <NAME>.
bool is_token(std::string_view word) {
  const auto loud = [](char c) { return (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c); };
  if (word.starts_with("__") && word.ends_with("__") && word.size() > 6) {
    return std::ranges::all_of(word, is_word_char);
  }
  if (word.size() < 8 || !std::ranges::all_of(word, loud) || !contains(word, "_")) return false;
  return std::ranges::any_of(std::array{"YOUR_", "_PLACEHOLDER", "PLACEHOLDER_", "REPLACE_", "_HERE", "CHANGE_ME"},
                             [&](const char* part) { return contains(word, part); });
}

/// TOKEN of `s|TOKEN|...|g`; empty where it is more than a word.
std::string_view replaced_token(const ShellWord& word) {
  if (word.parts.empty() || word.parts.front().kind != ShellPart::Kind::Text) return {};
  const std::string_view text = word.parts.front().text;
  if (text.size() < 4 || text[0] != 's' || is_word_char(text[1])) return {};
  const std::size_t end = text.find(text[1], 2);
  if (end == text.npos) return {};
  const std::string_view token = text.substr(2, end - 2);
  return is_token(token) ? token : std::string_view{};
}

class SetupScripts {
 public:
  SetupScripts(const Inputs& inputs, std::vector<Finding>& findings)
      : inputs_(inputs), findings_(findings), names_(inputs) {}

  void run() {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view path = inputs_.files[i].context.path;
      if (inputs_.files[i].named || !is_script(path)) continue;
      const std::string_view all = text(i);
      const bool asked =
          contains(all, "sed ") || contains(all, "kubectl ") || contains(all, "oc ") || contains(all, "helm ");
      if (!asked || findings_.size() > before_ + kMostSaid) continue;
      for (const ShellCommand& command : read_shell(all)) look_at(i, command);
    }
  }

 private:
  std::string_view text(std::size_t i) const { return inputs_.sources.file(static_cast<FileId>(i)).text(); }

  static bool is_at(const ShellCommand& command, std::string_view program, std::size_t& at) {
    at = !command.words.empty() && plain_text(command.words[0]) == "sudo" ? 1 : 0;
    return at < command.words.size() && plain_text(command.words[at]) == program;
  }

  void look_at(std::size_t i, const ShellCommand& command) {
    std::size_t at = 0;
    if (is_at(command, "sed", at)) tokens(i, command, at);
    if (is_at(command, "kubectl", at) || is_at(command, "oc", at)) applied(i, command, at);
    if (is_at(command, "helm", at)) upgraded(i, command, at);
  }

  Span span_of(std::size_t i, const ShellWord& word) const { return {static_cast<FileId>(i), word.begin, word.end}; }

  /// Absolute paths are of the machine, and may hold anything.
  void tokens(std::size_t i, const ShellCommand& command, std::size_t at) {
    bool inside = false;
    std::vector<const ShellWord*> found;
    std::vector<std::size_t> files;
    for (std::size_t w = at + 1; w < command.words.size(); ++w) {
      const ShellWord& word = command.words[w];
      const std::string_view plain = plain_text(word);
      inside = inside || plain.starts_with("-i") || plain.starts_with("--in-place");
      if (plain.starts_with('/')) return;
      if (!replaced_token(word).empty()) found.push_back(&word);
      if (const auto file = plain.starts_with('-') ? std::nullopt : file_at(i, plain)) files.push_back(*file);
    }
    if (!inside && files.size() == 1) {
      for (const ShellWord* word : found) token_of_file(i, *word, files.front());
    }
    if (!inside || !inputs_.too_large.empty() || !inputs_.ignored.empty()) return;
    for (const ShellWord* word : found) token(i, command, *word);
  }

  /// `sed "s|TOKEN|$X|" FILE | kubectl apply -f -`, and the file has it no more.
  void token_of_file(std::size_t i, const ShellWord& word, std::size_t file) {
    const std::string token(replaced_token(word));
    const std::string& path = inputs_.files[file].context.path;
    if (!inputs_.too_large.empty() || !inputs_.ignored.empty() || is_written(i, last_part(path))) return;
    if (contains(text(file), token) || !said_.insert(token + " " + path).second) return;
    findings_.push_back(problem("script-token-nowhere", span_of(i, word),
                                "`" + token + "` is to be replaced in `" + path + "`, which does not have it"));
  }

  /// Whether the script may make a file of that name anew: `> out.yaml`, `cp base.yaml out.yaml`.
  bool is_written(std::size_t i, std::string_view name) const {
    return some_line_with(text(i), name, [&](std::string_view line) {
      for (const std::string_view maker : {"cp ", "mv ", "tee ", "-o ", "-O ", "--output", "install "}) {
        if (contains(line, maker)) return true;
      }
      const std::string_view before = line.substr(0, line.find(name));
      return trim(before.substr(0, before.find_last_of(" \t>") + 1)).ends_with('>');  // npos + 1 is 0
    });
  }

  void token(std::size_t i, const ShellCommand& command, const ShellWord& word) {
    const std::string_view token = replaced_token(word);
    // What is asked for first may have been replaced by an earlier run, and kept.
    const bool asked =
        command.branch && some_line_with(text(i), token, [](std::string_view line) { return contains(line, "grep "); });
    if (asked || !said_.insert(std::string(token)).second) return;
    const bool there = names_.is_said_in_line(token, [&](std::size_t file, std::string_view line) {
      const std::string_view path = inputs_.files[file].context.path;
      const bool looks = is_script(path) && (contains(line, "sed ") || contains(line, "grep "));
      const bool guide = language_of(path) == Language::Prose && !path.ends_with(".xml");
      return !looks && !guide && !trim(line).starts_with('#');
    });
    if (there) return;
    findings_.push_back(
        problem("script-token-nowhere", span_of(i, word),
                "`" + std::string(token) + "` is to be replaced here, and no file of the input has it"));
  }

  /// `kubectl apply -f FILE`, FILE with `image: ${REGISTRY}/x`.
  void applied(std::size_t i, const ShellCommand& command, std::size_t at) {
    bool applies = false;
    for (std::size_t w = at + 1; w < command.words.size(); ++w) {
      const std::string_view plain = plain_text(command.words[w]);
      applies = applies || plain == "apply" || plain == "create" || plain == "replace";
      if (!applies || w + 1 >= command.words.size() || (plain != "-f" && plain != "--filename")) continue;
      const std::string_view path = plain_text(command.words[w + 1]);
      if (!path.ends_with(".yaml") && !path.ends_with(".yml")) continue;
      if (const std::optional<std::size_t> file = file_at(i, path)) left_in(i, command.words[w + 1], *file);
    }
  }

  /// From the script's folder up.
  std::optional<std::size_t> file_at(std::size_t i, std::string_view path) const {
    for (const std::string& folder : folders_around(folder_of(inputs_.files[i].context.path))) {
      if (const auto there = names_.at(joined_path(folder, path))) return there;
    }
    return std::nullopt;
  }

  void left_in(std::size_t i, const ShellWord& word, std::size_t file) {
    const std::string_view script = text(i);
    if (contains(script, "envsubst") || contains(script, "sed ") || contains(script, "yq ") ||
        contains(script, "set image"))
      return;
    for (const std::string_view line : split(text(file), '\n')) {
      std::string_view value = trim(line);
      if (value.starts_with("- ")) value = trim(value.substr(2));
      if (!value.starts_with("image:")) continue;
      const std::size_t begin = value.find("${");
      const std::size_t end = begin == value.npos ? value.npos : value.find('}', begin);
      if (end == value.npos) continue;
      const std::string_view variable = value.substr(begin + 2, end - begin - 2);
      if (!is_shell_name(variable)) continue;
      if (!said_.insert("${" + inputs_.files[file].context.path).second) return;
      findings_.push_back(problem("manifest-variable-left", span_of(i, word),
                                  "`" + inputs_.files[file].context.path + "` is applied as it is, with `" +
                                      std::string(value.substr(begin, end + 1 - begin)) + "` in an image"));
      return;
    }
  }

  /// `helm install \` with the release on the next line.
  bool installs_below(const std::string& release) {
    return names_.is_said(release, [](std::size_t, std::string_view all, std::size_t place) {
      constexpr std::size_t kMostBefore = 300;
      const std::string_view before = all.substr(place - std::min(place, kMostBefore), std::min(place, kMostBefore));
      const std::size_t helm = before.rfind("helm ");
      return helm != before.npos && contains(before.substr(helm), "install") && contains(before.substr(helm), "\\\n");
    });
  }

  void upgraded(std::size_t i, const ShellCommand& command, std::size_t at) {
    if (!begins_things(inputs_.files[i].context.path)) return;
    const std::optional<HelmCommand> helm = helm_command_at(text(i), command.words[at].end + 1);
    if (!helm || helm->verb != "upgrade" || helm->installs || helm->arguments.size() != 2) return;
    const std::string& release = helm->arguments.front();
    if (release.find_first_of("$`{") != release.npos || !said_.insert("helm " + release).second) return;
    if (contains(text(i), "helm status") || contains(text(i), "helm list") || contains(text(i), "helm ls")) return;
    // A line that names it otherwise may install it, by whatever means.
    const bool elsewhere = names_.is_said_in_line(release, [&](std::size_t, std::string_view line) {
      const bool installs = contains(line, "install") && !contains(line, ".sh") && !contains(line, "uninstall");
      return installs || contains(line, " -i ") || contains_ignoring_case(line, "name:") ||
             contains_ignoring_case(line, "name ") || contains_ignoring_case(line, "name=");
    }) || installs_below(release);
    if (elsewhere) return;
    findings_.push_back(problem("helm-upgrade-without-install", span_of(i, command.words[at]),
                                "release `" + release + "` is upgraded here, and nothing of the input installs it"));
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  InputNames names_;
  std::set<std::string> said_;
  std::size_t before_ = findings_.size();
};

}  // namespace

void find_setup_slips(const Inputs& inputs, std::vector<Finding>& findings) { SetupScripts(inputs, findings).run(); }

}  // namespace muster
