// Ports that a monitor asks for, and that neither the Services it selects nor their pods have.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/strings.h"
#include "model/model.h"

namespace muster {
namespace {

using Names = std::set<std::string_view>;
using ByPair = std::map<std::pair<std::string_view, std::string_view>, std::vector<const Manifest*>>;

/// Those that have all of the labels; nothing where there are too many, or the labels are not written out.
std::optional<std::vector<const Manifest*>> with_labels(const ByPair& all, const WrittenValue& wanted,
                                                        std::string_view part) {
  constexpr std::size_t kMostOfPair = 50;
  if (!wanted.is_text_map()) return std::nullopt;
  const auto found = all.find({wanted.keys().front(), wanted.items().front().text()});
  if (found == all.end()) return std::vector<const Manifest*>();
  if (found->second.size() > kMostOfPair) return std::nullopt;
  std::vector<const Manifest*> out;
  for (const Manifest* one : found->second) {
    if (wanted.selects(one->part(part))) out.push_back(one);
  }
  return out;
}

/// False: somebody fills in a label, which may be any.
bool add_pairs(const Manifest& one, const WrittenValue& labels, ByPair& out) {
  if (labels.state == State::Absent) return true;
  for (std::size_t i = 0; labels.is_text_map() && i < labels.keys().size(); ++i)
    out[{labels.keys()[i], labels.items()[i].text()}].push_back(&one);
  return labels.is_text_map();
}

/// Prometheus takes the text for an expression: only of a name as ports have them it is known what it means.
bool is_port_name(const WrittenValue& at) {
  constexpr std::string_view kSigns = "abcdefghijklmnopqrstuvwxyz0123456789-";
  return at.is_text() && !at.text().empty() && at.text().find_first_not_of(kSigns) == std::string_view::npos &&
         !parse_int(at.text());
}

/// Adds the names of ports; false: not all of them are written out.
bool add_port_names(const WrittenValue& ports, Names& out) {
  if (ports.state == State::Unknown) return false;
  return std::ranges::all_of(ports.items(), [&](const WrittenValue& port) {
    const WrittenValue* name = port.find("name");
    if (port.state != State::Set || (name != nullptr && !name->is_text())) return false;
    if (name != nullptr) out.insert(name->text());
    return true;
  });
}

/// Of all containers of pods, those that run beside them from the beginning, too.
bool add_container_ports(const Manifest& pods, Names& out) {
  if (pods.part("containers").state != State::Set) return false;
  for (const std::string_view list : {"containers", "init_containers"}) {
    for (const WrittenValue& container : pods.part(list).items()) {
      const WrittenValue* ports = container.find("ports");
      if (container.state != State::Set || (ports != nullptr && !add_port_names(*ports, out))) return false;
    }
  }
  return true;
}

class MonitorPorts {
 public:
  explicit MonitorPorts(const Model& model) {
    for (const Manifest& one : model.manifests) {
      if (one.def->collection == "services" && !add_pairs(one, one.part("labels"), services_)) open_services_ = true;
      if (one.def->collection == "pod_makers" && !add_pairs(one, one.part("pod_labels"), pods_)) open_pods_ = true;
    }
    // Pods that an operator makes may have the labels of others, and ports that are not read here.
    constexpr std::array<std::string_view, 6> kPlain{"DaemonSet", "Deployment", "Job",
                                                     "Pod",       "ReplicaSet", "StatefulSet"};
    for (const Gang& gang : model.gangs)
      open_pods_ = open_pods_ || std::ranges::find(kPlain, std::string_view(gang.kind)) == kPlain.end();
  }

  void judge(Manifest& monitor) {
    if (open_services_) return;
    const WrittenValue& selector = monitor.part("selector");
    const WrittenValue* wanted = selector.find("matchLabels");
    if (wanted == nullptr || selector.find("matchExpressions") != nullptr) return;
    const auto services = with_labels(services_, *wanted, "labels");
    // Those of another bundle may be of another cluster, or of this one: all of them count.
    if (!services || services->empty()) return;
    for (const WrittenValue& endpoint : monitor.part("endpoints").items()) {
      const WrittenValue* port = endpoint.find("port");
      const WrittenValue* at = port != nullptr ? port : endpoint.find("targetPort");
      if (at == nullptr || !is_port_name(*at)) continue;
      const bool lacks = std::ranges::all_of(*services, [&](const Manifest* one) {
        return port != nullptr ? has_not(*one, at->text()) : pods_have_not(*one, at->text());
      });
      if (!lacks) continue;
      monitor.remarks.own().no_port = set_to(at->text(), at->where, port != nullptr ? "port" : "targetPort");
      return;
    }
  }

 private:
  /// Whether the ports of a Service, or of pods, certainly lack the name. Each is read once, whoever asks.
  bool has_not(const Manifest& one, std::string_view name) {
    const auto [known, fresh] = names_.try_emplace(&one);
    if (fresh) {
      Names names;
      const bool service = one.def->collection == "services";
      const bool all = service ? !one.part("ports").items().empty() && add_port_names(one.part("ports"), names)
                               : add_container_ports(one, names);
      if (all) known->second = std::move(names);
    }
    return known->second && !known->second->contains(name);
  }

  /// Pods that end are seldom what is asked for, and leave when they are through.
  static bool stays(const Manifest* maker) { return maker->kind != "Job" && maker->kind != "CronJob"; }

  /// Nothing is known where the Service selects no pods of the input, or only such as end.
  bool pods_have_not(const Manifest& service, std::string_view name) {
    const auto pods = open_pods_ ? std::nullopt : with_labels(pods_, service.part("selector"), "pod_labels");
    return pods && std::ranges::any_of(*pods, stays) &&
           std::ranges::all_of(*pods, [&](const Manifest* maker) { return has_not(*maker, name); });
  }

  ByPair services_;
  ByPair pods_;
  bool open_services_ = false;                             ///< one has a label that somebody fills in
  bool open_pods_ = false;                                 ///< likewise, or an operator makes some
  std::map<const Manifest*, std::optional<Names>> names_;  ///< of ports; nothing where they are not all known
};

}  // namespace

/// Source: prometheus-operator/prometheus-operator:pkg/prometheus/promcfg.go (0.93), generateServiceMonitorConfig:
/// targets without the port are dropped.
void relate_monitor_ports(Model& model) {
  const auto is_monitor = [](const Manifest& one) { return one.def->collection == "service_monitors"; };
  if (std::ranges::none_of(model.manifests, is_monitor)) return;
  MonitorPorts ports(model);
  for (Manifest& one : model.manifests) {
    if (is_monitor(one)) ports.judge(one);
  }
}

}  // namespace muster
