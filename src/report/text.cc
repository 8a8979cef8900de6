#include <algorithm>
#include <map>

#include "base/strings.h"
#include "base/utf8.h"
#include "report/folding.h"
#include "report/ledger.h"
#include "report/report.h"
#include "report/words.h"
#include "source/snippet.h"

namespace muster {
namespace {

constexpr std::size_t kNeedsShown = 10;
constexpr std::size_t kTemplatesShown = 3;
constexpr std::size_t kPlacesShown = 40;

class TextReport {
 public:
  TextReport(const Report& report, const RenderOptions& options) : report_(report), options_(options) {}

  std::string run() {
    if (!options_.quiet) line(nothing_checked_line(report_));
    for (const FoldedFinding& finding : fold_findings(report_.findings)) write(finding);
    if (!options_.quiet) {
      write_assumptions();
      write_undecided();
      write_templates();
      write_not_rendered();
    }
    if (options_.coverage) out_ += coverage_text(report_.coverage);
    if (!options_.quiet) {
      line(installed_line("Slurm", "slurm", report_.installed_slurm));
      line(installed_line("Kubernetes", "kubernetes", report_.installed_kubernetes));
      line(configured_line(report_.configured));
      line(selected_line(report_.selected));
      line(stale_line(report_.compared));
      for (const std::string& left : report_.compared.not_compared) line(printable(left));
      line(unknown_gpu_line(report_.coverage));
      line(summary_line(report_));
    }
    return std::move(out_);
  }

 private:
  std::string paint(std::string_view code, const std::string& text) const {
    if (options_.color == Color::Never) return text;
    return "\x1b[" + std::string(code) + "m" + text + "\x1b[0m";
  }
  static std::string_view color_of(Severity severity) {
    switch (severity) {
      case Severity::Error: return "1;31";
      case Severity::Warning: return "1;33";
      case Severity::Info: return "1;36";
    }
    return "0";
  }

  std::string place(const Span& where) const { return place_words(*report_.sources, where); }

  void line(const std::string& words) {
    if (!words.empty()) out_ += words + "\n";
  }

  void write(const FoldedFinding& folded) {
    const Finding& finding = *folded.first;
    std::size_t gutter = gutter_width(report_.sources->begin_of(finding.where).line);
    for (const RelatedPlace& related : finding.related)
      gutter = std::max(gutter, gutter_width(report_.sources->begin_of(related.where).line));
    const std::string blank(gutter, ' ');
    out_ += paint(color_of(finding.severity), std::string(name_of(finding.severity)) + "[" + finding.rule + "]") +
            ": " + paint("1", printable(finding.message)) + "\n";
    out_ += blank + paint("34", "-->") + " " + place(finding.where) + "\n";
    out_ += snippet(finding.where, gutter);
    for (const RelatedPlace& related : finding.related) {
      out_ += blank + paint("34", ":::") + " " + place(related.where) + ": " + printable(related.message) + "\n";
      out_ += snippet(related.where, gutter);
    }
    note(blank, "effect", std::string(name_of(finding.effect)));
    note(blank, "follows", finding.follows);
    for (const std::string& assumption : finding.assumes) note(blank, "assumes", assumption);
    note(blank, "help", finding.help.empty() ? "" : finding.help + "; `muster explain " + finding.rule + "`");
    write_more(blank, folded.more);
    out_ += "\n";
  }

  std::string snippet(const Span& where, std::size_t gutter) const {
    return report_.places_only ? "" : render_snippet(*report_.sources, where, gutter);
  }

  /// Where the same is found, too: `a.yaml:3, 7; b.yaml:3`.
  void write_more(const std::string& blank, const std::vector<const Finding*>& more) {
    if (more.empty()) return;
    std::string places;
    FileId file = FileId::None;
    for (std::size_t i = 0; i < std::min(more.size(), kPlacesShown); ++i) {
      const Span& where = more[i]->where;
      const std::string number = std::to_string(report_.sources->begin_of(where).line);
      places += i > 0 && where.file == file
                    ? ", " + number
                    : (i > 0 ? "; " : "") + printable(report_.sources->file(where.file).path()) + ":" + number;
      file = where.file;
    }
    if (more.size() > kPlacesShown) places += " and elsewhere; `--format json` lists them all";
    out_ += " " + blank + " ... and " + with_thousands(more.size()) + " more like it: " + places + "\n";
  }

  void note(const std::string& blank, std::string_view kind, const std::string& words) {
    if (words.empty()) return;
    out_ += " " + blank + " = " + paint("1", std::string(kind) + ":") + " " + printable(replace_all(words, "\n", " ")) +
            "\n";
  }

  /// Each thing that was taken for granted, once.
  void write_assumptions() {
    const std::map<std::string, std::size_t> findings = assumptions_of(report_);
    for (const auto& [assumption, count] : findings)
      out_ += "assumed (" + count_of(count, "finding") + "): " + printable(assumption) + "\n";
    if (!findings.empty()) out_ += "\n";
  }

  /// One line for each thing that would decide something, the most wanted first.
  void write_undecided() {
    const std::vector<OpenNeed> sorted = open_needs(report_);
    for (std::size_t i = 0; i < std::min(sorted.size(), kNeedsShown); ++i) {
      out_ += "not decided (" + count_of(sorted[i].objects, "object") + ", first " + place(sorted[i].first) +
              "): " + printable(sorted[i].need) + "\n";
    }
    if (sorted.size() > kNeedsShown)
      out_ += "not decided: " + count_of(sorted.size() - kNeedsShown, "more thing") +
              " would decide something; `--format json` lists them\n";
    if (!sorted.empty()) out_ += "\n";
  }

  std::string installed_line(const std::string& name, const std::string& target,
                             const Located<std::string>& release) const {
    if (!release.is_set()) return "";
    return "judged for " + name + " " + printable(release.value) + ", as " + place(release.where) +
           " says; `--target " + target + "=VERSION` says otherwise";
  }

  void write_templates() {
    if (report_.templates.empty()) return;
    write_templates(false, "template, not checked: render it first: ");
    write_templates(true, "template, checked in part, where no mark stands: ");
    out_ += "\n";
  }

  void write_templates(bool in_part, std::string_view what) {
    std::vector<std::string> files;
    std::size_t more = 0;
    for (const SkippedTemplate& file : report_.templates) {
      if (file.in_part != in_part) continue;
      if (files.size() < kTemplatesShown)
        files.push_back(printable(file.file));
      else
        ++more;
    }
    if (files.empty()) return;
    out_ += std::string(what) + join(files, ", ") + (more > 0 ? " and " + std::to_string(more) + " more" : "") + "\n";
  }

  void write_not_rendered() {
    const std::vector<NotBuilt>& all = report_.coverage.not_rendered;
    for (std::size_t i = 0; i < std::min(all.size(), kTemplatesShown); ++i)
      out_ += (all[i].chart ? "chart, not rendered: " : "kustomization, not built: ") + printable(all[i].file) + ": " +
              printable(all[i].why) + "\n";
    if (all.size() > kTemplatesShown)
      out_ += "and " + std::to_string(all.size() - kTemplatesShown) + " more; `--coverage` lists them\n";
    if (!all.empty()) out_ += "\n";
  }

  const Report& report_;
  const RenderOptions& options_;
  std::string out_;
};

}  // namespace

std::string render_text(const Report& report, const RenderOptions& options) {
  return TextReport(report, options).run();
}

}  // namespace muster
