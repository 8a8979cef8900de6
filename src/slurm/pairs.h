#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "source/located.h"
#include "syntax/slurm_conf_reader.h"

namespace muster {

/// The value of a pair; a placeholder is unknown.
Located<std::string> located_value(const ConfPair& pair, FieldName field);

/// Key and value; the key alone where the value was written in another file.
Span whole_pair(const ConfPair& pair);

/// The pair of a line that counts, the last of its key; nullptr when there is none.
const ConfPair* find_pair(const ConfLine& line, std::string_view lower_key);

/// Its value; absent at the line's place when there is none.
Located<std::string> take_pair(const ConfLine& line, FieldName lower_key);

/// Reports each key that a record line names again; `first` is where its own keys begin.
void report_repeated(const ConfLine& line, std::size_t first, std::vector<Finding>& findings);

}  // namespace muster
