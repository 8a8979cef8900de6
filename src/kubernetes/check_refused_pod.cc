#include <algorithm>
#include <array>

#include "base/quantity.h"
#include "base/strings.h"
#include "kubernetes/refusal.h"
#include "syntax/placeholder.h"
#include "syntax/read_value.h"

// Source: kubernetes/kubernetes:pkg/apis/core/validation/validation.go (1.30-1.37); executed with kube-apiserver 1.36.

namespace muster {
namespace {

constexpr std::int64_t kHighestPort = 65535;
constexpr std::int64_t kMostMode = 0777;
constexpr std::int64_t kMostUser = 2147483647;

class RefusedPod {
 public:
  RefusedPod(const Node& pod, std::vector<Finding>& findings) : pod_(pod), refusal_(findings) {}

  void run() {
    std::set<std::string_view> names;
    for (const std::string_view list : {"initContainers", "containers"}) {
      const Node containers = pod_[list];
      refusal_.unlike(containers, "name", "container", names);
      for (std::size_t i = 0; containers.is_sequence() && i < containers.size(); ++i) container(containers.item(i));
    }
    refusal_.unlike(pod_["volumes"], "name", "volume");
    const Node volumes = pod_["volumes"];
    for (std::size_t i = 0; volumes.is_sequence() && i < volumes.size(); ++i) volume(volumes.item(i));
    tolerations();
    affinity();
    spread();
    refusal_.dns_label(pod_["hostname"], "hostname");
    refusal_.dns_label(pod_["subdomain"], "subdomain");
    user(pod_["securityContext"]);
    if (pod_["dnsPolicy"].text() == "None" && !pod_["dnsConfig"].exists())
      refusal_.say(pod_["dnsPolicy"], "dnsPolicy", "is None, and there is no `dnsConfig`");
  }

 private:
  void user(const Node& context) {
    for (const std::string_view field : {"runAsUser", "runAsGroup", "fsGroup"})
      refusal_.within(context[field], field, 0, kMostUser);
  }

  void container(const Node& one) {
    if (!one.is_mapping()) return;
    refusal_.dns_label(one["name"], "name");
    const Node image = one["image"];
    // OpenShift fills ` ` in: its triggers say with what.
    if (image.is_scalar() && image.text() != trim(image.text()) && !trim(image.text()).empty())
      refusal_.say(image, "image", "begins or ends with a blank");
    ports(one["ports"]);
    const bool whole = one["image"].exists() && one["name"].exists();
    for (const std::string_view field : {"livenessProbe", "readinessProbe", "startupProbe"}) probe(one, field, whole);
    for (const std::string_view field : {"postStart", "preStop"}) {
      const Node handler = one["lifecycle"][field];
      if (handler.is_mapping()) refusal_.one_of(handler, {"exec", "httpGet", "tcpSocket", "sleep"}, field, whole);
    }
    const Node env = one["env"];
    for (std::size_t i = 0; env.is_sequence() && i < env.size(); ++i) variable(env.item(i));
    const Node mounts = one["volumeMounts"];
    for (std::size_t i = 0; mounts.is_sequence() && i < mounts.size(); ++i) mount(mounts.item(i));
    const Node context = one["securityContext"];
    user(context);
    const Node escalation = context["allowPrivilegeEscalation"];
    if (is_true(context["privileged"]) && escalation.text() == "false")
      refusal_.say(escalation, "allowPrivilegeEscalation", "is false, and the container is privileged");
    resources(one["resources"]);
  }

  void ports(const Node& list) {
    const bool of_host = is_true(pod_["hostNetwork"]);
    for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) {
      const Node port = list.item(i);
      const Node inside = port["containerPort"];
      const Node outside = port["hostPort"];
      refusal_.within(inside, "containerPort", 1, kHighestPort);
      refusal_.within(outside, "hostPort", 0, kHighestPort);
      refusal_.port_name(port["name"], "name");
      const std::optional<std::int64_t> host = number_written(outside);
      const std::optional<std::int64_t> own = number_written(inside);
      if (of_host && host && own && *host != 0 && *host != *own)
        refusal_.say(outside, "hostPort", "is not `containerPort`, and the pod is in the network of its node");
    }
  }

  void probe(const Node& container, std::string_view field, bool whole) {
    const Node one = container[field];
    if (!one.is_mapping()) return;
    refusal_.one_of(one, {"exec", "httpGet", "tcpSocket", "grpc"}, field, whole && one.size() > 0);
    refusal_.not_negative(
        one, {"initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"});
    for (const std::string_view way : {"httpGet", "tcpSocket"}) {
      const Node port = one[way]["port"];
      if (const std::optional<std::int64_t> number = number_written(port))
        refusal_.within(port, "port", 1, kHighestPort);
      else
        refusal_.port_name(port, "port");
    }
    const Node success = one["successThreshold"];
    const std::optional<std::int64_t> times = number_written(success);
    if (field != "readinessProbe" && times && *times > 1)
      refusal_.say(success, "successThreshold", "of " + std::string(field) + " is 1, always");
  }

  void variable(const Node& one) {
    const Node from = one["valueFrom"];
    if (!from.is_mapping() || one["<<"].exists()) return;
    if (!one["value"].text().empty()) refusal_.say(from, "valueFrom", "stands beside a `value`");
    refusal_.one_of(from, {"fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"},
                    "valueFrom", false);
  }

  void path_below(const Node& path, std::string_view field) {
    if (!path.is_scalar() || is_unsaid(path)) return;
    const std::string_view text = path.text();
    const bool up = text == ".." || text.starts_with("../") || contains(text, "/../") || text.ends_with("/..");
    if (text.starts_with('/') || up) refusal_.say(path, field, "leads out of the volume: it is a path below it");
  }

  void mount(const Node& one) {
    path_below(one["subPath"], "subPath");
    if (!one["subPath"].text().empty() && !one["subPathExpr"].text().empty())
      refusal_.say(one["subPathExpr"], "subPathExpr", "stands beside `subPath`");
  }

  void volume(const Node& one) {
    if (!one.is_mapping()) return;
    refusal_.dns_label(one["name"], "name");
    refusal_.one_of(one,
                    {"configMap", "secret", "emptyDir", "hostPath", "persistentVolumeClaim", "projected", "downwardAPI",
                     "csi", "ephemeral", "nfs", "image"},
                    "a volume", false);
    const Node host = one["hostPath"]["path"];
    if (contains("/" + std::string(host.text()) + "/", "/../")) refusal_.say(host, "path", "of a hostPath has no `..`");
    for (const std::string_view source : {"configMap", "secret"}) {
      const Node files = one[source];
      mode(files["defaultMode"], "defaultMode");
      const Node items = files["items"];
      for (std::size_t i = 0; items.is_sequence() && i < items.size(); ++i) {
        mode(items.item(i)["mode"], "mode");
        path_below(items.item(i)["path"], "path");
      }
    }
    mode(one["projected"]["defaultMode"], "defaultMode");
  }

  /// 0755 is octal to YAML, 755 is not: 01363, which no file has.
  void mode(const Node& value, std::string_view field) {
    const std::string_view digits = value.text();
    if (digits.starts_with('0')) return;
    const std::optional<std::int64_t> number = number_written(value);
    if (!number || (*number >= 0 && *number <= kMostMode)) return;
    refusal_.say(
        value, field,
        "is " + std::to_string(*number) + ", and takes 0 to 511, which is 0777: write 0" + std::string(digits));
  }

  void tolerations() {
    const Node list = pod_["tolerations"];
    for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) {
      const Node one = list.item(i);
      if (!one.is_mapping() || one["<<"].exists() || is_placeholder(one["operator"].text())) continue;
      const std::string_view how = one["operator"].text();
      if (how == "Exists" && !one["value"].text().empty())
        refusal_.say(one["value"], "value", "stands beside `operator: Exists`, which takes none");
      if (one["key"].text().empty() && how != "Exists" && (one["value"].exists() || one["effect"].exists()))
        refusal_.say(one, "key", "is missing, and the operator is not Exists");
      const Node seconds = one["tolerationSeconds"];
      if (number_written(seconds) && one["effect"].text() != "NoExecute" && !is_placeholder(one["effect"].text()))
        refusal_.say(seconds, "tolerationSeconds", "is for `effect: NoExecute` alone");
    }
  }

  /// matchExpressions of nodes.
  void requirements(const Node& list) {
    for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) {
      const Node one = list.item(i);
      const std::string_view how = one["operator"].text();
      const Node values = one["values"];
      if (!one.is_mapping() || one["<<"].exists() ||
          (values.exists() && is_unsaid(values) && !values.is_sequence() && !values.is_null()))
        continue;
      const std::size_t count = values.is_sequence() ? values.size() : 0;
      if ((how == "Exists" || how == "DoesNotExist") && count > 0)
        refusal_.say(values, "values", "stands beside `operator: " + std::string(how) + "`, which takes none");
      if ((how == "In" || how == "NotIn") && count == 0)
        // A key with nothing behind it says that: whoever wrote it took all words out.
        refusal_.say(one["operator"], "operator", "is " + std::string(how) + ", and there are no `values`",
                     values.exists() ? About::Object : About::Whole);
      if ((how == "Gt" || how == "Lt") && count != 1)
        refusal_.say(one["operator"], "operator", "is " + std::string(how) + ", which takes one value");
    }
  }

  void affinity() {
    const Node nodes = pod_["affinity"]["nodeAffinity"];
    const Node required = nodes["requiredDuringSchedulingIgnoredDuringExecution"];
    const Node terms = required["nodeSelectorTerms"];
    if (terms.is_sequence() && terms.size() == 0) refusal_.say(terms, "nodeSelectorTerms", "is empty");
    for (std::size_t i = 0; terms.is_sequence() && i < terms.size(); ++i)
      requirements(terms.item(i)["matchExpressions"]);
    preferred(nodes, "preference");
    for (const std::string_view way : {"podAffinity", "podAntiAffinity"}) preferred(pod_["affinity"][way], "");
  }

  void preferred(const Node& affinity, std::string_view of_nodes) {
    const Node list = affinity["preferredDuringSchedulingIgnoredDuringExecution"];
    for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) {
      refusal_.within(list.item(i)["weight"], "weight", 1, 100);
      if (!of_nodes.empty()) requirements(list.item(i)[of_nodes]["matchExpressions"]);
    }
  }

  void spread() {
    const Node list = pod_["topologySpreadConstraints"];
    for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) {
      const Node skew = list.item(i)["maxSkew"];
      const std::optional<std::int64_t> number = number_written(skew);
      if (number && *number < 1)
        refusal_.say(skew, "maxSkew", "is " + std::to_string(*number) + ", and takes 1 and more");
    }
  }

  void resources(const Node& one) {
    bool pages = false;
    bool counted = false;
    for (const std::string_view side : {"requests", "limits"}) {
      const Node amounts = one[side];
      for (std::size_t i = 0; amounts.is_mapping() && i < amounts.size(); ++i) {
        const std::string_view name = amounts.key(i).text();
        const Node value = amounts.value(i);
        pages = pages || name.starts_with("hugepages-");
        counted = counted || name == "cpu" || name == "memory" || name == "<<" || is_placeholder(name);
        const std::optional<Quantity> amount = is_unsaid(value) ? std::nullopt : Quantity::parse(value.text());
        if (amount && *amount < Quantity::of(0)) refusal_.say(value, name, "is below 0");
        if (amount) huge_pages(value, name, *amount);
      }
    }
    if (pages && !counted) refusal_.say(one, "resources", "has huge pages and neither cpu nor memory");
  }

  /// Source: kubernetes/kubernetes:pkg/apis/core/v1/helper/helpers.go, IsHugePageResourceValueDivisible (1.36).
  void huge_pages(const Node& value, std::string_view name, const Quantity& amount) {
    constexpr std::string_view kPages = "hugepages-";
    if (!name.starts_with(kPages)) return;
    const std::string_view size = name.substr(kPages.size());
    const std::optional<Quantity> page = Quantity::parse(size);
    const bool known = page && page->is_whole() && page->whole > 0 && amount.is_whole();
    if (known && amount.whole % page->whole != 0) refusal_.say(value, name, "is no multiple of " + std::string(size));
  }

  const Node& pod_;
  Refusal refusal_;
};

}  // namespace

void check_refused_pod(const Node& pod, std::vector<Finding>& findings) {
  if (pod.is_mapping()) RefusedPod(pod, findings).run();
}

}  // namespace muster
