#include <algorithm>
#include <array>

#include "base/strings.h"
#include "expr/checker.h"

namespace muster {
namespace {

constexpr std::array<std::string_view, 15> kMacroNames{
    "all",     "exists", "existsOne",     "exists_one",   "filter",
    "has",     "map",    "optFlatMap",    "optMap",       "or",
    "orValue", "sortBy", "transformList", "transformMap", "transformMapEntry"};
constexpr std::array<std::string_view, 6> kPatternFunctions{"find",          "findAll",          "matches",
                                                            "regex.extract", "regex.extractAll", "regex.replace"};

bool is_text(const AstNode& node) { return node.op == Op::Literal && node.literal.is(Value::Kind::String); }

}  // namespace

const Type* Checker::call(AstNode& node) {
  if (node.receiver) {  // math.abs(x) is a function of a namespace unless it is no such function
    const std::optional<std::string> space = path_of(ast_.nodes[node.children[0]]);
    if (space && find_function(*space + "." + node.name) != nullptr) {
      node.name = *space + "." + node.name;
      node.receiver = false;
      node.children.erase(node.children.begin());
    }
  }
  node.function = find_function(node.name);
  std::vector<const Type*> types;
  for (const std::uint32_t child : std::vector<std::uint32_t>(node.children)) types.push_back(check(child));
  if (node.function == nullptr) {
    std::vector<std::string_view> known(kMacroNames.begin(), kMacroNames.end());
    each_function([&](const Function& function) { known.push_back(function.name); });
    std::erase(known, std::string_view(node.name));  // a macro called with the wrong number of arguments
    return unresolved(node, "unbound function: unknown function `" + node.name + "`" + did_you_mean(node.name, known));
  }
  if (node.name == "version" || node.name == "hostlist") {
    if (const Type* constant = literal_argument(node)) return constant;
  }
  bool callable = false;
  for (const Overload& overload : node.function->overloads) {
    if (overload.receiver != node.receiver || !overload.takes(types.size())) continue;
    callable = true;
    bool good = true;
    for (std::size_t i = 0; i < types.size() && !overload.variadic; ++i)
      good = good && fits(*types[i], *overload.arguments[i]);
    if (good) return pattern(node, result_of(overload, types));
  }
  std::string given;
  for (const Type* type : types) given += (given.empty() ? "" : ", ") + name_of(*type);
  std::string message = "no such overload: `" + node.name + "` cannot be called with (" + given + ")";
  return callable ? mismatch(node, std::move(message)) : unresolved(node, std::move(message));
}

const Type* Checker::result_of(const Overload& overload, const std::vector<const Type*>& types) {
  const Type* first = types.empty() ? &kDynType : types.front();
  const bool holds = first->kind == TypeKind::List || first->kind == TypeKind::Optional;
  const Type* element = holds ? first->element : &kDynType;
  switch (overload.derived) {
    case Derived::Fixed: return overload.result;
    case Derived::Same: return first;
    case Derived::Element: return element;
    case Derived::ListOf: return keep({TypeKind::List, element});
    case Derived::OptionalOf: return keep({TypeKind::Optional, first});
    case Derived::OptionalElement: return keep({TypeKind::Optional, element});
  }
  return overload.result;
}

/// version("25.11") and hostlist("n[1-8]") become constants; nullptr when the argument is no literal.
const Type* Checker::literal_argument(AstNode& node) {
  if (node.children.size() != 1 || node.receiver || !is_text(ast_.nodes[node.children[0]])) return nullptr;
  const std::string text(ast_.nodes[node.children[0]].literal.as_text());
  if (node.name == "version") {
    const std::optional<Version> parsed = Version::parse(text);
    if (!parsed) return unresolved(node, "`" + text + "` is not a version");
    node.literal = Value::of(&ast_.versions.emplace_back(*parsed));
  } else {
    Result<Hostlist> parsed = Hostlist::parse(text);
    if (!parsed) return unresolved(node, "`" + text + "` is not a node list: " + parsed.error().message);
    node.literal = Value::of(&ast_.hostlists.emplace_back(std::move(*parsed)));
  }
  node.op = Op::Literal;
  node.children.clear();
  return type_of_literal(node);
}

/// A pattern that is a literal is compiled once.
const Type* Checker::pattern(AstNode& node, const Type* result) {
  const bool takes_pattern =
      std::ranges::find(kPatternFunctions, node.name) != kPatternFunctions.end() && node.children.size() >= 2;
  if (!takes_pattern || !is_text(ast_.nodes[node.children[1]])) return result;
  std::string reason;
  std::unique_ptr<const Regex, DeleteRegex> regex = make_regex(ast_.nodes[node.children[1]].literal.as_text(), reason);
  if (regex == nullptr) return unresolved(node, "bad pattern: " + reason);
  node.regex = ast_.regexes.emplace_back(std::move(regex)).get();
  return result;
}

void Checker::push(std::string name, const Type& type) {
  variables_.push_back({std::move(name), type});
  ast_.slots = std::max(ast_.slots, variables_.size());
}

const Type* Checker::macro(AstNode& node) {
  const Type* range = check(node.children[0]);
  const bool map = range->kind == TypeKind::Map;
  if (range->kind != TypeKind::List && !map && range->kind != TypeKind::Dyn) {
    mismatch(node, "a macro runs over a list or a map, got " + name_of(*range));
    range = &kDynType;
  }
  const Type* item = range->kind == TypeKind::Dyn ? &kDynType : range->element;
  const Type* key = map ? range->key : &kDynType;
  const std::size_t before = variables_.size();
  node.slot = static_cast<std::uint32_t>(before);
  if (node.second.empty()) {
    push(node.name, map ? *key : *item);
  } else {
    push(node.name, range->kind == TypeKind::List ? kIntType : *key);
    push(node.second, *item);
  }
  const Type* result = body_of(node, range, map && node.second.empty() ? key : item);
  variables_.resize(before);
  return result;
}

const Type* Checker::body_of(const AstNode& node, const Type* range, const Type* item) {
  const std::vector<std::uint32_t> children = node.children;
  const Op op = node.op;
  if (op == Op::SortBy) {
    check(children[1]);
    return range->kind == TypeKind::List ? range : keep({TypeKind::List, item});
  }
  if (op == Op::MapEach || op == Op::TransformMap || op == Op::TransformMapEntry) {
    if (children.size() == 3) want(children[1], kBoolType);
    const Type* made = check(children.back());
    if (op == Op::MapEach) return keep({TypeKind::List, made});
    if (op == Op::TransformMapEntry)
      return made->kind == TypeKind::Map ? made : keep({TypeKind::Map, &kDynType, &kDynType});
    return keep({TypeKind::Map, made,
                 range->kind == TypeKind::List  ? &kIntType
                 : range->kind == TypeKind::Map ? range->key
                                                : &kDynType});
  }
  want(children[1], kBoolType);
  if (op == Op::Filter) return range->kind == TypeKind::List ? range : keep({TypeKind::List, item});
  return &kBoolType;
}

const Type* Checker::bind(AstNode& node) {
  const std::size_t before = variables_.size();
  const std::vector<std::uint32_t> children = node.children;
  node.slot = static_cast<std::uint32_t>(before);
  const bool block = node.op == Op::Block;
  const std::string name = node.name;
  // A value of the block may use macros, whose variables must not share the slots of the block.
  for (std::size_t i = 0; i + 1 < children.size(); ++i) push(block ? "@unbound" : "", kDynType);
  for (std::size_t i = 0; i + 1 < children.size(); ++i) {
    const Type* type = check(children[i]);
    variables_[before + i] = {block ? "@index" + std::to_string(i) : name, *type};
  }
  const Type* result = check(children.back());
  variables_.resize(before);
  return result;
}

const Type* Checker::optional_map(AstNode& node) {
  const Type* optional = check(node.children[0]);
  if (optional->kind != TypeKind::Optional && optional->kind != TypeKind::Dyn) {
    mismatch(node, "optMap wants an optional value, got " + name_of(*optional));
    optional = &kDynType;
  }
  const std::size_t before = variables_.size();
  node.slot = static_cast<std::uint32_t>(before);
  const Op op = node.op;
  push(node.name, optional->kind == TypeKind::Dyn ? kDynType : *optional->element);
  const Type* made = check(node.children[1]);
  variables_.resize(before);
  return op == Op::OptMap ? keep({TypeKind::Optional, made}) : made;
}

const Type* Checker::optional_or(AstNode& node) {
  const Op op = node.op;
  const Type* optional = check(node.children[0]);
  const Type* other = check(node.children[1]);
  if (optional->kind != TypeKind::Optional && optional->kind != TypeKind::Dyn)
    return mismatch(node, "`" + node.name + "` wants an optional value, got " + name_of(*optional));
  if (optional->kind == TypeKind::Dyn) return &kDynType;
  if (op == Op::OptionalOrValue) return common(optional->element, other);
  const bool same = other->kind == TypeKind::Optional && fits(*optional->element, *other->element) &&
                    optional->element->kind != TypeKind::Dyn;
  return same ? optional : keep({TypeKind::Optional, &kDynType});
}

}  // namespace muster
