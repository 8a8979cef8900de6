#include "pipeline/plugstack_folders.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/shell_texts.h"

namespace muster {
namespace {

constexpr std::string_view kBlanksAndQuotes = " \t'\"";

/// The folder of `include FOLDER/*` in a line that writes it into a plugstack.conf; empty: it does not.
std::string_view included_folder(std::string_view line) {
  const std::size_t at = line.find("include ");
  const std::size_t file = line.rfind("plugstack.conf");
  if (at == line.npos || file == line.npos || trim(line).starts_with('#')) return {};
  std::string_view path = trim(line.substr(at + 8));
  path = path.substr(0, path.find_first_of(kBlanksAndQuotes));
  const std::size_t star = path.rfind("/*");
  // What is written is one word, the file that it goes to another.
  const bool written = contains(line.substr(at), ">") || contains(line.substr(at), "tee ");
  const bool apart = star != path.npos && file > static_cast<std::size_t>(path.data() - line.data()) + path.size();
  return written && apart ? path.substr(0, star) : std::string_view{};
}

/// The folder that a line puts a plugin's file into: `ln -s ... FOLDER/pyxis.conf`.
std::string_view folder_of_plugin(std::string_view line) {
  constexpr std::array<std::string_view, 4> kPutters{"ln", "cp", "install", "mv"};
  const std::vector<std::string_view> words = split_blanks(line);
  const std::size_t first = !words.empty() && words[0] == "sudo" ? 1 : 0;
  if (words.size() < first + 3 || std::ranges::find(kPutters, words[first]) == kPutters.end()) return {};
  std::string_view last = words.back();
  while (!last.empty() && contains("'\";", last.substr(last.size() - 1))) last.remove_suffix(1);
  while (!last.empty() && contains("'\"", last.substr(0, 1))) last.remove_prefix(1);
  return last.ends_with("/pyxis.conf") ? folder_of(last) : std::string_view{};
}

/// Builds pyxis and installs it with `make install`, which links nothing to where Slurm looks.
void find_unloaded_pyxis(const Inputs& inputs, std::vector<Finding>& findings) {
  constexpr std::string_view kSource = "NVIDIA/pyxis";
  std::optional<Span> built;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    const std::string_view path = inputs.files[i].context.path;
    constexpr std::array<std::string_view, 4> kSaid{"plugstack", "PlugStack", "pyxis.conf", "spank_pyxis.so"};
    if (std::ranges::any_of(kSaid, [&](std::string_view one) { return contains(text, one); })) return;
    if (contains(path, "plugstack")) return;
    if (built || path.ends_with(".md") || path.ends_with(".rst") || path.ends_with(".txt")) continue;
    const std::size_t at = text.find(kSource);
    if (at == text.npos) continue;
    const std::string_view behind = text.substr(at);
    const std::string_view line =
        text.substr(text.rfind('\n', at) + 1, at - text.rfind('\n', at) - 1);  // npos + 1 is 0
    if (contains(behind, "make install") && contains(line, "clone") && !trim(line).starts_with('#'))
      built = span_of_part(static_cast<FileId>(i), text, behind.substr(0, kSource.size()));
  }
  if (!built) return;
  findings.push_back(
      problem("pyxis-not-loaded", *built, "pyxis is built, and nothing of the input writes a plugstack.conf"));
}

}  // namespace

void find_plugstack_folders(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  if (!model.slurm_sites.empty()) find_unloaded_pyxis(inputs, findings);
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (!begins_with_shell(text) || !contains(text, "plugstack.conf") || !contains(text, "pyxis.conf")) continue;
    std::set<std::string_view> included;
    std::set<std::string_view> filled;
    for (const std::string_view line : split(text, '\n')) {
      if (const std::string_view folder = included_folder(line); !folder.empty()) included.insert(folder);
      if (const std::string_view folder = folder_of_plugin(line); !folder.empty()) filled.insert(folder);
    }
    // One of each, in one place: `/etc/slurm` may lead to where another folder really is.
    if (included.size() != 1 || filled.size() != 1 || included == filled) continue;
    const std::string_view read = *included.begin();
    if (folder_of(read).empty() || folder_of(read) != folder_of(*filled.begin())) continue;
    findings.push_back(problem(
        "plugstack-include-misses", span_of_part(static_cast<FileId>(i), text, read),
        "pyxis.conf is put into " + std::string(*filled.begin()) + ", and plugstack.conf includes another folder"));
  }
}

}  // namespace muster
