#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kustomize/resource.h"

namespace muster::kustomize {

/// A file that a generator reads; nothing where it is not in the input.
using ReadFile = std::function<std::optional<std::string_view>(std::string_view path, Span& where)>;

/// The object of an entry of `configMapGenerator` or `secretGenerator`. What only a file says that is not in the input
/// is left out, and its path added to `missing`. False where kustomize refuses it.
bool generate_object(std::string_view kind, const Tree& entry, const Tree* options, const ReadFile& read, Work& work,
                     Resource& out, std::vector<std::string>& missing);

/// Adds a generated object, or merges it into the one of its name or replaces that, as it says.
bool absorb(std::vector<Resource>& objects, Resource generated, Work& work);

/// What kustomize puts behind the name of what it generated: of a SHA-256 of its data.
std::string hash_of(const Tree& object);

}  // namespace muster::kustomize
