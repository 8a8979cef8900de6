#include <algorithm>
#include <array>
#include <map>

#include "base/quantity.h"
#include "base/strings.h"
#include "kubernetes/refusal.h"
#include "syntax/placeholder.h"

// Source: kubernetes/kubernetes:pkg/apis/{apps,autoscaling,batch,core,networking,policy,rbac,scheduling}/validation
// (1.30-1.37); executed with kube-apiserver 1.36.

namespace muster {
namespace {

constexpr std::int64_t kLastPort = 65535;
constexpr std::int64_t kMostPriority = 1000000000;  // of a class that a user defines
constexpr std::size_t kMostCronName = 52;           // characters, for the Jobs' names add 11

bool is_zero(const Node& value) {
  std::string_view text = value.text();
  if (text.ends_with('%')) text.remove_suffix(1);
  return value.is_scalar() && text == "0";
}

void labels(const Node& metadata, Refusal& refusal) {
  const Node labels = metadata["labels"];
  for (std::size_t i = 0; labels.is_mapping() && i < labels.size(); ++i) {
    const Node value = labels.value(i);
    const std::string_view text = value.text();
    if (!is_written(value) || is_label_word(text)) continue;
    refusal.say(value, labels.key(i).text(),
                in_ticks(text.substr(0, 70)) + (text.size() > 63 ? " is longer than the 63 characters of a label"
                                                                  : " is no value of a label"));
  }
}

void job(const Node& spec, Refusal& refusal) {
  refusal.not_negative(spec, {"completions", "backoffLimit", "activeDeadlineSeconds",
                              "ttlSecondsAfterFinished", "backoffLimitPerIndex"});
  const bool merged = spec["<<"].exists();
  const std::string_view mode = spec["completionMode"].text();
  if (spec["backoffLimitPerIndex"].is_scalar() && mode != "Indexed" && !is_placeholder(mode) && !merged)
    refusal.say(spec["backoffLimitPerIndex"], "backoffLimitPerIndex", "is for `completionMode: Indexed`");
  const Node pod = spec["template"]["spec"];
  if (spec["podFailurePolicy"].is_mapping() && pod["restartPolicy"].text() == "OnFailure")
    refusal.say(pod["restartPolicy"], "restartPolicy", "is Never in a Job with a `podFailurePolicy`");
}

void cron_job(const Node& object, Refusal& refusal) {
  const Node spec = object["spec"];
  const Node schedule = spec["schedule"];
  const std::string wrong = wrong_in_schedule(schedule.text());
  if (schedule.is_scalar() && !wrong.empty()) refusal.say(schedule, "schedule", wrong);
  const Node name = object["metadata"]["name"];
  if (name.text().size() > kMostCronName && !is_unsaid(name))
    refusal.say(name, "name", "has " + std::to_string(name.text().size()) +
                                  " characters, and that of a CronJob takes 52: its Jobs add 11");
  refusal.not_negative(spec, {"startingDeadlineSeconds", "successfulJobsHistoryLimit", "failedJobsHistoryLimit"});
  job(spec["jobTemplate"]["spec"], refusal);
}

/// At least one pod may be missing or added. `kind`: a Deployment adds 25 % where nothing is written, a DaemonSet none.
void rolling(const Node& update, bool surges, Refusal& refusal) {
  const Node missing = update["maxUnavailable"];
  const Node added = update["maxSurge"];
  if (!is_zero(missing) || update["<<"].exists()) return;
  if (surges ? is_zero(added) : !added.exists() || is_zero(added))
    refusal.say(missing, "maxUnavailable", "is 0, and so is `maxSurge`: no pod could ever be replaced");
}

void deployment(const Node& spec, Refusal& refusal) {
  const Node strategy = spec["strategy"];
  const Node update = strategy["rollingUpdate"];
  if (strategy["type"].text() == "Recreate" && update.is_mapping())
    refusal.say(update, "rollingUpdate", "stands beside `type: Recreate`");
  rolling(update, true, refusal);
  refusal.not_negative(spec, {"minReadySeconds", "revisionHistoryLimit"});
  const Node deadline = spec["progressDeadlineSeconds"];
  const std::optional<std::int64_t> seconds = number_written(deadline);
  const std::optional<std::int64_t> ready = number_written(spec["minReadySeconds"]);
  if (seconds && *seconds <= ready.value_or(0))
    refusal.say(deadline, "progressDeadlineSeconds", "is not above `minReadySeconds`");
}

void autoscaler(const Node& spec, Refusal& refusal) {
  const Node least = spec["minReplicas"];
  if (!is_zero(least) || spec["<<"].exists()) return;
  const Node metrics = spec["metrics"];
  bool from_elsewhere = false;
  for (std::size_t i = 0; metrics.is_sequence() && i < metrics.size(); ++i) {
    const std::string_view type = metrics.item(i)["type"].text();
    from_elsewhere = from_elsewhere || type == "Object" || type == "External" || is_placeholder(type);
  }
  if (!from_elsewhere)
    refusal.say(least, "minReplicas", "is 0, which no metric of pods that are not there could raise again");
}

void service(const Node& spec, Refusal& refusal) {
  const Node type = spec["type"];
  const bool inside = !type.exists() || type.text() == "ClusterIP";
  const Node ports = spec["ports"];
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (std::size_t i = 0; ports.is_sequence() && i < ports.size(); ++i) {
    const Node one = ports.item(i);
    const Node port = one["port"];
    const Node target = one["targetPort"];
    refusal.within(port, "port", 1, kLastPort);
    refusal.dns_label(one["name"], "name");
    if (number_written(target))
      refusal.within(target, "targetPort", 1, kLastPort);
    else
      refusal.port_name(target, "targetPort");
    if (one["<<"].exists()) continue;
    const Node node_port = one["nodePort"];
    const std::optional<std::int64_t> number = number_written(node_port);
    if (inside && number && *number != 0 && !spec["<<"].exists())
      refusal.say(node_port, "nodePort", "is for `type: NodePort` and `LoadBalancer`; this Service is a ClusterIP");
    const std::string_view protocol = one["protocol"].exists() ? one["protocol"].text() : "TCP";
    if (number_written(port) && !is_placeholder(protocol) && !seen.insert({port.text(), protocol}).second)
      refusal.say(port, "port", in_ticks(port.text()) + " is that of another port of the Service");
  }
  const Node address = spec["clusterIP"];
  if (address.text() == "None" && (type.text() == "LoadBalancer" || type.text() == "NodePort"))
    refusal.say(address, "clusterIP", "is None, and the type is " + std::string(type.text()));
  if (type.text() == "ExternalName" && !spec["externalName"].exists() && !spec["<<"].exists())
    refusal.say(type, "type", "is ExternalName, and there is no `externalName`");
}

void priority_class(const Node& object, Refusal& refusal) {
  const Node name = object["metadata"]["name"];
  if (name.text() == "system-cluster-critical" || name.text() == "system-node-critical") return;
  const Node value = object["value"];
  const std::optional<std::int64_t> number = number_written(value);
  if (number && *number > kMostPriority)
    refusal.say(value, "value", "is above 1000000000, the most that a class of a user has");
  if (name.text().starts_with("system-")) refusal.say(name, "name", "begins with `system-`, as none of a user does");
}

void ingress(const Node& spec, Refusal& refusal) {
  const Node rules = spec["rules"];
  for (std::size_t r = 0; rules.is_sequence() && r < rules.size(); ++r) {
    const Node host = rules.item(r)["host"];
    const bool odd = host.text().find_first_of(":/ _") != std::string_view::npos;
    const bool open = std::ranges::any_of(split(host.text(), '.'), is_screaming);  // a part that somebody fills in
    if (odd && !open && (is_written(host) || host.text().starts_with("*.")))
      refusal.say(host, "host", in_ticks(host.text()) + " is no name of a host: no scheme, port, path or `_`");
    const Node paths = rules.item(r)["http"]["paths"];
    for (std::size_t p = 0; paths.is_sequence() && p < paths.size(); ++p) {
      const Node path = paths.item(p)["path"];
      if (is_written(path) && !path.text().starts_with('/'))
        refusal.say(path, "path", in_ticks(path.text()) + " does not begin with `/`");
      refusal.one_of(paths.item(p)["backend"]["service"]["port"], {"name", "number"}, "port", false);
    }
  }
}

/// 10.0.0.0/8, fd00::/8.
bool is_network(std::string_view text) {
  const std::size_t slash = text.find('/');
  const std::optional<std::int64_t> bits = slash == text.npos ? std::nullopt : parse_int(text.substr(slash + 1));
  return bits && *bits >= 0 && *bits <= (contains(text, ":") ? 128 : 32);
}

void network_policy(const Node& spec, Refusal& refusal) {
  for (const auto& [way, side] : {std::pair{"ingress", "from"}, std::pair{"egress", "to"}}) {
    const Node rules = spec[way];
    for (std::size_t r = 0; rules.is_sequence() && r < rules.size(); ++r) {
      const Node peers = rules.item(r)[side];
      for (std::size_t p = 0; peers.is_sequence() && p < peers.size(); ++p) {
        const Node peer = peers.item(p);
        const Node block = peer["ipBlock"];
        const Node cidr = block["cidr"];
        const bool written = cidr.is_scalar() && !is_unsaid(cidr) && !cidr.text().empty() &&
                             std::ranges::all_of(cidr.text(), [](char c) {
                               return is_digit(c) || c == '.' || c == ':' || c == '/' || (c >= 'a' && c <= 'f');
                             });
        if (written && !is_network(cidr.text()))
          refusal.say(cidr, "cidr", in_ticks(cidr.text()) + " is no network: it ends with its bits, as in /24");
        if (block.is_mapping() && (peer["podSelector"].exists() || peer["namespaceSelector"].exists()))
          refusal.say(block, "ipBlock", "stands beside a selector: each is a peer of its own");
      }
    }
  }
}

void budget(const Node& spec, Refusal& refusal) {
  refusal.one_of(spec, {"minAvailable", "maxUnavailable"}, "a budget", false);
  for (const std::string_view field : {"minAvailable", "maxUnavailable"}) {
    const Node value = spec[field];
    if (!value.text().ends_with('%')) continue;
    const std::optional<std::int64_t> share = parse_int(value.text().substr(0, value.text().size() - 1));
    if (share && *share > 100) refusal.say(value, field, "is more than 100%");
  }
}

std::optional<Quantity> amount_of(const Node& value) {
  return value.is_scalar() && !is_unsaid(value) ? Quantity::parse(value.text()) : std::nullopt;
}

void limit_range(const Node& spec, Refusal& refusal) {
  // Each is at most those behind it.
  constexpr std::array<std::string_view, 4> kOrder{"min", "defaultRequest", "default", "max"};
  const Node limits = spec["limits"];
  for (std::size_t i = 0; limits.is_sequence() && i < limits.size(); ++i) {
    const Node item = limits.item(i);
    for (std::size_t low = 0; low < kOrder.size(); ++low) {
      const Node amounts = item[kOrder[low]];
      for (std::size_t k = 0; amounts.is_mapping() && k < amounts.size(); ++k) {
        const std::string_view name = amounts.key(k).text();
        for (std::size_t high = low + 1; high < kOrder.size(); ++high) {
          const Node above = item[kOrder[high]][name];
          const std::optional<Quantity> a = amount_of(amounts.value(k));
          const std::optional<Quantity> b = amount_of(above);
          if (!a || !b || !(*a > *b)) continue;
          refusal.say(amounts.value(k), name,
                      "in `" + std::string(kOrder[low]) + "` is above that in `" + std::string(kOrder[high]) + "`");
          break;
        }
      }
    }
  }
}

void config_map(const Node& object, Refusal& refusal) {
  const Node data = object["data"];
  for (std::size_t i = 0; data.is_mapping() && i < data.size(); ++i) {
    const Node key = data.key(i);
    const std::string_view text = key.text();
    if (!is_written(key)) continue;
    const bool fine = std::ranges::all_of(text, [](char c) { return is_word_char(c) || c == '-' || c == '.'; });
    if (!fine || text.empty() || text.size() > 253)
      refusal.say(data.value(i), text.substr(0, 70),
                  "is no key of a ConfigMap: letters, digits, `-`, `_` and `.`, as names of files");
    if (object["binaryData"][text].exists()) refusal.say(data.value(i), text, "is a key of `binaryData`, too");
  }
}

/// Keys that a Secret of some types has to have.
void secret(const Node& object, Refusal& refusal) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kNeeds{{
      {"kubernetes.io/tls", "tls.crt"},
      {"kubernetes.io/tls", "tls.key"},
      {"kubernetes.io/dockerconfigjson", ".dockerconfigjson"},
      {"kubernetes.io/dockercfg", ".dockercfg"},
  }};
  const Node type = object["type"];
  const Node data = object["data"];
  const Node texts = object["stringData"];
  if (data.size() + texts.size() == 0 || data["<<"].exists() || texts["<<"].exists()) return;
  for (const auto& [of, key] : kNeeds) {
    if (type.text() != of || data[key].exists() || texts[key].exists()) continue;
    return refusal.say(type, "type", "is " + std::string(of) + ", and there is no key " + in_ticks(key));
  }
}

void volume(const Node& spec, Refusal& refusal) {
  constexpr std::array<std::string_view, 9> kNoSource{
      "accessModes", "capacity",         "claimRef",   "mountOptions", "nodeAffinity", "persistentVolumeReclaimPolicy",
      "storageClassName", "volumeAttributesClassName", "volumeMode"};
  bool source = !spec.is_mapping() || spec["<<"].exists() || !spec["capacity"].exists();
  for (std::size_t i = 0; spec.is_mapping() && i < spec.size(); ++i)
    source = source || std::ranges::find(kNoSource, spec.key(i).text()) == kNoSource.end();
  if (!source) refusal.say(spec, "spec", "of the PersistentVolume names no source: hostPath, nfs, csi and the like");
}

/// Names without a group that a quota counts.
void quota(const Node& spec, Refusal& refusal) {
  constexpr std::array<std::string_view, 20> kNames{
      "configmaps", "cpu", "ephemeral-storage", "limits.cpu", "limits.ephemeral-storage", "limits.memory", "memory",
      "persistentvolumeclaims", "pods", "replicationcontrollers", "requests.cpu", "requests.ephemeral-storage",
      "requests.memory", "requests.storage", "resourcequotas", "secrets", "services", "services.loadbalancers",
      "services.nodeports", "storage"};
  const Node hard = spec["hard"];
  for (std::size_t i = 0; hard.is_mapping() && i < hard.size(); ++i) {
    const std::string_view name = hard.key(i).text();
    if (contains(name, "/") || contains(name, "hugepages-") || name == "<<" || is_placeholder(name)) continue;
    if (std::ranges::find(kNames, name) == kNames.end())
      refusal.say(hard.value(i), name, "is nothing that a quota counts: neither one of its own names nor one with a group");
  }
}

void rules(const Node& list, Refusal& refusal) {
  for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) {
    const Node one = list.item(i);
    if (!one.is_mapping() || one["<<"].exists() || one["nonResourceURLs"].exists()) continue;
    if (one["resources"].is_sequence() && (!one["apiGroups"].exists() || one["apiGroups"].is_null()))
      refusal.say(one["resources"], "resources", "stand without `apiGroups`: `[\"\"]` is that of Pods and Services");
  }
}

using Check = void (*)(const Node& part, Refusal& refusal);
struct KindCheck {
  std::string_view api_version;
  std::string_view kind;
  bool whole = false;  ///< asked of the object, not of its spec
  Check check = nullptr;
};
constexpr KindCheck kChecks[] = {
    {"apps/v1", "DaemonSet", false,
     [](const Node& spec, Refusal& refusal) { rolling(spec["updateStrategy"]["rollingUpdate"], false, refusal); }},
    {"apps/v1", "Deployment", false, deployment},
    {"autoscaling/v2", "HorizontalPodAutoscaler", false, autoscaler},
    {"batch/v1", "CronJob", true, cron_job},
    {"batch/v1", "Job", false, job},
    {"networking.k8s.io/v1", "Ingress", false, ingress},
    {"networking.k8s.io/v1", "NetworkPolicy", false, network_policy},
    {"policy/v1", "PodDisruptionBudget", false, budget},
    {"rbac.authorization.k8s.io/v1", "ClusterRole", true,
     [](const Node& object, Refusal& refusal) { rules(object["rules"], refusal); }},
    {"rbac.authorization.k8s.io/v1", "Role", true,
     [](const Node& object, Refusal& refusal) { rules(object["rules"], refusal); }},
    {"scheduling.k8s.io/v1", "PriorityClass", true, priority_class},
    {"v1", "ConfigMap", true, config_map},
    {"v1", "LimitRange", false, limit_range},
    {"v1", "PersistentVolume", false, volume},
    {"v1", "ResourceQuota", false, quota},
    {"v1", "Secret", true, secret},
    {"v1", "Service", false, service},
};

/// Of one field of a schedule: numbers, names, ranges, steps.
struct CronField {
  std::string_view name;
  std::int64_t least;
  std::int64_t most;
};
constexpr std::array<CronField, 5> kCronFields{
    {{"minutes", 0, 59}, {"hours", 0, 23}, {"days of a month", 1, 31}, {"months", 1, 12}, {"days of a week", 0, 6}}};

std::string wrong_in_field(std::string_view text, const CronField& field) {
  for (const std::string_view part : split(text, ',')) {
    const std::string_view range = part.substr(0, part.find('/'));
    for (const std::string_view end : split(range, '-')) {
      const std::optional<std::int64_t> number = parse_int(end);
      if (number && (*number < field.least || *number > field.most))
        return "has " + std::string(end) + " where its " + std::string(field.name) + " go from " +
               std::to_string(field.least) + " to " + std::to_string(field.most);
    }
  }
  return {};
}

}  // namespace

std::string wrong_in_schedule(std::string_view schedule) {
  schedule = trim(schedule);
  constexpr std::string_view kSigns = "0123456789*/,-? \tabcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  if (schedule.starts_with("TZ=") || schedule.starts_with("CRON_TZ="))
    return "does not take a time zone: that is `timeZone`";
  if (schedule.empty() || schedule.find_first_not_of(kSigns) != schedule.npos) return {};  // @daily, and what is filled in
  const std::vector<std::string_view> fields = split_blanks(schedule);
  const bool words = std::ranges::none_of(schedule, [](char c) { return is_digit(c) || c == '*'; });
  if (words) return {};
  if (fields.size() != kCronFields.size())
    return "has " + std::to_string(fields.size()) + " fields, and takes five: minute, hour, day, month, day of the week";
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (std::string wrong = wrong_in_field(fields[i], kCronFields[i]); !wrong.empty()) return wrong;
  }
  return {};
}

void check_refused_object(const Node& object, std::string_view api_version, std::string_view kind,
                          std::vector<Finding>& findings) {
  Refusal refusal(findings);
  const auto found = std::ranges::find_if(
      kChecks, [&](const KindCheck& one) { return one.kind == kind && one.api_version == api_version; });
  if (found != std::end(kChecks)) found->check(found->whole ? object : object["spec"], refusal);
  labels(object["metadata"], refusal);
}

}  // namespace muster
