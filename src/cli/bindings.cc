#include "cli/bindings.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "base/utf8.h"
#include "expr/functions.h"
#include "rulebook/node_values.h"
#include "syntax/json_reader.h"

namespace muster {
namespace {

/// Types of the typed form and the function that reads their text.
struct TypedForm {
  std::string_view type;
  std::string_view function;
};
constexpr std::array kTypedForms{
    TypedForm{"bool", "bool"},
    TypedForm{"bytes", "base64.decode"},
    TypedForm{"double", "double"},
    TypedForm{"duration", "duration"},
    TypedForm{"hostlist", "hostlist"},
    TypedForm{"int", "int"},
    TypedForm{"list", ""},
    TypedForm{"map", ""},
    TypedForm{"null", ""},
    TypedForm{"optional", ""},
    TypedForm{"quantity", "quantity"},
    TypedForm{"semver", "semver"},
    TypedForm{"string", "string"},
    TypedForm{"timestamp", "timestamp"},
    TypedForm{"type", ""},
    TypedForm{"uint", "uint"},
    TypedForm{"unknown", ""},
    TypedForm{"version", "version"},
};

class BindingReader : NodeValues<BindingReader> {
 public:
  BindingReader(const SourceMap& sources, EvalContext& context) : NodeValues(context), sources_(sources) {}

  Value read(const Node& node) {
    const TypedForm* form = node.kind() == NodeKind::Mapping ? typed_form(node) : nullptr;
    const Value value = form != nullptr ? typed(node, *form) : plain(node);
    if (value.is(Value::Kind::Error)) fail(node, std::string(value.as_error().message));
    return value;
  }
  void fail(const Node& node, const std::string& message) {
    if (!error.empty()) return;
    const Position at = sources_.begin_of(node.where());
    error = std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + message;
  }

  std::string error;  ///< the first one, with its place

 private:
  friend NodeValues;

  Value scalar(const Node& node) {
    const std::string_view text = node.text();
    if (node.style() == ScalarStyle::Quoted) return Value::of(keep(text));
    if (text == "true" || text == "false") return Value::of(text == "true");
    const bool floating = text.find_first_of(".eE") != std::string_view::npos;
    return convert(floating ? "double" : "int", text);
  }

  Value convert(std::string_view function, std::string_view text) {
    const Value argument = Value::of(keep(text));
    return find_function(function)->call({&argument, 1}, context_);
  }

  /// An object is a typed form when it has a known type and its value and nothing else; any other object is a map.
  static const TypedForm* typed_form(const Node& node) {
    const Node type = node["type"];
    if (!type.is_scalar() || type.style() != ScalarStyle::Quoted) return nullptr;
    const auto form = std::ranges::find(kTypedForms, type.text(), &TypedForm::type);
    if (form == kTypedForms.end()) return nullptr;
    const std::string_view second = form->type == "unknown"                           ? "needs"
                                    : form->type == "map" && node["entries"].exists() ? "entries"
                                                                                      : "value";
    const bool alone =
        node.size() == 1 && (form->type == "optional" || form->type == "unknown" || form->type == "null");
    return alone || (node.size() == 2 && node[second].exists()) ? &*form : nullptr;
  }

  Value typed(const Node& node, const TypedForm& form) {
    const Node value = node["value"];
    if (form.type == "unknown") return unknown(node);
    if (form.type == "null") return Value::null();
    if (form.type == "optional")
      return value.exists() ? make_optional(read(value), context_) : Value::optional(nullptr);
    if (form.type == "map" && !value.exists()) return entries(node["entries"]);
    if (form.type == "list" || form.type == "map") {
      const bool good = form.type == "list" ? value.is_sequence() : value.is_mapping();
      return good ? plain(value)  // which is no typed form itself
                  : make_error(context_, "a " + std::string(form.type) + " wants a JSON array or object");
    }
    if (!value.is_scalar())
      return make_error(context_, "the value of a " + std::string(form.type) + " must be a text or a number");
    return form.type == "type" ? Value::type(keep(value.text())) : convert(form.function, value.text());
  }

  Value entries(const Node& node) {
    if (!node.is_sequence()) return make_error(context_, "the entries of a map must be an array of [key, value]");
    const std::span<MapEntry> all = context_.read.arena->make_array<MapEntry>(node.size());
    for (std::size_t i = 0; i < node.size(); ++i) {
      const Node entry = node.item(i);
      if (!entry.is_sequence() || entry.size() != 2)
        return make_error(context_, "an entry of a map must be [key, value]");
      all[i] = {read(entry.item(0)), read(entry.item(1))};
    }
    return make_map(all, context_);
  }

  Value unknown(const Node& node) {
    const Node needs = node["needs"];
    const std::string_view text = needs.is_scalar() ? keep(needs.text()) : std::string_view("a value");
    return Value::unknown(context_.read.arena->make(UnknownNeed{text, nullptr}));
  }

  const SourceMap& sources_;
};

}  // namespace

Result<std::vector<Binding>> read_bindings(const std::string& path, const std::string& text, EvalContext& context) {
  if (first_invalid_utf8(text)) return Error{Error::Code::Usage, path + ": the file is not UTF-8"};
  SourceMap sources;
  const FileId file = sources.add(path, text);
  Document document;
  std::vector<Finding> findings;
  if (!read_json(file, sources.file(file).text(), document, findings) || !findings.empty()) {
    const Position at = sources.begin_of(findings.front().where);
    return Error{Error::Code::Usage, path + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " +
                                         findings.front().message};
  }
  const Node root = document.root();
  if (!root.is_mapping()) return Error{Error::Code::Usage, path + ": bindings are a JSON object of names and values"};
  BindingReader reader(sources, context);
  std::vector<Binding> out;
  for (std::size_t i = 0; i < root.size(); ++i)
    out.push_back({std::string(root.key(i).text()), reader.read(root.value(i))});
  if (!reader.error.empty()) return Error{Error::Code::Usage, path + ":" + reader.error};
  return out;
}

}  // namespace muster
