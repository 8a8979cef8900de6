#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "rulebook/book_reader.h"
#include "rulebook/invariant.h"
#include "rulebook/regions.h"

namespace muster {

/// Whose mistakes they are: what muster ships must use every word it has, a site may do without some.
enum class BookOrigin { Shipped, Site };

/// The shipped book as it is was proved by its tests: loading it does not pay for that again.
enum class Proof { Run, Known };

/// How much was looked at.
struct ProofStats {
  std::size_t tables = 0;
  std::size_t rows = 0;
  std::size_t invariants = 0;
  std::uint64_t cells = 0;  ///< that the inputs of each table span; capped
};

/// Comparisons of boxes that a table may take before it is refused; less than a second. Tables of 16 inputs by 60 rows
/// take a small part of that.
inline constexpr std::uint64_t kProofBudget = 2'000'000;

/// Proves that each table decides every case, once, and that invariants hold wherever facts can lead. What is wrong
/// goes to `reader`, with a witness. `invariants` are those of each table, in the order of the space's tables. Where
/// `changed` names tables, the others were proved before: of those only what the change can touch is proved again.
ProofStats prove_tables(const Space& space, const std::vector<TableInvariants>& invariants, BookOrigin origin,
                        BookReader& reader, const std::set<std::string>* changed = nullptr, unsigned threads = 1);

/// The facts that `tables` read in a case, then what they decide.
Witness witness_of(const Space& space, const Box& point, const std::vector<std::size_t>& tables);

/// A case that facts can reach in which `other`, put into the place of the table of its id, decides otherwise; nothing
/// when there is none, which is a proof. `tables` are in feeding order.
std::optional<Witness> find_difference(const std::vector<Table>& tables, const Table& other);

}  // namespace muster
