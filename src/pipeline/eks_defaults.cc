#include "pipeline/eks_defaults.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "base/strings.h"
#include "base/version.h"
#include "pipeline/whole_input.h"
#include "syntax/hcl_blocks.h"

namespace muster {
namespace {

class EksDefaults {
 public:
  EksDefaults(const Inputs& inputs, const Model& model, std::vector<Finding>& findings)
      : inputs_(inputs), model_(model), findings_(findings) {}

  void run() {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      if (!inputs_.files[i].context.path.ends_with(".tf")) continue;
      blocks(i);
      network(i);
    }
  }

 private:
  static constexpr std::string_view kKarpenter = "terraform-aws-modules/eks/aws//modules/karpenter";
  static constexpr std::string_view kTag = "karpenter.sh/discovery";
  static constexpr std::array<std::string_view, 4> kQueue{"interruptionQueue", "interruption_queue",
                                                          "--interruption-queue", "node-termination-handler"};

  /// What is asked of the whole input: by the first file that wants to know.
  template <class Ask>
  static bool once(std::optional<bool>& known, Ask ask) {
    if (!known) known = ask();
    return *known;
  }

  std::string_view text(std::size_t i) const { return inputs_.sources.file(static_cast<FileId>(i)).text(); }

  bool is_said(std::span<const std::string_view> words) const {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      for (const std::string_view word : words) {
        if (contains_ignoring_case(text(i), word)) return true;
      }
    }
    return false;
  }

  void report(std::string_view rule, std::size_t i, std::string_view at, std::string message) {
    findings_.push_back(problem(rule, span_of_part(static_cast<FileId>(i), text(i), at), std::move(message)));
  }

  void blocks(std::size_t i) {
    constexpr std::array<std::string_view, 2> kAsked{"karpenter", "aws_iam_service_linked_role"};
    const std::string_view all = text(i);
    if (std::ranges::none_of(kAsked, [&](std::string_view one) { return contains(all, one); })) return;
    std::size_t left = hcl_steps(all);
    std::optional<TagOfSubnets> of_public;
    std::optional<TagOfSubnets> of_private;
    for (const HclTopBlock& one : top_hcl_blocks(all, left)) {
      const HclBlock block = read_hcl_block(all, one.brace, left);
      if (one.word == "module" && unquoted_hcl(block.attribute("source")) == kKarpenter) {
        queue_off(i, block);
        permissions(i, block);
      }
      if (installs_karpenter(one, block)) release(i, block);
      if (one.word == "resource" && one.labels[0] == "aws_iam_service_linked_role") spot_role(i, block);
      if (!of_public) of_public = tag_of_subnets(all, block.attribute("public_subnet_tags"), left);
      if (!of_private) of_private = tag_of_subnets(all, block.attribute("private_subnet_tags"), left);
    }
    if (of_public && of_private && of_public->value == of_private->value) public_subnets(i, of_public->key);
  }

  /// Source: terraform-aws-modules/terraform-aws-eks:modules/karpenter/variables.tf, enable_spot_termination (21).
  void queue_off(std::size_t i, const HclBlock& module) {
    const auto found = module.attributes.find("enable_spot_termination");
    if (found == module.attributes.end() || found->second != "false") return;
    if (!once(spot_, [&] { return takes_spot(); }) || once(queue_, [&] { return is_said(kQueue); })) return;
    report("karpenter-without-interruption-queue", i, found->first,
           "Karpenter may take spot nodes here, and no queue is made for their interruptions");
  }

  /// Tags by which EC2NodeClasses find subnets, on public ones beside private ones.
  /// Source: https://karpenter.sh/docs/concepts/nodeclasses/#specsubnetselectorterms
  void public_subnets(std::size_t i, std::string_view key) {
    if (!once(narrow_, [&] { return selects_by_more(); }))
      report("karpenter-finds-public-subnets", i, key,
             "public subnets have the tag `karpenter.sh/discovery` as the private ones have");
  }

  struct TagOfSubnets {
    std::string_view key;
    std::string_view value;
  };

  /// The tag in `{"karpenter.sh/discovery" = local.name}`, also where that is merged with more.
  static std::optional<TagOfSubnets> tag_of_subnets(std::string_view all, std::string_view tags, std::size_t& left) {
    const std::size_t brace = tags.find('{');
    if (brace == tags.npos) return std::nullopt;
    const std::size_t begin = static_cast<std::size_t>(tags.data() - all.data()) + brace;
    const HclBlock block = read_hcl_block(all, begin, left);
    const auto found = block.attributes.find(kTag);
    return found == block.attributes.end() ? std::nullopt : std::optional(TagOfSubnets{found->first, found->second});
  }

  /// Whether the input has terms for subnets, and none of them asks for the tag alone.
  bool selects_by_more() const {
    const ManifestDef* classes = &manifest_def("ec2_node_classes");
    bool any = false;
    for (const Manifest& one : model_.manifests) {
      if (one.def != classes) continue;
      any = true;
      for (const WrittenValue& term : one.part("subnets").items()) {
        const WrittenValue* tags = term.find("tags");
        if (term.keys().size() == 1 && tags != nullptr && tags->keys().size() == 1 &&
            tags->keys()[0] == "karpenter.sh/discovery")
          return false;
      }
    }
    return any;
  }

  static bool installs_karpenter(const HclTopBlock& one, const HclBlock& block) {
    const std::string_view chart = unquoted_hcl(block.attribute("chart"));
    return one.word == "resource" && one.labels[0] == "helm_release" &&
           (chart == "karpenter" || chart == "oci://public.ecr.aws/karpenter/karpenter");
  }

  /// Source: aws/karpenter-provider-aws:charts/karpenter/values.yaml, settings.interruptionQueue (1.8).
  void release(std::size_t i, const HclBlock& release) {
    // Karpenter has a queue since 0.19.
    const std::optional<Version> written = Version::parse(unquoted_hcl(release.attribute("version")));
    if (written && *written < *Version::parse("0.19.0")) return;
    if (!once(spot_, [&] { return takes_spot(); }) || once(queue_, [&] { return is_said(kQueue); })) return;
    report("karpenter-without-interruption-queue", i, unquoted_hcl(release.attribute("chart")),
           "Karpenter may take spot nodes here, and is told of no queue with their interruptions");
  }

  /// Whether a NodePool, in YAML or in Terraform, names spot as a capacity type.
  bool takes_spot() const {
    constexpr std::string_view kKey = "karpenter.sh/capacity-type";
    constexpr std::size_t kNear = 200;
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view all = text(i);
      if (inputs_.files[i].context.path.ends_with(".md")) continue;
      for (std::size_t at = all.find(kKey); at != all.npos; at = all.find(kKey, at + 1)) {
        const std::string_view behind = all.substr(at + kKey.size(), kNear);
        const std::string_view own = behind.substr(0, behind.find("key"));  // of the next requirement
        if (contains(own, "spot") && !contains(own, "NotIn")) return true;
      }
    }
    return false;
  }

  /// Source: terraform-aws-modules/terraform-aws-eks:modules/karpenter/variables.tf, enable_v1_permissions (20.24 to
  /// 20.37; 21 has those alone).
  void permissions(std::size_t i, const HclBlock& module) {
    const std::string_view version = module.attribute("version");
    const std::size_t twenty = version.find("20.");
    if (twenty == version.npos || twenty == 0 || (version[twenty - 1] != '"' && version[twenty - 1] != ' ') ||
        contains(version, ">="))
      return;
    constexpr std::array<std::string_view, 1> kSwitch{"enable_v1_permissions"};
    if (once(switch_, [&] { return is_said(kSwitch); }) || !once(one_, [&] { return installs_release_one(); })) return;
    report("karpenter-permissions-old", i, unquoted_hcl(module.attribute("source")),
           "the policy that this module gives Karpenter is for releases before 1, and release 1 is installed");
  }

  /// Source: https://karpenter.sh/docs/getting-started/getting-started-with-karpenter/, create-service-linked-role.
  void spot_role(std::size_t i, const HclBlock& role) {
    const std::string_view name = unquoted_hcl(role.attribute("aws_service_name"));
    if (name != "spot.amazonaws.com") return;
    // `import {to = ...}` takes the role that is there.
    constexpr std::array<std::string_view, 3> kTakes{"to = aws_iam_service_linked_role.",
                                                     "import aws_iam_service_linked_role.",
                                                     "import 'aws_iam_service_linked_role."};
    if (once(imported_, [&] { return is_said(kTakes); })) return;
    if (role.attribute("count").empty() && role.attribute("for_each").empty())
      report("spot-role-made-again", i, name,
             "an account has one role for spot instances, and this makes it in any case");
  }

  bool installs_release_one() const {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view all = text(i);
      if (!inputs_.files[i].context.path.ends_with(".tf") || !contains(all, "karpenter")) continue;
      std::size_t left = hcl_steps(all);
      for (const HclTopBlock& one : top_hcl_blocks(all, left)) {
        const HclBlock block = read_hcl_block(all, one.brace, left);
        const std::string_view version = unquoted_hcl(block.attribute("version"));
        if (installs_karpenter(one, block) && (version.starts_with("1.") || version.starts_with("v1."))) return true;
      }
    }
    return false;
  }

  /// The add-on of a cluster with NetworkPolicies, `vpc-cni = { most_recent = true }`. Source:
  /// https://docs.aws.amazon.com/eks/latest/userguide/cni-network-policy-configure.html
  void network(std::size_t i) {
    const std::string_view all = text(i);
    std::size_t at = all.find("vpc-cni");
    if (at == all.npos || first_policy().empty()) return;
    const auto in_comment = [&] {
      const std::size_t line = at == 0 ? 0 : all.rfind('\n', at - 1) + 1;  // npos + 1 is 0
      return contains(all.substr(line, at - line), "#");
    };
    while (at != all.npos && in_comment()) at = all.find("vpc-cni", at + 1);
    if (at == all.npos || !contains(all, "eks")) return;
    // Its settings may stand in a file that is not here.
    const auto is_open = [](std::string_view line) {
      return contains(line, "configuration_values") &&
             (contains(line, "file(") || contains(line, "var.") || contains(line, "local."));
    };
    if (std::ranges::any_of(split(all, '\n'), is_open)) return;
    constexpr std::array<std::string_view, 8> kEnforcers{
        "enableNetworkPolicy",       "ENABLE_NETWORK_POLICY", "calico", "cilium", "tigera", "antrea",
        "network-policy-controller", "aws-network-policy"};
    if (once(enforced_, [&] { return is_said(kEnforcers); })) return;
    report("network-policy-not-enforced", i, all.substr(at, 7),
           "the add-on of the network is not told to enforce NetworkPolicies, and the input has some: `" +
               std::string(first_policy()) + "`");
  }

  /// The name of a NetworkPolicy of the input, or how Terraform calls one; empty: there is none.
  std::string_view first_policy() {
    if (policy_) return *policy_;
    const auto found = std::ranges::find_if(
        model_.manifests, [](const Manifest& one) { return one.def->collection == "network_policies"; });
    policy_ = found == model_.manifests.end() ? policy_of_terraform() : std::string_view(found->name.value);
    return *policy_;
  }

  std::string_view policy_of_terraform() const {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      if (!inputs_.files[i].context.path.ends_with(".tf")) continue;
      for (const std::string_view word :
           {"resource \"kubernetes_network_policy\" \"", "resource \"kubernetes_network_policy_v1\" \""}) {
        const std::size_t at = text(i).find(word);
        if (at == std::string_view::npos) continue;
        const std::string_view name = text(i).substr(at + word.size());
        return name.substr(0, name.find('"'));
      }
    }
    return {};
  }

  const Inputs& inputs_;
  const Model& model_;
  std::vector<Finding>& findings_;
  std::optional<bool> spot_;
  std::optional<bool> queue_;
  std::optional<bool> switch_;
  std::optional<bool> one_;
  std::optional<bool> enforced_;
  std::optional<bool> imported_;
  std::optional<bool> narrow_;
  std::optional<std::string_view> policy_;
};

}  // namespace

void find_eks_defaults(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  const bool any =
      std::ranges::any_of(inputs.files, [](const InputFile& file) { return file.context.path.ends_with(".tf"); });
  if (any && is_whole(inputs)) EksDefaults(inputs, model, findings).run();
}

}  // namespace muster
