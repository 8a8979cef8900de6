#include "pipeline/application_folders.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "syntax/placeholder.h"

namespace muster {
namespace {

/// What a folder may have that nothing is made of.
bool is_no_manifest(std::string_view path) {
  return path.ends_with(".md") || path.ends_with("/.gitkeep") || path.ends_with("/.gitignore");
}

bool is_some_manifest(std::string_view path, std::string_view text) {
  return (path.ends_with(".yaml") || path.ends_with(".yml")) && contains(text, "apiVersion:") &&
         contains(text, "kind:");
}

bool ends_in_folder(std::string_view folder, std::string_view path) {
  return folder.ends_with(path) && (folder.size() == path.size() || folder[folder.size() - path.size() - 1] == '/');
}

/// `https://github.com/your-org/deploy`: whoever copies the repository writes his own name there.
bool has_owner_to_fill_in(std::string_view repository) {
  constexpr std::array<std::string_view, 16> kOwners{
      "acme", "example", "example-org", "exampleorg", "my-org",   "my-user",   "myorg",   "myuser",
      "org",  "owner",   "user",        "username",   "your-org", "your-user", "yourorg", "yourusername"};
  if (is_placeholder(repository)) return true;
  const std::vector<std::string_view> parts = split(repository, '/');
  if (parts.size() < 2) return false;
  std::string_view owner = parts[parts.size() - 2];
  owner.remove_prefix(owner.rfind(':') + 1);  // git@host:owner/name; npos + 1 is 0
  const std::string name = to_lower(owner);
  return std::ranges::find(kOwners, name) != kOwners.end() || name.starts_with("your-") || name.starts_with("<");
}

constexpr std::size_t kMostPaths = 2000;  // that are looked for

/// The folder that an Application names, from the top of its repository; empty: the top.
std::string_view folder_named(const Manifest& application) {
  std::string_view folder = application.part("path").text();
  while (folder.starts_with("./")) folder.remove_prefix(2);
  while (folder.ends_with('/')) folder.remove_suffix(1);
  return folder == "." ? std::string_view() : folder;
}

class BareFolders {
 public:
  explicit BareFolders(const Inputs& inputs) : inputs_(inputs) {
    for (std::size_t i = 0; i < inputs.files.size(); ++i) {
      const std::string_view path = inputs.files[i].context.path;
      for (std::string_view at = folder_of(path); !at.empty(); at = folder_of(at)) folders_.insert(at);
      if (!is_no_manifest(path)) filled_.insert(folder_of(path));
      if (!is_some_manifest(path, inputs.sources.file(static_cast<FileId>(i)).text())) continue;
      for (std::string_view at = folder_of(folder_of(path)); !at.empty(); at = folder_of(at)) above_.insert(at);
    }
    for (const auto* list : {&inputs.foreign, &inputs.too_large, &inputs.ignored, &inputs.excluded}) {
      for (const std::string& path : *list) {
        if (!is_no_manifest(path)) filled_.insert(folder_of(path));
      }
    }
  }

  /// The path from the top of a repository is one folder of the input, with manifests below it alone.
  bool is_bare(std::string_view path) const {
    const auto fits = [&](std::string_view folder) { return ends_in_folder(folder, path); };
    const auto folder = std::ranges::find_if(folders_, fits);
    if (folder == folders_.end() || std::ranges::count_if(folders_, fits) > 1) return false;
    return !filled_.contains(*folder) && above_.contains(*folder);
  }

  /// Whether its repository is the one of the input: another Application takes a folder of it that has manifests, or
  /// its owner is to be filled in.
  bool is_of_input(const Manifest& application) const {
    const std::string_view repository = application.part("repository").text();
    return own_.contains(repository) || has_owner_to_fill_in(repository);
  }
  void learn(const Manifest& application, std::string_view folder) {
    const std::string_view repository = application.part("repository").text();
    const auto is_filled = [&](std::string_view one) { return ends_in_folder(one, folder) && filled_.contains(one); };
    if (repository.empty() || own_.contains(repository) || (looks_ += folders_.size()) > kMostLooksAtFolders) return;
    if (std::ranges::any_of(folders_, is_filled)) own_.insert(repository);
  }

  /// Whether the file that says so speaks of what else may make manifests.
  bool goes_further(FileId file) const {
    const std::string_view text = inputs_.sources.file(file).text();
    return contains(text, "recurse") || contains(text, "plugin:");
  }

 private:
  static constexpr std::uint64_t kMostLooksAtFolders = 5'000'000;

  const Inputs& inputs_;
  std::set<std::string_view> own_;  ///< repositories that the input is, as far as that can be told
  std::uint64_t looks_ = 0;
  std::set<std::string_view> folders_;
  std::set<std::string_view> filled_;  ///< with a file of their own
  std::set<std::string_view> above_;   ///< with manifests in the folders below
};

}  // namespace

void find_bare_folders(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  const ManifestDef* releases = &manifest_def("helm_releases");
  const auto of_folder = [&](const Manifest& one) {
    return one.def == releases && one.kind == "Application" && one.part("path").is_text() &&
           one.part("chart").text().empty();
  };
  if (std::ranges::none_of(model.manifests, of_folder)) return;
  BareFolders folders(inputs);
  for (const Manifest& one : model.manifests) {
    if (of_folder(one) && !folder_named(one).empty()) folders.learn(one, folder_named(one));
  }
  std::set<Span> said;
  std::map<std::string, bool, std::less<>> bare;  // by path
  std::map<FileId, bool> further;
  for (const Manifest& one : model.manifests) {
    if (!of_folder(one)) continue;
    const WrittenValue& path = one.part("path");
    const std::string_view folder = folder_named(one);
    if (folder.empty() || !path.where.placed()) continue;
    const auto [known, fresh] = bare.try_emplace(std::string(folder));
    if (fresh) known->second = bare.size() <= kMostPaths && folders.is_bare(folder);
    if (!known->second) continue;
    const auto [speaks, first] = further.try_emplace(path.where.file);
    if (first) speaks->second = folders.goes_further(path.where.file);
    if (speaks->second || !folders.is_of_input(one) || !said.insert(path.where).second) continue;
    findings.push_back(problem("application-folder-without-manifests", path.where,
                               "`" + std::string(folder) + "` has no manifest of its own, and Application `" +
                                   one.name.value + "` does not look into the folders below"));
  }
}

namespace {

constexpr std::array<std::string_view, 24> kClusterKinds{"APIService",
                                                         "ClusterIssuer",
                                                         "ClusterPolicy",
                                                         "ClusterQueue",
                                                         "ClusterRole",
                                                         "ClusterRoleBinding",
                                                         "ClusterSecretStore",
                                                         "CustomResourceDefinition",
                                                         "DeviceClass",
                                                         "EC2NodeClass",
                                                         "GatewayClass",
                                                         "IngressClass",
                                                         "MutatingWebhookConfiguration",
                                                         "Namespace",
                                                         "NodePool",
                                                         "PersistentVolume",
                                                         "PriorityClass",
                                                         "ResourceFlavor",
                                                         "RuntimeClass",
                                                         "StorageClass",
                                                         "ValidatingAdmissionPolicy",
                                                         "ValidatingAdmissionPolicyBinding",
                                                         "ValidatingWebhookConfiguration",
                                                         "WorkloadPriorityClass"};
/// Charts that make roles and definitions of the cluster, whatever their values are.
constexpr std::array<std::string_view, 10> kClusterCharts{"cert-manager",
                                                          "gpu-operator",
                                                          "keda",
                                                          "kube-prometheus-stack",
                                                          "kuberay-operator",
                                                          "kueue",
                                                          "network-operator",
                                                          "node-feature-discovery",
                                                          "nvidia-dra-driver-gpu",
                                                          "volcano"};

struct ProjectPlace {
  std::size_t file = 0;
  std::string_view text;
};

struct ArgoProject {
  std::optional<ProjectPlace> name;  ///< of the first
  bool allows = false;               ///< one of that name lists kinds of the cluster
};

struct ArgoApplication {
  std::string_view name;
  std::string_view project;
  std::string_view folder;      ///< empty: none
  std::string_view chart;       ///< empty: none
  std::string_view repository;  ///< without `.git`
};

/// What Applications take of a repository.
struct ArgoRepository {
  std::set<std::string_view> folders;
  bool found = true;  ///< all of them are in the input
};

/// What stands behind a key of YAML in blocks: in its line, or in the lines below it.
struct BlockPart {
  std::string_view value;
  std::string_view lines;
};

/// A word without the comment behind it and its quotes.
std::string_view plain_word(std::string_view written) {
  written = trim(written.substr(0, written.find(" #")));
  if (written.size() > 1 && (written.front() == '"' || written.front() == '\''))
    written = written.substr(1, written.size() - 2);
  return written;
}

/// Of the keys that stand as far to the left as the first one. That of a list: of the first item that has it.
BlockPart part_of(std::string_view block, std::string_view key) {
  constexpr std::size_t kUnknown = std::string_view::npos;
  std::size_t own = kUnknown;
  std::size_t begun = kUnknown;  // behind the line of the key
  BlockPart out;
  for (std::size_t at = 0; at < block.size();) {
    const std::size_t end = std::min(block.find('\n', at), block.size());
    const std::string_view line = block.substr(at, end - at);
    const std::string_view words = trim(line);
    const std::size_t line_begin = at;
    at = end + 1;
    if (words.empty() || words.front() == '#' || words.starts_with("---")) continue;
    const bool item = words.starts_with("- ");
    const std::size_t blanks = line.find_first_not_of(' ');
    const std::size_t indent = blanks + (item ? 2 : 0);
    if (own == kUnknown) own = indent;
    if (begun != kUnknown) {
      if (indent > own || (item && blanks == own)) continue;
      out.lines = block.substr(begun, line_begin - begun);
      return out;
    }
    const std::string_view written = item ? trim(words.substr(2)) : words;
    if (indent != own || !written.starts_with(key) || !written.substr(key.size()).starts_with(':')) continue;
    out.value = plain_word(written.substr(key.size() + 1));
    begun = std::min(at, block.size());
  }
  if (begun != kUnknown) out.lines = block.substr(begun);
  return out;
}

/// The word behind `kind:` at the left of a document.
std::string_view kind_written(std::string_view document) {
  std::size_t at = document.starts_with("kind: ") ? 0 : document.find("\nkind: ");
  if (at == document.npos) return {};
  at += document[at] == '\n' ? 1 : 0;
  const std::string_view rest = document.substr(at + 6);
  return trim(rest.substr(0, rest.find_first_of(" #\r\n")));
}

class DenyingProjects {
 public:
  DenyingProjects(const Inputs& inputs, std::vector<Finding>& findings) : inputs_(inputs), findings_(findings) {}

  void run() {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      if (!is_manifest(i) || !contains(text(i), "argoproj.io/")) continue;
      each_document(i, [&](std::string_view document) { note(i, document); });
    }
    if (projects_.empty() || applications_.empty()) return;
    for (std::size_t i = 0; i < inputs_.files.size(); ++i)
      folders_[folder_of(inputs_.files[i].context.path)].push_back(i);
    for (const ArgoApplication& one : applications_) learn(one);
    for (const ArgoApplication& one : applications_) {
      const auto found = projects_.find(one.project);
      if (found == projects_.end() || found->second.allows || !found->second.name) continue;
      const std::optional<ProjectPlace> made =
          one.chart.empty() && is_of_input(one.repository) ? made_in(one.folder) : std::nullopt;
      const bool chart = std::ranges::find(kClusterCharts, one.chart) != kClusterCharts.end();
      if (!made && !chart) continue;
      report(*found->second.name, one, made);
      found->second.allows = true;  // once
    }
  }

 private:
  static constexpr std::uint64_t kMostLooks = 5'000'000;  // at folders

  std::string_view text(std::size_t i) const { return inputs_.sources.file(static_cast<FileId>(i)).text(); }

  bool is_manifest(std::size_t i) const {
    return is_yaml_file(inputs_.files[i].context.path) && inputs_.files[i].reading == Reading::Whole &&
           !contains(text(i), "{{");
  }

  template <class Visit>
  void each_document(std::size_t i, Visit visit) const {
    const std::string_view all = text(i);
    for (std::size_t begin = 0; begin < all.size();) {
      const std::size_t end = std::min(all.find("\n---", begin), all.size());
      visit(all.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  void note(std::size_t i, std::string_view document) {
    const std::string_view kind = kind_written(document);
    if (kind == "AppProject") {
      const std::string_view name = part_of(part_of(document, "metadata").lines, "name").value;
      if (name.empty()) return;
      ArgoProject& project = projects_[name];
      project.allows = project.allows || contains(document, "clusterResourceWhitelist");
      if (!project.name) project.name = ProjectPlace{i, name};
    } else if (kind == "Application") {
      const std::string_view spec = part_of(document, "spec").lines;
      const std::string_view sources = part_of(spec, "sources").lines;
      const std::string_view source = sources.empty() ? part_of(spec, "source").lines : sources;
      ArgoApplication out{part_of(part_of(document, "metadata").lines, "name").value, part_of(spec, "project").value,
                          part_of(source, "path").value, part_of(source, "chart").value,
                          part_of(source, "repoURL").value};
      const std::size_t first = source.find("repoURL:");
      if (first != source.npos && contains(source.substr(first + 1), "repoURL:")) out.folder = {};  // of which one?
      while (out.folder.starts_with("./")) out.folder.remove_prefix(2);
      while (out.folder.ends_with('/')) out.folder.remove_suffix(1);
      if (out.folder == "." || contains(out.folder, "*")) out.folder = {};
      while (out.repository.ends_with('/')) out.repository.remove_suffix(1);
      if (out.repository.ends_with(".git")) out.repository.remove_suffix(4);
      applications_.push_back(out);
    }
  }

  /// Folders of the input that end in that path; none once too many were asked for.
  const std::vector<std::string_view>& folders_at(std::string_view path) {
    const auto [known, fresh] = at_.try_emplace(path);
    if (!fresh || path.empty() || (looks_ += folders_.size()) > kMostLooks) return known->second;
    for (const auto& [folder, files] : folders_) {
      if (ends_in_folder(folder, path)) known->second.push_back(folder);
    }
    return known->second;
  }

  void learn(const ArgoApplication& one) {
    if (one.folder.empty()) return;
    ArgoRepository& repository = repositories_[one.repository];
    repository.folders.insert(one.folder);
    repository.found = repository.found && !folders_at(one.folder).empty();
  }

  /// Whether its repository is the one of the input: it has all folders that Applications take of it, and more than
  /// one. `deploy` alone is in many.
  bool is_of_input(std::string_view repository) const {
    const auto found = repositories_.find(repository);
    return found != repositories_.end() && found->second.found && found->second.folders.size() > 1;
  }

  /// An object of the cluster in a folder that is the only one of that path, and no chart.
  std::optional<ProjectPlace> made_in(std::string_view folder) {
    const std::vector<std::string_view>& folders = folders_at(folder);
    if (folders.size() != 1) return std::nullopt;
    const auto [known, fresh] = made_.try_emplace(folder);
    auto& place = known->second;
    if (!fresh) return place;
    const std::vector<std::size_t>& files = folders_.at(folders.front());
    std::optional<std::set<std::string_view>> listed;  // by a kustomization
    for (const std::size_t i : files) {
      const std::string_view name = last_part(inputs_.files[i].context.path);
      if (name == "Chart.yaml") return std::nullopt;
      if (name == "kustomization.yaml" || name == "kustomization.yml") listed = listed_in(text(i));
    }
    for (const std::size_t i : files) {
      if (!is_manifest(i) || (listed && !listed->contains(last_part(inputs_.files[i].context.path)))) continue;
      each_document(i, [&](std::string_view document) {
        const std::string_view kind = kind_written(document);
        if (!place && std::ranges::find(kClusterKinds, kind) != kClusterKinds.end() &&
            contains(document, "apiVersion: ") && !contains(document, "$patch"))
          place = ProjectPlace{i, kind};
      });
      if (place) break;
    }
    return place;
  }

  /// Items of `resources` of a kustomization.
  static std::set<std::string_view> listed_in(std::string_view kustomization) {
    std::set<std::string_view> out;
    const auto add = [&](std::string_view written) {
      std::string_view name = plain_word(written);
      if (name.starts_with("./")) name.remove_prefix(2);
      out.insert(name);
    };
    const BlockPart resources = part_of(kustomization, "resources");
    if (resources.value.starts_with('[') && resources.value.ends_with(']')) {
      for (const std::string_view one : split(resources.value.substr(1, resources.value.size() - 2), ','))
        add(trim(one));
    }
    for (const std::string_view line : split(resources.lines, '\n')) {
      if (trim(line).starts_with("- ")) add(trim(line).substr(2));
    }
    return out;
  }

  void report(const ProjectPlace& project, const ArgoApplication& application,
              const std::optional<ProjectPlace>& made) {
    findings_.push_back(problem(
        "application-project-denies-kind",
        span_of_part(static_cast<FileId>(project.file), text(project.file), project.text),
        "project `" + std::string(project.text) + "` lists no kinds of the cluster, and Application `" +
            std::string(application.name) + "` makes " +
            (made ? "a " + std::string(made->text) : "those of the chart `" + std::string(application.chart) + "`")));
    if (made)
      findings_.back().related.push_back(
          {span_of_part(static_cast<FileId>(made->file), text(made->file), made->text), "it makes this"});
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  std::map<std::string_view, ArgoProject> projects_;
  std::vector<ArgoApplication> applications_;
  std::map<std::string_view, std::vector<std::size_t>> folders_;  ///< files by folder
  std::map<std::string_view, std::vector<std::string_view>> at_;  ///< folders by path
  std::map<std::string_view, ArgoRepository> repositories_;
  std::uint64_t looks_ = 0;
  std::map<std::string_view, std::optional<ProjectPlace>> made_;  ///< by folder
};

}  // namespace

void find_denying_projects(const Inputs& inputs, std::vector<Finding>& findings) {
  DenyingProjects(inputs, findings).run();
}

}  // namespace muster
