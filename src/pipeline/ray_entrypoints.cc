#include "pipeline/ray_entrypoints.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

constexpr std::string_view kSubmit = "ray job submit";
constexpr std::size_t kMostOfCall = 4000;  // characters

/// The program behind `-- python`, as it is written; empty: a variable, a module, a path from the root.
std::string_view program_of(std::string_view call) {
  std::size_t at = call.find("-- python ");
  if (at == call.npos) at = call.find("-- python3 ");
  if (at == call.npos) return {};
  std::string_view rest = call.substr(at + 3);
  rest = trim(rest.substr(rest.find(' ')));
  const std::string_view word = rest.substr(0, rest.find_first_of(" \t\n\\;&|\"'"));
  const bool plain = word.find_first_of("$`(){}*<>") == word.npos && !word.starts_with('/') && !word.starts_with('-');
  return plain && word.ends_with(".py") ? word : std::string_view();
}

/// The folder that is uploaded, `--working-dir .`, `"working_dir": "./jobs"`, without its beginning `./`; empty: none
/// of the files here.
std::string_view uploaded(std::string_view call) {
  std::size_t at = call.find("working_dir");
  if (at == call.npos) at = call.find("working-dir");
  if (at == call.npos) return {};
  std::string_view folder = call.substr(at + 11);
  while (!folder.empty() && contains("\"': =", folder.substr(0, 1))) folder.remove_prefix(1);
  folder = folder.substr(0, folder.find_first_of(" \t\n\\,\"'}"));
  const bool plain = folder.find_first_of("$`(){}<>~:") == folder.npos && !folder.starts_with('/');
  if (!plain || folder.ends_with(".zip")) return {};
  while (folder.starts_with("./") && folder.size() > 2) folder.remove_prefix(2);
  while (folder.ends_with('/')) folder.remove_suffix(1);
  return folder;
}

/// Whether the input has that folder, wherever the script is run.
bool is_from_here(const Inputs& inputs, std::string_view folder) {
  if (folder.empty() || folder.starts_with('.')) return !folder.empty();
  const std::string below = std::string(folder) + "/";
  return std::ranges::any_of(inputs.files, [&](const InputFile& file) {
    return file.context.path.starts_with(below) || contains(file.context.path, "/" + below);
  });
}

/// Whether a script fetches or makes files, or goes where the input does not reach: programs may stand there.
bool brings_files(std::string_view text) {
  for (const std::string_view written : split(text, '\n')) {
    const std::string_view line = trim(written);
    if (line.starts_with('#')) continue;
    for (const std::string_view word :
         {"git clone", "wget ", "tar ", "unzip ", "rsync ", "pushd ", "gsutil ", "aws s3 "}) {
      if (contains(line, word)) return true;
    }
    if (contains(line, "curl ") && (contains(line, " -o") || contains(line, " -O") || contains(line, "-LO")))
      return true;
    for (const std::string_view word : {"cp ", "mv ", "ln "}) {
      const std::size_t at = line.find(word);
      if (at != line.npos && (at == 0 || contains(" ;&", line.substr(at - 1, 1)))) return true;
    }
    if (line.starts_with("cd ") && leaves_input(text, trim(line.substr(3)))) return true;
  }
  return false;
}

bool stands_at(std::string_view path, std::string_view end) {
  return path.ends_with(end) && (path.size() == end.size() || path[path.size() - end.size() - 1] == '/');
}

}  // namespace

void find_ray_entrypoints(const Inputs& inputs, std::vector<Finding>& findings) {
  std::optional<InputNames> names;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    if (!inputs.files[i].context.path.ends_with(".sh")) continue;
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (!contains(text, kSubmit) || brings_files(text)) continue;
    for (std::size_t at = text.find(kSubmit); at != text.npos; at = text.find(kSubmit, at + 1)) {
      const std::string_view call = text.substr(at, std::min(kMostOfCall, text.find(kSubmit, at + 1) - at));
      std::string_view program = program_of(call);
      const std::string_view folder = uploaded(call);
      if (program.empty() || !is_from_here(inputs, folder)) continue;
      const Span where = span_of_part(static_cast<FileId>(i), text, program);
      if (program.starts_with("./")) program.remove_prefix(2);
      const std::string_view name = last_part(program);
      if (name == program || contains(program, "..")) continue;
      if (!names) names.emplace(inputs);
      const std::vector<std::size_t>& called = names->called(name);
      // The program is looked for in what is uploaded: `src/train.py` of the folder `src` is `src/src/train.py`.
      const bool below = !folder.starts_with('.');
      const std::string path = (below ? std::string(folder) + "/" : "") + std::string(program);
      const auto is_it = [&](std::size_t file) { return stands_at(inputs.files[file].context.path, path); };
      if (called.empty() || names->is_aside(name) || std::ranges::any_of(called, is_it)) continue;
      const std::string nowhere = below ? "the folder `" + std::string(folder) + "`, which is uploaded, has no `"
                                        : std::string("no folder has `");
      findings.push_back(problem("ray-entrypoint-misplaced", where,
                                 nowhere + std::string(program) + "`; `" + std::string(name) + "` stands at `" +
                                     inputs.files[called.front()].context.path + "`"));
    }
  }
}

}  // namespace muster
