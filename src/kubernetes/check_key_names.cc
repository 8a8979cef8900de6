#include "kubernetes/check_key_names.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "base/strings.h"
#include "syntax/placeholder.h"

namespace muster {
namespace {

/// The words behind `/` that a program reads or writes itself, in any release, each with a blank behind it.
struct KeyDomain {
  std::string_view domain;
  std::string_view reader;
  std::string_view words;
};
// Sources: argoproj/argo-cd:docs/user-guide/annotations-and-labels.md (2.9, 3.3);
// GoogleCloudPlatform/gcs-fuse-csi-driver:pkg/webhook/config.go (1.15); helm/helm:pkg/release/v1/hook.go (3.19);
// kai-scheduler/KAI-Scheduler:pkg/common/constants/constants.go (0.13); kubernetes-sigs/kueue:
// pkg/controller/constants/constants.go, apis/kueue/v1beta1, apis/kueue/v1beta2 (0.1.0 to 0.20.0);
// kubernetes-sigs/lws:api/leaderworkerset/v1/leaderworkerset_types.go (0.10);
// https://kubernetes.io/docs/concepts/security/pod-security-standards/ (1.36); ray-project/kuberay:
// ray-operator/controllers/ray/utils/constant.go (1.7).
constexpr std::array kKeyDomains{
    KeyDomain{"argocd.argoproj.io", "Argo CD",
              "application-set-refresh compare-options hook hook-delete-policy ignore-healthcheck "
              "ignore-resource-updates installation-id instance managed-by managed-by-url manifest-generate-paths "
              "refresh secret-type skip-reconcile sync-options sync-wave tracking-id "},
    KeyDomain{"gke-gcsfuse", "the driver of Cloud Storage FUSE",
              "cpu-limit cpu-request ephemeral-storage-limit ephemeral-storage-request memory-limit memory-request "
              "metadata-prefetch-cpu-limit metadata-prefetch-cpu-request metadata-prefetch-memory-limit "
              "metadata-prefetch-memory-request volumes "},
    KeyDomain{"helm.sh", "Helm",
              "chart hook hook-delete-policy hook-output-log-policy hook-weight images resource-policy "},
    KeyDomain{"kai.scheduler", "KAI",
              "accounting batch-min-member ignore-workload-api last-start-timestamp migrated-from node-pool "
              "pod-index-label preemptibility preemption-delay queue requires-env-vars segment-size "
              "segment-topology-preferred-placement segment-topology-required-placement shard skip-podgrouper "
              "stale-podgroup-timestamp staleness-grace-period subgroup-name task-priority top-owner-metadata topology "
              "topology-preferred-placement topology-required-placement type "},
    KeyDomain{"kueue.x-k8s.io", "Kueue",
              "admission admission-gated-by auto-generated cannot-preempt cluster-queue-name component-workload-index "
              "concurrent-admission concurrent-admission-parent dynamically-sized-job elastic-job is-group-workload "
              "job-completions-equal-parallelism job-min-parallelism job-owner-gvk job-owner-name job-uid "
              "local-queue-name managed managed-namespace max-exec-time-seconds multikueue multikueue-origin "
              "multikueue-origin-uid multikueue-worker-workload-pod original-node-selectors parent-workload "
              "pod-group-fast-admission pod-group-name pod-group-pod-index pod-group-pod-index-label pod-group-role "
              "pod-group-serving pod-group-sets pod-group-total-count pod-index-offset pod-suspending-parent podset "
              "podset-group-name podset-preferred-topology podset-replica-sizes podset-required-topology "
              "podset-slice-required-topology podset-slice-required-topology-constraints podset-slice-size "
              "podset-unconstrained-topology prebuilt-workload-name preemption-cost preemption-gated priority-boost "
              "priority-class queue-name raycluster-generation raycluster-podset-replica-sizes retriable-in-group "
              "role-hash safe-to-forcefully-delete safe-to-forcefully-terminate stopping tas topology "
              "trainjob-override-idx workload workload-allowed-resource-flavors workload-slice-name "
              "workload-slice-replacement-for workloadpriorityclass "},
    KeyDomain{"leaderworkerset.sigs.k8s.io", "LeaderWorkerSet",
              "exclusive-topology experimental-recreate-group-after-start group-index group-key leader-name "
              "leader-requests-tpus name replicas size subdomainPolicy subgroup-exclusive-topology subgroup-index "
              "subgroup-key subgroup-policy-type subgroup-size template-revision-hash worker-index "},
    KeyDomain{"pod-security.kubernetes.io", "the API server",
              "audit audit-version audit-violations enforce enforce-policy enforce-version exempt warn warn-version "},
    KeyDomain{
        "ray.io", "KubeRay",
        "accelerator-type cluster cluster-dashboard cluster-hash cluster-name compute-image compute-template "
        "config-type creation-timestamp cronjob-name cronjob-scheduled-timestamp disable-provisioned-head-restart "
        "enable-serve-service enableAgentService environment external-storage-namespace ft-enabled "
        "gang-scheduling-enabled gcs-ft-deletion-timeout group group-name hash-without-replicas-and-workers-to-delete "
        "headless-worker-svc health-state identifier initializing-timeout is-ray-node job-submission-mode "
        "kuberay-version market-type node-group node-id node-ip node-type num-worker-groups "
        "originated-from-cr-name originated-from-crd overwrite-container-cmd priority-class-name region "
        "replica-host-index scheduler-name serve service update-timestamp upgrade-strategy-recreate-hash user "
        "version worker-group-replica-index worker-group-replica-name zone "},
};

/// What people write who mean another one.
struct KeySlip {
  std::string_view key;
  std::string_view meant;
  std::string_view instead = {};  ///< one that the program reads in its place, too
};
constexpr std::array kKeySlips{
    KeySlip{"argocd.argoproj.io/hook-weight", "argocd.argoproj.io/sync-wave", "helm.sh/hook-weight"},
    KeySlip{"helm.sh/hook-deletion-policy", "helm.sh/hook-delete-policy"},
    KeySlip{"kai.scheduler/queue-name", "kai.scheduler/queue"},
    KeySlip{"kueue.x-k8s.io/local-queue", "kueue.x-k8s.io/queue-name"},
    KeySlip{"kueue.x-k8s.io/pod-group-size", "kueue.x-k8s.io/pod-group-total-count"},
    KeySlip{"kueue.x-k8s.io/priority-class-name", "kueue.x-k8s.io/priority-class"},
    KeySlip{"kueue.x-k8s.io/queue", "kueue.x-k8s.io/queue-name"},
};

constexpr std::size_t kMostKeyWord = 63;  // of a key behind its domain: what the API server takes
constexpr std::size_t kLeastKeyWord = 5;  // of which a letter may be off: shorter words are near too many

/// queueName, queue_name and queue-name are one to who writes them.
std::string letters_of_key(std::string_view word) {
  std::string out;
  for (const char c : to_lower(word)) {
    if (c != '-' && c != '_' && c != '.') out.push_back(c);
  }
  return out;
}

/// The key that was meant; empty: it is one that the program has, or like none of them. `keys`: those beside it.
std::string meant_by(std::string_view key, const Node& keys) {
  const std::size_t slash = key.find('/');
  if (slash == key.npos || key.size() - slash > kMostKeyWord) return {};
  const std::string_view word = key.substr(slash + 1);
  const auto of = std::ranges::find(kKeyDomains, key.substr(0, slash), &KeyDomain::domain);
  if (of == kKeyDomains.end() || word.empty()) return {};
  const std::vector<std::string_view> words = split_blanks(of->words);
  if (std::ranges::find(words, word) != words.end()) return {};
  const auto slip = std::ranges::find(kKeySlips, key, &KeySlip::key);
  if (slip != kKeySlips.end() && keys[slip->instead].exists()) return {};
  if (slip != kKeySlips.end()) return std::string(slip->meant);
  const std::string letters = letters_of_key(word);
  const auto same = std::ranges::find_if(words, [&](std::string_view one) { return letters_of_key(one) == letters; });
  const std::optional<std::string_view> near = same != words.end()           ? std::optional<std::string_view>(*same)
                                               : word.size() < kLeastKeyWord ? std::nullopt
                                                                             : slip_of(word, words);
  return near ? std::string(key.substr(0, slash + 1)) + std::string(*near) : std::string();
}

}  // namespace

void check_key_names(const Node& metadata, std::vector<Finding>& findings) {
  for (const std::string_view list : {"labels", "annotations"}) {
    const Node keys = metadata[list];
    std::set<std::string_view> there;  // once one is like another
    for (std::size_t i = 0; keys.is_mapping() && i < keys.size(); ++i) {
      const std::string_view key = keys.key(i).text();
      if (is_placeholder(key)) continue;
      const std::string meant = meant_by(key, keys);
      if (meant.empty()) continue;
      const bool first = there.empty();
      for (std::size_t k = 0; first && k < keys.size(); ++k) there.insert(keys.key(k).text());
      if (there.contains(meant)) continue;
      const auto of = std::ranges::find(kKeyDomains, key.substr(0, key.find('/')), &KeyDomain::domain);
      findings.push_back(
          problem("key-name-unread", keys.key(i).where(),
                  std::string(of->reader) + " reads no `" + std::string(key) + "`; did you mean `" + meant + "`?"));
      findings.back().field = key;
    }
  }
}

}  // namespace muster
