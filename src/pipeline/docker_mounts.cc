#include "pipeline/docker_mounts.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "pipeline/reach.h"
#include "pipeline/shell_texts.h"
#include "syntax/shell_reader.h"

namespace muster {
namespace {

bool names_plain_file(std::string_view path) {
  constexpr std::array<std::string_view, 11> kEndings{".conf", ".cfg",  ".ini", ".yaml", ".yml", ".json",
                                                      ".sh",   ".toml", ".sql", ".py",   ".cnf"};
  return std::ranges::any_of(kEndings, [&](std::string_view ending) { return path.ends_with(ending); });
}

/// Whether a variable leads into the repository: PWD, or one that the script sets from its own place.
bool leads_here(std::string_view mount, std::string_view script) {
  if (!mount.starts_with('$') || mount.starts_with("$(")) return true;
  mount.remove_prefix(mount.starts_with("${") ? 2 : 1);
  const auto end = static_cast<std::size_t>(std::ranges::find_if_not(mount, is_word_char) - mount.begin());
  const std::string name(mount.substr(0, end));
  constexpr std::array<std::string_view, 5> kOwnPlaces{"pwd", "PWD", "rev-parse", "dirname", "BASH_SOURCE"};
  return name == "PWD" || some_line_with(script, name + "=", [&](std::string_view line) {
           return std::ranges::any_of(kOwnPlaces, [&](std::string_view place) { return contains(line, place); });
         });
}

/// `k8s/slurm.conf` of `${ROOT}/k8s/slurm.conf:/etc/slurm/slurm.conf:ro`, where a file is mounted as one.
std::string_view mounted_file(std::string_view mount, std::string_view script) {
  if (mount.starts_with('"') || mount.starts_with('\'')) mount.remove_prefix(1);
  const std::size_t brace = mount.rfind("}/");
  const std::size_t bracket = mount.rfind(")/");
  std::size_t begin = 0;
  if (mount.starts_with("${") && brace != mount.npos && mount.find('}') == brace) begin = brace + 2;
  if (mount.starts_with("$(pwd)/") && bracket == 5) begin = 7;
  if (begin == 0 && mount.starts_with('$') && mount.find('/') != mount.npos) begin = mount.find('/') + 1;
  if (begin == 0 && mount.starts_with("./")) begin = 2;
  if (begin == 0) return {};
  const std::string_view rest = mount.substr(begin);
  const std::size_t colon = rest.find(':');
  if (colon == rest.npos) return {};
  const std::string_view source = rest.substr(0, colon);
  std::string_view target = rest.substr(colon + 1);
  target = target.substr(0, target.find_first_of(":\"'"));
  const bool plain = source.find_first_of("$*?{}[]\"' ") == source.npos && contains(source, "/");
  const bool is_one = plain && target.starts_with('/') && names_plain_file(target) && leads_here(mount, script);
  return is_one ? source : std::string_view();
}

class DockerMounts {
 public:
  DockerMounts(const Inputs& inputs, std::vector<Finding>& findings)
      : inputs_(inputs), findings_(findings), reach_(inputs), names_(inputs) {}

  void look_at(std::size_t i) {
    const auto file = static_cast<FileId>(i);
    const std::string_view text = inputs_.sources.file(file).text();
    for (const ShellCommand& command : read_shell(text)) {
      if (command.words.size() < 4 || plain_text(command.words[1]) != "run") continue;
      const std::string_view program = plain_text(command.words[0]);
      if (program != "docker" && program != "podman") continue;
      for (std::size_t w = 2; w + 1 < command.words.size(); ++w) {
        const std::string_view option = plain_text(command.words[w]);
        if (option != "-v" && option != "--volume") continue;
        const ShellWord& word = command.words[w + 1];
        if (word.end > text.size()) continue;
        const std::string_view path = mounted_file(text.substr(word.begin, word.end - word.begin), text);
        if (path.empty() || !is_missing(i, path)) continue;
        findings_.push_back(problem("script-mount-source-missing", {file, word.begin, word.end},
                                    "`" + std::string(path) + "` is mounted, and no file of the input is called so"));
      }
    }
  }

 private:
  /// Its folder is one of the input, which has nothing of the name, and nothing else speaks of it.
  bool is_missing(std::size_t i, std::string_view path) {
    const std::string_view name = last_part(path);
    if (!names_.called(name).empty() || names_.is_aside(name)) return false;
    const std::string folder(folder_of(path));
    std::optional<std::string> there;
    for (std::string_view above = folder_of(inputs_.files[i].context.path);; above = folder_of(above)) {
      const std::string base = above.empty() ? "" : std::string(above) + "/";
      if (reach_.has_beginning(base + folder, "")) there = base + std::string(path);
      if (there || above.empty()) break;
    }
    if (!there || !reach_.holds(*there)) return false;
    int said = 0;
    return !names_.of_some_text([&](std::size_t, std::string_view text) {
      for (std::size_t at = text.find(name); at != text.npos && said < 2; at = text.find(name, at + 1)) ++said;
      return said > 1;
    });
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  Reach reach_;
  InputNames names_;
};

}  // namespace

void find_docker_mounts(const Inputs& inputs, std::vector<Finding>& findings) {
  std::optional<DockerMounts> mounts;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    const bool runs = contains(text, "docker run") || contains(text, "podman run");
    if (!runs || !begins_with_shell(text) || may_be_filled_in(text)) continue;
    if (!mounts) mounts.emplace(inputs, findings);
    mounts->look_at(i);
  }
}

}  // namespace muster
