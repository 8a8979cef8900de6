#include "slurm/file_modes.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/strings.h"
#include "syntax/cut_text.h"

namespace muster {
namespace {

constexpr std::size_t kMostOpenings = 200;  // of one file
constexpr std::size_t kLinesAround = 6;     // lines of a task that are looked through for the other half

std::string_view unquoted_path(std::string_view text) {
  text = trim(text);
  const bool quotes = text.size() > 1 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return quotes ? text.substr(1, text.size() - 2) : text;
}

/// What the group and others may do by `0640` or `600`, both together: users may be of the group. Nothing where it is
/// no octal mode.
std::optional<int> rights_of_others(std::string_view mode) {
  const std::optional<int> octal = octal_mode(unquoted_path(mode));
  return octal ? std::optional((*octal | (*octal >> 3)) & 7) : std::nullopt;
}

enum class Target { None, File, Folder };

/// `copied`: the path that a task copies to, where one that ends in `/` is the folder and the mode that of the file.
Target target_of(std::string_view path, bool copied = false) {
  path = unquoted_path(path);
  const bool into = path.ends_with('/');
  while (path.ends_with('/')) path.remove_suffix(1);
  if (!path.starts_with('/')) return Target::None;
  if (path.ends_with("/slurm.conf")) return Target::File;
  if (into && copied) return Target::None;
  return path == "/etc/slurm" || path == "/etc/slurm-llnl" ? Target::Folder : Target::None;
}

bool keeps_out(Target target, int rights) {
  return (target == Target::File && (rights & 4) == 0) || (target == Target::Folder && (rights & 1) == 0);
}

class Modes {
 public:
  Modes(std::string_view text, FileId file, std::vector<Finding>& findings)
      : text_(text), file_(file), lines_(lines_of(text)), findings_(findings) {}

  void run() {
    note_openings();
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const std::string_view line = trim(lines_[i].text);
      if (line.starts_with('#')) continue;
      if (contains(line, "chmod ")) command(line);
      if (line.starts_with("mode:")) member(i, line);
    }
  }

 private:
  void say(std::string_view where, Target target, std::string_view mode) {
    findings_.push_back(problem("slurm-conf-not-readable", span_of_part(file_, text_, where),
                                "mode " + std::string(unquoted_path(mode)) + " keeps everybody but its owner " +
                                    (target == Target::File ? "from slurm.conf" : "out of the folder of slurm.conf")));
  }

  struct Opening {
    const char* at = nullptr;
    std::string_view path;
    bool recursive = false;
  };

  /// `chmod 644 PATH`, `chmod go+r PATH`: what lets others in, in the order of the file.
  void note_openings() {
    for (const TextLine& line : lines_) {
      const std::string_view command = trim(line.text);
      if (openings_.size() >= kMostOpenings || command.starts_with('#') || !contains(command, "chmod ")) continue;
      const std::vector<std::string_view> words = split_blanks(command);
      for (std::size_t i = 0; i + 2 < words.size(); ++i) {
        if (!words[i].ends_with("chmod")) continue;
        std::size_t m = i + 1;
        bool recursive = false;
        while (m < words.size() && words[m].starts_with('-')) recursive = contains(words[m++], "R") || recursive;
        for (std::size_t k = m + 1; k < words.size() && words[k] != "&&" && words[k] != ";"; ++k) {
          const std::string_view path =
              unquoted_path(words[k].ends_with(';') ? words[k].substr(0, words[k].size() - 1) : words[k]);
          if (lets_in(words[m], path)) openings_.push_back({words[k].data(), path, recursive});
        }
      }
    }
  }

  static bool lets_in(std::string_view mode, std::string_view path) {
    if (const std::optional<int> rights = rights_of_others(mode)) return (*rights & 4) != 0 && !path.empty();
    const std::size_t sign = mode.find_first_of("+=");
    if (sign == mode.npos || !contains(mode.substr(sign), "r")) return false;
    const std::string_view who = mode.substr(0, sign);
    return who.empty() || who.find_first_of("goa") != who.npos;
  }

  /// Whether a later command lets others in again.
  bool is_opened_behind(std::string_view word) const {
    const std::string_view path = unquoted_path(word);
    return std::ranges::any_of(openings_, [&](const Opening& one) {
      if (one.at <= word.data()) return false;
      if (one.path == path || (one.recursive && path.starts_with(std::string(one.path) + "/"))) return true;
      const std::size_t star = one.path.find('*');  // of the names in a folder
      return star != one.path.npos && path.starts_with(one.path.substr(0, star)) && path.find('/', star) == path.npos &&
             path.ends_with(one.path.substr(star + 1));
    });
  }

  /// `chmod 600 /etc/slurm/slurm.conf`
  void command(std::string_view line) {
    const std::vector<std::string_view> words = split_blanks(line);
    for (std::size_t i = 0; i + 2 < words.size(); ++i) {
      if (!words[i].ends_with("chmod")) continue;
      const std::optional<int> rights = rights_of_others(words[i + 1]);
      for (std::size_t k = i + 2; rights && k < words.size() && words[k] != "&&" && words[k] != ";"; ++k) {
        if (keeps_out(target_of(words[k]), *rights) && !is_opened_behind(words[k]))
          return say(line, target_of(words[k]), words[i + 1]);
      }
      return;
    }
  }

  /// `mode: '0600'` beside `dest:` or `path:` of the same mapping.
  void member(std::size_t at, std::string_view line) {
    const std::string_view mode = line.substr(5);
    const std::optional<int> rights = rights_of_others(mode.substr(0, mode.find(" #")));
    if (!rights) return;
    const std::size_t indent = lines_[at].indent();
    const auto look = [&](std::size_t i) {
      const std::string_view other = trim(lines_[i].text);
      for (const std::string_view key : {"dest:", "path:"}) {
        if (lines_[i].indent() != indent || !other.starts_with(key)) continue;
        const Target target = target_of(other.substr(5), key == "dest:");
        // rsync gives a folder the mode of the one that it copies.
        if (key == "path:" && contains(text_, "synchronize:")) return true;
        if (keeps_out(target, *rights)) say(line, target, mode);
        return true;
      }
      return false;
    };
    for (std::size_t i = at; i-- > 0 && at - i <= kLinesAround && lines_[i].indent() >= indent;) {
      if (look(i)) return;
    }
    for (std::size_t i = at + 1; i < lines_.size() && i - at <= kLinesAround && lines_[i].indent() >= indent; ++i) {
      if (look(i)) return;
    }
  }

  std::string_view text_;
  FileId file_;
  std::vector<TextLine> lines_;
  std::vector<Opening> openings_;
  std::vector<Finding>& findings_;
};

}  // namespace

void check_file_modes(std::string_view text, FileId file, std::vector<Finding>& findings) {
  if (contains(text, "conf-server") || contains(text, "enable_configless")) return;  // clients get theirs elsewhere
  if (contains(text, "/etc/slurm") && (contains(text, "chmod ") || contains(text, "mode:")))
    Modes(text, file, findings).run();
}

}  // namespace muster
