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

/// Whether a container `w` asks for exactly one kind of accelerator: others are too rare to be judged.
std::string has_one_accelerator();
/// The entry with what stands for ACCELERATORS and TEXTS in it.
std::string entry_text(const ContainerFact& fact);

}  // namespace muster
