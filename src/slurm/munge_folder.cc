#include "slurm/munge_folder.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/strings.h"
#include "syntax/cut_text.h"

namespace muster {
namespace {

std::string_view bare_word(std::string_view word) {
  constexpr std::string_view kAround = "\"'()[],`";
  const std::size_t begin = word.find_first_not_of(kAround);
  if (begin == word.npos) return {};
  return word.substr(begin, word.find_last_not_of(kAround) + 1 - begin);
}

bool is_socket_folder(std::string_view path) {
  if (path.ends_with('/')) path.remove_suffix(1);
  return path == "/run/munge" || path == "/var/run/munge";
}

/// Whether others may pass a folder of that mode, `0711`, `go+rx`; nothing where it does not say.
std::optional<bool> lets_others_pass(std::string_view mode) {
  if (const std::optional<int> octal = octal_mode(mode)) return (*octal & 1) != 0;
  // A word of signs may open: what it closes is rarely all that it says.
  return contains(mode, "x") || contains(mode, "X") ? std::optional(true) : std::nullopt;
}

/// The commands of a line as words: quotes are part of them.
std::vector<std::vector<std::string_view>> commands_of(std::string_view line) {
  std::vector<std::vector<std::string_view>> out(1);
  for (const std::string_view part : split(line, ';')) {
    for (const std::string_view word : split_blanks(part)) {
      if (word.starts_with('#')) return out;
      if (word == "&&" || word == "||" || word == "|" || word == "&") {
        out.emplace_back();
      } else {
        out.back().push_back(word);
      }
    }
    out.emplace_back();
  }
  return out;
}

class MungeScript {
 public:
  MungeScript(std::string_view text, FileId file, std::vector<Finding>& findings)
      : text_(text), file_(file), findings_(findings) {}

  void run() {
    for (const TextLine& line : lines_of(text_)) {
      if (trim(line.text).starts_with('#')) continue;
      for (std::vector<std::string_view>& words : commands_of(line.text)) read(words);
    }
  }

 private:
  void read(std::vector<std::string_view>& words) {
    constexpr std::array<std::string_view, 12> kBefore{"!",  "-",    "RUN",  "do",   "else",  "exec",
                                                       "if", "sudo", "then", "time", "until", "while"};
    while (!words.empty() && std::ranges::find(kBefore, words.front()) != kBefore.end()) words.erase(words.begin());
    if (words.empty()) return;
    const std::string_view program = bare_word(words.front());
    if (program == "for" && words.size() > 3 && words[2] == "in") {
      looped_ = std::any_of(words.begin() + 3, words.end(), names_folder) ? words[1] : std::string_view();
    } else if (program == "done") {
      looped_ = {};
    } else if (program == "rm" || program == "umount" || program == "mount") {
      if (std::ranges::any_of(words, names_folder)) closed_.reset();
    } else if (program == "chmod") {
      change(words);
    } else if (program == "install" || program == "mkdir") {
      make(words);
    } else if (closed_) {
      start(program, words);
    }
  }

  static bool names_folder(std::string_view word) { return is_socket_folder(bare_word(word)); }

  bool is_meant(std::string_view word) const {
    word = bare_word(word);
    return is_socket_folder(word) ||
           (!looped_.empty() && (word == "$" + std::string(looped_) || word == "${" + std::string(looped_) + "}"));
  }

  void set_mode(std::string_view mode, const std::vector<std::string_view>& words) {
    const std::optional<bool> passes = lets_others_pass(mode);
    if (!passes || std::ranges::none_of(words, [&](std::string_view word) { return is_meant(word); })) return;
    if (*passes) return closed_.reset();
    const char* begin = words.front().data();
    const auto size = static_cast<std::size_t>(words.back().data() + words.back().size() - begin);
    closed_ = span_of_part(file_, text_, {begin, size});
    mode_ = mode;
  }

  void change(const std::vector<std::string_view>& words) {
    const auto mode = std::find_if(words.begin() + 1, words.end(), [](auto word) { return !word.starts_with('-'); });
    if (mode != words.end()) set_mode(bare_word(*mode), words);
  }

  /// `install -d -m 0700 ...`, `mkdir -m 0700 ...`
  void make(const std::vector<std::string_view>& words) {
    if (bare_word(words.front()) == "install" && std::ranges::find(words, "-d") == words.end()) return;
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (words[i] == "-m" && i + 1 < words.size()) return set_mode(bare_word(words[i + 1]), words);
      if (words[i].starts_with("--mode=")) return set_mode(bare_word(words[i].substr(7)), words);
    }
  }

  void start(std::string_view program, const std::vector<std::string_view>& words) {
    constexpr std::array<std::string_view, 14> kSpeaking{"[",    "apt",  "chown", "command", "echo",
                                                         "grep", "kill", "pgrep", "pkill",   "printf",
                                                         "ps",   "test", "type",  "which"};
    if (std::ranges::find(kSpeaking, program) != kSpeaking.end()) return;
    const bool starts = std::ranges::any_of(words, [](std::string_view word) {
      const std::string_view bare = bare_word(word);
      return bare == "munged" || bare.ends_with("/munged");
    });
    const bool elsewhere = std::ranges::any_of(words, [](std::string_view word) {
      return word == "-f" || word == "--force" || word == "-S" || bare_word(word).starts_with("--socket");
    });
    if (!starts || elsewhere) return;
    findings_.push_back(problem(
        "slurm-munge-folder-closed", *closed_,
        "mode " + std::string(mode_) + " closes the folder of munged's socket to others, and munged is started then"));
    closed_.reset();
  }

  std::string_view text_;
  FileId file_;
  std::vector<Finding>& findings_;
  std::string_view looped_;     ///< the variable of a loop over folders of which one is that of the socket
  std::optional<Span> closed_;  ///< the command that closed it
  std::string_view mode_;
};

}  // namespace

void check_munge_folder(std::string_view text, FileId file, std::vector<Finding>& findings) {
  if (contains(text, "run/munge") && contains(text, "munged")) MungeScript(text, file, findings).run();
}

}  // namespace muster
