#include "pipeline/sacct_fields.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::array<std::string_view, 4> kRemovedFields{"AllocGRES", "AllocGres", "ReqGRES", "ReqGres"};

/// Where a command of sacct asks for the field: `sacct ... --format=JobID,ReqGRES`, `"sacct", "-o", "ReqGRES"`.
std::size_t field_asked_for(std::string_view text, std::string_view field) {
  constexpr std::size_t kNear = 300;  // characters of the command before it
  for (std::size_t at = find_part(text, field); at != text.npos; at = find_part(text, field, at + 1)) {
    const std::size_t end = at + field.size();
    if ((at > 0 && is_word_char(text[at - 1])) || (end < text.size() && is_word_char(text[end]))) continue;
    std::string_view before = text.substr(at - std::min(at, kNear), std::min(at, kNear));
    const std::size_t command = std::max(before.rfind("sacct") + 1, before.rfind("SACCT_FORMAT") + 1);  // npos + 1 is 0
    if (command == 0) continue;
    before.remove_prefix(command - 1);
    const bool asks = contains(before, "format") || contains(before, "FORMAT") || contains(before, "-o");
    if (asks && !contains(before, "\n\n") && before.find_first_of(";|#") == before.npos) return at;
  }
  return text.npos;
}

}  // namespace

void find_removed_sacct_fields(const Inputs& inputs, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    if (inputs.files[i].reading != Reading::Whole) continue;
    const auto file = static_cast<FileId>(i);
    const std::string_view text = inputs.sources.file(file).text();
    for (const std::string_view field : kRemovedFields) {
      const std::size_t at = field_asked_for(text, field);
      if (at == text.npos) continue;
      const std::string now = field.starts_with("Req") ? "ReqTRES" : "AllocTRES";
      findings.push_back(problem("sacct-field-removed", span_of_part(file, text, text.substr(at, field.size())),
                                 "sacct has no field `" + std::string(field) + "` any more: it is " + now));
      break;
    }
  }
}

}  // namespace muster
