#include "syntax/document.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

#include "base/check.h"

namespace muster {
namespace {

constexpr int kMaxMergeDepth = 20;  // also ends chains of aliases
constexpr std::string_view kMerge = "<<";
constexpr std::size_t kLeastTexts = 64;  // bytes to begin with: texts take about as many as their file
constexpr std::size_t kMostTexts = 65'536;
constexpr std::size_t kBytesOfValue = 9;  // a key or value takes about as many in a manifest
constexpr std::size_t kMostReserved = 512;
constexpr std::size_t kUsualDepth = 24;
constexpr std::size_t kFewKeys = 12;  // of which each is held against each other
constexpr std::uint32_t kNoNode = std::numeric_limits<std::uint32_t>::max();

}  // namespace

std::uint32_t Document::behind_alias(std::uint32_t index) const {
  for (int hops = 0; nodes_[index].kind == NodeKind::Alias; ++hops) {
    if (nodes_[index].first == kNoNode || hops == kMaxMergeDepth) break;
    index = nodes_[index].first;
  }
  return index;
}

NodeKind Node::kind() const {
  MUSTER_CHECK(exists_, "kind of a missing node");
  return document_->nodes_[index_].kind;
}

ScalarStyle Node::style() const { return is_scalar() ? document_->nodes_[index_].style : ScalarStyle::Plain; }

Span Node::where() const {
  if (document_ == nullptr) return {};
  const Document::Data& data = document_->nodes_[index_];
  if (exists_ && data.end > data.begin) return {data.file, data.begin, data.end};
  const Span key = key_place();
  return key.placed() ? key : Span{data.file, data.begin, data.end};
}

Span Node::key_where() const {
  const Span key = key_place();
  return key.placed() ? key : where();
}

Span Node::key_place() const {
  if (key_ == kNone) return {};
  const Document::Data& data = document_->nodes_[document_->behind_alias(key_)];
  return {data.file, data.begin, data.end};
}

Node Node::find(std::string_view name, int depth) const {
  if (!is_mapping()) return missing();
  const Document::Data& data = document_->nodes_[index_];
  if (data.merges) return find_merged(name, depth);
  // Without a Node for each key, and from the end: of several the last one counts.
  const std::uint32_t* const keys = document_->children_.data() + data.first;
  const Document::Data* const nodes = document_->nodes_.data();
  const std::uint32_t tag = Document::Data::tag_of(name);  // comparing all of a text is a call
  if ((data.keys & Document::Data::bit_of(tag)) == 0) return missing();
  for (std::size_t i = data.count / 2; i > 0; --i) {
    const Document::Data& key = nodes[keys[2 * i - 2]];
    if (key.first == tag && key.kind == NodeKind::Scalar && key.text == name)
      return {document_, keys[2 * i - 1], keys[2 * i - 2]};
  }
  return missing();
}

Node Node::find_merged(std::string_view name, int depth) const {
  std::optional<std::size_t> last;
  for (std::size_t i = size(); i > 0 && !last; --i) {
    if (key(i - 1).text() == name) last = i - 1;
  }
  if (depth == kMaxMergeDepth) return last ? value(*last) : missing();
  // As kubectl reads them: in the order they stand, so that a merge behind a key takes its place. Source:
  // sigs.k8s.io/yaml v1.4.0, goyaml.v2/decode.go, mapping and merge.
  for (std::size_t i = size(); i > (last ? *last + 1 : 0); --i) {
    if (key(i - 1).text() != kMerge || key(i - 1).style() != ScalarStyle::Plain) continue;
    const Node merged = value(i - 1);
    Node found = missing();
    if (merged.is_mapping()) found = merged.find(name, depth + 1);
    for (std::size_t m = 0; merged.is_sequence() && m < merged.size() && !found.exists(); ++m) {
      found = merged.item(m).find(name, depth + 1);
    }
    if (found.exists()) return found;
  }
  return last ? value(*last) : missing();
}

Node Document::root() const { return {this, root_}; }

std::vector<Node> Document::mappings_with_like_keys() const {
  std::vector<Node> out;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].like_keys) out.push_back({this, i});
  }
  return out;
}

std::vector<Node> Document::all_of(NodeKind kind) const {
  std::vector<Node> out;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].kind == kind) out.push_back({this, i});
  }
  return out;
}

DocumentBuilder::DocumentBuilder(FileId file, Span where) : adding_to_(file) {
  document_.file_ = file;
  document_.where_ = where;
  const std::size_t usual = std::min((where.end - std::min(where.begin, where.end)) / kBytesOfValue, kMostReserved);
  document_.nodes_.reserve(usual);
  document_.children_.reserve(usual);
  children_.reserve(usual);
  open_.reserve(kUsualDepth);
}

std::string_view DocumentBuilder::keep(std::string_view text) {
  if (text.empty()) return "";
  if (left_ < text.size()) {
    const std::size_t length = document_.where_.end - std::min(document_.where_.begin, document_.where_.end);
    left_ = std::max(text.size(), std::clamp(length, kLeastTexts, kMostTexts));
    free_ = document_.texts_.emplace_back(std::make_unique_for_overwrite<char[]>(left_)).get();
  }
  char* const kept = free_;
  std::memcpy(kept, text.data(), text.size());
  free_ += text.size();
  left_ -= text.size();
  return {kept, text.size()};
}

std::uint32_t DocumentBuilder::add(const Document::Data& data, std::size_t anchor) {
  const auto index = static_cast<std::uint32_t>(document_.nodes_.size());
  document_.nodes_.push_back(data);
  document_.nodes_.back().file = adding_to_;
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
    children_.push_back(node);
  }
}

void DocumentBuilder::null(std::uint32_t begin) {
  add({.kind = NodeKind::Null, .begin = begin, .end = begin}, 0);
  count(1);
}

void DocumentBuilder::scalar(std::uint32_t begin, std::uint32_t end, std::string_view text, ScalarStyle style,
                             std::size_t anchor) {
  add({.kind = NodeKind::Scalar,
       .style = style,
       .begin = begin,
       .end = end,
       .first = Document::Data::tag_of(text),
       .text = keep(text)},
      anchor);
  count(1);
}

bool DocumentBuilder::alias(std::uint32_t begin, std::uint32_t end, std::size_t anchor) {
  const Anchor target = anchor < anchors_.size() ? anchors_[anchor] : Anchor{kNoNode};
  // What contains itself is refused, and has no way round in what was read of it.
  const std::uint32_t behind = target.open ? kNoNode : target.node;
  add({.kind = NodeKind::Alias, .begin = begin, .end = end, .first = behind}, 0);
  count(target.expanded);
  return !target.open;
}

bool DocumentBuilder::begin_container(NodeKind kind, std::uint32_t begin, std::size_t anchor) {
  if (open_.size() >= kMaxDepth) return false;
  const std::uint32_t node = add({.kind = kind, .begin = begin, .end = begin + 1}, anchor);
  open_.push_back({node, anchor, 1, children_.size()});
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
  const Open open = open_.back();
  open_.pop_back();
  count(open.expanded);
  if (open.anchor > 0) anchors_[open.anchor] = {open.node, open.expanded, false};
  Document::Data& data = document_.nodes_[open.node];
  const bool mapping = data.kind == NodeKind::Mapping;
  if (mapping && (children_.size() - open.children) % 2 == 1) children_.pop_back();
  if (mapping) judge_keys(data, open.children);
  data.first = static_cast<std::uint32_t>(document_.children_.size());
  data.count = static_cast<std::uint32_t>(children_.size() - open.children);
  const auto begin = children_.begin() + static_cast<std::ptrdiff_t>(open.children);
  document_.children_.insert(document_.children_.end(), begin, children_.end());
  children_.erase(begin, children_.end());
  return data;
}

void DocumentBuilder::judge_keys(Document::Data& mapping, std::size_t first) const {
  std::uint64_t keys = 0;
  mapping.like_keys = children_.size() - first > 2 * kFewKeys;
  for (std::size_t i = first; i < children_.size(); i += 2) {
    const Document::Data& key = document_.nodes_[children_[i]];
    const std::string_view text = key.written();
    keys |= Document::Data::bit_of(key.first);
    mapping.merges = mapping.merges || key.kind == NodeKind::Alias || text == kMerge;
    mapping.like_keys = mapping.like_keys || key.kind == NodeKind::Alias;
    for (std::size_t before = first; before < i && !mapping.like_keys; before += 2) {
      const Document::Data& other = document_.nodes_[children_[before]];
      mapping.like_keys = (other.first == key.first || text.empty()) && other.written() == text;
    }
  }
  mapping.keys = keys;
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
