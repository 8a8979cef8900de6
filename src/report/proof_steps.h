#pragma once

#include <string>
#include <vector>

#include "prove/prove.h"

namespace muster {

/// Steps that people read as one: single pods of one role put on one node, each for itself.
struct StepRun {
  ProofStep first;
  std::size_t times = 1;
};

std::vector<StepRun> step_runs(const std::vector<ProofStep>& steps);

/// "places 4 pods, one by one (4 GPUs) on p/0"; names are fit for a terminal.
std::string step_words(const World& world, const StepRun& run);

/// The same told shortly: what a gang does alike on several nodes, one after the other or at once, is one line.
std::vector<std::string> short_lines(const World& world, const std::vector<ProofStep>& steps);

/// A line each: number of the commit, gang, what it does; what is beyond the first few is counted.
std::vector<std::string> step_lines(const World& world, const std::vector<ProofStep>& steps);

/// The steps of a counterexample, what is held at the end and what mends it: lines fit for a terminal.
std::string counterexample_text(const World& world, const ProofResult& result);

}  // namespace muster
