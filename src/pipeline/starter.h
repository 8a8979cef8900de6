#pragma once

#include <string>

#include "pipeline/check.h"

namespace muster {

/// The muster.yaml that a repository begins with, made of what a check of it found: releases that files state or none
/// does, settings of operators that findings take for granted, and what would decide what is open. All of that stands
/// in comments, ready to be taken in: nothing holds before somebody said so. `baseline`: the name of a baseline beside
/// it; empty: none.
std::string starter_config(const Report& report, const Workspace& workspace, const std::string& baseline);

}  // namespace muster
