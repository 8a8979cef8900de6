#include "kubernetes/check_type.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/strings.h"
#include "gang/manifest.h"
#include "kubernetes/field_table.h"

namespace muster {
namespace {

constexpr std::size_t kMostItems = 1000;

bool is_there(const Node& node) {
  return node.exists() && !node.is_null() && !(node.is_scalar() && node.text().empty());
}

/// The key that was meant to be `wanted`.
Node misspelt(const Node& object, std::string_view wanted) {
  const std::array<std::string_view, 1> words{wanted};
  for (std::size_t i = 0; i < object.size(); ++i) {
    const std::string_view key = object.key(i).text();
    const bool other = key == "kind" || key == "apiVersion" || key == "metadata" || key == "spec" || key == "status";
    if (!other && (equals_ignoring_case(key, wanted) || !did_you_mean(key, words).empty())) return object.key(i);
  }
  return {};
}

/// The API version in which Kubernetes, or Prometheus' operator, has a kind; empty: none of these.
std::string_view home_of(std::string_view kind) {
  constexpr std::array<std::string_view, 11> kHomes{"v1",
                                                    "apps/v1",
                                                    "batch/v1",
                                                    "autoscaling/v2",
                                                    "networking.k8s.io/v1",
                                                    "policy/v1",
                                                    "rbac.authorization.k8s.io/v1",
                                                    "storage.k8s.io/v1",
                                                    "scheduling.k8s.io/v1",
                                                    "apiextensions.k8s.io/v1",
                                                    "admissionregistration.k8s.io/v1"};
  for (const std::string_view home : kHomes) {
    if (FieldTable::shipped().find(home, kind) != nullptr) return home;
  }
  constexpr std::array<std::string_view, 4> kMonitoring{"PodMonitor", "Probe", "PrometheusRule", "ServiceMonitor"};
  return std::ranges::find(kMonitoring, kind) != kMonitoring.end() ? "monitoring.coreos.com/v1" : std::string_view();
}

/// The newest API version in which the other group of a project has a kind that this one has in no version; empty:
/// none.
std::string_view home_in_sibling(std::string_view group, std::string_view kind) {
  constexpr std::array<std::array<std::string_view, 2>, 2> kProjects{{
      {"kubeflow.org", "trainer.kubeflow.org"},
      {"batch.volcano.sh", "scheduling.volcano.sh"},
  }};
  const FieldTable& table = FieldTable::shipped();
  for (const auto& [one, other] : kProjects) {
    if (group != one && group != other) continue;
    const std::vector<std::string_view> there = table.versions_of(group == one ? other : one, kind);
    if (!there.empty() && table.versions_of(group, kind).empty()) return there.back();
  }
  return {};
}

/// A list of objects that does not say it is one.
void check_list(const Node& object, std::vector<Finding>& findings) {
  const Node items = object["items"];
  if (object["apiVersion"].text() != "v1" || object["kind"].exists() || items.size() == 0) return;
  for (std::size_t i = 0; i < items.size() && i < kMostItems; ++i) {
    const Node item = items.item(i);
    if (!item["apiVersion"].is_scalar() || !item["kind"].is_scalar() || !item["metadata"].is_mapping()) return;
  }
  findings.push_back(problem("object-type-missing", object["apiVersion"].where(),
                             "this list of objects has no `kind`: it is a `List`"));
  findings.back().field = "kind";
  findings.back().about = About::Whole;
}

}  // namespace

void check_type(const Node& object, std::vector<Finding>& findings) {
  if (object.is_mapping() && object["items"].is_sequence()) return check_list(object, findings);
  const Node metadata = object["metadata"];
  const bool named = metadata["name"].is_scalar() || metadata["generateName"].is_scalar();
  if (!object.is_mapping() || !named || !object["spec"].is_mapping() || object["$patch"].exists()) return;
  const Node version = object["apiVersion"];
  const Node kind = object["kind"];
  if (is_there(version) == is_there(kind)) return;
  const FieldTable& table = FieldTable::shipped();
  const bool known = is_there(kind) ? kind.is_scalar() && table.has_kind(kind.text())
                                    : version.is_scalar() && table.has_version(version.text());
  if (!known) return;
  const std::string_view lacks = is_there(kind) ? "apiVersion" : "kind";
  const Node meant = misspelt(object, lacks);
  const Node at = meant.exists() ? meant : is_there(kind) ? kind : version;
  const std::string what =
      is_there(kind) ? "this " + std::string(kind.text()) : "this object of `" + std::string(version.text()) + "`";
  findings.push_back(problem("object-type-missing", at.where(),
                             what + " has no `" + std::string(lacks) + "`" +
                                 (meant.exists() ? ", but a key `" + std::string(meant.text()) + "`" : std::string())));
  findings.back().field = lacks;
  findings.back().about = About::Whole;
  if (meant.exists()) findings.back().fix = spell(meant.where(), lacks);
}

void check_home(const Node& object, std::vector<Finding>& findings) {
  const Node version = object["apiVersion"];
  const std::string_view kind = object["kind"].text();
  if (!version.is_scalar() || FieldTable::shipped().find(version.text(), kind) != nullptr) return;
  constexpr std::array<std::string_view, 4> kAsked{"v1", "apps/v1", "batch/v1", "networking.k8s.io/v1"};
  const bool asked = std::ranges::find(kAsked, version.text()) != kAsked.end();
  const std::string_view home = asked ? home_of(kind) : home_in_sibling(api_group(version.text()), kind);
  if (home.empty()) return;
  findings.push_back(problem(
      "api-version-of-other-kinds", version.where(),
      "`" + std::string(version.text()) + "` has no " + std::string(kind) + "; it is of `" + std::string(home) + "`"));
  findings.back().field = "apiVersion";
  findings.back().about = About::Whole;
  if (asked) findings.back().fix = spell(version.where(), home);
}

// Sources: kubernetes-sigs/controller-runtime:pkg/webhook/admission/defaulter_custom.go (86a0d40e), PatchResponseFromRaw;
// the Default of kserve/kserve:pkg/apis/serving/v1beta1/inference_service_defaults.go (0.20),
// kubernetes-sigs/kueue:pkg/controller/jobs (0.19), kubernetes-sigs/jobset:pkg/webhooks/jobset_webhook.go (01078527) and
// kubernetes-sigs/lws:pkg/webhooks/leaderworkerset_webhook.go (01ebf9bc).
bool is_rewritten_first(const Node& object, std::string_view kind) {
  constexpr std::array<std::string_view, 3> kKinds{"InferenceService", "JobSet", "LeaderWorkerSet"};
  return std::ranges::find(kKinds, kind) != kKinds.end() ||
         object["metadata"]["labels"]["kueue.x-k8s.io/queue-name"].exists();
}

}  // namespace muster
