#include "admission/cel_text.h"

#include <algorithm>
#include <array>
#include <vector>

#include "expr/ast.h"

namespace muster {
namespace {

// What the API server's CEL has since 1.30, when policies became stable, and the rule language, too. Source:
// kubernetes/apiserver:pkg/cel/environment/base.go (1.36): the version by each library.
constexpr std::array<std::string_view, 39> kFunctions{"asApproximateFloat",
                                                      "asInteger",
                                                      "bool",
                                                      "ceil",
                                                      "charAt",
                                                      "compareTo",
                                                      "contains",
                                                      "double",
                                                      "duration",
                                                      "dyn",
                                                      "endsWith",
                                                      "find",
                                                      "findAll",
                                                      "hasValue",
                                                      "indexOf",
                                                      "int",
                                                      "isGreaterThan",
                                                      "isInteger",
                                                      "isLessThan",
                                                      "isQuantity",
                                                      "join",
                                                      "lastIndexOf",
                                                      "lowerAscii",
                                                      "matches",
                                                      "max",
                                                      "min",
                                                      "quantity",
                                                      "replace",
                                                      "sign",
                                                      "size",
                                                      "split",
                                                      "startsWith",
                                                      "string",
                                                      "substring",
                                                      "sum",
                                                      "trim",
                                                      "type",
                                                      "upperAscii",
                                                      "value"};

std::vector<Value> items_of(const Value& value) {
  std::vector<Value> out;
  if (!value.is(Value::Kind::List)) return out;
  const ListData& list = value.as_list();
  for (std::size_t i = 0; i < list.size; ++i) out.push_back(list.at(list.base, i));
  return out;
}

/// Whether a list in it has items of several types.
bool is_mixed(const Value& value) {
  const std::vector<Value> items = items_of(value);
  return std::ranges::any_of(items, is_mixed) ||
         std::ranges::any_of(items, [&](const Value& item) { return item.kind() != items.front().kind(); });
}

/// The API server takes lists whose items are of one type: `dyn` makes them so.
std::string of_one_type(const Value& value) {
  if (!value.is(Value::Kind::List)) return to_literal(value);
  const std::vector<Value> items = items_of(value);
  const bool mixed = std::ranges::any_of(items, [&](const Value& item) { return item.kind() != items.front().kind(); });
  std::string out;
  for (const Value& item : items) {
    const std::string text = of_one_type(item);
    out.append(out.empty() ? "" : ", ").append(mixed ? "dyn(" + text + ")" : text);
  }
  return "[" + out + "]";
}

struct Edit {
  std::uint32_t begin;
  std::uint32_t end;
  std::string text;
};

class Rewriter {
 public:
  Rewriter(const Expr& expr, const FieldTexts& fields, std::string_view variable)
      : ast_(expr.ast()), fields_(fields), variable_(variable) {}

  CelText run() {
    visit(ast_.root);
    const Op root = ast_.nodes[ast_.root].op;
    out_.loose = root == Op::Or || root == Op::Conditional;
    std::ranges::stable_sort(edits_, {}, &Edit::begin);
    write();
    return std::move(out_);
  }

 private:
  /// The tokens with one blank where there was something between them: a comment would take what is put behind it, and
  /// a policy has its expression on one line.
  void write() {
    std::vector<ExprIssue> issues;
    auto edit = edits_.begin();
    std::uint32_t at = 0;
    const auto put = [&](std::uint32_t begin, std::uint32_t end, std::string_view text) {
      if (begin > at && !out_.text.empty() && out_.text.back() != ' ') out_.text += ' ';
      out_.text += text;
      at = end;
    };
    for (const Token& token : tokenize(ast_.text, issues)) {
      if (token.kind == TokenKind::End) break;
      for (; edit != edits_.end() && edit->begin <= token.begin; ++edit) put(edit->begin, edit->end, edit->text);
      if (token.begin >= at) put(token.begin, token.end, source_of(token));
    }
    for (; edit != edits_.end(); ++edit) put(edit->begin, edit->end, edit->text);
  }

  std::string source_of(const Token& token) const {
    std::string text = ast_.text.substr(token.begin, token.end - token.begin);
    // Between three quotes a text may have lines.
    const bool plain = std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
    return plain || token.kind != TokenKind::String ? text : to_literal(Value::of(std::string_view(token.text)));
  }

  void obstacle(std::string what) {
    if (out_.obstacle.empty()) out_.obstacle = std::move(what);
  }
  void replace(const AstNode& node, std::string text) { edits_.push_back({node.begin, node.end, std::move(text)}); }

  bool is_variable(const AstNode& node) const { return node.op == Op::Ident && node.slot == 0; }
  bool is_field(const AstNode& node) const {
    return node.op == Op::Select && is_variable(ast_.nodes[node.children[0]]);
  }

  std::optional<FieldText> text_of(const AstNode& select) {
    std::optional<FieldText> text = fields_(select.name);
    if (!text) obstacle(std::string(kReadsMore));
    return text;
  }

  void visit(std::uint32_t index) {
    const AstNode& node = ast_.nodes[index];
    switch (node.op) {
      case Op::Has:
        if (!is_field(ast_.nodes[node.children[0]])) break;
        if (const auto text = text_of(ast_.nodes[node.children[0]])) replace(node, text->has);
        return;
      case Op::Select:
        if (!is_field(node)) break;
        if (const auto text = text_of(node)) replace(node, text->value);
        return;
      case Op::Ident:
        if (!is_variable(node)) break;
        if (variable_.empty()) obstacle("asks for the object as a whole");
        replace(node, std::string(variable_));
        break;
      case Op::Literal:
        // A parameter of the rule has become its value.
        if (std::string_view(ast_.text).substr(node.begin).starts_with("params."))
          replace(node, to_literal(node.literal));
        if (!is_mixed(node.literal)) break;
        return replace(node, of_one_type(node.literal));
      case Op::List: wrap_mixed(node); break;
      case Op::Call:
        if (std::ranges::find(kFunctions, node.name) == kFunctions.end())
          obstacle("calls `" + node.name + "`, which the API server does not have");
        break;
      case Op::Bind: return bind(node);
      case Op::TransformMap:
      case Op::TransformMapEntry:
      case Op::SortBy:
      case Op::Block: obstacle("uses a macro that the API server does not have"); break;
      default: break;
    }
    if (!node.second.empty()) obstacle("uses a macro that the API server does not have");
    for (const std::uint32_t child : node.children) visit(child);
  }

  void wrap_mixed(const AstNode& list) {
    const auto kind_of = [&](std::uint32_t item) { return ast_.nodes[item].type->kind; };
    if (std::ranges::all_of(list.children,
                            [&](std::uint32_t item) { return kind_of(item) == kind_of(list.children[0]); }))
      return;
    for (const std::uint32_t item : list.children) {
      edits_.push_back({ast_.nodes[item].begin, ast_.nodes[item].begin, "dyn("});
      edits_.push_back({ast_.nodes[item].end, ast_.nodes[item].end, ")"});
    }
  }

  /// cel.bind(name, value, body), which the API server lacks, is [value].exists(name, body) where the body is a bool.
  void bind(const AstNode& node) {
    const AstNode& value = ast_.nodes[node.children[0]];
    const AstNode& body = ast_.nodes[node.children[1]];
    if (body.type->kind != TypeKind::Bool) return obstacle("uses a macro that the API server does not have");
    std::vector<ExprIssue> issues;
    std::vector<std::uint32_t> commas;  // that part its arguments
    std::uint32_t depth = 0;
    for (const Token& token : tokenize(ast_.text, issues)) {
      if (token.begin < node.begin || token.end > node.end || token.kind != TokenKind::Mark) continue;
      if (token.text == "(" || token.text == "[" || token.text == "[?" || token.text == "{" || token.text == "{?")
        ++depth;
      if (token.text == ")" || token.text == "]" || token.text == "}") --depth;
      if (token.text == "," && depth == 1) commas.push_back(token.begin);
    }
    if (commas.size() != 2 || value.begin < commas[0] || body.begin < commas[1])
      return obstacle("uses a macro that the API server does not have");
    edits_.push_back({node.begin, commas[0] + 1, "["});
    edits_.push_back({commas[1], commas[1] + 1, "].exists(" + node.name + ", "});
    for (const std::uint32_t child : node.children) visit(child);
  }

  const Ast& ast_;
  const FieldTexts& fields_;
  std::string_view variable_;
  std::vector<Edit> edits_;
  CelText out_;
};

}  // namespace

CelText kubernetes_text(const Expr& expr, const FieldTexts& fields, std::string_view variable) {
  return Rewriter(expr, fields, variable).run();
}

}  // namespace muster
