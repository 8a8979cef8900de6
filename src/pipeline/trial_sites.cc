#include "pipeline/trial_sites.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

/// Of a path's parts.
bool is_part_letter(char c) { return is_word_char(c) || c == '-'; }

/// Dockerfile, compose.yaml and their like. Sources: docs.docker.com/reference/cli/docker/buildx/build, --file;
/// docs.docker.com/compose/intro/compose-application-model.
bool is_container_recipe(std::string_view path) {
  constexpr std::string_view kNames[] = {"docker-compose", "compose.", "podman-compose"};
  const std::string_view name = last_part(path);
  return is_dockerfile(path) ||
         std::ranges::any_of(kNames, [&](std::string_view begin) { return name.starts_with(begin); });
}

/// Whether a recipe names the folder beside it, `COPY slurm/`, `./slurm:/etc/slurm`, `$PWD/slurm`, or by its whole
/// path.
bool names_folder_beside(std::string_view text, std::string_view folder) {
  const std::string_view name = folder.substr(folder.rfind('/') + 1);  // npos + 1 is 0
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at > 0 && is_part_letter(text[at - 1])) || (end < text.size() && is_part_letter(text[end]))) continue;
    if (at == 0 || text[at - 1] != '/') return true;
    if (at > 1 && contains(".})", text.substr(at - 2, 1))) return true;
    constexpr std::size_t kLongest = 200;
    std::size_t begin = at;
    while (begin > 0 && at - begin < kLongest &&
           (is_part_letter(text[begin - 1]) || text[begin - 1] == '/' || text[begin - 1] == '.'))
      --begin;
    std::string_view path = text.substr(begin, end - begin);  // one from the root begins with `/`, and is none of these
    if (path.starts_with("./")) path.remove_prefix(2);
    if (path == folder || folder.ends_with("/" + std::string(path))) return true;
    if (text.substr(0, at).ends_with("$PWD/")) return true;
  }
  return false;
}

bool is_called_for_trial(std::string_view folder) {
  constexpr std::string_view kWords[] = {"docker", "container", "compose", "vagrant"};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return contains_ignoring_case(folder, word); });
}

}  // namespace

void note_trial_sites(const Inputs& inputs, Model& model) {
  std::map<std::string_view, std::vector<std::string_view>> recipes;  // by folder
  for (std::size_t i = 0; !model.slurm_sites.empty() && i < inputs.files.size(); ++i) {
    const std::string_view path = inputs.files[i].context.path;
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (is_container_recipe(path) && contains(text, "slurm")) recipes[folder_of(path)].push_back(text);
  }
  const bool asks = std::ranges::any_of(
      model.slurm_sites, [](const SlurmSite& site) { return site.of_template && !site.has_cgroup_conf; });
  bool named = false;
  for (std::size_t i = 0; asks && !named && i < inputs.files.size(); ++i)
    named = contains(inputs.sources.file(static_cast<FileId>(i)).text(), "cgroup.conf");
  for (SlurmSite& site : model.slurm_sites) {
    site.cgroup_conf_named = named;
    const auto above = site.folder.empty() ? recipes.end() : recipes.find(folder_of(site.folder));
    site.for_trial = is_called_for_trial(site.folder) || recipes.contains(site.folder) ||
                     (above != recipes.end() && std::ranges::any_of(above->second, [&](std::string_view text) {
                        return names_folder_beside(text, site.folder);
                      }));
  }
}

}  // namespace muster
