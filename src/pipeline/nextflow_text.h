#pragma once

#include <string>
#include <string_view>

namespace muster {

/// A text of Nextflow with a blank for each character of its comments: places in it are those in the text.
std::string without_nextflow_comments(std::string_view text);

}  // namespace muster
