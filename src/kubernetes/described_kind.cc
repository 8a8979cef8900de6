#include "kubernetes/described_kind.h"

#include <algorithm>

#include "base/check.h"
#include "base/strings.h"
#include "embed/assets.h"
#include "rulebook/book_assets.h"

namespace muster {
namespace {

constexpr std::string_view kHeadKeys[] = {"id:", "api:", "versions:", "kind:", "doc:"};

/// The lines before the first key that is not of a head.
std::string_view head_of(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::string_view line = text.substr(at);
    const bool ours = std::ranges::any_of(kHeadKeys, [&](std::string_view key) { return line.starts_with(key); });
    if (!ours && line.front() != '#' && line.front() != ' ') break;
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  }
  return text.substr(0, at);
}

bool has_key(std::string_view text, std::string_view key) { return contains(text, "\n" + std::string(key) + ":"); }

KindHead read_head(std::string_view path) {
  const Asset* asset = find_asset(path);
  Document document;
  MUSTER_CHECK(asset != nullptr && read_book_text(path, head_of(asset->text), document),
               std::string(path) + " is no YAML document");
  const std::string_view text = asset->text;
  const Node root = document.root();
  KindHead out;
  out.id = root["id"].text();
  out.group = root["api"].text();
  for (std::size_t i = 0; i < root["versions"].size(); ++i)
    out.versions += (i == 0 ? "" : " ") + std::string(root["versions"].item(i).text());
  out.kind = root["kind"].text();
  out.doc = root["doc"].text();
  out.used = has_key(text, "used_by");
  out.read = out.used || has_key(text, "listed") || has_key(text, "roles") || has_key(text, "parts") ||
             has_key(text, "wraps") || has_key(text, "like");
  return out;
}

}  // namespace

DescribedKind::DescribedKind(KindFile whole)
    : head_{whole.id, whole.group, whole.versions, whole.kind, whole.doc, whole.is_read(), !whole.used_by.empty()},
      file_(std::move(whole)) {}

DescribedKind::DescribedKind(std::string_view asset) : head_(read_head(asset)), asset_(asset) {}

const KindFile& DescribedKind::file() const {
  if (!asset_.empty()) {
    std::call_once(once_, [this] {
      each_book_asset(asset_, [this](const Node& root, BookReader& reader) { file_ = load_kind(root, reader); });
    });
  }
  return file_;
}

const std::deque<DescribedKind>& shipped_kinds() {
  static const std::deque<DescribedKind> kShipped = [] {
    std::vector<std::string_view> paths;
    for (const Asset& asset : assets_below("rules/kinds/")) paths.push_back(asset.path);
    // A file is called as its kind.
    std::ranges::sort(paths, {}, [](std::string_view path) { return path.substr(0, path.rfind('.')); });
    std::deque<DescribedKind> all;
    for (const std::string_view path : paths) all.emplace_back(path);
    return all;
  }();
  return kShipped;
}

Kind kind_of(const DescribedKind& described) {
  const KindHead& head = described.head();
  return {head.id,
          Format::Manifest,
          head.group,
          head.versions,
          head.kind,
          head.doc,
          nullptr,
          [](const Artifact& artifact, const NormaliseContext& context) {
            normalise_kind(artifact.kind->described->file(), artifact, context);
          },
          &described};
}

}  // namespace muster
