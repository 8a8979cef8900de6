#include "gang/manifest.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

void add(const Artifact& artifact, const NormaliseContext& context, GangSystem system, const Node& min,
         std::string_view field) {
  PodGroup group;
  static_cast<Object&>(group) = read_object(artifact, context);
  group.system = system;
  group.min_member = read_int(min, field, context.findings);
  group.queue = read_text(spec_of(artifact)["queue"], "queue", context.findings);
  context.model.pod_groups.push_back(std::move(group));
}

}  // namespace

// The five kinds called PodGroup. Which is which: docs/gangs.md.
namespace pod_group {

void normalise_volcano(const Artifact& artifact, const NormaliseContext& context) {
  add(artifact, context, GangSystem::Volcano, spec_of(artifact)["minMember"], "minMember");
}
void normalise_coscheduling(const Artifact& artifact, const NormaliseContext& context) {
  add(artifact, context, GangSystem::Coscheduling, spec_of(artifact)["minMember"], "minMember");
}
void normalise_koordinator(const Artifact& artifact, const NormaliseContext& context) {
  add(artifact, context, GangSystem::Koordinator, spec_of(artifact)["minMember"], "minMember");
}
void normalise_kai(const Artifact& artifact, const NormaliseContext& context) {
  add(artifact, context, GangSystem::Kai, spec_of(artifact)["minMember"], "minMember");
}
void normalise_native(const Artifact& artifact, const NormaliseContext& context) {
  add(artifact, context, GangSystem::Native, spec_of(artifact)["schedulingPolicy"]["gang"]["minCount"], "minCount");
}

}  // namespace pod_group
}  // namespace muster
