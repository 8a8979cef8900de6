#pragma once

#include <string_view>

namespace muster {

/// What a file is written in as far as its name says so. It decides what a file is not: no text is taken for ours by
/// its name.
enum class Language {
  Unknown,  ///< the name says nothing: any of our kinds may be in it
  Data,     ///< YAML or JSON: no batch script and no file of Slurm's
  Script,   ///< a program whose comments begin with `#`: a batch script or nothing
  Prose,    ///< text for people, which may quote configs
  Program,  ///< source of programs, tables, logs
};

Language language_of(std::string_view path);
/// For messages: "the name is that of a program".
std::string_view words_of(Language language);

/// `train.sbatch`, `train.slurm`.
bool is_named_for_sbatch(std::string_view path);

/// The last part of a path without the endings that templates have: `slurm.conf` of `roles/slurm/slurm.conf.j2`.
std::string_view bare_name(std::string_view path);

}  // namespace muster
