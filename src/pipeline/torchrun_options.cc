#include "pipeline/torchrun_options.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::size_t kMostOptions = 60;        // of one command
constexpr std::size_t kMostTorchrunSaid = 100;  // findings of one input

// Source: pytorch/pytorch:torch/distributed/run.py and launch.py (1.10 to 2.10). Also with `_` for `-`.
constexpr std::array<std::string_view, 25> kWithWords{"--duplicate-stderr-filters",
                                                      "--duplicate-stdout-filters",
                                                      "--event-log-handler",
                                                      "--local-addr",
                                                      "--local-ranks-filter",
                                                      "--log-dir",
                                                      "--log-line-prefix-template",
                                                      "--logs-specs",
                                                      "--master-addr",
                                                      "--master-port",
                                                      "--max-restarts",
                                                      "--monitor-interval",
                                                      "--nnodes",
                                                      "--node-rank",
                                                      "--nproc-per-node",
                                                      "--numa-binding",
                                                      "--rdzv-backend",
                                                      "--rdzv-conf",
                                                      "--rdzv-endpoint",
                                                      "--rdzv-id",
                                                      "--redirects",
                                                      "--role",
                                                      "--signals-to-handle",
                                                      "--start-method",
                                                      "--tee"};
constexpr std::array<std::string_view, 9> kAlone{
    "--enable-each-rank-log", "--help",  "--module", "--no-python", "--run-path", "--standalone", "--use-env",
    "--virtual-local-rank",   "--logdir"};
// Of collectives, and of what starts the processes: each is written for a rendezvous now and then.
constexpr std::array<std::string_view, 9> kNoBackends{"env", "gloo",  "hccl", "mpi", "nccl",
                                                      "ray", "slurm", "tcp",  "ucc"};

enum class Takes { Nothing, Word, Unknown };

/// As argparse looks for it: whole, or the beginning of one.
Takes takes_of(std::string_view name) {
  if (name == "-m" || name == "-h" || name == "-u") return Takes::Nothing;
  if (name == "-r" || name == "-t") return Takes::Word;
  if (!name.starts_with("--")) return Takes::Unknown;
  const bool underscores = contains(name, "_");
  std::string dashes(name);
  if (underscores && contains(name.substr(2), "-")) return Takes::Unknown;
  std::ranges::replace(dashes, '_', '-');
  const auto begins = [&](std::string_view option) { return option.starts_with(dashes); };
  if (std::ranges::any_of(kAlone, [&](std::string_view option) { return option == dashes; })) return Takes::Nothing;
  if (std::ranges::any_of(kWithWords, begins)) return Takes::Word;
  return std::ranges::any_of(kAlone, begins) ? Takes::Nothing : Takes::Unknown;
}

/// Words of a command from a place in a text on: of a shell, whose lines go on behind `\`, of a folded text, whose
/// lines begin with options, and of lists, `- --nnodes=2` or `"--nnodes=2",`.
class Words {
 public:
  Words(std::string_view text, std::size_t at) : text_(text), at_(at) {
    const std::size_t line = at < 1 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
    const std::string_view before = trim(text.substr(line, at - line));
    quoted_ = at < text.size() && (text[at] == '"' || text[at] == '\'');
    const bool ends = at >= text.size() || text[at] == '\n' || text[at] == '\r' || quoted_;
    listed_ = ends && before.starts_with("- ");
  }

  /// The next; nullopt: the command ends, or only a reader of its whole form could tell.
  std::optional<std::string_view> next() {
    if (quoted_ && !listed_) return in_quotes();
    if (listed_) return of_list();
    skip_blanks();
    bool new_line = false;
    while (at_ < text_.size() && (text_[at_] == '\\' || text_[at_] == '\n')) {
      const bool goes_on = text_[at_] == '\\';
      if (goes_on && text_.substr(at_ + 1, 1) != "\n") return std::nullopt;
      at_ += goes_on ? 2 : 1;
      new_line = !goes_on;
      skip_blanks();
      if (new_line && text_.substr(at_, 2) != "--") return std::nullopt;  // a line of its own
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
  bool quoted_ = false;
  bool listed_ = false;
};

class TorchrunOptions {
 public:
  TorchrunOptions(FileId file, std::string_view text, std::vector<Finding>& findings)
      : file_(file), text_(text), findings_(findings) {}

  void run() {
    for (const std::string_view launcher : {"torchrun", "torch.distributed.run", "torch.distributed.launch"}) {
      for (std::size_t at = text_.find(launcher); at != text_.npos; at = text_.find(launcher, at + 1)) {
        const std::size_t end = at + launcher.size();
        const char before = at == 0 ? '\n' : text_[at - 1];
        const char behind = end < text_.size() ? text_[end] : '\n';
        const bool word = std::string_view(" \t\n/\"'").find(before) != std::string_view::npos &&
                          std::string_view(" \t\n\"'").find(behind) != std::string_view::npos;
        if (word && !is_spoken_of(at)) command(end);
      }
    }
  }

 private:
  /// In a comment or a message.
  bool is_spoken_of(std::size_t at) const {
    const std::size_t begin = at == 0 ? 0 : text_.rfind('\n', at - 1) + 1;  // npos + 1 is 0
    const std::string_view line = text_.substr(begin, at - begin);
    return contains(line, "#") || contains(line, "echo ") || contains(line, "//") || contains(line, "printf ") ||
           contains(line, "help");
  }

  void command(std::size_t at) {
    Words words(text_, at);
    for (std::size_t n = 0; n < kMostOptions; ++n) {
      const std::optional<std::string_view> word = words.next();
      if (!word || !word->starts_with('-')) return;
      const std::size_t sign = word->find('=');
      const std::string_view name = word->substr(0, sign);
      const Takes takes = takes_of(name);
      if (takes == Takes::Unknown) return unknown(*word, name);
      if (takes == Takes::Nothing) continue;
      const std::optional<std::string_view> value =
          sign == word->npos ? words.next() : std::optional(word->substr(sign + 1));
      if (!value) return;
      if (name.starts_with("--rdzv-backend") || name.starts_with("--rdzv_backend")) backend(*value);
    }
  }

  void unknown(std::string_view word, std::string_view name) {
    if (name.size() < 2 || (!name.starts_with("--") && name.size() > 2)) return;  // of one dash others speak
    report("torchrun-option-unknown", word, "torchrun has no option `" + std::string(name) + "`");
  }

  void backend(std::string_view value) {
    if (std::ranges::find(kNoBackends, value) == kNoBackends.end()) return;
    report("torchrun-backend-unknown", value, "`" + std::string(value) + "` is no rendezvous of torchrun");
  }

  void report(std::string_view rule, std::string_view at, std::string message) {
    const auto begin = static_cast<std::uint32_t>(at.data() - text_.data());
    findings_.push_back(
        problem(rule, {file_, begin, begin + static_cast<std::uint32_t>(at.size())}, std::move(message)));
  }

  FileId file_;
  std::string_view text_;
  std::vector<Finding>& findings_;
};

bool may_run(std::string_view path, std::string_view text) {
  constexpr std::array<std::string_view, 8> kEndings{".yaml", ".yml",   ".sh",     ".bash",
                                                     ".job",  ".slurm", ".sbatch", ".sub"};
  return text.starts_with("#!") ||
         std::ranges::any_of(kEndings, [&](std::string_view ending) { return path.ends_with(ending); });
}

}  // namespace

void find_torchrun_slips(const Inputs& inputs, std::vector<Finding>& findings) {
  const std::size_t before = findings.size();
  for (std::size_t i = 0; i < inputs.files.size() && findings.size() < before + kMostTorchrunSaid; ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (!may_run(inputs.files[i].context.path, text)) continue;
    if (contains(text, "torchrun") || contains(text, "torch.distributed."))
      TorchrunOptions(static_cast<FileId>(i), text, findings).run();
  }
}

}  // namespace muster
