#pragma once

#include <span>
#include <string>
#include <string_view>

namespace muster {

/// How a policy reads a fact of the collection `containers` from a container `w` of a pod template `p`. A fact is the
/// same as in a check, or not there.
struct ContainerFact {
  std::string_view name;
  std::string_view entry;   ///< of a map literal: its key, and behind it the value
  bool always_off = false;  ///< it is never there
};

/// Sorted by name.
std::span<const ContainerFact> container_facts();
const ContainerFact* find_container_fact(std::string_view name);

/// From the containers of a pod template `p` to a map of these facts for each: `p.spec.containers.` and this. Those that
/// ask for exactly one kind of accelerator are looked at: others are too rare to be judged.
std::string facts_text(std::span<const ContainerFact* const> facts);

}  // namespace muster
