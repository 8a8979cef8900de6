#pragma once

#include <string>
#include <string_view>

namespace muster {

/// Of what image a container of vLLM is.
struct VariablesOf {
  bool makers = false;    ///< that of vLLM's makers, or a copy of it
  bool floating = false;  ///< whatever is newest
  std::string release;    ///< empty: nobody knows
};

/// What is wrong with an environment variable that begins with VLLM_; empty: nothing, or nobody knows. Source:
/// schemas/server.variables, whose form scripts/server_variables.py describes.
std::string unread_variable(std::string_view name, const VariablesOf& image);

}  // namespace muster
