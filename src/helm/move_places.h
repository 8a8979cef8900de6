#pragma once

#include "kustomize/tree.h"

namespace muster {

/// Moves the places of what was rendered to those of what wrote it. `places` has `at(span)` for scalars and keys, and
/// `around(span)` for what holds others.
template <typename Places>
void move_places(kustomize::Tree& tree, const Places& places) {
  tree.where = tree.is_mapping() || tree.is_sequence() ? places.around(tree.where) : places.at(tree.where);
  for (kustomize::Tree& item : tree.items) move_places(item, places);
  for (kustomize::Member& member : tree.members) {
    member.where = places.at(member.where);
    move_places(member.value, places);
  }
}

}  // namespace muster
