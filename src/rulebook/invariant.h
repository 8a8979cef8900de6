#pragma once

#include <deque>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "rulebook/book_reader.h"
#include "rulebook/regions.h"

namespace muster {

/// Names that the invariants of one table may use: facts, outputs and what collecting tables collect. A bare output is
/// that table's own, or that of the only table that has it; table.output always works, with `_` for `-`.
class InvariantNames {
 public:
  InvariantNames(const std::vector<Table>& tables, const Table& own);

  struct Name {
    std::string identifier;
    std::string dimension;        ///< of a fact or output
    const Table* list = nullptr;  ///< the collecting table; its items are those of its first output ...
    std::string level;            ///< ... in rows whose second output is this word; empty: in all rows
    std::string item;             ///< name of the output that is listed
    InputType type = InputType::Enum;
  };
  const std::vector<Name>& names() const { return names_; }
  const Name* find(std::string_view identifier) const;
  const CompileEnv& env() const { return env_; }
  /// `addons.required` -> `addons_required`, as long as before, so that places stay right.
  std::string flattened(std::string_view text) const;

 private:
  void add(Name name, const std::vector<std::string>& words);
  void add_outputs(const std::vector<Table>& tables, const Table& own);
  void add_lists(const Table& table);

  std::vector<Name> names_;
  std::set<std::string, std::less<>> spaces_;  ///< what may stand before a dot
  CompileEnv env_;
  std::deque<std::vector<std::string>> words_;
  std::deque<std::vector<std::string_view>> views_;
};

struct CompiledInvariant {
  const Invariant* source = nullptr;
  std::optional<Expr> premise;  ///< none: always
  Expr conclusion;
  std::vector<std::string> names;  ///< that it reads, sorted
};

/// The invariants of one table, compiled.
struct TableInvariants {
  std::unique_ptr<InvariantNames> names;
  std::vector<CompiledInvariant> list;
};

/// Compiles the invariants of a table and notes the values they compare ordered inputs with.
TableInvariants compile_invariants(const std::vector<Table>& tables, const Table& own, BookReader& reader, std::vector<Cut>& cuts);

/// Looks for a case that facts can reach in which an invariant does not hold.
class InvariantCheck {
 public:
  InvariantCheck(const CompiledInvariant& invariant, const InvariantNames& names, Cartographer& map);

  struct Violation {
    Region region;
    Box point;
    std::string error;  ///< of evaluation; empty: it is simply false
  };
  std::optional<Violation> run();
  /// Tables whose outcomes it reads, with those that feed them, in feeding order.
  const std::vector<std::size_t>& tables() const { return tables_; }
  const std::vector<std::size_t>& dimensions() const { return dimensions_; }
  /// What the collecting tables that it reads give in a region: addons.required=[volcano].
  Witness lists(const Region& region) const;

 private:
  bool matters(const TableRow& row) const;
  bool every_list_is_asked() const;
  std::vector<std::string_view> items(const InvariantNames::Name& name, const Region& region) const;
  void bind(const Region& region, EvalContext& context);
  std::optional<Violation> search(Region& region);

  const CompiledInvariant& invariant_;
  const InvariantNames& names_;
  Cartographer& map_;
  struct Read {
    const InvariantNames::Name* name;
    std::size_t dimension;  ///< of what is no list
  };
  std::vector<Read> used_;
  std::vector<std::size_t> tables_;
  std::vector<std::size_t> dimensions_;
  std::string text_;
  bool asks_items_ = true;  ///< every list stands right of an `in` with a literal
};

}  // namespace muster
