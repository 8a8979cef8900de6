#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// Holds the files that batch scripts name against those of the input: `sbatch-program-missing`, a program that is not
/// where its neighbours are; `sbatch-array-beside-list`, an array of fewer or more tasks than the list has lines from
/// which each of them takes its own; `sbatch-rendezvous-not-given`, a program that asks its environment for what
/// nothing sets. Notes of launches whether their program spreads over the GPUs of its process. Only names that can be
/// read in the script; nothing where it goes elsewhere.
void find_batch_files(const Inputs& inputs, Model& model, std::vector<Finding>& findings);

/// A batch script that a file of the input quotes or writes.
struct QuotedScript {
  std::size_t within = 0;  ///< that file, in Inputs::files
  std::string_view text;
  Model* model = nullptr;  ///< of the text alone
};

/// Looks at the programs that quoted scripts start, beside the files that they stand in: BatchLaunch::spreads.
void note_spreading(const Inputs& inputs, std::span<const QuotedScript> quoted);

}  // namespace muster
