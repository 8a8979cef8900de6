#include "kubernetes/check_without_effect.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/strings.h"
#include "kubernetes/ingress_annotations.h"
#include "kubernetes/refusal.h"
#include "syntax/placeholder.h"

namespace muster {
namespace {

struct GroupOf {
  std::string_view resource;
  std::string_view group;
  std::string_view other = {};  ///< one that has it as well, where one has
};
// Resources that these groups alone have. Sources: kubernetes/kubernetes:api/openapi-spec/swagger.json (1.37);
// kubernetes-sigs/metrics-server:pkg/api (0.8); `extensions` had workloads up to 1.15. Events and ingresses, of which
// several groups were usual, are left out.
constexpr std::array<GroupOf, 25> kGroups{{
    {"clusterrolebindings", "rbac.authorization.k8s.io"},
    {"clusterroles", "rbac.authorization.k8s.io"},
    {"configmaps", ""},
    {"cronjobs", "batch"},
    {"daemonsets", "apps", "extensions"},
    {"deployments", "apps", "extensions"},
    {"horizontalpodautoscalers", "autoscaling"},
    {"jobs", "batch"},
    {"leases", "coordination.k8s.io"},
    {"namespaces", ""},
    {"nodes", "", "metrics.k8s.io"},
    {"persistentvolumeclaims", ""},
    {"persistentvolumes", ""},
    {"poddisruptionbudgets", "policy"},
    {"pods", "", "metrics.k8s.io"},
    {"priorityclasses", "scheduling.k8s.io"},
    {"replicasets", "apps", "extensions"},
    {"rolebindings", "rbac.authorization.k8s.io"},
    {"roles", "rbac.authorization.k8s.io"},
    {"secrets", ""},
    {"serviceaccounts", ""},
    {"services", ""},
    {"statefulsets", "apps"},
    {"storageclasses", "storage.k8s.io"},
    {"volumeattachments", "storage.k8s.io"},
}};

/// Its one group, where it has no other.
std::string_view other_group(const GroupOf& one) { return one.other.empty() ? one.group : one.other; }

constexpr std::size_t kMostWords = 100;  // of a rule; no API has so many groups

/// Whether a list of words is written out; what somebody fills in may be any word.
bool is_written_list(const Node& list) {
  if (!list.is_sequence() || list.size() == 0 || list.size() > kMostWords) return false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string_view word = list.item(i).text();
    if (!list.item(i).is_scalar() || is_placeholder(word) || word == "*") return false;
  }
  return true;
}

bool has_word(const Node& list, std::string_view word) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list.item(i).text() == word) return true;
  }
  return false;
}

class WithoutEffect {
 public:
  explicit WithoutEffect(std::vector<Finding>& findings) : findings_(findings) {}

  void role(const Node& rules) {
    for (std::size_t i = 0; rules.is_sequence() && i < rules.size(); ++i) note(rules.item(i));
    for (std::size_t i = 0; rules.is_sequence() && i < rules.size(); ++i) {
      const Node groups = rules.item(i)["apiGroups"];
      const Node resources = rules.item(i)["resources"];
      if (!is_written_list(groups) || !resources.is_sequence()) continue;
      if (!versioned(groups)) misplaced(groups, resources);
    }
  }

  void policy(const Node& spec) {
    const Node types = spec["policyTypes"];
    if (!is_written_list(types)) return;
    for (const auto& [field, type] : {std::pair{"ingress", "Ingress"}, std::pair{"egress", "Egress"}}) {
      const Node rules = spec[field];
      if (!rules.is_sequence() || rules.size() == 0 || has_word(types, type)) continue;
      say("network-policy-direction-unused", rules, field,
          "`" + std::string(field) + "` has rules, and `policyTypes` does not name " + type);
    }
  }

  void bounds(const Node& spec, std::string_view least, std::string_view most) {
    const std::optional<std::int64_t> low = number_written(spec[least]);
    const std::optional<std::int64_t> high = number_written(spec[most]);
    if (!low || !high || *low <= *high) return;
    say("autoscaler-bounds-crossed", spec[least], least,
        "`" + std::string(least) + "` is " + std::to_string(*low) + ", and `" + std::string(most) + "` " +
            std::to_string(*high));
  }

  /// Sources: docs.cloud.google.com/kubernetes-engine/docs/how-to/ingress-configuration; kubernetes-sigs/
  /// aws-load-balancer-controller:docs/guide/ingress/ingress_class.md (2.14); kubernetes/ingress-nginx:docs/user-guide/
  /// nginx-configuration/annotations.md (1.13).
  void ingress(const Node& object) {
    // Traefik may read them, where its provider kubernetesIngressNGINX is on.
    constexpr std::array<std::string_view, 9> kOthers{
        "alb",  "azure-application-gateway", "azure/application-gateway", "cilium", "gce", "gce-internal", "haproxy",
        "kong", "openshift-default"};
    const Node annotations = object["metadata"]["annotations"];
    const Node named = object["spec"]["ingressClassName"];
    const Node old = annotations["kubernetes.io/ingress.class"];
    const Node which = named.exists() ? named : old;
    unknown(annotations, which.text());
    if (!which.is_scalar() || (named.exists() && old.exists() && old.text() != named.text()) ||
        std::ranges::find(kOthers, which.text()) == kOthers.end())
      return;
    for (std::size_t i = 0; annotations.is_mapping() && i < std::min(annotations.size(), kMostWords); ++i) {
      const std::string_view key = annotations.key(i).text();
      if (!key.starts_with("nginx.ingress.kubernetes.io/")) continue;
      return say(
          "ingress-annotations-of-other-class", annotations.key(i), key,
          "`" + std::string(key) + "` is read by ingress-nginx, and the class is `" + std::string(which.text()) + "`");
    }
  }

 private:
  /// What a rule grants of the resources above, whichever rules name them, too.
  void note(const Node& rule) {
    const Node groups = rule["apiGroups"];
    const Node resources = rule["resources"];
    for (std::size_t i = 0; resources.is_sequence() && i < resources.size(); ++i) {
      const std::string_view text = resources.item(i).text();
      const std::string_view name = text.substr(0, text.find('/'));
      const auto known = std::ranges::find(kGroups, name, &GroupOf::resource);
      const bool all = text == "*" || is_placeholder(text);
      if (known == kGroups.end() && !all) continue;
      for (std::size_t g = 0; groups.is_sequence() && g < groups.size() && g < kMostWords; ++g) {
        const std::string_view group = groups.item(g).text();
        if (all)
          whole_groups_.insert(group);
        else if (group == known->group || group == other_group(*known) || group == "*" || is_placeholder(group))
          granted_.insert(name);
      }
    }
  }

  /// Of a class that may be its own.
  void unknown(const Node& annotations, std::string_view which) {
    constexpr std::string_view kPrefix = "nginx.ingress.kubernetes.io/";
    if (!which.empty() && !contains(which, "nginx")) return;
    for (std::size_t i = 0; annotations.is_mapping() && i < std::min(annotations.size(), kMostWords); ++i) {
      const std::string_view key = annotations.key(i).text();
      if (!key.starts_with(kPrefix) || is_placeholder(key)) continue;
      const std::optional<std::string_view> meant = meant_ingress_annotation(key.substr(kPrefix.size()));
      // `secure-backends: "false"` asks for what happens anyway.
      if (!meant || equals_ignoring_case(annotations.value(i).text(), "false")) continue;
      say("ingress-annotation-unknown", annotations.key(i), key,
          "ingress-nginx has no annotation `" + std::string(key.substr(kPrefix.size())) + "`" +
              (meant->empty() ? "" : "; `" + std::string(*meant) + "` is one"));
    }
  }

  void say(std::string_view rule, const Node& at, std::string_view field, const std::string& message) {
    findings_.push_back(problem(rule, at.is_scalar() ? at.where() : at.key_where(), message));
    findings_.back().field = field;
    findings_.back().about = About::Whole;
  }

  /// `apps/v1` where the group is `apps`.
  bool versioned(const Node& groups) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const Node group = groups.item(i);
      const bool core = group.text() == "v1";
      if (!core && !contains(group.text(), "/v")) continue;
      say("role-grants-nothing", group, "apiGroups",
          "`" + std::string(group.text()) + "` is no group of an API but one with its version; the group is `" +
              (core ? "\"\"" : std::string(group.text().substr(0, group.text().find('/')))) + "`");
      return true;
    }
    return false;
  }

  void misplaced(const Node& groups, const Node& resources) {
    for (std::size_t i = 0; i < resources.size(); ++i) {
      const Node resource = resources.item(i);
      const std::string_view name = resource.text().substr(0, resource.text().find('/'));
      const auto known = std::ranges::find(kGroups, name, &GroupOf::resource);
      if (known == kGroups.end() || has_word(groups, known->group) || granted_.contains(name)) continue;
      if (has_word(groups, other_group(*known))) continue;
      if (whole_groups_.contains(known->group) || whole_groups_.contains("*")) continue;
      // Projects have roles and services of their own: only what stands in groups of Kubernetes is a slip.
      const bool own = group_of_kubernetes(groups);
      if (!own) continue;
      return say("role-grants-nothing", resource, "resources",
                 "`" + std::string(name) + "` is of the group " +
                     (known->group.empty() ? "`\"\"`" : "`" + std::string(known->group) + "`") +
                     ", which `apiGroups` does not have");
    }
  }

  static bool group_of_kubernetes(const Node& groups) {
    constexpr std::array<std::string_view, 6> kOwn{"", "apps", "autoscaling", "batch", "extensions", "policy"};
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (std::ranges::find(kOwn, groups.item(i).text()) == kOwn.end()) return false;
    }
    return true;
  }

  std::vector<Finding>& findings_;
  std::set<std::string_view> granted_;       ///< by a rule with the right group
  std::set<std::string_view> whole_groups_;  ///< of which everything is
};

}  // namespace

void check_without_effect(const Node& object, std::string_view api_version, std::string_view kind,
                          std::vector<Finding>& findings) {
  WithoutEffect check(findings);
  const Node spec = object["spec"];
  if ((kind == "Role" || kind == "ClusterRole") && api_version.starts_with("rbac.authorization.k8s.io/"))
    return check.role(object["rules"]);
  if (kind == "NetworkPolicy" && api_version == "networking.k8s.io/v1") return check.policy(spec);
  if (kind == "Ingress" && api_version.starts_with("networking.k8s.io/")) return check.ingress(object);
  if (kind == "ScaledObject" || kind == "ScaledJob") return check.bounds(spec, "minReplicaCount", "maxReplicaCount");
  if (kind == "PodAutoscaler") check.bounds(spec, "minReplicas", "maxReplicas");
}

}  // namespace muster
