// The formats of `muster prove`, and those that are lists of verdicts for build servers and reviews.
#include <algorithm>
#include <array>

#include "base/strings.h"
#include "base/utf8.h"
#include "report/junit_text.h"
#include "report/markdown_text.h"
#include "report/proof_steps.h"
#include "report/proofs.h"
#include "report/words.h"

namespace muster {
namespace {

constexpr std::size_t kReasonShown = 400;  // code points

constexpr std::array kProofFormats{
    ProofFormat{"json", "muster.prove/v1, for programs", proofs_json},
    ProofFormat{"junit", "JUnit XML: a test for each pool and property", proofs_junit},
    ProofFormat{"markdown", "comment on a pull request", proofs_markdown},
    ProofFormat{"svg", "a picture of each counterexample",
                [](const std::vector<WorldProof>& proofs, const std::vector<UnprovedGang>&, const SourceMap&) {
                  return proofs_svg(proofs);
                }},
    ProofFormat{"text", "for people", proofs_text},
};
static_assert(std::ranges::is_sorted(kProofFormats, {}, &ProofFormat::name));

std::string pools_of(const World& world, const ProofResult& result) {
  std::string out;
  for (const std::size_t pool : result.pools) out += (out.empty() ? "" : ", ") + world.pools[pool].name.value;
  return out;
}

JUnitTest test_of(const World& world, const ProofResult& result) {
  JUnitTest out{"muster.prove." + std::string(name_of(result.property)),
                world.name.value + ": pool " + pools_of(world, result), JUnitTest::Outcome::Passed, ""};
  switch (result.verdict) {
    case Verdict::Holds: out.inside = junit_output(printable(result.reason) + "\n"); break;
    case Verdict::Unknown:
      out.outcome = JUnitTest::Outcome::Skipped;
      out.inside = junit_outcome("skipped", "unknown", "unknown: " + result.reason, "");
      break;
    case Verdict::Counterexample:
      out.outcome = JUnitTest::Outcome::Failed;
      out.inside = junit_outcome("failure", "counterexample", result.reason,
                                 result.counterexample ? counterexample_text(world, result) : "");
      break;
  }
  return out;
}

std::string sentence(const std::string& text) { return markdown_text(clipped(printable(text), kReasonShown)); }

std::string line_of(const World& world, const ProofResult& result) {
  return "* " + markdown_code(clipped(printable(world.name.value), kReasonShown)) + ", pool " +
         markdown_code(clipped(printable(pools_of(world, result)), kReasonShown)) + ": " + sentence(result.reason) +
         "\n";
}

/// What is to be said of each verdict, in the order of the worlds.
struct Verdicts {
  std::vector<std::string> broken;
  std::vector<std::string> open;
  std::size_t holds = 0;
};

Verdicts verdicts_of(const std::vector<WorldProof>& proofs, const std::vector<UnprovedGang>& left_out) {
  Verdicts out;
  for (const WorldProof& proof : proofs) {
    for (const ProofResult& result : proof.results) {
      const std::string line = line_of(*proof.world, result);
      const std::string property = "<code>" + std::string(name_of(result.property)) + "</code>";
      switch (result.verdict) {
        case Verdict::Holds: ++out.holds; break;
        case Verdict::Unknown: out.open.push_back(line); break;
        case Verdict::Counterexample: {
          const std::string steps = result.counterexample ? counterexample_text(*proof.world, result) : "";
          out.broken.push_back(markdown_details("counterexample: " + property,
                                                line + "\n" + markdown_block(clipped(steps, kCommentBytes / 8)),
                                                Fold::Open));
        }
      }
    }
  }
  for (const UnprovedGang& gang : left_out)
    out.open.push_back("* " + markdown_code(clipped(printable(gang.gang), kReasonShown)) +
                       ", left out: " + sentence(gang.needs) + "\n");
  return out;
}

/// As many as fit.
std::string some_of(const std::vector<std::string>& pieces, std::size_t bytes) {
  std::string out;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (out.size() + pieces[i].size() > bytes) return out + "\nand " + with_thousands(pieces.size() - i) + " more\n\n";
    out += pieces[i];
  }
  return out;
}

}  // namespace

std::span<const ProofFormat> proof_formats() { return kProofFormats; }

std::string proofs_junit(const std::vector<WorldProof>& proofs, const std::vector<UnprovedGang>& left_out,
                         const SourceMap&) {
  std::vector<JUnitSuite> suites;
  for (const WorldProof& proof : proofs) {
    suites.push_back({proof.world->name.value, {}});
    for (const ProofResult& result : proof.results) suites.back().tests.push_back(test_of(*proof.world, result));
  }
  JUnitSuite open{"left out", {}};
  for (const UnprovedGang& gang : left_out)
    open.tests.push_back({"muster.prove", gang.gang, JUnitTest::Outcome::Skipped,
                          junit_outcome("skipped", "left out", "not known: " + gang.needs, "")});
  if (!open.tests.empty()) suites.push_back(std::move(open));
  if (suites.empty())
    suites.push_back({"muster prove",
                      {{"muster.prove", "worlds", JUnitTest::Outcome::Skipped,
                        junit_outcome("skipped", "nothing", "no gang and no pool to prove anything about", "")}}});
  return junit_document(suites);
}

std::string proofs_markdown(const std::vector<WorldProof>& proofs, const std::vector<UnprovedGang>& left_out,
                            const SourceMap&) {
  const Verdicts verdicts = verdicts_of(proofs, left_out);
  std::string out = "### muster prove: " + count_of(verdicts.broken.size(), "counterexample") + ", " +
                    with_thousands(verdicts.open.size()) + " unknown, " + with_thousands(verdicts.holds) +
                    " proved in " + count_of(proofs.size(), "world") + "\n\n";
  out += some_of(verdicts.broken, kCommentBytes * 3 / 4);
  if (!verdicts.open.empty())
    out += markdown_details("unknown", some_of(verdicts.open, kCommentBytes / 8), Fold::Closed);
  return out;
}

}  // namespace muster
