#include "pipeline/guide_files.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "pipeline/reach.h"
#include "syntax/sbatch_reader.h"

namespace muster {
namespace {

constexpr std::size_t kMostWords = 200'000;  // of all guides together
constexpr std::array<std::string_view, 7> kManifests{".yaml", ".yml", ".json", ".sbatch", ".slurm", ".sh", ".job"};

std::string_view ending_of_guide_file(std::string_view name) {
  for (const std::string_view ending : kManifests) {
    if (name.size() > ending.size() && name.ends_with(ending)) return ending;
  }
  return {};
}

/// Scripts are one kind, whatever they end in.
std::string_view kind_of_guide_file(std::string_view name) {
  const std::string_view ending = ending_of_guide_file(name);
  const bool data = ending == ".yaml" || ending == ".yml" || ending == ".json";
  return ending.empty() || data ? ending : std::string_view(".sh");
}

/// `my-job.yaml`, `deployment.yaml`: stands for what the reader has; so does `hf-secret.yaml`, which nobody commits.
bool stands_for_some_file(std::string_view name) {
  constexpr std::array<std::string_view, 22> kUsual{"app",        "cluster", "config", "configmap", "daemonset", "demo",
                                                    "deployment", "example", "file",   "job",       "manifest",  "name",
                                                    "pod",        "script",  "secret", "service",   "submit",    "test",
                                                    "train",      "run",     "values", "workload"};
  const std::string lower = to_lower(name);
  const std::string_view stem = std::string_view(lower).substr(0, lower.find('.'));
  if (contains(stem, "secret") || contains(stem, "credential")) return true;
  for (const std::string_view word : {"my", "your", "some", "foo", "xxx", "path", "new", "custom"}) {
    if (stem.starts_with(word)) return true;
  }
  return std::ranges::find(kUsual, stem) != kUsual.end();
}

bool is_plain_path(std::string_view word) {
  return !word.empty() && word.front() != '/' && word.front() != '-' && word.front() != '~' &&
         word.find_first_of("$*{}[]?\"'\\=<>|;&`():,") == word.npos && !contains(word, "...");
}

/// Whether the word at a place of a line is the file that kubectl is to read: `kubectl apply -n ml -f job.yaml`.
bool takes_file(std::string_view line, std::size_t at) {
  constexpr std::array<std::string_view, 4> kVerbs{" apply", " create", " delete", " replace"};
  const std::string_view before = line.substr(0, at);
  if (!contains(before, "kubectl ") && !contains(before, "oc ")) return false;
  const std::string_view words = trim(before);
  return std::ranges::any_of(kVerbs, [&](std::string_view verb) { return contains(before, verb); }) &&
         (words.ends_with(" -f") || words.ends_with(" --filename") || before.ends_with("--filename="));
}

/// A line that hands a file over and says nothing else of it.
bool hands_over(std::string_view line) {
  return contains(line, "kubectl ") || contains(line, "sbatch ") || contains(line, "oc apply") ||
         contains(line, "oc create") || contains(line, "oc delete");
}

/// A sentence that may tell how the file comes to be: `save this as`, `cp a b`. To edit it or to link to it takes one.
bool may_tell_how(std::string_view line) {
  constexpr std::array<std::string_view, 18> kWords{"add",      "build",  "call",    "copy",   "cp ", "creat",
                                                    "download", "export", "generat", "make",   "mv ", "name",
                                                    "output",   "produc", "put",     "render", "sav", "writ"};
  const std::string lower = to_lower(line);
  const std::string_view behind = std::string_view(lower).substr(lower.starts_with('>') ? 1 : 0);  // a quotation
  if (contains(behind, ">")) return true;
  const bool link = contains(lower, "](");
  return std::ranges::any_of(kWords,
                             [&](std::string_view word) { return contains(lower, word) && !(link && word == "name"); });
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
    if (stands_for_some_file(name) || !names_.called(name).empty() || names_.is_aside(name)) return;
    if (!has_neighbours(i, path) || !said_.insert({i, std::string(name)}).second || is_spoken_of(name)) return;
    findings_.push_back(problem(
        "guide-file-missing",
        {static_cast<FileId>(i), static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + word.size())},
        "`" + std::string(word) + "` is handed over here, and no file of the input is called so"));
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
      return !hands_over(line) && (!prose || may_tell_how(line));
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
