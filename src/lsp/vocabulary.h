#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/text_position.h"

namespace muster {

/// A word that can stand somewhere, and what it means there.
struct Word {
  std::string name;
  std::string detail;  ///< on one line: its type
  std::string doc;
  bool holds_more = false;  ///< a key below which further keys stand
};

/// What stands at a place of a text, and what can.
struct Vocabulary {
  enum class Part { Key, Value } part = Part::Key;
  std::size_t begin = 0;  ///< of the word that stands there, in bytes
  std::size_t end = 0;
  std::string of;                  ///< what the words belong to: `spec.tasks of batch.volcano.sh/v1alpha1 Job`
  std::string_view behind_key;     ///< `: ` or `=`
  std::vector<Word> words;         ///< in the order of their tables
  std::vector<std::string> taken;  ///< keys that stand beside it already
};

/// Of a file of that path; nothing where nobody knows its words, nor in the blanks before one.
std::optional<Vocabulary> vocabulary_at(std::string_view path, std::string_view text, std::size_t offset);

/// Of Slurm's files: slurm.conf, gres.conf, cgroup.conf, slurmdbd.conf and topology.conf, by their names.
std::optional<Vocabulary> slurm_vocabulary_at(std::string_view path, std::string_view text, std::size_t offset);
/// Of the files that muster defines and of objects of Kubernetes, in block style.
std::optional<Vocabulary> yaml_vocabulary_at(std::string_view path, std::string_view text, std::size_t offset);

}  // namespace muster
