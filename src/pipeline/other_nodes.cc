#include "pipeline/other_nodes.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <utility>
#include <vector>

#include "base/strings.h"

namespace muster {
namespace {

/// In any file: who makes nodes, sets labels or taints of them, or tolerations of all pods.
constexpr std::array<std::string_view, 35> kWordsOfNodes{"arpenter",
                                                         "eksctl",
                                                         "node-label",
                                                         "nodepool add",
                                                         "node-pools create",
                                                         "clusters create",
                                                         "aks create",
                                                         "create nodegroup",
                                                         "create-nodegroup",
                                                         "patch node",
                                                         "register-with-taints",
                                                         "kind: Node",
                                                         "kind: Machine",
                                                         "kind: AzureManagedMachinePool",
                                                         "kind: Shoot",
                                                         "kind: InstanceGroup",
                                                         "NodePool",
                                                         "ComputeClass",
                                                         "nodePoolAutoCreation",
                                                         "compute_config",
                                                         "node_provisioning",
                                                         "AWS::EKS::Nodegroup",
                                                         "AWS::AutoScaling",
                                                         "kubeadm join",
                                                         "kubespray",
                                                         "k3s agent",
                                                         "get.k3s.io",
                                                         "get.rke2.io",
                                                         "talosctl",
                                                         "machine.talos",
                                                         "defaultTolerations",
                                                         "PodTolerationRestriction",
                                                         "MutatingAdmissionPolicy",
                                                         "tfr://",
                                                         "label no"};

/// Likewise, where it is not Terraform that says so.
constexpr std::array<std::string_view, 8> kWordsElsewhere{"node_labels", "nodeLabels", "node_taints", "nodeTaints",
                                                          "NodeGroup",   "Nodegroup",  "AgentPool",   "agentPool"};

/// Finds the first of some words in one pass: each file of the input is looked through.
class WordSearch {
 public:
  template <std::size_t N>
  explicit WordSearch(const std::array<std::string_view, N>& words) : words_(words.begin(), words.end()) {
    for (const std::string_view word : words_) begins_.set(pair_of(word[0], word[1]));
  }

  bool any_in(std::string_view text) const {
    for (std::size_t at = 0; at + 1 < text.size(); ++at) {
      if (!begins_[pair_of(text[at], text[at + 1])]) continue;
      const std::string_view rest = text.substr(at);
      if (std::ranges::any_of(words_, [&](std::string_view word) { return rest.starts_with(word); })) return true;
    }
    return false;
  }

 private:
  static std::size_t pair_of(char first, char second) {
    return static_cast<std::size_t>(static_cast<unsigned char>(first)) * 256 + static_cast<unsigned char>(second);
  }

  std::vector<std::string_view> words_;
  std::bitset<65536> begins_;
};

/// `kubectl label --overwrite nodes n1 a=b`
bool labels_nodes(std::string_view text) {
  constexpr std::string_view kLabel = " label ";
  constexpr std::size_t kWordsBehind = 5;
  for (std::size_t at = text.find(kLabel); at != text.npos; at = text.find(kLabel, at + 1)) {
    const std::size_t from = at + kLabel.size();
    const auto words = split_blanks(text.substr(from, std::min(text.find('\n', from), from + 200) - from));
    for (std::size_t i = 0; i < std::min(words.size(), kWordsBehind); ++i) {
      if (words[i] == "node" || words[i] == "nodes" || words[i].starts_with("node/")) return true;
    }
  }
  return false;
}

/// Policies, flavors of Kueue and patches of what applies them give pods what their file does not say.
bool fills_in_pods(std::string_view text) {
  const bool tolerations = contains(text, "tolerations");
  if (!tolerations && !contains(text, "nodeSelector")) return false;
  if (tolerations &&
      (contains(text, "ResourceFlavor") || contains(text, "kyverno.io") || contains(text, "mutations.gatekeeper.sh")))
    return true;
  return contains(text, "patches") &&
         (contains(text, "kustomize.toolkit.fluxcd.io") || contains(text, "kind: Application"));
}

}  // namespace

bool speaks_of_other_nodes(std::string_view text, bool terraform) {
  static const WordSearch anywhere(kWordsOfNodes);
  static const WordSearch elsewhere(kWordsElsewhere);
  if (anywhere.any_in(text) || labels_nodes(text) || fills_in_pods(text)) return true;
  // The labels of a flavor are those that its pods select.
  return !terraform && !contains(text, "ResourceFlavor") && elsewhere.any_in(text);
}

bool makes_other_nodes(std::string_view resource) {
  // What belongs to a group that another resource makes.
  if (resource.ends_with("_tag") || resource.ends_with("_schedule") || resource.ends_with("_attachment") ||
      resource.ends_with("_policy") || resource.ends_with("_hook") || resource.ends_with("_notification"))
    return false;
  if (resource.starts_with("azurerm_kubernetes_cluster_")) return false;  // its pools are read
  constexpr std::array<std::string_view, 22> kParts{
      "node_pool",  "node_group",  "nodepool", "nodegroup",   "autoscaling_group", "fargate", "kubernetes_cluster",
      "k8s_pool",   "k8s_cluster", "_lke",     "worker_pool", "spotinst",          "castai",  "sagemaker_cluster",
      "crusoe",     "rancher2",    "rke_",     "talos",       "gardener",          "k3s",     "machine_pool",
      "mke_cluster"};
  return resource == "kubernetes_labels" ||
         std::ranges::any_of(kParts, [&](std::string_view part) { return contains(resource, part); });
}

bool is_module_without_nodes(std::string_view source) {
  for (const auto& [begin, of_nodes] :
       {std::pair{"terraform-aws-modules/", "eks"}, std::pair{"terraform-google-modules/", "kubernetes-engine"},
        std::pair{"Azure/", "aks"}}) {
    if (!source.starts_with(begin)) continue;
    const bool iam = source.starts_with("terraform-aws-modules/iam/");
    return iam || (!contains(source, of_nodes) && !contains(source, "autoscaling") && !contains(source, "vm"));
  }
  return false;
}

}  // namespace muster
