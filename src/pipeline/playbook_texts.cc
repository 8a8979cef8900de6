#include "pipeline/playbook_texts.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/strings.h"
#include "syntax/yaml_reader.h"

namespace muster {
namespace {

constexpr std::uint64_t kMostPlaybookLetters = 100'000'000;  // of all playbooks together

/// The folder before the last `/tasks/` of a path.
std::optional<std::string_view> folder_before(std::string_view path, std::string_view part) {
  for (std::size_t at = path.rfind(part); at != path.npos && at > 0; at = path.rfind(part, at - 1)) {
    if (path[at - 1] == '/') return path.substr(0, at - 1);
  }
  return path.starts_with(part) ? std::optional(std::string_view{}) : std::nullopt;
}

bool names_slurm_or_gpus(std::string_view text) {
  constexpr std::array<std::string_view, 4> kWords{"slurm", "nvidia", "cuda", "gpu"};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return contains_ignoring_case(text, word); });
}

/// A list of plays: an item says on which hosts, and what.
bool has_plays(const Node& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Node play = list.item(i);
    if (play["hosts"].exists() && (play["tasks"].exists() || play["roles"].exists() || play["handlers"].exists() ||
                                   play["pre_tasks"].exists() || play["post_tasks"].exists()))
      return true;
  }
  return false;
}

}  // namespace

PlaybookTexts playbook_texts(const Inputs& inputs) {
  PlaybookTexts out;
  bool about = false;
  std::uint64_t letters = 0;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view path = inputs.files[i].context.path;
    if (!path.ends_with(".yml") && !path.ends_with(".yaml")) continue;
    const auto file = static_cast<FileId>(i);
    const std::string_view text = inputs.sources.file(file).text();
    PlaybookText read;
    read.file = file;
    if (const auto role = folder_before(path, "tasks/")) {
      read.part = PlaybookText::Part::Tasks;
      read.role = *role;
    } else if (const auto owner = folder_before(path, "handlers/")) {
      read.part = PlaybookText::Part::Handlers;
      read.role = *owner;
    } else if (!contains(text, "hosts:")) {
      continue;
    }
    if ((letters += text.size()) > kMostPlaybookLetters) return {};
    bool good = true;
    std::vector<Finding> of_reader;  // keys that stand twice and the like, which no rule says of playbooks
    for (const Span& where : split_yaml_documents(file, text)) {
      Document document;
      good = read_yaml(text, where, document, of_reader) && good;
      const Node root = document.root();
      if (!root.is_sequence() || (read.part == PlaybookText::Part::Plays && !has_plays(root))) continue;
      read.documents.push_back(std::move(document));
    }
    out.whole = out.whole && good;
    if (!good || read.documents.empty()) continue;
    about = about || names_slurm_or_gpus(text) || names_slurm_or_gpus(path);
    out.all.push_back(std::move(read));
  }
  return about ? std::move(out) : PlaybookTexts{};
}

}  // namespace muster
