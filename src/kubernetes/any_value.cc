#include "kubernetes/any_value.h"

#include "base/strings.h"
#include "rulebook/node_values.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

/// With aliases written out; without them no document has more.
constexpr std::size_t kMostValues = DocumentBuilder::kMaxValues;

class Converter : NodeValues<Converter> {
 public:
  explicit Converter(EvalContext& context) : NodeValues(context) {}

  Value read(const Node& node) {
    if (++made_ <= kMostValues) return plain(node);
    return Value::unknown(
        context_.read.arena->make(UnknownNeed{"a list that is not too long to be looked at", nullptr}));
  }

 private:
  friend NodeValues;

  static std::string_view keep(std::string_view text) { return text; }

  Value scalar(const Node& node) {
    const std::string_view text = node.text();
    if (node.style() == ScalarStyle::Plain) {
      if (const std::optional<bool> flag = bool_of(node)) return Value::of(*flag);
      if (const std::optional<std::int64_t> number = parse_int(text)) return Value::of(*number);
    }
    return Value::of(text);
  }

  std::size_t made_ = 0;
};

}  // namespace

Value any_value(const Node& node, EvalContext& context) { return Converter(context).read(node); }

}  // namespace muster
