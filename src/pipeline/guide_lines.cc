#include "pipeline/guide_lines.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::array<std::string_view, 7> kManifests{".yaml", ".yml", ".json", ".sbatch", ".slurm", ".sh", ".job"};

/// Whether the words right before the name are about a file that is there: `modify the x.yaml file`.
bool is_presumed(std::string_view lower, std::string_view name) {
  constexpr std::size_t kNear = 20;
  const std::size_t at = lower.find(name);
  if (at == lower.npos) return false;
  const std::string_view before = lower.substr(at - std::min(at, kNear), std::min(at, kNear));
  return std::ranges::any_of(std::array<std::string_view, 4>{"modify ", "edit ", "update ", "change "},
                             [&](std::string_view word) { return contains(before, word); });
}

}  // namespace

std::string_view ending_of_guide_file(std::string_view name) {
  for (const std::string_view ending : kManifests) {
    if (name.size() > ending.size() && name.ends_with(ending)) return ending;
  }
  return {};
}

std::string_view kind_of_guide_file(std::string_view name) {
  const std::string_view ending = ending_of_guide_file(name);
  const bool data = ending == ".yaml" || ending == ".yml" || ending == ".json";
  return ending.empty() || data ? ending : std::string_view(".sh");
}

bool stands_for_some_file(std::string_view name) {
  constexpr std::array<std::string_view, 22> kUsual{"app",        "cluster", "config", "configmap", "daemonset", "demo",
                                                    "deployment", "example", "file",   "job",       "manifest",  "name",
                                                    "pod",        "script",  "secret", "service",   "submit",    "test",
                                                    "train",      "run",     "values", "workload"};
  const std::string lower = to_lower(name);
  const std::string_view stem = std::string_view(lower).substr(0, lower.find('.'));
  if (contains(stem, "secret") || contains(stem, "credential")) return true;
  for (const std::string_view word : {"my", "your", "some", "foo", "xxx", "path", "new", "custom"}) {
    if (stem.starts_with(word)) return true;
  }
  return std::ranges::find(kUsual, stem) != kUsual.end();
}

bool is_plain_path(std::string_view word) {
  return !word.empty() && word.front() != '/' && word.front() != '-' && word.front() != '~' &&
         word.find_first_of("$*{}[]?\"'\\=<>|;&`():,") == word.npos && !contains(word, "...");
}

bool takes_file(std::string_view line, std::size_t at) {
  constexpr std::array<std::string_view, 4> kVerbs{" apply", " create", " delete", " replace"};
  const std::string_view before = line.substr(0, at);
  if (!contains(before, "kubectl ") && !contains(before, "oc ")) return false;
  const std::string_view words = trim(before);
  return std::ranges::any_of(kVerbs, [&](std::string_view verb) { return contains(before, verb); }) &&
         (words.ends_with(" -f") || words.ends_with(" --filename") || before.ends_with("--filename="));
}

bool hands_over(std::string_view line) {
  return contains(line, "kubectl ") || contains(line, "sbatch ") || contains(line, "oc apply") ||
         contains(line, "oc create") || contains(line, "oc delete");
}

bool may_tell_how(std::string_view line, std::string_view name) {
  constexpr std::array<std::string_view, 7> kBrings{"copy", "cp ", "download", "generat", "mv ", "render", "sav"};
  constexpr std::array<std::string_view, 11> kMakes{"add",  "build",  "call",   "creat", "export", "make",
                                                    "name", "output", "produc", "put",   "writ"};
  const std::string lower = to_lower(line);
  const std::string_view behind = std::string_view(lower).substr(lower.starts_with('>') ? 1 : 0);  // a quotation
  const auto has = [&](std::string_view word) { return contains(lower, word); };
  if (contains(behind, ">") || std::ranges::any_of(kBrings, has)) return true;
  if (is_presumed(lower, to_lower(name))) return false;
  const bool link = has("](");
  return std::ranges::any_of(kMakes, [&](std::string_view word) { return has(word) && !(link && word == "name"); });
}

}  // namespace muster
