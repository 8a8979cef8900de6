#include "pipeline/array_patterns.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "pipeline/shell_texts.h"

namespace muster {
namespace {

/// `%a`, `%3a`.
bool has_task_pattern(std::string_view name) {
  for (std::size_t at = name.find('%'); at != name.npos; at = name.find('%', at + 1)) {
    const std::size_t end = name.find_first_not_of("0123456789", at + 1);
    if (end == name.npos) return false;
    if (name[end] == 'a') return true;
    at = end;
  }
  return false;
}

bool speaks_of_arrays(std::string_view text) {
  return contains(text, "--array") || contains(text, "SLURM_ARRAY") || contains(text, " -a ") ||
         contains_ignoring_case(text, "job array") || contains_ignoring_case(text, "array job");
}

/// In small letters.
constexpr std::array<std::string_view, 50> kDiffering{"array_",
                                                      "_job_id",
                                                      "jobid",
                                                      "random",
                                                      "shuf",
                                                      "mktemp",
                                                      "uuid",
                                                      "$(date",
                                                      "`date",
                                                      "resume",
                                                      "restart",
                                                      "sweep",
                                                      "agent",
                                                      "optuna",
                                                      "worker",
                                                      "queue",
                                                      "lock",
                                                      "submitit",
                                                      "ray ",
                                                      "tune",
                                                      "dask",
                                                      "celery",
                                                      "{{",
                                                      "{%",
                                                      "%(",
                                                      "seed",
                                                      "ssh ",
                                                      "jupyter",
                                                      "stress",
                                                      "sample",
                                                      "tmpdir",
                                                      "procid",
                                                      "hostname",
                                                      "$$",
                                                      "bashpid",
                                                      "$seconds",
                                                      "printenv",
                                                      "env |",
                                                      "slurmd_nodename",
                                                      "epochseconds",
                                                      "epochrealtime",
                                                      "|| continue",
                                                      "noclobber",
                                                      "claim",
                                                      "task_id",
                                                      "bench",
                                                      "\ntime ",
                                                      "repeat",
                                                      "profil",
                                                      "monte"};

/// Whether tasks of an array may do different work, or are meant to do the same: the number of the job or chance tells
/// them apart, or they go on where another ended, or take what is next from somewhere.
bool may_differ(std::string_view text) {
  const std::string lower = to_lower(text);
  return std::ranges::any_of(kDiffering, [&](std::string_view sign) { return contains(lower, sign); });
}

/// The text without what srun, sbatch and the shell make nothing of: comments, directives.
std::string without_comments(std::string_view text) {
  std::string out;
  for (const std::string_view line : split(text, '\n')) {
    if (!trim(line).starts_with('#')) out += std::string(line) + '\n';
  }
  return out;
}

class UnusedArrays {
 public:
  UnusedArrays(const Inputs& inputs, std::vector<Finding>& findings) : inputs_(inputs), findings_(findings) {}

  void judge(const SbatchJob& job) {
    const SbatchPair* array = option_in_force(job, "array");
    if (array == nullptr || !array->value.known() || job.components != 1 || array->where.file != job.where.file) return;
    const std::string_view spec = array->value.value;
    const std::size_t at_once = spec.find('%');
    if (spec.substr(0, at_once).find_first_of("-,") == spec.npos) return;  // one task
    if (at_once != spec.npos && spec.substr(at_once) == "%1") return;      // one after the other: a long run in pieces
    const std::string_view text = inputs_.sources.file(job.where.file).text();
    const std::string_view path = inputs_.files[static_cast<std::size_t>(job.where.file)].context.path;
    if (!begins_with_shell(text) || job.script.runs_unread || contains_ignoring_case(path, "bench")) return;
    const std::string script = without_comments(text);
    if (may_differ(script) || reads_number(job) || !programs_do_the_same(script)) return;
    findings_.push_back(
        problem("sbatch-array-number-unused", array->where,
                "the tasks of this array all do the same: nothing in the script tells one from another"));
  }

 private:
  /// Whether a file that is no batch script asks for the number, or one that the script calls by its name.
  bool reads_number(const SbatchJob& job) {
    if (!looked_) {
      looked_ = true;
      for (std::size_t i = 0; i < inputs_.files.size() && !read_elsewhere_; ++i) {
        const std::string_view text = inputs_.sources.file(static_cast<FileId>(i)).text();
        if (find_part(text, "SLURM_ARRAY") == text.npos && find_part(text, "ARRAY_TASK") == text.npos) continue;
        const std::string_view path = inputs_.files[i].context.path;
        if (path.ends_with(".md") || path.ends_with(".rst")) continue;
        read_elsewhere_ = !contains(text, "#SBATCH");
        readers_.insert(last_part(path));
      }
    }
    if (read_elsewhere_) return true;
    const std::string_view own = inputs_.sources.file(job.where.file).text();
    for (std::size_t at = 0; at < own.size();) {
      std::size_t end = at;
      while (end < own.size() && (is_word_char(own[end]) || own[end] == '.' || own[end] == '-')) ++end;
      if (end > at && readers_.contains(own.substr(at, end - at))) return true;
      at = end + 1;
    }
    return false;
  }

  /// Whether the script runs programs of the input alone that do not share the work in some way of their own.
  bool programs_do_the_same(std::string_view script) {
    if (!names_) names_.emplace(inputs_);
    bool any = false;
    for (const std::string_view line : split(script, '\n')) {
      const std::vector<std::string_view> words = split_blanks(line);
      for (std::size_t i = 0; i < words.size(); ++i) {
        const bool module =
            i > 0 && words[i - 1] == "-m" && !contains(words[i], ".run") && !contains(words[i], ".launch");
        std::string path(words[i]);
        if (module) {
          std::ranges::replace(path, '.', '/');
          path += ".py";
        }
        if (path.ends_with(".sh")) return false;  // it may be told what to do by another
        if (!path.ends_with(".py")) continue;
        const std::vector<std::size_t>& files = names_->called(last_part(path));
        if (files.empty() || std::ranges::any_of(files, [&](std::size_t file) { return shares_work(file); }))
          return false;
        any = true;
      }
    }
    return any;
  }

  /// Whether a program may do only what others have not done yet.
  bool shares_work(std::size_t file) {
    constexpr std::array<std::string_view, 5> kSigns{"exists(", "is_file(", "environ", "getpid", "time("};
    const auto [known, fresh] = shares_.try_emplace(file, true);
    if (!fresh) return known->second;
    const std::string_view text = inputs_.sources.file(static_cast<FileId>(file)).text();
    known->second =
        may_differ(text) || std::ranges::any_of(kSigns, [&](std::string_view sign) { return contains(text, sign); });
    return known->second;
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  std::optional<InputNames> names_;     ///< once somebody asks
  std::map<std::size_t, bool> shares_;  ///< by file
  std::set<std::string_view> readers_;  ///< names of batch scripts that ask for the number
  bool read_elsewhere_ = false;         ///< another file does
  bool looked_ = false;
};

}  // namespace

void find_array_patterns(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  std::map<FileId, std::size_t> jobs;
  for (const SbatchJob& job : model.sbatch_jobs) ++jobs[job.where.file];
  UnusedArrays unused(inputs, findings);
  for (const SbatchJob& job : model.sbatch_jobs) {
    if (static_cast<std::size_t>(job.where.file) < inputs.files.size() && jobs[job.where.file] == 1) unused.judge(job);
  }
  constexpr int kMostLookedFor = 100;
  int looked = 0;
  for (const SbatchJob& job : model.sbatch_jobs) {
    const auto i = static_cast<std::size_t>(job.where.file);
    if (i >= inputs.files.size() || jobs[job.where.file] != 1 || job.components != 1 || job.given_open ||
        !job.given.empty())
      continue;
    const SbatchPair* found = nullptr;
    for (const SbatchPair& pair : job.options) {
      const bool file = pair.name == "output" || pair.name == "error";
      if (file && found == nullptr && pair.value.is_set() && has_task_pattern(pair.value.value)) found = &pair;
    }
    const bool array = std::ranges::any_of(job.options, [](const SbatchPair& pair) { return pair.name == "array"; });
    const std::string_view text = inputs.sources.file(job.where.file).text();
    if (found == nullptr || array || !text.starts_with("#!") || speaks_of_arrays(text)) continue;
    if (++looked > kMostLookedFor) return;
    const std::string_view name = last_part(inputs.files[i].context.path);
    bool elsewhere = false;
    for (std::size_t other = 0; other < inputs.files.size() && !elsewhere; ++other) {
      const std::string_view said = inputs.sources.file(static_cast<FileId>(other)).text();
      elsewhere = other != i && contains(said, name) && (speaks_of_arrays(said) || contains(said, "array"));
    }
    if (elsewhere) continue;
    findings.push_back(problem("sbatch-array-pattern-alone", found->where,
                               "%a is 4294967294 in the name of this file: the job is no array"));
  }
}

}  // namespace muster
