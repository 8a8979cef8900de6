#include "syntax/document.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/check.h"

namespace muster {
namespace {

constexpr int kMaxMergeDepth = 20;  // also ends chains of aliases
constexpr std::uint32_t kNoNode = std::numeric_limits<std::uint32_t>::max();

}  // namespace

Node::Node(const Document* document, std::uint32_t index, bool exists, Span key)
    : document_(document), index_(index), exists_(exists), key_(key) {
  for (int hops = 0; exists_ && document_->nodes_[index_].kind == NodeKind::Alias; ++hops) {
    if (document_->nodes_[index_].first == kNoNode || hops == kMaxMergeDepth) break;
    index_ = document_->nodes_[index_].first;
  }
}

NodeKind Node::kind() const {
  MUSTER_CHECK(exists_, "kind of a missing node");
  return document_->nodes_[index_].kind;
}

std::string_view Node::text() const { return is_scalar() ? document_->nodes_[index_].text : std::string_view{}; }

ScalarStyle Node::style() const { return is_scalar() ? document_->nodes_[index_].style : ScalarStyle::Plain; }

Span Node::where() const {
  if (document_ == nullptr) return {};
  const Document::Data& data = document_->nodes_[index_];
  const bool placed = exists_ && data.end > data.begin;
  if (!placed && key_.placed()) return key_;
  return {data.file, data.begin, data.end};
}

Span Node::key_where() const { return key_.placed() ? key_ : where(); }

std::size_t Node::size() const {
  if (is_sequence()) return document_->nodes_[index_].count;
  if (is_mapping()) return document_->nodes_[index_].count / 2;
  return 0;
}

Node Node::item(std::size_t i) const {
  MUSTER_CHECK(is_sequence() && i < size(), "item out of range");
  return {document_, document_->children_[document_->nodes_[index_].first + i], true, {}};
}

Node Node::key(std::size_t i) const {
  MUSTER_CHECK(is_mapping() && i < size(), "member out of range");
  return {document_, document_->children_[document_->nodes_[index_].first + 2 * i], true, {}};
}

Node Node::value(std::size_t i) const {
  const Node name = key(i);
  return {document_, document_->children_[document_->nodes_[index_].first + 2 * i + 1], true, name.where()};
}

Node Node::find(std::string_view name, int depth) const {
  const Node missing(document_, index_, false, key_);
  if (!is_mapping()) return missing;
  constexpr std::string_view kMerge = "<<";
  const std::uint32_t first = document_->nodes_[index_].first;
  std::optional<std::size_t> last;  // of several the last one counts
  bool merges = false;
  for (std::size_t i = 0; i < size(); ++i) {  // without a Node for each: every field is asked for
    const Document::Data& raw = document_->nodes_[document_->children_[first + 2 * i]];
    const std::string_view text = raw.kind == NodeKind::Alias    ? key(i).text()
                                  : raw.kind == NodeKind::Scalar ? raw.text
                                                                 : std::string_view{};
    if (text == name) last = i;
    merges = merges || text == kMerge;
  }
  if (!merges || depth == kMaxMergeDepth) return last ? value(*last) : missing;
  // As kubectl reads them: in the order they stand, so that a merge behind a key takes its place. Source:
  // sigs.k8s.io/yaml v1.4.0, goyaml.v2/decode.go, mapping and merge.
  for (std::size_t i = size(); i > (last ? *last + 1 : 0); --i) {
    if (key(i - 1).text() != kMerge || key(i - 1).style() != ScalarStyle::Plain) continue;
    const Node merged = value(i - 1);
    Node found = missing;
    if (merged.is_mapping()) found = merged.find(name, depth + 1);
    for (std::size_t m = 0; merged.is_sequence() && m < merged.size() && !found.exists(); ++m) {
      found = merged.item(m).find(name, depth + 1);
    }
    if (found.exists()) return found;
  }
  return last ? value(*last) : missing;
}

Node Document::root() const { return {this, root_, true, {}}; }

std::vector<Node> Document::all_of(NodeKind kind) const {
  std::vector<Node> out;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].kind == kind) out.push_back({this, i, true, {}});
  }
  return out;
}

DocumentBuilder::DocumentBuilder(FileId file, Span where) : adding_to_(file) {
  document_.file_ = file;
  document_.where_ = where;
}

std::uint32_t DocumentBuilder::add(Document::Data data, std::size_t anchor) {
  const auto index = static_cast<std::uint32_t>(document_.nodes_.size());
  data.file = adding_to_;
  document_.nodes_.push_back(data);
  if (anchor > 0) {
    if (anchors_.size() <= anchor) anchors_.resize(anchor + 1, Anchor{kNoNode});
    anchors_[anchor] = Anchor{index};
  }
  attach(index);
  return index;
}

void DocumentBuilder::attach(std::uint32_t node) {
  if (open_.empty()) {
    document_.root_ = node;
  } else {
    open_.back().children.push_back(node);
  }
}

void DocumentBuilder::null(std::uint32_t begin) {
  add({NodeKind::Null, ScalarStyle::Plain, begin, begin, 0, 0, {}, {}}, 0);
  count(1);
}

void DocumentBuilder::scalar(std::uint32_t begin, std::uint32_t end, std::string text, ScalarStyle style,
                             std::size_t anchor) {
  document_.texts_.push_back(std::move(text));
  add({NodeKind::Scalar, style, begin, end, 0, 0, {}, document_.texts_.back()}, anchor);
  count(1);
}

bool DocumentBuilder::alias(std::uint32_t begin, std::uint32_t end, std::size_t anchor) {
  const Anchor target = anchor < anchors_.size() ? anchors_[anchor] : Anchor{kNoNode};
  add({NodeKind::Alias, ScalarStyle::Plain, begin, end, target.node, 0, {}, {}}, 0);
  count(target.expanded);
  return !target.open;
}

bool DocumentBuilder::begin_container(NodeKind kind, std::uint32_t begin, std::size_t anchor) {
  if (open_.size() >= kMaxDepth) return false;
  open_.push_back({add({kind, ScalarStyle::Plain, begin, begin + 1, 0, 0, {}, {}}, anchor), anchor, 1, {}});
  if (anchor > 0) anchors_[anchor].open = true;
  return true;
}

void DocumentBuilder::end_container(std::uint32_t end) {
  Document::Data& data = close_container();
  for (std::uint32_t i = 0; i < data.count; ++i)
    data.end = std::max(data.end, document_.nodes_[document_.children_[data.first + i]].end);
  data.end = std::max(data.end, end);
}

void DocumentBuilder::end_container_at(std::uint32_t end) { close_container().end = end; }

Document::Data& DocumentBuilder::close_container() {
  MUSTER_CHECK(!open_.empty(), "container ended twice");
  Open open = std::move(open_.back());
  open_.pop_back();
  count(open.expanded);
  if (open.anchor > 0) anchors_[open.anchor] = {open.node, open.expanded, false};
  Document::Data& data = document_.nodes_[open.node];
  if (data.kind == NodeKind::Mapping && open.children.size() % 2 == 1) open.children.pop_back();
  data.first = static_cast<std::uint32_t>(document_.children_.size());
  data.count = static_cast<std::uint32_t>(open.children.size());
  document_.children_.insert(document_.children_.end(), open.children.begin(), open.children.end());
  return data;
}

bool DocumentBuilder::has_excessive_aliases() const {
  // As kubectl decides it. Source: go-yaml/yaml v2.4.0, decode.go, allowedAliasRatio.
  constexpr double kSmall = 400'000;
  constexpr double kLarge = 4'000'000;
  const double ratio = 1 - static_cast<double>(document_.nodes_.size()) / expanded_;
  const double slope = std::clamp((expanded_ - kSmall) / (kLarge - kSmall), 0.0, 1.0);
  return expanded_ > 1000 && ratio > 0.99 - 0.89 * slope;
}

Document DocumentBuilder::finish() && {
  while (!open_.empty()) end_container(0);
  if (document_.nodes_.empty()) null(document_.where_.begin);
  return std::move(document_);
}

}  // namespace muster
