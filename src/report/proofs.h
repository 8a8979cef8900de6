#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "prove/prove.h"
#include "source/source_map.h"

namespace muster {

/// What was proved of one world.
struct WorldProof {
  const World* world = nullptr;
  std::vector<ProofResult> results;
};

/// A gang that no world could be made of, and what would decide it.
struct UnprovedGang {
  std::string gang;
  Span where;
  std::string needs;
};

/// For people: the verdicts of each world, and the counterexamples with their steps.
std::string proofs_text(const std::vector<WorldProof>& proofs, const std::vector<UnprovedGang>& left_out,
                        const SourceMap& sources);

/// muster.prove/v1: one result for each world, pool and property.
std::string proofs_json(const std::vector<WorldProof>& proofs, const std::vector<UnprovedGang>& left_out,
                        const SourceMap& sources);

/// JUnit XML: a suite for each world and a test for each pool and property; what is unknown is skipped.
std::string proofs_junit(const std::vector<WorldProof>& proofs, const std::vector<UnprovedGang>& left_out,
                         const SourceMap& sources);

/// A comment on a pull request: the verdicts that are none of `holds`, with their steps folded.
std::string proofs_markdown(const std::vector<WorldProof>& proofs, const std::vector<UnprovedGang>& left_out,
                            const SourceMap& sources);

/// The same as a value, to be part of something larger.
nlohmann::ordered_json proofs_value(const std::vector<WorldProof>& proofs, const std::vector<UnprovedGang>& left_out,
                                    const SourceMap& sources);

/// A picture of each counterexample: nodes down, steps across, gangs by colour, what is stuck hatched. SVG.
std::string proofs_svg(const std::vector<WorldProof>& proofs);

/// A format of `muster prove`; rows sorted by name.
struct ProofFormat {
  std::string_view name;
  std::string_view doc;
  std::string (*render)(const std::vector<WorldProof>& proofs, const std::vector<UnprovedGang>& left_out,
                        const SourceMap& sources);
};
std::span<const ProofFormat> proof_formats();

}  // namespace muster
