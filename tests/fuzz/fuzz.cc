#include "fuzz/fuzz.h"

#include <algorithm>

#include "base/strings.h"
#include "source/encoding.h"

namespace muster::fuzz {
namespace {

bool is_path(std::string_view path) {
  if (path.empty() || path.size() > 200 || path.find('\0') != path.npos) return false;
  const std::vector<std::string_view> parts = split(path, '/');
  return std::ranges::none_of(parts, [](std::string_view part) { return part.empty() || part == "." || part == ".."; });
}

void add_file(const std::string& path, std::string text, std::map<std::string, std::string>& out) {
  const bool free = std::ranges::none_of(out, [&](const auto& other) {
    return path.starts_with(other.first + "/") || other.first.starts_with(path + "/");
  });
  if (is_path(path) && free) out.insert_or_assign(path, std::move(text));
}

}  // namespace

std::map<std::string, std::string> files_of(std::string_view text, const std::string& first) {
  constexpr std::string_view kBegin = "==> ";
  constexpr std::string_view kEnd = " <==";
  std::map<std::string, std::string> out;
  std::string path = first;
  std::string held;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = std::min(text.find('\n', at), text.size() - 1) + 1;
    std::string_view line = text.substr(at, next - at);
    at = next;
    const std::string_view bare = line.substr(0, line.find('\n'));
    if (!bare.starts_with(kBegin) || !bare.ends_with(kEnd) || bare.size() < kBegin.size() + kEnd.size()) {
      held += line;
      continue;
    }
    if (!held.empty()) add_file(path, std::move(held), out);
    held.clear();
    path = bare.substr(kBegin.size(), bare.size() - kBegin.size() - kEnd.size());
  }
  if (!held.empty()) add_file(path, std::move(held), out);
  return out;
}

void stay_within(const Span& where, const SourceMap& sources) {
  if (!where.placed()) return;
  expect(static_cast<std::size_t>(where.file) < sources.size(), "a place is in no file");
  expect(where.begin <= where.end && where.end <= sources.file(where.file).text().size(),
         "a place is outside its file");
}

void stay_within(const std::vector<Finding>& findings, const SourceMap& sources) {
  for (const Finding& finding : findings) {
    expect(finding.where.placed(), "a finding has no place");
    stay_within(finding.where, sources);
    for (const RelatedPlace& related : finding.related) stay_within(related.where, sources);
  }
}

void stay_within(const Node& node, const SourceMap& sources) {
  stay_within(node.where(), sources);
  for (std::size_t i = 0; node.is_sequence() && i < node.size(); ++i) stay_within(node.item(i), sources);
  for (std::size_t i = 0; node.is_mapping() && i < node.size(); ++i) {
    stay_within(node.key(i).where(), sources);
    stay_within(node.value(i), sources);
  }
}

OneFile::OneFile(std::string bytes, std::string path)
    : file(sources.add(std::move(path), decode_text(std::move(bytes)).text)),
      text(sources.file(file).text()),
      whole{file, 0, static_cast<std::uint32_t>(text.size())} {}

ReadFiles::ReadFiles(std::map<std::string, std::string> files) {
  const MemoryFileSystem disk(std::move(files));
  Result<Inputs> found = discover({{"."}, {}, {}, ""}, disk, findings);
  if (!found) return;
  any = true;
  inputs = std::move(*found);
  parsed = parse_all(inputs, 1, findings);
  rendered = render_all(parsed, inputs, findings, KindTable::shipped());
  model = normalise_all(parsed, inputs, {}, findings, rendered.bundles);
  stay_within(findings, inputs.sources);
}

}  // namespace muster::fuzz
