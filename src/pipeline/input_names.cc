#include "pipeline/input_names.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "kinds/language.h"

namespace muster {

bool is_named_for(std::string_view path, std::span<const std::string_view> words) {
  path.remove_prefix(folder_of(folder_of(path)).size());
  const std::string names = to_lower(path);
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  return std::ranges::any_of(words, [&](std::string_view word) {
    for (std::size_t at = names.find(word); at != names.npos; at = names.find(word, at + 1)) {
      if (at == 0 || !is_letter(word.front()) || !is_letter(names[at - 1])) return true;
    }
    return false;
  });
}

bool is_dockerfile(std::string_view path) {
  const std::string_view name = bare_name(path);
  return std::ranges::any_of(std::array<std::string_view, 2>{"Dockerfile", "Containerfile"},
                             [&](std::string_view one) { return name.starts_with(one) || name.ends_with(one); }) ||
         name.ends_with(".dockerfile") || name.ends_with(".containerfile");
}

InputNames::InputNames(const Inputs& inputs) : inputs_(inputs) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    names_[std::string(last_part(inputs.files[i].context.path))].push_back(i);
    letters_ += inputs.sources.file(static_cast<FileId>(i)).text().size();
  }
  for (const std::vector<std::string>* list : {&inputs.foreign, &inputs.too_large, &inputs.ignored, &inputs.excluded}) {
    for (const std::string& path : *list) aside_.emplace(last_part(path));
  }
}

const std::vector<std::size_t>& InputNames::called(std::string_view name) const {
  static const std::vector<std::size_t> kNone;
  const auto known = names_.find(name);
  return known == names_.end() ? kNone : known->second;
}

std::optional<std::size_t> InputNames::at(std::string_view path) const {
  const auto path_of = [](const InputFile& file) -> std::string_view { return file.context.path; };
  const auto found = std::ranges::lower_bound(inputs_.files, path, {}, path_of);
  if (found == inputs_.files.end() || path_of(*found) != path) return std::nullopt;
  return static_cast<std::size_t>(found - inputs_.files.begin());
}

bool leaves_input(std::string_view text, std::string_view folder) {
  while (!folder.empty() && (folder.front() == '"' || folder.front() == '\'')) folder.remove_prefix(1);
  constexpr std::array<std::string_view, 5> kOwn{"dirname", "BASH_SOURCE", "rev-parse", "pwd", "SLURM_SUBMIT_DIR"};
  const auto is_own = [&](std::string_view line) {
    return std::ranges::any_of(kOwn, [&](std::string_view word) { return contains(line, word); });
  };
  if (folder.starts_with('/') || folder.starts_with('~')) return true;
  if (!folder.starts_with('$') || is_own(folder)) return false;
  const std::size_t begin = std::min(folder.find_first_not_of("${"), folder.size());
  const std::size_t end = std::min(folder.find_first_of("}:\"'/ \t", begin), folder.size());
  const std::string set = std::string(folder.substr(begin, end - begin)) + "=";
  for (std::size_t at = text.find(set); at != text.npos; at = text.find(set, at + 1)) {
    if (is_own(text.substr(at, std::min(text.find('\n', at), text.size()) - at))) return false;
  }
  return true;
}

}  // namespace muster
