#include "syntax/sbatch_reader.h"

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::size_t kMostArguments = 4096;  // bytes of one command that are read

enum class Arg { None, Required, Optional };

struct Option {
  std::string_view name;
  char letter;
  Arg arg;
  std::string_view means;  ///< the option it is another name of; empty: itself

  std::string_view meant() const { return means.empty() ? name : means; }
};

// Options of sbatch 22.05 to 26.05. Sources: SchedMD/slurm:doc/man/man1/sbatch.1 at those releases; what the manual
// leaves out, src/common/slurm_opt.c, tried with sbatch 22.05.8.
constexpr std::array kOptions{
    Option{"account", 'A', Arg::Required},
    Option{"acctg-freq", 0, Arg::Required},
    Option{"array", 'a', Arg::Required},
    Option{"batch", 0, Arg::Required},
    Option{"bb", 0, Arg::Required},
    Option{"bbf", 0, Arg::Required},
    Option{"begin", 'b', Arg::Required},
    Option{"chdir", 'D', Arg::Required},
    Option{"cluster-constraint", 0, Arg::Required},
    Option{"cluster", 0, Arg::Required, "clusters"},
    Option{"clusters", 'M', Arg::Required},
    Option{"comment", 0, Arg::Required},
    Option{"consolidate-segments", 0, Arg::None},
    Option{"constraint", 'C', Arg::Required},
    Option{"container", 0, Arg::Required},
    Option{"container-id", 0, Arg::Required},
    Option{"context", 0, Arg::Required},
    Option{"contiguous", 0, Arg::None},
    Option{"core-spec", 'S', Arg::Required},
    Option{"cores-per-socket", 0, Arg::Required},
    Option{"cpu-freq", 0, Arg::Required},
    Option{"cpus-per-gpu", 0, Arg::Required},
    Option{"cpus-per-task", 'c', Arg::Required},
    Option{"deadline", 0, Arg::Required},
    Option{"delay-boot", 0, Arg::Required},
    Option{"dependency", 'd', Arg::Required},
    Option{"distribution", 'm', Arg::Required},
    Option{"error", 'e', Arg::Required},
    Option{"exclude", 'x', Arg::Required},
    Option{"exclusive", 0, Arg::Optional},
    Option{"export", 0, Arg::Required},
    Option{"export-file", 0, Arg::Required},
    Option{"extra", 0, Arg::Required},
    Option{"extra-node-info", 'B', Arg::Required},
    Option{"get-user-env", 0, Arg::Optional},
    Option{"gid", 0, Arg::Required},
    Option{"gpu-bind", 0, Arg::Required},
    Option{"gpu-freq", 0, Arg::Required},
    Option{"gpus", 'G', Arg::Required},
    Option{"gpus-per-node", 0, Arg::Required},
    Option{"gpus-per-socket", 0, Arg::Required},
    Option{"gpus-per-task", 0, Arg::Required},
    Option{"gres", 0, Arg::Required},
    Option{"gres-flags", 0, Arg::Required},
    Option{"help", 'h', Arg::None},
    Option{"hint", 0, Arg::Required},
    Option{"hold", 'H', Arg::None},
    Option{"ignore-pbs", 0, Arg::None},
    Option{"input", 'i', Arg::Required},
    Option{"job-name", 'J', Arg::Required},
    Option{"kill-on-invalid-dep", 0, Arg::Required},
    Option{"licenses", 'L', Arg::Required},
    Option{"mail-type", 0, Arg::Required},
    Option{"mail-user", 0, Arg::Required},
    Option{"mcs-label", 0, Arg::Required},
    Option{"mem", 0, Arg::Required},
    Option{"mem-bind", 0, Arg::Required},
    Option{"mem-per-cpu", 0, Arg::Required},
    Option{"mem-per-gpu", 0, Arg::Required},
    Option{"mincpus", 0, Arg::Required},
    Option{"network", 0, Arg::Required},
    Option{"nice", 0, Arg::Optional},
    Option{"no-kill", 'k', Arg::Optional},
    Option{"no-requeue", 0, Arg::None},
    Option{"nodefile", 'F', Arg::Required},
    Option{"nodelist", 'w', Arg::Required},
    Option{"nodes", 'N', Arg::Required},
    Option{"ntasks", 'n', Arg::Required},
    Option{"ntasks-per-core", 0, Arg::Required},
    Option{"ntasks-per-gpu", 0, Arg::Required},
    Option{"ntasks-per-node", 0, Arg::Required},
    Option{"ntasks-per-socket", 0, Arg::Required},
    Option{"ntasks-per-tres", 0, Arg::Required},
    Option{"oom-kill-step", 0, Arg::Optional},
    Option{"open-mode", 0, Arg::Required},
    Option{"output", 'o', Arg::Required},
    Option{"overcommit", 'O', Arg::None},
    Option{"oversubscribe", 's', Arg::None},
    Option{"parsable", 0, Arg::None},
    Option{"partition", 'p', Arg::Required},
    Option{"power", 0, Arg::Required},
    Option{"prefer", 0, Arg::Required},
    Option{"priority", 0, Arg::Required},
    Option{"profile", 0, Arg::Required},
    Option{"propagate", 0, Arg::Optional},
    Option{"qos", 'q', Arg::Required},
    Option{"quiet", 'Q', Arg::None},
    Option{"reboot", 0, Arg::None},
    Option{"requeue", 0, Arg::Optional},
    Option{"reservation", 0, Arg::Required},
    Option{"resv-ports", 0, Arg::Optional},
    Option{"segment", 0, Arg::Required},
    Option{"signal", 0, Arg::Required},
    Option{"sockets-per-node", 0, Arg::Required},
    Option{"spread-job", 0, Arg::None},
    Option{"spread-segments", 0, Arg::None},
    Option{"stepmgr", 0, Arg::None},
    Option{"switches", 0, Arg::Required},
    Option{"tasks-per-node", 0, Arg::Required, "ntasks-per-node"},
    Option{"test-only", 0, Arg::None},
    Option{"thread-spec", 0, Arg::Required},
    Option{"threads-per-core", 0, Arg::Required},
    Option{"time", 't', Arg::Required},
    Option{"time-min", 0, Arg::Required},
    Option{"tmp", 0, Arg::Required},
    Option{"tres-bind", 0, Arg::Required},
    Option{"tres-per-task", 0, Arg::Required},
    Option{"uid", 0, Arg::Required},
    Option{"usage", 0, Arg::None},
    Option{"use-min-nodes", 0, Arg::None},
    Option{"verbose", 'v', Arg::None},
    Option{"version", 'V', Arg::None},
    Option{"wait", 'W', Arg::None},
    Option{"wait-all-nodes", 0, Arg::Required},
    Option{"wckey", 0, Arg::Required},
    Option{"wrap", 0, Arg::Required},
};

/// The option of that name or of an unambiguous beginning of it, as getopt_long takes it.
const Option* find_option(std::string_view name) {
  const Option* found = nullptr;
  for (const Option& option : kOptions) {
    if (option.name == name) return &option;
    if (!option.name.starts_with(name)) continue;
    if (found != nullptr) return nullptr;
    found = &option;
  }
  return found;
}

const Option* find_letter(char letter) {
  const auto found = std::ranges::find(kOptions, letter, &Option::letter);
  return found == kOptions.end() || letter == 0 ? nullptr : &*found;
}

struct Word {
  std::string text;
  std::size_t begin;
  std::size_t end;
};

/// The second `#` of `#NAME#` at `at`; npos where there is something else.
std::size_t end_of_mark(std::string_view line, std::size_t at) {
  const std::size_t end = line.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", at + 1);
  return end != line.npos && end > at + 1 && line[end] == '#' ? end : line.npos;
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
      } else if (c == '\\' && at + 1 < line.size()) {
        word.text += line[++at];
      } else {
        word.text += c;
      }
    }
    word.end = at;
    open_quote = quote;
    if (word.end > word.begin) words.push_back(std::move(word));
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
    const Option* option = find_option(name);
    SbatchOption read{option == nullptr ? name : std::string(option->meant()), std::nullopt, span(word.begin, word.end),
                      span(word.begin, word.end), option != nullptr};
    if (equals != std::string::npos) {
      read.value = word.text.substr(equals + 1);
      // The place of the value is exact where the word is written without quotes.
      const std::size_t head = word.end - word.begin == word.text.size() ? equals + 1 : 0;
      read.value_where = span(word.begin + head, word.end);
    } else if (option != nullptr ? option->arg == Arg::Required : is_value(i + 1)) {
      take_next(i, read);  // options of SPANK plugins take values, too
    }
    out_.options.push_back(std::move(read));
  }

  bool is_value(std::size_t i) const { return i < words_.size() && !words_[i].text.starts_with('-'); }

  /// -N4, -N 4, or letters without values in a row such as -Hv.
  void short_option(std::size_t& i) {
    const Word word = words_[i];
    for (std::size_t at = 1; at < word.text.size(); ++at) {
      const Option* option = find_letter(word.text[at]);
      SbatchOption read{option == nullptr ? word.text.substr(at, 1) : std::string(option->name), std::nullopt,
                        span(word.begin, word.end), span(word.begin, word.end), option != nullptr};
      const bool value_here = option != nullptr && option->arg != Arg::None && at + 1 < word.text.size();
      if (value_here) {
        read.value = word.text.substr(at + 1);
        if (word.end - word.begin == word.text.size()) read.value_where = span(word.begin + at + 1, word.end);
      } else if (option != nullptr && option->arg == Arg::Required) {
        take_next(i, read);
      }
      out_.options.push_back(std::move(read));
      if (value_here || option == nullptr || option->arg == Arg::Required) return;
    }
  }

  void take_next(std::size_t& i, SbatchOption& option) {
    if (i + 1 >= words_.size()) return;
    ++i;
    option.value = words_[i].text;
    option.value_where = span(words_[i].begin, words_[i].end);
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
  if (!capitals || word == kWord || rest.size() < 3 || !trim(rest).starts_with('-')) return false;
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

}  // namespace

bool looks_like_sbatch(std::string_view text) {
  bool shebang = false, directive = false;
  std::size_t amiss = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const bool comment = line.empty() || line.front() == '#' || trim(line).empty();
    if (!comment && !shebang) return false;
    shebang = shebang || is_shebang(line);
    directive = directive || is_directive(line);
    amiss += is_amiss(line) ? 1 : 0;
    if (shebang && (directive || amiss > 1)) return true;
    at = end + 1;
  }
  return false;
}

std::string sbatch_arguments_at(std::string_view text, std::size_t at) {
  std::string out;
  char quote = 0;
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
    if (quote == 0 && std::string_view(";|&)`<>").find(c) != std::string_view::npos) break;
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
    } else if (!words.empty() && words.front() != '#') {
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
