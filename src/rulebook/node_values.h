#pragma once

#include <span>

#include "expr/functions.h"
#include "syntax/document.h"

namespace muster {

/// Makes values of the rule language of the nodes of a document. `Derived` has `Value read(const Node&)`, called for
/// every value of a list or map, `Value scalar(const Node&)`, what a scalar is, and may have a `keep` of its own where
/// the document outlives the values.
template <class Derived>
class NodeValues {
 protected:
  explicit NodeValues(EvalContext& context) : context_(context) {}

  /// Of any node; a null and an alias are null.
  Value plain(const Node& node) {
    switch (node.kind()) {
      case NodeKind::Null:
      case NodeKind::Alias: return Value::null();
      case NodeKind::Scalar: return derived().scalar(node);
      case NodeKind::Sequence: return list(node);
      case NodeKind::Mapping: break;
    }
    return map(node);
  }

  Value list(const Node& node) {
    const std::span<Value> values = context_.read.arena->template make_array<Value>(node.size());
    for (std::size_t i = 0; i < node.size(); ++i) values[i] = derived().read(node.item(i));
    return make_list(values, context_);
  }

  Value map(const Node& node) {
    const std::span<MapEntry> entries = context_.read.arena->template make_array<MapEntry>(node.size());
    for (std::size_t i = 0; i < node.size(); ++i)
      entries[i] = {Value::of(derived().keep(node.key(i).text())), derived().read(node.value(i))};
    return make_map(entries, context_);
  }

  std::string_view keep(std::string_view text) { return context_.read.arena->copy(text); }

  EvalContext& context_;

 private:
  Derived& derived() { return static_cast<Derived&>(*this); }
};

}  // namespace muster
