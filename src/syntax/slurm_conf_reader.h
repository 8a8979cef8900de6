#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "source/span.h"

namespace muster {

/// One `Key=Value` of a line, escapes and quotes resolved. Keys compare without case, values with case.
struct ConfPair {
  std::string key;
  std::string value;
  Span key_where;
  Span value_where;       ///< quotes included
  bool replaced = false;  ///< a script of the input puts another value there
};

/// A logical line: physical lines joined by `\` at their end, comments stripped.
struct ConfLine {
  std::vector<ConfPair> pairs;
  Span where;        ///< of the text without comments
  std::string rest;  ///< what Slurm's parser stops at; empty when the whole line was read
  Span rest_where;
  bool include = false;  ///< `Include PATH` at column 0; PATH is in `rest`
  bool form = false;     ///< has a `Key=` with nothing behind it, one of several of the text: somebody fills them in
};

/// Reads the grammar of slurm.conf, gres.conf, topology.conf, cgroup.conf, slurmdbd.conf ... Never fails: what Slurm
/// cannot parse stays in ConfLine::rest. Source: SchedMD/slurm:src/common/parse_config.c (22.05-26.05).
std::vector<ConfLine> read_slurm_conf(FileId file, std::string_view text);

}  // namespace muster
