#include "helm/semver.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/strings.h"

namespace muster::helm {
namespace {

int compare_part(std::string_view a, std::string_view b) {
  const std::optional<std::int64_t> x = parse_int(a);
  const std::optional<std::int64_t> y = parse_int(b);
  if (x && y) return *x < *y ? -1 : *x > *y ? 1 : 0;
  if (x.has_value() != y.has_value()) return x ? -1 : 1;  // numbers stand below words
  return a < b ? -1 : a > b ? 1 : 0;
}

int compare(const SemanticVersion& a, const SemanticVersion& b) {
  if (a.numbers != b.numbers) return a.numbers < b.numbers ? -1 : 1;
  if (a.prerelease.empty() || b.prerelease.empty()) return a.prerelease.empty() ? !b.prerelease.empty() : -1;
  const auto x = split(a.prerelease, '.');
  const auto y = split(b.prerelease, '.');
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    if (const int one = compare_part(x[i], y[i]); one != 0) return one;
  }
  return x.size() < y.size() ? -1 : x.size() > y.size() ? 1 : 0;
}

struct Constraint {
  std::string_view sign;
  SemanticVersion version;
  std::size_t given = 0;  ///< numbers that are no wildcards
};

bool is_wild(std::string_view part) { return part == "x" || part == "X" || part == "*"; }

std::optional<Constraint> read_constraint(std::string_view text) {
  Constraint out;
  for (const std::string_view sign : {"!=", ">=", "=>", "<=", "=<", "~>", "=", ">", "<", "~", "^"}) {
    if (!text.starts_with(sign)) continue;
    out.sign = sign;
    text = trim(text.substr(sign.size()));
    break;
  }
  if (text.starts_with('v')) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  const std::string_view numbers = text.substr(0, text.find_first_of("-+"));
  const std::vector<std::string_view> parts = split(numbers, '.');
  if (parts.size() > 3) return std::nullopt;
  std::string whole;
  bool wild = false;
  for (const std::string_view part : parts) {
    wild = wild || is_wild(part);
    if (!wild) ++out.given;
    whole += (whole.empty() ? "" : ".") + std::string(wild ? "0" : part);
  }
  const std::optional<SemanticVersion> version =
      SemanticVersion::parse(whole + std::string(text.substr(numbers.size())));
  if (!version) return std::nullopt;
  out.version = *version;
  return out;
}

/// From the version on, with its first numbers kept.
bool keeps_first(const Constraint& constraint, const SemanticVersion& version, std::size_t kept) {
  if (compare(version, constraint.version) < 0) return false;
  return std::equal(version.numbers.begin(), version.numbers.begin() + static_cast<std::ptrdiff_t>(kept),
                    constraint.version.numbers.begin());
}

std::size_t kept_by_caret(const Constraint& constraint) {
  const auto& numbers = constraint.version.numbers;
  if (numbers[0] > 0 || constraint.given < 2) return std::min<std::size_t>(1, constraint.given);
  return numbers[1] > 0 || constraint.given < 3 ? 2 : 3;
}

bool fits_one(const Constraint& constraint, const SemanticVersion& version) {
  const std::string_view sign = constraint.sign;
  // One that is not out yet fits only what speaks of such.
  if (!version.prerelease.empty() && constraint.version.prerelease.empty()) return sign == "!=";
  const bool partial = constraint.given < 3;
  const int order = compare(version, constraint.version);
  const auto same = [&] { return partial ? keeps_first(constraint, version, constraint.given) : order == 0; };
  if (sign.empty() || sign == "=") return same();
  if (sign == "!=") return !same();
  if (sign == ">") return partial ? order > 0 && !same() : order > 0;
  if (sign == "<") return order < 0;
  if (sign == ">=" || sign == "=>") return order >= 0;
  if (sign == "<=" || sign == "=<") return order <= 0 || (partial && same());
  if (sign == "^") return keeps_first(constraint, version, kept_by_caret(constraint));
  return keeps_first(constraint, version, std::min<std::size_t>(2, constraint.given));
}

/// The constraints between commas or blanks; a sign may stand apart from its version, and `1.2 - 1.4` is a range.
std::optional<std::vector<std::string>> pieces_of(std::string_view all) {
  std::vector<std::string> words;
  for (const std::string_view part : split(all, ',')) {
    for (const std::string_view word : split_blanks(part)) words.emplace_back(word);
  }
  std::vector<std::string> out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "-") {
      if (out.empty() || i + 1 == words.size()) return std::nullopt;
      out.back().insert(0, ">=");
      out.push_back("<=" + words[++i]);
    } else if (words[i].find_first_not_of("!=<>~^") == std::string::npos) {
      if (i + 1 == words.size()) return std::nullopt;
      out.push_back(words[i] + words[i + 1]);
      ++i;
    } else {
      out.push_back(words[i]);
    }
  }
  return out;
}

}  // namespace

std::optional<SemanticVersion> SemanticVersion::parse(std::string_view text) {
  SemanticVersion out;
  if (text.starts_with('v')) text.remove_prefix(1);
  const std::size_t plus = text.find('+');
  if (plus != text.npos) out.metadata = text.substr(plus + 1), text = text.substr(0, plus);
  const std::size_t minus = text.find('-');
  if (minus != text.npos) out.prerelease = text.substr(minus + 1), text = text.substr(0, minus);
  const std::vector<std::string_view> parts = split(text, '.');
  if (parts.size() > 3) return std::nullopt;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].empty() || !std::ranges::all_of(parts[i], is_digit)) return std::nullopt;
    const auto [end, error] = std::from_chars(parts[i].data(), parts[i].data() + parts[i].size(), out.numbers[i]);
    if (error != std::errc()) return std::nullopt;
  }
  return out;
}

std::string SemanticVersion::text() const {
  std::string out = std::to_string(numbers[0]) + "." + std::to_string(numbers[1]) + "." + std::to_string(numbers[2]);
  if (!prerelease.empty()) out += "-" + prerelease;
  if (!metadata.empty()) out += "+" + metadata;
  return out;
}

std::optional<bool> version_fits(std::string_view constraint, std::string_view version) {
  const std::optional<SemanticVersion> read = SemanticVersion::parse(version);
  if (!read) return std::nullopt;
  bool any = false;
  while (true) {
    const std::size_t bars = constraint.find("||");
    const auto pieces = pieces_of(constraint.substr(0, bars));
    if (!pieces || pieces->empty()) return std::nullopt;
    bool all = true;
    for (const std::string& piece : *pieces) {
      const std::optional<Constraint> one = read_constraint(piece);
      if (!one) return std::nullopt;
      all = all && fits_one(*one, *read);
    }
    any = any || all;
    if (bars == constraint.npos) return any;
    constraint.remove_prefix(bars + 2);
  }
}

}  // namespace muster::helm
