#include "kinds/own_file.h"

#include <algorithm>

#include "base/strings.h"
#include "syntax/read_value.h"

namespace muster {

void report_unknown_keys(const Node& mapping, std::span<const std::string_view> known, std::string_view what,
                         std::vector<Finding>& findings) {
  for (std::size_t i = 0; mapping.is_mapping() && i < mapping.size(); ++i) {
    const Node key = mapping.key(i);
    if (std::ranges::find(known, key.text()) != known.end() || key.text() == "<<") continue;
    findings.push_back(problem("own-file-key", key.where(),
                               "`" + std::string(key.text()) + "` is not a key of " + std::string(what) + did_you_mean(key.text(), known)));
    findings.back().field = key.text();
  }
}

Object own_object(std::string_view kind, const Node& name, const NormaliseContext& context) {
  Object object;
  object.kind = kind;
  object.name = read_text(name, "name", context.findings);
  object.where = object.name.where;
  object.id = std::string(kind) + "/" + object.name.value;
  object.file = context.file.path;
  object.bundle = context.file.bundle;
  return object;
}

}  // namespace muster
