#pragma once

#include <deque>
#include <map>
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
  std::map<std::string, std::size_t, std::less<>> by_identifier_;
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
  std::vector<Cut> cuts;           ///< the values it compares ordered inputs and open texts with
};

/// The invariants of one table, compiled.
struct TableInvariants {
  std::unique_ptr<InvariantNames> names;
  std::vector<CompiledInvariant> list;
};

/// Compiles the invariants of a table.
TableInvariants compile_invariants(const std::vector<Table>& tables, const Table& own, BookReader& reader);
/// All values that invariants compare with: a space must tell them apart.
std::vector<Cut> cuts_of(const std::vector<TableInvariants>& invariants);

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
  struct Read {
    const InvariantNames::Name* name;
    std::size_t dimension;           ///< of what is no list
    UnknownNeed need;                ///< while it is open
    std::vector<std::size_t> kinds;  ///< by cell: those that the invariant cannot tell apart have one number
  };
  /// Values of the facts and outputs that it reads with which it does not hold; all of the others.
  struct Breach {
    Box box;
    std::string error;  ///< of evaluation; empty: it is simply false
    bool operator==(const Breach&) const = default;
  };
  std::vector<std::vector<std::string_view>> bind_lists(const Region& region);
  std::vector<std::size_t> kinds_of_cells(std::size_t d) const;
  bool is_open(const Read& read, const Box& box) const;
  void bind_facts(const Box& box);
  Value& slot_of(const InvariantNames::Name& name) {
    return context_.slots[static_cast<std::size_t>(&name - names_.names().data())];
  }
  const Read* awaited(const Value& unknown, const Box& box) const;
  std::vector<Breach> breaches(const Box& box);

  const CompiledInvariant& invariant_;
  const InvariantNames& names_;
  Cartographer& map_;
  std::vector<Read> used_;
  std::vector<std::size_t> tables_;
  std::vector<std::size_t> dimensions_;
  std::string text_;
  bool asks_items_ = true;  ///< every list stands right of an `in` with a literal
  Arena lists_;             ///< of the region that is searched
  Arena arena_;
  EvalContext context_;
};

}  // namespace muster
