#include "slurm/stated_release.h"

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::size_t kReach = 200;  // bytes around a name that are looked at: lines may be long
constexpr std::string_view kOfName = "version";
constexpr std::string_view kOfArchive = "archive";
constexpr std::array<std::string_view, 4> kWords{"version", "release", "tag", "ver"};

bool is_letter_or_digit(char c) { return is_digit(c) || c == '_' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

bool is_comment(std::string_view line_start) {
  const std::string_view words = trim(line_start);
  return words.starts_with('#') || words.starts_with("//");
}

/// `slurm_version`, `SLURM_TAG`, `SlurmVersion`: where the name ends that begins with `slurm`; 0: it is another.
std::size_t end_of_name(std::string_view line) {
  std::size_t end = 5;
  if (end < line.size() && (line[end] == '_' || line[end] == '-')) ++end;
  for (const std::string_view word : kWords) {
    if (!equals_ignoring_case(line.substr(end, word.size()), word)) continue;
    end += word.size();
    return end < line.size() && is_letter_or_digit(line[end]) ? 0 : end;
  }
  return 0;
}

/// A number of so many digits, and what separates it from the next; empty where there is none.
std::string_view take_number(std::string_view& text, std::size_t least, std::size_t most) {
  std::size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  if (digits < least || digits > most) return {};
  const std::string_view number = text.substr(0, digits);
  text.remove_prefix(digits);
  if (!text.empty() && (text.front() == '.' || text.front() == '-')) text.remove_prefix(1);
  return number;
}

/// `slurm-21-08-6-1`, `v23.02.7`, `22.05`: year, month and micro release. What follows is of a package.
std::string release_of(std::string_view text) {
  if (text.starts_with("slurm-")) text.remove_prefix(6);
  if (text.starts_with('v')) text.remove_prefix(1);
  const std::string_view year = take_number(text, 2, 2);
  const std::string_view month = year.empty() ? year : take_number(text, 2, 2);
  if (year < "10" || month < "01" || month > "12") return "";
  const std::string_view micro = take_number(text, 1, 2);
  return std::string(year) + "." + std::string(month) + (micro.empty() ? "" : "." + std::string(micro));
}

/// The value that a line gives to the name that ends at `at`: behind `:`, `=` or, as Docker's ENV has it, a blank.
std::string_view value_behind(std::string_view line, std::size_t at) {
  const auto skip = [&](std::string_view any) { at = std::min(line.find_first_not_of(any, at), line.size()); };
  const std::size_t name_end = at;
  skip("\"' \t");
  const bool assigns = at < line.size() && (line[at] == ':' || line[at] == '=');
  if (!assigns && (at == name_end || line[name_end] != ' ')) return {};
  if (assigns) ++at;
  if (at < line.size() && line[at] == '=' && line[at - 1] == ':') ++at;  // make's `:=`
  if (at < line.size() && line[at] == '=') return {};
  skip("\"' \t");
  // `${SLURM_VERSION:-19.05.5}`, unless somebody says another.
  if (line.substr(at).starts_with("${")) {
    const std::size_t fallback = line.find(":-", at);
    if (fallback != line.npos && line.find('}', at) > fallback) at = fallback + 2;
  }
  return line.substr(at);
}

/// `slurm-20.11.0.tar.bz2`: what is downloaded or unpacked.
std::string release_of_archive(std::string_view word) {
  constexpr std::string_view kArchive = ".tar";
  const std::size_t end = word.find(kArchive);
  if (!word.starts_with("slurm-") || end == word.npos || end > 24) return "";
  const std::string_view version = word.substr(6, end - 6);
  return version.find_first_not_of("0123456789.-") == version.npos ? release_of(word.substr(0, end)) : "";
}

/// `slurm-wlm=17.11.2-1build1`: what apt is told to install.
std::string release_of_package(std::string_view word) {
  for (const std::string_view package : {"slurm-wlm=", "slurmctld=", "slurmdbd=", "slurmd=", "slurm-client="}) {
    if (word.starts_with(package)) return release_of(word.substr(package.size()));
  }
  return "";
}

}  // namespace

std::vector<Located<std::string>> slurm_releases_stated_in(FileId file, std::string_view text) {
  std::vector<Located<std::string>> out;
  for (std::size_t at = 0; (at = text.find_first_of("lL", at + 1)) != text.npos;) {
    if (!equals_ignoring_case(text.substr(at - 1, 5), "slurm")) continue;
    const std::string_view before = text.substr(at - 1 - std::min(at - 1, kReach), std::min(at - 1, kReach));
    if (is_comment(before.substr(before.rfind('\n') + 1))) continue;  // npos + 1 is 0
    const std::string_view behind = text.substr(at - 1, kReach);
    const std::string_view line = behind.substr(0, behind.find('\n'));
    const std::size_t end = end_of_name(line);
    std::string release = end == 0 ? release_of_package(line) : release_of(value_behind(line, end));
    const bool archive = release.empty();
    if (archive) release = release_of_archive(line);
    if (release.empty()) continue;
    const auto offset = static_cast<std::uint32_t>(at - 1);
    out.push_back(set_to(std::move(release), Span{file, offset, offset + 5}, archive ? kOfArchive : kOfName));
  }
  return out;
}

Located<std::string> common_release(const std::vector<Located<std::string>>& stated) {
  constexpr std::size_t kYearAndMonth = 5;  // 24.05
  Located<std::string> out;
  const bool named = std::ranges::any_of(stated, [](const Located<std::string>& one) { return one.field == kOfName; });
  for (const Located<std::string>& one : stated) {
    if (named && one.field == kOfArchive) continue;
    const int order = out.is_set() ? one.value.substr(0, kYearAndMonth).compare(out.value.substr(0, kYearAndMonth)) : 1;
    const bool old = std::max(one.value, out.value) < kFirstKnownSlurm;
    if (out.is_set() && order != 0 && !old) return {};
    if (order > 0 || (order == 0 && one.value.size() > out.value.size())) out = one;
  }
  return out;
}

}  // namespace muster
