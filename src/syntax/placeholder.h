#pragma once

#include <string_view>

#include "syntax/document.h"

namespace muster {

/// A value that somebody fills in later: $NODES, ${NODES}, {{ .Values.nodes }}, {nodes}, (dashboard_port),
/// <your-queue>, @NODES@, #NODES#, __NODES__. Such a field is unknown, never wrong.
/// `{}` is none, which in YAML is an empty mapping.
bool is_placeholder(std::string_view text);

/// The same for a value of sbatch, where `{}` is one (str.format, and what a here-document fills in) and %x_%j is a
/// pattern of file names and no name to fill in. Source: slurm.schedmd.com/sbatch.html, FILENAME PATTERN.
bool is_batch_placeholder(std::string_view text);

/// NUM_NODES where a number or one of several words belongs: somebody's script replaces it.
bool is_screaming(std::string_view text);

/// Of a value that should be a word: nobody has said it yet, by one of the two above or by being no scalar.
bool is_unsaid(const Node& node);

/// The same as is_screaming, or one word in capitals that is no usual value: PORT, GPUS. Not TRUE, NONE, INFINITE and
/// their like.
bool is_word_for_number(std::string_view text);

}  // namespace muster
