#include "pipeline/terraform_providers.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "pipeline/modules_of_others.h"
#include "pipeline/terraform_constraints.h"
#include "pipeline/terraform_folders.h"
#include "pipeline/whole_input.h"
#include "syntax/hcl_blocks.h"
#include "syntax/hcl_reader.h"

namespace muster {
namespace {

constexpr std::string_view kAzure = "hashicorp/azurerm";
constexpr std::size_t kMostAskedOfFolder = 200;  // of one folder

/// What such a file says replaces what the others of its folder say.
bool is_override(std::string_view path) {
  const std::string_view name = last_part(path);
  return name == "override.tf" || name.ends_with("_override.tf");
}

/// A constraint, and where it stands.
struct AskedProvider {
  std::string source;  ///< with that of HashiCorp where none is said
  std::string_view version;
  std::size_t file = 0;
};

class TerraformProviders {
 public:
  TerraformProviders(const Inputs& inputs, std::vector<Finding>& findings) : inputs_(inputs), findings_(findings) {}

  void run() {
    std::vector<std::size_t> overrides;
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const InputFile& file = inputs_.files[i];
      const std::string_view path = file.context.path;
      locked_ = locked_ || path.ends_with(".terraform.lock.hcl");
      if (file.reading != Reading::Whole || !path.ends_with(".tf")) continue;
      if (is_override(path)) {
        overrides.push_back(i);
      } else {
        note_file(i);
      }
    }
    for (const std::size_t i : overrides) note_file(i);
    for (const auto& [folder, asked] : asked_) disjoint(folder, asked);
    disjoint_modules();
    for (const auto& [folder, files] : files_) {
      for (const std::size_t file : files) {
        if (contains(text(file), "azurerm_kubernetes_cluster")) azure(folder, file);
        if (contains(text(file), "provider \"helm\"")) without_cluster(folder, file, "helm");
        if (contains(text(file), "provider \"kubernetes\"")) without_cluster(folder, file, "kubernetes");
      }
    }
  }

 private:
  std::string_view text(std::size_t i) const { return inputs_.sources.file(static_cast<FileId>(i)).text(); }

  Finding& report(std::string_view rule, std::size_t file, std::string_view at, std::string message) {
    findings_.push_back(problem(rule, span_of_part(static_cast<FileId>(file), text(file), at), std::move(message)));
    return findings_.back();
  }

  void note_file(std::size_t i) {
    const std::string_view folder = inputs_.files[i].context.folder;
    const bool overrides = is_override(inputs_.files[i].context.path);
    files_[std::string(folder)].push_back(i);
    folders_.add_file(folder);
    std::size_t left = hcl_steps(text(i));
    for (const RequiredProvider& one : required_providers(text(i), left)) {
      std::vector<AskedProvider>& asked = asked_[std::string(folder)];
      std::string source = one.source.empty() ? "hashicorp/" + std::string(one.name) : to_lower(one.source);
      constexpr std::string_view kRegistry = "registry.terraform.io/";
      if (source.starts_with(kRegistry)) source = source.substr(kRegistry.size());
      if (overrides) std::erase_if(asked, [&](const AskedProvider& before) { return before.source == source; });
      if (one.version.empty() || contains(one.version, "$") || asked.size() >= kMostAskedOfFolder) continue;
      asked.push_back({std::move(source), one.version, i});
    }
    if (!contains(text(i), "module")) return;
    for (const HclTopBlock& one : top_hcl_blocks(text(i), left)) {
      if (one.word != "module") continue;
      const std::string_view source = unquoted_hcl(read_hcl_block(text(i), one.brace, left).attribute("source"));
      if (source.starts_with("./") || source.starts_with("../")) folders_.add_call(folder, source, false);
    }
  }

  const AskedProvider* asked_of(const std::string& folder, std::string_view source) const {
    const auto found = asked_.find(folder);
    if (found == asked_.end()) return nullptr;
    const auto one = std::ranges::find(found->second, source, &AskedProvider::source);
    return one == found->second.end() ? nullptr : &*one;
  }

  /// A module, and what those say who call it.
  void disjoint(const std::string& folder, const std::vector<AskedProvider>& asked) {
    constexpr std::size_t kMostLooks = 200'000;  // of all
    const std::set<std::string>& callers = folders_.applied_for(folder);
    for (const AskedProvider& one : asked) {
      for (const std::string& caller : callers) {
        if (++looks_ > kMostLooks) return;
        const AskedProvider* other = caller == folder ? nullptr : asked_of(caller, one.source);
        if (other == nullptr || !exclude_each_other(one.version, other->version)) continue;
        say_disjoint(one, *other, ", as the folder that calls this module has it");
        break;
      }
    }
  }

  void say_disjoint(const AskedProvider& one, const AskedProvider& other, std::string_view of) {
    said_.insert({one.file, one.version});
    report("terraform-constraints-disjoint", one.file, one.version,
           "no release of `" + one.source + "` is both `" + std::string(one.version) + "` and `" +
               std::string(other.version) + "`" + std::string(of))
        .related.push_back(
            {span_of_part(static_cast<FileId>(other.file), text(other.file), other.version), "the other"});
  }

  /// Two modules that are applied together, whichever of them calls the other.
  void disjoint_modules() {
    std::map<std::string, std::vector<const AskedProvider*>> reached;  // by the folder that is applied
    for (const auto& [folder, asked] : asked_) {
      for (const std::string& applied : folders_.applied_for(folder)) {
        std::vector<const AskedProvider*>& all = reached[applied];
        for (const AskedProvider& one : asked) {
          if (applied != folder && all.size() < kMostAskedOfFolder) all.push_back(&one);
        }
      }
    }
    constexpr std::size_t kMostPairs = 100'000;
    std::size_t pairs = 0;
    for (const auto& [applied, all] : reached) {
      for (std::size_t i = 0; i < all.size() && pairs < kMostPairs; ++i) {
        for (std::size_t j = 0; j < i && pairs < kMostPairs; ++j, ++pairs) look_at_modules(*all[i], *all[j]);
      }
    }
  }

  void look_at_modules(const AskedProvider& one, const AskedProvider& other) {
    const auto is_said = [&](const AskedProvider& of) { return said_.contains({of.file, of.version}); };
    if (one.source != other.source || is_said(one) || is_said(other) ||
        inputs_.files[one.file].context.folder == inputs_.files[other.file].context.folder)
      return;
    if (exclude_each_other(one.version, other.version))
      say_disjoint(one, other, ", as another module has it that the same folder calls");
  }

  /// Source: hashicorp/terraform-provider-azurerm:website/docs/guides/4.0-upgrade-guide.html.markdown.
  void azure(const std::string& folder, std::size_t file) {
    const AskedProvider* asked = asked_of(folder, kAzure);
    if (asked == nullptr) return;
    const Majors majors = majors_of(asked->version, 4, ConstraintOf::Provider);
    // Where it takes both, the newest is taken, unless somebody keeps it.
    if (!majors.known ||
        (majors.below && majors.from && (locked_ || is_bounded() || !is_whole(inputs_) || others().bounds(folder))))
      return;
    std::size_t left = hcl_steps(text(file));
    for (const HclTopBlock& one : top_hcl_blocks(text(file), left)) {
      const bool cluster = one.labels[0] == "azurerm_kubernetes_cluster";
      if (one.word != "resource" || (!cluster && one.labels[0] != "azurerm_kubernetes_cluster_node_pool")) continue;
      const HclBlock block = read_hcl_block(text(file), one.brace, left);
      if (renamed(block, *asked, majors.from, file)) return;
      for (const HclInnerBlock& inner : block.blocks) {
        if (cluster && inner.name == "default_node_pool" && !inner.dynamic &&
            renamed(read_hcl_block(text(file), inner.brace, left), *asked, majors.from, file))
          return;
      }
    }
  }

  bool renamed(const HclBlock& block, const AskedProvider& asked, bool from, std::size_t file) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kRenamed{
        {{"automatic_channel_upgrade", "automatic_upgrade_channel"},
         {"enable_auto_scaling", "auto_scaling_enabled"},
         {"enable_host_encryption", "host_encryption_enabled"},
         {"enable_node_public_ip", "node_public_ip_enabled"},
         {"node_os_channel_upgrade", "node_os_upgrade_channel"}}};
    for (const auto& [before, now] : kRenamed) {
      const auto found = block.attributes.find(from ? before : now);
      if (found == block.attributes.end()) continue;
      report("terraform-azure-of-other-release", file, found->first,
             std::string("the provider of Azure is one ") + (from ? "of" : "below") + " release 4, where `" +
                 std::string(found->first) + "` is called `" + std::string(from ? now : before) + "`")
          .related.push_back(
              {span_of_part(static_cast<FileId>(asked.file), text(asked.file), asked.version), "the release"});
      return true;
    }
    return false;
  }

  ModulesOfOthers& others() {
    if (!others_) others_.emplace(inputs_);
    return *others_;
  }

  /// Whether some folder keeps the provider of Azure below release 4.
  bool is_bounded() {
    const auto bounds = [](const AskedProvider& one) {
      return one.source == kAzure && !majors_of(one.version, 4, ConstraintOf::Provider).from;
    };
    if (!bounded_) {
      bounded_ = std::ranges::any_of(
          asked_, [&](const auto& of_folder) { return std::ranges::any_of(of_folder.second, bounds); });
    }
    return *bounded_;
  }

  /// Source: hashicorp/terraform-provider-helm:docs/index.md, `config_path`: KUBE_CONFIG_PATH (3.0).
  void without_cluster(const std::string& folder, std::size_t file, std::string_view name) {
    const AskedProvider* asked = asked_of(folder, "hashicorp/" + std::string(name));
    if (asked != nullptr && majors_of(asked->version, 2, ConstraintOf::Provider).below) return;
    // In a module an empty block stands for the provider that its caller hands over.
    if (folders_.applied_for(folder) != std::set<std::string>{folder} || !is_used(folder, name)) return;
    if (is_given_otherwise() || is_configured(folder, name)) return;
    std::size_t left = hcl_steps(text(file));
    for (const HclTopBlock& one : top_hcl_blocks(text(file), left)) {
      if (one.word != "provider" || one.labels[0] != name) continue;
      const HclBlock block = read_hcl_block(text(file), one.brace, left);
      if (block.attributes.contains("alias") && !is_named(folder, name, unquoted_hcl(block.attribute("alias"))))
        continue;
      report("terraform-provider-without-cluster", file, one.labels[0],
             "nothing tells the provider `" + std::string(name) + "` of a cluster");
    }
  }

  /// Whether a block of the folder tells the provider, maybe one with another alias, or a file overrides it.
  bool is_configured(const std::string& folder, std::string_view name) {
    const auto [known, fresh] = configured_.try_emplace({folder, name});
    if (!fresh) return known->second;
    const std::string opened = "provider \"" + std::string(name) + "\"";
    for (const std::size_t i : files_.at(folder)) {
      if (!contains(text(i), opened)) continue;
      if (is_override(inputs_.files[i].context.path)) return known->second = true;
      std::size_t left = hcl_steps(text(i));
      for (const HclTopBlock& one : top_hcl_blocks(text(i), left)) {
        if (one.word != "provider" || one.labels[0] != name) continue;
        const HclBlock block = read_hcl_block(text(i), one.brace, left);
        if (block.open || !block.blocks.empty() || is_told(block) || left == 0) return known->second = true;
      }
    }
    return false;
  }

  /// Whether something of the folder takes the provider by its alias, `helm.blue`.
  bool is_named(const std::string& folder, std::string_view name, std::string_view alias) {
    const auto [known, fresh] = named_.try_emplace({folder, name});
    const std::string begun = std::string(name) + ".";
    for (const std::size_t i : files_.at(folder)) {
      if (!fresh) break;
      for (std::size_t at = text(i).find(begun); at != std::string_view::npos; at = text(i).find(begun, at + 1))
        known->second.insert(hcl_name_at(text(i), at + begun.size()));
    }
    return known->second.contains(alias);
  }

  /// Attributes that say how the provider behaves, not where.
  static bool is_told(const HclBlock& block) {
    constexpr std::array<std::string_view, 10> kAside{
        "alias",         "burst_limit",  "debug", "helm_driver", "ignore_annotations",
        "ignore_labels", "plugins_path", "qps",   "version",     "experiments"};
    return std::ranges::any_of(block.attributes, [&](const auto& attribute) {
      return std::ranges::find(kAside, attribute.first) == kAside.end();
    });
  }

  /// The environment tells it, Terragrunt writes it, or it runs in a pod of the cluster.
  bool is_given_otherwise() {
    constexpr std::array<std::string_view, 14> kTold{"KUBE_CONFIG_PATH",
                                                     "KUBE_HOST",
                                                     "KUBERNETES_MASTER",
                                                     "KUBERNETES_SERVICE_HOST",
                                                     "KUBE_CTX",
                                                     "infra.contrib.fluxcd.io",
                                                     "in_cluster_config",
                                                     "app.terraform.io",
                                                     "tf.upbound.io",
                                                     "tf.m.upbound.io",
                                                     "tf.crossplane.io",
                                                     "opentofu.upbound.io",
                                                     "opentofu.m.upbound.io",
                                                     "opentofu.crossplane.io"};
    if (!given_) given_ = !is_whole(inputs_) || is_generated() || some_text_has(kTold);
    return *given_;
  }

  bool is_generated() const {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      if (inputs_.files[i].context.path.ends_with(".hcl") &&
          (contains(text(i), "generate") || contains(text(i), "provider \"kubernetes\"") ||
           contains(text(i), "provider \"helm\"")))
        return true;
    }
    return false;
  }

  /// Whether the folder, or a module that it calls, has something that the provider makes or reads.
  bool is_used(const std::string& folder, std::string_view name) {
    const auto [known, fresh] = used_.try_emplace(name);
    for (const auto& [maker, files] : files_) {
      if (!fresh) break;
      const bool makes = std::ranges::any_of(files, [&, of = name](std::size_t i) {
        if (of == "helm") return contains(text(i), "\"helm_release\"");
        return contains(text(i), "resource \"kubernetes_") || contains(text(i), "data \"kubernetes_");
      });
      if (!makes) continue;
      const std::set<std::string>& applied = folders_.applied_for(maker);
      known->second.insert(applied.begin(), applied.end());
    }
    return known->second.contains(folder);
  }

  bool some_text_has(std::span<const std::string_view> words) const {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      if (std::ranges::any_of(words, [&](std::string_view word) { return contains(text(i), word); })) return true;
    }
    return false;
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  TerraformFolders folders_;
  std::map<std::string, std::vector<std::size_t>> files_;                ///< by folder
  std::map<std::string, std::vector<AskedProvider>> asked_;              ///< by folder
  std::set<std::pair<std::size_t, std::string_view>> said_;              ///< constraints, by file
  std::map<std::string_view, std::set<std::string>> used_;               ///< by provider: folders that are applied
  std::map<std::pair<std::string, std::string_view>, bool> configured_;  ///< by folder and provider
  std::map<std::pair<std::string, std::string_view>, std::set<std::string_view>> named_;  ///< aliases, likewise
  std::optional<bool> given_;
  std::optional<bool> bounded_;
  std::optional<ModulesOfOthers> others_;
  std::size_t looks_ = 0;  ///< at folders that call one
  bool locked_ = false;
};

}  // namespace

void find_terraform_providers(const Inputs& inputs, std::vector<Finding>& findings) {
  TerraformProviders(inputs, findings).run();
}

}  // namespace muster
