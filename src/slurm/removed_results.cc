#include "slurm/removed_results.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/strings.h"
#include "slurm/batch_shell.h"

namespace muster::sbatch {
namespace {

/// `$SCRATCH/out`: texts and whole variables; empty where something else is in the word.
std::string path_in_word(const ShellWord& word) {
  std::string out;
  for (const ShellPart& part : word.parts) {
    if (part.kind == ShellPart::Kind::Text) {
      out += part.text;
    } else if (part.kind == ShellPart::Kind::Variable && part.rest.empty()) {
      out += "${" + part.text + "}";
    } else {
      return {};
    }
  }
  return out;
}

/// The folder that is gone behind `rm -r PATH`, or empty behind `rm -r PATH/*`; empty where it is a pattern or no place
/// of its own.
std::string removed_folder(const ShellWord& word) {
  std::string path = path_in_word(word);
  while (path.ends_with("/*") || (path.ends_with('/') && path.size() > 1)) path.pop_back();
  const bool place = path.starts_with('/') || path.starts_with("${");
  return place && path.size() > 1 && path.find_first_of("*?[") == path.npos ? path : std::string();
}

bool runs_come_what_may(const ShellCommand& command) {
  return !command.branch && !command.loop && !command.function && !command.subshell && !command.background &&
         !command.here_document;
}

/// `rm -r`, `rm -rf`: where its operands begin; 0: it is something else.
std::size_t operands_of_removal(const ShellCommand& command) {
  if (command.words.empty() || program_of(command.words.front()) != "rm") return 0;
  bool all = false;
  std::size_t at = 1;
  for (; at < command.words.size(); ++at) {
    const std::string_view option = plain_text(command.words[at]);
    if (!option.starts_with('-')) break;
    all = all || option == "--recursive" || (!option.starts_with("--") && option.find_first_of("rR") != option.npos);
  }
  return all && at < command.words.size() ? at : 0;
}

/// What puts nothing into a folder; what it prints stands in `line`.
bool leaves_files_alone(const ShellCommand& command, std::string_view line) {
  constexpr std::array<std::string_view, 11> kTelling{"[",  "cd",     "date",   "echo",  "exit", "ls",
                                                      "ml", "module", "printf", "sleep", "true"};
  if (!is_one_of(program_of(command.words.front()), kTelling) || contains(line, ">")) return false;
  return std::ranges::none_of(command.words, [](const ShellWord& word) {
    return std::ranges::any_of(word.parts, [](const ShellPart& part) { return part.kind == ShellPart::Kind::Command; });
  });
}

/// From the first word of a command to the end of its line.
std::string_view line_of(std::string_view text, const ShellCommand& command) {
  const std::size_t end = text.find('\n', command.words.back().end);
  return text.substr(command.words.front().begin, std::min(end, text.size()) - command.words.front().begin);
}

bool lies_within(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

/// Whether a command copies from the folder, and to somewhere else.
bool copies_from(const ShellCommand& command, std::string_view folder) {
  constexpr std::array<std::string_view, 4> kCopies{"cp", "mv", "rsync", "scp"};
  if (command.words.size() < 3 || !is_one_of(program_of(command.words.front()), kCopies)) return false;
  // `-t FOLDER`, `--exclude PATH`: which words are sources such options change.
  constexpr std::array<std::string_view, 5> kNoSources{"-t", "--target-directory", "--exclude", "--include", "-e"};
  if (std::ranges::any_of(command.words,
                          [&](const ShellWord& word) { return is_one_of(plain_text(word), kNoSources); }))
    return false;
  if (lies_within(path_in_word(command.words.back()), folder)) return false;
  return std::any_of(command.words.begin() + 1, command.words.end() - 1,
                     [&](const ShellWord& word) { return lies_within(path_in_word(word), folder); });
}

}  // namespace

void find_removed_results(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                          std::vector<Finding>& findings) {
  constexpr std::size_t kMostBetween = 20;  // commands
  if (!contains(text, "rm -")) return;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const std::size_t first = runs_come_what_may(commands[i]) ? operands_of_removal(commands[i]) : 0;
    if (first == 0) continue;
    for (std::size_t j = i + 1; j < std::min(commands.size(), i + 1 + kMostBetween); ++j) {
      const ShellCommand& next = commands[j];
      if (next.words.empty() || leaves_files_alone(next, line_of(text, next))) continue;
      if (!runs_come_what_may(next)) break;
      for (std::size_t w = first; w < commands[i].words.size(); ++w) {
        const std::string folder = removed_folder(commands[i].words[w]);
        if (folder.empty() || !copies_from(next, folder)) continue;
        const ShellWord& word = commands[i].words[w];
        const std::string written(text.substr(word.begin, word.end - word.begin));
        findings.push_back(problem("sbatch-results-removed", {file, word.begin, word.end},
                                   "the script removes `" + written + "`, and then copies from it"));
        findings.back().related.push_back(
            {{file, next.words.front().begin, next.words.back().end}, "nothing is left of it here"});
        return;
      }
      break;
    }
  }
}

}  // namespace muster::sbatch
