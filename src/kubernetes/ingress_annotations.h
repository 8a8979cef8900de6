#pragma once

#include <optional>
#include <string_view>

namespace muster {

/// What is wrong with a word behind `nginx.ingress.kubernetes.io/`: nullopt, where some release of ingress-nginx reads
/// it; else the word that was meant, empty where there is none.
std::optional<std::string_view> meant_ingress_annotation(std::string_view word);

}  // namespace muster
