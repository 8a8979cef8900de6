#include <algorithm>
#include <map>
#include <set>

#include "base/strings.h"
#include "review/fill.h"

namespace muster {
namespace {

constexpr std::size_t kMostNamed = 20;

/// Rules that look at objects of a kind one by one.
std::size_t rules_about(const RuleBook& book, const UnknownKind& kind) {
  const std::string_view group = std::string_view(kind.api).substr(0, kind.api.find('/'));
  std::size_t out = 0;
  for (const ManifestDef& def : manifest_defs()) {
    const auto has = [](std::string_view list, std::string_view word) {
      const std::vector<std::string_view> words = split(list, ' ');
      return std::ranges::find(words, word) != words.end();
    };
    if (!has(def.kinds, kind.kind) || !has(def.group, contains(kind.api, "/") ? group : "-")) continue;
    out += static_cast<std::size_t>(std::ranges::count_if(book.rules(), [&](const Rule& rule) {
      return rule.enabled && rule.collection != nullptr && rule.collection->name == def.collection;
    }));
  }
  return out;
}

void add_kinds(const Coverage& coverage, const RuleBook& book, Review& review) {
  for (const UnknownKind& kind : coverage.unknown_kinds) {
    const std::size_t rules = rules_about(book, kind);
    review.gaps.push_back({count_of(kind.objects, "object") + " of `" + kind.api + "/" + kind.kind + "`" +
                               (kind.with_gpus > 0 ? ", " + with_thousands(kind.with_gpus) + " with GPUs" : ""),
                           rules > 0
                               ? count_of(rules, "rule") + " looked at it; that its fields exist was not checked"
                               : "muster does not know the kind; a file in a folder of `--rules` can describe it"});
  }
  for (const UnknownKind& kind : coverage.checked_kinds) {
    const std::size_t rules = rules_about(book, kind);
    review.gaps.push_back({count_of(kind.objects, "object") + " of `" + kind.api + "/" + kind.kind + "`",
                           rules > 0 ? "its fields were gone through, and " + count_of(rules, "rule") + " looked at it"
                                     : "its fields were gone through, and nothing else"});
  }
}

void add_files(const Report& report, Review& review) {
  for (std::size_t i = 0; i < std::min(report.templates.size(), kMostNamed); ++i) {
    const SkippedTemplate& file = report.templates[i];
    review.gaps.push_back(
        {"`" + file.file + "`, a template of " + file.kind,
         file.in_part ? "checked where no mark stands; rendered it would be checked whole" : "render it first"});
  }
  if (report.templates.size() > kMostNamed)
    review.gaps.push_back({count_of(report.templates.size() - kMostNamed, "template") + " more", "render them first"});
  const Coverage& coverage = report.coverage;
  for (std::size_t i = 0; i < std::min(coverage.not_rendered.size(), kMostNamed); ++i)
    review.gaps.push_back({(coverage.not_rendered[i].chart ? "chart `" : "kustomization `") +
                               coverage.not_rendered[i].file + "`, not built",
                           coverage.not_rendered[i].why});
  const auto count = [&](std::size_t files, std::string_view noun, std::string why) {
    if (files > 0) review.gaps.push_back({count_of(files, noun), std::move(why)});
  };
  count(coverage.too_large, "file too large", "above the size that muster reads");
  count(coverage.ignored, "ignored file", "git, its name or muster.yaml leaves it out; `--no-ignore` reads it");
  // muster.yaml was read, by another way.
  const auto own = std::ranges::count_if(coverage.lines, [&](const CoverageLine& line) {
    return line.fate == "foreign" && line.file == report.configured.file;
  });
  count(coverage.foreign - static_cast<std::size_t>(own), "foreign file", "of no kind that has to do with scheduling");
}

void add_said_otherwise(const Report& report, Review& review) {
  for (const std::string& rule : report.configured.off)
    review.gaps.push_back({"rule `" + rule + "`", "`" + report.configured.file + "` switches it off"});
  for (const SuppressedFinding& entry : report.suppressed)
    review.gaps.push_back({"`" + entry.finding.rule + "`: " + entry.finding.message, "allowed: " + entry.reason});
}

void add_open(const Report& report, const Review& review, std::vector<ReviewGap>& out) {
  if (!report.undecided.empty())
    out.push_back({count_of(report.undecided.size(), "judgement"), "something is not known: see the open questions"});
  if (!review.left_out.empty())
    out.push_back({count_of(review.left_out.size(), "gang") + " in no proof", "each with its reason: see the proofs"});
  std::size_t unknown = 0;
  for (const ReviewProof& proof : review.proofs)
    unknown +=
        static_cast<std::size_t>(std::ranges::count(proof.proof.results, Verdict::Unknown, &ProofResult::verdict));
  if (unknown > 0)
    out.push_back({count_of(unknown, "verdict") + " about gangs", "neither proved nor broken: see the proofs"});
}

}  // namespace

void fill_gaps(const ReviewSubject& subject, Review& review) {
  add_kinds(subject.report.coverage, subject.book, review);
  add_open(subject.report, review, review.gaps);
  add_files(subject.report, review);
  add_said_otherwise(subject.report, review);
}

void fill_assumptions(const ReviewSubject& subject, Review& review) {
  std::set<std::string> all;
  for (const Finding& finding : subject.report.findings) all.insert(finding.assumes.begin(), finding.assumes.end());
  for (const WorldProof& proof : subject.proofs) {
    all.insert(proof.world->assumes.begin(), proof.world->assumes.end());
    for (const WorldSource& source : proof.world->rests_on) {
      if (!source.where.placed()) all.insert(source.says);
    }
  }
  review.assumptions.assign(all.begin(), all.end());
}

void fill_sources(const ReviewSubject& subject, Review& review) {
  std::map<std::string, std::set<std::string>> used;
  for (const RuleInfo& rule : subject.report.rules) {
    for (const std::string& source : rule.sources) used[source].insert(rule.id);
  }
  for (const ReviewDecision& decision : review.decisions) {
    const Table* table = subject.book.find_table(decision.choice.rule.substr(0, decision.choice.rule.find('/')));
    if (table == nullptr) continue;
    for (const std::string& source : table->sources) used[source].insert(table->id);
  }
  for (const ReviewCheck& check : review.dra.checks) used[check.source].insert("dra/" + check.id);
  if (!review.goodput.empty()) {
    used["arXiv 2410.21680 (Meta, HPCA 2025): expected share of effective training time"].insert("goodput");
    used["J. Young, A first order approximation to the optimum checkpoint interval, 1974"].insert("goodput");
  }
  for (const auto& [source, by] : used) review.sources.push_back({source, {by.begin(), by.end()}});
}

Review fill_review(const ReviewSubject& subject) {
  Review review;
  review.report = &subject.report;
  fill_fleet(subject, review);
  fill_topologies(subject, review);
  fill_queues(subject, review);
  fill_planes(subject, review);
  fill_decisions(subject, review);
  fill_readiness(subject, review);
  fill_figures(subject, review);
  fill_proofs(subject, review);
  fill_causes(subject, review);
  fill_risks(subject, review);
  fill_assumptions(subject, review);
  fill_questions(subject, review);
  fill_gaps(subject, review);
  fill_sources(subject, review);
  return review;
}

}  // namespace muster
