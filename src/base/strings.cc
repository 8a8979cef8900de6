#include "base/strings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

namespace muster {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

template <class Piece>
std::string join_pieces(std::span<const Piece> pieces, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i > 0) out += separator;
    out += pieces[i];
  }
  return out;
}

}  // namespace

std::string to_lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), lower);
  return out;
}

bool equals_ignoring_case(std::string_view a, std::string_view b) { return std::ranges::equal(a, b, {}, lower, lower); }

bool starts_with_ignoring_case(std::string_view text, std::string_view prefix) {
  return equals_ignoring_case(text.substr(0, prefix.size()), prefix);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  pieces.reserve(1 + static_cast<std::size_t>(std::ranges::count(text, separator)));
  for (;;) {
    const std::size_t at = text.find(separator);
    pieces.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return pieces;
    text.remove_prefix(at + 1);
  }
}

std::vector<std::string_view> split_blanks(std::string_view text) {
  std::vector<std::string_view> pieces;
  for (;;) {
    const std::size_t begin = text.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return pieces;
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_of(kBlanks), text.size());
    pieces.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

std::string join(std::span<const std::string> pieces, std::string_view separator) {
  return join_pieces(pieces, separator);
}
std::string join(std::span<const std::string_view> pieces, std::string_view separator) {
  return join_pieces(pieces, separator);
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string in_ticks(std::string_view text) { return "`" + std::string(text) + "`"; }

namespace {

/// How rare each byte is in configuration: the higher, the sooner a search for it ends.
constexpr std::array<unsigned char, 256> kRarity = [] {
  constexpr std::string_view kCommon = " eaotinrsl-:cmdpu\n./hg\"bvfk10{}#,2yxw_";
  std::array<unsigned char, 256> out;
  out.fill(255);
  for (std::size_t i = 0; i < kCommon.size(); ++i)
    out[static_cast<unsigned char>(kCommon[i])] = static_cast<unsigned char>(i);
  return out;
}();

/// Where the rarest byte of a text stands in it.
std::size_t rarest_of(std::string_view part) {
  std::size_t out = 0;
  for (std::size_t i = 1; i < part.size(); ++i) {
    if (kRarity[static_cast<unsigned char>(part[i])] > kRarity[static_cast<unsigned char>(part[out])]) out = i;
  }
  return out;
}

}  // namespace

std::size_t find_part(std::string_view text, std::string_view part, std::size_t from) {
  // find() stops at each first character. Here the rarest is looked for; where that is not rare, memmem prepares a
  // table.
  constexpr std::size_t kLong = 300;
  constexpr std::size_t kLeastApart = 16;  // bytes from one to the next, as long as looking for it pays
  if (from > text.size() || text.size() - from < std::max(kLong, part.size()) || part.size() < 2)
    return text.find(part, from);
  const std::size_t rarest = rarest_of(part);
  const char* const end = text.data() + text.size() - (part.size() - 1 - rarest);
  const char* const begin = text.data() + from + rarest;
  std::size_t vain = 0;
  for (const char* at = begin; at < end; ++at) {
    at = static_cast<const char*>(std::memchr(at, part[rarest], static_cast<std::size_t>(end - at)));
    if (at == nullptr) return text.npos;
    const char* const first = at - rarest;
    if (*first == part.front() && std::memcmp(first, part.data(), part.size()) == 0)
      return static_cast<std::size_t>(first - text.data());
    if (++vain * kLeastApart <= static_cast<std::size_t>(at - begin) + kLong) continue;
    const void* found =
        ::memmem(first, static_cast<std::size_t>(text.data() + text.size() - first), part.data(), part.size());
    return found == nullptr ? text.npos : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
  }
  return text.npos;
}

bool contains_ignoring_case(std::string_view text, std::string_view part) {
  constexpr std::size_t kShort = 64;
  if (part.empty() || part.size() > text.size()) return part.empty();
  const auto same = [](char a, char b) { return lower(a) == lower(b); };
  if (text.size() < kShort) return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
  const std::size_t rarest = rarest_of(to_lower(part));
  const char small = lower(part[rarest]);
  const char large = small >= 'a' && small <= 'z' ? static_cast<char>(small - 'a' + 'A') : small;
  const char* const end = text.data() + text.size() - (part.size() - 1 - rarest);
  const auto next = [&](char c, const char* from) {
    const void* found = from < end ? std::memchr(from, c, static_cast<std::size_t>(end - from)) : nullptr;
    return found == nullptr ? end : static_cast<const char*>(found);
  };
  const char* as_small = next(small, text.data() + rarest);
  const char* as_large = large == small ? end : next(large, text.data() + rarest);
  while (as_small < end || as_large < end) {
    const char*& at = as_small < as_large ? as_small : as_large;
    if (equals_ignoring_case({at - rarest, part.size()}, part)) return true;
    at = next(*at, at + 1);
  }
  return false;
}

std::optional<std::int64_t> parse_int(std::string_view text) {
  if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || text.empty()) return std::nullopt;
  return value;
}

std::string count_of(std::size_t count, std::string_view noun) {
  const bool hisses = noun.ends_with("ch") || noun.ends_with('s') || noun.ends_with('x');
  return with_thousands(count) + " " + std::string(noun) + (count == 1 ? "" : hisses ? "es" : "s");
}

std::string with_thousands(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  const std::size_t longer = std::max(a.size(), b.size());
  if (longer - std::min(a.size(), b.size()) > limit) return limit + 1;
  const std::size_t far = limit + 1;
  std::vector<std::size_t> before(b.size() + 1, far);
  std::vector<std::size_t> above(b.size() + 1, far);
  std::vector<std::size_t> row(b.size() + 1, far);
  for (std::size_t j = 0; j <= std::min(b.size(), limit); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    // Only near the diagonal can the distance stay within the limit; beside that stripe stands `far`.
    const std::size_t first = i > limit ? i - limit : 1;
    const std::size_t last = std::min(b.size(), i + limit);
    row[first - 1] = first == 1 ? std::min(i, far) : far;
    std::size_t best = row[first - 1];
    for (std::size_t j = first; j <= last; ++j) {
      const std::size_t replace = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replace});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
      best = std::min(best, row[j]);
    }
    if (last < b.size()) row[last + 1] = far;
    if (best > limit) return limit + 1;
    std::swap(before, above);
    std::swap(above, row);
  }
  return std::min(above[b.size()], far);
}

std::optional<std::string_view> nearest(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string low = to_lower(word);
  std::size_t limit = std::min<std::size_t>(3, std::max<std::size_t>(1, word.size() / 3));
  std::optional<std::string_view> best;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(low, to_lower(candidate), limit);
    if (distance > limit || (best && distance == limit)) continue;
    best = candidate;
    limit = distance;
  }
  return best;
}

namespace {

/// Whether one says `cpu` where the other says `gpu`: two letters apart, and two things.
bool names_other_processor(std::string_view a, std::string_view b) {
  const auto has = [](std::string_view text, std::string_view word) { return text.find(word) != text.npos; };
  return (has(a, "cpu") && !has(b, "cpu") && has(b, "gpu")) || (has(a, "gpu") && !has(b, "gpu") && has(b, "cpu"));
}

}  // namespace

std::optional<std::string_view> slip_of(std::string_view word, std::span<const std::string_view> candidates) {
  constexpr std::size_t kLong = 8;
  const std::string low = to_lower(word);
  std::size_t limit = word.size() >= kLong ? 2 : 1;
  std::optional<std::string_view> best;
  bool tie = false;
  for (const std::string_view candidate : candidates) {
    const std::string low_candidate = to_lower(candidate);
    const std::size_t distance = edit_distance(low, low_candidate, limit);
    if (distance > limit || (best && candidate == *best) || names_other_processor(low, low_candidate)) continue;
    tie = best && distance == limit;
    if (tie) continue;
    best = candidate;
    limit = distance;
  }
  return tie ? std::nullopt : best;
}

std::optional<std::string_view> NearMisses::nearest(std::string_view word,
                                                    std::span<const std::string_view> candidates) {
  constexpr std::size_t kLine = 100;  // characters of a word that cost as much as looking at it
  const std::size_t cost = candidates.size() * (1 + word.size() / kLine);
  if (cost > left_) return std::nullopt;
  left_ -= cost;
  return muster::nearest(word, candidates);
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::optional<std::string_view> guess = nearest(word, candidates);
  return guess ? "; did you mean `" + std::string(*guess) + "`?" : "";
}

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return path.substr(0, slash == path.npos ? 0 : slash);
}

bool glob_matches(std::string_view pattern, std::string_view path) {
  // Iterative with one resume point a kind of star, so that hostile patterns stay quadratic at worst.
  std::size_t p = 0;
  std::size_t s = 0;
  std::size_t star_p = std::string_view::npos;
  std::size_t star_s = 0;
  std::size_t deep_p = std::string_view::npos;
  std::size_t deep_s = 0;
  while (s < path.size()) {
    if (pattern.substr(p).starts_with("**")) {
      deep_p = p + 2;
      if (deep_p < pattern.size() && pattern[deep_p] == '/') ++deep_p;  // `**/x` also matches `x`
      deep_s = s;
      p = deep_p;
      star_p = std::string_view::npos;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star_p = ++p;
      star_s = s;
    } else if (p < pattern.size() && (pattern[p] == path[s] || (pattern[p] == '?' && path[s] != '/'))) {
      ++p;
      ++s;
    } else if (star_p != std::string_view::npos && path[star_s] != '/') {
      s = ++star_s;
      p = star_p;
    } else if (deep_p != std::string_view::npos) {
      s = ++deep_s;
      p = deep_p;
      star_p = std::string_view::npos;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::optional<int> octal_mode(std::string_view text) {
  if (text.size() < 3 || text.size() > 5) return std::nullopt;
  int out = 0;
  for (const char c : text) {
    if (c < '0' || c > '7') return std::nullopt;
    out = out * 8 + (c - '0');
  }
  return out;
}

}  // namespace muster
