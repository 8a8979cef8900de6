#pragma once

#include <vector>

namespace muster {

struct Model;
struct OperatorSetting;
struct SchedulerBook;

/// Settles what a gang left to a setting of its operator, and whether a scheduler that manages some kinds only manages
/// its kind: as the input or `stated` says, else as shipped, which is then an assumption. Two settings as strong as
/// each other that differ leave it open.
void apply_operator_settings(Model& model, const std::vector<OperatorSetting>& stated, const SchedulerBook& book);

}  // namespace muster
