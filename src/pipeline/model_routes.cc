#include "pipeline/model_routes.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "pipeline/document_words.h"
#include "pipeline/whole_input.h"

namespace muster {
namespace {

constexpr std::size_t kMostServers = 500;  // whose pods are held against Services

using ServicePlace = std::pair<std::string_view, std::string_view>;  // namespace and name

class ModelRoutes {
 public:
  ModelRoutes(const Inputs& inputs, const Model& model, std::vector<Finding>& findings)
      : inputs_(inputs),
        model_(model),
        findings_(findings),
        nginx_(inputs, {"ingressClassName: nginx", "ingress.class: nginx", "ingress.class: \"nginx\"",
                        "nginx.ingress.kubernetes.io/"}) {}

  void run() {
    find_services();
    if (services_.empty()) return;
    for (const Manifest& one : model_.manifests) {
      if (one.def == routes_) openshift(one);
      if (one.def == attached_) gateway(one);
    }
    for (const KeyUse& use : model_.key_uses) {
      if (use.kind == "Ingress" && use.of == "Service") ingress(use);
    }
  }

 private:
  struct Server {
    std::string_view kind;
    std::string_view container;
  };

  /// Services of the input that select pods with a model server, and which one that is.
  void find_services() {
    std::map<ObjectKey, Server> servers;
    for (const Container& one : model_.containers) {
      constexpr std::array<std::string_view, 5> kAnswering{"llama.cpp", "nim", "sglang", "tgi", "vllm"};
      if (one.remarks->server.is_set() && std::ranges::find(kAnswering, one.remarks->server->value) != kAnswering.end())
        servers.try_emplace(object_key(one), Server{one.remarks->server->value, one.name.value});
    }
    std::map<std::string_view, std::vector<std::pair<const Manifest*, Server>>> pods_of;  // by namespace
    std::size_t count = 0;
    for (const Manifest& one : model_.manifests) {
      const auto found = one.def == makers_ ? servers.find(object_key(one)) : servers.end();
      if (found == servers.end() || !one.part("pod_labels").is_text_map() || ++count > kMostServers) continue;
      pods_of[one.space].emplace_back(&one, found->second);
    }
    if (pods_of.empty()) return;
    for (const Manifest& one : model_.manifests) {
      const auto found = one.def == services_def_ ? pods_of.find(one.space) : pods_of.end();
      if (found == pods_of.end() || !one.part("selector").is_text_map()) continue;
      for (const auto& [pods, server] : found->second) {
        if (one.part("selector").selects(pods->part("pod_labels")) && leads_to(one, *pods, server.container))
          services_.try_emplace({one.space, one.name.value}, server.kind);
      }
    }
  }

  /// Whether a Service leads to that container of its pods: another one may stand before it.
  static bool leads_to(const Manifest& service, const Manifest& pods, std::string_view container) {
    const std::span<const WrittenValue> all = pods.part("containers").items();
    if (all.size() < 2) return true;
    const auto server =
        std::ranges::find_if(all, [&](const WrittenValue& one) { return one.text_of("name") == container; });
    const WrittenValue* own = server == all.end() ? nullptr : server->find("ports");
    if (own == nullptr) return false;
    return std::ranges::all_of(service.part("ports").items(), [&](const WrittenValue& port) {
      const std::string_view written = port.text_of("targetPort");
      const std::string_view target = written.empty() ? port.text_of("port") : written;
      return std::ranges::any_of(own->items(), [&](const WrittenValue& one) {
        return !target.empty() && (one.text_of("name") == target || one.text_of("containerPort") == target);
      });
    });
  }

  std::string_view server_of(std::string_view space, std::string_view name) const {
    const auto found = services_.find({space, name});
    return found == services_.end() ? std::string_view() : found->second;
  }

  bool is_said(std::string_view word) {
    const auto [found, fresh] = said_.try_emplace(word, false);
    for (std::size_t i = 0; fresh && !found->second && i < inputs_.files.size(); ++i)
      found->second = contains(text(static_cast<FileId>(i)), word);
    return found->second;
  }

  std::string_view text(FileId file) const { return inputs_.sources.file(file).text(); }

  /// Source: docs.redhat.com, OpenShift 4.18, route-specific annotations: 30 s unless something else is written.
  void openshift(const Manifest& one) {
    const WrittenValue& annotations = one.part("annotations");
    const WrittenValue* name = one.part("target").find("name");
    if (name == nullptr || annotations.state == State::Unknown) return;
    const bool set =
        std::ranges::any_of(annotations.keys(), [](std::string_view key) { return contains(key, "timeout"); });
    const std::string_view server = server_of(one.space, name->text());
    // What passes through is no HTTP to the router: a tunnel has an hour.
    const bool passes =
        one.part("tls").text_of("termination") == "passthrough" || one.part("tls").state == State::Unknown;
    if (set || passes || server.empty() || is_said("serverTimeout") || is_said("haproxy.router.openshift.io/timeout="))
      return;
    findings_.push_back(problem("route-cuts-long-answers", one.name.where,
                                "Route `" + one.name.value + "` leads to " + std::string(server) +
                                    ", and ends an answer that has not begun within 30 seconds"));
  }

  /// Source: kubernetes/ingress-nginx:docs/user-guide/nginx-configuration/configmap.md (1.12), proxy-read-timeout.
  void ingress(const KeyUse& use) {
    const std::string_view server = server_of(use.space, use.target.value);
    if (server.empty() || static_cast<std::size_t>(use.where.file) >= inputs_.files.size()) return;
    if (!told_.insert({use.file, use.id}).second || is_said("proxy-read-timeout") || is_said("proxy_read_timeout") ||
        !nginx_.said_around(use.target.where))
      return;
    findings_.push_back(problem("route-cuts-long-answers", use.target.where,
                                "Ingress `" + use.name.value + "` leads to " + std::string(server) +
                                    ", and nginx ends an answer that has not begun within 60 seconds"));
  }

  /// vLLM has nothing at `/`. Source: docs.cloud.google.com/kubernetes-engine/docs/how-to/configure-gateway-resources.
  void gateway(const Manifest& one) {
    const bool of_gke = std::ranges::any_of(one.part("parents").items(), [&](const WrittenValue& parent) {
      const std::string_view space = parent.text_of("namespace");
      const auto found = gke_gateways().find({space.empty() ? one.space.view() : space, parent.text_of("name")});
      return found != gke_gateways().end() && found->second;
    });
    if (!of_gke) return;
    for (const WrittenValue& rule : one.part("rules").items()) {
      const WrittenValue* backends = rule.find("backendRefs");
      for (const WrittenValue& backend : backends == nullptr ? std::span<const WrittenValue>() : backends->items()) {
        const std::string_view space = backend.text_of("namespace");
        const WrittenValue* name = backend.find("name");
        const bool other = backend.find("kind") != nullptr && backend.text_of("kind") != "Service";
        if (other || name == nullptr || server_of(space.empty() ? one.space.view() : space, name->text()) != "vllm")
          continue;
        if (is_said("HealthCheckPolicy")) return;
        findings_.push_back(problem("gateway-health-check-of-root", name->where,
                                    "no HealthCheckPolicy is for Service `" + std::string(name->text()) +
                                        "`: the load balancer asks vLLM for `/`, which answers 404"));
        return;
      }
    }
  }

  /// Gateways of the input, and whether all of that name are of GKE.
  const std::map<ServicePlace, bool>& gke_gateways() {
    if (!gateways_) {
      gateways_.emplace();
      for (const Manifest& one : model_.manifests) {
        if (one.def != gateway_def_) continue;
        bool& of_gke = gateways_->try_emplace({one.space, one.name.value}, true).first->second;
        of_gke = of_gke && one.part("gateway_class").text().starts_with("gke-l7");
      }
    }
    return *gateways_;
  }

  const Inputs& inputs_;
  const Model& model_;
  std::vector<Finding>& findings_;
  DocumentWords nginx_;
  const ManifestDef* makers_ = &manifest_def("pod_makers");
  const ManifestDef* services_def_ = &manifest_def("services");
  const ManifestDef* routes_ = &manifest_def("openshift_routes");
  const ManifestDef* attached_ = &manifest_def("gateway_routes");
  const ManifestDef* gateway_def_ = &manifest_def("gateways");
  std::map<ServicePlace, std::string_view> services_;
  std::map<std::string_view, bool> said_;
  std::set<std::pair<std::string_view, std::string_view>> told_;
  std::optional<std::map<ServicePlace, bool>> gateways_;
};

}  // namespace

void find_model_routes(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  if (is_whole(inputs)) ModelRoutes(inputs, model, findings).run();
}

}  // namespace muster
