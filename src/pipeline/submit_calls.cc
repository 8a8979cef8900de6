#include "pipeline/submit_calls.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/strings.h"
#include "kinds/language.h"
#include "pipeline/array_limits.h"
#include "pipeline/input_names.h"
#include "pipeline/reach.h"
#include "pipeline/shell_texts.h"
#include "pipeline/submit_chains.h"
#include "syntax/sbatch_reader.h"
#include "syntax/shell_reader.h"

namespace muster {
namespace {

constexpr std::string_view kProgram = "sbatch ";
constexpr std::size_t kMostCalls = 2000;
constexpr int kMostNested = 4;
constexpr int kMostContinued = 50;  // lines of one command

bool is_shell(std::string_view path, std::string_view text) {
  const std::string_view first = text.substr(0, text.find('\n'));
  return language_of(path) != Language::Prose && first.starts_with("#!") && contains(first, "sh");
}

bool is_plain_script(std::string_view script) {
  return !script.starts_with('/') && script.find_first_of("$*{}[]?\"'~\\=") == script.npos && has_script_ending(script);
}

bool reads_arguments(std::string_view text) {
  return std::ranges::any_of(std::array<std::string_view, 8>{"$1", "${1", "$@", "${@", "$*", "${*", "getopts", "shift"},
                             [&](std::string_view word) { return contains(text, word); });
}

/// Whether a word begins at `at`.
bool is_word_at(std::string_view text, std::size_t at) {
  return at == 0 || std::string_view(" \t\n(;|&!`\"'").find(text[at - 1]) != std::string_view::npos;
}

bool calls_sbatch(std::string_view line) {
  for (std::size_t at = line.find(kProgram); at != line.npos; at = line.find(kProgram, at + 1)) {
    if (is_word_at(line, at)) return true;
  }
  return false;
}

/// A line with those before it that go on in it: they end in `\`.
std::string_view from_first_line(std::string_view text, std::string_view line) {
  auto begin = static_cast<std::size_t>(line.data() - text.data());
  for (int above = 0; above < kMostContinued && begin > 1 && text[begin - 2] == '\\'; ++above)
    begin = text.rfind('\n', begin - 2) + 1;  // npos + 1 is 0
  const auto end = static_cast<std::size_t>(line.data() - text.data()) + line.size();
  return text.substr(begin, end - begin);
}

/// `serve_{{ item.name }}.sh`, `serve_$NAME.sh` for serve_phi3.sh: whether a text has the first part of the name before
/// what only a run fills in.
bool puts_in(std::string_view text, std::string_view name) {
  const std::size_t end = name.find_first_of("_-");
  if (end == name.npos || end < 3) return false;
  const std::string_view head = name.substr(0, end + 1);
  for (std::size_t at = text.find(head); at != text.npos; at = text.find(head, at + 1)) {
    const std::string_view behind = text.substr(at + head.size());
    if (behind.starts_with('$') || behind.starts_with('{') || behind.starts_with('%')) return true;
  }
  return false;
}

bool is_makefile(std::string_view path) {
  const std::string_view name = last_part(path);
  return name == "Makefile" || name == "makefile" || name == "GNUmakefile" || name.ends_with(".mk");
}

/// `@cd jobs && sbatch`: the line of a recipe begins a command where sbatch stands.
bool begins_in_recipe(std::string_view before) {
  before = trim(before);
  return before.empty() || before == "@" || before == "-" || before == "-@" || before == "@-" ||
         before.ends_with("&&") || before.ends_with(";");
}

/// Without `$(OPTIONS)` and its like, but for the value of an option: `-o $(LOG)`.
std::string without_variables(std::string_view arguments) {
  std::vector<std::string_view> words;
  for (const std::string_view word : split_blanks(arguments)) {
    const bool value = !words.empty() && words.back().starts_with('-') && !contains(words.back(), "=");
    if (!word.starts_with('$') || value) words.push_back(word);
  }
  return join(words, " ");
}

class Calls {
 public:
  Calls(const Inputs& inputs, Model& model, std::vector<Finding>& findings)
      : inputs_(inputs), model_(model), findings_(findings), reach_(inputs), names_(inputs), arrays_(model) {}

  void run() {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      if (is_shell(inputs_.files[i].context.path, text(i))) read(i, text(i), std::nullopt, 0);
      if (is_makefile(inputs_.files[i].context.path)) read_recipes(i);
      if (language_of(inputs_.files[i].context.path) == Language::Prose) read_guide(i);
    }
  }

 private:
  std::string_view text(std::size_t i) const { return inputs_.sources.file(static_cast<FileId>(i)).text(); }

  /// `begin`: where the text stands in its file; of what stands within `$( )` the word around it.
  void read(std::size_t i, std::string_view source, std::optional<std::uint32_t> begin, int depth) {
    if (!contains(source, kProgram) || depth > kMostNested) return;
    if (depth == 0) away_ = false;
    const std::vector<ShellCommand> commands = read_shell(source);
    if (depth == 0) find_submit_chains(static_cast<FileId>(i), inputs_.files[i].context.path, source, commands, model_);
    for (const ShellCommand& command : commands) {
      for (const ShellWord& word : command.words) {
        for (const ShellPart& part : word.parts) {
          if (part.kind == ShellPart::Kind::Command) read(i, part.text, begin.value_or(word.begin), depth + 1);
        }
      }
      const std::vector<ShellWord>& words = command.words;
      const bool moves = words.size() > 1 && !words[0].parts.empty() &&
                         (words[0].parts[0].text == "cd" || words[0].parts[0].text == "pushd");
      if (moves && leaves_input(source, source.substr(words[1].begin, words[1].end - words[1].begin))) away_ = true;
      if (words.size() < 2 || words[0].parts.size() != 1 || words[0].parts[0].text != "sbatch") continue;
      if (model_.submit_calls.size() >= kMostCalls) return;
      call(i, source.substr(words[1].begin), begin.value_or(words[0].begin));
    }
  }

  /// A command of a recipe, where it stands on one line and changes to no other folder.
  void read_recipes(std::size_t i) {
    away_ = false;
    for (const std::string_view line : split(text(i), '\n')) {
      const std::size_t at = line.starts_with('\t') ? line.find(kProgram) : line.npos;
      if (at == line.npos || line.ends_with('\\') || contains(line, "cd ")) continue;
      if (!begins_in_recipe(line.substr(0, at)) || model_.submit_calls.size() >= kMostCalls) continue;
      std::string_view behind = line.substr(at + kProgram.size());
      behind = behind.substr(0, behind.find_first_of(";&|<>#"));
      call(i, without_variables(behind), static_cast<std::uint32_t>(line.data() + at - text(i).data()));
    }
  }

  /// Lines of a text for people that are a command: its words are compared with the script alone.
  void read_guide(std::size_t i) {
    const std::string_view all = text(i);
    some_line_with(all, kProgram, [&](std::string_view line) {
      const std::size_t at = line.find(kProgram);
      const std::string_view before = trim(line.substr(0, at));
      if ((!before.empty() && before != "$") || model_.submit_calls.size() >= kMostCalls) return false;
      const auto place = static_cast<std::size_t>(line.data() - all.data()) + at;
      const std::string_view command = command_around(all, place);
      std::string_view behind = all.substr(place + kProgram.size());
      behind = behind.substr(0, static_cast<std::size_t>(command.data() + command.size() - behind.data()));
      if (contains(behind, " --")) call(i, behind, static_cast<std::uint32_t>(place), true);
      return false;
    });
  }

  void call(std::size_t i, std::string_view behind, std::uint32_t at, bool guide = false) {
    const std::string arguments = sbatch_arguments_at(behind, 0);
    const SbatchDirective read = read_sbatch_arguments(arguments);
    SubmitCall out;
    out.script = read.rest;
    out.file = inputs_.files[i].context.path;
    const auto end_of_line = static_cast<std::uint32_t>(std::min(text(i).find('\n', at), text(i).size()));
    out.where = {static_cast<FileId>(i), at, end_of_line};
    for (const SbatchOption& option : read.options) {
      if (option.name == "array" && option.value && !guide) arrays_.check(*option.value, out.where, findings_);
    }
    if (!is_plain_script(guide ? last_part(out.script) : out.script)) return;
    const std::size_t begin = arguments.find(out.script);
    if (begin == arguments.npos) return;
    const std::size_t end = begin + out.script.size();
    const std::vector<std::size_t>& known = names_.called(last_part(out.script));
    if (known.empty()) {
      out.missing = !guide && is_missing(out.script, i);
    } else if (std::ranges::none_of(known, [&](std::size_t file) { return reads_arguments(text(file)); })) {
      for (const SbatchOption& option : read_sbatch_arguments(arguments.substr(end)).options) {
        if (option.known && out.behind.empty() && contains(arguments.substr(end), "--" + option.name))
          out.behind = option.name;
      }
    }
    if (out.missing || !out.behind.empty()) model_.submit_calls.push_back(std::move(out));
  }

  bool is_missing(const std::string& script, std::size_t caller) {
    const std::string& path = inputs_.files[caller].context.path;
    const std::string_view name = last_part(script);
    const std::string beside = (folder_of(path).empty() ? "" : std::string(folder_of(path)) + "/") + script;
    if (away_ || names_.is_aside(name) || !reach_.holds(path) || !reach_.holds(beside)) return false;
    return !names_.of_some_text(
        [&](std::size_t, std::string_view text) { return speaks_otherwise(text, name) || puts_in(text, name); });
  }

  /// Whether a line that does not call sbatch names it: somebody may write it.
  static bool speaks_otherwise(std::string_view text, std::string_view name) {
    return some_line_with(text, name,
                          [&](std::string_view line) { return !calls_sbatch(from_first_line(text, line)); });
  }

  const Inputs& inputs_;
  Model& model_;
  std::vector<Finding>& findings_;
  Reach reach_;
  InputNames names_;
  ArrayLimits arrays_;
  bool away_ = false;  ///< the script that is being read has changed to a folder outside of the input
};

}  // namespace

void find_submit_calls(const Inputs& inputs, Model& model, std::vector<Finding>& findings) {
  bool any = false;
  for (std::size_t i = 0; !any && i < inputs.files.size(); ++i)
    any = contains(inputs.sources.file(static_cast<FileId>(i)).text(), kProgram);
  if (any) Calls(inputs, model, findings).run();
  check_job_arrays(model, findings);
}

}  // namespace muster
