#include "pipeline/kubectl_calls.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/paths.h"
#include "base/strings.h"
#include "pipeline/guide_lines.h"
#include "pipeline/input_names.h"
#include "pipeline/kubectl_verbs.h"
#include "syntax/shell_reader.h"

namespace muster {
namespace {

constexpr std::size_t kMostKubectlSaid = 200;  // findings of one input
constexpr std::string_view kHeadService = "-head-svc";

bool is_manifest_name(std::string_view word) {
  return word.ends_with(".yaml") || word.ends_with(".yml") || word.ends_with(".json");
}

/// Options of kubectl that take the word behind them.
bool takes_word(std::string_view option) {
  constexpr std::array<std::string_view, 17> kWithValue{"-n",         "--namespace",    "-l",
                                                        "--selector", "--context",      "--kubeconfig",
                                                        "-o",         "--output",       "-s",
                                                        "--as",       "--server",       "--cluster",
                                                        "--user",     "--timeout",      "--grace-period",
                                                        "--cascade",  "--field-manager"};
  return std::ranges::find(kWithValue, option) != kWithValue.end();
}

/// `-f`, `-Rf`, `--filename`.
bool takes_manifest(std::string_view option) { return option == "-f" || option == "--filename" || option == "-Rf"; }

std::string_view option_of(const ShellWord& word) {
  if (word.parts.empty() || word.parts[0].kind != ShellPart::Kind::Text) return {};
  return std::string_view(word.parts[0].text).substr(0, word.parts[0].text.find('='));
}

/// What `kubectl run` no longer takes. Source: kubernetes/kubernetes:CHANGELOG/CHANGELOG-1.24.md (108820) and
/// CHANGELOG-1.21.md (99732).
bool is_gone_from_run(const ShellWord& word) {
  constexpr std::array<std::string_view, 7> kGone{"--limits",    "--requests", "--serviceaccount", "--hostport",
                                                  "--generator", "--replicas", "--schedule"};
  return std::ranges::find(kGone, option_of(word)) != kGone.end();
}

/// Whether a script or a guide goes to another folder.
bool changes_folder(std::string_view text) {
  for (const std::string_view word : {"cd ", "pushd "}) {
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
      if (at == 0 || !is_word_char(text[at - 1])) return true;
    }
  }
  return false;
}

/// Whether a text of manifests has objects, and each is to get its name from the API server.
bool leaves_all_names(std::string_view text) {
  bool any = false;
  bool within = false;     // metadata of the document
  bool generated = false;  // of the document
  bool named = false;
  bool object = false;
  const auto close = [&] {
    const bool fine = !object || (generated && !named);
    any = any || object;
    within = generated = named = object = false;
    return fine;
  };
  for (const std::string_view line : split(text, '\n')) {
    if (line.starts_with("---")) {
      if (!close()) return false;
      continue;
    }
    if (line.empty() || line[0] == '#' || line[0] == '\r') continue;
    if (line[0] != ' ') within = line.starts_with("metadata:");
    object = object || line.starts_with("kind:");
    const std::string_view field = line.substr(std::min<std::size_t>(2, line.size()));
    if (!within || !line.starts_with("  ")) continue;
    generated = generated || field.starts_with("generateName:");
    named = named || field.starts_with("name:");
  }
  return close() && any;
}

class KubectlCalls {
 public:
  KubectlCalls(const Inputs& inputs, const Model& model, std::vector<Finding>& findings)
      : inputs_(inputs), findings_(findings), names_(inputs) {
    for (const Manifest& one : model.manifests) {
      if (one.def->collection != "ray_objects" || !one.name.is_set()) continue;
      // With clusterSelector KubeRay makes none, and the cluster may have the job's name.
      const bool makes = one.kind == "RayJob" && one.part("cluster_selector").kind == WrittenValue::Kind::Null;
      (makes ? ray_jobs_ : ray_clusters_).insert(one.name.value);
    }
  }

  void run() {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view path = inputs_.files[i].context.path;
      const std::string_view all = text(i);
      if (inputs_.files[i].named || !contains(all, "kubectl") || findings_.size() > before_ + kMostKubectlSaid)
        continue;
      if (path.ends_with(".md")) {
        blocks(i);
      } else if (path.ends_with(".sh") || path.ends_with(".bash")) {
        script(i, 0, all);
      } else if (is_recipe_file(path)) {
        recipes(i);
      }
    }
  }

 private:
  std::string_view text(std::size_t i) const { return inputs_.sources.file(static_cast<FileId>(i)).text(); }

  void report(std::string_view rule, std::size_t i, std::size_t base, const ShellWord& word, std::string message) {
    const auto begin = static_cast<std::uint32_t>(base + word.begin);
    const auto end = static_cast<std::uint32_t>(base + word.end);
    findings_.push_back(problem(rule, {static_cast<FileId>(i), begin, end}, std::move(message)));
  }

  void blocks(std::size_t i) {
    const std::string_view all = text(i);
    std::size_t begin = all.npos;
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t end = std::min(all.find('\n', at), all.size());
      const std::string_view line = trim(all.substr(at, end - at));
      at = end + 1;
      if (!line.starts_with("```")) continue;
      if (begin != all.npos)
        script(i, begin, all.substr(begin, static_cast<std::size_t>(line.data() - all.data()) - begin));
      begin = begin == all.npos ? at : all.npos;
    }
  }

  void recipes(std::size_t i) {
    const std::string_view all = text(i);
    for (const std::string_view line : split(all, '\n')) {
      const bool recipe = line.starts_with('\t') || line.starts_with("  ");
      std::size_t skip = 0;
      while (skip < line.size() && std::string_view(" \t@-").find(line[skip]) != std::string_view::npos) ++skip;
      const std::string_view command = line.substr(skip);
      if (recipe && contains(command, "kubectl"))
        script(i, static_cast<std::size_t>(command.data() - all.data()), command);
    }
  }

  void script(std::size_t i, std::size_t base, std::string_view shell) {
    if (!contains(shell, "kubectl")) return;
    for (const ShellCommand& command : read_shell(shell)) {
      for (std::size_t w = 0; w < std::min<std::size_t>(3, command.words.size()); ++w) {
        const std::string_view program = plain_text(command.words[w]);
        if (program == "kubectl" || program == "oc") {
          call(i, base, command, w + 1);
          break;
        }
        // A prompt, or who runs it.
        if (program != "$" && program != "sudo" && program != ">" && program != "time") break;
      }
    }
  }

  void call(std::size_t i, std::size_t base, const ShellCommand& command, std::size_t at) {
    std::string_view verb;
    const ShellWord* manifest = nullptr;
    for (std::size_t w = at; w < command.words.size(); ++w) {
      const ShellWord& word = command.words[w];
      const std::string_view plain = plain_text(word);
      cluster_named(i, base, word);
      if (plain == "--") return;
      if (verb == "run" && is_gone_from_run(word)) {
        report("kubectl-run-option-gone", i, base, word,
               "kubectl run has no " + in_ticks(option_of(word)) + " any more");
        return;
      }
      if (verb.empty() && !plain.empty() && !plain.starts_with('-')) {
        verb = plain;
      } else if (takes_manifest(plain) && w + 1 < command.words.size()) {
        manifest = &command.words[++w];
        given(i, base, verb, *manifest);
      } else if (takes_word(plain)) {
        if (++w < command.words.size()) cluster_named(i, base, command.words[w]);
      } else if (manifest != nullptr && takes_manifests(verb) && !plain.starts_with('-') && is_manifest_name(plain)) {
        report("kubectl-file-behind-file", i, base, word,
               "`" + std::string(plain) + "` is given to kubectl without `-f`, behind `" +
                   std::string(plain_text(*manifest)) + "`");
        return;
      }
    }
  }

  static bool takes_manifests(std::string_view verb) { return makes_objects(verb) || verb == "delete"; }

  void given(std::size_t i, std::size_t base, std::string_view verb, const ShellWord& word) {
    const std::string_view path = plain_text(word);
    if (path.empty() || !takes_manifests(verb) || contains(path, "://")) return;
    if (contains(path, "*")) return expanded(i, base, word, path);
    if (verb != "apply" || !is_manifest_name(path) || !is_plain_path(path)) return;
    const std::optional<std::size_t> file = file_at(i, path);
    if (!file || !leaves_all_names(text(*file))) return;
    // A guide that knows of it may show what fails.
    if (contains(text(i), "generateName") || contains(text(i), "generate name")) return;
    report("kubectl-applies-generated-name", i, base, word,
           "no object of `" + inputs_.files[*file].context.path + "` has a name, and kubectl apply wants one");
  }

  /// `-f k8s/*.yaml`: one word to who writes it, and several to kubectl.
  void expanded(std::size_t i, std::size_t base, const ShellWord& word, std::string_view pattern) {
    if (word.parts.front().quoted || pattern.find_first_of("[]{}?~<>") != pattern.npos || pattern.starts_with('/'))
      return;
    const std::size_t slash = pattern.rfind('/');
    const std::string_view folder = slash == pattern.npos ? std::string_view() : pattern.substr(0, slash);
    const std::string_view name = pattern.substr(slash + 1);  // npos + 1 is 0
    if (contains(folder, "*") || !contains(name, ".") || contains(name, "**")) return;
    if (changes_folder(text(i))) return;
    for (const std::string& around : folders_around(folder_of(inputs_.files[i].context.path))) {
      const std::string there = joined_path(around, folder.empty() ? "." : folder);
      const std::size_t count = count_in(there == "." ? "" : there, name);
      if (count == 0) continue;
      if (count > 1)
        report("kubectl-file-behind-file", i, base, word,
               "the shell makes " + std::to_string(count) + " files of `" + std::string(pattern) +
                   "`, and kubectl reads the first of them as its `-f`");
      return;
    }
  }

  /// The files of a folder that the shell takes for a pattern.
  std::size_t count_in(const std::string& folder, std::string_view pattern) {
    if (by_folder_.empty()) {
      for (const InputFile& file : inputs_.files)
        by_folder_[folder_of(file.context.path)].push_back(last_part(file.context.path));
    }
    const auto [known, fresh] = counts_.try_emplace({folder, std::string(pattern)});
    if (!fresh) return known->second;
    const auto names = by_folder_.find(folder);
    const auto is_taken = [&](std::string_view name) {
      return (!name.starts_with('.') || pattern.starts_with('.')) && glob_matches(pattern, name);
    };
    if (names != by_folder_.end())
      known->second = static_cast<std::size_t>(std::ranges::count_if(names->second, is_taken));
    return known->second;
  }

  /// From the folder of who names it up; a guide may have changed its folder.
  std::optional<std::size_t> file_at(std::size_t i, std::string_view path) const {
    for (const std::string& folder : folders_around(folder_of(inputs_.files[i].context.path))) {
      if (const auto there = names_.at(joined_path(folder, path))) return there;
    }
    const std::vector<std::size_t>& known = names_.called(last_part(path));
    if (known.size() != 1 || contains(path, "..")) return std::nullopt;
    const std::string_view there = inputs_.files[known.front()].context.path;
    std::string_view end = path;
    while (end.starts_with("./")) end.remove_prefix(2);
    return there == end || there.ends_with("/" + std::string(end)) ? std::optional(known.front()) : std::nullopt;
  }

  /// KubeRay makes a cluster of a RayJob under a name with letters behind it that nobody knows before.
  void cluster_named(std::size_t i, std::size_t base, const ShellWord& word) {
    std::string_view name = plain_text(word);
    if (name.ends_with(kHeadService)) {
      name = name.substr(name.find('/') + 1);  // svc/, service/
      name.remove_suffix(kHeadService.size());
    } else {
      const std::size_t label = name.find("ray.io/cluster=");
      if (label == name.npos) return;
      name = name.substr(label + 15);
      name = name.substr(0, name.find(','));
    }
    const auto job = ray_jobs_.find(name);
    if (job == ray_jobs_.end() || ray_clusters_.contains(name)) return;
    report("ray-cluster-name-guessed", i, base, word,
           "`" + std::string(name) + "` is a RayJob: its RayCluster, and what is named for that, is called `" +
               std::string(name) + "-` and letters that KubeRay draws");
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  InputNames names_;
  std::map<std::string_view, std::vector<std::string_view>> by_folder_;  ///< names; once a pattern is given
  std::map<std::pair<std::string, std::string>, std::size_t> counts_;    ///< by folder and pattern
  std::set<std::string, std::less<>> ray_jobs_;
  std::set<std::string, std::less<>> ray_clusters_;  ///< and RayServices, whose head has a Service of their name
  std::size_t before_ = findings_.size();
};

}  // namespace

void find_kubectl_slips(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  KubectlCalls(inputs, model, findings).run();
}

}  // namespace muster
