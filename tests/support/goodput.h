// A fleet and a job of which the arithmetic of goodput speaks.
#pragma once

#include <string>

#include "decide/goodput.h"

namespace muster::test {

/// GPU-hours between interruptions of Llama 3's 54 days: 1296 h * 16384 GPUs / 419.
inline constexpr double kLlamaRate = 50677;

struct GoodputFacts {
  int nodes = 2048;  ///< of 8 GPUs each; of the fleet and of the job
  double write = 20;
  double interval = 600;
  double recovery = 600;
  double repair = 72;
  double rate = kLlamaRate;
};

/// `instead` are the facts of the workload behind its nodes, in place of those above.
Goodput goodput(const GoodputFacts& facts, const std::string& instead = "");
Spares spares(const GoodputFacts& facts);

}  // namespace muster::test
