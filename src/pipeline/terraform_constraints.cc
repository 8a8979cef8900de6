#include "pipeline/terraform_constraints.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "base/strings.h"
#include "syntax/hcl_blocks.h"

namespace muster {
namespace {

/// Major, minor, patch.
using ReleaseNumber = std::array<std::int64_t, 3>;

/// `>= 2.9` as its sign and its number.
struct ConstraintTerm {
  std::string_view sign;
  std::string_view number;
};

ConstraintTerm term_of(std::string_view one) {
  const std::size_t digit = one.find_first_of("0123456789");
  return {trim(one.substr(0, digit)), digit == one.npos ? std::string_view() : one.substr(digit)};
}

/// ReleaseRange from `low` on, below `high`.
struct ReleaseRange {
  ReleaseNumber low{0, 0, 0};
  ReleaseNumber high{std::numeric_limits<std::int64_t>::max(), 0, 0};
};

/// Source: hashicorp/terraform:website/docs/language/expressions/version-constraints.mdx (1.9). False: not understood.
bool narrow(ReleaseRange& to, std::string_view constraint) {
  constexpr std::int64_t kLargest = 1'000'000'000;
  for (const std::string_view one : split(constraint, ',')) {
    if (trim(one).empty()) continue;
    const ConstraintTerm term = term_of(trim(one));
    const std::vector<std::string_view> parts = split(term.number, '.');
    ReleaseNumber low{0, 0, 0};
    if (parts.size() > low.size()) return false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::optional<std::int64_t> number = parse_int(parts[i]);
      if (!number || *number < 0 || *number > kLargest) return false;  // a release on trial, a variable
      low[i] = *number;
    }
    ReleaseNumber behind = low;
    ++behind[2];
    if (term.sign == "~>") {
      behind = parts.size() > 2 ? ReleaseNumber{low[0], low[1] + 1, 0} : ReleaseNumber{low[0] + 1, 0, 0};
    } else if (term.sign == ">") {
      low = behind;
    }
    const bool exact = term.sign.empty() || term.sign == "=" || term.sign == "~>";
    if (!exact && term.sign != ">=" && term.sign != ">" && term.sign != "<" && term.sign != "<=") return false;
    if (exact || term.sign.starts_with('>')) to.low = std::max(to.low, low);
    if (exact || term.sign == "<=") to.high = std::min(to.high, behind);
    if (term.sign == "<") to.high = std::min(to.high, low);
  }
  return true;
}

RequiredProvider provider_of(std::string_view text, std::string_view name, std::string_view written,
                             std::size_t& left) {
  if (!written.starts_with('{')) return {name, {}, unquoted_hcl(written)};
  const HclBlock block = read_hcl_block(text, static_cast<std::size_t>(written.data() - text.data()), left);
  return {name, unquoted_hcl(block.attribute("source")), unquoted_hcl(block.attribute("version"))};
}

}  // namespace

Majors majors_of(std::string_view constraint, std::int64_t number, ConstraintOf of) {
  Majors out;
  for (std::string_view one : split(constraint, ',')) {
    one = trim(one);
    if (one.empty()) continue;
    const auto [sign, written] = term_of(one);
    const std::string_view rest = written.substr(std::min(written.find('.'), written.size()));
    const std::optional<std::int64_t> major = parse_int(written.substr(0, written.size() - rest.size()));
    if (!major) return {true, true, false};
    if (sign == ">=" || sign == ">") {
      out.below = out.below && *major < number;
    } else if (sign == "<" || sign == "<=") {
      const bool whole = sign == "<" && rest.find_first_of("123456789") == rest.npos;
      out.from = out.from && (*major > number || (*major == number && !whole));
    } else if (sign.empty() || sign == "=" || sign == "~>") {
      const bool open = of == ConstraintOf::Module && sign == "~>" && rest.empty() && *major < number;
      if (*major >= number) out.below = false;
      if (*major < number && !open) out.from = false;
    } else {
      return {true, true, false};
    }
  }
  return out;
}

bool exclude_each_other(std::string_view constraint, std::string_view other) {
  ReleaseRange both;
  if (!narrow(both, constraint) || both.low >= both.high) return false;  // none meets it by itself: another mistake
  return narrow(both, other) && both.low >= both.high;
}

std::vector<RequiredProvider> required_providers(std::string_view text, std::size_t& left) {
  std::vector<RequiredProvider> out;
  if (!contains(text, "required_providers")) return out;
  for (const HclTopBlock& one : top_hcl_blocks(text, left)) {
    if (one.word != "terraform") continue;
    for (const HclInnerBlock& inner : read_hcl_block(text, one.brace, left).blocks) {
      if (inner.name != "required_providers") continue;
      for (const auto& [name, written] : read_hcl_block(text, inner.brace, left).attributes)
        out.push_back(provider_of(text, name, written, left));
    }
  }
  return out;
}

}  // namespace muster
