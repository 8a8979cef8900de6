#pragma once

#include <string>
#include <string_view>

namespace muster {

/// The variable of CUDA, ROCm or PyTorch that a name nearly is: one letter more, less or another, or a slip that is
/// often made. Empty: it is one of them, or like none.
std::string_view meant_device_variable(std::string_view name);

/// The same of NCCL's.
std::string_view meant_nccl_variable(std::string_view name);

/// `SINGULARITYENV_X` for `SINGULAIRTYENV_X`: what Apptainer and Singularity hand into a container, where the beginning
/// of the name is misspelt. Empty: it is not.
std::string meant_container_variable(std::string_view name);

}  // namespace muster
