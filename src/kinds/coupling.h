#pragma once

#include <string>
#include <string_view>

#include "source/span.h"

namespace muster {

/// What commands and environment say about how the members of a job work together.
struct CouplingEvidence {
  enum class Verdict {
    None,         ///< nothing
    Coupled,      ///< starts one collective over several pods or nodes
    Independent,  ///< starts a collective within one pod or node only
  };
  Verdict verdict = Verdict::None;
  bool elastic = false;  ///< torchrun --nnodes=MIN:MAX
  Span where;
  std::string what;  ///< torchrun, mpirun, MASTER_ADDR ...
};

/// Judges the text of a command that stands at `where`: torchrun with --nnodes, mpirun, horovodrun, --num_machines ...
void judge_command(std::string_view text, Span where, CouplingEvidence& out);

/// Variables a job only sets to bring several pods into one collective. Sources: PyTorch, JAX, TensorFlow and NCCL
/// documentation of environment variables.
bool is_rendezvous_variable(std::string_view name);

/// Where `word` stands on its own in `text`; npos when it does not.
std::size_t find_word(std::string_view text, std::string_view word);

}  // namespace muster
