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
  std::string_view folder;  ///< empty: none
  std::string_view chart;   ///< empty: none
};

/// The value of the first line `key: value` of a document.
std::string_view first_value(std::string_view document, std::string_view key) {
  std::string_view out;
  some_line_with(document, key, [&](std::string_view line) {
    std::string_view words = trim(line);
    if (words.starts_with("- ")) words = trim(words.substr(2));
    if (!words.starts_with(key)) return false;
    words = trim(words.substr(key.size()));
    words = trim(words.substr(0, words.find(" #")));
    if (words.size() > 1 && (words.front() == '"' || words.front() == '\'')) words = words.substr(1, words.size() - 2);
    out = words;
    return !out.empty();
  });
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
    for (const ArgoApplication& one : applications_) {
      const auto found = projects_.find(one.project);
      if (found == projects_.end() || found->second.allows || !found->second.name) continue;
      const std::optional<ProjectPlace> made = one.chart.empty() ? made_in(one.folder) : std::nullopt;
      const bool chart = std::ranges::find(kClusterCharts, one.chart) != kClusterCharts.end();
      if (!made && !chart) continue;
      report(*found->second.name, one, made);
      found->second.allows = true;  // once
    }
  }

 private:
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
      const std::string_view name = first_value(document, "name:");
      if (name.empty()) return;
      ArgoProject& project = projects_[name];
      project.allows = project.allows || contains(document, "clusterResourceWhitelist");
      if (!project.name) project.name = ProjectPlace{i, name};
    } else if (kind == "Application") {
      applications_.push_back({first_value(document, "name:"), first_value(document, "project:"),
                               first_value(document, "path:"), first_value(document, "chart:")});
    }
  }

  /// An object of the cluster in a folder that is the only one of that path, and no chart.
  std::optional<ProjectPlace> made_in(std::string_view folder) {
    while (folder.starts_with("./")) folder.remove_prefix(2);
    while (folder.ends_with('/')) folder.remove_suffix(1);
    if (folder.empty() || folder == "." || contains(folder, "*")) return std::nullopt;
    const auto [known, fresh] = made_.try_emplace(folder);
    if (!fresh) return known->second;
    std::set<std::string_view> folders;
    std::vector<std::size_t> files;
    std::string_view listed;  // by a kustomization
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view own = folder_of(inputs_.files[i].context.path);
      const bool ends =
          own.ends_with(folder) && (own.size() == folder.size() || own[own.size() - folder.size() - 1] == '/');
      if (!ends) continue;
      folders.insert(own);
      files.push_back(i);
      const std::string_view name = last_part(inputs_.files[i].context.path);
      if (name == "Chart.yaml") return std::nullopt;
      if (name == "kustomization.yaml" || name == "kustomization.yml") listed = text(i);
    }
    if (folders.size() != 1) return std::nullopt;
    for (const std::size_t i : files) {
      if (!is_manifest(i) || (!listed.empty() && !contains(listed, last_part(inputs_.files[i].context.path)))) continue;
      each_document(i, [&](std::string_view document) {
        const std::string_view kind = kind_written(document);
        if (!known->second && std::ranges::find(kClusterKinds, kind) != kClusterKinds.end() &&
            contains(document, "apiVersion: ") && !contains(document, "$patch"))
          known->second = ProjectPlace{i, kind};
      });
      if (known->second) break;
    }
    return known->second;
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
  std::map<std::string_view, std::optional<ProjectPlace>> made_;  ///< by folder
};

}  // namespace

void find_denying_projects(const Inputs& inputs, std::vector<Finding>& findings) {
  DenyingProjects(inputs, findings).run();
}

}  // namespace muster
