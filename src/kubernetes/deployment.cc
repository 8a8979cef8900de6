#include <array>

#include "base/strings.h"
#include "gang/manifest.h"
#include "gang/scheduling.h"
#include "syntax/read_value.h"

namespace muster::deployment {
namespace {

/// An operator whose command line decides about gangs.
struct Operator {
  std::string_view image;    ///< part of its image name
  std::string_view flag;     ///< names the gang scheduler
  std::string_view legacy;   ///< older switch that means Volcano; may be empty
  std::string_view setting;  ///< what muster calls it
};

// Sources: ray-project/kuberay:ray-operator/main.go (1.7.0), kubeflow/trainer:cmd/training-operator.v1/main.go (1.9.4), kubeflow/mpi-operator:cmd/mpi-operator (0.8.0).
constexpr std::array kOperators{
    Operator{"kuberay", "--batch-scheduler", "--enable-batch-scheduler", "kuberay.batchScheduler.name"},
    Operator{"training-operator", "--gang-scheduler-name", "", "training-operator --gang-scheduler-name"},
    Operator{"mpi-operator", "--gang-scheduling", "", "mpi-operator --gang-scheduling"},
};

/// The value of a flag in a container's words; nullopt when it is not there.
std::optional<std::string> flag_value(const Node& container, std::string_view flag, Span& where) {
  for (const std::string_view list : {"command", "args"}) {
    const Node words = container[list];
    for (std::size_t i = 0; words.is_sequence() && i < words.size(); ++i) {
      const std::string_view word = words.item(i).text();
      const std::string_view bare = word.starts_with("--") ? word : std::string_view{};
      if (!bare.starts_with(flag)) continue;
      where = words.item(i).where();
      if (bare.size() == flag.size()) {
        return i + 1 < words.size() && !words.item(i + 1).text().starts_with('-') ? std::string(words.item(i + 1).text()) : "true";
      }
      if (bare[flag.size()] == '=') return std::string(bare.substr(flag.size() + 1));
    }
  }
  return std::nullopt;
}

void read_operator_settings(const Node& pod_spec, const NormaliseContext& context) {
  const Node containers = pod_spec["containers"];
  for (std::size_t i = 0; containers.is_sequence() && i < containers.size(); ++i) {
    const Node container = containers.item(i);
    for (const Operator& known : kOperators) {
      if (!contains(container["image"].text(), known.image) || !contains(container["image"].text(), "operator")) continue;
      Span where = container["image"].where();
      if (flag_value(container, "--config", where)) continue;  // the answer is in another file
      std::optional<std::string> value = flag_value(container, known.flag, where);
      if (!value && !known.legacy.empty() && flag_value(container, known.legacy, where) == "true") value = "volcano";
      context.model.operator_settings.push_back({std::string(known.setting), set_to(value.value_or(""), where, known.flag),
                                                 context.file.path, context.file.bundle});
    }
  }
}

}  // namespace

/// apps/v1 Deployment: replicas are independent unless what they run says otherwise.
void normalise(const Artifact& artifact, const NormaliseContext& context) {
  const Node spec = spec_of(artifact);
  read_operator_settings(spec["template"]["spec"], context);
  const Located<std::int64_t> count = value_or<std::int64_t>(read_int(spec["replicas"], "spec.replicas", context.findings), 1);
  PodWorkload work = single_role_workload(artifact, spec["template"], count, context);
  work.coupling = PodWorkload::Coupling::NeverByItself;
  work.volcano = read_count_annotation(work.metadata, "scheduling.volcano.sh/group-min-member", context.findings);
  work.requested = work.volcano;
  finish_pod_workload(std::move(work), context);
}

}  // namespace muster::deployment
