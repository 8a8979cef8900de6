#include "pipeline/filled_names.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::size_t kMostOfName = 300;  // characters of a name with its marks

/// What is written of a name before and behind its marks.
struct AroundMarks {
  std::string_view before;
  std::string_view behind;
};

/// Of a value with marks: `${MODEL}`, `{{ app }}`, `$t`.
std::optional<AroundMarks> around_marks(std::string_view value) {
  constexpr std::string_view kQuotes = "\"', \t\r";
  value = value.substr(0, std::min(value.find('\n'), kMostOfName));
  const std::size_t mark = std::min(value.find('$'), value.find("{{"));
  if (mark == value.npos) return std::nullopt;
  std::size_t end = value.rfind('}');
  end = end == value.npos || end < mark ? 0 : end + 1;
  if (const std::size_t last = value.rfind('$'); last != value.npos && last >= end) {
    const std::string_view rest = value.substr(last + 1);
    const auto letters = static_cast<std::size_t>(std::ranges::find_if_not(rest, is_word_char) - rest.begin());
    end = letters == 0 ? 0 : last + 1 + letters;
  }
  if (end == 0) return std::nullopt;
  std::string_view before = value.substr(0, mark);
  before.remove_prefix(std::min(before.find_first_not_of(kQuotes), before.size()));
  const std::string_view behind = value.substr(end);
  return AroundMarks{before, behind.substr(0, behind.find_first_of("\"', \t\r}"))};
}

bool fits_around(const AroundMarks& written, std::string_view name) {
  return written.before.size() + written.behind.size() < name.size() && name.starts_with(written.before) &&
         name.ends_with(written.behind);
}

/// What stands behind `name:` or `name =` at a place where `name` begins; empty: it is no such key.
std::string_view value_of_name(std::string_view text, std::size_t at) {
  std::string_view rest = text.substr(at + 4, kMostOfName);
  rest.remove_prefix(std::min(rest.find_first_not_of(" \""), rest.size()));
  if (!rest.starts_with(':') && !rest.starts_with('=')) return {};
  return rest.substr(1, rest.find('\n') - 1);
}

}  // namespace

bool fills_in(std::string_view text, std::string_view name) {
  constexpr std::string_view kKey = "name";
  for (std::size_t at = text.find(kKey); at != text.npos; at = text.find(kKey, at + 1)) {
    const std::optional<AroundMarks> written = around_marks(value_of_name(text, at));
    if (written && fits_around(*written, name) && 2 * (written->before.size() + written->behind.size()) >= name.size())
      return true;
  }
  return false;
}

bool may_become(std::string_view piece, std::string_view name) {
  const std::size_t mark = piece.find("name: {{") != piece.npos ? piece.find("name: {{") : piece.find("name: \"{{");
  if (mark == piece.npos) return false;
  const std::string_view line = piece.substr(mark, piece.find('\n', mark) - mark);
  const std::size_t last = line.rfind('}');
  if (last == line.npos) return true;
  std::string_view behind = line.substr(last + 1);
  behind = trim(behind.substr(0, behind.find('#')));
  while (behind.ends_with('"')) behind.remove_suffix(1);
  return name.ends_with(behind);
}

bool makes_by_marks(std::string_view text, std::string_view kind, std::string_view name) {
  constexpr std::size_t kNear = 300;
  for (std::size_t at = text.find(kind); at != text.npos; at = text.find(kind, at + 1)) {
    const std::string_view before = text.substr(at - std::min<std::size_t>(at, 12), std::min<std::size_t>(at, 12));
    if (!contains(before, "kind")) continue;
    const std::string_view piece = text.substr(at, kNear);
    for (std::size_t key = piece.find("name"); key != piece.npos; key = piece.find("name", key + 1)) {
      const std::string_view value = value_of_name(piece, key);
      const std::optional<AroundMarks> written = around_marks(value);
      if (written && fits_around(*written, name)) return true;
      const std::string_view plain = trim(value);
      if (plain.starts_with("each.") || plain.starts_with("local.") || plain.starts_with("var.")) return true;
      if (!value.empty()) break;  // the first name is that of the object
    }
  }
  return false;
}

bool makes_what_is_asked(std::string_view text) {
  constexpr std::array<std::string_view, 9> kKinds{
      "kind: ClusterQueue",  "kind: ConfigMap",  "kind: EC2NodeClass",          "kind: Gateway",
      "kind: HTTPRoute",     "kind: LocalQueue", "kind: PersistentVolumeClaim", "kind: ResourceFlavor",
      "kind: ServiceAccount"};
  const auto has = [&](std::string_view word) { return contains(text, word); };
  return has("kind:") && !has("{{") && !has("$") && !has("<") && std::ranges::any_of(kKinds, has);
}

bool is_name_of_file(std::string_view text, std::size_t at, std::size_t end, const std::set<std::string_view>& files) {
  constexpr std::array<std::string_view, 2> kEndings{".yaml", ".yml"};
  constexpr std::size_t kMostOfAddress = 200;
  const std::string_view before = text.substr(at - std::min(at, kMostOfAddress), std::min(at, kMostOfAddress));
  const std::size_t blank = before.find_last_of(" \t\n\"'`(<");
  return std::ranges::any_of(kEndings, [&](std::string_view ending) {
    return text.substr(end).starts_with(ending) && files.contains(text.substr(at, end - at + ending.size())) &&
           !contains(before.substr(blank + 1), "://");  // npos + 1 is 0
  });
}

bool makes_service(std::string_view text) {
  constexpr std::array<std::string_view, 6> kMaking{" expose deploy",          " expose pod", "kubectl expose ",
                                                    "kubectl create service ", "oc expose ",  "oc create service "};
  const auto has = [&](std::string_view word) { return contains(text, word); };
  return std::ranges::any_of(kMaking, has) || has("\"kubernetes_service\"") || has("\"kubernetes_service_v1\"") ||
         (has("kind: Service\n") && has("{{"));
}

}  // namespace muster
