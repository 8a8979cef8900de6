#include "kustomize/json_patch.h"

#include <optional>
#include <utility>

#include "base/strings.h"

namespace muster::kustomize {
namespace {

/// What an operation speaks of: a value's container and the last step to it.
struct Slot {
  Tree* container = nullptr;
  std::string step;
};

std::string unescaped(std::string_view step) {
  return replace_all(replace_all(std::string(step), "~1", "/"), "~0", "~");
}

/// The place of an item; of one to be added it may be just behind the last, which `-` says, too. Negative ones count
/// from the end.
std::optional<std::size_t> index_of(const std::string& step, std::size_t size, bool adding) {
  if (step == "-") return adding ? std::optional(size) : std::nullopt;
  const std::optional<std::int64_t> number = parse_int(step);
  if (!number) return std::nullopt;
  const auto count = static_cast<std::int64_t>(size) + (adding ? 1 : 0);
  const std::int64_t at = *number < 0 ? *number + count : *number;
  if (at < 0 || at >= count) return std::nullopt;
  return static_cast<std::size_t>(at);
}

class JsonPatcher {
 public:
  JsonPatcher(Tree& object, Work& work) : object_(object), work_(work) {}

  bool apply_all(const Tree& operations) {
    const bool applied = std::ranges::all_of(operations.items, [&](const Tree& one) { return apply(one); });
    Tree* metadata = made_annotations_ ? object_.find("metadata") : nullptr;
    const Tree* annotations = metadata == nullptr ? nullptr : metadata->find("annotations");
    if (annotations != nullptr && annotations->is_mapping() && annotations->members.empty())
      metadata->erase("annotations");
    return applied;
  }

 private:
  bool apply(const Tree& operation) {
    const std::string_view what = text_at(operation, "op");
    const std::string path(text_at(operation, "path"));
    const Tree* value = operation.find("value");
    if (operation.find("path") == nullptr) return work_.fail("an operation of a JSON patch has no path");
    const bool needs_value = what == "add" || what == "replace" || what == "test";
    if (needs_value && value == nullptr && what != "test")
      return work_.fail("an operation of a JSON patch has no value");
    if (value != nullptr && !work_.spend(size_of(*value))) return false;
    const Span where = (value == nullptr ? operation : *value).where;
    if (what == "add") return add(path, *value, where);
    if (what == "remove") return remove(path, nullptr);
    if (what == "replace") return replace(path, *value, where);
    if (what == "test") return test(path, value);
    const std::string from(text_at(operation, "from"));
    Tree moved;
    if (what == "move") return remove(from, &moved) && add(path, std::move(moved), where);
    if (what == "copy") return get(from, moved) && work_.spend(size_of(moved)) && add(path, std::move(moved), where);
    return work_.fail("there is no operation `" + std::string(what) + "` of a JSON patch");
  }

  bool missing(const std::string& path) {
    return work_.fail("a JSON patch speaks of `" + path + "`, which is not there");
  }

  /// False when the container is not there.
  bool find(const std::string& path, Slot& out) {
    if (!path.starts_with('/')) return missing(path);
    if (path.starts_with("/metadata/annotations/")) have_annotations();
    Tree* at = &object_;
    std::string_view rest = std::string_view(path).substr(1);
    for (std::size_t slash = rest.find('/'); slash != rest.npos; slash = rest.find('/')) {
      at = below(*at, unescaped(rest.substr(0, slash)));
      if (at == nullptr) return missing(path);
      rest = rest.substr(slash + 1);
    }
    if (!at->is_mapping() && !at->is_sequence()) return missing(path);
    out = {at, unescaped(rest)};
    return true;
  }

  /// While patches are applied kustomize has annotations of its own in every object. Executed with kustomize 5.8.1.
  void have_annotations() {
    Tree* metadata = object_.find("metadata");
    if (metadata == nullptr || !metadata->is_mapping() || metadata->find("annotations") != nullptr) return;
    Tree empty;
    empty.kind = metadata->kind;
    metadata->members.push_back({"annotations", metadata->where, std::move(empty)});
    made_annotations_ = true;
  }

  static Tree* below(Tree& tree, const std::string& step) {
    if (tree.is_mapping()) return tree.find(step);
    if (!tree.is_sequence()) return nullptr;
    const std::optional<std::size_t> index = index_of(step, tree.items.size(), false);
    return index ? &tree.items[*index] : nullptr;
  }

  bool add(const std::string& path, Tree value, const Span& where) {
    Slot slot;
    if (!find(path, slot)) return false;
    if (!work_.spend(slot.container->items.size() + slot.container->members.size())) return false;
    if (slot.container->is_mapping()) {
      slot.container->erase(slot.step);
      slot.container->members.push_back({slot.step, where, std::move(value)});
      return true;
    }
    const std::optional<std::size_t> index = index_of(slot.step, slot.container->items.size(), true);
    if (!index) return missing(path);
    slot.container->items.insert(slot.container->items.begin() + static_cast<std::ptrdiff_t>(*index), std::move(value));
    return true;
  }

  bool remove(const std::string& path, Tree* out) {
    Slot slot;
    if (!find(path, slot)) return false;
    Tree* found = below(*slot.container, slot.step);
    if (found == nullptr) return missing(path);
    if (out != nullptr) *out = std::move(*found);
    if (!work_.spend(slot.container->items.size() + slot.container->members.size())) return false;
    if (slot.container->is_mapping()) {
      slot.container->erase(slot.step);
    } else {
      slot.container->items.erase(slot.container->items.begin() + (found - slot.container->items.data()));
    }
    return true;
  }

  bool replace(const std::string& path, const Tree& value, const Span& where) {
    Slot slot;
    if (!find(path, slot)) return false;
    Tree* found = below(*slot.container, slot.step);
    if (found == nullptr && slot.container->is_mapping()) return add(path, value, where);  // as that library does
    if (found == nullptr) return missing(path);
    *found = value;
    for (Member& member : slot.container->members) {
      if (&member.value == found) member.where = where;
    }
    return true;
  }

  bool get(const std::string& path, Tree& out) {
    Slot slot;
    if (!find(path, slot)) return false;
    const Tree* found = below(*slot.container, slot.step);
    if (found == nullptr) return missing(path);
    out = *found;
    return true;
  }

  static bool same(const Tree& a, const Tree& b) {
    if (a.kind != b.kind || a.items.size() != b.items.size() || a.members.size() != b.members.size()) return false;
    if (a.is_scalar()) return a.text == b.text;
    for (std::size_t i = 0; i < a.items.size(); ++i) {
      if (!same(a.items[i], b.items[i])) return false;
    }
    for (const Member& member : a.members) {
      const Tree* other = b.find(member.key);
      if (other == nullptr || !same(member.value, *other)) return false;
    }
    return true;
  }

  bool test(const std::string& path, const Tree* value) {
    Slot slot;
    if (!find(path, slot)) return false;
    const Tree* found = below(*slot.container, slot.step);
    const bool nothing = found == nullptr || found->is_null();
    const bool wanted = value != nullptr && !value->is_null();
    if (nothing ? !wanted : wanted && same(*found, *value)) return true;
    return work_.fail("a JSON patch wants another value at `" + path + "`");
  }

  Tree& object_;
  Work& work_;
  bool made_annotations_ = false;
};

}  // namespace

bool apply_json_patch(Tree& object, const Tree& operations, Work& work) {
  if (!operations.is_sequence()) return work.fail("a JSON patch is no list");
  return JsonPatcher(object, work).apply_all(operations);
}

}  // namespace muster::kustomize
