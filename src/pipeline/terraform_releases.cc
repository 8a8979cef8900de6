#include "pipeline/terraform_releases.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "pipeline/modules_of_others.h"
#include "pipeline/terraform_constraints.h"
#include "pipeline/terraform_folders.h"
#include "pipeline/whole_input.h"
#include "syntax/hcl_blocks.h"

namespace muster {
namespace {

constexpr std::string_view kHelmRule = "terraform-helm-of-other-release";
constexpr std::string_view kEksRule = "terraform-eks-of-other-release";
constexpr std::string_view kOldExec = "client.authentication.k8s.io/v1alpha1";

/// What a provider may be, as one folder of Terraform says it.
struct Wanted {
  std::string_view text;
  FileId file = FileId::None;
};

class TerraformReleases {
 public:
  TerraformReleases(const Inputs& inputs, TerraformGiven& given, std::vector<Finding>& findings)
      : inputs_(inputs), given_(given), findings_(findings) {}

  void run() {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view path = inputs_.files[i].context.path;
      if (inputs_.files[i].reading != Reading::Whole) continue;
      if (path.ends_with(".terraform.lock.hcl")) locks_.push_back(static_cast<FileId>(i));
      if (is_yaml_file(path)) old_credentials(static_cast<FileId>(i));
      if (is_yaml_file(path)) eksctl_version(static_cast<FileId>(i));
      if (path.ends_with(".ts") || path.ends_with(".py")) cdk_version(static_cast<FileId>(i));
      // What makes the folder's file of releases: Terragrunt, a template, JSON.
      const bool other = path.ends_with(".hcl") || path.ends_with(".tofu") || path.ends_with(".tf.json") ||
                         path.ends_with(".tftpl") || path.ends_with(".tmpl");
      bounded_ = bounded_ || (other && contains(text(static_cast<FileId>(i)), "hashicorp/helm"));
      if (!path.ends_with(".tf")) continue;
      // A module of others that keeps the provider itself.
      bounded_ = bounded_ || contains(text(static_cast<FileId>(i)), "aws-ia/eks-blueprints-addons/aws");
      folders_[inputs_.files[i].context.folder].push_back(static_cast<FileId>(i));
    }
    for (const auto& [folder, files] : folders_) {
      for (const FileId file : files) note_providers(folder, file);
    }
    for (const FileId lock : locks_) note_lock(lock);
    for (const auto& [folder, files] : folders_) {
      for (const FileId file : files) {
        judge(folder, file);
        if (!old_clients_.contains(folder)) old_credentials(file);
      }
      versions(files);
    }
  }

 private:
  std::string_view text(FileId file) const { return inputs_.sources.file(file).text(); }

  void report(std::string_view rule, FileId file, std::string_view at, std::string message) {
    findings_.push_back(problem(rule, span_of_part(file, text(file), at), std::move(message)));
  }

  /// Source: kubernetes/client-go:plugin/pkg/client/auth/exec/exec.go, apiVersions (1.24).
  void old_credentials(FileId file) {
    const std::string_view all = text(file);
    const bool terraform = inputs_.files[static_cast<std::size_t>(file)].context.path.ends_with(".tf");
    std::string_view found;
    some_line_with(all, kOldExec, [&](std::string_view line) {
      if (!trim(line).starts_with(terraform ? "api_version" : "apiVersion:")) return false;
      found = line.substr(line.find(kOldExec), kOldExec.size());
      return true;
    });
    if (found.empty()) return;
    report("exec-credential-version-gone", file, found,
           "clients of Kubernetes 1.24 and later take no credentials of `" + std::string(kOldExec) + "`");
  }

  /// Whether a constraint keeps a provider to releases of 2022 and before, which may have an older client.
  static bool is_of_old_client(std::string_view provider, std::string_view constraint) {
    const std::int64_t first = provider == "kubernetes" ? 17 : 9;  // of release 2
    constraint = trim(constraint);
    if (contains(constraint, ",")) return contains(constraint, "<");
    const bool exact = constraint.starts_with("~>");
    std::string_view number = trim(constraint.substr(exact ? 2 : 0));
    if (number.starts_with('=')) number = trim(number.substr(1));
    const std::vector<std::string_view> parts = split(number, '.');
    const std::optional<std::int64_t> major = parse_int(parts[0]);
    if (!major || *major > 2 || constraint.starts_with('>')) return false;
    if (*major < 2 || constraint.starts_with('<')) return true;
    const std::optional<std::int64_t> minor = parts.size() > 1 ? parse_int(parts[1]) : std::nullopt;
    return minor && *minor < first && (!exact || parts.size() > 2);
  }

  /// What a folder says of its providers: in `required_providers`, with or without a source, in a text alone, or in the
  /// block of the provider.
  void note_providers(const std::string& folder, FileId file) {
    const std::string_view all = text(file);
    if (!contains(all, "required_providers") && !contains(all, "provider \"helm\"") &&
        !contains(all, "provider \"kubernetes\""))
      return;
    std::size_t left = hcl_steps(all);
    for (const HclTopBlock& one : top_hcl_blocks(all, left)) {
      if (one.word == "provider" && (one.labels[0] == "helm" || one.labels[0] == "kubernetes"))
        note_provider(folder, file, one.labels[0],
                      unquoted_hcl(read_hcl_block(all, one.brace, left).attribute("version")));
    }
    for (const RequiredProvider& one : required_providers(all, left)) {
      const bool ours = one.name == "helm" || one.name == "kubernetes";
      if (ours && (one.source.empty() || one.source.ends_with("hashicorp/" + std::string(one.name))))
        note_provider(folder, file, one.name, one.version);
    }
  }

  /// `provider "registry.terraform.io/hashicorp/kubernetes" {version = "2.9.0"}`: the release that is taken.
  void note_lock(FileId file) {
    std::size_t left = hcl_steps(text(file));
    for (const HclTopBlock& one : top_hcl_blocks(text(file), left)) {
      const std::string_view name = last_part(one.labels[0]);
      if (one.word != "provider" || (name != "helm" && name != "kubernetes")) continue;
      const std::string_view version = unquoted_hcl(read_hcl_block(text(file), one.brace, left).attribute("version"));
      if (is_of_old_client(name, version))
        old_clients_.insert(inputs_.files[static_cast<std::size_t>(file)].context.folder);
    }
  }

  void note_provider(const std::string& folder, FileId file, std::string_view name, std::string_view constraint) {
    if (constraint.empty()) return;
    if (is_of_old_client(name, constraint)) old_clients_.insert(folder);
    if (name != "helm") return;
    helm_.try_emplace(folder, Wanted{constraint, file});
    const Majors majors = majors_of(constraint, 3, ConstraintOf::Provider);
    bounded_ = bounded_ || !majors.known || !majors.from;
  }

  void judge(const std::string& folder, FileId file) {
    const std::string_view all = text(file);
    const bool helm = !said_.contains(folder) && (contains(all, "helm_release") || contains(all, "provider \"helm\""));
    const bool eks = contains(all, kEksModule);
    if (!helm && !eks) return;
    std::size_t left = hcl_steps(all);
    for (const HclTopBlock& one : top_hcl_blocks(all, left)) {
      const bool release = one.word == "resource" && one.labels[0] == "helm_release";
      const bool provider = one.word == "provider" && one.labels[0] == "helm";
      if (helm && !said_.contains(folder) && (release || provider) && judge_helm(folder, file, one, left))
        said_.insert(folder);
      if (eks && one.word == "module") judge_eks(file, one, left);
    }
  }

  /// Source: hashicorp/terraform-provider-helm:docs/guides/v3-upgrade-guide.md (3.0).
  bool judge_helm(const std::string& folder, FileId file, const HclTopBlock& one, std::size_t& left) {
    constexpr std::array<std::string_view, 7> kOfRelease2{"set",      "set_sensitive", "set_list",  "kubernetes",
                                                          "registry", "experiments",   "postrender"};
    const auto found = helm_.find(folder);
    const Wanted wanted = found == helm_.end() ? Wanted{} : found->second;
    const Majors majors = majors_of(wanted.text, 3, ConstraintOf::Provider);
    if (!majors.known) return false;
    const HclBlock block = read_hcl_block(text(file), one.brace, left);
    // Of another local name for the provider nothing is known here.
    const std::string_view own = block.attribute("provider");
    if (!own.empty() && own != "helm" && !own.starts_with("helm.")) return false;
    const bool alone = inputs_.files[static_cast<std::size_t>(file)].named;
    if (majors.from && (!majors.below || (!bounded_ && locks_.empty() && !alone && is_whole(inputs_)))) {
      for (const HclInnerBlock& inner : block.blocks) {
        if (std::ranges::find(kOfRelease2, inner.name) == kOfRelease2.end()) continue;
        if (majors.below && has_modules_of_others(folder)) return false;
        const std::string which = majors.below ? "nothing here keeps the Helm provider below release 3, which has"
                                               : "the Helm provider is one of release 3, which has";
        report(kHelmRule, file, inner.name, which + " no block `" + std::string(inner.name) + "`");
        note_wanted(wanted);
        return true;
      }
    }
    if (majors.from) return false;
    for (const std::string_view key : {"set", "set_sensitive", "set_list", "kubernetes"}) {
      const std::string_view value = block.attribute(key);
      if (value.empty() || (key == "kubernetes") != (one.word == "provider")) continue;
      report(kHelmRule, file, value.substr(0, 1),
             "the Helm provider is one below release 3, where `" + std::string(key) + "` is a block");
      note_wanted(wanted);
      return true;
    }
    return false;
  }

  bool has_modules_of_others(const std::string& folder) {
    if (!others_) others_.emplace(inputs_);
    return others_->bounds(folder);
  }

  void note_wanted(const Wanted& wanted) {
    if (wanted.text.empty()) return;
    findings_.back().related.push_back({span_of_part(wanted.file, text(wanted.file), wanted.text), "the release"});
  }

  /// Source: terraform-aws-modules/terraform-aws-eks:docs/UPGRADE-21.0.md.
  void judge_eks(FileId file, const HclTopBlock& one, std::size_t& left) {
    struct Renamed {
      std::string_view before;
      std::string_view now;
    };
    constexpr std::array<Renamed, 9> kRenamed{
        {{"cluster_name", "name"},
         {"cluster_version", "kubernetes_version"},
         {"cluster_addons", "addons"},
         {"cluster_endpoint_public_access", "endpoint_public_access"},
         {"cluster_endpoint_private_access", "endpoint_private_access"},
         {"cluster_enabled_log_types", "enabled_log_types"},
         {"cluster_encryption_config", "encryption_config"},
         {"cluster_compute_config", "compute_config"},
         {"cluster_security_group_additional_rules", "security_group_additional_rules"}}};
    const HclBlock block = read_hcl_block(text(file), one.brace, left);
    if (unquoted_hcl(block.attribute("source")) != kEksModule) return;
    const Wanted wanted{unquoted_hcl(block.attribute("version")), file};
    const Majors majors = majors_of(wanted.text, 21, ConstraintOf::Module);
    if (!majors.known) return;
    for (const auto& [before, now] : kRenamed) {
      const std::string_view key = majors.from ? before : now;
      const auto value = block.attributes.find(key);
      if (value == block.attributes.end()) continue;
      const std::string release = !majors.from   ? "the module is one below release 21, where"
                                  : majors.below ? "nothing here keeps the module below release 21, where"
                                                 : "the module is one of release 21, where";
      report(kEksRule, file, value->first,
             release + " `" + std::string(key) + "` is called `" + std::string(majors.from ? now : before) + "`");
      note_wanted(wanted);
      return;
    }
  }

  /// `1.24` in quotes: a version that AWS takes no clusters of any more. Source:
  /// https://docs.aws.amazon.com/eks/latest/userguide/kubernetes-versions.html, end of extended support (December
  /// 2026).
  static bool has_ended(std::string_view version) {
    constexpr std::int64_t kLastEnded = 31;
    if (!version.starts_with("1.")) return false;
    const std::optional<std::int64_t> minor = parse_int(version.substr(2));
    return minor && *minor <= kLastEnded && *minor > 9;
  }

  /// `metadata.version` of a ClusterConfig.
  void eksctl_version(FileId file) {
    const std::string_view all = text(file);
    if (!contains(all, "eksctl.io/") || !contains(all, "kind: ClusterConfig")) return;
    bool within = false;
    std::size_t depth = 0;  // of the keys of `metadata`
    for (const std::string_view line : split(all, '\n')) {
      const std::string_view words = trim(line);
      if (words.empty() || words.starts_with('#')) continue;
      const std::size_t indent = line.find_first_not_of(' ');
      if (indent == 0) {
        within = line.starts_with("metadata:");
        depth = 0;
      } else if (within && depth == 0) {
        depth = indent;
      }
      if (!within || indent != depth || !words.starts_with("version:")) continue;
      std::string_view value = trim(words.substr(8, words.find(" #") - 8));
      if (value.size() > 2 && (value.front() == '"' || value.front() == '\''))
        value = value.substr(1, value.size() - 2);
      if (has_ended(value)) return ended(file, value);
    }
  }

  /// `version: KubernetesVersion.V1_21` of the CDK. Source: aws/aws-cdk:packages/aws-cdk-lib/aws-eks/lib/cluster.ts.
  void cdk_version(FileId file) {
    constexpr std::string_view kVersion = "KubernetesVersion.V1_";
    const std::string_view all = text(file);
    for (std::size_t at = all.find(kVersion); at != all.npos; at = all.find(kVersion, at + 1)) {
      if (!is_set_behind(all, at)) continue;
      std::size_t end = at + kVersion.size();
      while (end < all.size() && is_digit(all[end])) ++end;
      const std::string minor(all.substr(at + kVersion.size(), end - at - kVersion.size()));
      if (!has_ended("1." + minor)) continue;
      report("eks-version-ended", file, all.substr(at, end - at), "EKS has no Kubernetes 1." + minor + " any more");
      return;
    }
  }

  /// Whether `version: eks.` or `version=` stands before a place, and not in a remark: maps and conditions name
  /// versions, too.
  static bool is_set_behind(std::string_view all, std::size_t at) {
    constexpr std::size_t kFar = 200;  // of a longer line its end
    std::string_view before = all.substr(at - std::min(at, kFar), std::min(at, kFar));
    before = trim(before.substr(before.rfind('\n') + 1));  // npos + 1 is 0
    for (const std::string_view remark : {"//", "/*", "*", "#"}) {
      if (before.starts_with(remark)) return false;
    }
    if (before.ends_with("eks.")) before = trim(before.substr(0, before.size() - 4));
    if (!before.ends_with(':') && !before.ends_with('=')) return false;
    before = trim(before.substr(0, before.size() - 1));
    return before.ends_with("version") || before.ends_with("Version") || before.ends_with("VERSION");
  }

  void versions(const std::vector<FileId>& files) {
    std::set<std::string_view> variables;
    for (const FileId file : files) {
      const std::string_view all = text(file);
      if (!contains(all, "aws_eks_cluster") && !contains(all, kEksModule)) continue;
      std::size_t left = hcl_steps(all);
      for (const HclTopBlock& one : top_hcl_blocks(all, left)) {
        const bool cluster = one.word == "resource" && one.labels[0] == "aws_eks_cluster";
        if (!cluster && one.word != "module") continue;
        const HclBlock block = read_hcl_block(all, one.brace, left);
        if (!cluster && unquoted_hcl(block.attribute("source")) != kEksModule) continue;
        const std::string_view value =
            unquoted_hcl(cluster                                      ? block.attribute("version")
                         : block.attribute("cluster_version").empty() ? block.attribute("kubernetes_version")
                                                                      : block.attribute("cluster_version"));
        if (value.starts_with("var.")) variables.insert(value.substr(4));
        if (has_ended(value)) return ended(file, value);
      }
    }
    for (const FileId file : files) {
      if (variables.empty() || !contains(text(file), "variable ")) continue;
      std::size_t left = hcl_steps(text(file));
      for (const HclTopBlock& one : top_hcl_blocks(text(file), left)) {
        if (one.word != "variable" || !variables.contains(one.labels[0]) || given_.contains(one.labels[0])) continue;
        const std::string_view value = unquoted_hcl(read_hcl_block(text(file), one.brace, left).attribute("default"));
        if (has_ended(value)) return ended(file, value);
      }
    }
  }

  void ended(FileId file, std::string_view version) {
    report("eks-version-ended", file, version, "EKS has no Kubernetes " + std::string(version) + " any more");
  }

  const Inputs& inputs_;
  TerraformGiven& given_;
  std::vector<Finding>& findings_;
  std::map<std::string, std::vector<FileId>> folders_;  ///< their files of Terraform
  std::map<std::string, Wanted> helm_;                  ///< by folder
  std::set<std::string> said_;                          ///< folders of which something of it is said
  std::set<std::string> old_clients_;                   ///< folders with providers from before Kubernetes 1.24
  std::optional<ModulesOfOthers> others_;
  std::vector<FileId> locks_;  ///< files that keep the releases of providers
  bool bounded_ = false;       ///< some folder keeps the Helm provider below release 3
};

}  // namespace

void find_terraform_releases(const Inputs& inputs, TerraformGiven& given, std::vector<Finding>& findings) {
  const bool any = std::ranges::any_of(inputs.files, [](const InputFile& file) {
    const std::string_view path = file.context.path;
    return path.ends_with(".tf") || path.ends_with(".ts") || path.ends_with(".py") || is_yaml_file(path);
  });
  if (any) TerraformReleases(inputs, given, findings).run();
}

}  // namespace muster
