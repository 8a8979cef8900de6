#include "pipeline/policy_spaces.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

#include "base/strings.h"

namespace muster {
namespace {

/// Made without a label `name`. Sources: kubernetes/kubernetes:pkg/controlplane/controller/systemnamespaces (1.36);
/// openshift/cluster-dns-operator:assets/dns/namespace.yaml (4.18).
constexpr std::array<std::string_view, 3> kOfCluster{"kube-public", "kube-system", "openshift-dns"};

class PolicySpaces {
 public:
  PolicySpaces(const Inputs& inputs, const Model& model, std::vector<Finding>& findings)
      : inputs_(inputs), findings_(findings) {
    const ManifestDef* spaces = &manifest_def("kubernetes_namespaces");
    for (const Manifest& one : model.manifests) {
      if (one.def != spaces) continue;
      const WrittenValue& labels = one.part("labels");
      const WrittenValue* name = labels.find("name");
      if (labels.state == State::Unknown || (name != nullptr && !name->is_text())) open_ = true;
      if (name != nullptr) labelled_.insert({name->text(), &one});
      spaces_.insert({one.name.value, &one});
    }
  }

  void run(const Model& model) {
    const ManifestDef* policies = &manifest_def("network_policies");
    for (const Manifest& one : model.manifests) {
      if (open_) return;
      if (one.def != policies) continue;
      for (const auto& [part, peers] : {std::pair{"egress", "to"}, std::pair{"ingress", "from"}}) {
        for (const WrittenValue& rule : one.part(part).items()) {
          if (const WrittenValue* of_rule = rule.find(peers); of_rule != nullptr) look(one, *of_rule);
        }
      }
    }
  }

 private:
  void look(const Manifest& policy, const WrittenValue& peers) {
    for (const WrittenValue& peer : peers.items()) {
      const WrittenValue* selector = peer.find("namespaceSelector");
      const WrittenValue* labels = selector == nullptr ? nullptr : selector->find("matchLabels");
      if (labels == nullptr || !labels->is_text_map()) continue;
      const std::string_view name = labels->text_of("name");
      const bool known = spaces_.contains(name) || std::ranges::find(kOfCluster, name) != kOfCluster.end();
      if (name.empty() || !known || labelled_.contains(name) || is_selected_otherwise(peers, name) || is_given(name))
        continue;
      findings_.push_back(problem("network-policy-selects-no-namespace", labels->find("name")->where,
                                  "`" + policy.name.value + "` selects namespaces by the label `name: " +
                                      std::string(name) + "`, and namespace `" + std::string(name) + "` has no such"));
      return;
    }
  }

  /// By another peer of the rule.
  static bool is_selected_otherwise(const WrittenValue& peers, std::string_view name) {
    return std::ranges::any_of(peers.items(), [&](const WrittenValue& peer) {
      const WrittenValue* selector = peer.find("namespaceSelector");
      const WrittenValue* labels = selector == nullptr ? nullptr : selector->find("matchLabels");
      return peer.find("ipBlock") != nullptr || (selector != nullptr && selector->keys().empty()) ||
             (selector != nullptr && selector->find("matchExpressions") != nullptr) ||
             (labels != nullptr && labels->text_of("kubernetes.io/metadata.name") == name);
    });
  }

  /// `kubectl label namespace kube-system name=kube-system`, a patch of it, labels in Terraform, of Argo CD and
  /// Ansible.
  bool is_given(std::string_view name) {
    const auto [found, fresh] = given_.try_emplace(std::string(name), false);
    if (!fresh) return found->second;
    const std::string pair = "name=" + std::string(name);
    const std::string label = "name: " + std::string(name);
    for (std::size_t i = 0; i < inputs_.files.size() && !found->second; ++i) {
      const std::string_view text = inputs_.sources.file(static_cast<FileId>(i)).text();
      found->second =
          contains(text, pair) || contains(text, "kubernetes_labels") ||
          (contains(text, "kubernetes_namespace") && contains(text, name)) ||
          ((contains(text, "managedNamespaceMetadata") || contains(text, "core.k8s:")) && contains(text, label)) ||
          ((contains(text, "patch namespace") || contains(text, "patch ns")) && contains(text, name));
    }
    return found->second;
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  std::map<std::string_view, const Manifest*> spaces_;
  std::map<std::string_view, const Manifest*> labelled_;  ///< by the label
  std::map<std::string, bool> given_;
  bool open_ = false;
};

}  // namespace

void find_policy_spaces(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  PolicySpaces(inputs, model, findings).run(model);
}

}  // namespace muster
