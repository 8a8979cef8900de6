#include "pipeline/site_scripts.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "slurm/epilog_slips.h"
#include "slurm/prolog_slips.h"

namespace muster {
namespace {

constexpr std::array<std::string_view, 13> kProgramKeys{
    "epilog",         "epilogslurmctld",   "healthcheckprogram", "prolog",     "prologslurmctld",
    "rebootprogram",  "resumefailprogram", "resumeprogram",      "srunepilog", "srunprolog",
    "suspendprogram", "taskepilog",        "taskprolog"};

/// A text that some shell or interpreter could run: no program of a machine.
bool is_script_text(std::string_view text) {
  return !text.empty() &&
         text.substr(0, 4) !=
             "\x7f"
             "ELF" &&
         text.substr(0, 512).find('\0') == text.npos;
}

/// Of a template the marks before the first line say nothing where they come to nothing.
std::string_view without_leading_marks(std::string_view text) {
  while (text.starts_with("{%") || text.starts_with("{#")) {
    const std::size_t end = text.find(text[1] == '%' ? "%}" : "#}");
    if (end == text.npos) return text;
    const std::string_view mark = text.substr(0, end);
    if (contains(mark, "include") || contains(mark, "extends") || contains(mark, "import")) return text;
    text.remove_prefix(end + 2);
    if (text.starts_with('\n')) text.remove_prefix(1);
  }
  return text;
}

bool gives_whole_nodes(const SlurmSite& site) {
  const SlurmSetting* select = site.setting("selecttype");
  return select != nullptr && (!select->value.is_set() || select->value.value == "select/linear");
}

}  // namespace

void find_site_scripts(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  if (model.slurm_sites.empty()) return;
  const InputNames names(inputs);
  std::set<std::size_t> said;
  std::map<std::size_t, bool> around_jobs;  // Prologs and Epilogs, and whether some site that names one shares nodes
  std::set<std::size_t> elsewhere;          // scripts that something else runs, too
  for (const SlurmSite& site : model.slurm_sites) {
    const std::string_view folder = folder_of(site.file);
    for (const SlurmSetting& setting : site.settings) {
      const std::string_view path = setting.value.value;
      if (std::ranges::find(kProgramKeys, setting.lower_key) == kProgramKeys.end() || !setting.value.is_set() ||
          path.find_first_of("*{}$ ") != path.npos)
        continue;
      for (const std::string& ending : {std::string(), std::string(".j2"), std::string(".tpl")}) {
        for (const std::size_t i : names.called(std::string(last_part(path)) + ending)) {
          const std::string& here = inputs.files[i].context.path;
          const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
          const bool beside = folder.empty() || here.starts_with(std::string(folder) + "/");
          const std::string_view first = without_leading_marks(text);
          const bool brought = first.starts_with("{{") || first.starts_with("{%");  // by a value or another template
          if (!beside || !is_script_text(text) || first.empty()) continue;
          if (setting.lower_key == "epilog" || setting.lower_key == "prolog")
            around_jobs[i] = around_jobs[i] || (site.shares_nodes && !gives_whole_nodes(site));
          else
            elsewhere.insert(i);
          if (first.starts_with("#!") || brought || !said.insert(i).second) continue;
          const auto end = static_cast<std::uint32_t>(std::min(text.find('\n'), text.size()));
          findings.push_back(problem("slurm-script-without-shebang", {static_cast<FileId>(i), 0, end},
                                     "`" + setting.key + "` names this script, and it does not begin with `#!`"));
          findings.back().related.push_back({setting.where, "named here"});
        }
      }
    }
  }
  for (const auto& [file, shares] : around_jobs) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(file)).text();
    find_epilog_slips(static_cast<FileId>(file), text, shares, findings);
    if (!elsewhere.contains(file)) find_prolog_slips(static_cast<FileId>(file), text, findings);
  }
}

}  // namespace muster
