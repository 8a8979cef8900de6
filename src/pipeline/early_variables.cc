#include "pipeline/early_variables.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/strings.h"
#include "kinds/language.h"
#include "slurm/batch_shell.h"
#include "slurm/launches.h"
#include "syntax/shell_reader.h"

namespace muster {
namespace {

constexpr int kDeepestText = 3;

/// A script that a person runs: one that Slurm runs has variables of its own job.
bool is_run_by_person(std::string_view path, std::string_view text) {
  const std::string_view first = text.substr(0, text.find('\n'));
  return language_of(path) != Language::Prose && first.starts_with("#!") && contains(first, "sh") &&
         contains(text, "--wrap") && contains(text, "SLURM_") && !contains(text, "#SBATCH");
}

/// What a text between quotes puts in of the job's; empty: nothing.
std::string variable_of_job(const ShellPart& part) {
  constexpr std::string_view kPrefix = "SLURM_";
  if (part.kind == ShellPart::Kind::Variable) {
    const bool own = std::string_view(part.text).starts_with(kPrefix) && part.rest.empty();
    return own ? part.text : std::string();
  }
  if (part.kind != ShellPart::Kind::Arithmetic && part.kind != ShellPart::Kind::Command) return "";
  const std::size_t at = part.text.find("$SLURM_") != part.text.npos ? part.text.find("$SLURM_") + 1
                                                                     : part.text.find("SLURM_ARRAY_TASK_ID");
  if (at == part.text.npos) return "";
  std::size_t end = at;
  while (end < part.text.size() && is_word_char(part.text[end])) ++end;
  return part.text.substr(at, end - at);
}

/// Options of the site, which whoever submits may set.
bool is_set_by_people(std::string_view name) {
  constexpr std::string_view kOwn[] = {"SLURM_CONF", "SLURM_ACCOUNT", "SLURM_CLUSTERS", "SLURM_TIME_FORMAT"};
  return std::ranges::find(kOwn, name) != std::end(kOwn);
}

class EarlyVariables {
 public:
  EarlyVariables(FileId file, std::vector<Finding>& findings) : file_(file), findings_(findings) {}

  void read(std::string_view text, std::optional<Span> around, int depth) {
    for (const ShellCommand& command : read_shell(text)) {
      const std::string_view program = command.words.empty() ? std::string_view() : plain_text(command.words.front());
      const bool submits = program == "sbatch";
      // It runs in a job; srun of a text to be wrapped is no command here.
      set_ = set_ || std::ranges::any_of(command.words, [](const ShellWord& word) {
               return sbatch::program_of(word) == "srun" || sbatch::program_of(word) == "mpirun";
             });
      bool wrapped = false;
      for (const ShellWord& word : command.words) {
        const Span where = around.value_or(Span{file_, word.begin, word.end});
        if (const std::string_view name = assigned_name(word); name.starts_with("SLURM_")) set_ = true;
        const bool begins = !word.parts.empty() && std::string_view(word.parts.front().text).starts_with("--wrap");
        for (const ShellPart& part : word.parts) {
          const std::string name = variable_of_job(part);
          if (submits && (begins || wrapped)) {
            if (sbatch::is_slurm_variable(name) && !is_set_by_people(name)) found(name, where);
          } else if (part.kind == ShellPart::Kind::Command && depth < kDeepestText) {
            read(part.text, where, depth + 1);
          } else if (!name.empty()) {
            set_ = true;  // it runs in a job
          }
        }
        wrapped = begins && plain_text(word) == "--wrap";
      }
    }
  }

  void report() {
    if (set_ || name_.empty()) return;
    findings_.push_back(problem("sbatch-variable-read-early", where_,
                                "`" + name_ + "` is put in by the shell that submits, where it is not set"));
  }

 private:
  void found(const std::string& name, const Span& where) {
    if (!name_.empty()) return;
    name_ = name;
    where_ = where;
  }

  FileId file_;
  std::vector<Finding>& findings_;
  std::string name_;
  Span where_;
  bool set_ = false;
};

}  // namespace

void find_early_variables(const Inputs& inputs, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const auto file = static_cast<FileId>(i);
    const std::string_view text = inputs.sources.file(file).text();
    if (!is_run_by_person(inputs.files[i].context.path, text)) continue;
    EarlyVariables variables(file, findings);
    variables.read(text, std::nullopt, 0);
    variables.report();
  }
}

}  // namespace muster
