#include "pipeline/nextflow_options.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/paths.h"
#include "base/strings.h"
#include "pipeline/input_names.h"
#include "pipeline/nextflow_text.h"

namespace muster {
namespace {

constexpr std::string_view kOptions = "clusterOptions";

/// The text in the first quotes of a line behind a name; empty: there is none, or the run chooses it, `x ? 'a' : 'b'`.
std::string_view quoted_behind(std::string_view line, std::string_view name) {
  const std::size_t at = line.find(name);
  if (at == line.npos) return {};
  const std::size_t open = line.find_first_of("'\"", at + name.size());
  if (open == line.npos || contains(line.substr(at, open - at), "?")) return {};
  const std::size_t close = line.find(line[open], open + 1);
  return close == line.npos ? std::string_view{} : line.substr(open + 1, close - open - 1);
}

/// The first word of a text that no option of sbatch begins with. LSF has -gpu and -R, PBS and Grid Engine -l and -pe.
/// Source: SchedMD/slurm:src/common/slurm_opt.c (22.05-26.05).
std::string_view foreign_option(std::string_view options) {
  const std::vector<std::string_view> words = split_blanks(options);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "-gpu" || words[i] == "-pe") return words[i];
    const std::string_view next = i + 1 < words.size() ? words[i + 1] : std::string_view{};
    const bool asks = !next.starts_with('-') && (contains(next, "=") || contains(next, "["));
    if ((words[i] == "-l" || words[i] == "-R") && asks) return words[i];
  }
  return {};
}

/// Names of executors that a text sets: `executor = 'slurm'`, `process.executor = "slurm"`.
struct Executors {
  bool slurm = false;
  bool others = false;
};

Executors executors_in(std::string_view text) {
  Executors out;
  some_line_with(text, "executor", [&](std::string_view line) {
    const std::string_view behind = trim(line.substr(line.find("executor") + 8));
    // `executor.name = 'sge'`, `executor 'sge'` and blocks of that name.
    out.others = out.others || behind.starts_with(".name") || behind.starts_with('\'') || contains(behind, "name");
    if (!behind.starts_with('=')) return false;
    const std::string_view name = quoted_behind(line, "executor");
    out.slurm = out.slurm || name == "slurm";
    out.others = out.others || (name != "slurm" && name != "local");
    return false;
  });
  return out;
}

/// Where the block behind `profiles` begins and ends; braces within texts count, too, and come in pairs.
std::pair<std::size_t, std::size_t> profiles_of(std::string_view text) {
  std::size_t at = text.find("profiles");
  while (at != text.npos) {
    const std::size_t open = text.find_first_not_of(" \t\r\n", at + 8);
    if (open != text.npos && text[open] == '{' && (at == 0 || text[at - 1] == '\n')) {
      int depth = 0;
      for (std::size_t i = open; i < text.size(); ++i) {
        depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
        if (depth == 0) return {open + 1, i};
      }
      return {open + 1, text.size()};
    }
    at = text.find("profiles", at + 8);
  }
  return {text.size(), text.size()};
}

class NextflowOptions {
 public:
  NextflowOptions(const Inputs& inputs, std::vector<Finding>& findings)
      : inputs_(inputs), findings_(findings), names_(inputs) {}

  void run() {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view path = inputs_.files[i].context.path;
      if (!path.ends_with(".config")) continue;
      const Executors executors = executors_in(text(i));
      const bool more = contains(text(i), "includeConfig");  // profiles of others may take files with theirs
      if (executors.slurm && !executors.others && !more) report(i, "the executor here is slurm");
      if (last_part(path) == "nextflow.config") beside_profiles(i);
    }
  }

 private:
  /// Without comments.
  std::string_view text(std::size_t i) {
    const auto [at, fresh] = texts_.try_emplace(i);
    if (fresh) at->second = without_nextflow_comments(inputs_.sources.file(static_cast<FileId>(i)).text());
    return at->second;
  }

  void report(std::size_t i, std::string_view why) {
    const std::string_view all = text(i);
    some_line_with(all, kOptions, [&](std::string_view line) {
      const std::string_view option = foreign_option(quoted_behind(line, kOptions));
      if (option.empty()) return false;
      findings_.push_back(problem("nextflow-options-of-other-scheduler",
                                  span_of_part(static_cast<FileId>(i), all, option),
                                  "sbatch has no option `" + std::string(option) + "`, and " + std::string(why)));
      return true;
    });
  }

  /// The files that a text takes in with `includeConfig 'PATH'`.
  std::vector<std::size_t> included(std::string_view words, std::string_view folder) const {
    std::vector<std::size_t> out;
    some_line_with(words, "includeConfig", [&](std::string_view line) {
      const auto there = names_.at(joined_path(std::string(folder), quoted_behind(line, "includeConfig")));
      if (there) out.push_back(*there);
      return false;
    });
    return out;
  }

  /// `profiles { slurm { includeConfig 'slurm.config' } }`, of which no file sets the options anew.
  void beside_profiles(std::size_t i) {
    const std::string_view all = text(i);
    const auto [begin, end] = profiles_of(all);
    const std::string_view folder = folder_of(inputs_.files[i].context.path);
    const std::string_view profiles = all.substr(begin, end - begin);
    if (contains(profiles, kOptions)) return;
    bool slurm = false;
    for (const std::size_t file : included(profiles, folder)) {
      const Executors executors = executors_in(text(file));
      slurm = slurm || (executors.slurm && !executors.others && !contains(text(file), kOptions));
    }
    if (!slurm) return;
    for (const std::string_view part : {all.substr(0, begin), all.substr(std::min(end, all.size()))}) {
      for (const std::size_t file : included(part, folder)) {
        if (executors_in(text(file)).others || executors_in(text(file)).slurm) continue;
        report(file, "the profile for slurm of `" + inputs_.files[i].context.path + "` takes this file as it is");
      }
    }
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  InputNames names_;
  std::map<std::size_t, std::string> texts_;
};

}  // namespace

void find_nextflow_options(const Inputs& inputs, std::vector<Finding>& findings) {
  const bool any =
      std::ranges::any_of(inputs.files, [](const InputFile& file) { return file.context.path.ends_with(".config"); });
  if (any) NextflowOptions(inputs, findings).run();
}

}  // namespace muster
