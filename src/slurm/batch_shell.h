#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/batch.h"
#include "source/span.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {

/// A word as its command gets it. What only the run will tell stands in it as a mark: `\x01` `b` or `t`, its name,
/// `\x02` (see kEvaluatedBegin). `b`: the batch shell puts the value in, once for all nodes; `t`: each task does.
struct ShellValue {
  std::string text;
  std::vector<std::uint32_t> at;  ///< where in the script each byte of it stands

  bool known() const;           ///< no mark in it
  std::string shown() const;    ///< for people: `$NAME` for each mark
  std::string mark() const;     ///< of a value that is one mark: its name; empty for others
  bool of_batch_shell() const;  ///< some mark in it that the batch shell puts a value for
  bool of_task() const;         ///< some mark in it that each task puts a value for
};

/// Where a command runs.
using Via = StartedBy;

struct BatchCommand {
  std::vector<ShellValue> words;
  std::vector<std::pair<std::string, ShellValue>> sets;  ///< NAME=value in front of it
  Via via = Via::Shell;                                  ///< of the shell it stands in
  std::size_t step = 0;  ///< the srun command it stands in, in BatchBody::commands; itself for others
  bool branch = false;
  bool loop = false;
  bool function = false;
  bool background = false;
  bool here_document = false;
  Span where;
};

/// `NAME=value` as a command, or behind export.
struct ScriptSetting {
  std::string name;
  ShellValue value;
  Via via = Via::Shell;
  bool branch = false;  ///< within a condition, a loop or a function
  bool prefix = false;  ///< for one command
  Span where;
};

/// A variable that is read.
struct ScriptRead {
  std::string name;
  bool guarded = false;  ///< with a default, or within a test
  bool printed = false;  ///< only for somebody to see
  Via via = Via::Shell;
  Span where;
};

struct BatchBody {
  std::vector<BatchCommand> commands;
  std::vector<ScriptSetting> settings;
  std::vector<ScriptRead> reads;
  std::set<std::string> exported;  ///< variables that commands get
  bool exports_all = false;        ///< set -a
  std::set<std::string> walked;    ///< scripts of the input that it calls, as it names them: their commands are here
  std::vector<Span> own_paths;     ///< where it asks for the folder of its own file, come what may
  bool strict = false;             ///< set -u
  bool self_starting = false;      ///< it hands itself or functions of its own to others
  bool complete = true;            ///< false: it is too long or nested too deep, and only its beginning is here
};

/// The text of a shell script by the path that it is called by; empty: the input has none.
using CalledScripts = std::function<std::string_view(std::string_view path)>;

/// Walks through a batch script as the shell would, without running anything: variables that are set once hold their
/// values, `$SLURM_...` and what is computed stay marks, what conditions or loops set is not known.
/// `numbers`: what is known of SLURM_... variables.
/// `called`: what it calls is walked through as well, and stands where it is called.
BatchBody walk_batch_script(FileId file, std::string_view text, const std::map<std::string, std::int64_t>& numbers,
                            const CalledScripts& called = {});

inline bool is_one_of(std::string_view word, const auto& list) {
  return std::ranges::find(list, word) != std::ranges::end(list);
}

/// The last part of a path.
std::string_view program_name(std::string_view word);
/// Of a word without variables; empty for others.
inline std::string_view program_of(const ShellWord& word) { return program_name(plain_text(word)); }
/// Whether the command that the word begins sets the variables behind it: export, declare and their like.
inline bool declares(const ShellWord& word) {
  constexpr std::array<std::string_view, 4> kDeclare{"export", "declare", "readonly", "typeset"};
  return is_one_of(plain_text(word), kDeclare);
}

/// Where a command runs what stands behind it: srun, mpirun, ssh; nothing for others.
std::optional<Via> starter(std::string_view program);

/// A value without its first bytes.
ShellValue tail_of(const ShellValue& value, std::size_t begin);

/// `$((GLOBAL_BATCH / GPUS))`: names of the script's own, in capitals, which a sum reads without a mark.
std::vector<std::string> own_names_in_sum(const ShellPart& part);

/// The span of bytes `begin` to `end` of a value.
Span span_in(FileId file, const ShellValue& value, std::size_t begin, std::size_t end);

/// The number that a value is or comes to.
std::optional<std::int64_t> number_of(const ShellValue& value, const std::map<std::string, std::int64_t>& numbers);

}  // namespace muster::sbatch
