#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"

namespace muster {

/// A piece of a word of a shell script. Places are offsets in the text that was read.
struct ShellPart {
  enum class Kind {
    Text,        ///< `text` as the command gets it, quotes resolved; byte i of it stands at `offset` + i
    Variable,    ///< `text` is its name, `rest` what stands behind it in braces: `:-8`, `[@]`
    Command,     ///< `text` is what stands within $( ) or backquotes
    Arithmetic,  ///< `text` is what stands within $(( ))
    Evaluated,   ///< a mark of somebody who evaluated the text before: `text` is what stands within
  };
  Kind kind = Kind::Text;
  std::string text;
  std::string rest;
  bool quoted = false;  ///< not split at blanks
  std::uint32_t offset = 0;
};

struct ShellWord {
  std::vector<ShellPart> parts;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::vector<ShellWord> items;  ///< of NAME=(...): this word is `NAME=` then
};

/// A simple command: words up to an operator or the end of the line, without redirections.
struct ShellCommand {
  std::vector<ShellWord> words;
  bool branch = false;         ///< within if or case, or behind || or &&: it may not run
  bool loop = false;           ///< within for, while or until
  bool function = false;       ///< in the body of a function
  bool subshell = false;       ///< within ( ), or part of a pipeline: what it ends is a shell of its own
  bool background = false;     ///< ends with &
  bool here_document = false;  ///< a here-document is its input; its lines are left out
};

/// What frames a text that was evaluated already, where one script holds another (`bash -c "..."`).
inline constexpr char kEvaluatedBegin = '\x01';
inline constexpr char kEvaluatedEnd = '\x02';

/// How many commands of a script are read; where there are so many, there may be more.
inline constexpr std::size_t kMostShellCommands = 20'000;

/// The commands of a script for sh or bash, in their order; nothing is evaluated or run. Comments, here-documents and
/// redirections are left out. Linear in the text; what it does not understand gives fewer commands, never an error.
/// Source: POSIX.1-2017, XCU 2 Shell Command Language; the manual of bash 5.2.
std::vector<ShellCommand> read_shell(std::string_view text);

/// The text of a word without variables in it; empty: it has some.
inline std::string_view plain_text(const ShellWord& word) {
  if (word.parts.size() != 1 || word.parts[0].kind != ShellPart::Kind::Text || !word.items.empty()) return {};
  return word.parts[0].text;
}

/// The parts of a word without the empty texts that quotes leave.
inline std::vector<const ShellPart*> written_parts(const ShellWord& word) {
  std::vector<const ShellPart*> out;
  for (const ShellPart& part : word.parts) {
    if (part.kind != ShellPart::Kind::Text || !part.text.empty()) out.push_back(&part);
  }
  return out;
}

/// Whether it runs come what may, in the shell of the script itself.
inline bool surely_runs(const ShellCommand& command) {
  return !command.branch && !command.loop && !command.function && !command.background && !command.subshell;
}

/// Whether nothing that follows runs: `exit`, or `exec` with a program, come what may.
bool ends_script(const ShellCommand& command);

/// A whole name of a variable.
inline bool is_shell_name(std::string_view text) {
  return !text.empty() && !is_digit(text.front()) && std::ranges::all_of(text, is_word_char);
}

/// `NAME` of a word that is an assignment, `NAME=...`; empty for others.
std::string_view assigned_name(const ShellWord& word);

}  // namespace muster
