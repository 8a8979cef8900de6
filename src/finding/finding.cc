#include "finding/finding.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/hash.h"

namespace muster {
namespace {

/// File names decide before offsets; ids depend on the order of discovery.
std::string_view path_of(const Span& where, const SourceMap& sources) {
  return where.placed() ? std::string_view(sources.file(where.file).path()) : std::string_view{};
}

}  // namespace

Finding problem(std::string_view rule, Span where, std::string message) {
  Finding finding;
  finding.rule = rule;
  finding.where = where;
  finding.message = std::move(message);
  return finding;
}

void sort_findings(std::vector<Finding>& findings, const SourceMap& sources) {
  std::ranges::sort(findings, [&](const Finding& a, const Finding& b) {
    return std::tuple(path_of(a.where, sources), a.where.begin, a.where.end, std::string_view(a.rule),
                      std::string_view(a.message)) <
           std::tuple(path_of(b.where, sources), b.where.begin, b.where.end, std::string_view(b.rule),
                      std::string_view(b.message));
  });
}

void sort_undecided(std::vector<Undecided>& undecided, const SourceMap& sources) {
  std::ranges::sort(undecided, [&](const Undecided& a, const Undecided& b) {
    return std::tuple(path_of(a.where, sources), a.where.begin, std::string_view(a.rule), std::string_view(a.object)) <
           std::tuple(path_of(b.where, sources), b.where.begin, std::string_view(b.rule), std::string_view(b.object));
  });
}

void assign_fingerprints(std::vector<Finding>& findings, const SourceMap& sources) {
  std::map<std::uint64_t, int> seen;
  for (Finding& finding : findings) {
    std::uint64_t hash = fnv1a(finding.rule);
    for (const std::string_view part : {path_of(finding.where, sources), std::string_view(finding.object),
                                        std::string_view(finding.field)}) {
      hash = fnv1a(part, fnv1a("\n", hash));
    }
    const int number = seen[hash]++;
    if (number > 0) hash = fnv1a("#" + std::to_string(number), hash);
    finding.fingerprint = hex16(hash);
  }
}

}  // namespace muster
