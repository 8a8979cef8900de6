#include "slurm/batch_shell.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/capped.h"
#include "base/strings.h"
#include "slurm/given_arguments.h"
#include "syntax/shell_options.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {
namespace {

constexpr std::size_t kLongestValue = 16'384;
constexpr std::size_t kMostText = 4'000'000;  // of all values together
constexpr int kDeepestShell = 4;
constexpr std::size_t kLongestCalled = 100'000;

using Kind = ShellPart::Kind;
using Scope = std::map<std::string, std::optional<ShellValue>>;

std::string marked(char scope, std::string_view name) {
  std::string out(1, kEvaluatedBegin);
  out += scope;
  out += name.substr(0, 200);
  out += kEvaluatedEnd;
  return out;
}

constexpr std::array<std::string_view, 8> kMpiStarters{"mpirun", "mpiexec", "orterun",    "prterun",
                                                       "prun",   "jsrun",   "horovodrun", "mpiexec.hydra"};
constexpr std::array<std::string_view, 11> kOtherStarters{"ssh",  "pdsh",    "clush", "parallel",     "xargs", "dsh",
                                                          "pssh", "blaunch", "aprun", "parallel-ssh", "ray"};
constexpr std::array<std::string_view, 6> kShells{"bash", "sh", "zsh", "dash", "ksh", "eval"};
constexpr std::array<std::string_view, 6> kPrinters{"echo", "printf", "logger", "print", "log", "cat"};
constexpr std::array<std::string_view, 5> kDeclarers{"export", "declare", "local", "readonly", "typeset"};

class Walker {
 public:
  Walker(FileId file, const std::map<std::string, std::int64_t>& numbers, const CalledScripts& called)
      : file_(file), numbers_(numbers), called_(called) {}

  void walk(const ShellValue& text, Via via, std::size_t step, Scope& scope, int depth) {
    const std::vector<ShellCommand> commands = read_shell(text.text);
    body_.complete = body_.complete && commands.size() < kMostShellCommands;
    for (const ShellCommand& command : commands) {
      if (spent_ > kMostText || body_.commands.size() > kMostShellCommands) {
        body_.complete = false;
        return;
      }
      run(command, text, via, step, scope, depth);
      if (ends_script(command)) return;  // what follows never runs
    }
  }

  BatchBody take() { return std::move(body_); }

 private:
  Span span(const ShellValue& text, std::size_t begin, std::size_t end) const {
    return span_in(file_, text, begin, end);
  }

  void run(const ShellCommand& command, const ShellValue& text, Via via, std::size_t step, Scope& scope, int depth) {
    BatchCommand out;
    in_function_ = command.function;
    out.via = via;
    out.step = step;
    out.branch = command.branch || outer_.branch;
    out.loop = command.loop || outer_.loop;
    out.function = command.function || outer_.function;
    out.background = command.background || outer_.background;
    out.here_document = command.here_document;
    out.where = span(text, command.words.front().begin, command.words.back().end);
    std::size_t i = 0;
    std::vector<ScriptSetting> sets;
    for (; i < command.words.size(); ++i) {
      std::optional<ScriptSetting> set = assignment(command.words[i], text, scope, via);
      if (!set) break;
      set->branch = command.branch || command.loop || command.function;
      sets.push_back(std::move(*set));
    }
    const std::size_t first_word = i;
    for (; i < command.words.size(); ++i) {
      for (ShellValue& value : expand(command.words[i], text, scope, via)) out.words.push_back(std::move(value));
    }
    const std::string name = out.words.empty() ? "" : out.words.front().text;
    note_reads(command, text, name, via);
    if (out.words.empty()) {
      for (ScriptSetting& set : sets) assign(std::move(set), scope);
      return;
    }
    for (ScriptSetting& set : sets) {
      out.sets.emplace_back(set.name, set.value);
      set.prefix = true;
      body_.settings.push_back(std::move(set));
    }
    if (is_one_of(name, kDeclarers)) declare(command, first_word, text, via, scope);
    forget(name, out, scope);
    if (name == "set") strictness(out);
    body_.commands.push_back(std::move(out));
    nested(body_.commands.size() - 1, scope, depth);
  }

  /// `NAME=value` or `NAME+=value`.
  std::optional<ScriptSetting> assignment(const ShellWord& word, const ShellValue& text, Scope& scope, Via via) {
    if (word.parts.empty() || word.parts.front().kind != Kind::Text || word.parts.front().quoted) return std::nullopt;
    const std::string& head = word.parts.front().text;
    const std::size_t equals = head.find('=');
    if (equals == head.npos || equals == 0) return std::nullopt;
    const bool append = head[equals - 1] == '+';
    const std::string_view name = std::string_view(head).substr(0, equals - (append ? 1 : 0));
    if (!is_shell_name(name)) return std::nullopt;
    ScriptSetting set;
    set.name = name;
    set.via = via;
    set.where = span(text, word.begin, word.end);
    if (word.items.empty()) {
      ShellWord rest = word;
      rest.parts.front().text.erase(0, equals + 1);
      rest.parts.front().offset += static_cast<std::uint32_t>(equals + 1);
      for (ShellPart& part : rest.parts) part.quoted = true;
      std::vector<ShellValue> values = expand(rest, text, scope, via);
      if (!values.empty()) set.value = std::move(values.front());
    } else {
      for (const ShellWord& item : word.items) {
        for (ShellValue& value : expand(item, text, scope, via)) {
          if (!set.value.text.empty()) append_text(set.value, " ", value.at.empty() ? 0 : value.at.front());
          append_value(set.value, value);
        }
      }
    }
    if (append) {
      const auto before = scope.find(set.name);
      const bool copied = before != scope.end() && before->second && spent_ <= kMostText;
      ShellValue joined = copied ? *before->second : unknown(set.name, via, 0);
      if (!word.items.empty()) append_text(joined, " ", 0);
      append_value(joined, set.value);
      spent_ += joined.text.size();
      set.value = std::move(joined);
    }
    return set;
  }

  void assign(ScriptSetting set, Scope& scope) {
    spent_ += set.value.text.size();
    if (set.value.text.size() > kLongestValue) {
      scope[set.name] = std::nullopt;
    } else if (set.branch) {
      scope[set.name] = lengthened(set, scope);
    } else {
      scope[set.name] = set.value;
    }
    body_.settings.push_back(std::move(set));
  }

  /// `ARGS="$ARGS --more"` in a condition or loop: what stood there before still does, and nobody knows what follows.
  std::optional<ShellValue> lengthened(const ScriptSetting& set, const Scope& scope) const {
    const auto before = scope.find(set.name);
    if (before == scope.end() || !before->second || before->second->text.empty()) return std::nullopt;
    const std::string& text = before->second->text;
    const std::string_view now = set.value.text;
    if (!now.starts_with(text) || (now.size() > text.size() && now[text.size()] != ' ')) return std::nullopt;
    if (text.ends_with(marked('b', "?" + set.name)) || text.ends_with(marked('t', "?" + set.name)))
      return *before->second;
    ShellValue value = *before->second;
    const std::uint32_t at = value.at.empty() ? 0 : value.at.back();
    append_text(value, " ", at);
    append_value(value, unknown("?" + set.name, set.via, at));
    return value;
  }

  void declare(const ShellCommand& command, std::size_t first_word, const ShellValue& text, Via via, Scope& scope) {
    const std::vector<ShellPart>& first = command.words[first_word].parts;
    bool exports = !first.empty() && first.front().text == "export";
    for (std::size_t i = first_word + 1; i < command.words.size(); ++i) {
      std::optional<ScriptSetting> set = assignment(command.words[i], text, scope, via);
      if (!set) {
        const std::vector<ShellPart>& parts = command.words[i].parts;
        const std::string_view word = parts.empty() ? std::string_view() : std::string_view(parts.front().text);
        if (word == "-f") body_.self_starting = true;
        if (word.starts_with('-') && contains(word, "x")) exports = true;
        if (exports && is_shell_name(word)) body_.exported.emplace(word);
        continue;
      }
      if (exports) body_.exported.insert(set->name);
      set->branch = command.branch || command.loop || command.function;
      assign(std::move(*set), scope);
    }
  }

  /// What loops and read put into variables nobody knows.
  static void forget(std::string_view name, const BatchCommand& command, Scope& scope) {
    constexpr std::array<std::string_view, 7> kFillers{"for",       "select",  "read", "mapfile",
                                                       "readarray", "getopts", "unset"};
    if (!is_one_of(name, kFillers)) return;
    for (std::size_t i = 1; i < command.words.size(); ++i) {
      if (!is_shell_name(command.words[i].text)) continue;
      scope[command.words[i].text] = std::nullopt;
      if (name == "for" || name == "select") return;
    }
  }

  void strictness(const BatchCommand& command) {
    std::vector<std::string_view> words{"set"};
    for (std::size_t i = 1; i < command.words.size(); ++i) words.push_back(command.words[i].text);
    if (option_set_in(words, 'u', "nounset") == true) body_.strict = true;
    if (option_set_in(words, 'a', "allexport") == true) body_.exports_all = true;
  }

  /// Texts that another shell is given as its script.
  void nested(std::size_t index, Scope& scope, int depth) {
    const BatchCommand& command = body_.commands[index];
    Via via = command.via;
    bool printed = false;
    for (std::size_t i = 0; i < command.words.size(); ++i) {
      const std::string_view word = program_name(command.words[i].text);
      if (i == 0) printed = is_one_of(word, kPrinters);
      if (printed) return;
      via = starter(word).value_or(via);
      const std::string mark = command.words[i].mark();
      if (i > 0 && via != Via::Shell && (mark == "0" || contains(mark, "BASH_SOURCE"))) body_.self_starting = true;
      const bool alone = i == 0 || via != Via::Shell;
      if (alone && contains(command.words[i].text, ".") && call(index, i, i, via, scope, depth)) return;
      if (!is_one_of(word, kShells)) continue;
      std::size_t script = i + 1;
      bool has_c = word == "eval";
      while (script < command.words.size() && command.words[script].text.starts_with('-')) {
        const std::string& option = command.words[script].text;
        has_c = has_c || (!option.starts_with("--") && option.ends_with('c'));
        ++script;
      }
      if (!has_c && script < command.words.size() && call(index, i, script, via, scope, depth)) return;
      if (!has_c || script >= command.words.size()) continue;
      body_.complete = body_.complete && depth < kDeepestShell;
      if (depth >= kDeepestShell) continue;
      ShellValue inner = command.words[script];
      for (std::size_t more = script + 1; word == "eval" && more < command.words.size(); ++more) {
        append_text(inner, " ", inner.at.empty() ? 0 : inner.at.back());
        append_value(inner, command.words[more]);
      }
      spent_ += inner.text.size();
      const std::size_t step = via == command.via ? command.step : index;
      for (const auto& [name, value] : scope) spent_ += 64 + (value ? value->text.size() : 0);
      Scope own = scope;
      const bool outer = std::exchange(own_zero_, own_zero_ && word == "eval");
      walk(inner, via, step, own, depth + 1);
      own_zero_ = outer;
      return;
    }
  }

  /// `srun bash train.sh`, `srun ./train.sh`: what the input's file of that name does, each of it at the word that
  /// calls it. False: there is no such file.
  bool call(std::size_t index, std::size_t shell, std::size_t script, Via via, const Scope& scope, int depth) {
    const BatchCommand& command = body_.commands[index];
    const ShellValue& path = command.words[script];
    if (!called_ || depth >= kDeepestShell || !path.known() || !path.text.ends_with("sh")) return false;
    // An option's value, or what another program is to do with the file.
    if (shell > 0 && command.words[shell - 1].text.starts_with('-') && command.words[shell - 1].text.size() == 2)
      return false;
    const std::string_view text = called_(path.text);
    if (text.empty() || text.size() > kLongestCalled) return false;
    body_.walked.insert(path.text);
    spent_ += text.size();
    for (const auto& [name, value] : scope) spent_ += 64 + (value ? value->text.size() : 0);
    ShellValue inner;
    append_text(inner, text, path.at.empty() ? command.where.begin : path.at.front());
    const std::size_t step = via == command.via ? command.step : index;
    const Outer outer = std::exchange(outer_, {command.branch, command.loop, command.function, command.background});
    const bool zero = std::exchange(own_zero_, false);
    const bool strict = body_.strict;
    Scope own = scope;
    give_arguments(command.words, script, text, own);
    walk(inner, via, step, own, depth + 1);
    body_.strict = strict;
    own_zero_ = zero;
    outer_ = outer;
    return true;
  }

  void note_reads(const ShellCommand& command, const ShellValue& text, std::string_view name, Via via) {
    const bool test = name == "[" || name == "[[" || name == "test" || name == ":";
    const bool printed = is_one_of(name, kPrinters);
    const auto note = [&](const ShellWord& word) {
      for (const ShellPart& part : word.parts) {
        if (part.kind == Kind::Text || part.kind == Kind::Evaluated) continue;
        const Span where = span(text, word.begin, word.end);
        if (part.kind == Kind::Variable) {
          const bool guarded = test || part.rest.starts_with(':') || part.rest.starts_with('-') ||
                               part.rest.starts_with('+') || part.rest.starts_with('=') || part.rest.starts_with('?');
          if (!part.text.empty()) body_.reads.push_back({part.text, guarded || command.branch, printed, via, where});
          note_within(part.rest, test || command.branch, printed, part.kind, via, where);
        } else {
          note_within(part.text, test || command.branch, printed, part.kind, via, where);
          for (std::string& sum : own_names_in_sum(part))
            body_.reads.push_back({std::move(sum), test || command.branch, printed, via, where});
        }
        if (own_zero_ && !test && !printed && !command.branch && asks_own_folder(part))
          body_.own_paths.push_back(where);
      }
    };
    for (const ShellWord& word : command.words) {
      note(word);
      for (const ShellWord& item : word.items) note(item);
    }
  }

  /// $(dirname "$0"), ${BASH_SOURCE[0]%/*}
  static bool asks_own_folder(const ShellPart& part) {
    const std::string_view text = part.text;
    if (part.kind == Kind::Variable)
      return (text == "0" || text == "BASH_SOURCE") && contains(part.rest, "%") && !part.rest.starts_with(':');
    if (part.kind != Kind::Command) return false;
    const bool own = contains(text, "$0") || contains(text, "${0}") || contains(text, "BASH_SOURCE");
    return own && contains(text, "dirname");
  }

  /// Variables of Slurm's in a text that is not taken apart.
  void note_within(std::string_view text, bool test, bool printed, Kind kind, Via via, Span where) {
    constexpr std::string_view kPrefix = "SLURM";
    for (std::size_t at = text.find(kPrefix); at != text.npos; at = text.find(kPrefix, at + 1)) {
      const std::size_t end =
          std::min(text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789", at), text.size());
      const bool marked = at > 0 && (text[at - 1] == '$' || text[at - 1] == '{');
      if (!marked && kind != Kind::Arithmetic) continue;
      const bool braced = marked && text[at - 1] == '{' && end < text.size();
      const bool guarded = test || (braced && contains(":-+=?", text.substr(end, 1)));
      body_.reads.push_back({std::string(text.substr(at, end - at)), guarded, printed, via, where});
    }
  }

  void append_text(ShellValue& value, std::string_view text, std::uint32_t at) const {
    value.text += text;
    value.at.resize(value.text.size(), at);
  }
  static void append_value(ShellValue& value, const ShellValue& more) {
    value.text += more.text;
    value.at.insert(value.at.end(), more.at.begin(), more.at.end());
  }
  ShellValue unknown(std::string_view name, Via via, std::uint32_t at) const {
    ShellValue value;
    append_text(value, marked(via == Via::Shell ? 'b' : 't', name), at);
    return value;
  }

  /// What a part that is no text becomes.
  ShellValue value_of(const ShellPart& part, std::uint32_t at, const Scope& scope, Via via) const {
    switch (part.kind) {
      case Kind::Text: break;
      case Kind::Evaluated: {
        ShellValue value;
        append_text(value, std::string(1, kEvaluatedBegin) + part.text.substr(0, 400) + kEvaluatedEnd, at);
        return value;
      }
      case Kind::Command: return unknown("$(" + std::string(trim(part.text)) + ")", via, at);
      case Kind::Arithmetic: {
        if (const std::optional<std::int64_t> number = arithmetic(part.text, scope)) {
          ShellValue value;
          append_text(value, std::to_string(*number), at);
          return value;
        }
        return unknown("$((" + part.text + "))", via, at);
      }
      case Kind::Variable: {
        const auto found = scope.find(part.text);
        const bool whole = part.rest.empty() || part.rest == "[@]" || part.rest == "[*]";
        if (found == scope.end() || (in_function_ && part.text > "0" && part.text <= "9")) {
          // A default stands in for what nobody set, but the caller may set it.
          return unknown(whole || part.text.starts_with("SLURM") ? part.text : part.text + part.rest, via, at);
        }
        const bool defaulted = part.rest.starts_with(":-") || part.rest.starts_with('-');
        const bool takes_it = whole || (defaulted && found->second && !found->second->text.empty());
        if (found->second && takes_it && spent_ <= kMostText) return *found->second;
        return unknown("?" + part.text, via, at);
      }
    }
    return {};
  }

  /// A product of numbers and variables, or a quotient of two of them.
  std::optional<std::int64_t> arithmetic(std::string_view text, const Scope& scope) const {
    if (const std::size_t slash = text.find('/'); slash != text.npos) {
      const std::optional<std::int64_t> whole = product_of(text.substr(0, slash), scope);
      const std::optional<std::int64_t> parts = whole ? product_of(text.substr(slash + 1), scope) : std::nullopt;
      return parts && *parts > 0 ? std::optional(*whole / *parts) : std::nullopt;
    }
    return product_of(text, scope);
  }

  std::optional<std::int64_t> product_of(std::string_view text, const Scope& scope) const {
    std::int64_t product = 1;
    for (std::string_view factor : split(text, '*')) {
      factor = trim(factor);
      if (factor.starts_with('$')) factor.remove_prefix(1);
      if (factor.starts_with('{') && factor.ends_with('}')) factor = factor.substr(1, factor.size() - 2);
      std::optional<std::int64_t> number = parse_int(factor);
      if (!number && is_shell_name(factor)) {
        const auto found = scope.find(std::string(factor));
        if (found != scope.end() && found->second) {
          number = number_of(*found->second, numbers_);
        } else if (found == scope.end()) {
          const auto slurm = numbers_.find(std::string(factor));
          if (slurm != numbers_.end()) number = slurm->second;
        }
      }
      if (!number) return std::nullopt;
      product = multiply_capped(product, *number);
    }
    return product;
  }

  std::vector<ShellValue> expand(const ShellWord& word, const ShellValue& text, const Scope& scope, Via via) {
    std::vector<ShellValue> out;
    ShellValue current;
    bool begun = word.parts.empty() && word.begin < word.end;
    for (const ShellPart& part : word.parts) {
      if (part.kind == Kind::Text) {
        for (std::size_t i = 0; i < part.text.size(); ++i)
          append_text(current, part.text.substr(i, 1), place(text, part.offset + i));
        begun = begun || part.quoted || !part.text.empty();
        spent_ += part.text.size();
        continue;
      }
      const ShellValue value = value_of(part, place(text, part.offset), scope, via);
      spent_ += value.text.size();
      const bool split_here = !part.quoted || part.rest == "[@]";
      if (!split_here) {
        append_value(current, value);
        begun = true;
        continue;
      }
      bool in_mark = false;
      for (std::size_t i = 0; i < value.text.size(); ++i) {
        const char c = value.text[i];
        if (c == kEvaluatedBegin) in_mark = true;
        if (c == kEvaluatedEnd) in_mark = false;
        if (!in_mark && (c == ' ' || c == '\t' || c == '\n')) {
          if (begun) out.push_back(std::move(current));
          current = {};
          begun = false;
          continue;
        }
        append_text(current, value.text.substr(i, 1), value.at[i]);
        begun = true;
      }
    }
    if (begun) out.push_back(std::move(current));
    return out;
  }

  static std::uint32_t place(const ShellValue& text, std::size_t offset) {
    if (text.at.empty()) return static_cast<std::uint32_t>(offset);  // the script itself
    return text.at[std::min(offset, text.at.size() - 1)];
  }

  bool in_function_ = false;  ///< its $1 is what the function is given
  /// Where the call of a script stands.
  struct Outer {
    bool branch = false;
    bool loop = false;
    bool function = false;
    bool background = false;
  };

  FileId file_;
  const std::map<std::string, std::int64_t>& numbers_;
  const CalledScripts& called_;
  Outer outer_;
  BatchBody body_;
  std::size_t spent_ = 0;
  bool own_zero_ = true;  ///< $0 is the script: within `bash -c` it is that shell
};

}  // namespace

BatchBody walk_batch_script(FileId file, std::string_view text, const std::map<std::string, std::int64_t>& numbers,
                            const CalledScripts& called) {
  Walker walker(file, numbers, called);
  Scope scope;
  ShellValue script;
  script.text = text;
  walker.walk(script, Via::Shell, 0, scope, 0);
  return walker.take();
}

std::string_view program_name(std::string_view word) { return word.substr(word.rfind('/') + 1); }

std::optional<Via> starter(std::string_view program) {
  if (program == "srun") return Via::Srun;
  if (is_one_of(program, kMpiStarters)) return Via::Mpi;
  if (is_one_of(program, kOtherStarters)) return Via::Other;
  return std::nullopt;
}

}  // namespace muster::sbatch
