#include "input/submit_lines.h"

#include "base/strings.h"
#include "syntax/sbatch_reader.h"

namespace muster {
namespace {

constexpr std::string_view kProgram = "sbatch";
constexpr std::size_t kMostSearched = 4'000'000;  // bytes for one folder; where there is more, somebody may make it
constexpr std::size_t kMostVariables = 200;       // command lines whose script stands in a variable

bool is_of_name(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || c == '.';
}

struct SubmitLine {
  std::string script;  ///< as written; empty: none
  std::set<std::string> options;
  bool open = false;  ///< a variable among them may be more
  bool comment = false;
};

/// `-o $(log) --nodes 3 $(resources) scripts/job.sh`: a variable where the script would stand is more options where a
/// script follows.
SubmitLine read_arguments(std::string_view arguments) {
  SubmitLine out;
  for (int variables = 0; variables < 5; ++variables) {
    const SbatchDirective read = read_sbatch_arguments(arguments);
    for (const SbatchOption& option : read.options) {
      if (option.known) out.options.insert(option.name);
    }
    if (variables > 0 && !read.rest.starts_with('$') && !has_script_ending(read.rest)) return out;
    out.script = read.rest;
    out.open = variables > 0;
    const std::size_t at = read.rest.starts_with('$') ? arguments.find(read.rest) : arguments.npos;
    if (at == arguments.npos || read.rest.find('/') != read.rest.npos) return out;
    arguments.remove_prefix(at + read.rest.size());
  }
  return out;
}

/// `command=(sbatch`, one word a line and `)`: the words as one line; empty: it is something else.
std::string words_of_array(std::string_view text, std::size_t at) {
  constexpr std::size_t kMost = 4096;  // characters
  constexpr std::size_t kNear = 80;
  const std::string_view near = text.substr(at - std::min(at, kNear), std::min(at, kNear));
  if (!trim(near).ends_with("=(")) return "";
  const std::string_view rest = text.substr(at + kProgram.size(), kMost);
  std::string out;
  for (const std::string_view line : split(rest, '\n')) {
    if (trim(line) == ")") return out;
    if (!trim(line).starts_with('#')) out += std::string(trim(line)) + " ";
  }
  return "";
}

/// Each command line of sbatch in a text, in its order.
template <class Take>
void each_line(std::string_view text, Take take) {
  for (std::size_t at = text.find(kProgram); at != text.npos; at = text.find(kProgram, at + 1)) {
    const std::size_t end = at + kProgram.size();
    if (end >= text.size() || (text[end] != ' ' && text[end] != '\t' && text[end] != '\n')) continue;
    if (at > 0 && is_of_name(text[at - 1])) continue;
    const std::string arguments = text[end] == '\n' ? words_of_array(text, at) : sbatch_arguments_at(text, end);
    SubmitLine line = read_arguments(arguments);
    if (line.options.empty() && !line.open) continue;
    const std::size_t begin = text.rfind('\n', at) + 1;  // npos + 1 is 0
    line.comment = trim(text.substr(begin, at - begin)).starts_with('#');
    take(line);
  }
}

std::string_view name_of_script(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  return name.substr(0, name.find_first_of("\"'`"));
}

/// `slurm/train.sh` of `jobs/slurm/train.sh`: a folder at least.
bool ends_with_path(std::string_view path, std::string_view written) {
  while (written.starts_with("./")) written.remove_prefix(2);
  return written.find('/') != written.npos && path.ends_with(written) &&
         (path.size() == written.size() || path[path.size() - written.size() - 1] == '/');
}

/// A line that makes a folder names it, or one that keeps it in a variable: `LOGS=logs/train`.
bool may_make(std::string_view text, std::string_view folder) {
  for (std::size_t at = text.find(folder); at != text.npos; at = text.find(folder, at + 1)) {
    const std::size_t begin = text.rfind('\n', at) + 1;  // npos + 1 is 0
    const std::string_view before = text.substr(begin, at - begin);
    if (before.starts_with("#SBATCH")) continue;
    if (contains(before, "mkdir") || contains(before, "makedirs") || contains(before, "=")) return true;
  }
  return false;
}

}  // namespace

void SubmitLines::add(std::string_view path, std::string_view text, bool prose) {
  ++names_[std::string(name_of_script(path))];
  if (contains(text, "mkdir") || contains(text, "makedirs")) makers_.push_back(text);
  each_line(text, [&](const SubmitLine& line) {
    const std::string_view name = name_of_script(line.script);
    if (name.empty()) return;
    const bool variable = contains(name, "$");
    if (variable && (prose || line.comment || by_variable_.size() >= kMostVariables)) return;
    if (!variable)
      by_name_[std::string(name)].push_back({std::string(line.script), std::string(folder_of(path)), Options{}});
    Options& out =
        variable ? by_variable_.emplace_back(text, Options{}).second : by_name_[std::string(name)].back().options;
    (prose || line.comment ? out.told : out.firm).insert(line.options.begin(), line.options.end());
    out.open = out.open || (line.open && !prose && !line.comment);
  });
}

SubmitLines::Options SubmitLines::options_of(std::string_view path, std::string_view text) const {
  Options out;
  const auto take = [&](const Options& more) {
    out.firm.insert(more.firm.begin(), more.firm.end());
    out.told.insert(more.told.begin(), more.told.end());
    out.open = out.open || more.open;
  };
  const std::string_view name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  const auto files = names_.find(name);
  const bool alone = files != names_.end() && files->second == 1;
  if (const auto found = by_name_.find(name); found != by_name_.end()) {
    for (const Call& call : found->second) {
      if (alone || call.folder == folder_of(path) || ends_with_path(path, call.script)) take(call.options);
    }
  }
  for (const auto& [starter, options] : by_variable_) {
    if (contains(starter, name)) take(options);
  }
  each_line(text, [&](const SubmitLine& line) {
    if (line.comment) out.told.insert(line.options.begin(), line.options.end());
  });
  return out;
}

bool SubmitLines::makes(std::string_view folder, std::string_view own) const {
  std::size_t left = kMostSearched;
  for (const std::string_view text : makers_) {
    if (text.data() == own.data()) continue;
    if (text.size() > left || may_make(text, folder)) return true;
    left -= text.size();
  }
  return false;
}

}  // namespace muster
