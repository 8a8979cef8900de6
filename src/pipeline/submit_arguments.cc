#include "pipeline/submit_arguments.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "kinds/language.h"
#include "pipeline/input_names.h"
#include "pipeline/shell_texts.h"
#include "slurm/batch_shell.h"
#include "syntax/sbatch_options.h"
#include "syntax/shell_options.h"

namespace muster {
namespace {

using sbatch::BatchCommand;
using sbatch::ShellValue;

/// Where a script reads $1 though nobody gave it one, with `set -u`; nothing: it does not, or looks first.
std::optional<Span> needs_first(FileId file, std::string_view text) {
  constexpr std::array<std::string_view, 9> kLooks{"$#",      "${#",    "${1:",  "${1-",     "${1+",
                                                   "getopts", "set --", "shift", "BASH_ARGC"};
  if (std::ranges::any_of(kLooks, [&](std::string_view word) { return contains(text, word); })) return std::nullopt;
  bool strict = false;
  for (const ShellCommand& command : read_shell(text)) {
    const std::optional<bool> set = option_set_by(command, 'u', "nounset");
    if (set && (!*set || surely_runs(command))) strict = *set;
    if (ends_script(command)) return std::nullopt;
    if (!strict || !surely_runs(command)) continue;
    for (const ShellWord& word : command.words) {
      for (const ShellPart& part : word.parts) {
        if (part.kind == ShellPart::Kind::Variable && part.text == "1" && part.rest.empty())
          return Span{file, word.begin, word.end};
      }
    }
  }
  return std::nullopt;
}

/// Whether the word behind an option is its value: `-p`, `--partition`, not `-pgpu`, `--partition=gpu`, `--parsable`.
bool takes_next_word(std::string_view option) {
  if (!option.starts_with('-') || contains(option, "=")) return false;
  const bool is_long = option.starts_with("--");
  if (!is_long && option.size() != 2) return false;
  const SbatchOptionName* known = is_long ? find_sbatch_option(option.substr(2)) : find_sbatch_letter(option[1]);
  return known != nullptr && known->arg == SbatchArg::Required;
}

/// The script that `sbatch` is given with nothing behind it; nullptr: there is more, or nobody knows.
const ShellValue* script_alone(const BatchCommand& command) {
  const std::vector<ShellValue>& words = command.words;
  if (words.size() < 2 || words.front().text != "sbatch" || command.here_document || !words.back().known())
    return nullptr;
  constexpr std::array<std::string_view, 4> kEndings{".sh", ".sbatch", ".slurm", ".slrm"};
  const auto is_script = [&](const ShellValue& word) {
    return !word.text.starts_with('-') &&
           std::ranges::any_of(kEndings, [&](std::string_view ending) { return word.text.ends_with(ending); });
  };
  if (!is_script(words.back()) || std::ranges::count_if(words, is_script) != 1) return nullptr;
  // The first word that is neither an option nor a value is the script, whatever its name, and this one its argument.
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    if (!words[i].text.starts_with('-') && !takes_next_word(words[i - 1].text)) return nullptr;
    if (words[i].text == "--wrap" || words[i].text.starts_with("--wrap=")) return nullptr;
  }
  if (takes_next_word(words[words.size() - 2].text)) return nullptr;
  return &words.back();
}

/// The file that a path leads to from the folder of the script that submits it, or from one above it.
std::optional<std::size_t> submitted(const InputNames& names, std::string_view from, std::string_view path) {
  if (path.starts_with("./")) path.remove_prefix(2);
  std::string_view folder = folder_of(from);
  for (; path.starts_with("../") && !folder.empty(); folder = folder_of(folder)) path.remove_prefix(3);
  for (;; folder = folder_of(folder)) {
    const std::string there = (folder.empty() ? std::string() : std::string(folder) + "/") + std::string(path);
    if (const std::optional<std::size_t> found = names.at(there)) return found;
    if (folder.empty()) return std::nullopt;
  }
}

/// The script that is submitted may be one that was written just before.
bool writes_scripts(std::string_view text, std::string_view name) {
  if (contains(text, "cat >") || contains(text, "cat <<") || contains(text, "tee ")) return true;
  return some_line_with(text, name,
                        [](std::string_view line) { return contains(line, ">") && !contains(line, "sbatch"); });
}

}  // namespace

void find_missing_arguments(const Inputs& inputs, std::vector<Finding>& findings) {
  std::optional<InputNames> names;
  std::map<std::size_t, std::optional<Span>> needs;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const auto file = static_cast<FileId>(i);
    const std::string_view text = inputs.sources.file(file).text();
    if (!contains(text, "sbatch ") || !begins_with_shell(text) || may_be_filled_in(text)) continue;
    if (!names) names.emplace(inputs);
    const sbatch::BatchBody body = sbatch::walk_batch_script(file, text, {});
    constexpr int kMostSubmits = 100;
    int submits = 0;
    for (const BatchCommand& command : body.commands) {
      const ShellValue* script = script_alone(command);
      if (script == nullptr || ++submits > kMostSubmits) continue;
      const std::string_view name = last_part(script->text);
      const std::vector<std::size_t>& called = names->called(name);
      if (called.size() != 1 || called.front() == i || writes_scripts(text, name)) continue;
      const std::size_t other = called.front();
      if (submitted(*names, inputs.files[i].context.path, script->text) != other) continue;
      const auto [need, fresh] = needs.try_emplace(other);
      if (fresh)
        need->second = needs_first(static_cast<FileId>(other), inputs.sources.file(static_cast<FileId>(other)).text());
      if (!need->second) continue;
      findings.push_back(problem("submit-without-arguments", command.where,
                                 "`" + std::string(name) + "` is submitted without arguments"));
      findings.back().related.push_back({*need->second, "`set -u` ends it here without $1"});
    }
  }
}

}  // namespace muster
