// Autoscalers of services: what they follow and by which number is told, never made up.
#include "generate/kubernetes_fleets.h"

using namespace muster;
using namespace muster::test;

namespace {

std::string kai_fleet(
    const std::string& more = "monitoring: {prometheus: \"http://prometheus.monitoring.svc:9090\"}\n") {
  return fleet_for("kai") + more;
}
/// A service of one node, or of several; `serving` has all that is told of it.
std::string scaled_service(const std::string& name, const std::string& kind, int nodes, const std::string& serving) {
  return "  - {name: " + name + ", kind: " + kind + ", tenant: nlp, nodes: " + std::to_string(nodes) +
         ", gpus_per_node: 8, tightly_coupled: " + (nodes > 1 ? "true" : "false") +
         ", bare_metal: false, edge_or_dev: false, fractional_gpu: false, multi_tenant: true, "
         "python_native_pipeline: false, long_lived_services: true, serving: {" +
         serving + "}}\n";
}
constexpr const char* kWaitedFor =
    "user_facing: true, min_replicas: 2, max_replicas: 6, series: \"vllm:num_requests_waiting\", target_per_replica: "
    "4, model_load_seconds: 240.5";
constexpr const char* kQueued =
    "user_facing: false, max_replicas: 8, series: 'queue_length{queue=\"embed\"}', target_per_replica: 100, "
    "model_load_seconds: 400";

std::string serving_without(std::string serving, const std::string& fact) {
  const std::size_t at = serving.find(fact + ":");
  REQUIRE(at != std::string::npos);
  const std::size_t end = serving.find(", ", at);
  return end == std::string::npos ? serving.erase(at - 2) : serving.erase(at, end + 2 - at);
}

}  // namespace

TEST_CASE("people get replicas by the requests that wait, and never none", "[generate]") {
  const Written written =
      generate_everything(kai_fleet(), workloads_of(scaled_service("Chat_1", "deployment", 1, kWaitedFor)));
  INFO(join(written.all.refused, "\n") << join(written.findings, "\n"));
  CHECK(written.all.refused.empty());
  CHECK(written.findings.empty());
  const std::string text = written.text("hpa.yaml");
  CHECK(has(text, "  name: chat-1\n  namespace: nlp\n"));
  CHECK(has(text, "    kind: Deployment\n    name: chat-1\n"));
  CHECK(has(text, "  minReplicas: 2\n  maxReplicas: 6\n"));
  CHECK(has(text, "          name: vllm_num_requests_waiting\n"));
  CHECK(has(text, "          averageValue: \"4\"\n"));
  CHECK(has(text, "stabilizationWindowSeconds: 482\n"));
  CHECK(has(text, "periodSeconds: 241}\n"));
  const std::string adapter = written.text("prometheus-adapter-values.yaml");
  CHECK(has(adapter, "  url: \"http://prometheus.monitoring.svc\"\n  port: 9090\n"));
  CHECK(has(adapter, "seriesQuery: \"vllm:num_requests_waiting{namespace!=\\\"\\\",pod!=\\\"\\\"}\"\n"));
  CHECK(has(adapter, "        as: vllm_num_requests_waiting\n"));
  CHECK_FALSE(written.wrote("keda-scaledobject"));
}

TEST_CASE("a queue is worked off by KEDA, down to none", "[generate]") {
  const Written written =
      generate_everything(kai_fleet(), workloads_of(scaled_service("embed", "stateful-set", 1, kQueued)));
  INFO(join(written.all.refused, "\n") << join(written.findings, "\n"));
  CHECK(written.all.refused.empty());
  CHECK(written.findings.empty());
  const std::string text = written.text("keda-scaledobject.yaml");
  CHECK(has(text, "    kind: StatefulSet\n"));
  CHECK(has(text, "  minReplicaCount: 0\n  maxReplicaCount: 8\n"));
  CHECK(has(text, "  cooldownPeriod: 800\n"));
  CHECK(has(text, "        query: \"sum(queue_length{queue=\\\"embed\\\"})\"\n"));
  CHECK(has(text, "        threshold: \"100\"\n"));
  CHECK(has(text, "        ignoreNullValues: \"false\"\n"));
  CHECK(has(join(written.all.generated.notes, "\n"), "`serving.min_replicas` of workload `embed` is missing"));
  CHECK_FALSE(written.wrote("hpa"));
}

TEST_CASE("a number nobody told is asked for, and the service left out", "[generate]") {
  for (const char* fact : {"series", "target_per_replica", "max_replicas"}) {
    for (const auto& [id, serving] : {std::pair{"hpa", kWaitedFor}, std::pair{"keda-scaledobject", kQueued}}) {
      INFO(id << " without " << fact);
      const std::string list = workloads_of(scaled_service("chat", "deployment", 1, serving_without(serving, fact)));
      const std::string missing = "`serving." + std::string(fact) + "` of workload `chat` is missing";
      CHECK(has(refusal_of(id, kai_fleet(), list), missing));
      const Written written = generate_everything(kai_fleet(), list);
      CHECK(written.all.refused.empty());
      CHECK_FALSE(written.wrote(id));
      CHECK(has(join(written.all.generated.notes, "\n"), missing));
    }
  }
  const std::string queued = workloads_of(scaled_service("embed", "deployment", 1, kQueued));
  CHECK(has(refusal_of("keda-scaledobject", kai_fleet(""), queued), "`monitoring.prometheus` of fleet"));
  CHECK(has(refusal_of("keda-scaledobject", kai_fleet("monitoring: {prometheus: here}\n"), queued), "is no URL"));
  const Written blind =
      generate_everything(kai_fleet(""), workloads_of(scaled_service("chat", "deployment", 1, kWaitedFor)));
  CHECK(blind.wrote("hpa"));
  CHECK_FALSE(has(blind.text("prometheus-adapter-values.yaml"), "\nprometheus:\n"));
  CHECK(has(join(blind.all.generated.notes, "\n"), "`monitoring.prometheus` of fleet"));
  const std::string slow = serving_without(kWaitedFor, "model_load_seconds");
  const Written unbounded =
      generate_everything(kai_fleet(), workloads_of(scaled_service("chat", "deployment", 1, slow)));
  CHECK_FALSE(has(unbounded.text("hpa.yaml"), "behavior"));
  CHECK(has(join(unbounded.all.generated.notes, "\n"), "`serving.model_load_seconds` of workload `chat` is missing"));
}

TEST_CASE("what a service cannot have is refused with a reason", "[generate]") {
  const auto refused = [](const std::string& id, const std::string& serving) {
    return refusal_of(id, kai_fleet(), workloads_of(scaled_service("chat", "deployment", 1, serving)));
  };
  const auto with = [](std::string serving, const std::string& from, const std::string& to) {
    return serving.replace(serving.find(from), from.size(), to);
  };
  CHECK(has(refused("hpa", with(kWaitedFor, "min_replicas: 2", "min_replicas: 0")), "people do not wait"));
  CHECK(has(refused("hpa", with(kWaitedFor, "min_replicas: 2", "min_replicas: 7")), "there have to be 7 at least"));
  CHECK(has(refused("hpa", with(kWaitedFor, "max_replicas: 6", "max_replicas: 33")), "no room for the 33 replicas"));
  CHECK(has(refused("hpa", std::string(kWaitedFor) + ", metric: gpu-utilization"), "near 100 %"));
  CHECK(has(refused("hpa", with(kWaitedFor, "vllm:num_requests_waiting", "vllm waiting")), "no name of a series"));
  CHECK(has(refused("keda-scaledobject", with(kQueued, "queue_length", "sum(x")), "is no series"));
  const std::string twice = workloads_of(scaled_service("chat", "deployment", 1, kWaitedFor) +
                                         scaled_service("Chat", "deployment", 1, kWaitedFor));
  CHECK(has(refusal_of("hpa", kai_fleet(), twice), "objects of the same name"));
}

TEST_CASE("a server of several nodes is scaled as a whole where it is one object", "[generate]") {
  const std::string list = workloads_of(scaled_service("chat", "leader-worker-set", 4, kWaitedFor));
  const Written kai = generate_everything(kai_fleet(), list);
  INFO(join(kai.all.refused, "\n") << join(kai.findings, "\n"));
  CHECK(kai.findings.empty());
  CHECK(has(kai.text("hpa.yaml"), "    apiVersion: \"leaderworkerset.x-k8s.io/v1\"\n    kind: LeaderWorkerSet\n"));
  // Who scales it is the only one who says how many there are.
  CHECK_FALSE(has(kai.text("lws.yaml"), "  replicas:"));
  // Volcano's PodGroups want an object for each replica: there is nothing to scale.
  const Written volcano = generate_everything(fleet_for("volcano"), list);
  CHECK_FALSE(volcano.wrote("hpa"));
  CHECK(count_of(volcano.text("lws.yaml"), "  replicas: 1\n") == 2);
  CHECK(has(join(volcano.all.generated.notes, "\n"), "no autoscaler is written for `chat`"));
}
