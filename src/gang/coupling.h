#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/gang.h"
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
  bool fixed = false;    ///< torchrun --nnodes=N
  Span where;
  std::string what;        ///< torchrun, mpirun, MASTER_ADDR ...
  std::int64_t least = 0;  ///< MIN of --nnodes=MIN:MAX; 0: not written
};

/// Whether a command is a program of Python that stands in it whole, behind `-c` or in a here-document, and speaks of
/// no other process: neither ranks nor a launcher nor another file.
bool is_lone_program(std::string_view text);

/// What mpirun and its relatives start on when no host list is given.
enum class MpiHosts {
  ThisOne,     ///< a pod: all ranks run in it
  Allocation,  ///< a batch job: they ask Slurm for its nodes
};

/// Judges the text of a command that stands at `where`: torchrun with --nnodes, mpirun, horovodrun, --num_machines ...
void judge_command(std::string_view text, Span where, MpiHosts hosts, CouplingEvidence& out);

/// Variables a job only sets to bring several pods into one collective; tuning such as NCCL_IB_DISABLE proves nothing,
/// one server with eight GPUs has it, too. Sources: PyTorch, JAX and TensorFlow documentation of environment variables.
bool is_rendezvous_variable(std::string_view name);

/// Where `word` stands on its own in `text`; npos when it does not.
std::size_t find_word(std::string_view text, std::string_view word);

/// The value of `--name=value` or `--name value`, wherever it stands in `text`; empty when it does not.
std::string_view option_value(std::string_view text, std::string_view name);

/// Whether pods of which nothing says so are one collective: a declared gang of all of them, or whole hosts of
/// accelerators; else it stays open. Source: docs/gangs.md, "Is it one collective?".
void judge_by_shape(Gang& gang);

}  // namespace muster
