#include "pipeline/finding_keys.h"

#include <algorithm>
#include <optional>

#include "base/strings.h"
#include "base/utf8.h"
#include "gang/manifest.h"

namespace muster {
namespace {

constexpr int kMaxListDepth = 10;
constexpr std::string_view kSbatch = "sbatch/";

bool is_object(const Node& node) {
  return node.is_mapping() && node["apiVersion"].is_scalar() && node["kind"].is_scalar();
}

/// As reports call it.
std::string id_of(const Node& node) {
  Object object;
  identify(node, node["apiVersion"].text(), node["kind"].text(), object);
  const Node metadata = node["metadata"];
  if (metadata["name"].is_scalar()) return object.id;
  const Node prefix = metadata["generateName"];
  return object.id + (prefix.is_scalar() ? std::string(prefix.text()) + "*" : "(unnamed)");
}

bool names_manifest(std::string_view object) {
  const std::vector<std::string_view> parts = split(object, '/');
  const std::size_t version = parts.size() > 2 && !parts[0].starts_with('v') ? 1 : 0;
  if (parts.size() < version + 3) return false;
  const std::string_view kind = parts[version + 1];
  return parts[version].size() > 1 && parts[version][0] == 'v' && is_digit(parts[version][1]) && !kind.empty() &&
         kind[0] >= 'A' && kind[0] <= 'Z';
}

/// n[1-32] becomes n[]: a line that gets more nodes is the same line.
std::string without_ranges(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    const std::size_t end = text[i] == '[' ? text.find_first_not_of("0123456789-,", i + 1) : text.npos;
    if (end != text.npos && text[end] == ']') i = end - 1;
  }
  return out;
}

/// Number of the last child that begins at or before a place. Children of one file stand in its order.
template <class Begin>
std::optional<std::size_t> child_at(std::size_t count, std::uint32_t place, Begin begin) {
  std::size_t low = 0;
  std::size_t high = count;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (begin(middle) <= place) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low > 0 ? std::optional(low - 1) : std::nullopt;
}

/// The object that a place of a document is in, and the way from it to there: `spec.tasks[worker].replicas`. Items go
/// by their names; what has none can be moved about.
struct Way {
  Node object;
  std::string path;
};

Way way_to(Node node, std::uint32_t place) {
  Way out;
  for (std::size_t depth = 0; depth < DocumentBuilder::kMaxDepth; ++depth) {
    if (is_object(node)) out = {node, ""};
    if (node.is_mapping()) {
      const auto i = child_at(node.size(), place, [&](std::size_t k) { return node.key(k).where().begin; });
      if (!i) return out;
      out.path += (out.path.empty() ? "" : ".") + std::string(node.key(*i).text());
      node = node.value(*i);
    } else if (node.is_sequence()) {
      const auto i = child_at(node.size(), place, [&](std::size_t k) { return node.item(k).where().begin; });
      if (!i) return out;
      node = node.item(*i);
      out.path += "[" + std::string(node["name"].text()) + "]";
    } else {
      return out;
    }
  }
  return out;
}

}  // namespace

FindingKeys::FindingKeys(const Inputs& inputs, const std::vector<ParsedFile>& parsed, PlaceName name)
    : inputs_(inputs),
      parsed_(parsed),
      name_([name = std::move(name)](const std::string& shown) { return printable(name(shown)); }) {
  for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
    const FileContext& context = inputs_.files[i].context;
    places_.insert(context.path);
    if (!context.folder.empty()) places_.insert(context.folder);
    const std::string file = name_(context.path);
    files_.insert(file);
    if (i >= parsed_.size()) continue;
    for (const Document& document : parsed_[i].documents) note_objects(document.root(), file, 0);
  }
}

void FindingKeys::note_objects(const Node& node, const std::string& file, int depth) {
  if (!is_object(node)) return;
  const Node items = node["items"];
  if (!items.is_sequence()) {
    objects_.emplace(file, without_api_version(printable(id_of(node))));
    return;
  }
  for (std::size_t i = 0; i < items.size() && depth < kMaxListDepth; ++i) note_objects(items.item(i), file, depth + 1);
}

/// Sites and what is in them go by their files. `named`: it has the same name wherever it stands.
std::string FindingKeys::renamed(const std::string& object, bool& named) const {
  named = !object.empty();
  if (names_manifest(object)) return object;
  for (std::size_t end = object.size(); end != std::string::npos && end > 0; end = object.rfind('/', end - 1)) {
    const std::string_view prefix = std::string_view(object).substr(0, end);
    // Batch jobs are called sbatch/NAME, wherever they stand.
    if (prefix.size() + 1 == kSbatch.size() && object.starts_with(kSbatch)) break;
    if (!places_.contains(prefix)) continue;
    named = false;
    return name_(std::string(prefix)) + without_ranges(std::string_view(object).substr(end));
  }
  return object;
}

KeyedFindings FindingKeys::key_of(const Finding& finding) const {
  KeyedFindings out;
  out.severity = finding.severity;
  FindingKey& key = out.key;
  key.rule = finding.rule;
  key.field = finding.field;
  key.about = printable(without_ranges(words_of_user(finding.message)));
  std::string object = finding.object;
  const auto file = static_cast<std::size_t>(finding.where.file);
  if (finding.where.placed() && file < inputs_.files.size()) {
    key.file = name_(inputs_.files[file].context.path);
    const std::deque<Document>& documents = parsed_[file].documents;
    const auto after = std::ranges::upper_bound(documents, finding.where.begin, {},
                                                [](const Document& document) { return document.where().begin; });
    if (after != documents.begin()) {
      const Way way = way_to(std::prev(after)->root(), finding.where.begin);
      if (!way.path.empty()) key.field = way.path;
      if (object.empty() && way.object.exists()) object = id_of(way.object);
    }
  }
  key.field = printable(key.field);
  key.object = printable(renamed(object, out.named));
  return out;
}

std::vector<KeyedFindings> FindingKeys::keys_of(const std::vector<Finding>& findings) const {
  std::vector<KeyedFindings> out;
  out.reserve(findings.size());
  for (const Finding& finding : findings) out.push_back(key_of(finding));
  return out;
}

bool FindingKeys::holds(const std::string& file, const std::string& object) const {
  if (!files_.contains(file)) return false;
  return !names_manifest(object) || objects_.contains({file, without_api_version(object)});
}

}  // namespace muster
