#include "pipeline/state_exports.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "kinds/language.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

/// The folder of `/shared 10.0.0.0/8(rw,async)`, also within a text that writes it; empty: the line exports nothing so.
std::string_view async_export(std::string_view line) {
  for (std::size_t open = line.find('('); open != line.npos; open = line.find('(', open + 1)) {
    const std::string_view options = line.substr(open + 1, line.find(')', open) - open - 1);
    const std::vector<std::string_view> words = split(options, ',');
    const auto has = [&](std::string_view word) { return std::ranges::find(words, word) != words.end(); };
    if (!has("async") || !has("rw")) continue;
    for (std::string_view word : split_blanks(line.substr(0, open))) {
      while (!word.empty() && (word.front() == '"' || word.front() == '\'')) word.remove_prefix(1);
      if (word.starts_with('/') && word.size() > 1) return word;
    }
  }
  return {};
}

}  // namespace

void find_state_exports(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  const auto place_of = [](const SlurmSite& site) -> const SlurmSetting* {
    const SlurmSetting* place = site.setting("statesavelocation");
    return place != nullptr && place->value.is_set() && place->value.value.starts_with('/') ? place : nullptr;
  };
  if (std::ranges::none_of(model.slurm_sites, [&](const SlurmSite& site) { return place_of(site) != nullptr; })) return;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    if (language_of(inputs.files[i].context.path) == Language::Prose) continue;
    const auto file = static_cast<FileId>(i);
    const std::string_view text = inputs.sources.file(file).text();
    some_line_with(text, "async", [&](std::string_view line) {
      const std::string_view folder = trim(line).starts_with('#') ? std::string_view() : async_export(line);
      if (folder.empty()) return false;
      for (const SlurmSite& site : model.slurm_sites) {
        const SlurmSetting* place = place_of(site);
        if (place == nullptr || !is_below(place->value.value, folder)) continue;
        findings.push_back(
            problem("slurm-state-on-async-export", place->where,
                    "StateSaveLocation is on an export with `async`: what slurmctld wrote may not be on disk"));
        findings.back().related.push_back({span_of_part(file, text, folder), "exported here"});
        return true;
      }
      return false;
    });
  }
}

}  // namespace muster
