#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expr/ast.h"
#include "expr/lexer.h"
#include "expr/screen.h"
#include "facts/object_type.h"

namespace muster {

/// A name an expression may use and its type; its slot is its index.
struct Variable {
  std::string name;
  Type type;
};

/// What an expression is compiled against.
struct CompileEnv {
  std::vector<Variable> variables;
  /// Fixed values that `params.NAME` stands for. Their texts must outlive the expression.
  std::map<std::string, Value, std::less<>> params;
  /// Paths such as `g.queue` that are known to be there, because an earlier condition asked.
  std::set<std::string> present;
  /// For places: what is absent is then asked for its nearest enclosing place.
  bool may_be_absent = false;
  /// Wrong types, unknown names and unknown functions are errors when they are evaluated, as with dyn everywhere.
  bool gradual = false;
};

struct EvalContext;

/// Functions that other layers bring: decisions, topology, deadlocks. Signatures are in expr/functions.cc.
struct DomainFunctions {
  const void* self = nullptr;
  /// Host of the decision for a workload, by its index in the model: slurm, kubernetes or k3s; unknown while open.
  Value (*decided_host)(const void* self, std::size_t workload, EvalContext& context) = nullptr;
  /// Whether that decision is a hybrid of two planes.
  Value (*decided_hybrid)(const void* self, std::size_t workload, EvalContext& context) = nullptr;
  /// What the decision for a workload says under a name: primary, host, hybrid, or a further table such as
  /// gang-scheduler. Unknown while open; absent when no table has that name.
  Value (*decided)(const void* self, std::size_t workload, std::string_view name, EvalContext& context) = nullptr;
};

/// What an expression is evaluated in. Values it makes live in the arena until that is reset.
struct EvalContext {
  ReadContext read;
  std::vector<Value> slots;  ///< variables, then those of macros
  const DomainFunctions* functions = nullptr;
  const Regex* pattern = nullptr;        ///< of the call under way, where its pattern is a literal
  std::uint64_t steps = 0;               ///< nodes evaluated so far
  std::uint64_t max_steps = 10'000'000;  ///< beyond it evaluation ends with an error
  std::uint64_t steps_before = 0;        ///< of evaluations that came before
  ObjectBlock* block = nullptr;          ///< while many objects are looked at: has what was read of them
  std::size_t in_block = 0;              ///< the one in the first slot

  void begin_evaluation() {
    steps_before += steps;
    steps = 0;
  }
};

/// A checked expression.
class Expr {
 public:
  /// Nothing on an error, with the issues filled: syntax, unknown names (with the nearest), wrong types, an optional
  /// field read without asking first.
  static std::optional<Expr> compile(std::string_view text, const CompileEnv& env, std::vector<ExprIssue>& issues);

  std::string_view text() const { return ast_->text; }
  /// As it was checked; lives as long as the expression.
  const Ast& ast() const { return *ast_; }
  const Type& type() const { return *ast_->nodes[ast_->root].type; }
  /// Paths that are known to be there when this is true; for the conditions that follow.
  const std::set<std::string>& present_when_true() const { return present_when_true_; }
  /// Fields of `target` it reads: whose versions it depends on.
  const std::set<std::string>& targets() const { return targets_; }
  const std::set<std::string>& params() const { return params_; }

  Value eval(EvalContext& context) const;
  /// The objects among those of the block for which it is `wanted`, not unknown and no error, with the object in the
  /// first slot. Where an evaluation runs out of steps or memory, its object may be missing.
  ObjectSet decided(ObjectBlock& block, ObjectSet among, bool wanted, EvalContext& context) const;
  /// About how many nodes `decided` has to evaluate object by object; 0: it looks at columns alone.
  std::size_t nodes_by_object() const;
  /// Where the value of the expression is written, even when there is none: the place of the field or object it names.
  Span place(EvalContext& context) const;
  /// Where the first item of a list stands for which it asks: of `p.containers` in `p.containers.exists(c, ...)`.
  /// Not placed where it does not ask so, or none is like that.
  Span witness_in(std::string_view list, EvalContext& context) const;
  /// The fields it reads, outside of macros, and their values as text: `g.size`, 8. For explanations.
  std::vector<std::pair<std::string, std::string>> reads(EvalContext& context) const;
  /// What is taken for granted in the fields it reads, outside of macros.
  std::set<std::string> assumptions(EvalContext& context) const;

 private:
  std::unique_ptr<Ast> ast_;  ///< own address, because values point into it
  std::set<std::string> present_when_true_;
  std::set<std::string> targets_;
  std::set<std::string> params_;
};

/// A value for people: 8, train, a, b; `?` for what is unknown.
std::string to_text(const Value& value);
/// A value as an expression that makes it: 8, 8u, "train", ["a", "b"], duration("90s").
std::string to_literal(const Value& value);
/// As string() converts it: the shortest digits that read back as the same number, 1e+06 from there on.
std::string double_text(double value);

/// A text with `${expression}` in it. `$$` is a dollar.
class TextTemplate {
 public:
  static std::optional<TextTemplate> compile(std::string_view text, const CompileEnv& env,
                                             std::vector<ExprIssue>& issues);
  std::string render(EvalContext& context) const;
  const std::string& text() const { return text_; }
  const std::set<std::string>& params() const { return params_; }
  bool empty() const { return text_.empty(); }

 private:
  struct Piece {
    std::string literal;
    std::optional<Expr> expr;
  };
  std::string text_;
  std::vector<Piece> pieces_;
  std::set<std::string> params_;
};

}  // namespace muster
