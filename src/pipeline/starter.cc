#include "pipeline/starter.h"

#include <algorithm>
#include <map>

#include "base/strings.h"
#include "base/utf8.h"
#include "gang/scheduler.h"
#include "report/ledger.h"

namespace muster {
namespace {

constexpr std::size_t kShown = 20;  // assumptions and open needs: a file to begin with is read by a person

/// A scalar in double quotes within a comment: YAML's escapes are not needed by what `printable` leaves.
std::string in_quotes(std::string_view text) { return "\"" + replace_all(printable(text), "\"", "\\\"") + "\""; }

class Starter {
 public:
  Starter(const Report& report, const Workspace& workspace) : report_(report), workspace_(workspace) {}

  std::string text(const std::string& baseline) {
    out_ =
        "# What `muster init` found here. A line in comments is one to take in where it is right; "
        "docs/configuration.md\n"
        "# has the other keys.\n"
        "muster: config/v1\n";
    if (!baseline.empty()) {
      out_ += "\n# Findings that were there already: they fail nothing, and the list only gets shorter.\nbaseline: " +
              baseline + "\n";
    }
    releases();
    settings();
    fleet();
    open();
    return out_;
  }

 private:
  void releases() {
    const Model& model = workspace_.model;
    const bool slurm = !model.slurm_sites.empty() || !model.sbatch_jobs.empty();
    const bool kubernetes = !model.manifests.empty() || !model.gangs.empty();
    if (!slurm && !kubernetes) return;
    out_ +=
        "\n# Which keys and fields there are is a matter of releases. What stands here counts before what files say.\n";
    out_ += "# targets:\n";
    if (slurm) release("slurm", report_.installed_slurm, "scontrol --version");
    if (kubernetes) release("kubernetes", report_.installed_kubernetes, "kubectl version");
  }

  void release(std::string_view name, const Located<std::string>& installed, std::string_view command) {
    out_ += "#   " + std::string(name) + ": ";
    if (installed.is_set())
      out_ += in_quotes(installed.value) + "  # as " + place(installed.where) + " has it\n";
    else
      out_ += "\"...\"  # no file states it; `" + std::string(command) + "` does\n";
  }

  std::string place(const Span& at) const {
    const SourceFile& file = report_.sources->file(at.file);
    return printable(file.path()) + ":" + std::to_string(file.position(at.begin).line);
  }

  /// What findings take for granted: settings of operators with their keys, then the rest.
  void settings() {
    std::map<std::string, std::size_t> assumed = assumptions_of(report_);
    std::string lines;
    for (const Operator& one : SchedulerBook::or_shipped(book()).operators) {
      std::string of_one;
      for (const OperatorOption& option : one.settings) {
        const auto found = assumed.find(assumption_of(one, option));
        if (found == assumed.end()) continue;
        of_one += "#     " + option.name + ": " + usual(option) + "  # " + count_of(found->second, "finding") + ": " +
                  printable(option.says) + "\n";
        assumed.erase(found);
      }
      if (!of_one.empty()) lines += "#   " + one.id + ":\n" + of_one;
    }
    if (!lines.empty()) {
      out_ +=
          "\n# Operators are taken as shipped where no file says how they are set. Correct and take in what is set\n"
          "# otherwise in your clusters.\n# operators:\n" +
          lines;
    }
    if (assumed.empty()) return;
    out_ += "\n# Taken for granted:\n";
    std::size_t shown = 0;
    for (const auto& [assumption, findings] : assumed) {
      if (++shown > kShown) break;
      out_ += "# - " + count_of(findings, "finding") + ": " + printable(assumption) + "\n";
    }
    if (assumed.size() > kShown) out_ += "# ... and " + with_thousands(assumed.size() - kShown) + " more\n";
  }

  const SchedulerBook* book() const {
    return workspace_.knowledge == nullptr ? nullptr : &workspace_.knowledge->schedulers();
  }

  static std::string usual(const OperatorOption& option) {
    if (option.list.empty()) return in_quotes(option.fallback.value_or(""));
    std::vector<std::string> words;
    for (const std::string& word : option.list) words.push_back(in_quotes(word));
    return "[" + join(words, ", ") + "]";
  }

  void fleet() {
    const Model& model = workspace_.model;
    if (model.fleets.empty() && !model.gangs.empty())
      out_ +=
          "\n# Proofs are about nodes: `muster inventory DUMP -o fleet.yaml` makes this file of a dump of kubectl or "
          "scontrol.\n# fleet: fleet.yaml\n";
    if (!model.gangs.empty())
      out_ +=
          "\n# Where this folder holds all that there is, a queue or group that it does not have is a mistake.\n"
          "# complete: true\n";
  }

  void open() {
    const std::vector<OpenNeed> needs = open_needs(report_);
    if (needs.empty()) return;
    out_ += "\n# Not decided; what would decide it:\n";
    for (std::size_t i = 0; i < std::min(needs.size(), kShown); ++i)
      out_ += "# - " + printable(needs[i].need) + " (" + count_of(needs[i].objects, "object") + ", " +
              place(needs[i].first) + ")\n";
    if (needs.size() > kShown) out_ += "# ... and " + with_thousands(needs.size() - kShown) + " more\n";
  }

  const Report& report_;
  const Workspace& workspace_;
  std::string out_;
};

}  // namespace

std::string starter_config(const Report& report, const Workspace& workspace, const std::string& baseline) {
  return Starter(report, workspace).text(baseline);
}

}  // namespace muster
