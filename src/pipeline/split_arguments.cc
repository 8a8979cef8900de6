#include "pipeline/split_arguments.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "kinds/language.h"
#include "pipeline/input_names.h"
#include "pipeline/shell_texts.h"
#include "syntax/shell_reader.h"

namespace muster {
namespace {

/// Where `$*` or `$@` stands without quotes as a word of a program's; nothing: nowhere.
std::optional<Span> handed_on(FileId file, std::string_view text) {
  constexpr std::array<std::string_view, 7> kOthers{"echo", "for", "set", "printf", "[", "[[", "eval"};
  for (const ShellCommand& command : read_shell(text)) {
    if (command.words.empty() || command.function) continue;
    if (plain_text(command.words[0]) == "shift") return std::nullopt;  // the one with blanks may be gone
    if (std::ranges::find(kOthers, plain_text(command.words[0])) != kOthers.end()) continue;
    for (const ShellWord& word : command.words) {
      const std::vector<const ShellPart*> parts = written_parts(word);
      const bool all = parts.size() == 1 && parts[0]->kind == ShellPart::Kind::Variable && !parts[0]->quoted &&
                       parts[0]->rest.empty() && (parts[0]->text == "*" || parts[0]->text == "@");
      if (all) return Span{file, word.begin, word.end};
    }
  }
  return std::nullopt;
}

/// A line with those that it goes on in: it ends in `\`.
std::string_view with_next_lines(std::string_view text, std::string_view line) {
  constexpr int kMostContinued = 20;
  const auto begin = static_cast<std::size_t>(line.data() - text.data());
  std::size_t end = begin + line.size();
  for (int more = 0; more < kMostContinued && end < text.size() && end > 0 && text[end - 1] == '\\'; ++more)
    end = std::min(text.find('\n', end + 1), text.size());
  return text.substr(begin, end - begin);
}

/// Whether a line begins as a command does that calls the script at `path`: `$ bash tools/run.sh`.
bool calls(std::string_view before, std::string_view script, std::string_view path) {
  while (!before.empty() && (before.front() == ' ' || before.front() == '\t' || before.front() == '$'))
    before.remove_prefix(1);
  const std::size_t blank = before.find_last_of(" \t") + 1;  // npos + 1 is 0
  std::string_view folder = before.substr(blank);
  const std::string_view program = before.substr(0, before.find_first_of(" \t"));
  const bool called = blank == 0 ? folder.starts_with("./") : program == "sbatch" || program == "bash";
  if (folder.starts_with("./")) folder.remove_prefix(2);
  if (!called || (!folder.empty() && !folder.ends_with('/'))) return false;
  const std::string whole = std::string(folder) + std::string(script);
  return path == whole || path.ends_with("/" + whole);
}

/// `sbatch run.sh --prompt="The movie was"`: a text in quotes with a blank in it behind the script.
bool gives_blanks(std::string_view line, std::string_view script, std::string_view path) {
  const std::size_t at = line.find(script);
  if (at == line.npos || contains(line, "`") || !calls(line.substr(0, at), script, path)) return false;
  const std::string_view rest = line.substr(at + script.size());
  const std::size_t open = rest.find_first_of("\"'");
  if (open == rest.npos || rest.substr(0, open).find_first_of("#|;&>") != rest.npos) return false;
  const std::size_t end = rest.find(rest[open], open + 1);
  return end != rest.npos && trim(rest.substr(open + 1, end - open - 1)).find(' ') != rest.npos;
}

}  // namespace

void find_split_arguments(const Inputs& inputs, std::vector<Finding>& findings) {
  std::optional<InputNames> names;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const auto file = static_cast<FileId>(i);
    const std::string_view text = inputs.sources.file(file).text();
    if (!begins_with_shell(text) || (!contains(text, "$*") && !contains(text, "$@"))) continue;
    const std::optional<Span> where = handed_on(file, text);
    if (!where) continue;
    const std::string_view path = inputs.files[i].context.path;
    const std::string_view name = last_part(path);
    if (!names) names.emplace(inputs);
    if (names->called(name).size() != 1) continue;
    std::optional<Span> call;
    names->of_some_text([&](std::size_t k, std::string_view prose) {
      if (language_of(inputs.files[k].context.path) != Language::Prose) return false;
      return some_line_with(prose, name, [&](std::string_view line) {
        const std::string_view whole = with_next_lines(prose, line);
        if (gives_blanks(whole, name, path)) call = span_of_part(static_cast<FileId>(k), prose, trim(whole));
        return call.has_value();
      });
    });
    if (!call) continue;
    findings.push_back(
        problem("script-arguments-split", *where,
                "without quotes an argument is split at its blanks, and the guide gives one with blanks"));
    findings.back().related.push_back({*call, "here"});
  }
}

}  // namespace muster
