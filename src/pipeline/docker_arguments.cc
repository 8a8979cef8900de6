#include "pipeline/docker_arguments.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "base/strings.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

constexpr std::size_t kMostOfDockerfile = 5;
constexpr std::size_t kMostOuterArguments = 100;  // before the first FROM
constexpr std::size_t kMostStages = 200;

/// Names of the words `NAME`, `NAME=value` behind ARG, of which it takes several.
/// Source: https://docs.docker.com/reference/dockerfile/#arg.
std::vector<std::string_view> named_of(std::string_view rest) {
  std::vector<std::string_view> out;
  for (const std::string_view word : split_blanks(rest)) {
    const std::string_view name = word.substr(0, word.find('='));
    if (!name.empty() && std::ranges::all_of(name, is_word_char)) out.push_back(name);
  }
  return out;
}

/// What images say themselves: CUDA_VERSION, PYTHON_VERSION, NVARCH, ROS_DISTRO, NB_USER, SPARK_HOME.
bool is_of_image(std::string_view name) {
  constexpr std::array<std::string_view, 18> kUsual{
      "CLASSPATH", "CONDA_DIR",  "CPATH", "CUDA_PATH",  "DEBIAN_FRONTEND", "GOPATH",       "GOROOT",
      "HOME",      "HOSTNAME",   "LANG",  "LC_ALL",     "LD_LIBRARY_PATH", "LIBRARY_PATH", "PATH",
      "PWD",       "PYTHONPATH", "TZ",    "VIRTUAL_ENV"};
  constexpr std::array<std::string_view, 4> kEnds{"_HOME", "_PREFIX_PATH", "_PROXY", "_VERSION"};
  constexpr std::array<std::string_view, 4> kStarts{"CONDA_", "NB_", "NV", "ROS_"};
  return std::ranges::find(kUsual, name) != kUsual.end() || name.ends_with("_proxy") ||
         std::ranges::any_of(kEnds, [&](std::string_view end) { return name.ends_with(end); }) ||
         std::ranges::any_of(kStarts, [&](std::string_view start) { return name.starts_with(start); });
}

/// The name at the beginning of a text.
std::string_view leading_name(std::string_view text) {
  return text.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(text, is_word_char) - text.begin()));
}

class DockerArguments {
 public:
  DockerArguments(FileId file, std::string_view text, std::vector<Finding>& findings)
      : file_(file), text_(text), findings_(findings) {}

  void run() {
    bool goes_on = false;
    for (const std::string_view line : split(text_, '\n')) {
      const std::string_view words = trim(line);
      if (words.starts_with('#') || (words.empty() && goes_on)) continue;
      // A here-document has lines that are no instructions.
      if (contains(words, "<<") || reported_ >= kMostOfDockerfile || stages_.size() > kMostStages) return;
      std::string_view rest = words;
      if (!goes_on) rest = begin(words);
      if (staged_ && !before_.empty()) go_through(line, rest, !goes_on);
      goes_on = words.ends_with('\\');
    }
  }

 private:
  /// What stands behind the instruction.
  std::string_view begin(std::string_view words) {
    const std::size_t blank = std::min(words.find_first_of(" \t"), words.size());
    instruction_ = to_lower(words.substr(0, blank));
    const std::string_view rest = trim(words.substr(blank));
    said_.merge(becomes_said_);
    becomes_said_.clear();
    sets_.clear();
    quoted_ = quoted_twice_ = reads_file_ = false;
    if (instruction_ == "from") stage(rest);
    if (instruction_ != "arg") return rest;
    for (const std::string_view name : named_of(rest)) {
      if (staged_)
        say(said_, name);
      else if (before_.size() < kMostOuterArguments)
        before_.emplace(name, Span{file_, place(name), place(name) + static_cast<std::uint32_t>(name.size())});
    }
    return rest;
  }

  /// `FROM image AS name`: of an earlier stage it has what that said; of one that a variable chooses what any said.
  void stage(std::string_view rest) {
    stages_[name_] = said_;
    of_any_stage_.insert(said_.begin(), said_.end());
    std::vector<std::string_view> words = split_blanks(rest);
    std::erase_if(words, [](std::string_view word) { return word.starts_with("--"); });
    staged_ = true;
    const bool chosen = !words.empty() && contains(words.front(), "$");
    const auto above = words.empty() ? stages_.end() : stages_.find(to_lower(words.front()));
    if (chosen)
      said_ = of_any_stage_;
    else
      said_ = above == stages_.end() ? std::set<std::string_view>() : above->second;
    name_ = words.size() >= 3 ? to_lower(words[2]) : std::string();
  }

  /// A line of an instruction in a stage.
  void go_through(std::string_view line, std::string_view rest, bool first) {
    constexpr std::array<std::string_view, 6> kAsked{"add", "copy", "env", "label", "run", "workdir"};
    if (instruction_ == "arg" && !first) {
      for (const std::string_view name : named_of(rest)) say(said_, name);
    }
    if (instruction_ == "env") note_env(rest, first);
    if (instruction_ == "run") note_shell(line);
    if (std::ranges::find(kAsked, instruction_) != kAsked.end()) look_at(line);
  }

  void say(std::set<std::string_view>& where, std::string_view name) const {
    if (before_.contains(name)) where.insert(name);
  }

  /// `ENV NAME=$NAME` has no value to take; in `ENV NAME=$NAME:/opt` it is that of the image.
  void note_env(std::string_view rest, bool first) {
    const std::vector<std::string_view> words = split_blanks(rest);
    if (first && !words.empty() && !contains(words.front(), "=")) {
      note_value(words.front(), trim(rest.substr(words.front().size())));
      return;
    }
    for (const std::string_view word : words) {
      const std::size_t sign = word.find('=');
      if (sign != word.npos) note_value(word.substr(0, sign), word.substr(sign + 1));
    }
  }

  void note_value(std::string_view name, std::string_view value) {
    if (!before_.contains(name)) return;
    becomes_said_.insert(name);
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
    if (value != "$" + std::string(name) && value != "${" + std::string(name) + "}") sets_.insert(name);
  }

  /// What the shell of a RUN sets, for its lines below, too: `NAME=`, `for NAME in`, `read NAME`, a secret of BuildKit
  /// as `--mount=type=secret,env=NAME`, and whatever stands in a file that it reads.
  void note_shell(std::string_view line) {
    reads_file_ = reads_file_ || reads_file(line);
    for (std::size_t sign = line.find('='); sign != line.npos; sign = line.find('=', sign + 1)) {
      const std::size_t end = sign > 0 && line[sign - 1] == ':' ? sign - 1 : sign;  // `${NAME:=value}`
      std::size_t from = end;
      while (from > 0 && is_word_char(line[from - 1])) --from;
      say(sets_, line.substr(from, end - from));
    }
    constexpr std::array<std::string_view, 7> kSetting{"declare", "export",   "for", "local",
                                                       "mapfile", "readonly", "read"};
    bool sets = false;
    for (const std::string_view word : split_blanks(line)) {
      if (sets) say(sets_, leading_name(word));
      constexpr std::string_view kMount = "--mount=";
      if (word.starts_with(kMount)) note_secret(word.substr(kMount.size()));
      sets = (sets || std::ranges::find(kSetting, word) != kSetting.end()) && word != "in" &&
             word.find_first_of(";|&") == word.npos;
    }
  }

  /// Source: https://docs.docker.com/reference/dockerfile/#run---mounttypesecret
  void note_secret(std::string_view mount) {
    constexpr std::string_view kEnvironment = "env=";
    for (const std::string_view one : split(mount, ',')) {
      if (one.starts_with(kEnvironment)) say(sets_, one.substr(kEnvironment.size()));
    }
  }

  /// `. /etc/os-release`, `bash -c "source env.sh"`; not `pip install .`.
  static bool reads_file(std::string_view line) {
    constexpr std::array<std::string_view, 8> kBefore{"RUN", "run", "&&", "||", "then", "do", "{", "("};
    bool begins = true;
    for (const std::string_view word : split_blanks(line)) {
      const bool quoted = word.starts_with('"') || word.starts_with('\'');
      const std::string_view plain = word.substr(quoted ? 1 : 0);
      if ((begins || quoted) && (plain == "." || plain == "source")) return true;
      begins = word.ends_with(';') || std::ranges::find(kBefore, word) != kBefore.end();
    }
    return false;
  }

  /// What stands in single quotes is no variable.
  void look_at(std::string_view line) {
    for (std::size_t at = 0; at < line.size(); ++at) {
      const char c = line[at];
      if (c == '\\' && !quoted_) ++at;
      if (c == '\'' && !quoted_twice_) quoted_ = !quoted_;
      if (c == '"' && !quoted_) quoted_twice_ = !quoted_twice_;
      if (c == '$' && !quoted_) look_at_variable(line, at);
    }
  }

  void look_at_variable(std::string_view line, std::size_t at) {
    const bool braced = line.substr(at + 1).starts_with('{');
    const std::size_t from = at + (braced ? 2 : 1);
    const std::string_view name = leading_name(line.substr(from));
    const auto known = before_.find(name);
    if (known == before_.end() || (braced && !line.substr(from + name.size()).starts_with('}'))) return;
    if (said_.contains(name) || sets_.contains(name) || reads_file_ || is_of_image(name)) return;
    said_.insert(name);
    if (++reported_ > kMostOfDockerfile) return;
    const std::uint32_t begin = place(line) + static_cast<std::uint32_t>(at);
    const auto length = static_cast<std::uint32_t>(from - at + name.size() + (braced ? 1 : 0));
    findings_.push_back(problem("image-argument-before-from", {file_, begin, begin + length},
                                "`" + std::string(name) + "` is empty here: its ARG stands before FROM"));
    findings_.back().related.push_back({known->second, "where it is given a value"});
  }

  std::uint32_t place(std::string_view part) const { return static_cast<std::uint32_t>(part.data() - text_.data()); }

  FileId file_;
  std::string_view text_;
  std::vector<Finding>& findings_;
  std::map<std::string_view, Span> before_;  ///< ARGs before the first FROM
  std::set<std::string_view> said_;          ///< in this stage, or of which it was said
  std::set<std::string_view> becomes_said_;  ///< once this ENV has ended
  std::set<std::string_view> sets_;          ///< by the instruction itself
  std::map<std::string, std::set<std::string_view>> stages_;
  std::set<std::string_view> of_any_stage_;
  std::string name_;  ///< of the stage
  std::string instruction_;
  bool staged_ = false;
  bool reads_file_ = false;    ///< its shell does, which may set any name
  bool quoted_ = false;        ///< within `'`
  bool quoted_twice_ = false;  ///< within `"`
  std::size_t reported_ = 0;
};

}  // namespace

void find_docker_arguments(FileId file, std::string_view text, std::vector<Finding>& findings) {
  DockerArguments(file, text, findings).run();
}

}  // namespace muster
