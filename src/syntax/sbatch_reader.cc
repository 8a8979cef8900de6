#include "syntax/sbatch_reader.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "syntax/sbatch_options.h"

namespace muster {
namespace {

constexpr std::size_t kMostArguments = 4096;  // bytes of one command that are read

struct Word {
  std::string text;
  std::size_t begin;
  std::size_t end;
  std::size_t lost = 0;  ///< bytes of the comment that begins within it and has no blank
};

/// The second `#` of `#NAME#` at `at`; npos where there is something else.
std::size_t end_of_mark(std::string_view line, std::size_t at) {
  const std::size_t end = line.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", at + 1);
  return end != line.npos && end > at + 1 && line[end] == '#' ? end : line.npos;
}

/// The length of a comment of one word, `#image:tag`; 0: it has more, or none, or is something to fill in, `#{name}`.
std::size_t one_word(std::string_view comment) {
  comment = trim(comment);
  if (comment.starts_with("#{") || comment.ends_with('#')) return 0;
  return comment.size() > 1 && comment.find_first_of(" \t") == comment.npos ? comment.size() : 0;
}

/// Words of a directive, quotes and backslashes resolved; a `#` outside quotes begins a comment, within a word, too.
/// Source: SchedMD/slurm:src/sbatch/opt.c, _get_argument; but `<your partition>` and `#TIMELIMIT#` (JUBE) are one word:
/// nobody submits that yet.
std::vector<Word> shell_words(std::string_view line, std::size_t at, char& open_quote) {
  std::vector<Word> words;
  while (at < line.size()) {
    if (line[at] == ' ' || line[at] == '\t' || line[at] == '\r') {
      ++at;
      continue;
    }
    Word word{"", at, at};
    char quote = 0;
    for (; at < line.size(); ++at) {
      const char c = line[at];
      const bool begins = quote == 0 && (word.text.empty() || word.text.back() == '=');
      const std::size_t filled_in = !begins    ? line.npos
                                    : c == '<' ? line.find('>', at)
                                    : c == '#' ? end_of_mark(line, at)
                                               : line.npos;
      if (quote == 0 && (c == ' ' || c == '\t' || c == '\r' || (c == '#' && filled_in == line.npos))) break;
      if (filled_in != line.npos) {
        word.text += line.substr(at, filled_in + 1 - at);
        at = filled_in;
      } else if (quote == 0 && (c == '"' || c == '\'')) {
        quote = c;
      } else if (c == quote) {
        quote = 0;
      } else if (c == '\\') {
        if (at + 1 < line.size()) word.text += line[++at];
      } else {
        word.text += c;
      }
    }
    word.end = at;
    if (at > word.begin && at < line.size() && line[at] == '#') word.lost = one_word(line.substr(at));
    open_quote = quote;
    if (word.end > word.begin && line.substr(word.begin) != "\\") words.push_back(std::move(word));
    if (at < line.size() && line[at] == '#') break;
  }
  return words;
}

class DirectiveParser {
 public:
  DirectiveParser(FileId file, std::uint32_t offset, std::vector<Word> words, SbatchDirective& out)
      : file_(file), offset_(offset), words_(std::move(words)), out_(out) {}

  void run() {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::string& text = words_[i].text;
      if (equals_ignoring_case(text, "hetjob") || equals_ignoring_case(text, "packjob")) {
        out_.component = true;
      } else if (text.starts_with("--") && text.size() > 2) {
        long_option(i);
      } else if (text.starts_with('-') && text.size() > 1) {
        short_option(i);
      } else if (text == "..." || text == "\xE2\x80\xA6") {
        return;  // a text for people leaves the rest out
      } else {
        out_.rest += (out_.rest.empty() ? "" : " ") + text;
        if (to_script_) return;
      }
    }
  }

  /// Ends at the first word that is no option.
  DirectiveParser& to_script() {
    to_script_ = true;
    return *this;
  }

 private:
  Span span(std::size_t begin, std::size_t end) const {
    return {file_, offset_ + static_cast<std::uint32_t>(begin), offset_ + static_cast<std::uint32_t>(end)};
  }

  void long_option(std::size_t& i) {
    const Word& word = words_[i];
    const std::size_t equals = word.text.find('=');
    const std::string name = word.text.substr(2, equals == std::string::npos ? equals : equals - 2);
    const SbatchOptionName* option = find_sbatch_option(name);
    SbatchOption read{option == nullptr ? name : std::string(option->meant()), std::nullopt, span(word.begin, word.end),
                      span(word.begin, word.end), option != nullptr};
    if (equals != std::string::npos) {
      read.value = word.text.substr(equals + 1);
      // The place of the value is exact where the word is written without quotes.
      const std::size_t head = word.end - word.begin == word.text.size() ? equals + 1 : 0;
      read.value_where = span(word.begin + head, word.end);
      if (word.lost > 0) read.cut = span(word.end, word.end + word.lost);
    } else if (option != nullptr ? option->arg == SbatchArg::Required : is_value(i + 1)) {
      take_next(i, read);  // options of SPANK plugins take values, too
    }
    out_.options.push_back(std::move(read));
  }

  bool is_value(std::size_t i) const { return i < words_.size() && !words_[i].text.starts_with('-'); }

  /// -N4, -N 4, or letters without values in a row such as -Hv.
  void short_option(std::size_t& i) {
    const Word word = words_[i];
    for (std::size_t at = 1; at < word.text.size(); ++at) {
      const SbatchOptionName* option = find_sbatch_letter(word.text[at]);
      SbatchOption read{option == nullptr ? word.text.substr(at, 1) : std::string(option->name), std::nullopt,
                        span(word.begin, word.end), span(word.begin, word.end), option != nullptr};
      const bool value_here = option != nullptr && option->arg != SbatchArg::None && at + 1 < word.text.size();
      if (value_here) {
        read.value = word.text.substr(at + 1);
        if (word.end - word.begin == word.text.size()) read.value_where = span(word.begin + at + 1, word.end);
      } else if (option != nullptr && option->arg == SbatchArg::Required) {
        take_next(i, read);
      }
      out_.options.push_back(std::move(read));
      if (value_here || option == nullptr || option->arg == SbatchArg::Required) return;
    }
  }

  void take_next(std::size_t& i, SbatchOption& option) {
    if (i + 1 >= words_.size()) return;
    ++i;
    option.value = words_[i].text;
    option.value_where = span(words_[i].begin, words_[i].end);
    if (words_[i].lost > 0) option.cut = span(words_[i].end, words_[i].end + words_[i].lost);
    option.where.end = option.value_where.end;
  }

  FileId file_;
  std::uint32_t offset_;
  std::vector<Word> words_;
  SbatchDirective& out_;
  bool to_script_ = false;
};

constexpr std::string_view kMark = "#SBATCH";

bool is_directive(std::string_view line) {
  return line.starts_with(kMark) && line.size() > kMark.size() &&
         (line[kMark.size()] == ' ' || line[kMark.size()] == '\t');
}

/// `# SBATCH --nodes=2`, which is a comment, and `SBATCH --nodes=2`, which is a command that nobody has.
bool is_amiss(std::string_view line) {
  const bool comment = line.starts_with("# ") || line.starts_with("#\t");
  if (comment) line = trim(line.substr(1));
  constexpr std::string_view kWord = "SBATCH";
  if (!line.starts_with(kWord)) return false;
  const std::string_view rest = line.substr(kWord.size());
  return rest.size() > 2 && (rest.front() == ' ' || rest.front() == '\t') && trim(rest).starts_with('-');
}

/// `#BATCH --mem=8G`, `#SBTACH`, `#SBATH`: a letter left out, swapped or replaced. One more letter, in front most of
/// all, is how people switch a directive off.
bool is_misspelt(std::string_view line) {
  constexpr std::string_view kWord = "SBATCH";
  if (!line.starts_with('#')) return false;
  const std::string_view word = line.substr(1, line.find_first_of(" \t") - 1);
  const std::string_view rest = line.substr(std::min(line.size(), word.size() + 1));
  const bool capitals = std::ranges::all_of(word, [](char c) { return c >= 'A' && c <= 'Z'; });
  if (word == kWord || rest.size() < 3 || !trim(rest).starts_with('-')) return false;
  if (!capitals) return equals_ignoring_case(word, kWord);
  std::size_t same = 0;
  while (same < std::min(word.size(), kWord.size()) && word[same] == kWord[same]) ++same;
  if (word.size() + 1 == kWord.size()) return word.substr(same) == kWord.substr(same + 1);
  if (word.size() != kWord.size() || same == 0) return false;
  const bool replaced = word.substr(same + 1) == kWord.substr(same + 1);
  const bool swapped = same + 1 < word.size() && word[same] == kWord[same + 1] && word[same + 1] == kWord[same] &&
                       word.substr(same + 2) == kWord.substr(same + 2);
  return replaced || swapped;
}

/// How a here-document ends.
struct HereEnd {
  std::string word;   ///< empty: there is none
  bool tabs = false;  ///< `<<-`: tabs may stand before it
  bool is(std::string_view line) const {
    while (tabs && line.starts_with('\t')) line.remove_prefix(1);
    return line == word;
  }
};

/// The end of the here-document a command opens (`<<EOF`, `<<-'EOF'`). Lines up to it are text for another program:
/// launchers write batch scripts that way.
HereEnd here_document_end(std::string_view command) {
  for (std::size_t at = command.find("<<"); at != command.npos; at = command.find("<<", at + 2)) {
    std::size_t begin = at + 2;
    if (begin < command.size() && command[begin] == '<') {  // <<< passes a word
      at = begin;
      continue;
    }
    const std::size_t arithmetic = command.rfind("((", at);
    if (arithmetic != command.npos && command.find("))", arithmetic) > at) continue;  // $((1 << bits))
    const bool tabs = begin < command.size() && command[begin] == '-';
    if (tabs) ++begin;
    while (begin < command.size() && command[begin] == ' ') ++begin;
    std::string word;
    for (; begin < command.size(); ++begin) {
      const char c = command[begin];
      if (c == '\'' || c == '"' || c == '\\') continue;
      if (std::string_view(" \t\r;&|<>()`").find(c) != std::string_view::npos) break;
      word += c;
    }
    const bool name = !word.empty() && (word[0] < '0' || word[0] > '9');  // `let x=1<<3` is arithmetic
    if (name) return {word, tabs};
  }
  return {};
}

/// The quote that a line leaves open, when `open` was open before it; 0 for none. Source: POSIX.1-2017, XCU 2.2
/// Quoting.
char open_quote_after(std::string_view line, char open) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (open == 0 && c == '#' && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t' || line[i - 1] == ';')) break;
    if (c == '\\' && open != '\'') {
      ++i;
    } else if (open == 0 && (c == '\'' || c == '"')) {
      open = c;
    } else if (c == open) {
      open = 0;
    }
  }
  return open;
}

/// Interpreters whose comments begin with `#`, so that directives can stand in them.
bool is_shebang(std::string_view line) {
  return line.starts_with("#!") && (contains(line, "sh") || contains(line, "python") || contains(line, "perl"));
}

/// `#/bin/bash`, `!/bin/bash`, `# !/bin/bash`: a sign is lost, or one too many.
bool is_broken_shebang(std::string_view line) {
  constexpr std::array<std::string_view, 6> kBegins{"#/bin/", "#/usr/bin/", "!/bin/", "!/usr/bin/", "# !/", "!#/"};
  return contains(line, "sh") &&
         std::ranges::any_of(kBegins, [&](std::string_view begin) { return line.starts_with(begin); });
}

/// Directives from the first line on, and then commands of a job: nobody wrote the line with `#!`.
bool lacks_shebang(std::string_view text) {
  constexpr std::array<std::string_view, 7> kCommands{"srun ",     "mpirun ", "python ",     "python3 ",
                                                      "torchrun ", "module ", "singularity "};
  if (!is_directive(text.substr(0, text.find('\n')))) return false;
  std::size_t directives = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    directives += is_directive(line) ? 1 : 0;
    if (line.empty() || line.front() == '#' || trim(line).empty()) continue;
    if (directives < 3) return false;
    if (std::ranges::any_of(kCommands, [&](std::string_view one) { return line.starts_with(one); })) return true;
  }
  return false;
}

}  // namespace

bool looks_like_sbatch(std::string_view text, bool named_so) {
  if (lacks_shebang(text)) return true;
  bool shebang = is_broken_shebang(text.substr(0, text.find('\n'))), directive = false;
  std::size_t amiss = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const bool comment = line.empty() || line.front() == '#' || trim(line).empty();
    if (!comment && !shebang) return false;
    shebang = shebang || is_shebang(line);
    directive = directive || is_directive(line);
    amiss += is_amiss(line) ? 1 : 0;
    if (shebang && (directive || amiss > (named_so ? 0 : 1))) return true;
    at = end + 1;
  }
  return false;
}

bool has_script_ending(std::string_view name) {
  constexpr std::array<std::string_view, 6> kEndings{".sh", ".sbatch", ".slurm", ".job", ".sl", ".bash"};
  return std::ranges::any_of(
      kEndings, [&](std::string_view ending) { return name.size() > ending.size() && name.ends_with(ending); });
}

std::string sbatch_arguments_at(std::string_view text, std::size_t at) {
  std::string out;
  char quote = 0;
  int open = 0;  // of $( )
  for (; at < text.size() && out.size() < kMostArguments; ++at) {
    const char c = text[at];
    if (c == '\\' && at + 1 < text.size() && text[at + 1] == '\n') {
      out += ' ';
      ++at;
      // Within comments the next line begins with a mark of its own.
      const std::size_t next = text.find_first_not_of(" \t", at + 1);
      if (next != text.npos && text[next] == '#') at = next;
      continue;
    }
    if (c == '\n') break;
    if (c == '(' && out.ends_with('$')) ++open;
    const bool closes = c == ')' && open > 0;
    open -= closes ? 1 : 0;
    if (quote == 0 && open == 0 && !closes && std::string_view(";|&)`<>").find(c) != std::string_view::npos) break;
    if (quote == 0 && c == '#' && !out.empty() && is_white(out.back())) break;
    if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    }
    out += c;
  }
  return out;
}

SbatchDirective read_sbatch_arguments(std::string_view arguments) {
  SbatchDirective out;
  DirectiveParser(FileId{}, 0, shell_words(arguments, 0, out.open_quote), out).to_script().run();
  return out;
}

SbatchScript read_sbatch(FileId file, std::string_view text) {
  SbatchScript script;
  const std::string_view shebang = text.substr(0, text.find('\n'));
  script.shell = shebang.starts_with("#!") && contains(shebang, "sh");
  script.first_line = {file, 0, static_cast<std::uint32_t>(trim(shebang).size())};
  script.dos_lines = contains(text, "\r\n");
  script.broken_shebang = is_broken_shebang(shebang);
  script.lacks_shebang = lacks_shebang(text);
  script.shell = script.shell || script.broken_shebang || script.lacks_shebang;
  HereEnd here_end;
  char quote = 0;  // open since an earlier line: launchers write batch scripts from such texts, too
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    const auto offset = static_cast<std::uint32_t>(at);
    const std::string_view words = trim(line);
    const Span here{file, offset, offset + static_cast<std::uint32_t>(line.size())};
    const bool outside = here_end.word.empty() && quote == 0;
    if (at > 0 && !shebang.starts_with("#!") && !script.first_command && !script.late_shebang.placed() &&
        is_shebang(line)) {
      script.late_shebang = here;
      script.shell = contains(line, "sh");
    }
    if (outside && is_amiss(line) && (line.front() == 'S' || !script.first_command)) script.amiss.push_back(here);
    if (outside && !script.first_command && is_misspelt(line)) script.misspelt.push_back(here);
    if (!here_end.word.empty()) {
      if (here_end.is(line)) here_end = {};
    } else if (quote != 0) {
      quote = open_quote_after(line, quote);
    } else if (is_directive(line)) {
      SbatchDirective directive;
      directive.where = {file, offset, offset + static_cast<std::uint32_t>(trim(line).size())};
      directive.ignored = script.first_command.has_value();
      std::vector<Word> all = shell_words(line, kMark.size(), directive.open_quote);
      DirectiveParser(file, offset, std::move(all), directive).run();
      script.directives.push_back(std::move(directive));
    } else if (!words.empty() && words.front() != '#' && (at > 0 || !script.broken_shebang)) {
      const auto begin = offset + static_cast<std::uint32_t>(words.data() - line.data());
      const Span where{file, begin, begin + static_cast<std::uint32_t>(words.size())};
      if (!script.first_command) script.first_command = where;
      script.commands.push_back(where);
      here_end = here_document_end(words);
      if (script.shell && here_end.word.empty()) quote = open_quote_after(line, 0);
    }
    at = end + 1;
  }
  return script;
}

}  // namespace muster
