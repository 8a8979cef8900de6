#include <algorithm>
#include <array>

#include "base/strings.h"
#include "expr/expr.h"
#include "expr/functions.h"
#include "expr/parser.h"

namespace muster {
namespace {

bool is_numeric(const Type& type) {
  return type.kind == TypeKind::Int || type.kind == TypeKind::Uint || type.kind == TypeKind::Double || type.kind == TypeKind::Dyn;
}

bool is_ordered(TypeKind kind) {
  constexpr std::array kOrdered{TypeKind::Dyn,   TypeKind::Bool,     TypeKind::Int,       TypeKind::Uint,     TypeKind::Double, TypeKind::String,
                                TypeKind::Bytes, TypeKind::Duration, TypeKind::Timestamp, TypeKind::Quantity, TypeKind::Version};
  return std::ranges::find(kOrdered, kind) != kOrdered.end();
}

class Checker {
 public:
  Checker(Ast& ast, const CompileEnv& env, std::vector<ExprIssue>& issues)
      : ast_(ast), env_(env), issues_(issues), variables_(env.variables), present_(env.present) {}

  void run() {
    check(ast_.root);
    if (issues_.empty()) collect_present(ast_.root, true, present_when_true);
  }

  std::set<std::string> present_when_true;
  std::set<std::string> targets;
  std::set<std::string> params;

 private:
  const Type* keep(Type type) { return &ast_.types.emplace_back(type); }

  const Type* fail(const AstNode& node, std::string message) {
    issues_.push_back({std::move(message), node.begin, node.end});
    return &kDynType;
  }

  const Type* check(std::uint32_t index) {
    const Type* type = infer(index);
    ast_.nodes[index].type = type;
    return type;
  }

  const Type* infer(std::uint32_t index) {
    AstNode& node = ast_.nodes[index];
    switch (node.op) {
      case Op::Literal: return literal(node);
      case Op::Ident: return identifier(node);
      case Op::Select: return select(node);
      case Op::OptionalSelect: return optional_select(node);
      case Op::Index: return subscript(node);
      case Op::OptionalIndex: subscript(node); return keep({TypeKind::Optional, &kDynType});
      case Op::Has: return has(node);
      case Op::Call: return call(node);
      case Op::List: return list(node);
      case Op::Map: return map(node);
      case Op::Not: want(node.children[0], kBoolType); return &kBoolType;
      case Op::Negate: return negate(node);
      case Op::And:
      case Op::Or: return logical(node);
      case Op::Conditional: return conditional(node);
      case Op::Equal:
      case Op::NotEqual: return equality(node);
      case Op::Less:
      case Op::LessEqual:
      case Op::Greater:
      case Op::GreaterEqual: return order(node);
      case Op::In: return in(node);
      case Op::Add:
      case Op::Subtract:
      case Op::Multiply:
      case Op::Divide:
      case Op::Modulo: return arithmetic(node);
      case Op::All:
      case Op::Exists:
      case Op::ExistsOne:
      case Op::MapEach:
      case Op::Filter: return macro(node);
    }
    return &kDynType;
  }

  void want(std::uint32_t child, const Type& wanted) {
    const Type* type = check(child);
    if (!fits(*type, wanted)) fail(ast_.nodes[child], "expected " + name_of(wanted) + ", got " + name_of(*type));
  }

  static const Type* literal(const AstNode& node) {
    switch (node.literal.kind()) {
      case Value::Kind::Null: return &kNullType;
      case Value::Kind::Bool: return &kBoolType;
      case Value::Kind::Int: return &kIntType;
      case Value::Kind::Uint: return &kUintType;
      case Value::Kind::Double: return &kDoubleType;
      case Value::Kind::String: return &kStringType;
      case Value::Kind::Bytes: return &kBytesType;
      case Value::Kind::Version: return &kVersionType;
      default: return &kDynType;
    }
  }

  const Type* identifier(AstNode& node) {
    for (std::size_t i = variables_.size(); i-- > 0;) {
      if (variables_[i].name != node.name) continue;
      node.slot = static_cast<std::uint32_t>(i);
      return keep(variables_[i].type);
    }
    if (node.name == "params") return fail(node, "`params` is read as params.NAME");
    std::vector<std::string_view> known;
    for (const Variable& variable : variables_) known.push_back(variable.name);
    return fail(node, "unknown name `" + node.name + "`" + did_you_mean(node.name, known));
  }

  // --- fields ---

  bool is_params(std::uint32_t child) const {
    return ast_.nodes[child].op == Op::Ident && ast_.nodes[child].name == "params" &&
           std::ranges::none_of(variables_, [](const Variable& variable) { return variable.name == "params"; });
  }

  const Type* param(AstNode& node) {
    const auto found = env_.params.find(node.name);
    if (found == env_.params.end()) {
      std::vector<std::string_view> known;
      for (const auto& [name, value] : env_.params) known.push_back(name);
      return fail(node, "unknown parameter `" + node.name + "`" + did_you_mean(node.name, known));
    }
    params.insert(node.name);
    node.op = Op::Literal;
    node.literal = found->second;
    node.children.clear();
    return literal(node);
  }

  const Field* find_field(AstNode& node, const Type& object) {
    const Field* field = object.object->find(node.name);
    if (field != nullptr) return field;
    std::vector<std::string_view> known;
    for (const Field& other : object.object->fields) known.push_back(other.name);
    fail(node, "a " + std::string(object.object->name) + " has no field `" + node.name + "`" + did_you_mean(node.name, known));
    return nullptr;
  }

  const Type* select(AstNode& node) {
    if (is_params(node.children[0])) return param(node);
    const Type* object = check(node.children[0]);
    if (object->kind == TypeKind::Map) return object->element;
    if (object->kind == TypeKind::Dyn) return &kDynType;
    if (object->kind == TypeKind::Optional) return keep({TypeKind::Optional, &kDynType});
    if (object->kind != TypeKind::Object) return fail(node, "a " + name_of(*object) + " has no fields");
    node.field = find_field(node, *object);
    if (node.field == nullptr) return &kDynType;
    if (object->object == &target_type()) targets.insert(node.name);
    const std::optional<std::string> path = path_of(node);
    const bool guarded = path && present_.contains(*path);
    if (node.field->presence == Presence::Optional && !guarded && !asking_ && !env_.may_be_absent) {
      fail(node, "`" + node.name + "` may be absent: ask has(" + path.value_or("...") + ") first, or use .?" + node.name);
    }
    return keep(node.field->type);
  }

  const Type* optional_select(AstNode& node) {
    const Type* object = check(node.children[0]);
    if (object->kind != TypeKind::Object) return keep({TypeKind::Optional, object->kind == TypeKind::Map ? object->element : &kDynType});
    const Field* field = find_field(node, *object);
    return keep({TypeKind::Optional, field == nullptr ? &kDynType : keep(field->type)});
  }

  const Type* has(AstNode& node) {
    asking_ = true;
    AstNode& field = ast_.nodes[node.children[0]];
    const Type* object = check(field.children[0]);
    if (object->kind == TypeKind::Object) field.field = find_field(field, *object);
    field.type = &kDynType;
    asking_ = false;
    return &kBoolType;
  }

  /// `g.queue` for a chain of selects from a name; what presence is known by.
  std::optional<std::string> path_of(const AstNode& node) const {
    if (node.op == Op::Ident) return node.name;
    if (node.op != Op::Select) return std::nullopt;
    std::optional<std::string> base = path_of(ast_.nodes[node.children[0]]);
    return base ? std::optional(*base + "." + node.name) : std::nullopt;
  }

  /// Paths that are there whenever the node is `truth`.
  void collect_present(std::uint32_t index, bool truth, std::set<std::string>& out) const {
    const AstNode& node = ast_.nodes[index];
    if (node.op == Op::Has && truth) {
      if (const std::optional<std::string> path = path_of(ast_.nodes[node.children[0]])) out.insert(*path);
    } else if (node.op == Op::Not) {
      collect_present(node.children[0], !truth, out);
    } else if ((node.op == Op::And && truth) || (node.op == Op::Or && !truth)) {
      for (const std::uint32_t child : node.children) collect_present(child, truth, out);
    }
  }

  // --- operators ---

  const Type* negate(AstNode& node) {
    const Type* type = check(node.children[0]);
    const bool good = type->kind == TypeKind::Int || type->kind == TypeKind::Double || type->kind == TypeKind::Dyn;
    return good ? type : fail(node, "`-` wants a number, got " + name_of(*type));
  }

  const Type* logical(AstNode& node) {
    const std::set<std::string> before = present_;
    for (const std::uint32_t child : std::vector<std::uint32_t>(node.children)) {
      want(child, kBoolType);
      collect_present(child, node.op == Op::And, present_);
    }
    present_ = before;
    return &kBoolType;
  }

  const Type* conditional(AstNode& node) {
    want(node.children[0], kBoolType);
    const std::set<std::string> before = present_;
    collect_present(node.children[0], true, present_);
    const Type* yes = check(node.children[1]);
    present_ = before;
    collect_present(node.children[0], false, present_);
    const Type* no = check(node.children[2]);
    present_ = before;
    return fits(*yes, *no) && yes->kind != TypeKind::Dyn ? yes : &kDynType;
  }

  /// A word that the other side can never be is a misspelling.
  void check_word(const AstNode& node, const Type& type) {
    const bool word = node.op == Op::Literal && node.literal.is(Value::Kind::String) && !type.words.empty();
    if (!word || std::ranges::find(type.words, node.literal.as_text()) != type.words.end()) return;
    fail(node, "`" + std::string(node.literal.as_text()) + "` is none of " + join(type.words, ", ") + did_you_mean(node.literal.as_text(), type.words));
  }

  const Type* equality(AstNode& node) {
    const Type* left = check(node.children[0]);
    const Type* right = check(node.children[1]);
    check_word(ast_.nodes[node.children[0]], *right);
    check_word(ast_.nodes[node.children[1]], *left);
    const bool comparable = fits(*left, *right) || (is_numeric(*left) && is_numeric(*right)) || left->kind == TypeKind::Null ||
                            right->kind == TypeKind::Null || quantity_and_int(*left, *right);
    return comparable ? &kBoolType : fail(node, "a " + name_of(*left) + " never equals a " + name_of(*right));
  }

  static bool quantity_and_int(const Type& a, const Type& b) {
    return (a.kind == TypeKind::Quantity && b.kind == TypeKind::Int) || (a.kind == TypeKind::Int && b.kind == TypeKind::Quantity);
  }

  const Type* order(AstNode& node) {
    const Type* left = check(node.children[0]);
    const Type* right = check(node.children[1]);
    const bool same = is_ordered(left->kind) && is_ordered(right->kind) &&
                      (fits(*left, *right) || (is_numeric(*left) && is_numeric(*right)) || quantity_and_int(*left, *right));
    return same ? &kBoolType : fail(node, "a " + name_of(*left) + " and a " + name_of(*right) + " have no order");
  }

  const Type* in(AstNode& node) {
    const Type* item = check(node.children[0]);
    const Type* container = check(node.children[1]);
    const AstNode& list = ast_.nodes[node.children[1]];
    if (list.op == Op::List) {
      for (const std::uint32_t word : list.children) check_word(ast_.nodes[word], *item);
    }
    if (container->kind == TypeKind::Dyn) return &kBoolType;
    if (container->kind != TypeKind::List && container->kind != TypeKind::Map) return fail(node, "`in` wants a list or a map, got " + name_of(*container));
    const Type& element = container->kind == TypeKind::List ? *container->element : *container->key;
    const bool good = fits(*item, element) || (is_numeric(*item) && is_numeric(element));
    return good ? &kBoolType : fail(node, "a " + name_of(*item) + " is never in a " + name_of(*container));
  }

  const Type* arithmetic(AstNode& node) {
    const Type* left = check(node.children[0]);
    const Type* right = check(node.children[1]);
    if (left->kind == TypeKind::Dyn || right->kind == TypeKind::Dyn) return &kDynType;
    const TypeKind kind = left->kind;
    bool good = kind == right->kind && (kind == TypeKind::Int || kind == TypeKind::Uint || kind == TypeKind::Double);
    if (node.op == Op::Modulo && kind == TypeKind::Double) good = false;
    const bool adds = kind == TypeKind::String || kind == TypeKind::Bytes || kind == TypeKind::List || kind == TypeKind::Quantity;
    if (node.op == Op::Add && adds) good = kind == right->kind;
    if (!good) return fail(node, "these cannot be combined: " + name_of(*left) + " and " + name_of(*right));
    if (kind == TypeKind::String) return &kStringType;  // a sum of words is no word
    return kind == TypeKind::List && !fits(*right, *left) ? keep({TypeKind::List, &kDynType}) : left;
  }

  // --- literals, calls, macros ---

  const Type* common(const Type* a, const Type* b) {
    if (a == nullptr) return b;
    return fits(*a, *b) && a->kind != TypeKind::Dyn && b->kind != TypeKind::Dyn ? a : &kDynType;
  }

  const Type* list(AstNode& node) {
    const Type* element = nullptr;
    for (const std::uint32_t child : std::vector<std::uint32_t>(node.children)) {
      const Type* type = check(child);
      element = common(element, type->kind == TypeKind::String ? &kStringType : type);
    }
    const bool optional = std::ranges::find(node.optional, true) != node.optional.end();
    return keep({TypeKind::List, element == nullptr || optional ? &kDynType : element});
  }

  const Type* map(AstNode& node) {
    const Type* key = nullptr;
    const Type* value = nullptr;
    for (std::size_t i = 0; i + 1 < node.children.size(); i += 2) {
      key = common(key, check(node.children[i]));
      value = common(value, check(node.children[i + 1]));
    }
    return keep({TypeKind::Map, value == nullptr ? &kDynType : value, key == nullptr ? &kDynType : key});
  }

  const Type* subscript(AstNode& node) {
    const Type* object = check(node.children[0]);
    const Type* index = check(node.children[1]);
    if (object->kind == TypeKind::Dyn || object->kind == TypeKind::Optional) return &kDynType;
    if (object->kind == TypeKind::Map) return fits(*index, *object->key) ? object->element : fail(node, "the map has no such keys");
    if (object->kind != TypeKind::List) return fail(node, "a " + name_of(*object) + " has no items");
    return is_numeric(*index) ? object->element : fail(node, "a list is indexed by int, got " + name_of(*index));
  }

  const Type* call(AstNode& node) {
    node.function = find_function(node.name);
    std::vector<const Type*> types;
    for (const std::uint32_t child : std::vector<std::uint32_t>(node.children)) types.push_back(check(child));
    if (node.function == nullptr) {
      std::vector<std::string_view> known{"has", "all", "exists", "exists_one", "map", "filter"};
      for (const Function& function : all_functions()) known.push_back(function.name);
      return fail(node, "unknown function `" + node.name + "`" + did_you_mean(node.name, known));
    }
    if (node.name == "version" && types.size() == 1) return version(node);
    for (const Overload& overload : node.function->overloads) {
      if (overload.receiver != node.receiver || overload.count() != types.size()) continue;
      bool good = true;
      for (std::size_t i = 0; i < types.size(); ++i) good = good && fits(*types[i], *overload.arguments[i]);
      if (good) return overload.result;
    }
    std::string given;
    for (const Type* type : types) given += (given.empty() ? "" : ", ") + name_of(*type);
    return fail(node, "`" + node.name + "` cannot be called with (" + given + ")");
  }

  /// version("25.11") becomes a constant.
  const Type* version(AstNode& node) {
    const AstNode& argument = ast_.nodes[node.children[0]];
    if (argument.op != Op::Literal || !argument.literal.is(Value::Kind::String)) return fail(node, "version() wants a literal such as \"25.11\"");
    const std::optional<Version> parsed = Version::parse(argument.literal.as_text());
    if (!parsed) return fail(node, "`" + std::string(argument.literal.as_text()) + "` is not a version");
    node.op = Op::Literal;
    node.literal = Value::of(&ast_.versions.emplace_back(*parsed));
    node.children.clear();
    return &kVersionType;
  }

  const Type* macro(AstNode& node) {
    const Type* range = check(node.children[0]);
    const Type* item = &kDynType;
    if (range->kind == TypeKind::List) item = range->element;
    if (range->kind == TypeKind::Map) item = range->key;
    if (range->kind != TypeKind::List && range->kind != TypeKind::Map && range->kind != TypeKind::Dyn) {
      return fail(node, "a macro runs over a list or a map, got " + name_of(*range));
    }
    node.slot = static_cast<std::uint32_t>(variables_.size());
    ast_.slots = std::max<std::size_t>(ast_.slots, variables_.size() + 1);
    variables_.push_back({node.name, *item});
    const Op op = node.op;
    const std::vector<std::uint32_t> children = node.children;
    const Type* result = &kBoolType;
    if (op == Op::MapEach) {
      if (children.size() == 3) want(children[1], kBoolType);
      result = keep({TypeKind::List, check(children.back())});
    } else {
      want(children[1], kBoolType);
      if (op == Op::Filter) result = range->kind == TypeKind::List ? range : keep({TypeKind::List, item});
    }
    variables_.pop_back();
    return result;
  }

  Ast& ast_;
  const CompileEnv& env_;
  std::vector<ExprIssue>& issues_;
  std::vector<Variable> variables_;
  std::set<std::string> present_;
  bool asking_ = false;
};

}  // namespace

std::optional<Expr> Expr::compile(std::string_view text, const CompileEnv& env, std::vector<ExprIssue>& issues) {
  std::vector<ExprIssue> own;
  std::optional<Ast> ast = parse_expr(text, own);
  Expr expr;
  if (ast) {
    ast->slots = env.variables.size();
    expr.ast_ = std::make_unique<Ast>(std::move(*ast));
    Checker checker(*expr.ast_, env, own);
    checker.run();
    expr.present_when_true_ = std::move(checker.present_when_true);
    expr.targets_ = std::move(checker.targets);
    expr.params_ = std::move(checker.params);
  }
  const bool good = own.empty();
  issues.insert(issues.end(), own.begin(), own.end());
  return good ? std::optional(std::move(expr)) : std::nullopt;
}

}  // namespace muster
