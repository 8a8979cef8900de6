#include "kubernetes/check_read_only.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "syntax/placeholder.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

/// An absolute path that is written out.
std::string_view path_in(std::string_view word) {
  const std::size_t first = word.find_first_not_of("\"'");
  if (first == word.npos) return {};
  word = word.substr(first, word.find_first_of("\"';)&|", first) - first);
  const bool plain =
      std::ranges::all_of(word, [](char c) { return is_word_char(c) || c == '/' || c == '.' || c == '-'; });
  return plain && word.size() > 1 && word.front() == '/' ? word : std::string_view();
}

bool is_of_kernel(std::string_view path) {
  return path.starts_with("/dev/") || path.starts_with("/proc/") || path.starts_with("/sys/");
}

/// What one line of a script writes to first that `is_written` refuses.
template <class IsWritable>
std::string_view written_in(std::string_view line, IsWritable is_writable) {
  constexpr std::array<std::string_view, 8> kOptions{"--output",   "--output-dir",   "--output_dir", "--output-path",
                                                     "--save-dir", "--download-dir", "--log-dir",    "--logdir"};
  std::string_view command;  // that takes what comes
  std::string_view before;
  for (const std::string_view word : split_blanks(line)) {
    if (word.starts_with('#')) break;
    std::string_view path;
    const std::size_t arrow = word.find_first_not_of("12&>");
    const std::size_t equals = word.find('=');
    if (before == ">" || before == ">>" || std::ranges::find(kOptions, before) != kOptions.end()) path = path_in(word);
    if (word.starts_with('>') && arrow != word.npos) path = path_in(word.substr(arrow));
    if (equals != word.npos && std::ranges::find(kOptions, word.substr(0, equals)) != kOptions.end())
      path = path_in(word.substr(equals + 1));
    if (command == "mkdir" || command == "tee") path = path_in(word);
    if ((command == "curl" && before == "-o") || (command == "wget" && before == "-O")) path = path_in(word);
    if (!path.empty() && !is_of_kernel(path) && !is_writable(path)) return path;
    for (const std::string_view one : {"mkdir", "tee", "curl", "wget"}) {
      if (word == one) command = one;
    }
    if (word == "&&" || word == "||" || word == "|" || word.ends_with(';')) command = {};
    before = word;
  }
  return {};
}

/// Whether a script leaves its container, or gives itself what it may write to.
bool goes_elsewhere(std::string_view text) {
  return contains(text, "chroot ") || contains(text, "nsenter") || contains(text, "mount -") || contains(text, "<<") ||
         contains(text, "kubectl exec") || contains(text, "ssh ");
}

void check_read_only_one(const Node& container, std::vector<Finding>& findings) {
  const Node read_only = container["securityContext"]["readOnlyRootFilesystem"];
  const Node mounts = container["volumeMounts"];
  if (!is_true(read_only) || (mounts.exists() && !mounts.is_null() && !mounts.is_sequence())) return;
  for (std::size_t i = 0; mounts.is_sequence() && i < mounts.size(); ++i) {
    if (!mounts.item(i).is_mapping() || is_unsaid(mounts.item(i)["mountPath"])) return;
  }
  const auto is_writable = [&](std::string_view path) {
    for (std::size_t i = 0; mounts.is_sequence() && i < mounts.size(); ++i) {
      std::string_view at = mounts.item(i)["mountPath"].text();
      while (at.size() > 1 && at.ends_with('/')) at.remove_suffix(1);
      if (path.starts_with(at) && (path.size() == at.size() || at == "/" || path[at.size()] == '/')) return true;
    }
    return false;
  };
  std::string line;  // words that are handed over one by one
  for (const std::string_view list : {"command", "args"}) {
    const Node words = container[list];
    for (std::size_t i = 0; words.is_sequence() && i < words.size(); ++i) {
      const std::string_view text = words.item(i).text();
      if (goes_elsewhere(text)) return;
      line += std::string(text.find_first_of(" \n") == text.npos ? text : "\n" + std::string(text) + "\n") + " ";
    }
  }
  for (const std::string_view one : split(line, '\n')) {
    const std::string_view path = written_in(one, is_writable);
    if (path.empty()) continue;
    findings.push_back(problem("container-writes-read-only", read_only.where(),
                               "container " + in_ticks(container["name"].text()) + " writes to " + in_ticks(path) +
                                   ", where it has no volume, and its own files are read-only"));
    findings.back().field = "readOnlyRootFilesystem";
    findings.back().about = About::Whole;
    return;
  }
}

}  // namespace

void check_read_only(const Node& pod, std::vector<Finding>& findings) {
  for (const std::string_view list : {"initContainers", "containers"}) {
    const Node containers = pod[list];
    for (std::size_t c = 0; containers.is_sequence() && c < containers.size(); ++c)
      check_read_only_one(containers.item(c), findings);
  }
}

}  // namespace muster
