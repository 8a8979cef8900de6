#pragma once

#include <string_view>

namespace muster {

/// The variable of CUDA, ROCm or PyTorch that a name nearly is: one letter more, less or another, or a slip that is
/// often made. Empty: it is one of them, or like none.
std::string_view meant_device_variable(std::string_view name);

}  // namespace muster
