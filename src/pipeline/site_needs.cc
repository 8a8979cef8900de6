#include "pipeline/site_needs.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "gang/coupling.h"
#include "kinds/language.h"
#include "pipeline/spoken_texts.h"

namespace muster {
namespace {

/// The only slurm.conf of the input, where all that it sets is known. Without a controller it is a part of one.
const SlurmSite* only_site(const Model& model) {
  const SlurmSite* found = nullptr;
  for (const SlurmSite& site : model.slurm_sites) {
    if (site.fragment && site.file.empty()) continue;
    if (found != nullptr) return nullptr;
    found = &site;
  }
  const bool whole =
      found != nullptr && (found->setting("slurmctldhost") != nullptr || found->setting("controlmachine") != nullptr);
  return whole && found->settings_known() && !found->for_trial ? found : nullptr;
}

/// Whether slurm.conf sets the key without any of the words, or surely does not set it.
bool lacks_words(const SlurmSite& site, std::string_view lower_key, std::initializer_list<std::string_view> words) {
  const SlurmSetting* setting = site.setting(lower_key);
  if (setting == nullptr) return std::ranges::find(site.open_keys, lower_key) == site.open_keys.end();
  if (!setting->value.is_set() || setting->conditional) return false;
  return std::ranges::none_of(split(to_lower(setting->value.value), ','),
                              [&](std::string_view one) { return std::ranges::find(words, trim(one)) != words.end(); });
}

std::string_view line_around(std::string_view text, std::size_t at) {
  const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
  return text.substr(begin, std::min(text.find('\n', at), text.size()) - begin);
}

/// What is said of it, looked for or taken away, and what only some renderings have.
bool only_speaks(std::string_view line) {
  constexpr std::array<std::string_view, 6> kWords{"{%", "{{#", "echo \"#", "regexp:", "absent", "description"};
  constexpr std::array<std::string_view, 3> kPrograms{"grep", "sed", "test"};
  return trim(line).starts_with('#') || trim(line).starts_with("//") ||
         std::ranges::any_of(kWords, [&](std::string_view word) { return contains(line, word); }) ||
         std::ranges::any_of(kPrograms, [&](std::string_view word) { return find_word(line, word) != line.npos; });
}

bool starts_configless(std::string_view line) {
  return contains(line, "slurmd") || contains(line, "sackd") || contains(line, "SLURMD_OPTIONS") ||
         contains(line, "SACKD_OPTIONS");
}

/// `account required pam_slurm_adopt.so`; of a pamd task the name alone.
bool adopts(std::string_view line) { return contains(line, "account") || contains(line, "module_path"); }

/// Whether what stands below the line, up to the next item, takes it away or has a condition: a task of a playbook.
bool is_conditional_below(std::string_view text, std::size_t end) {
  constexpr int kMostBelow = 8;  // lines
  for (int i = 0; i < kMostBelow && end < text.size(); ++i) {
    const std::size_t next = std::min(text.find('\n', end + 1), text.size());
    const std::string_view line = trim(text.substr(end + 1, next - end - 1));
    if (line.empty() || line.starts_with("- ")) return false;
    if (contains(line, "absent") || line.starts_with("when:")) return true;
    end = next;
  }
  return false;
}

/// The first place of the input where a line with the word does it.
std::optional<Span> first_place(const Inputs& inputs, const SpokenTexts& spoken, std::string_view word,
                                bool (*does)(std::string_view)) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const Language language = language_of(inputs.files[i].context.path);
    if (language == Language::Prose || language == Language::Program) continue;
    const std::string_view text = spoken.text(i);
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at)) {
      const std::string_view line = line_around(text, at);
      const std::size_t end = static_cast<std::size_t>(line.data() - text.data()) + line.size();
      if (does(line) && !only_speaks(line) && !is_conditional_below(text, end)) {
        const auto begin = static_cast<std::uint32_t>(at);
        return Span{static_cast<FileId>(i), begin, begin + static_cast<std::uint32_t>(word.size())};
      }
      at = end;
    }
  }
  return std::nullopt;
}

void report_lack(const SlurmSite& site, std::string_view lower_key, Finding finding, std::vector<Finding>& findings) {
  if (const SlurmSetting* setting = site.setting(lower_key)) finding.where = setting->value.where;
  findings.push_back(std::move(finding));
}

/// The line of gres.conf that leaves finding the GPUs to NVML, where no line lists them.
const GresLine* finds_by_nvml(const SlurmSite& site) {
  const GresLine* found = nullptr;
  for (const GresLine& line : site.gres_lines) {
    if (line.file.is_set() || line.multiple_files.is_set()) return nullptr;
    const bool nvml = line.auto_detect.is_set() && equals_ignoring_case(line.auto_detect.value, "nvml");
    if (nvml && found == nullptr) found = &line;
  }
  return found;
}

/// `ohpc-slurm-client`, `slurm-slurmd-ohpc` in what installs packages.
bool installs_of_openhpc(std::string_view line) {
  return contains(line, "ohpc-slurm-client") || contains(line, "slurm-slurmd-ohpc");
}

/// Packages of one's own may know NVML: whoever builds them, or speaks of its library other than to Slurm.
bool builds_slurm(std::string_view text) {
  constexpr std::array<std::string_view, 3> kWords{"rpmbuild", "./configure", "libnvidia-ml"};
  if (std::ranges::any_of(kWords, [&](std::string_view word) { return contains(text, word); })) return true;
  return contains_ignoring_case(text, "nvml") && std::ranges::any_of(split(text, '\n'), [](std::string_view line) {
           return contains_ignoring_case(line, "nvml") && !contains_ignoring_case(line, "autodetect") &&
                  !trim(line).starts_with('#');
         });
}

void find_missing_nvml(const Inputs& inputs, const SlurmSite& site, const SpokenTexts& spoken,
                       std::vector<Finding>& findings) {
  const GresLine* line = finds_by_nvml(site);
  if (line == nullptr || !site.has_gpus) return;
  std::optional<Span> place = first_place(inputs, spoken, "ohpc-slurm-client", installs_of_openhpc);
  if (!place) place = first_place(inputs, spoken, "slurm-slurmd-ohpc", installs_of_openhpc);
  if (!place) return;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    if (language_of(inputs.files[i].context.path) != Language::Prose && builds_slurm(spoken.text(i))) return;
  }
  findings.push_back(problem("gres-auto-detect-without-nvml", line->auto_detect.where,
                             "AutoDetect=nvml, and the packages of OpenHPC are built without NVML"));
  findings.back().related.push_back({*place, "installed here"});
}

}  // namespace

void find_site_needs(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  const SlurmSite* site = only_site(model);
  if (site == nullptr) return;
  const bool no_configless = lacks_words(*site, "slurmctldparameters", {"enable_configless"});
  const bool no_contain = lacks_words(*site, "prologflags", {"contain", "x11", "runinjob"});
  if (!no_configless && !no_contain && finds_by_nvml(*site) == nullptr) return;
  const SpokenTexts spoken(inputs);
  find_missing_nvml(inputs, *site, spoken, findings);
  if (no_configless) {
    if (const std::optional<Span> place = first_place(inputs, spoken, "--conf-server", starts_configless)) {
      Finding finding = problem("slurm-configless-off", site->where,
                                "slurmd fetches its slurm.conf by --conf-server, and SlurmctldParameters lacks "
                                "enable_configless");
      finding.related.push_back({*place, "slurmd is started so"});
      report_lack(*site, "slurmctldparameters", std::move(finding), findings);
    }
  }
  if (no_contain) {
    if (const std::optional<Span> place = first_place(inputs, spoken, "pam_slurm_adopt.so", adopts)) {
      Finding finding = problem("slurm-adopt-without-contain", site->where,
                                "pam_slurm_adopt is used on the nodes, and PrologFlags lacks Contain");
      finding.related.push_back({*place, "used here"});
      report_lack(*site, "prologflags", std::move(finding), findings);
    }
  }
}

}  // namespace muster
