#include "finding/finding.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/hash.h"
#include "base/strings.h"

namespace muster {

std::string without_values(std::string words) {
  for (std::size_t at = words.find("${"); at != std::string::npos; at = words.find("${", at)) {
    const std::size_t end = words.find('}', at);
    if (end == std::string::npos) break;
    words.replace(at, end + 1 - at, "...");
  }
  return words;
}

namespace {

/// File names decide before offsets; ids depend on the order of discovery.
std::string_view path_of(const Span& where, const SourceMap& sources) {
  return where.placed() ? std::string_view(sources.file(where.file).path()) : std::string_view{};
}

/// The name of an object without what leads from the working folder to the input: sites are called by their folders.
std::string without_place(std::string_view object, const SourceFile& file) {
  if (file.path().size() <= file.name().size() || !file.path().ends_with(file.name())) return std::string(object);
  const std::string way = file.path().substr(0, file.path().size() - file.name().size());
  if (!contains(object, std::string_view(way).substr(0, way.size() - 1))) return std::string(object);
  const std::string short_object = replace_all(std::string(object), way, "");
  const std::string_view folder = std::string_view(way).substr(0, way.size() - 1);
  return short_object.ends_with(folder) ? short_object.substr(0, short_object.size() - folder.size()) : short_object;
}

bool comes_before(const Finding& a, const Finding& b, const SourceMap& sources) {
  if (a.where.file != b.where.file) {
    const auto order = path_of(a.where, sources) <=> path_of(b.where, sources);
    if (order != 0) return order < 0;
  }
  return std::tie(a.where.begin, a.where.end, a.rule, a.message) <
         std::tie(b.where.begin, b.where.end, b.rule, b.message);
}

}  // namespace

Finding problem(std::string_view rule, Span where, std::string message) {
  Finding finding;
  finding.rule = rule;
  finding.where = where;
  finding.message = std::move(message);
  return finding;
}

void say_of_objects(std::span<Finding> findings) {
  for (Finding& finding : findings) {
    if (finding.about == About::Text) finding.about = About::Object;
  }
}

void sort_findings(std::vector<Finding>& findings, const SourceMap& sources) {
  // A finding is long: each is moved once.
  std::vector<std::size_t> order(findings.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(
      order, [&](std::size_t a, std::size_t b) { return comes_before(findings[a], findings[b], sources); });
  // Ring by ring of places: a second list of them would take as much memory again.
  for (std::size_t begin = 0; begin < order.size(); ++begin) {
    if (order[begin] == begin) continue;
    Finding first = std::move(findings[begin]);
    std::size_t at = begin;
    for (std::size_t from = order[at]; from != begin; from = order[at]) {
      findings[at] = std::move(findings[from]);
      order[at] = at;
      at = from;
    }
    findings[at] = std::move(first);
    order[at] = at;
  }
  // Of a line that several sites read the same is said once.
  const auto same = [&](const Finding& a, const Finding& b) {
    return a.where.placed() && !comes_before(a, b, sources) && !comes_before(b, a, sources);
  };
  findings.erase(std::unique(findings.begin(), findings.end(), same), findings.end());
}

void sort_suppressed(std::vector<SuppressedFinding>& findings, const SourceMap& sources) {
  std::ranges::stable_sort(findings, [&](const SuppressedFinding& a, const SuppressedFinding& b) {
    return comes_before(a.finding, b.finding, sources);
  });
}

void sort_undecided(std::vector<Undecided>& undecided, const SourceMap& sources) {
  std::ranges::sort(undecided, [&](const Undecided& a, const Undecided& b) {
    if (a.where.file != b.where.file) {
      const auto order = path_of(a.where, sources) <=> path_of(b.where, sources);
      if (order != 0) return order < 0;
    }
    return std::tie(a.where.begin, a.rule, a.object) < std::tie(b.where.begin, b.rule, b.object);
  });
}

void assign_fingerprints(std::vector<Finding>& findings, const SourceMap& sources) {
  std::vector<std::pair<std::uint64_t, std::size_t>> hashes;
  hashes.reserve(findings.size());
  for (const Finding& finding : findings) {
    std::uint64_t hash = fnv1a(finding.rule);
    const std::string_view file =
        finding.where.placed() ? std::string_view(sources.file(finding.where.file).name()) : std::string_view{};
    const std::string object =
        finding.where.placed() ? without_place(finding.object, sources.file(finding.where.file)) : finding.object.str();
    for (const std::string_view part : {file, std::string_view(object), std::string_view(finding.field)}) {
      hash = fnv1a(part, fnv1a("\n", hash));
    }
    hashes.emplace_back(hash, hashes.size());
  }
  // Equal ones side by side, each in its order: a table of them would be one miss of the cache after another.
  std::ranges::sort(hashes);
  int number = 0;
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    auto [hash, at] = hashes[i];
    number = i > 0 && hashes[i - 1].first == hash ? number + 1 : 0;
    if (number > 0) hash = fnv1a("#" + std::to_string(number), hash);
    findings[at].fingerprint = hex16(hash);
  }
}

}  // namespace muster
