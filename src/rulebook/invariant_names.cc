#include <algorithm>

#include "base/strings.h"
#include "expr/lexer.h"
#include "model/workload.h"
#include "rulebook/invariant.h"

namespace muster {
namespace {

std::string identifier_of(std::string text) {
  std::ranges::replace(text, '.', '_');
  std::ranges::replace(text, '-', '_');
  return text;
}

Type type_of(InputType type) {
  switch (type) {
    case InputType::Bool: return kBoolType;
    case InputType::Enum:
    case InputType::String: return kStringType;
    case InputType::Int: return kIntType;
    case InputType::Double: return kDoubleType;
    case InputType::Version: return kVersionType;
    case InputType::Quantity: return kQuantityType;
  }
  return kDynType;
}

bool is_comparison(Op op) {
  return op == Op::Equal || op == Op::NotEqual || op == Op::Less || op == Op::LessEqual || op == Op::Greater ||
         op == Op::GreaterEqual;
}

/// Sees to it that a value of an order or an open text is only ever compared with constants: then cells are exact.
class CutFinder {
 public:
  CutFinder(const InvariantNames& names, std::vector<Cut>& cuts, std::set<std::string>& used)
      : names_(names), cuts_(cuts), used_(used) {}

  /// The place of the first name that is used in another way.
  std::optional<ExprIssue> run(const Ast& ast) {
    visit(ast, ast.root);
    return issue_;
  }

 private:
  static bool needs_cuts(const InvariantNames::Name* name) {
    return name != nullptr && name->list == nullptr && (is_ordered(name->type) || name->type == InputType::String);
  }

  const InvariantNames::Name* name_at(const Ast& ast, std::uint32_t index) {
    const AstNode& node = ast.nodes[index];
    return node.op == Op::Ident ? names_.find(node.name) : nullptr;
  }

  void visit(const Ast& ast, std::uint32_t index) {
    const AstNode& node = ast.nodes[index];
    if (node.op == Op::Ident) {
      const InvariantNames::Name* name = names_.find(node.name);
      if (name != nullptr) used_.insert(node.name);
      if (needs_cuts(name) && !issue_) {
        issue_ = ExprIssue{
            "`" + node.name + "` may only be compared with literals here, so that every case can be looked at",
            node.begin, node.end};
      }
      return;
    }
    if (is_comparison(node.op) &&
        (compares(ast, node.children[0], node.children[1]) || compares(ast, node.children[1], node.children[0])))
      return;
    if (node.op == Op::In && is_list(ast.nodes[node.children[1]])) {
      const std::vector<std::uint32_t>& items = ast.nodes[node.children[1]].children;
      if (std::ranges::all_of(items, [&](std::uint32_t item) { return compares(ast, node.children[0], item); }) &&
          !items.empty())
        return;
    }
    for (const std::uint32_t child : node.children) visit(ast, child);
  }

  bool compares(const Ast& ast, std::uint32_t index, std::uint32_t other) {
    const InvariantNames::Name* name = name_at(ast, index);
    if (!needs_cuts(name)) return false;
    const std::optional<TableValue> value = constant(ast, other, name->type);
    if (!value) return false;
    used_.insert(name->identifier);
    Cell cell;
    if (const auto* word = std::get_if<std::string>(&*value)) {
      cell.words = {*word};
    } else {
      cell.ranges = {{*value, next_after(*value)}};
    }
    cuts_.push_back({name->dimension, std::move(cell)});
    return true;
  }

  static std::optional<TableValue> constant(const Ast& ast, std::uint32_t index, InputType type) {
    const AstNode& node = ast.nodes[index];
    if (node.op == Op::Call && node.children.size() == 1 && node.name == "quantity") {
      const AstNode& text = ast.nodes[node.children[0]];
      const bool literal = text.op == Op::Literal && text.literal.is(Value::Kind::String);
      return literal && type == InputType::Quantity ? parse_value(type, text.literal.as_text()) : std::nullopt;
    }
    const bool negative = node.op == Op::Negate && ast.nodes[node.children[0]].op == Op::Literal;
    const Value& value = negative ? ast.nodes[node.children[0]].literal : node.literal;
    if (node.op != Op::Literal && !negative) return std::nullopt;
    if (value.is(Value::Kind::String) && type == InputType::String) return TableValue(std::string(value.as_text()));
    if (value.is(Value::Kind::Version) && type == InputType::Version) return TableValue(value.as_version());
    if (value.is(Value::Kind::Double) && type == InputType::Double)
      return TableValue(negative ? -value.as_double() : value.as_double());
    if (!value.is(Value::Kind::Int)) return std::nullopt;
    const std::int64_t number = negative ? -value.as_int() : value.as_int();
    if (type == InputType::Int) return TableValue(number);
    if (type == InputType::Double) return TableValue(static_cast<double>(number));
    if (type == InputType::Quantity) return TableValue(Quantity::of(number));
    return std::nullopt;
  }

  const InvariantNames& names_;
  std::vector<Cut>& cuts_;
  std::set<std::string>& used_;
  std::optional<ExprIssue> issue_;
};

}  // namespace

InvariantNames::InvariantNames(const std::vector<Table>& tables, const Table& own) {
  std::map<std::string, std::vector<std::string>> words;
  for (const Table& table : tables) {
    for (const TableInput& input : table.inputs) {
      std::vector<std::string>& known = words[input.name];
      for (const std::string& word : input.words) {
        if (std::ranges::find(known, word) == known.end()) known.push_back(word);
      }
    }
  }
  for (const Table& table : tables) {
    for (const TableInput& input : table.inputs) {
      const bool open = input.origin == InputOrigin::Fact && input.type == InputType::Enum;
      if (input.origin != InputOrigin::Table)
        add({identifier_of(input.name), input.name, nullptr, "", "", open ? InputType::String : input.type},
            words[input.name]);
    }
  }
  // An output that a site no longer gives is still a word that other tables know.
  add_outputs(tables, own);
  for (const Table& table : tables) {
    if (table.hit == HitPolicy::Collect) add_lists(table);
  }
}

void InvariantNames::add_outputs(const std::vector<Table>& tables, const Table& own) {
  std::map<std::string, std::size_t> givers;
  for (const Table& table : tables) {
    for (const TableOutput& output : table.outputs) givers[output.name] += table.hit == HitPolicy::Collect ? 0 : 1;
  }
  for (const Table& table : tables) {
    if (table.hit == HitPolicy::Collect) continue;
    for (const TableOutput& output : table.outputs) {
      std::vector<std::string> words = output.words;
      for (const Table& other : tables) {
        for (const TableInput& input : other.inputs) {
          if (input.origin == InputOrigin::Table && input.key() == table.id + "." + output.name)
            words.insert(words.end(), input.words.begin(), input.words.end());
        }
      }
      const std::string dimension = table.id + "." + output.name;
      if (&table == &own || (own.find_output(output.name) == nullptr && givers[output.name] == 1)) {
        add({identifier_of(output.name), dimension, nullptr, "", "", InputType::Enum}, words);
      }
      add({identifier_of(dimension), dimension, nullptr, "", "", InputType::Enum}, words);
      spaces_.insert(identifier_of(table.id));
    }
  }
}

void InvariantNames::add_lists(const Table& table) {
  spaces_.insert(identifier_of(table.id));
  for (const TableOutput& output : table.outputs) {
    add({identifier_of(table.id + "." + output.name), "", &table, "", output.name, InputType::Enum}, {});
  }
  if (table.outputs.size() != 2) return;
  for (const std::string& level : table.outputs[1].words) {
    add({identifier_of(table.id + "." + level), "", &table, level, table.outputs[0].name, InputType::Enum}, {});
  }
}

/// The first to take a name keeps it.
void InvariantNames::add(Name name, const std::vector<std::string>& words) {
  if (find(name.identifier) != nullptr) return;
  if (const std::size_t dot = name.dimension.find('.'); dot != std::string::npos)
    spaces_.insert(identifier_of(name.dimension.substr(0, dot)));
  Type type = type_of(name.type);
  if (name.list != nullptr) {
    type = kStringListType;
  } else if (name.type == InputType::Enum) {
    const std::vector<std::string>& own = words_.emplace_back(words);
    const std::vector<std::string_view>& views = views_.emplace_back(own.begin(), own.end());
    type.words = views;
  }
  env_.variables.push_back({name.identifier, type});
  by_identifier_.emplace(name.identifier, names_.size());
  names_.push_back(std::move(name));
}

const InvariantNames::Name* InvariantNames::find(std::string_view identifier) const {
  const auto found = by_identifier_.find(identifier);
  return found == by_identifier_.end() ? nullptr : &names_[found->second];
}

std::string InvariantNames::flattened(std::string_view text) const {
  std::vector<ExprIssue> issues;
  const std::vector<Token> tokens = tokenize(text, issues);
  std::string out(text);
  const auto continues = [&](std::size_t i) {
    return i + 2 < tokens.size() && tokens[i + 1].kind == TokenKind::Mark && tokens[i + 1].text == "." &&
           tokens[i + 2].kind == TokenKind::Identifier && tokens[i].end == tokens[i + 1].begin &&
           tokens[i + 1].end == tokens[i + 2].begin;
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != TokenKind::Identifier || (i > 0 && tokens[i - 1].text == ".")) continue;
    // The longest name that begins here: planes.fleet.owner, and not planes.fleet.
    std::string name(tokens[i].text);
    std::size_t dots = continues(i) && spaces_.contains(name) ? 1 : 0;
    for (std::size_t n = 1, at = i; continues(at); ++n, at += 2) {
      name += "_" + std::string(tokens[at + 2].text);
      if (find(name) != nullptr) dots = n;
    }
    for (std::size_t n = 0; n < dots; ++n) out[tokens[i + 2 * n + 1].begin] = '_';
  }
  return out;
}

TableInvariants compile_invariants(const std::vector<Table>& tables, const Table& own, BookReader& reader) {
  TableInvariants out;
  out.names = std::make_unique<InvariantNames>(tables, own);
  const InvariantNames& names = *out.names;
  for (const Invariant& invariant : own.invariants) {
    std::set<std::string> used;
    std::vector<Cut> cuts;
    const auto compile = [&](const std::string& written) -> std::optional<Expr> {
      const std::string text = names.flattened(written);
      std::vector<ExprIssue> issues;
      std::optional<Expr> expr = Expr::compile(text, names.env(), issues);
      if (expr && !fits(expr->type(), kBoolType))
        issues.push_back({"an invariant must be bool, this is " + name_of(expr->type())});
      if (issues.empty()) {
        if (std::optional<ExprIssue> issue = CutFinder(names, cuts, used).run(expr->ast()))
          issues.push_back(std::move(*issue));
      }
      for (const ExprIssue& issue : issues) reader.wrong(invariant.where, issue.message);
      return issues.empty() ? std::move(expr) : std::nullopt;
    };
    std::optional<Expr> premise;
    if (!invariant.premise.empty()) premise = compile(invariant.premise);
    std::optional<Expr> conclusion = compile(invariant.conclusion);
    if (!conclusion || (!premise && !invariant.premise.empty())) continue;
    out.list.push_back(
        {&invariant, std::move(premise), std::move(*conclusion), {used.begin(), used.end()}, std::move(cuts)});
  }
  return out;
}

std::vector<Cut> cuts_of(const std::vector<TableInvariants>& invariants) {
  std::vector<Cut> out;
  for (const TableInvariants& table : invariants) {
    for (const CompiledInvariant& invariant : table.list)
      out.insert(out.end(), invariant.cuts.begin(), invariant.cuts.end());
  }
  return out;
}

}  // namespace muster
