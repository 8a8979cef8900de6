#include "kubernetes/check_object.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "base/strings.h"
#include "kubernetes/check_checkpoints.h"
#include "kubernetes/check_claim.h"
#include "kubernetes/check_durations.h"
#include "kubernetes/check_experiment.h"
#include "kubernetes/check_key_names.h"
#include "kubernetes/check_leader_ready.h"
#include "kubernetes/check_mpi_keys.h"
#include "kubernetes/check_mpi_slots.h"
#include "kubernetes/check_names.h"
#include "kubernetes/check_network.h"
#include "kubernetes/check_operator_pods.h"
#include "kubernetes/check_operator_values.h"
#include "kubernetes/check_pod_volumes.h"
#include "kubernetes/check_policy_images.h"
#include "kubernetes/check_queries.h"
#include "kubernetes/check_read_only.h"
#include "kubernetes/check_replica_types.h"
#include "kubernetes/check_sharing.h"
#include "kubernetes/check_spread.h"
#include "kubernetes/check_volcano_end.h"
#include "kubernetes/check_volcano_job.h"
#include "kubernetes/check_without_effect.h"
#include "kubernetes/check_workflow_claims.h"
#include "kubernetes/check_workflow_retries.h"
#include "kubernetes/field_table.h"
#include "kubernetes/installed_charts.h"
#include "kubernetes/refusal.h"
#include "syntax/placeholder.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

enum class Restarts : unsigned char { AsPod, Always, NeverAlways };

/// Kinds of Kubernetes that make pods from a template, and Pod itself.
struct PodMaker {
  std::string_view api_version;
  std::string_view kind;
  Restarts restarts;
  bool selects = false;  ///< its selector must match its own pods
};
constexpr PodMaker kPodMakers[] = {
    {"apps/v1", "DaemonSet", Restarts::Always, true},
    {"apps/v1", "Deployment", Restarts::Always, true},
    {"apps/v1", "ReplicaSet", Restarts::Always, true},
    {"apps/v1", "StatefulSet", Restarts::Always, true},
    {"batch/v1", "CronJob", Restarts::NeverAlways},
    {"batch/v1", "Job", Restarts::NeverAlways},
    {"v1", "Pod", Restarts::AsPod},
    {"v1", "ReplicationController", Restarts::Always},
};

void check_restart_policy(const Node& pod, const PodMaker& maker, std::vector<Finding>& findings) {
  const Node policy = pod["restartPolicy"];
  if (policy.exists() && !policy.is_null() && is_unsaid(policy)) return;
  const std::string_view word = policy.text();
  const bool never = word == "Never" || word == "OnFailure";
  const bool wrong = (maker.restarts == Restarts::Always && never) ||
                     (maker.restarts == Restarts::NeverAlways && (word == "Always" || word.empty()));
  if (!wrong) return;
  const std::string takes = maker.restarts == Restarts::Always ? "Always" : "OnFailure or Never";
  findings.push_back(
      problem("restart-policy-unsupported", word.empty() ? pod.key_where() : policy.where(),
              (word.empty() ? "pods of " + in_ticks(maker.kind) + " without a `restartPolicy` have `Always`"
                            : in_ticks(maker.kind) + " does not take `restartPolicy` " + in_ticks(word)) +
                  "; it takes " + takes));
  findings.back().field = "restartPolicy";
  findings.back().about = word.empty() ? About::Whole : About::Object;
}

/// Whether the labels of a template meet one requirement of matchExpressions; true when that cannot be told.
bool meets(const Node& labels, const Node& requirement) {
  if (is_unsaid(requirement["key"])) return true;
  const Node label = labels[requirement["key"].text()];
  const std::string_view how = requirement["operator"].text();
  if (how == "Exists") return label.exists();
  if (how == "DoesNotExist") return !label.exists();
  const Node values = requirement["values"];
  if ((how != "In" && how != "NotIn") || !values.is_sequence() || (label.exists() && is_unsaid(label))) return true;
  bool among = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_unsaid(values.item(i))) return true;
    among = among || (label.exists() && values.item(i).text() == label.text());
  }
  return among == (how == "In");
}

void check_selector(const Node& spec, std::string_view kind, std::vector<Finding>& findings) {
  const Node selector = spec["selector"];
  const Node wanted = selector["matchLabels"];
  const Node expressions = selector["matchExpressions"];
  const Node labels = spec["template"]["metadata"]["labels"];
  if (!selector.is_mapping() || (labels.exists() && !labels.is_mapping() && !labels.is_null())) return;
  const auto report = [&](const Node& at, const std::string& message) {
    findings.push_back(problem("pod-selector-mismatch", at.where(), message));
    findings.back().field = "selector";
    findings.back().about = About::Whole;
  };
  if (wanted.size() + expressions.size() == 0) {
    if (selector.size() > 0 && !wanted.exists() && !expressions.exists()) return;  // what it has is no field
    if (!wanted.is_scalar() && !expressions.is_scalar())
      report(selector, "the selector of " + in_ticks(kind) + " is empty");
    return;
  }
  for (std::size_t i = 0; wanted.is_mapping() && i < wanted.size(); ++i) {
    const Node key = wanted.key(i);
    const Node value = wanted.value(i);
    const Node label = labels[key.text()];
    if (key.text() == "<<" || is_unsaid(key) || is_unsaid(value) || (label.exists() && is_unsaid(label))) continue;
    if (label.text() == value.text() && label.exists()) continue;
    return report(value, "the selector of " + in_ticks(kind) + " wants the label " + in_ticks(key.text()) + " to be " +
                             in_ticks(value.text()) + ", and its pods have " +
                             (label.exists() ? in_ticks(label.text()) : "no such label"));
  }
  for (std::size_t i = 0; expressions.is_sequence() && i < expressions.size(); ++i) {
    if (meets(labels, expressions.item(i))) continue;
    return report(expressions.item(i)["key"], "the selector of " + in_ticks(kind) + " does not match the label " +
                                                  in_ticks(expressions.item(i)["key"].text()) + " of its pods");
  }
}

/// The API server fills nothing in: `worker-$(INDEX)` is no label of DNS.
void check_host_name(const Node& pod, std::vector<Finding>& findings) {
  for (const std::string_view field : {"hostname", "subdomain"}) {
    const Node name = pod[field];
    if (!name.is_scalar() || name.text().find("$(") == std::string_view::npos) continue;
    findings.push_back(problem("object-name-invalid", name.where(),
                               in_ticks(name.text()) + " is no host name: nothing fills in `$(...)` here"));
    findings.back().field = field;
    findings.back().about = About::Whole;
  }
}

/// With several ports each has a name. Source: kubernetes/kubernetes:pkg/apis/core/validation/validation.go (1.37),
/// validateServicePort.
void check_port_names(const Node& ports, std::vector<Finding>& findings) {
  if (!ports.is_sequence() || ports.size() < 2) return;
  Node first;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const Node port = ports.item(i);
    // What is merged or filled in may bring one.
    if (!port["port"].is_scalar() || is_unsaid(port["port"]) || port["<<"].exists()) return;
    if (!first.exists() && port["name"].text().empty()) first = port;
  }
  if (!first.exists() || first["name"].is_mapping()) return;
  findings.push_back(problem("field-missing", first["port"].where(),
                             "`spec.ports` of Service lacks `name`: with several ports each has one"));
  findings.back().field = "name";
  findings.back().about = About::Whole;
}

/// One with an address of its own has ports.
void check_service(const Node& spec, std::vector<Finding>& findings) {
  const Node ports = spec["ports"];
  check_port_names(ports, findings);
  if (!spec.is_mapping() || ports.size() > 0 || ports.is_scalar() || spec["<<"].exists()) return;
  const std::string_view type = spec["type"].text();
  const bool is_usual = type.empty() || type == "ClusterIP" || type == "NodePort" || type == "LoadBalancer";
  if (!is_usual || spec["clusterIP"].is_scalar()) return;
  findings.push_back(problem("field-missing", spec.key_where(), "`spec` of Service lacks `ports`"));
  findings.back().field = "ports";
  findings.back().about = About::Whole;
}

/// What nobody takes for the value itself: `${TOKEN}`, `<token>`, `your-token`, TOKEN_HERE.
bool is_to_be_filled_in(std::string_view text) {
  if (text.find_first_of("<>${}%@[]#()*") != text.npos || is_placeholder(text)) return true;
  const std::string small = to_lower(text);
  constexpr std::string_view kWords[] = {
      "your", "replace", "change",   "placeholder", "base64", "encoded", "example", "insert", "todo", "here",
      "xxx",  "fill",    "redacted", "secret:",     "vault:", "sample",  "dummy",   "fake",   "..."};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return contains(small, word); }) ||
         std::ranges::none_of(text, [](char c) { return (c >= 'a' && c <= 'z') || is_digit(c); });
}

/// Source: the decoder of Go's encoding/base64, StdEncoding (1.26), which passes over ends of lines.
bool is_base64(std::string_view text) {
  std::size_t signs = 0, filled = 0;
  for (const char c : text) {
    if (c == '\n' || c == '\r') continue;
    const bool sign = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '+' || c == '/';
    if (!sign && c != '=') return false;
    if (sign && filled > 0) return false;
    ++signs;
    filled += c == '=' ? 1 : 0;
  }
  return signs % 4 == 0 && filled <= 2;
}

/// The API server refuses what is no base64. What stands in `data` as it is, often a token, was meant for `stringData`.
void check_secret(const Node& data, std::vector<Finding>& findings) {
  for (std::size_t i = 0; data.is_mapping() && i < data.size(); ++i) {
    const Node value = data.value(i);
    // `ref+op://...` is for vals, `op://...` for `op inject`, which put the value in. Sources: helmfile/vals:README.md
    // (0.42); developer.1password.com/docs/cli/secret-reference-syntax (2.30).
    const bool filled_in =
        is_to_be_filled_in(value.text()) || value.text().starts_with("ref+") || contains(value.text(), "op://");
    if (!value.is_scalar() || is_base64(value.text()) || filled_in) continue;
    // The value itself is a secret: it is not repeated.
    findings.push_back(problem("secret-data-not-base64", value.where(),
                               "`" + std::string(data.key(i).text()) + "` in `data` of a Secret is no base64"));
    return;
  }
}

/// A binding of the whole cluster has no namespace of its own in which to look for accounts. Source:
/// kubernetes/kubernetes:pkg/apis/rbac/validation/validation.go (1.36), ValidateRoleBindingSubject.
void check_subjects(const Node& subjects, std::vector<Finding>& findings) {
  for (std::size_t i = 0; subjects.is_sequence() && i < subjects.size(); ++i) {
    const Node subject = subjects.item(i);
    if (subject["kind"].text() != "ServiceAccount" || subject["namespace"].exists() || subject["<<"].exists()) continue;
    findings.push_back(problem("field-missing", subject["kind"].where(),
                               "a ServiceAccount in `subjects` of ClusterRoleBinding lacks `namespace`"));
    findings.back().field = "namespace";
    findings.back().about = About::Whole;
    return;
  }
}

/// A key that is read as a label alone, or as an annotation alone.
struct KeyPlace {
  std::string_view key;
  bool label = false;
  std::string_view reader;
};
// Sources: helm/helm:pkg/release/util, pkg/action/hooks.go (3.19);
// kai-scheduler/KAI-Scheduler:pkg/podgrouper/podgrouper/ plugins/defaultgrouper/default_grouper.go (0.16);
// kubernetes-sigs/kueue:pkg/controller/jobframework/utils.go (0.19).
constexpr KeyPlace kKeyPlaces[] = {
    {"helm.sh/hook", false, "Helm"},
    {"helm.sh/hook-delete-policy", false, "Helm"},
    {"helm.sh/hook-weight", false, "Helm"},
    {"helm.sh/resource-policy", false, "Helm"},
    {"kai.scheduler/node-pool", true, "KAI"},
    {"kai.scheduler/queue", true, "KAI"},
    {"kueue.x-k8s.io/priority-class", true, "Kueue"},
    {"kueue.x-k8s.io/queue-name", true, "Kueue"},
};

void check_key_places(const Node& metadata, std::vector<Finding>& findings) {
  for (const KeyPlace& place : kKeyPlaces) {
    const std::string_view wanted = place.label ? "labels" : "annotations";
    const std::string_view wrong = place.label ? "annotations" : "labels";
    const Node found = metadata[wrong][place.key];
    if (!found.is_scalar() || metadata[wanted][place.key].exists()) continue;
    findings.push_back(problem("key-of-other-place", found.key_where(),
                               in_ticks(place.key) + " stands among the " + std::string(wrong) + ", and " +
                                   std::string(place.reader) + " reads it among the " + std::string(wanted)));
    findings.back().field = place.key;
  }
}

/// Of kinds whose fields nobody here knows: `labels` beside `metadata`. The API server drops what a definition does not
/// have, and none has those there.
void check_beside_metadata(const Node& object, std::string_view api_version, std::string_view kind,
                           std::vector<Finding>& findings) {
  const std::size_t dot = api_version.substr(0, api_version.find('/')).find('.');
  if (dot == std::string_view::npos || !object["metadata"].is_mapping() || !object["spec"].is_mapping() ||
      FieldTable::shipped().find(api_version, kind) != nullptr)
    return;
  for (const std::string_view key : {"labels", "annotations"}) {
    const Node found = object[key];
    if (!found.is_mapping()) continue;
    findings.push_back(problem("key-of-other-place", found.key_where(),
                               in_ticks(key) + " stands beside `metadata`, and belongs into it"));
    findings.back().field = key;
  }
}

/// Source: kubernetes/apimachinery:pkg/api/resource/quantity.go: without a unit it is bytes.
void check_claim_size(const Node& spec, std::vector<Finding>& findings) {
  constexpr std::size_t kMostDigits = 5;
  const Node size = spec["resources"]["requests"]["storage"];
  const std::string_view digits = size.text();
  // What a file system of the network ignores, and the API server wants all the same, is written as 1.
  const bool bytes = size.is_scalar() && !digits.empty() && digits != "1" && digits.size() <= kMostDigits &&
                     digits[0] != '0' && std::ranges::all_of(digits, is_digit);
  if (!bytes) return;
  findings.push_back(problem("claim-size-without-unit", size.where(),
                             "a volume of " + std::string(digits) + " bytes: the size has no unit"));
  findings.back().field = "storage";
}

const PodMaker* find_pod_maker(std::string_view api_version, std::string_view kind) {
  const auto found = std::ranges::find_if(
      kPodMakers, [&](const PodMaker& one) { return one.kind == kind && one.api_version == api_version; });
  return found == std::end(kPodMakers) ? nullptr : found;
}

/// The pods of such an object, and what makes them.
Node spec_of(const Node& object, std::string_view kind) {
  return kind == "CronJob" ? object["spec"]["jobTemplate"]["spec"] : object["spec"];
}

bool all_lack(const Node& containers, std::string_view field) {
  if (!containers.is_sequence()) return false;
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const Node one = containers.item(i);
    if (!one.is_mapping() || one[field].exists() || one["<<"].exists()) return false;
  }
  return containers.size() > 0;
}

void check_of_kubeflow(const Node& spec, std::string_view api_version, std::string_view kind,
                       std::vector<Finding>& findings) {
  if (api_version.starts_with("kubeflow.org/v") && kind == "MPIJob") check_mpi_slots(spec, findings);
  if (api_version == "kubeflow.org/v2beta1" && kind == "MPIJob") check_mpi_keys(spec, findings);
  if (api_version == "kubeflow.org/v1beta1" && kind == "Experiment") check_experiment(spec, findings);
  check_replica_types(spec, api_version, kind, findings);
}

}  // namespace

bool is_stated_in_part(const Node& object, std::string_view api_version, std::string_view kind) {
  const Node spec = spec_of(object, kind);
  if (!spec.is_mapping() || spec["<<"].exists()) return false;
  if (kind == "Service" && api_version == "v1") return !spec["ports"].exists() && !spec["selector"].exists();
  const PodMaker* maker = find_pod_maker(api_version, kind);
  if (maker == nullptr) return false;
  const bool unselected = maker->selects && !spec["selector"].exists();
  if (unselected && !spec["template"].exists()) return true;
  const Node containers = (kind == "Pod" ? spec : spec["template"]["spec"])["containers"];
  return all_lack(containers, "image") && (unselected || all_lack(containers, "name"));
}

void check_object(const Node& object, std::string_view api_version, std::string_view kind,
                  std::vector<Finding>& findings) {
  if (object["sops"].is_mapping()) return;
  check_names(object, api_version, kind, findings);
  check_key_places(object["metadata"], findings);
  check_key_names(object["metadata"], findings);
  check_beside_metadata(object, api_version, kind, findings);
  check_refused_object(object, api_version, kind, findings);
  check_operator_values(object, api_version, kind, findings);
  check_without_effect(object, api_version, kind, findings);
  check_durations(object, api_version, findings);
  check_queries(object, api_version, kind, findings);
  if (kind == "PersistentVolumeClaim" && api_version == "v1") return check_claim_size(object["spec"], findings);
  if (kind == "Secret" && api_version == "v1") return check_secret(object["data"], findings);
  if (kind == "ConfigMap" && api_version == "v1") return check_sharing(object["data"], findings);
  if (kind == "Job" && api_version == "batch.volcano.sh/v1alpha1") {
    check_volcano_job(object, findings);
    check_volcano_end(object["spec"], findings);
  }
  if (kind == "NetworkAttachmentDefinition" && api_version == "k8s.cni.cncf.io/v1") check_network(object, findings);
  if (kind == "HelmRelease" || kind == "Application" || (kind == "HelmChart" && api_version == "helm.cattle.io/v1"))
    return check_installed_chart(object, findings);
  if (kind == "ClusterPolicy" && api_version == "nvidia.com/v1") return check_policy_images(object["spec"], findings);
  if (kind == "Service" && api_version == "v1") return check_service(object["spec"], findings);
  if (kind == "ClusterRoleBinding" && api_version == "rbac.authorization.k8s.io/v1")
    return check_subjects(object["subjects"], findings);
  if (api_version.starts_with("resource.k8s.io/")) return check_claim(object, api_version, kind, findings);
  if (kind == "LeaderWorkerSet") check_leader_ready(object["spec"], findings);
  if (kind == "Workflow" || kind == "CronWorkflow" || kind.ends_with("WorkflowTemplate")) {
    const Node workflow = kind == "CronWorkflow" ? object["spec"]["workflowSpec"] : object["spec"];
    check_workflow_claims(workflow, findings);
    check_workflow_retries(workflow, findings);
  }
  if (api_version.starts_with("kubeflow.org/")) check_of_kubeflow(object["spec"], api_version, kind, findings);
  const PodMaker* maker = find_pod_maker(api_version, kind);
  if (maker == nullptr) return check_operator_pods(object, api_version, findings);
  const Node spec = spec_of(object, kind);
  const Node pod = kind == "Pod" ? spec : spec["template"]["spec"];
  if (maker->selects) check_selector(spec, kind, findings);
  if (kind != "Pod") check_key_names(spec["template"]["metadata"], findings);
  if (!pod.is_mapping()) return;
  check_restart_policy(pod, *maker, findings);
  check_refused_pod(pod, findings);
  check_spread(kind == "Pod" ? object : spec["template"], false, findings);
  const Node claims = spec["volumeClaimTemplates"];
  check_mounts(pod, claims, kind == "StatefulSet" ? "stateful-set-mount-undefined" : "volume-mount-undefined",
               findings);
  for (std::size_t i = 0; claims.is_sequence() && i < claims.size(); ++i)
    check_claim_size(claims.item(i)["spec"], findings);
  if (kind != "StatefulSet") check_mount_paths(pod, findings);
  check_host_folders(pod, findings);
  check_empty_volumes(pod, findings);
  check_root(pod, findings);
  check_read_only(pod, findings);
  check_host_name(pod, findings);
  check_pod_ports(pod, findings);
  check_pod_claims(pod, findings);
  if (kind == "Job") check_checkpoints(spec, findings);
}

}  // namespace muster
