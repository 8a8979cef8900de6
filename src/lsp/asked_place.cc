#include "lsp/asked_place.h"

namespace muster {

std::vector<const PlacedFinding*> AskedPlace::found() const {
  std::vector<const PlacedFinding*> out;
  if (findings == nullptr) return out;
  const auto file = findings->files.find(document.path);
  if (file == findings->files.end()) return out;
  for (const PlacedFinding& finding : file->second) {
    if (finding.where.holds(at)) out.push_back(&finding);
  }
  return out;
}

const RuleInfo* AskedPlace::rule(const std::string& id) const {
  if (findings == nullptr) return nullptr;
  const auto found = findings->rules.find(id);
  return found == findings->rules.end() ? nullptr : &found->second;
}

}  // namespace muster
