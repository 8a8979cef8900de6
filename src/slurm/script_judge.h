#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "finding/finding.h"
#include "model/slurm.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {

/// What those who judge the commands of a batch script share: the script, its job, and where findings go.
class ScriptJudge {
 public:
  /// `commands` are those of the text.
  ScriptJudge(FileId file, std::string_view text, std::span<const ShellCommand> commands, const SbatchJob& job,
              std::vector<Finding>& findings)
      : file_(file), text_(text), commands_(commands), job_(job), findings_(findings) {}

 protected:
  void report(std::string_view rule, const Span& where, std::string message) {
    findings_.push_back(problem(rule, where, std::move(message)));
  }
  Span span_of(const ShellWord& word) const { return {file_, word.begin, word.end}; }
  Span span_of(const ShellCommand& command) const {
    return {file_, command.words.front().begin, command.words.back().end};
  }
  /// As it is written.
  std::string_view source_of(const Span& where) const { return text_.substr(where.begin, where.end - where.begin); }
  std::string_view source_of(const ShellWord& word) const { return source_of(span_of(word)); }
  std::string_view source_of(const ShellCommand& command) const { return source_of(span_of(command)); }
  bool says(std::string_view words) const { return contains(text_, words); }
  bool asks_gpus() const { return job_.requests_gpus.is_set() && job_.requests_gpus.value; }

  FileId file_;
  std::string_view text_;
  std::span<const ShellCommand> commands_;
  const SbatchJob& job_;
  std::vector<Finding>& findings_;
};

}  // namespace muster::sbatch
