#include "kustomize/tree.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/strings.h"
#include "syntax/read_value.h"

namespace muster::kustomize {
namespace {

constexpr int kDeepest = 520;  // the reader ends at 500

/// The word that a null is written with: kustomize drops one that is not written when it merges.
std::string word_of_null(const Node& node, const SourceMap& sources) {
  const Span where = node.where();
  if (!where.placed()) return "null";
  const std::string_view text = sources.file(where.file).text();
  const std::size_t behind = text.find_first_not_of(" \t:", where.end);
  const char first = behind == text.npos ? '\n' : text[behind];
  return first == 'n' || first == 'N' || first == '~' ? "null" : "";
}

class Copier {
 public:
  Copier(const SourceMap& sources, const Span* all_at, Work& work) : sources_(sources), all_at_(all_at), work_(work) {}

  bool copy(const Node& node, Tree& out, int depth) {
    if (depth > kDeepest) return work_.fail("an object is nested too deeply");
    if (!work_.spend(1)) return false;
    out.where = place(node.where());
    if (!node.exists() || node.is_null()) {
      if (node.exists()) out.text = all_at_ == nullptr ? word_of_null(node, sources_) : "null";
      return true;
    }
    out.kind = node.kind();
    if (node.is_scalar()) {
      out.text = std::string(node.text());
      out.style = node.style();
      return true;
    }
    if (node.is_mapping()) return members(node, out, depth);
    if (!node.is_sequence()) return work_.fail("an alias leads nowhere");
    out.items.resize(node.size());
    for (std::size_t i = 0; i < node.size(); ++i) {
      if (!copy(node.item(i), out.items[i], depth + 1)) return false;
    }
    return true;
  }

 private:
  Span place(const Span& where) const { return all_at_ == nullptr ? where : *all_at_; }

  bool members(const Node& node, Tree& out, int depth) {
    if (!work_.spend(node.size())) return false;
    for (std::size_t i = 0; i < node.size(); ++i) {
      const Node key = node.key(i);
      if (key.text() == "<<") continue;  // tagged ones are quoted for our reader
      if (!key.is_scalar() && !key.is_null()) return work_.fail("a key is not a text");
      if (!add(key, node.value(i), out, depth)) return false;
    }
    for (std::size_t i = 0; i < node.size(); ++i) {  // keys of its own come first
      if (node.key(i).text() != "<<") continue;
      const Node merged = node.value(i);
      if (merged.is_mapping() && !merge(merged, out, depth)) return false;
      for (std::size_t m = 0; merged.is_sequence() && m < merged.size(); ++m) {
        if (merged.item(m).is_mapping() && !merge(merged.item(m), out, depth)) return false;
      }
    }
    return true;
  }

  bool add(const Node& key, const Node& value, Tree& out, int depth) {
    if (!work_.spend(out.members.size())) return false;
    Tree& at = out.at(key.text(), place(key.where()));
    at = {};
    return copy(value, at, depth + 1);
  }

  bool merge(const Node& from, Tree& out, int depth) {
    Tree other;
    if (!copy(from, other, depth + 1)) return false;
    for (Member& member : other.members) {
      if (!work_.spend(out.members.size())) return false;
      if (out.find(member.key) == nullptr) out.members.push_back(std::move(member));
    }
    return true;
  }

  const SourceMap& sources_;
  const Span* all_at_;
  Work& work_;
};

bool write(const Tree& tree, DocumentBuilder& out) {
  out.in_file(tree.where.file);
  switch (tree.kind) {
    case NodeKind::Alias:
    case NodeKind::Null: out.null(tree.where.begin); return true;
    case NodeKind::Scalar: out.scalar(tree.where.begin, tree.where.end, tree.text, tree.style); return true;
    case NodeKind::Sequence:
    case NodeKind::Mapping: break;
  }
  if (!out.begin_container(tree.kind, tree.where.begin)) return false;
  for (const Tree& item : tree.items) {
    if (!write(item, out)) return false;
  }
  for (const Member& member : tree.members) {
    out.in_file(member.where.file);
    out.scalar(member.where.begin, member.where.end, member.key, ScalarStyle::Quoted);
    if (!write(member.value, out)) return false;
  }
  out.end_container_at(tree.where.end);
  return true;
}

}  // namespace

bool Work::fail(std::string why) {
  if (trouble.empty()) trouble = std::move(why);
  return false;
}

bool Work::spend(std::size_t steps) {
  if (steps < left) {
    left -= steps;
    return true;
  }
  left = 0;
  return fail("it is too large");
}

bool Tree::is_old_boolean() const {
  constexpr std::string_view kWords[] = {"y",  "Y",  "yes", "Yes", "YES", "n",   "N",   "no",
                                         "No", "NO", "on",  "On",  "ON",  "off", "Off", "OFF"};
  return is_scalar() && style == ScalarStyle::Plain && std::ranges::find(kWords, text) != std::end(kWords);
}

bool Tree::is_text() const {
  constexpr std::string_view kBooleans[] = {"true", "True", "TRUE", "false", "False", "FALSE"};
  if (!is_scalar() || style == ScalarStyle::Quoted) return is_scalar();
  if (is_old_boolean() || std::ranges::find(kBooleans, text) != std::end(kBooleans) || yaml_int(text)) return false;
  const std::size_t begin = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + begin, end, number);
  const bool digit = begin < text.size() && (is_digit(text[begin]) || text[begin] == '.');
  return !digit || error != std::errc{} || stop != end;
}

const Tree* Tree::find(std::string_view key) const {
  const auto found = std::ranges::find(members, key, &Member::key);
  return found == members.end() ? nullptr : &found->value;
}

Tree* Tree::find(std::string_view key) { return const_cast<Tree*>(std::as_const(*this).find(key)); }

Tree& Tree::at(std::string_view key, const Span& place) {
  if (!is_mapping()) {
    kind = NodeKind::Mapping;
    items.clear();
    text.clear();
  }
  if (Tree* found = find(key)) return *found;
  Tree value;
  value.where = place;
  members.push_back({std::string(key), place, std::move(value)});
  return members.back().value;
}

void Tree::erase(std::string_view key) {
  std::erase_if(members, [&](const Member& member) { return member.key == key; });
}

Tree text_of(std::string text, const Span& where, ScalarStyle style) {
  Tree out;
  out.kind = NodeKind::Scalar;
  out.style = style;
  out.where = where;
  out.text = std::move(text);
  return out;
}

Tree empty_mapping(const Span& where) {
  Tree out;
  out.kind = NodeKind::Mapping;
  out.where = where;
  return out;
}

const Tree* field_of(const Tree& tree, std::string_view name) {
  if (const Tree* found = tree.find(name)) return found;
  const auto alike = [&](const Member& member) { return equals_ignoring_case(member.key, name); };
  const auto found = std::ranges::find_if(tree.members, alike);
  return found == tree.members.end() ? nullptr : &found->value;
}

std::string_view text_of_field(const Tree& tree, std::string_view name) {
  const Tree* at = field_of(tree, name);
  return at == nullptr || !at->is_scalar() ? std::string_view{} : std::string_view(at->text);
}

std::string_view text_at(const Tree& tree, std::string_view first, std::string_view second) {
  const Tree* at = tree.find(first);
  if (at != nullptr && !second.empty()) at = at->find(second);
  return at == nullptr || !at->is_scalar() ? std::string_view{} : std::string_view(at->text);
}

bool copy_of(const Node& node, const SourceMap& sources, const Span* all_at, Work& work, Tree& out) {
  out = {};
  return Copier(sources, all_at, work).copy(node, out, 0);
}

bool to_document(const Tree& tree, Document& out) {
  DocumentBuilder builder(tree.where.file, tree.where);
  if (!write(tree, builder)) return false;
  out = std::move(builder).finish();
  return true;
}

std::size_t size_of(const Tree& tree) {
  std::size_t size = 1;
  for (const Tree& item : tree.items) size += size_of(item);
  for (const Member& member : tree.members) size += 1 + size_of(member.value);
  return size;
}

}  // namespace muster::kustomize
