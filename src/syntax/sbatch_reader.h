#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/span.h"

namespace muster {

/// One option of an #SBATCH line, with the long name even where the short one was written.
struct SbatchOption {
  std::string name;                  ///< without dashes; as written when sbatch does not know it
  std::optional<std::string> value;  ///< quotes resolved
  Span where;                        ///< option and value
  Span value_where;                  ///< of the value, or of the option when it has none
  bool known = true;
  Span cut;  ///< `#` and what stands behind it, without a blank, where it ends the value; not placed: it does not
};

/// One line that starts with #SBATCH.
struct SbatchDirective {
  std::vector<SbatchOption> options;
  Span where;
  bool ignored = false;    ///< stands behind the first command: sbatch stops reading there without a word
  bool component = false;  ///< `#SBATCH hetjob` or packjob: the options behind it belong to the next component
  std::string rest;        ///< what is neither an option nor a value
  char open_quote = 0;     ///< the quote that it leaves open: sbatch stops there with an error
};

/// What muster reads of a batch script; the script itself is never run.
struct SbatchScript {
  bool shell = false;  ///< `#!` names a shell: the body's lines are commands
  std::vector<SbatchDirective> directives;
  std::optional<Span> first_command;
  std::vector<Span> commands;  ///< every line of the body that is neither blank nor a comment
  std::vector<Span> amiss;     ///< `# SBATCH --...` before the first command, and `SBATCH --...` as a command
  std::vector<Span> misspelt;  ///< `#BATCH --...` and its like before the first command
  Span late_shebang;           ///< `#!` where it is not the first line: sbatch refuses the script
  Span first_line;
  bool lacks_shebang = false;   ///< it begins with a directive, and no line has `#!`
  bool broken_shebang = false;  ///< the first line is `#/bin/bash` or `!/bin/bash`: sbatch refuses the script
  bool dos_lines = false;       ///< some line ends with CR and LF: sbatch refuses the script
};

/// Whether a text may be a batch script for Slurm: `#!`, be it behind comments, where sbatch refuses it, and a line
/// that starts with `#SBATCH` and a blank, or two that would with a blank less or a `#` more; of a file that is named
/// for sbatch one.
bool looks_like_sbatch(std::string_view text, bool named_so = false);

/// `train.sh`, `train.sbatch`: a name as batch scripts have it.
bool has_script_ending(std::string_view name);

/// The arguments of a command that begin at `at`, lines joined that go on behind `\`, up to where the command ends or
/// 4 KiB. A command within comments goes on in the next comment.
std::string sbatch_arguments_at(std::string_view text, std::size_t at);

/// What a command line gives to sbatch, behind that word: options up to the script, which is `rest`. Places are of no
/// file.
SbatchDirective read_sbatch_arguments(std::string_view arguments);

/// Source of the grammar: SchedMD/slurm:src/sbatch/sbatch.c and facts of §4.2: `#SBATCH` at column 0 followed by a
/// blank, before the first line that is neither blank nor a comment; `# comment` behind the options is allowed.
/// Lines of here-documents belong to other programs and are left out.
SbatchScript read_sbatch(FileId file, std::string_view text);

}  // namespace muster
