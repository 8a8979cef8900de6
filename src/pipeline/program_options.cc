#include "pipeline/program_options.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::string_view kAdds = "add_argument";
constexpr std::size_t kMostProgram = 200'000;  // letters
constexpr std::size_t kMostCall = 5'000;

bool has_some(std::string_view text, const auto& words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return contains(text, word); });
}

/// A program that may parse in ways that its words do not tell: other parsers, parts of one, or arguments of its own.
bool parses_otherwise(std::string_view program) {
  constexpr std::array<std::string_view, 19> kOther{
      "parse_known",          "add_subparsers", "parents=",  "prefix_chars",     "REMAINDER", "sys.argv",
      "jsonargparse",         "configargparse", "ConfigArg", "HfArgumentParser", "exec(",     "_actions",
      "class ArgumentParser", "\"...\"",        "'...'",     "\"A...\"",         "'A...'",    ".PARSER",
      "nargs=PARSER"};
  return has_some(program, kOther);
}

/// The words that begin a call, `"--lr", '-l'`, behind its bracket; nothing where something else begins it.
std::optional<std::vector<std::string>> leading_words(std::string_view call) {
  std::vector<std::string> out;
  for (;;) {
    const std::size_t begin = call.find_first_not_of(" \t\r\n");
    if (begin == call.npos || (call[begin] != '"' && call[begin] != '\'')) break;
    const std::size_t end = call.find(call[begin], begin + 1);
    if (end == call.npos) return std::nullopt;
    out.emplace_back(call.substr(begin + 1, end - begin - 1));
    call = trim(call.substr(end + 1));
    if (!call.starts_with(',')) {
      if (!call.starts_with(')')) return std::nullopt;  // `"--" + name`
      break;
    }
    call.remove_prefix(1);
  }
  return out.empty() ? std::nullopt : std::optional(out);
}

/// The program with blanks for its comments and for what stands within three quotes: nobody runs that.
std::string code_of(std::string_view program) {
  std::string out(program);
  char quote = '\0';
  bool three = false;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const char c = out[i];
    const bool thrice = (c == '"' || c == '\'') && program.substr(i).starts_with(std::string(3, c));
    if (quote == '\0' && c == '#') {
      for (; i < out.size() && out[i] != '\n'; ++i) out[i] = ' ';
    } else if (quote == '\0' && (c == '"' || c == '\'')) {
      quote = c;
      three = thrice;
      if (three) i += 2;
    } else if (quote != '\0' && c == quote && (!three || thrice)) {
      quote = '\0';
      if (three) i += 2;
    } else if (quote != '\0' && !three && c == '\n') {
      quote = '\0';  // it was none
    } else if (quote != '\0') {
      if (three && c != '\n') out[i] = ' ';
      if (c != '\\' || i + 1 >= out.size()) continue;
      ++i;
      if (three && out[i] != '\n') out[i] = ' ';
    }
  }
  return out;
}

/// Where the text in quotes ends that begins at a place, or the whole text does.
std::size_t end_of_quotes(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at;
}

/// Whether a call, without its brackets, has `required=True` as an argument of its own.
bool is_required(std::string_view call) {
  int depth = 0;
  for (std::size_t i = 0; i < call.size(); ++i) {
    const char c = call[i];
    if (c == '"' || c == '\'') {
      i = end_of_quotes(call, i);
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth == 0) {
      const std::string_view argument = trim(call.substr(i + 1, call.find(',', i + 1) - i - 1));
      const std::size_t sign = argument.find('=');
      if (sign != argument.npos && trim(argument.substr(0, sign)) == "required" &&
          trim(argument.substr(sign + 1)) == "True")
        return true;
    }
  }
  return false;
}

/// What stands within the brackets that are open at the beginning; nothing where they are not closed.
std::optional<std::string_view> within_brackets(std::string_view text) {
  int depth = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      i = end_of_quotes(text, i);
    } else if (c == '(') {
      ++depth;
    } else if (c == ')' && --depth == 0) {
      return text.substr(0, i);
    }
  }
  return std::nullopt;
}

/// NAME of the line `NAME = argparse.ArgumentParser(...)`; empty: it stands elsewhere.
std::string_view parser_name(std::string_view program, std::size_t at) {
  const std::size_t begin = program.rfind('\n', at) + 1;  // npos + 1 is 0
  const std::string_view line = trim(program.substr(begin, at - begin));
  const std::size_t sign = line.find('=');
  const std::string_view name = sign == line.npos ? std::string_view() : trim(line.substr(0, sign));
  const std::string_view behind = sign == line.npos ? std::string_view() : trim(line.substr(sign + 1));
  const bool plain = std::ranges::all_of(name, is_word_char) && (behind.empty() || behind == "argparse.");
  return plain ? name : std::string_view();
}

/// Names of the groups of a parser, `group = parser.add_argument_group(...)`, and whether each has one.
std::optional<std::vector<std::string_view>> groups_of(std::string_view program) {
  constexpr std::size_t kMostGroups = 100;
  std::vector<std::string_view> out;
  for (const std::string_view adds : {".add_argument_group(", ".add_mutually_exclusive_group("}) {
    for (std::size_t at = program.find(adds); at != program.npos; at = program.find(adds, at + 1)) {
      const std::size_t begin = program.rfind('\n', at) + 1;  // npos + 1 is 0
      const std::string_view line = program.substr(begin, at - begin);
      const std::size_t sign = line.find('=');
      const std::string_view name = sign == line.npos ? std::string_view() : trim(line.substr(0, sign));
      const bool plain = !name.empty() && std::ranges::all_of(name, is_word_char) && !contains(line, "(");
      if (!plain || out.size() == kMostGroups) return std::nullopt;
      if (std::ranges::find(out, name) == out.end()) out.push_back(name);
    }
  }
  return out;
}

/// Where parsers and groups of a program go. All its names share the places that are looked at: past them each is taken
/// for handed on.
class HandedParsers {
 public:
  explicit HandedParsers(std::string_view program) : program_(program) {
    for (std::size_t at = program.find(kDef); at != program.npos; at = program.find(kDef, at + 1)) defs_.push_back(at);
  }

  /// Whether it goes anywhere but into calls of its own methods and `return`: somebody else may add to it.
  bool is_handed_on(std::string_view name) {
    for (std::size_t at = program_.find(name); at != program_.npos; at = program_.find(name, at + 1)) {
      if (++places_ > kMostPlaces) return true;
      const std::size_t end = at + name.size();
      if ((at > 0 && (is_word_char(program_[at - 1]) || program_[at - 1] == '.')) ||
          (end < program_.size() && is_word_char(program_[end])))
        continue;
      std::string_view behind = program_.substr(end, kFar);
      behind = trim(behind.substr(0, behind.find('\n')));
      if (behind.starts_with('.')) continue;
      const bool made = contains(behind, "ArgumentParser(") || contains(behind, "_group(");
      if (behind.starts_with('=') && !behind.starts_with("==") && made) continue;
      std::string_view before = program_.substr(at - std::min(at, kFar), std::min(at, kFar));
      before = trim(before.substr(before.rfind('\n') + 1));  // npos + 1 is 0
      const bool words = contains(before, "#") || contains(before, "\"") || contains(before, "'");
      if (words) continue;
      if (before != "return" || !is_parsed_at_once(at)) return true;
    }
    return false;
  }

 private:
  static constexpr std::string_view kDef = "\ndef ";
  static constexpr int kMostPlaces = 20'000;
  static constexpr std::size_t kMostFunctions = 50;  // that give back one of them
  static constexpr std::size_t kFar = 500;           // of a longer line what is near

  /// Whether the function around a `return` is called for one thing alone: `build_parser().parse_args()`.
  bool is_parsed_at_once(std::size_t at) {
    const auto next = std::ranges::lower_bound(defs_, at);
    if (next == defs_.begin()) return false;
    const auto [known, fresh] = parsed_.try_emplace(*(next - 1), false);
    if (fresh && parsed_.size() <= kMostFunctions) known->second = is_called_to_parse(*(next - 1) + kDef.size());
    return known->second;
  }

  /// The function whose name stands there behind `def`.
  bool is_called_to_parse(std::size_t from) const {
    const std::string_view behind = program_.substr(from);
    const std::string call = std::string(behind.substr(0, behind.find('('))) + "(";
    for (std::size_t at = program_.find(call); at != program_.npos; at = program_.find(call, at + 1)) {
      if (at == from || (at > 0 && is_word_char(program_[at - 1]))) continue;
      if (!program_.substr(at + call.size()).starts_with(").parse_args(")) return false;
    }
    return true;
  }

  std::string_view program_;
  std::vector<std::size_t> defs_;       ///< where they begin
  std::map<std::size_t, bool> parsed_;  ///< of those
  int places_ = 0;
};

}  // namespace

ProgramOptions program_options(std::string_view program) {
  constexpr std::string_view kParser = "ArgumentParser(";
  ProgramOptions out;
  const std::size_t made = program.find(kParser);
  if (made == program.npos || program.size() > kMostProgram || program.find(kParser, made + 1) != program.npos ||
      !contains(program, "argparse") || parses_otherwise(program))
    return out;
  const std::string_view name = parser_name(program, made);
  const auto groups = groups_of(program);
  HandedParsers parsers(program);
  if (name.empty() || !groups || parsers.is_handed_on(name)) return out;
  if (std::ranges::any_of(*groups, [&](std::string_view group) { return parsers.is_handed_on(group); })) return out;
  const std::size_t parses = program.find(".parse_args(");
  if (parses == program.npos || program.find(".parse_args(", parses + 1) != program.npos) return out;
  // Also `def main(argv=None)`, whose caller may give it words of its own, but none where it runs the program.
  const std::string_view words = trim(program.substr(parses + 12, 100));
  const bool handed = (words.starts_with("argv)") && contains(program, "argv=None")) ||
                      (words.starts_with("args)") && contains(program, "args=None"));
  if (!words.starts_with(')') && !(handed && contains(program, "main()"))) return out;
  out.names = {"-h", "--help"};
  out.ends = out.names;
  const std::string code = code_of(program);
  for (std::size_t at = code.find(kAdds); at != code.npos; at = code.find(kAdds, at + 1)) {
    const std::string_view behind = std::string_view(code).substr(at + kAdds.size());
    if (behind.starts_with("_group(")) continue;
    if (!behind.starts_with('(') || at == 0 || code[at - 1] != '.') return out;
    const std::optional<std::string_view> brackets = within_brackets(behind.substr(1, kMostCall));
    const std::string_view call = brackets.value_or("");
    const auto names = leading_words(std::string(call) + ")");
    if (!brackets || !names || contains(call, "**") || contains(call, "\"\"\"") || contains(call, "'''")) return out;
    if (contains(call, "\"version\"") || contains(call, "'version'")) out.ends.insert(names->begin(), names->end());
    for (const std::string& word : *names) {
      out.names.insert(word);
      if (contains(call, "BooleanOptionalAction") && word.starts_with("--")) out.names.insert("--no-" + word.substr(2));
    }
    const bool option = std::ranges::all_of(*names, [](const std::string& word) { return word.starts_with('-'); });
    if (option && is_required(call)) out.required.push_back(*names);
  }
  out.known = out.names.size() > 2;
  return out;
}

void check_program_options(FileId file, const sbatch::BatchCommand& command, std::size_t at,
                           const ProgramOptions& options, std::vector<Finding>& findings) {
  constexpr std::array<std::string_view, 4> kNext{":", ";", "\\;", "+"};  // of srun, of find -exec
  std::set<std::string, std::less<>> given;
  bool open = false;
  std::size_t end = at + 1;
  for (; end < command.words.size(); ++end) {
    const std::string& word = command.words[end].text;
    if (options.ends.contains(word)) return;
    open = open || word.starts_with(":::");  // of parallel: words for each of its runs
    if (open || std::ranges::find(kNext, word) != kNext.end()) break;
  }
  // argparse takes what is the beginning of one option for that one.
  const auto begins = [&](std::string_view word) {
    const auto next = options.names.lower_bound(word);
    return next != options.names.end() && next->starts_with(word);
  };
  for (std::size_t i = at + 1; i < end; ++i) {
    const sbatch::ShellValue& word = command.words[i];
    if (word.text == "--") return;
    const std::string_view name = std::string_view(word.text).substr(0, word.text.find('='));
    open = open || !word.known();
    if (name.size() < 2 || name[0] != '-' || is_digit(name[1])) continue;
    if (name.find_first_of("\x01 \t\n{}<>[]\"'") != name.npos) continue;
    given.emplace(name);
    if (!name.starts_with("--") || name.size() < 4 || begins(name) || word.at.size() < name.size()) continue;
    std::vector<std::string_view> known(options.names.begin(), options.names.end());
    findings.push_back(problem("sbatch-program-option-unknown", sbatch::span_in(file, word, 0, name.size()),
                               "`" + std::string(sbatch::program_name(command.words[at].text)) + "` has no option `" +
                                   std::string(name) + "`" + did_you_mean(name, known)));
    return;
  }
  if (open) return;
  for (const std::vector<std::string>& names : options.required) {
    // Also `--data` for `--datadir`, and `-d3` for `-d`.
    const auto is_given = [&](const std::string& one) {
      return std::ranges::any_of(given, [&](const std::string& word) {
        // `-vf 3` is -v and -f, where -v takes nothing.
        const bool letters = !word.starts_with("--") && !one.starts_with("--") && one.size() == 2;
        return one == word ||
               (word.starts_with("--") ? one.starts_with(word) : letters && word.find(one[1], 1) != word.npos);
      });
    };
    if (std::ranges::any_of(names, is_given)) continue;
    const sbatch::ShellValue& program = command.words[at];
    findings.push_back(problem("sbatch-program-option-missing", sbatch::span_in(file, program, 0, program.at.size()),
                               "`" + std::string(sbatch::program_name(program.text)) + "` wants `" + names.front() +
                                   "`, and is not given it"));
    return;
  }
}

}  // namespace muster
