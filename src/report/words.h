#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace muster {

/// `jobs/train.yaml:14:15`, fit for a terminal or a log line.
std::string place_words(const SourceMap& sources, const Span& where);

/// What stands behind the message of a finding, a line each and fit for a log: related places, the steps of how it
/// comes about, what follows, what is assumed, what to do.
std::vector<std::string> detail_lines(const Finding& finding, const SourceMap& sources);

/// Text cut after so many code points; what is cut ends in three dots.
std::string clipped(const std::string& text, std::size_t code_points);

/// "muster.gang-without-queue": names a rule among those of other tools.
std::string qualified(const std::string& rule);

/// Findings of one file or of one rule, in the order of the report.
struct FindingGroup {
  std::string_view name;
  std::vector<const Finding*> findings;
};
/// By path of the file, sorted.
std::vector<FindingGroup> by_file(const Report& report);

/// "32 min", "3.1 h".
std::string duration_words(double seconds);

}  // namespace muster
