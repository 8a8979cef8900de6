#pragma once

#include <string>
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

/// A picture of each counterexample: nodes down, steps across, gangs by colour, what is stuck hatched. SVG.
std::string proofs_svg(const std::vector<WorldProof>& proofs);

}  // namespace muster
