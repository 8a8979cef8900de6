#include "pipeline/playbook_maps.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "base/strings.h"
#include "gang/coupling.h"
#include "pipeline/playbook_files.h"
#include "syntax/fill_template.h"
#include "syntax/template_probe.h"

namespace muster {
namespace {

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
constexpr std::size_t kMostLoops = 20;  // of a template: each map is looked for in all files of variables

/// What stands in `{{ }}` or `{% %}`.
std::string_view inside(std::string_view text, const TemplateMark& mark) {
  std::string_view words = text.substr(mark.begin + 2, mark.end - mark.begin - 4);
  if (!words.empty() && contains("-~+", words.substr(0, 1))) words.remove_prefix(1);
  if (!words.empty() && contains("-~+", words.substr(words.size() - 1))) words.remove_suffix(1);
  return trim(words);
}

/// The names of variables in what a loop goes over; empty: it is not maps alone, put together.
std::vector<std::string> maps_in(std::string_view words) {
  constexpr std::array<std::string_view, 11> kWays{"combine",    "items",    "iteritems", "sort",
                                                   "dict2items", "dictsort", "default",   "recursive",
                                                   "True",       "true",     "from_yaml"};
  std::vector<std::string> out;
  for (std::size_t at = 0; at < words.size();) {
    if (!is_word_char(words[at])) {
      if (!contains(" |(){},=.", words.substr(at, 1))) return {};
      ++at;
      continue;
    }
    const std::size_t end = std::min(words.find_first_not_of(kLetters, at), words.size());
    const std::string_view name = words.substr(at, end - at);
    const bool way = std::ranges::find(kWays, name) != kWays.end();
    if (!way && at > 0 && words[at - 1] == '.') return {};  // a key of a map
    if (!way) out.emplace_back(name);
    at = end;
  }
  return out;
}

/// Whether the first two values between two marks are the key of the round and its value, with `=` between them, and no
/// text is beside.
bool writes_pairs(std::string_view text, std::span<const TemplateMark> marks, std::size_t begin, std::size_t end,
                  std::string_view key) {
  std::vector<const TemplateMark*> values;
  std::string beside;
  std::size_t done = begin;
  for (const TemplateMark& mark : marks) {
    beside += text.substr(done, mark.begin - done);
    done = mark.end;
    if (mark.value) values.push_back(&mark);
  }
  beside += text.substr(done, end - done);
  return values.size() == 2 && trim(beside) == "=" && inside(text, *values[0]) == key;
}

/// Whether a map that nobody gives stands for an empty one: `slurm_config | default({})`.
bool has_default(std::string_view words, std::string_view name) {
  const std::size_t at = find_word(words, name);
  if (at == words.npos) return false;
  const std::string_view behind = trim(words.substr(at + name.size()));
  return behind.starts_with('|') && trim(behind.substr(1)).starts_with("default({}");
}

/// A map as a file gives it.
struct GivenMap {
  PlaybookRank rank = PlaybookRank::None;
  FileId file = FileId::None;
  std::size_t begin = 0;  ///< of the lines below its name
  std::size_t in = 0;     ///< how far its name is in
  bool readable = false;
  bool empty = false;
  std::string_view others;  ///< what puts it together of others: `A | combine(B | default({}))`
};

std::size_t indentation(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

std::string_view line_at(std::string_view text, std::size_t begin) {
  return text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
}

/// What stands in `"{{ }}"`, where that is all of a value; empty: it is not.
std::string_view put_together(std::string_view value) {
  if (value.size() < 6 || (value.front() != '"' && value.front() != '\'') || value.back() != value.front()) return {};
  const std::string_view words = trim(value.substr(1, value.size() - 2));
  if (!words.starts_with("{{") || !words.ends_with("}}") || contains(words.substr(2), "{{")) return {};
  return trim(words.substr(2, words.size() - 4));
}

/// `NAME:` at the beginning of a line of a file, or of the vars of a play.
std::optional<GivenMap> given_in(std::string_view text, std::string_view name, bool flat) {
  const std::string mark = std::string(name) + ":";
  for (std::size_t at = text.find(mark); at != text.npos;) {
    const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
    const std::string_view before = text.substr(begin, at - begin);
    const std::string_view line = line_at(text, at);
    if (flat ? !before.empty() : before.find_first_not_of(' ') != before.npos) {
      at = text.find(mark, at + line.size());
      continue;
    }
    GivenMap out;
    out.in = before.size();
    std::string_view behind = trim(line.substr(mark.size()));
    if (behind.starts_with('#')) behind = {};
    out.begin = std::min(at + line.size() + 1, text.size());
    out.empty = behind == "{}";
    out.others = put_together(behind);
    out.readable = behind.empty() || out.empty || !out.others.empty();
    return out;
  }
  return std::nullopt;
}

class Maps {
 public:
  Maps(std::string_view role, const Inputs& inputs) : role_(role), inputs_(inputs) {}

  std::optional<WrittenMap> write(const MapLoop& loop) {
    WrittenMap out;
    std::map<std::string, ConfLine> by_key;
    added_.clear();
    for (const std::string& name : loop.maps) {
      if (!add(name, kMostDeep, by_key, out.open)) return std::nullopt;
    }
    if (by_key.empty()) return std::nullopt;
    for (auto& [key, line] : by_key) {
      if (!contains(line.pairs.front().value, "{")) out.known.push_back(line);
      out.all.push_back(std::move(line));
    }
    return out;
  }

 private:
  static constexpr int kMostDeep = 3;  // maps that are put together of others

  std::string_view text(FileId file) const { return inputs_.sources.file(file).text(); }

  /// The keys of a map of that name; false where nobody can tell them all.
  bool add(const std::string& name, int deep, std::map<std::string, ConfLine>& by_key, bool& open) {
    if (!added_.insert(name).second) return true;
    const std::optional<GivenMap>& given = find(name);
    if (!given || !given->readable) return false;
    if (!given->others.empty()) return add_others(given->others, deep, by_key, open);
    const std::size_t before = by_key.size();
    if (!given->empty) read(*given, by_key);
    open = open || by_key.size() == before;
    return true;
  }

  bool add_others(std::string_view words, int deep, std::map<std::string, ConfLine>& by_key, bool& open) {
    const std::vector<std::string> names = maps_in(words);
    for (const std::string& name : names) {
      const bool left_out = has_default(words, name) && !find(name);
      open = open || left_out;
      if (!left_out && (deep == 0 || !add(name, deep - 1, by_key, open))) return false;
    }
    return !names.empty();
  }

  const std::optional<GivenMap>& find(const std::string& name) {
    const auto [at, fresh] = found_.try_emplace(name);
    if (fresh) at->second = look_for(name);
    return at->second;
  }

  std::optional<GivenMap> look_for(std::string_view name) const {
    std::optional<GivenMap> best;
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string& path = inputs_.files[i].context.path;
      const PlaybookRank rank = may_set_variables(path) ? playbook_rank(path, role_) : PlaybookRank::None;
      if (rank == PlaybookRank::None || (best && rank < best->rank)) continue;
      const auto file = static_cast<FileId>(i);
      std::optional<GivenMap> here = given_in(text(file), name, has_variables_alone(path));
      if (!here) continue;
      if (best && best->rank == rank) here->readable = false;
      here->rank = rank;
      here->file = file;
      best = here;
    }
    return best;
  }

  /// The lines that are further in than the name, each a key of the map.
  void read(const GivenMap& given, std::map<std::string, ConfLine>& by_key) const {
    const std::string_view all = text(given.file);
    std::size_t depth = 0;
    std::string* list = nullptr;
    for (std::size_t begin = given.begin; begin < all.size(); begin += line_at(all, begin).size() + 1) {
      const std::string_view line = line_at(all, begin);
      const std::string_view words = trim(line);
      if (words.empty() || words.starts_with('#')) continue;
      const std::size_t in = indentation(line);
      if (in <= given.in || in < depth) return;
      if (depth == 0) depth = in;
      if (in > depth || words.starts_with("- ")) {
        if (list != nullptr) *list = "{xxx}";  // what stands below a key is not read
        continue;
      }
      const std::size_t sign = line.find(':', in);
      if (sign == line.npos || line.substr(in, sign - in).find_first_not_of(kLetters) != line.npos) return;
      ConfLine& out = by_key[to_lower(line.substr(in, sign - in))];
      out = line_of(given.file, all, begin, in, sign);
      list = &out.pairs.front().value;
    }
  }

  static ConfLine line_of(FileId file, std::string_view all, std::size_t begin, std::size_t in, std::size_t sign) {
    const std::string_view line = line_at(all, begin);
    const auto place = [&](std::size_t from, std::size_t to) {
      return Span{file, static_cast<std::uint32_t>(begin + from), static_cast<std::uint32_t>(begin + to)};
    };
    const std::size_t from = std::min(line.find_first_not_of(" \t", sign + 1), line.size());
    const std::string_view scalar = trim(line.substr(from));
    ConfPair pair;
    pair.key = line.substr(in, sign - in);
    pair.key_where = place(in, sign);
    pair.value_where = place(from, from + scalar.size());
    FilledValue value;
    pair.value = read_filled_value(scalar, value) && !value.text.empty() ? value.text : "{xxx}";
    ConfLine out;
    out.where = place(in, from + scalar.size());
    out.pairs.push_back(std::move(pair));
    return out;
  }

  std::string_view role_;
  const Inputs& inputs_;
  std::map<std::string, std::optional<GivenMap>> found_;  ///< by name
  std::set<std::string> added_;                           ///< to the one under way; a second time changes no key
};

}  // namespace

std::vector<MapLoop> map_loops_of(std::string_view text) {
  std::vector<MapLoop> out;
  const std::vector<TemplateMark> marks = template_marks(text);
  for (std::size_t i = 0; i < marks.size() && out.size() < kMostLoops; ++i) {
    if (marks[i].value || !text.substr(marks[i].begin).starts_with("{%")) continue;
    const std::string_view words = inside(text, marks[i]);
    const std::size_t in = words.find(" in ");
    if (!words.starts_with("for ") || in == words.npos) continue;
    std::size_t last = i + 1;
    const auto begins = [&](std::string_view word) {
      return text.substr(marks[last].begin).starts_with("{%") && inside(text, marks[last]).starts_with(word);
    };
    while (last < marks.size() && !begins("endfor") && !begins("for ")) ++last;
    if (last == marks.size()) break;
    if (begins("for ")) continue;  // a loop within it
    const std::string_view item = trim(words.substr(4, std::min(words.find(','), in) - 4));
    const std::string key = contains(words, "dict2items") ? std::string(item) + ".key" : std::string(item);
    const std::span<const TemplateMark> within(marks.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                               marks.begin() + static_cast<std::ptrdiff_t>(last));
    std::vector<std::string> maps = maps_in(words.substr(in + 4));
    if (maps.empty() || !writes_pairs(text, within, marks[i].end, marks[last].begin, key)) continue;
    out.push_back({std::move(maps), marks[i].begin, marks[last].end});
  }
  return out;
}

std::optional<WrittenMap> write_maps(const MapLoop& loop, std::string_view role, const Inputs& inputs) {
  return Maps(role, inputs).write(loop);
}

}  // namespace muster
