#include "input/object_index.h"

namespace muster {

void ObjectIndex::add(const Artifact& artifact, std::string_view group, std::string_view kind,
                      const FileContext& context) {
  const std::string_view name = artifact.object["metadata"]["name"].text();
  if (!name.empty())
    entries_[{std::string(group), std::string(kind), std::string(name)}].push_back({artifact.object, &context});
}

Node ObjectIndex::find(std::string_view group, std::string_view kind, std::string_view name, std::string_view space,
                       const FileContext& from) const {
  asked_.store(true, std::memory_order_relaxed);
  const auto found = entries_.find({std::string(group), std::string(kind), std::string(name)});
  if (found == entries_.end()) return {};
  const Entry* best = nullptr;
  for (const Entry& entry : found->second) {
    const std::string_view other = entry.object["metadata"]["namespace"].text();
    if (entry.context->bundle != from.bundle || (!space.empty() && !other.empty() && space != other)) continue;
    if (entry.context->path == from.path) return entry.object;
    if (best == nullptr || (best->context->folder != from.folder && entry.context->folder == from.folder))
      best = &entry;
  }
  return best == nullptr ? Node{} : best->object;
}

}  // namespace muster
