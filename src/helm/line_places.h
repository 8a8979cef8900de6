#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace muster {

/// Which line of a template wrote each line of what Helm made of it; both 1-based, the first of the result is that of
/// the first rendered line. Helm does not say, so that the lines are matched: literal ones by their text, those with an
/// action by what stands around it, the rest belong to an action that stands alone in its line (`include`, `toYaml`).
/// The rendering goes through the template from above; a loop may lead back. Where the two are too long to be
/// compared every line is the first of the template.
std::vector<std::uint32_t> lines_that_wrote(std::string_view rendered, std::string_view written);

}  // namespace muster
