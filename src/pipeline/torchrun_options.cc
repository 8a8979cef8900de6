#include "pipeline/torchrun_options.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "syntax/shell_reader.h"
#include "syntax/torchrun_takes.h"

namespace muster {
namespace {

constexpr std::size_t kMostOptions = 60;        // of one command
constexpr std::size_t kMostTorchrunSaid = 100;  // findings of one input

// Of collectives, and of what starts the processes: each is written for a rendezvous now and then.
constexpr std::array<std::string_view, 9> kNoBackends{"env", "gloo",  "hccl", "mpi", "nccl",
                                                      "ray", "slurm", "tcp",  "ucc"};

/// Words of a command from a place in a text on: of a shell, whose lines go on behind `\`, or of lists, `- --nnodes=2`
/// or `"--nnodes=2",`.
class Words {
 public:
  enum class Of { Shell, List, Quoted };

  Words(std::string_view text, std::size_t at, Of form) : text_(text), at_(at), form_(form) {}

  /// The next; nullopt: the command ends, or only a reader of its whole form could tell.
  std::optional<std::string_view> next() {
    if (form_ == Of::Quoted) return in_quotes();
    if (form_ == Of::List) return of_list();
    skip_blanks();
    while (text_.substr(at_, 2) == "\\\n") {
      at_ += 2;
      skip_blanks();
    }
    const std::size_t end = std::min(text_.find_first_of(" \t\n\\", at_), text_.size());
    const std::string_view word = text_.substr(at_, end - at_);
    at_ = end;
    if (word.empty() || is_open(word)) return std::nullopt;
    return std::ranges::count(word, '"') % 2 != 0 || std::ranges::count(word, '\'') % 2 != 0 ? std::nullopt
                                                                                             : std::optional(word);
  }

 private:
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t\r", at_), text_.size()); }

  /// `"--nnodes=2", "train.py"]`, from the quote that ends the word before on.
  std::optional<std::string_view> in_quotes() {
    const char quote = text_[at_];
    const std::size_t begin = text_.find(quote, at_ + 1);
    if (begin == text_.npos || trim(text_.substr(at_ + 1, begin - at_ - 1)) != ",") return std::nullopt;
    const std::size_t end = text_.find(quote, begin + 1);
    if (end == text_.npos || contains(text_.substr(begin, end - begin), "\n")) return std::nullopt;
    at_ = end;
    return plain(text_.substr(begin + 1, end - begin - 1));
  }

  std::optional<std::string_view> of_list() {
    std::string_view line = "#";
    while (line.starts_with('#')) {
      const std::size_t begin = text_.find('\n', at_);
      if (begin == text_.npos) return std::nullopt;
      at_ = std::min(text_.find('\n', begin + 1), text_.size());
      line = trim(text_.substr(begin + 1, at_ - begin - 1));
    }
    if (!line.starts_with("- ")) return std::nullopt;
    line = trim(line.substr(2));
    if (line.size() > 1 && (line[0] == '"' || line[0] == '\'') && line.back() == line[0])
      line = line.substr(1, line.size() - 2);
    return plain(line);
  }

  static std::optional<std::string_view> plain(std::string_view word) {
    return word.empty() || is_open(word) ? std::nullopt : std::optional(word);
  }

  /// Whether more or fewer words may come of it, or it is no word of the command: behind `=` a variable is only its
  /// value.
  static bool is_open(std::string_view word) {
    const bool option = word.starts_with("--");
    if (contains(word, "{{") || contains(word, "{%") || contains(word, "$((") || contains(word, "$@")) return true;
    const std::string_view name = option ? word.substr(0, word.find('=')) : std::string_view();
    const std::string_view rest = option ? word.substr(name.size()) : word;
    if (name.find_first_of("$`{}<>|&;()\"'#%*") != name.npos) return true;
    return rest.find_first_of("`<>|&;#\r ") != rest.npos || (!option && rest.find_first_of("%*()") != rest.npos) ||
           std::ranges::count(rest, '(') != std::ranges::count(rest, ')');
  }

  std::string_view text_;
  std::size_t at_;
  Of form_;
};

bool is_torchrun(std::string_view word) { return word == "torchrun" || word.ends_with("/torchrun"); }

bool is_module(std::string_view word) { return word == "torch.distributed.run" || word == "torch.distributed.launch"; }

bool is_python(std::string_view word) { return word.substr(word.rfind('/') + 1).starts_with("python"); }

/// Programs that run what stands behind them and their options.
bool is_starter(std::string_view word) {
  constexpr std::array<std::string_view, 16> kStarters{"$",       "conda", "env",     "exec",    "mpirun", "nohup",
                                                       "numactl", "nsys",  "poetry",  "profile", "run",    "srun",
                                                       "sudo",    "time",  "timeout", "uv"};
  return std::ranges::find(kStarters, word) != kStarters.end();
}

/// The word of a command that is torchrun, if that is its program, and no argument of another: `--launcher torchrun`,
/// `pkill -f torchrun`.
const ShellWord* torchrun_in(const ShellCommand& command) {
  bool started = false;
  bool option = false;  // the word before: this one may be its value
  bool python = false;
  bool module = false;
  for (const ShellWord& word : command.words) {
    const std::string_view plain = plain_text(word);
    if (python) {
      if (module) return is_module(plain) ? &word : nullptr;
      module = plain == "-m";
      if (!module && plain != "-u") return nullptr;
    } else if (is_torchrun(plain)) {
      return option ? nullptr : &word;
    } else if (is_python(plain)) {
      if (option) return nullptr;
      python = true;
    } else if (is_starter(plain)) {
      started = true;
      option = false;
    } else if (plain.starts_with('-') && started) {
      option = !contains(plain, "=");
    } else if (assigned_name(word).empty() && !(started && (option || plain.empty()))) {
      return nullptr;
    } else {
      option = false;
    }
  }
  return nullptr;
}

/// A key of YAML whose text a shell or the kernel runs.
bool is_run(std::string_view key) {
  if (key.ends_with(".sh")) return true;
  switch (key.size()) {  // no two are as long: this is asked of every key
    case 3: return key == "run";
    case 4: return key == "args";
    case 5: return key == "setup";
    case 6: return key == "script";
    case 7: return key == "command";
    case 10: return key == "entrypoint";
    default: return false;
  }
}

/// `command` of `command: [a, b]`; empty: the line begins with no plain key.
std::string_view key_of(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == line.npos || (colon + 1 < line.size() && line[colon + 1] != ' ')) return {};
  std::string_view key = line.substr(0, colon);
  if (key.size() > 1 && key.front() == '"' && key.back() == '"') key = key.substr(1, key.size() - 2);
  return std::ranges::all_of(key, [](char c) { return is_word_char(c) || c == '-' || c == '.'; }) ? key
                                                                                                  : std::string_view();
}

/// Whether a line may begin what is run, or a block: most do not.
bool may_begin(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (line.find('|') != line.npos || line.find('>') != line.npos) return true;
  if (colon == line.npos || colon == 0) return false;
  const std::size_t end = line[colon - 1] == '"' || line[colon - 1] == '\'' ? colon - 1 : colon;
  std::size_t begin = end;
  while (begin > 0 && (is_word_char(line[begin - 1]) || line[begin - 1] == '.')) --begin;
  return is_run(line.substr(begin, end - begin));
}

bool is_of_torchrun(std::string_view text) {
  return contains(text, "torchrun") || contains(text, "torch.distributed.");
}

class TorchrunOptions {
 public:
  TorchrunOptions(FileId file, std::string_view text, std::vector<Finding>& findings)
      : file_(file), text_(text), findings_(findings) {}

  void script() { shell(text_, 0); }

  /// The documents of a YAML text that speak of torch.
  void manifest() {
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t end = end_of_document(at);
      if (contains(text_.substr(at, end - at), "torch")) document(at, end);
      at = end;
    }
  }

 private:
  /// Where the next one begins.
  std::size_t end_of_document(std::size_t at) const {
    constexpr std::string_view kNext = "\n---";
    for (at = find_part(text_, kNext, at); at != text_.npos; at = find_part(text_, kNext, at + 1)) {
      const std::string_view behind = text_.substr(at + kNext.size(), 1);
      if (behind.empty() || is_white(behind.front())) return at + 1;
    }
    return text_.size();
  }

  /// Its lines: each value or block of a key that is run.
  void document(std::size_t at, std::size_t stop_at) {
    run_ = false;
    while (at < stop_at) {
      const std::size_t begin = at;
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      at = end + 1;
      const std::string_view whole = text_.substr(begin, end - begin);
      if (!run_ && !may_begin(whole)) continue;
      std::string_view line = trim(whole);
      if (line.empty() || line.starts_with('#')) continue;
      const bool item = line.starts_with("- ");
      if (item) line = trim(line.substr(2));
      if (is_of_no_run(line, item)) {
        run_ = false;
        continue;
      }
      const std::string_view key = key_of(line);
      if (!key.empty()) {
        run_ = is_run(key);
        items_ = 0;
        line = trim(line.substr(line.find(':') + 1));
      } else if (!item) {
        run_ = false;
        continue;
      }
      if (opens_block(line)) {
        const std::size_t stop = end_of_block(at, offset(key.empty() ? trim(whole) : key, whole));
        if (run_) block(at, stop, line.starts_with('>'));
        at = stop;
      } else if (run_ && !line.empty()) {
        value(line, key.empty(), end);
      }
    }
  }

  /// Whether a line has a key that is not run and no block behind it. A key that is none, in an item, is its text.
  bool is_of_no_run(std::string_view line, bool item) const {
    const std::size_t colon = line.find(':');
    if (colon == line.npos || (colon + 1 < line.size() && line[colon + 1] != ' ')) return false;
    if (item && (run_ || opens_block(line))) return false;
    return !is_run(unquoted(line.substr(0, colon))) && !opens_block(trim(line.substr(colon + 1)));
  }

  static bool opens_block(std::string_view value) { return value.starts_with('|') || value.starts_with('>'); }

  static std::size_t offset(std::string_view part, std::string_view of) {
    return static_cast<std::size_t>(part.data() - of.data());
  }

  /// Behind the lines that stand deeper than the line of the key.
  std::size_t end_of_block(std::size_t at, std::size_t indent) const {
    while (at < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      const std::string_view line = text_.substr(at, end - at);
      const std::size_t own = line.find_first_not_of(" \r");
      if (own != line.npos && own <= indent) return at;
      at = std::min(end + 1, text_.size());
    }
    return at;
  }

  void block(std::size_t begin, std::size_t end, bool folded) {
    const std::string_view written = text_.substr(begin, end - begin);
    if (!is_of_torchrun(written)) return;
    if (!folded) return shell(written, begin);
    std::string text(written);
    std::ranges::replace(text, '\n', ' ');
    shell(text, begin);
  }

  /// `command: torchrun ...`, `command: ["torchrun", ...]`, or an item of a list, `- torchrun`.
  void value(std::string_view line, bool item, std::size_t end) {
    const std::size_t begin = offset(line, text_);
    if (item) {
      const std::string_view word = unquoted(line);
      const bool first = items_ == 0 && is_torchrun(word);
      const bool third = items_ == 2 && is_module(word) && before_ == "-m";
      if (first || third) command(text_, 0, end, Words::Of::List);
      before_ = items_ == 1 || is_python(word) ? word : std::string_view();
      ++items_;
    } else if (line.starts_with('[')) {
      const std::string_view list = trim(line.substr(1));
      const std::size_t quote = list.empty() ? list.npos : list.find(list[0], 1);
      if (quote != list.npos && is_torchrun(list.substr(1, quote - 1)) && (list[0] == '"' || list[0] == '\''))
        command(text_, 0, offset(list, text_) + quote, Words::Of::Quoted);
    } else if (contains(line, "torch")) {
      const bool quoted = line.size() > 1 && (line[0] == '"' || line[0] == '\'') && line.back() == line[0];
      shell(unquoted(line), begin + (quoted ? 1 : 0));
    }
  }

  static std::string_view unquoted(std::string_view word) {
    const bool quoted = word.size() > 1 && (word[0] == '"' || word[0] == '\'') && word.back() == word[0];
    return quoted ? word.substr(1, word.size() - 2) : word;
  }

  void shell(std::string_view text, std::size_t base) {
    for (const ShellCommand& one : read_shell(text)) {
      if (const ShellWord* word = torchrun_in(one)) command(text, base, word->end, Words::Of::Shell);
    }
  }

  /// The options of torchrun from a place in a text on, which stands at `base` of the file.
  void command(std::string_view text, std::size_t base, std::size_t at, Words::Of form) {
    if (said_ >= kMostTorchrunSaid) return;
    Words words(text, at, form);
    const auto place = [&](std::string_view word) { return text_.substr(base + offset(word, text), word.size()); };
    for (std::size_t n = 0; n < kMostOptions; ++n) {
      const std::optional<std::string_view> word = words.next();
      if (!word || !word->starts_with('-') || *word == "--") return;
      const std::size_t sign = word->find('=');
      const std::string_view name = word->substr(0, sign);
      const TorchrunTakes takes = torchrun_takes(name);
      if (takes == TorchrunTakes::Unknown) return unknown(place(*word), name);
      if (takes == TorchrunTakes::Nothing) continue;
      const std::optional<std::string_view> value =
          sign == word->npos ? words.next() : std::optional(word->substr(sign + 1));
      if (!value) return;
      if (name.starts_with("--rdzv-backend") || name.starts_with("--rdzv_backend")) backend(place(*value));
    }
  }

  void unknown(std::string_view word, std::string_view name) {
    if (name.size() < 2 || name.find_first_not_of('-') == name.npos || (!name.starts_with("--") && name.size() > 2))
      return;  // of one dash others speak
    report("torchrun-option-unknown", word, "torchrun has no option `" + std::string(name) + "`");
  }

  void backend(std::string_view value) {
    if (std::ranges::find(kNoBackends, value) == kNoBackends.end()) return;
    report("torchrun-backend-unknown", value, "`" + std::string(value) + "` is no rendezvous of torchrun");
  }

  void report(std::string_view rule, std::string_view at, std::string message) {
    ++said_;
    findings_.push_back(problem(rule, span_of_part(file_, text_, at), std::move(message)));
  }

  FileId file_;
  std::string_view text_;
  std::vector<Finding>& findings_;
  std::size_t said_ = 0;
  bool run_ = false;         ///< the key before is one that is run
  std::size_t items_ = 0;    ///< of its list, so far
  std::string_view before_;  ///< the last of them
};

bool is_manifest(std::string_view path) { return path.ends_with(".yaml") || path.ends_with(".yml"); }

bool is_script(std::string_view path, std::string_view text) {
  constexpr std::array<std::string_view, 6> kEndings{".sh", ".bash", ".job", ".slurm", ".sbatch", ".sub"};
  const std::string_view first = text.substr(0, text.find('\n'));
  return (first.starts_with("#!") && first.ends_with("sh")) ||
         std::ranges::any_of(kEndings, [&](std::string_view ending) { return path.ends_with(ending); });
}

}  // namespace

void find_torchrun_slips(const Inputs& inputs, std::vector<Finding>& findings) {
  const std::size_t before = findings.size();
  for (std::size_t i = 0; i < inputs.files.size() && findings.size() < before + kMostTorchrunSaid; ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    const std::string_view path = inputs.files[i].context.path;
    const bool manifest = is_manifest(path);
    if ((!manifest && !is_script(path, text)) || !is_of_torchrun(text)) continue;
    TorchrunOptions options(static_cast<FileId>(i), text, findings);
    if (manifest) {
      options.manifest();
    } else {
      options.script();
    }
  }
}

}  // namespace muster
