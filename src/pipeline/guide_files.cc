#include "pipeline/guide_files.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/strings.h"
#include "pipeline/guide_lines.h"
#include "pipeline/input_names.h"
#include "pipeline/reach.h"
#include "syntax/sbatch_reader.h"

namespace muster {
namespace {

constexpr std::size_t kMostWords = 200'000;  // of all guides together

bool ends_with_parts(std::string_view path, std::string_view end) {
  return path.ends_with(end) && (path.size() == end.size() || path[path.size() - end.size() - 1] == '/');
}

bool is_below_folder(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && path.substr(folder.size(), 1) == "/";
}

class GuideFiles {
 public:
  GuideFiles(const Inputs& inputs, std::vector<Finding>& findings)
      : inputs_(inputs), findings_(findings), reach_(inputs), names_(inputs) {
    for (const InputFile& file : inputs.files) {
      const std::string& path = file.context.path;
      if (const std::string_view kind = kind_of_guide_file(path); !kind.empty())
        neighbours_.emplace(folder_of(path), kind);
    }
  }

  void run() {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string& path = inputs_.files[i].context.path;
      if (inputs_.files[i].named) continue;
      if (path.ends_with(".md")) {
        guide(i);
      } else if (path.ends_with(".sh")) {
        lines(i, 0, text(i).size());
      }
    }
  }

 private:
  std::string_view text(std::size_t i) const { return inputs_.sources.file(static_cast<FileId>(i)).text(); }

  /// The code blocks of Markdown.
  void guide(std::size_t i) {
    const std::string_view all = text(i);
    bool inside = false;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t end = std::min(all.find('\n', at), all.size());
      if (trim(all.substr(at, end - at)).starts_with("```")) {
        if (inside) lines(i, begin, at);
        inside = !inside;
        begin = end + 1;
      }
      at = end + 1;
    }
  }

  void lines(std::size_t i, std::size_t from, std::size_t to) {
    const std::string_view all = text(i);
    for (std::size_t at = from; at < to;) {
      const std::size_t end = std::min(all.find('\n', at), to);
      const std::string_view line = all.substr(at, end - at);
      if (leaves(line)) return;  // the rest of the block is about another folder
      if (!trim(line).starts_with('#')) words(i, at, line);
      at = end + 1;
    }
  }

  /// `cd` to where the files are not known, and what brings files.
  static bool leaves(std::string_view line) {
    constexpr std::array<std::string_view, 6> kBring{"git clone", "wget ", "curl ", "unzip ", "tar x", "<<"};
    const std::size_t prompt = line.find_first_not_of("$ \t");
    const std::string_view words = line.substr(std::min(prompt, line.size()));
    return words.starts_with("cd ") || words.starts_with("pushd ") ||
           std::ranges::any_of(kBring, [&](std::string_view one) { return contains(line, one); });
  }

  void words(std::size_t i, std::size_t begin, std::string_view line) {
    for (std::size_t at = line.find_first_not_of(" \t"); at != line.npos; at = line.find_first_not_of(" \t", at)) {
      const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
      std::string_view word = line.substr(at, end - at);
      if (++seen_ > kMostWords) return;
      if (const std::size_t sign = word.rfind('='); word.starts_with("--filename=") && sign != word.npos) {
        word.remove_prefix(sign + 1);
      }
      if (is_plain_path(word) && !ending_of_guide_file(word).empty() &&
          takes_file(line, static_cast<std::size_t>(word.data() - line.data())))
        named(i, begin + static_cast<std::size_t>(word.data() - line.data()), word);
      at = end;
    }
    if (const std::size_t at = line.find("sbatch ");
        at != line.npos && (at == 0 || line[at - 1] == ' ') && inputs_.files[i].context.path.ends_with(".md")) {
      const std::string script = read_sbatch_arguments(sbatch_arguments_at(line, at + 6)).rest;
      const std::size_t found = script.empty() ? line.npos : line.find(script, at);
      if (found != line.npos && is_plain_path(script) && !ending_of_guide_file(script).empty())
        named(i, begin + found, line.substr(found, script.size()));
    }
  }

  void named(std::size_t i, std::size_t begin, std::string_view word) {
    std::string_view path = word;
    while (path.starts_with("./")) path.remove_prefix(2);
    while (path.starts_with("../")) path.remove_prefix(3);
    const std::string_view name = last_part(path);
    if (stands_for_some_file(name) || names_.is_aside(name)) return;
    if (!names_.called(name).empty()) {
      if (path == word || word.starts_with("./")) stands_elsewhere(i, begin, word, path);
      return;
    }
    if (!has_neighbours(i, path) || !said_.insert({i, std::string(name)}).second || is_spoken_of(name)) return;
    findings_.push_back(problem(
        "guide-file-missing",
        {static_cast<FileId>(i), static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + word.size())},
        "`" + std::string(word) + "` is handed over here, and no file of the input is called so"));
  }

  /// The one file of that name stands in another folder than the path says, whatever leads to it: `config/job.yaml`
  /// where there is `k8s/job.yaml`.
  void stands_elsewhere(std::size_t i, std::size_t begin, std::string_view word, std::string_view path) {
    const std::string_view folder = folder_of(path);
    const std::vector<std::size_t>& known = names_.called(last_part(path));
    if (folder.empty() || known.size() != 1 || contains(path, "path/to") || contains(path, "../")) return;
    const std::string_view there = inputs_.files[known.front()].context.path;
    const std::string_view own = folder_of(inputs_.files[i].context.path);
    // Who stands above the repository, or in a folder around the guide, writes more of the path than the input has.
    for (std::string_view end = path; !end.empty() && contains(end, "/"); end = end.substr(end.find('/') + 1)) {
      if (ends_with_parts(there, end)) return;
    }
    if (!contains(there, "/") || folder_of(there) == own || (!own.empty() && !is_below_folder(there, own))) return;
    if (!reach_.holds((own.empty() ? "" : std::string(own) + "/") + std::string(path)) || brings(folder)) return;
    if (!said_.insert({i, std::string(last_part(path))}).second) return;
    findings_.push_back(problem(
        "guide-file-missing",
        {static_cast<FileId>(i), static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + word.size())},
        "`" + std::string(word) + "` is handed over here, and the input has `" + std::string(there) + "`"));
  }

  /// Whether a line may make the folder, or what it begins with.
  bool brings(std::string_view folder) {
    const std::string_view first = folder.substr(0, folder.find('/'));
    return names_.is_said_in_line(first, [](std::size_t, std::string_view line) {
      constexpr std::array<std::string_view, 8> kVerbs{"mkdir", "cp ", "mv ", "ln -s", "clone", "unzip", "tar ", "cd "};
      return std::ranges::any_of(kVerbs, [&](std::string_view verb) { return contains(line, verb); });
    });
  }

  /// Whether others of its kind stand where it would, beside the guide or from the top of the input on.
  bool has_neighbours(std::size_t i, std::string_view path) const {
    const std::string_view own = inputs_.files[i].context.path;
    const std::string beside = (folder_of(own).empty() ? "" : std::string(folder_of(own)) + "/") + std::string(path);
    if (!reach_.holds(beside)) return false;
    const std::string ending(kind_of_guide_file(path));
    if (neighbours_.contains({std::string(folder_of(beside)), ending})) return true;
    const std::string_view folder = folder_of(path);
    return !folder.empty() && std::ranges::any_of(neighbours_, [&](const auto& one) {
      const auto& [there, kind] = one;
      return kind == ending && there.ends_with(folder) &&
             (there.size() == folder.size() || there[there.size() - folder.size() - 1] == '/');
    });
  }

  /// Whether a line names it that hands no file over, in a guide one that may tell how it is made.
  bool is_spoken_of(std::string_view name) {
    return names_.is_said_in_line(name, [&](std::size_t i, std::string_view line) {
      const bool prose = inputs_.files[i].context.path.ends_with(".md");
      return !hands_over(line) && (!prose || may_tell_how(line, name));
    });
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  Reach reach_;
  InputNames names_;
  std::set<std::pair<std::string, std::string>> neighbours_;  ///< folders and kinds of files in them
  std::set<std::pair<std::size_t, std::string>> said_;
  std::size_t seen_ = 0;
};

}  // namespace

void find_guide_files(const Inputs& inputs, std::vector<Finding>& findings) {
  const bool any = std::ranges::any_of(inputs.files, [&](const InputFile& file) {
    return file.context.path.ends_with(".md") || file.context.path.ends_with(".sh");
  });
  if (any) GuideFiles(inputs, findings).run();
}

}  // namespace muster
