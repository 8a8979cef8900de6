#include "pipeline/batch_places.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "slurm/launches.h"
#include "syntax/here_documents.h"

namespace muster {
namespace {

using sbatch::BatchCommand;

/// What brings files that the input does not have.
constexpr std::array<std::string_view, 25> kBringers{
    "git",    "wget",       "curl", "tar",    "unzip",          "cp",  "mv",     "rsync",  "scp",   "aws",
    "gsutil", "sbcast",     "hf",   "gcloud", "gdown",          "dvc", "kaggle", "aria2c", "s5cmd", "rclone",
    "azcopy", "zenodo_get", "7z",   "gunzip", "huggingface-cli"};

}  // namespace

bool stands_for_another(std::string_view name) {
  constexpr std::array<std::string_view, 18> kUsual{"script", "program", "code",     "job", "test", "example",
                                                    "main",   "train",   "training", "run", "app",  "hello",
                                                    "python", "pytorch", "file",     "mpi", "demo", "benchmark"};
  const std::string whole = to_lower(name);
  const std::string bare = whole.substr(0, whole.rfind('.'));
  for (const std::string_view word : {"my", "your", "some", "foo", "xxx", "path"}) {
    if (bare.starts_with(word)) return true;
  }
  return std::ranges::any_of(kUsual, [&](std::string_view usual) { return bare == usual; });
}

bool brings_or_leaves(const sbatch::BatchBody& body, std::string_view script) {
  return std::ranges::any_of(body.commands, [&](const BatchCommand& command) {
    if (command.words.empty()) return false;
    const std::string_view name = sbatch::program_name(command.words[0].text);
    if ((name == "cd" || name == "pushd") && command.words.size() > 1)
      return !command.words[1].known() || leaves_input(script, command.words[1].text);
    return sbatch::is_one_of(name, kBringers) || name == "eval" ||
           (name == "source" && !sbatch::sources_environment(command));
  });
}

bool starts_elsewhere(const SbatchJob& job) {
  return std::ranges::any_of(job.options, [](const SbatchPair& option) {
    return option.name == "chdir" && (!option.value.is_set() || option.value.value.find_first_of("/~$") == 0);
  });
}

bool moves_elsewhere(const SbatchJob& job, const sbatch::BatchBody& body) {
  const auto is_chdir = [](const SbatchPair& option) { return option.name == "chdir"; };
  return std::ranges::any_of(job.options, is_chdir) ||
         std::ranges::any_of(body.commands, [](const BatchCommand& command) {
           return !command.words.empty() && (command.words[0].text == "cd" || command.words[0].text == "pushd");
         });
}

std::string_view here_document_at(std::string_view script, std::uint32_t place) {
  const std::vector<TextLine> lines = lines_of(script);
  HereDocuments documents(lines);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (place < lines[i].begin || place > lines[i].begin + lines[i].text.size()) continue;
    const std::optional<HereDocument> found = documents.at(i);
    if (!found || found->end >= lines.size()) return {};
    return script.substr(lines[found->first].begin, lines[found->end].begin - lines[found->first].begin);
  }
  return {};
}

bool runs_elsewhere(const BatchCommand& command, std::size_t at) {
  constexpr std::array<std::string_view, 10> kContainers{"apptainer", "ch-run", "docker",  "enroot",      "nerdctl",
                                                         "podman",    "sarus",  "shifter", "singularity", "udocker"};
  for (std::size_t i = 0; i < at && i < command.words.size(); ++i) {
    const std::string_view word = command.words[i].text;
    if (sbatch::is_one_of(sbatch::program_name(word), kContainers) || word.starts_with("--container-") ||
        word.starts_with("--chdir") || word.starts_with("--pwd") || word == "-D")
      return true;
  }
  return false;
}

bool is_made_path(std::string_view path) {
  constexpr std::array<std::string_view, 8> kMade{"build", "_build", "dist",   "install",
                                                  "bin",   "out",    "output", "target"};
  return std::ranges::any_of(split(path, '/'),
                             [&](std::string_view folder) { return sbatch::is_one_of(folder, kMade); });
}

}  // namespace muster
