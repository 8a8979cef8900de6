#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace muster {

/// What a scheduler's text is about.
enum class TellAbout {
  Room,   ///< no node has enough of something free
  Nodes,  ///< the nodes are not ones that the pod may use
  Gang,   ///< the gang is not placed as a whole
  Quota,  ///< a queue or quota
  Gate,   ///< nobody looks at the pod yet
  Fault,  ///< something went wrong
};

/// A text that a scheduler writes into conditions and events, and what it means.
struct Tell {
  std::string_view id;
  std::string_view text;  ///< part of the message
  std::string_view meaning;
  TellAbout about = TellAbout::Room;
  std::string_view
      number;  ///< words before (or, with a blank first, behind) the size that the gang needs; may be empty
};

/// The first text of the table that a message contains.
const Tell* recognise_tell(std::string_view message);

/// How many pods the gang needs, where the message says it: "3 minAvailable".
std::optional<std::int64_t> needs_in(const Tell& tell, std::string_view message);

/// What a reason of a waiting Slurm job means, and whether the job starts by itself once others end.
struct SlurmReason {
  std::string_view reason;
  std::string_view meaning;
  enum class Kind { Room, Limit, Time, Person, Never } kind = Kind::Room;
};
/// Nothing for one that is not in the table. `ReqNodeNotAvail, UnavailableNodes:n1` is ReqNodeNotAvail.
const SlurmReason* slurm_reason(std::string_view reason);

}  // namespace muster
