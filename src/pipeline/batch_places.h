#pragma once

#include <cstdint>
#include <string_view>

#include "model/slurm.h"
#include "slurm/batch_shell.h"

namespace muster {

/// `my_script.py`, `train.py`: stands for what the reader has.
bool stands_for_another(std::string_view name);

/// A batch script goes to a folder outside of the input, or brings files.
bool brings_or_leaves(const sbatch::BatchBody& body, std::string_view script);

/// --chdir to a folder that need not be one of the input.
bool starts_elsewhere(const SbatchJob& job);

/// It goes to some folder other than the one it is submitted from.
bool moves_elsewhere(const SbatchJob& job, const sbatch::BatchBody& body);

/// The here-document that begins in the line of a place of a script; empty: none does.
std::string_view here_document_at(std::string_view script, std::uint32_t place);

/// Whether the word `at` of a command is run in a container or in another folder, which may have any program.
bool runs_elsewhere(const sbatch::BatchCommand& command, std::size_t at);

/// What a build puts into a folder is in no repository.
bool is_made_path(std::string_view path);

}  // namespace muster
