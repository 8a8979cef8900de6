#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/report.h"

namespace muster {

/// `7 GPU objects of kinds muster does not know: FooJob (4), ...`; empty when there are none.
std::string unknown_gpu_line(const Coverage& coverage);
/// `nothing was checked: ...`; empty when something was, or is broken.
std::string nothing_checked_line(const Report& report);
/// `muster.yaml switches off: ...`; empty when it takes nothing away.
std::string configured_line(const Configured& configured);
/// `the command line takes only ...`; empty when it takes nothing away.
std::string selected_line(const Selected& selected);
/// `3 findings of .muster-baseline.json are gone: ...`; empty when none is.
std::string stale_line(const Compared& compared);
/// What each earlier state has already: `312 in the baseline`, `3 already in main`, `2 undecided already in main`.
std::vector<std::string> known_parts(const Report& report);
/// `3 errors, 1 warning, 2 undecided in 42 artifacts (5 files skipped)`
std::string summary_line(const Report& report);
/// What became of each file, and which kinds muster does not know.
std::string coverage_text(const Coverage& coverage);

/// Something that would decide what is undecided.
struct OpenNeed {
  std::string need;  ///< as it is, not yet fit for a terminal
  std::size_t objects = 0;
  Span first;  ///< one of them
};
/// The most wanted first.
std::vector<OpenNeed> open_needs(const Report& report);

/// Each thing that was taken for granted, and the number of findings that rest on it.
std::map<std::string, std::size_t> assumptions_of(const Report& report);

}  // namespace muster
