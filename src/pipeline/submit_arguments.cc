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

namespace muster {
namespace {

using sbatch::BatchCommand;
using sbatch::ShellValue;

/// `set -u`, `set -euo pipefail`, `set -o nounset`.
bool sets_nounset(const ShellCommand& command) {
  if (!surely_runs(command) || command.words.size() < 2 || plain_text(command.words[0]) != "set") return false;
  return std::ranges::any_of(command.words, [](const ShellWord& word) {
    const std::string_view text = plain_text(word);
    return text == "nounset" || (text.size() > 1 && text[0] == '-' && text[1] != '-' && contains(text, "u"));
  });
}

/// Where a script reads $1 though nobody gave it one, with `set -u`; nothing: it does not, or looks first.
std::optional<Span> needs_first(FileId file, std::string_view text) {
  constexpr std::array<std::string_view, 9> kLooks{"$#",      "${#",    "${1:",  "${1-",     "${1+",
                                                   "getopts", "set --", "shift", "BASH_ARGC"};
  if (std::ranges::any_of(kLooks, [&](std::string_view word) { return contains(text, word); })) return std::nullopt;
  bool strict = false;
  for (const ShellCommand& command : read_shell(text)) {
    strict = strict || sets_nounset(command);
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
  // What only the run knows may be the script, and this one its argument.
  const auto is_open = [](const ShellValue& word) { return !word.known() && !word.text.starts_with('-'); };
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    const bool value = words[i - 1].text.starts_with('-') && !contains(words[i - 1].text, "=");
    if (is_open(words[i]) && !value) return nullptr;
    if (words[i].text == "--wrap" || words[i].text.starts_with("--wrap=")) return nullptr;
  }
  return &words.back();
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
      const std::string_view folder = last_part(folder_of(script->text));
      const std::string_view there = last_part(folder_of(inputs.files[called.front()].context.path));
      if (!folder.empty() && folder != "." && folder != ".." && folder != there) continue;
      const std::size_t other = called.front();
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
