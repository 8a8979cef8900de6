#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report/report.h"

namespace muster::test {

/// A report of findings that no rule made, to see how it is written. The file holds everything a place can point at.
struct SmallReport {
  SourceMap sources;
  Report report;

  SmallReport() { report.sources = &sources; }
  SmallReport(const SmallReport&) = delete;
  SmallReport& operator=(const SmallReport&) = delete;
};

/// Two files, a finding of each severity with everything a finding can have, undecided things, templates.
void fill_plain(SmallReport& small);
/// The same fields filled by somebody who wants to get out of them.
void fill_hostile(SmallReport& small);
/// The same fields, each filled with the next of these words.
void fill_with(SmallReport& small, const std::function<std::string()>& words);

/// Text that tries to break out of every format at once.
std::string hostile_text();

RenderOptions plain_options();

}  // namespace muster::test
