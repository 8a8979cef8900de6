#include "slurm/late_defaults.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "base/strings.h"
#include "slurm/batch_shell.h"
#include "slurm/launches.h"
#include "syntax/script_text.h"

namespace muster::sbatch {
namespace {

constexpr std::size_t kMostDefaults = 200;

bool gives_default(const ShellPart& part) {
  return part.kind == ShellPart::Kind::Variable &&
         (part.rest.starts_with(":=") || part.rest.starts_with(":-") || part.rest.starts_with('='));
}

/// The variable that a command gives a default: `: "${NAME:=value}"`, NAME=${NAME:-value}; empty for others.
std::string_view defaulted_by(const ShellCommand& command) {
  if (command.branch || command.loop || command.function || command.words.empty()) return {};
  const ShellWord& last = command.words.back();
  const std::vector<const ShellPart*> parts = written_parts(last);
  if (command.words.size() == 2 && plain_text(command.words[0]) == ":" && parts.size() == 1 && gives_default(*parts[0]))
    return parts[0]->text;
  const bool sets = command.words.size() == 1 || (command.words.size() == 2 && declares(command.words[0]));
  const std::string_view name = sets ? assigned_name(last) : std::string_view();
  const bool own = !name.empty() && parts.size() == 2 && parts[0]->text.size() == name.size() + 1 &&
                   gives_default(*parts[1]) && parts[1]->text == name;
  return own ? name : std::string_view();
}

/// Where the script has the name first, as a word.
std::size_t first_place(std::string_view text, std::string_view name) {
  for (std::size_t at = find_in_script(text, name); at != text.npos; at = find_in_script(text, name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_word_char(text[at - 1])) && (end == text.size() || !is_word_char(text[end]))) return at;
  }
  return text.npos;
}

/// `$NAME` or `${NAME}` at that place: nothing stands in for it.
bool is_bare_read(std::string_view text, std::size_t at, std::string_view name) {
  const std::string_view before = text.substr(0, at);
  if (before.ends_with("\\$")) return false;
  return before.ends_with('$') || (before.ends_with("${") && text.substr(at + name.size()).starts_with('}'));
}

/// It sets variables that nothing here shows.
bool brings_variables(const ShellCommand& command) {
  constexpr std::array<std::string_view, 7> kBringing{"source", ".", "eval", "module", "ml", "spack", "conda"};
  return !command.words.empty() && is_one_of(program_of(command.words[0]), kBringing);
}

/// It runs in any case, and what it reads is more than shown or tested.
bool takes_value(const ShellCommand& command) {
  constexpr std::array<std::string_view, 5> kLooking{"echo", "printf", "[", "[[", "test"};
  return !command.branch && !command.loop && !command.function && !command.here_document &&
         !is_one_of(program_of(command.words[0]), kLooking);
}

}  // namespace

void find_late_defaults(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                        std::vector<Finding>& findings) {
  std::map<std::string_view, std::size_t> defaults;  // the command, by name
  std::set<std::string_view> set;                    // otherwise, or again
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const std::string_view name = defaulted_by(commands[i]);
    if (!name.empty() && (defaults.size() >= kMostDefaults || !defaults.try_emplace(name, i).second)) set.insert(name);
    for (const ShellWord& word : commands[i].words) {
      if (const std::string_view other = assigned_name(word); !other.empty() && other != name) set.insert(other);
    }
  }
  for (const auto& [name, at] : defaults) {
    if (set.contains(name) || is_slurm_variable(name) || is_given_to_all(name)) continue;
    const std::size_t place = first_place(text, name);
    if (place == text.npos || !is_bare_read(text, place, name)) continue;
    for (std::size_t i = 0; i < at; ++i) {
      const ShellCommand& command = commands[i];
      if (brings_variables(command)) break;
      const auto word = std::ranges::find_if(
          command.words, [&](const ShellWord& one) { return one.begin <= place && place < one.end; });
      if (word == command.words.end()) continue;
      const bool literal = contains(text.substr(word->begin, place - word->begin), "'");
      if (literal || !takes_value(command)) break;
      findings.push_back(problem("sbatch-default-after-use", {file, word->begin, word->end},
                                 "`" + std::string(name) + "` is read here, and is given its default below"));
      return;
    }
  }
}

}  // namespace muster::sbatch
