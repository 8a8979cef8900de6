#include "slurm/removed_results.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/strings.h"
#include "slurm/batch_shell.h"

namespace muster::sbatch {
namespace {

/// `$SCRATCH/out`: texts and whole variables; empty where something else is in the word, or it leads upwards.
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
  for (std::size_t at = out.find("//"); at != out.npos; at = out.find("//", at)) out.erase(at, 1);
  for (std::size_t at = out.find("/./"); at != out.npos; at = out.find("/./", at)) out.erase(at, 2);
  return contains(out + "/", "/../") ? std::string() : out;
}

/// What is gone behind `rm -r PATH`, or empty behind `rm -r PATH/*`.
struct Removed {
  std::string folder;  ///< empty where it is a pattern or no place of its own
  bool contents = false;
};

Removed removed_by(const ShellWord& word) {
  Removed out{path_in_word(word)};
  std::string& path = out.folder;
  // Names that begin with a dot stay, and in quotes it is a name as any other.
  if (path.ends_with("/*")) {
    if (word.parts.back().quoted) return {};
    out.contents = true;
    path.resize(path.size() - 2);
  }
  while (path.ends_with('/') && path.size() > 1) path.pop_back();
  const bool pattern =
      path.find_first_of("*?[") != path.npos || std::ranges::any_of(word.parts, [](const ShellPart& part) {
        return part.kind == ShellPart::Kind::Text && !part.quoted && contains(part.text, "{");
      });
  const bool place = path.starts_with('/') || path.starts_with("${");
  return !pattern && place && path.size() > 1 ? out : Removed{};
}

bool runs_come_what_may(const ShellCommand& command) { return surely_runs(command) && !command.here_document; }

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

/// The last letter of `-avze`; a blank of what is no such option.
char last_letter(std::string_view option) {
  const bool letters = option.size() > 1 && option[0] == '-' && option[1] != '-';
  return letters ? option.back() : ' ';
}

/// Whether the word behind an option is the value of it.
bool takes_next(std::string_view program, std::string_view option) {
  constexpr std::array<std::string_view, 21> kOfRsync{
      "--backup-dir",   "--bwlimit",  "--chmod",      "--chown",       "--compare-dest", "--copy-dest", "--exclude",
      "--exclude-from", "--filter",   "--files-from", "--include",     "--include-from", "--link-dest", "--log-file",
      "--max-size",     "--min-size", "--out-format", "--partial-dir", "--rsh",          "--suffix",    "--temp-dir"};
  const char letter = last_letter(option);
  if (program == "rsync") return is_one_of(option, kOfRsync) || contains("eTBfM", std::string_view(&letter, 1));
  if (program == "scp") return contains("cDFiJloPSX", std::string_view(&letter, 1));
  return option == "--target-directory" || option == "--suffix" || letter == 't' || letter == 'S';
}

/// `-t DIR`, `-rt DIR`, `-tDIR`, `--target-directory=DIR` of cp and mv.
bool names_target(std::string_view program, std::string_view option) {
  if (program != "cp" && program != "mv") return false;
  const bool letters = option.size() > 1 && option[1] != '-';
  return letters ? contains(option.substr(0, option.find('/')), "t") : option.starts_with("--target-directory");
}

/// Whether a command copies from what was removed, and to somewhere else.
bool copies_from(const ShellCommand& command, const Removed& removed) {
  constexpr std::array<std::string_view, 4> kCopies{"cp", "mv", "rsync", "scp"};
  const std::string_view program = program_of(command.words.front());
  if (!is_one_of(program, kCopies)) return false;
  std::vector<std::string> operands;
  bool target = false;
  bool options = true;
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    const std::vector<ShellPart>& parts = command.words[i].parts;
    const bool text = !parts.empty() && parts.front().kind == ShellPart::Kind::Text;
    const std::string_view option = text ? std::string_view(parts.front().text) : std::string_view();
    if (!options || !option.starts_with('-')) {
      operands.push_back(path_in_word(command.words[i]));
    } else {
      options = option != "--";
      target = target || names_target(program, option);
      if (parts.size() == 1 && takes_next(program, option)) ++i;
    }
  }
  if (!target && !operands.empty()) {
    if (lies_within(operands.back(), removed.folder)) return false;
    operands.pop_back();
  }
  return std::ranges::any_of(operands, [&](const std::string& path) {
    const bool hidden = removed.contents && path.substr(std::min(removed.folder.size(), path.size())).starts_with("/.");
    return lies_within(path, removed.folder) && !hidden;
  });
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
        const Removed removed = removed_by(commands[i].words[w]);
        if (removed.folder.empty() || !copies_from(next, removed)) continue;
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
