#include "helm/values_yaml.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/strings.h"
#include "base/utf8.h"
#include "syntax/read_value.h"
#include "syntax/yaml_emitter.h"
#include "syntax/yaml_reader.h"

namespace muster::helm {
namespace {

/// Of the words that are booleans in YAML 1.1 alone.
bool is_yes(std::string_view word) { return (word[0] | 0x20) == 'y' || equals_ignoring_case(word, "on"); }

Value scalar_of(const kustomize::Tree& tree) {
  if (tree.style == ScalarStyle::Quoted) return Value::of(tree.text);
  if (tree.is_old_boolean()) {
    return Value::of(is_yes(tree.text));
  }
  if (tree.text == "null" || tree.text == "~" || tree.text == "Null" || tree.text == "NULL" || tree.text.empty())
    return {};
  if (tree.is_text()) return Value::of(tree.text);
  if (const std::optional<std::int64_t> number = yaml_int(tree.text)) return Value::of(static_cast<double>(*number));
  const char first = tree.text[0];
  if (is_digit(first) || first == '-' || first == '+' || first == '.')
    return Value::of(std::strtod(tree.text.c_str(), nullptr));
  return Value::of(equals_ignoring_case(tree.text, "true"));
}

/// A plain key `on` is a boolean, and then the text `true`.
std::string key_of(const kustomize::Member& member) {
  const bool plain = member.where.placed() && member.where.end - member.where.begin == member.key.size();
  kustomize::Tree key = kustomize::text_of(member.key, member.where);
  if (!plain || !key.is_old_boolean()) return member.key;
  return is_yes(key.text) ? "true" : "false";
}

/// As encoding/json writes a float64.
std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  std::array<char, 64> buffer{};
  const double size = std::abs(value);
  const bool exponent = size != 0 && (size < 1e-6 || size >= 1e21);
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 exponent ? std::chars_format::scientific : std::chars_format::fixed);
  return {buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data())};
}

std::string json_text(std::string_view text, bool raw) {
  return in_quotes(text, {"\b\f\n\r\t", "bfnrt", "\\u00", raw ? "" : "<>&"});
}

class YamlPrinter {
 public:
  explicit YamlPrinter(Engine& engine) : engine_(engine) {}

  void value(const Value& value, int depth) {
    if (depth > kDeepestValue || !engine_.spend(1)) return void(engine_.fail("a value is nested too deeply"));
    // What it is moved to the right takes room, too.
    if (writer.size() > written_ + kStep) engine_.spend((writer.size() - std::exchange(written_, writer.size())) / 16);
    if (value.is_list() && (!value.list->items.empty() || !value.list->unset)) return items(value, depth);
    if (value.is_map()) return members(value, depth);
    scalar(value);
  }

  YamlEmitter writer;

 private:
  static constexpr std::size_t kStep = 4096;

  void items(const Value& value, int depth) {
    writer.begin_sequence();
    for (const Value& item : value.list->items) {
      if (engine_.failed()) return;
      this->value(item, depth + 1);
    }
    writer.end_sequence();
  }

  void members(const Value& value, int depth) {
    writer.begin_mapping();
    for (const auto& [key, member] : value.map->members) {
      if (engine_.failed()) return;
      engine_.see(key, member.key);
      text(key);
      this->value(member.value, depth + 1);
    }
    writer.end_mapping();
  }

  void scalar(const Value& value) {
    engine_.see(value);
    if (value.is_text()) return text(value.text);
    const bool nil = value.is_nil() || value.is_list();
    writer.scalar(nil                              ? "null"
                  : value.is(Value::Kind::Decimal) ? json_number(value.decimal)
                                                   : printed(value),
                  YamlEmitter::Style::Plain);
  }

  void text(const std::string& text) {
    engine_.spend(text.size() / 16);
    const bool lines = text.find('\n') != text.npos;
    writer.scalar(text, lines                 ? YamlEmitter::Style::Literal
                        : reads_as_text(text) ? YamlEmitter::Style::Plain
                                              : YamlEmitter::Style::Quoted);
  }

  /// Whether a plain word is text for YAML 1.1, also for readers that know times and base 60.
  static bool reads_as_text(const std::string& text) {
    if (text.empty() || text == "~" || text == "<<" || equals_ignoring_case(text, "null")) return false;
    kustomize::Tree plain;
    plain.kind = NodeKind::Scalar;
    plain.text = text;
    if (!plain.is_text()) return false;
    const bool number = is_digit(text[0]) || ((text[0] == '.' || text[0] == '-' || text[0] == '+') && text.size() > 1);
    return !number || std::ranges::count(text, '.') > 1 || text.find_first_not_of("0123456789.:-+_eETtZ ") != text.npos;
  }

  Engine& engine_;
  std::size_t written_ = 0;
};

class JsonPrinter {
 public:
  JsonPrinter(Engine& engine, bool pretty, bool raw) : engine_(engine), pretty_(pretty), raw_(raw) {}

  void value(const Value& value, int depth) {
    if (depth > kDeepestValue || !engine_.spend(1)) return void(engine_.fail("a value is nested too deeply"));
    switch (value.kind) {
      case Value::Kind::Nil: out += "null"; return;
      case Value::Kind::Decimal: out += json_number(value.decimal); break;
      case Value::Kind::Text:
        engine_.spend(value.text.size() / 16);
        out += json_text(value.text, raw_);
        break;
      case Value::Kind::List: return list(value, depth);
      case Value::Kind::Map: return map(value, depth);
      default: out += printed(value); break;
    }
    engine_.see(value);
  }

  std::string out;

 private:
  void list(const Value& value, int depth) {
    if (value.list->unset && value.list->items.empty()) return void(out += "null");
    out += '[';
    bool first = true;
    for (const Value& item : value.list->items) {
      next(first, depth + 1);
      this->value(item, depth + 1);
    }
    if (!first) line(depth);
    out += ']';
  }

  void map(const Value& value, int depth) {
    out += '{';
    bool first = true;
    for (const auto& [key, member] : value.map->members) {
      next(first, depth + 1);
      engine_.see(key, member.key);
      out += json_text(key, raw_) + (pretty_ ? ": " : ":");
      this->value(member.value, depth + 1);
    }
    if (!first) line(depth);
    out += '}';
  }

  void next(bool& first, int depth) {
    if (!std::exchange(first, false)) out += ',';
    line(depth);
  }

  void line(int depth) {
    if (!pretty_) return;
    out += '\n';
    out.append(static_cast<std::size_t>(depth) * 2, ' ');
  }

  Engine& engine_;
  bool pretty_;
  bool raw_;
};

}  // namespace

Value value_of(const kustomize::Tree& tree, Store& store) {
  switch (tree.kind) {
    case NodeKind::Scalar: {
      Value out = scalar_of(tree);
      out.where = tree.where;
      return out;
    }
    case NodeKind::Sequence: {
      const Value out = store.list();
      for (const kustomize::Tree& item : tree.items) out.list->items.push_back(value_of(item, store));
      return out;
    }
    case NodeKind::Mapping: {
      const Value out = store.map();
      for (const kustomize::Member& member : tree.members)
        out.map->members[key_of(member)] = {value_of(member.value, store), member.where};
      return out;
    }
    default: return {};
  }
}

bool read_value(std::string_view text, Engine& engine, Value& out, std::string& trouble) {
  if (!engine.spend(text.size() / 8)) return false;
  SourceMap own;
  const SourceFile& file = own.file(own.add("value", std::string(text)));
  const std::vector<Span> documents = split_yaml_documents(FileId{0}, file.text());
  if (documents.empty()) return true;
  Document document;
  std::vector<Finding> findings;
  kustomize::Work work;
  kustomize::Tree tree;
  if (!read_yaml(file.text(), documents.front(), document, findings)) {
    trouble = findings.empty() ? "it cannot be read" : findings.front().message;
    return false;
  }
  const Span nowhere{FileId::None, 0, 0};
  if (!kustomize::copy_of(document.root(), own, &nowhere, work, tree)) return trouble = work.trouble, false;
  out = value_of(tree, engine.store());
  return true;
}

std::string to_yaml(const Value& value, Engine& engine) {
  YamlPrinter printer(engine);
  printer.value(value, 0);
  if (engine.failed()) return {};
  std::string out = printer.writer.finish();
  if (out.ends_with('\n')) out.pop_back();
  return out;
}

std::string to_json(const Value& value, Engine& engine, bool pretty, bool raw) {
  JsonPrinter printer(engine, pretty, raw);
  printer.value(value, 0);
  return std::move(printer.out);
}

}  // namespace muster::helm
