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

/// Names of the words `NAME`, `NAME=value` behind ARG or ENV; `ENV NAME value` has one.
std::vector<std::string_view> named_of(std::string_view rest) {
  std::vector<std::string_view> out;
  for (const std::string_view word : split_blanks(rest)) {
    const std::string_view name = word.substr(0, word.find('='));
    if (!name.empty() && std::ranges::all_of(name, is_word_char)) out.push_back(name);
    if (!contains(word, "=")) break;
  }
  return out;
}

/// What images say themselves: CUDA_VERSION, PYTHON_VERSION, NVARCH.
bool is_of_image(std::string_view name) {
  constexpr std::array<std::string_view, 4> kUsual{"DEBIAN_FRONTEND", "HOME", "PATH", "LD_LIBRARY_PATH"};
  return name.ends_with("_VERSION") || name.starts_with("NV") || name.ends_with("_proxy") || name.ends_with("_PROXY") ||
         std::ranges::find(kUsual, name) != kUsual.end();
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
      if (contains(words, "<<")) return;  // a here-document, whose lines are no instructions
      if (!goes_on) begin(words);
      if (staged_ && is_asked()) look_at(line);
      goes_on = words.ends_with('\\');
    }
  }

 private:
  void begin(std::string_view words) {
    const std::size_t blank = std::min(words.find_first_of(" \t"), words.size());
    instruction_ = to_lower(words.substr(0, blank));
    const std::string_view rest = trim(words.substr(blank));
    sets_.clear();
    if (instruction_ == "from") return stage(rest);
    if (instruction_ != "arg" && instruction_ != "env") return;
    for (const std::string_view name : named_of(rest)) {
      if (staged_)
        said_.insert(name);
      else
        before_.emplace(name, Span{file_, place(name), place(name) + static_cast<std::uint32_t>(name.size())});
    }
  }

  /// `FROM image AS name`: of an earlier stage it has what that said.
  void stage(std::string_view rest) {
    stages_[name_] = said_;
    std::vector<std::string_view> words = split_blanks(rest);
    std::erase_if(words, [](std::string_view word) { return word.starts_with("--"); });
    staged_ = true;
    const auto above = words.empty() ? stages_.end() : stages_.find(std::string(words.front()));
    said_ = above == stages_.end() ? std::set<std::string_view>() : above->second;
    name_ = words.size() >= 3 ? std::string(words[2]) : std::string();
  }

  bool is_asked() const {
    constexpr std::array<std::string_view, 6> kAsked{"add", "copy", "env", "label", "run", "workdir"};
    return std::ranges::find(kAsked, instruction_) != kAsked.end();
  }

  void look_at(std::string_view line) {
    for (const auto& [name, where] : before_) {
      if (contains(line, std::string(name) + "=")) sets_.insert(name);  // the shell of a RUN, for its lines below, too
      if (said_.contains(name) || sets_.contains(name) || is_of_image(name)) continue;
      for (std::size_t at = line.find('$'); at != line.npos; at = line.find('$', at + 1)) {
        const bool braced = line.substr(at + 1).starts_with('{');
        const std::size_t from = at + (braced ? 2 : 1);
        const std::string_view behind = line.substr(std::min(from + name.size(), line.size()), 1);
        const bool ends = braced ? behind == "}" : behind.empty() || !is_word_char(behind[0]);
        if (!line.substr(from).starts_with(name) || !ends || (at > 0 && line[at - 1] == '\\')) continue;
        said_.insert(name);
        if (++reported_ > kMostOfDockerfile) return;
        const std::uint32_t begin = place(line) + static_cast<std::uint32_t>(at);
        const auto length = static_cast<std::uint32_t>(from - at + name.size() + (braced ? 1 : 0));
        findings_.push_back(problem("image-argument-before-from", {file_, begin, begin + length},
                                    "`" + std::string(name) + "` is empty here: its ARG stands before FROM"));
        findings_.back().related.push_back({where, "where it is given a value"});
        break;
      }
    }
  }

  std::uint32_t place(std::string_view part) const { return static_cast<std::uint32_t>(part.data() - text_.data()); }

  FileId file_;
  std::string_view text_;
  std::vector<Finding>& findings_;
  std::map<std::string_view, Span> before_;  ///< ARGs before the first FROM
  std::set<std::string_view> said_;          ///< in this stage, or of which it was said
  std::set<std::string_view> sets_;          ///< by the instruction itself
  std::map<std::string, std::set<std::string_view>> stages_;
  std::string name_;  ///< of the stage
  std::string instruction_;
  bool staged_ = false;
  std::size_t reported_ = 0;
};

}  // namespace

void find_docker_arguments(FileId file, std::string_view text, std::vector<Finding>& findings) {
  DockerArguments(file, text, findings).run();
}

}  // namespace muster
