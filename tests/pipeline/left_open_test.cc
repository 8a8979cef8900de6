// What only the type of a value left open is said once, of the object that has it.
#include "pipeline/left_open.h"

#include "lint/lint.h"
#include "support/catch.h"

using namespace muster;

namespace {

/// Whether what is open at `limits` stays so beside a finding of the type of `"x"`.
bool stays_open(const std::string& text) {
  SourceMap sources;
  const FileId file = sources.add("a.yaml", text);
  const auto at = [&](std::string_view word) {
    const auto begin = static_cast<std::uint32_t>(text.find(word));
    return Span{file, begin, begin + static_cast<std::uint32_t>(word.size())};
  };
  std::vector<Undecided> undecided{
      {"karpenter-limits-over-quota", "", at("limits"), {std::string(kNeedsEvaluation) + "no number"}}};
  drop_of_wrong_types({problem("field-type", at("\"x\""), "no number")}, sources, undecided);
  return !undecided.empty();
}

}  // namespace

TEST_CASE("what the type of a value leaves open is that of its own object", "[left-open]") {
  CHECK(!stays_open("kind: NodePool\nspec:\n  limits: {cpu: \"x\"}\n"));
  CHECK(stays_open("kind: NodePool\nspec:\n  limits: {}\n---\nkind: Deployment\nspec: {replicas: \"x\"}\n"));
  CHECK(
      stays_open("kind: List\nitems:\n- apiVersion: karpenter.sh/v1\n  kind: NodePool\n  spec: {limits: {}}\n"
                 "- apiVersion: apps/v1\n  kind: Deployment\n  spec: {replicas: \"x\"}\n"));
}
