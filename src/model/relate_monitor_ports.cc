// Ports that a monitor asks for, and that neither the Services it selects nor their pods have.
#include <algorithm>
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

void add_pairs(const Manifest& one, const WrittenValue& labels, ByPair& out) {
  for (std::size_t i = 0; labels.is_text_map() && i < labels.keys().size(); ++i)
    out[{labels.keys()[i], labels.items()[i].text()}].push_back(&one);
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
      if (one.def->collection == "services") add_pairs(one, one.part("labels"), services_);
      if (one.def->collection == "pod_makers") add_pairs(one, one.part("pod_labels"), pods_);
    }
  }

  void judge(Manifest& monitor) const {
    const WrittenValue& selector = monitor.part("selector");
    const WrittenValue* wanted = selector.find("matchLabels");
    if (wanted == nullptr || selector.find("matchExpressions") != nullptr) return;
    const auto services = with_labels(services_, *wanted, "labels");
    // Those of another bundle may be of another cluster, or of this one: all of them count.
    if (!services || services->empty()) return;
    std::optional<std::optional<Names>> of_services;  // once somebody asks
    std::optional<std::optional<Names>> of_pods;
    for (const WrittenValue& endpoint : monitor.part("endpoints").items()) {
      const WrittenValue* port = endpoint.find("port");
      const WrittenValue* at = port != nullptr ? port : endpoint.find("targetPort");
      if (at == nullptr || !at->is_text() || at->text().empty() || parse_int(at->text())) continue;
      if (port != nullptr && !of_services) of_services = names_of(*services);
      if (port == nullptr && !of_pods) of_pods = pod_names_of(*services);
      const std::optional<Names>& names = port != nullptr ? *of_services : *of_pods;
      if (!names || names->contains(at->text())) continue;
      monitor.remarks.own().no_port = set_to(at->text(), at->where, port != nullptr ? "port" : "targetPort");
      return;
    }
  }

 private:
  static std::optional<Names> names_of(const std::vector<const Manifest*>& services) {
    Names out;
    for (const Manifest* one : services) {
      if (one->part("ports").items().empty() || !add_port_names(one->part("ports"), out)) return std::nullopt;
    }
    return out;
  }

  /// Of pods of the input; nothing where a Service selects none of them, or operators may make others.
  std::optional<Names> pod_names_of(const std::vector<const Manifest*>& services) const {
    Names out;
    for (const Manifest* one : services) {
      const auto pods = with_labels(pods_, one->part("selector"), "pod_labels");
      if (!pods || pods->empty()) return std::nullopt;
      for (const Manifest* maker : *pods) {
        if (!add_container_ports(*maker, out)) return std::nullopt;
      }
    }
    return out;
  }

  ByPair services_;
  ByPair pods_;
};

}  // namespace

/// Source: prometheus-operator/prometheus-operator:pkg/prometheus/promcfg.go (0.93), generateServiceMonitorConfig:
/// targets without the port are dropped.
void relate_monitor_ports(Model& model) {
  const auto is_monitor = [](const Manifest& one) { return one.def->collection == "service_monitors"; };
  if (std::ranges::none_of(model.manifests, is_monitor)) return;
  const MonitorPorts ports(model);
  for (Manifest& one : model.manifests) {
    if (is_monitor(one)) ports.judge(one);
  }
}

}  // namespace muster
