#include "kustomize/replacements.h"

namespace muster::kustomize {

bool replace_values(Resources&, const Tree&, const PatchPlace&, Work& work) {
  return work.fail("muster does not build `replacements`");
}

}  // namespace muster::kustomize
