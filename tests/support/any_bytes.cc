#include "support/any_bytes.h"

#include "decide/decide.h"
#include "lint/lint.h"
#include "pipeline/check.h"
#include "pipeline/excerpts.h"
#include "pipeline/suppress.h"
#include "source/snippet.h"

namespace muster::test {
namespace {

using Files = std::map<std::string, std::string>;

const RuleBook& shipped_rules() {
  static const Result<Book> book = load_whole_book({}, MemoryFileSystem(Files{}));
  return *book->rules;
}

class Inspector {
 public:
  Inspector(const SourceMap& sources, AnyBytes& out) : sources_(sources), out_(out) {}

  void look_at(const Finding& finding) {
    place(finding.where, finding.rule);
    for (const RelatedPlace& related : finding.related) place(related.where, finding.rule + " (related)");
    out_.report += finding.rule + ": " + finding.message + "; " + finding.follows + "; " + finding.help + " " +
                   finding.fingerprint + "\n";
  }
  void look_at(const Undecided& open) {
    place(open.where, open.rule);
    out_.report += open.rule + "? " + open.object;
    for (const std::string& need : open.needs) out_.report += ", " + need;
    out_.report += "\n";
  }

 private:
  void place(const Span& where, const std::string& what) {
    if (!where.placed() || static_cast<std::size_t>(where.file) >= sources_.size()) {
      out_.broken_promise = what + " has no place";
      return;
    }
    const SourceFile& file = sources_.file(where.file);
    if (where.begin > where.end || where.end > file.text().size()) {
      out_.broken_promise = what + " stands at " + std::to_string(where.begin) + "-" + std::to_string(where.end) +
                            " of " + std::to_string(file.text().size()) + " bytes";
      return;
    }
    const Position at = file.position(where.begin);
    out_.report += std::to_string(at.line) + ":" + std::to_string(at.column) + " " +
                   render_snippet(sources_, where, gutter_width(at.line));
  }

  const SourceMap& sources_;
  AnyBytes& out_;
};

}  // namespace

AnyBytes check_any_bytes(const std::string& name, const std::string& bytes) {
  AnyBytes out;
  const MemoryFileSystem disk(Files{{name, bytes}});
  if (name.ends_with("muster.yaml")) {
    const Result<Config> config = read_config(name, disk);
    out.report += config ? "a configuration\n" : config.error().message + "\n";
  }
  std::vector<Finding> findings;
  const Result<Inputs> inputs = discover({{"."}, {}, {}}, disk, findings);
  if (!inputs) return {inputs.error().message, ""};
  std::vector<ParsedFile> parsed = parse_all(*inputs, 1, findings);
  const Rendered rendered = render_all(parsed, *inputs, findings, KindTable::shipped());
  const Model model = normalise_all(parsed, *inputs, {}, findings, rendered.bundles);
  const RuleBook& book = shipped_rules();
  const std::vector<Decision> decisions = decide_all(model, book);
  LintResult linted = lint({model, decisions, book, {}, {}});
  complete_from_rules(findings, book);
  Boxed<Excerpt> excerpts = read_excerpts(*inputs, parsed, {}, KindTable::shipped(), 1);
  for (Finding& finding : lint_excerpts(excerpts, book, {}, 1)) linted.findings.push_back(std::move(finding));
  linted.findings.insert(linted.findings.end(), findings.begin(), findings.end());
  suppress(linted, {parsed, rendered.bundles, *inputs, {}, book, *parse_date("2026-06-01"), true});
  findings = std::move(linted.findings);
  sort_findings(findings, inputs->sources);
  assign_fingerprints(findings, inputs->sources);
  sort_undecided(linted.undecided, inputs->sources);
  Inspector inspector(inputs->sources, out);
  for (const Finding& finding : findings) inspector.look_at(finding);
  for (const Undecided& open : linted.undecided) inspector.look_at(open);
  return out;
}

}  // namespace muster::test
