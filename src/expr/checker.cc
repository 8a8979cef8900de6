#include "expr/checker.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "expr/parser.h"

namespace muster {
namespace {

// Names that stand for a type where no variable has them (CEL specification, "Types").
constexpr std::array<std::string_view, 13> kTypeNames{"bool",
                                                      "bytes",
                                                      "double",
                                                      "google.protobuf.Duration",
                                                      "google.protobuf.Timestamp",
                                                      "int",
                                                      "list",
                                                      "map",
                                                      "null_type",
                                                      "optional_type",
                                                      "string",
                                                      "type",
                                                      "uint"};

}  // namespace

Checker::Checker(Ast& ast, const CompileEnv& env, std::vector<ExprIssue>& issues)
    : ast_(ast), env_(env), issues_(issues), variables_(env.variables), present_(env.present) {
  dotted_variables_ = std::ranges::any_of(
      variables_, [](const Variable& variable) { return variable.name.find('.') != std::string::npos; });
}

void Checker::run() {
  check(ast_.root);
  if (issues_.empty()) collect_present(ast_.root, true, present_when_true);
}

const Type* Checker::fail(const AstNode& node, std::string message) {
  issues_.push_back({std::move(message), node.begin, node.end});
  return &kDynType;
}

const Type* Checker::mismatch(const AstNode& node, std::string message) {
  return env_.gradual ? &kDynType : fail(node, std::move(message));
}

const Type* Checker::unresolved(AstNode& node, std::string message) {
  if (!env_.gradual) return fail(node, std::move(message));
  node.op = Op::Fail;
  node.name = std::move(message);
  return &kDynType;
}

const Type* Checker::check(std::uint32_t index) {
  const Type* type = infer(index);
  ast_.nodes[index].type = type;
  return type;
}

const Type* Checker::infer(std::uint32_t index) {
  AstNode& node = ast_.nodes[index];
  switch (node.op) {
    case Op::Literal: return type_of_literal(node);
    case Op::Ident: return identifier(node);
    case Op::Select: return select(node);
    case Op::OptionalSelect: return optional_select(node);
    case Op::Index: return subscript(node);
    case Op::OptionalIndex: return optional_subscript(node);
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
    case Op::Filter:
    case Op::TransformMap:
    case Op::TransformMapEntry:
    case Op::SortBy: return macro(node);
    case Op::Bind:
    case Op::Block: return bind(node);
    case Op::OptMap:
    case Op::OptFlatMap: return optional_map(node);
    case Op::OptionalOr:
    case Op::OptionalOrValue: return optional_or(node);
    case Op::Fail: return &kDynType;
  }
  return &kDynType;
}

void Checker::want(std::uint32_t child, const Type& wanted) {
  const Type* type = check(child);
  if (!fits(*type, wanted)) mismatch(ast_.nodes[child], "expected " + name_of(wanted) + ", got " + name_of(*type));
}

// --- names ---

const Type* Checker::variable(AstNode& node, std::string_view name, bool rooted) {
  for (std::size_t i = rooted ? env_.variables.size() : variables_.size(); i-- > 0;) {
    if (variables_[i].name != name) continue;
    node.op = Op::Ident;
    node.slot = static_cast<std::uint32_t>(i);
    node.children.clear();
    return keep(variables_[i].type);
  }
  return nullptr;
}

const Type* Checker::become_type(AstNode& node, std::string_view name) {
  const auto known = std::ranges::lower_bound(kTypeNames, name);
  if (known == kTypeNames.end() || *known != name) return nullptr;
  node.op = Op::Literal;
  node.literal = Value::type(*known);
  node.children.clear();
  return &kTypeType;
}

const Type* Checker::identifier(AstNode& node) {
  if (const Type* found = variable(node, node.name, node.rooted)) return found;
  if (const Type* type = become_type(node, node.name)) return type;
  if (node.name == "params") return fail(node, "`params` is read as params.NAME");
  std::vector<std::string_view> known;
  for (const Variable& candidate : variables_) known.push_back(candidate.name);
  return unresolved(node, "undeclared reference to `" + node.name + "`" + did_you_mean(node.name, known));
}

bool Checker::is_rooted(const AstNode& node) const {
  const AstNode* at = &node;
  while (at->op == Op::Select) at = &ast_.nodes[at->children[0]];
  return at->rooted;
}

const Type* Checker::dotted(AstNode& node) {
  const bool type_name = node.name == "Timestamp" || node.name == "Duration";
  if (!dotted_variables_ && !type_name) return nullptr;
  const std::optional<std::string> path = path_of(node);
  if (!path) return nullptr;
  const std::string_view root = std::string_view(*path).substr(0, path->find('.'));
  const bool rooted = is_rooted(node);
  const auto of_macro = variables_.begin() + static_cast<std::ptrdiff_t>(env_.variables.size());
  if (!rooted && std::find_if(of_macro, variables_.end(), [&](const Variable& known) { return known.name == root; }) !=
                     variables_.end())
    return nullptr;
  if (const Type* found = variable(node, *path, rooted)) return found;
  return become_type(node, *path);
}

/// `g.queue` for a chain of selects from a name; what presence is known by.
std::optional<std::string> Checker::path_of(const AstNode& node) const {
  if (node.op == Op::Ident) return node.name;
  if (node.op != Op::Select) return std::nullopt;
  std::optional<std::string> base = path_of(ast_.nodes[node.children[0]]);
  return base ? std::optional(*base + "." + node.name) : std::nullopt;
}

// --- fields ---

bool Checker::is_params(std::uint32_t child) const {
  return ast_.nodes[child].op == Op::Ident && ast_.nodes[child].name == "params" &&
         std::ranges::none_of(variables_, [](const Variable& known) { return known.name == "params"; });
}

const Type* Checker::param(AstNode& node) {
  const auto found = env_.params.find(node.name);
  if (found == env_.params.end()) {
    std::vector<std::string_view> known;
    for (const auto& [name, value] : env_.params) known.push_back(name);
    return unresolved(node, "unknown parameter `" + node.name + "`" + did_you_mean(node.name, known));
  }
  params.insert(node.name);
  node.op = Op::Literal;
  node.literal = found->second;
  node.children.clear();
  return type_of_literal(node);
}

const Field* Checker::find_field(AstNode& node, const Type& object) {
  const Field* field = object.object->find(node.name);
  if (field != nullptr) return field;
  std::vector<std::string_view> known;
  for (const Field& other : object.object->fields) known.push_back(other.name);
  fail(node,
       "a " + std::string(object.object->name) + " has no field `" + node.name + "`" + did_you_mean(node.name, known));
  return nullptr;
}

const Type* Checker::select(AstNode& node) {
  if (const Type* whole = dotted(node)) return whole;
  if (is_params(node.children[0])) return param(node);
  const Type* object = check(node.children[0]);
  if (object->kind == TypeKind::Map) return object->element;
  if (object->kind == TypeKind::Dyn) return &kDynType;
  if (object->kind == TypeKind::Optional) return keep({TypeKind::Optional, &kDynType});
  if (object->kind != TypeKind::Object) return mismatch(node, "a " + name_of(*object) + " has no fields");
  node.field = find_field(node, *object);
  if (node.field == nullptr) return &kDynType;
  if (object->object == &target_type()) targets.insert(node.name);
  const std::optional<std::string> path = path_of(node);
  const bool guarded = path && present_.contains(*path);
  if (node.field->presence == Presence::Optional && !guarded && !asking_ && !env_.may_be_absent && !env_.gradual) {
    fail(node, "`" + node.name + "` may be absent: ask has(" + path.value_or("...") + ") first, or use .?" + node.name);
  }
  return keep(node.field->type);
}

const Type* Checker::optional_select(AstNode& node) {
  const Type* object = check(node.children[0]);
  if (object->kind == TypeKind::Optional) object = object->element;
  if (object->kind != TypeKind::Object)
    return keep({TypeKind::Optional, object->kind == TypeKind::Map ? object->element : &kDynType});
  const Field* field = find_field(node, *object);
  return keep({TypeKind::Optional, field == nullptr ? &kDynType : keep(field->type)});
}

const Type* Checker::has(AstNode& node) {
  const bool asked_before = asking_;
  asking_ = true;
  AstNode& field = ast_.nodes[node.children[0]];
  const Type* object = check(field.children[0]);
  if (object->kind == TypeKind::Object) field.field = find_field(field, *object);
  field.type = &kDynType;
  asking_ = asked_before;
  return &kBoolType;
}

const Type* Checker::subscript(AstNode& node) {
  const Type* object = check(node.children[0]);
  const Type* index = check(node.children[1]);
  if (object->kind == TypeKind::Dyn) return &kDynType;
  if (object->kind == TypeKind::Optional) return keep({TypeKind::Optional, &kDynType});
  if (object->kind == TypeKind::Map) {
    const bool good = fits(*index, *object->key) || (is_numeric(*index) && is_numeric(*object->key));
    return good ? object->element : mismatch(node, "the map has no such keys");
  }
  if (object->kind != TypeKind::List) return mismatch(node, "a " + name_of(*object) + " has no items");
  return is_numeric(*index) ? object->element : mismatch(node, "a list is indexed by int, got " + name_of(*index));
}

const Type* Checker::optional_subscript(AstNode& node) {
  const Type* type = subscript(node);
  return type->kind == TypeKind::Optional ? type : keep({TypeKind::Optional, type});
}

/// Paths that are there whenever the node is `truth`.
void Checker::collect_present(std::uint32_t index, bool truth, std::set<std::string>& out) const {
  const AstNode& node = ast_.nodes[index];
  if (node.op == Op::Has && truth) {
    if (const std::optional<std::string> path = path_of(ast_.nodes[node.children[0]])) out.insert(*path);
  } else if (node.op == Op::Not) {
    collect_present(node.children[0], !truth, out);
  } else if ((node.op == Op::And && truth) || (node.op == Op::Or && !truth)) {
    for (const std::uint32_t child : node.children) collect_present(child, truth, out);
  }
}

/// A word that the other side can never be is a misspelling.
void Checker::check_word(const AstNode& node, const Type& type) {
  const bool word = node.op == Op::Literal && node.literal.is(Value::Kind::String) && !type.words.empty();
  if (!word || std::ranges::find(type.words, node.literal.as_text()) != type.words.end()) return;
  fail(node, "`" + std::string(node.literal.as_text()) + "` is none of " + join(type.words, ", ") +
                 did_you_mean(node.literal.as_text(), type.words));
}

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
