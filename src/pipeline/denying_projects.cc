#include "pipeline/denying_projects.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/argo_objects.h"
#include "pipeline/input_names.h"
#include "syntax/yaml_reader.h"

namespace muster {
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
/// Charts that make roles and definitions of the cluster, unless their values say otherwise.
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

struct ProjectWord {
  Span where;
  std::string text;
};

struct ArgoProject {
  std::optional<ProjectWord> name;  ///< of the first
  bool allows = false;              ///< one of that name lists kinds of the cluster
};

struct ArgoApplication {
  std::string name;
  std::string project;
  std::string folder;  ///< empty: none, or not all of it
  std::string chart;   ///< that makes something of the cluster; empty: none
  std::string repository;
};

/// What Applications take of a repository.
struct ArgoRepository {
  std::set<std::string_view> folders;
  bool found = true;  ///< all of them are in the input
};

/// Whether values, or what Helm is told, may keep a chart from what it makes of the cluster: `skipCrds`,
/// `singleNamespaceInstall`, `rbac: {create: false}`, `crds.install=false`, or a file of values that is not here.
bool may_leave_out_roles(std::string_view helm) {
  constexpr std::array<std::string_view, 4> kOthers{"skipCrds", "singleNamespaceInstall", "valueFiles",
                                                    "fileParameters"};
  const auto has = [&](std::string_view word) { return contains(helm, word); };
  return std::ranges::any_of(kOthers, has) || (has("false") && (has("create") || has("install")));
}

std::string without_git(std::string_view repository) {
  while (repository.ends_with('/')) repository.remove_suffix(1);
  if (repository.ends_with(".git")) repository.remove_suffix(4);
  return std::string(repository);
}

class DenyingProjects {
 public:
  DenyingProjects(const Inputs& inputs, std::vector<Finding>& findings) : inputs_(inputs), findings_(findings) {}

  void run() {
    const auto wants = [](std::string_view written) {
      return (contains(written, "AppProject") || contains(written, "Application")) && !contains(written, "{{");
    };
    each_argo_object(inputs_, wants, [&](FileId file, std::string_view, const Node& object) { note(file, object); });
    if (projects_.empty() || applications_.empty()) return;
    for (std::size_t i = 0; i < inputs_.files.size(); ++i)
      folders_[folder_of(inputs_.files[i].context.path)].push_back(i);
    for (const ArgoApplication& one : applications_) learn(one);
    for (const ArgoApplication& one : applications_) {
      const auto found = projects_.find(one.project);
      if (found == projects_.end() || found->second.allows || !found->second.name) continue;
      const std::optional<ProjectWord> made = is_of_input(one.repository) ? made_in(one.folder) : std::nullopt;
      if (!made && one.chart.empty()) continue;
      report(*found->second.name, one, made);
      found->second.allows = true;  // once
    }
  }

 private:
  static constexpr std::uint64_t kMostLooks = 5'000'000;  // at folders

  std::string_view text(std::size_t i) const { return inputs_.sources.file(static_cast<FileId>(i)).text(); }

  void note(FileId file, const Node& object) {
    const Node name = object["metadata"]["name"];
    const Node spec = object["spec"];
    if (object["kind"].text() == "AppProject" && !name.text().empty()) {
      ArgoProject& project = projects_[std::string(name.text())];
      const Node list = spec["clusterResourceWhitelist"];
      const bool none = !list.exists() || list.is_null() || (list.is_sequence() && list.size() == 0);
      project.allows = project.allows || !none || spec["<<"].exists();
      if (!project.name) project.name = ProjectWord{name.where(), std::string(name.text())};
    }
    if (object["kind"].text() != "Application") return;
    const std::vector<Node> sources = sources_of_application(spec);
    for (const Node& source : sources) {
      ArgoApplication out{std::string(name.text()), std::string(spec["project"].text()), "", "",
                          without_git(source["repoURL"].text())};
      const std::string_view folder = folder_of_application(source["path"].text());
      const Node directory = source["directory"];
      const bool whole = !directory["include"].exists() && !directory["exclude"].exists() && !source["plugin"].exists();
      if (sources.size() == 1 && whole && !contains(folder, "*")) out.folder = folder;
      const std::string_view chart = source["chart"].text();
      if (std::ranges::find(kClusterCharts, chart) != kClusterCharts.end() && !is_told(file, source["helm"]))
        out.chart = chart;
      if (!chart.empty()) out.folder.clear();
      applications_.push_back(std::move(out));
    }
  }

  bool is_told(FileId file, const Node& helm) const {
    if (!helm.exists()) return false;
    const Span where = helm.where();
    return where.file != file ||
           may_leave_out_roles(inputs_.sources.file(file).text().substr(where.begin, where.end - where.begin));
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
  std::optional<ProjectWord> made_in(std::string_view folder) {
    const std::vector<std::string_view>& folders = folders_at(folder);
    if (folders.size() != 1) return std::nullopt;
    const auto [known, fresh] = made_.try_emplace(folder);
    if (fresh) known->second = first_of_cluster(folders_.at(folders.front()));
    return known->second;
  }

  std::optional<ProjectWord> first_of_cluster(const std::vector<std::size_t>& files) const {
    std::optional<std::set<std::string>> listed;  // by a kustomization
    for (const std::size_t i : files) {
      const std::string_view name = last_part(inputs_.files[i].context.path);
      if (name == "Chart.yaml") return std::nullopt;
      if (name == "kustomization.yaml" || name == "kustomization.yml") listed = listed_in(static_cast<FileId>(i));
    }
    for (const std::size_t i : files) {
      const std::string_view path = inputs_.files[i].context.path;
      if (!is_yaml_file(path) || inputs_.files[i].reading != Reading::Whole || contains(text(i), "{{") ||
          (listed && !listed->contains(std::string(last_part(path)))))
        continue;
      for (const Span& piece : split_yaml_documents(static_cast<FileId>(i), text(i))) {
        if (std::optional<ProjectWord> made = of_cluster(piece)) return made;
      }
    }
    return std::nullopt;
  }

  /// The kind of an object that belongs to the cluster.
  std::optional<ProjectWord> of_cluster(const Span& piece) const {
    const std::string_view all = inputs_.sources.file(piece.file).text();
    const std::string_view written = all.substr(piece.begin, piece.end - piece.begin);
    const auto has = [&](std::string_view kind) { return contains(written, kind); };
    if (!std::ranges::any_of(kClusterKinds, has) || has("$patch")) return std::nullopt;
    Document document;
    std::vector<Finding> ignored;
    if (!read_yaml(all, piece, document, ignored) || !document.root()["apiVersion"].exists()) return std::nullopt;
    const Node kind = document.root()["kind"];
    if (std::ranges::find(kClusterKinds, kind.text()) == kClusterKinds.end()) return std::nullopt;
    return ProjectWord{kind.where(), std::string(kind.text())};
  }

  /// Items of `resources` of a kustomization.
  std::set<std::string> listed_in(FileId file) const {
    std::set<std::string> out;
    const std::string_view all = inputs_.sources.file(file).text();
    for (const Span& piece : split_yaml_documents(file, all)) {
      Document document;
      std::vector<Finding> ignored;
      if (!read_yaml(all, piece, document, ignored)) continue;
      const Node resources = document.root()["resources"];
      for (std::size_t i = 0; resources.is_sequence() && i < resources.size(); ++i)
        out.emplace(folder_of_application(resources.item(i).text()));
    }
    return out;
  }

  void report(const ProjectWord& project, const ArgoApplication& application, const std::optional<ProjectWord>& made) {
    findings_.push_back(problem("application-project-denies-kind", project.where,
                                "project `" + project.text + "` lists no kinds of the cluster, and Application `" +
                                    application.name + "` makes " +
                                    (made ? "a " + made->text : "those of the chart `" + application.chart + "`")));
    if (made) findings_.back().related.push_back({made->where, "it makes this"});
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  std::map<std::string, ArgoProject> projects_;
  std::vector<ArgoApplication> applications_;
  std::map<std::string_view, std::vector<std::size_t>> folders_;  ///< files by folder
  std::map<std::string_view, std::vector<std::string_view>> at_;  ///< folders by path
  std::map<std::string_view, ArgoRepository> repositories_;
  std::uint64_t looks_ = 0;
  std::map<std::string_view, std::optional<ProjectWord>> made_;  ///< by folder
};

}  // namespace

void find_denying_projects(const Inputs& inputs, std::vector<Finding>& findings) {
  DenyingProjects(inputs, findings).run();
}

}  // namespace muster
