#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/discover.h"
#include "syntax/slurm_conf_reader.h"

namespace muster {

/// `{% for key, value in A | combine(B) | items %}` around a line `{{ key }}={{ value }}` of a template of Jinja.
struct MapLoop {
  std::vector<std::string> maps;  ///< the variables, of which a later one counts more
  std::size_t begin = 0;          ///< in the template, with its statements
  std::size_t end = 0;

  bool writes(const Span& where) const { return begin <= where.begin && where.begin < end; }
};

/// Loops that write nothing else, 20 at most. In the order of the text.
std::vector<MapLoop> map_loops_of(std::string_view text);

/// What a loop writes.
struct WrittenMap {
  std::vector<ConfLine> known;  ///< of which the value is a scalar
  std::vector<ConfLine> all;    ///< with `{xxx}` for what only the run knows
  bool open = false;            ///< one of the maps is empty: there for others to add keys
};

/// By the maps that the playbooks of the input give a role; nothing where one is given nowhere, or by two files of the
/// same rank. A file's map takes the place of one of lower rank, as `hash_behaviour = replace` has it.
std::optional<WrittenMap> write_maps(const MapLoop& loop, std::string_view role, const Inputs& inputs);

}  // namespace muster
