#include "kubernetes/any_value.h"

#include "base/strings.h"
#include "expr/functions.h"

namespace muster {
namespace {

constexpr std::size_t kMostValues = 20'000;

class Converter {
 public:
  explicit Converter(EvalContext& context) : context_(context) {}

  Value run(const Node& node) {
    if (++made_ > kMostValues) return Value::null();
    switch (node.kind()) {
      case NodeKind::Null:
      case NodeKind::Alias: return Value::null();
      case NodeKind::Scalar: return scalar(node);
      case NodeKind::Sequence: return list(node);
      case NodeKind::Mapping: break;
    }
    const std::span<MapEntry> entries = context_.read.arena->make_array<MapEntry>(node.size());
    for (std::size_t i = 0; i < node.size(); ++i)
      entries[i] = {Value::of(context_.read.arena->copy(node.key(i).text())), run(node.value(i))};
    return make_map(entries, context_);
  }

 private:
  Value scalar(const Node& node) {
    const std::string_view text = node.text();
    if (node.style() == ScalarStyle::Plain) {
      if (text == "true" || text == "false") return Value::of(text == "true");
      if (const std::optional<std::int64_t> number = parse_int(text)) return Value::of(*number);
    }
    return Value::of(context_.read.arena->copy(text));
  }

  Value list(const Node& node) {
    const std::span<Value> values = context_.read.arena->make_array<Value>(node.size());
    for (std::size_t i = 0; i < node.size(); ++i) values[i] = run(node.item(i));
    return make_list(values, context_);
  }

  EvalContext& context_;
  std::size_t made_ = 0;
};

}  // namespace

Value any_value(const Node& node, EvalContext& context) { return Converter(context).run(node); }

}  // namespace muster
