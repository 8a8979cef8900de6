#include "kubernetes/field_table.h"

#include <algorithm>
#include <charconv>
#include <tuple>

#include "base/check.h"
#include "base/strings.h"
#include "base/version.h"
#include "embed/assets.h"
#include "gang/manifest.h"

namespace muster {
namespace {

std::size_t number_of(std::string_view text) {
  std::size_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  MUSTER_CHECK(error == std::errc{} && stop == text.data() + text.size(), "no number: " + std::string(text));
  return number;
}

/// The first letters as a number that is ordered as they are.
std::uint64_t first_letters(std::string_view name) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < sizeof out; ++i)
    out = out << 8 | (i < name.size() ? static_cast<unsigned char>(name[i]) : 0);
  return out;
}

FieldTable::Field field_of(std::string_view text) {
  const std::size_t colon = text.find(':');
  MUSTER_CHECK(colon != text.npos, "no field: " + std::string(text));
  const std::string_view name = text.substr(0, colon);
  FieldTable::Field field{name, text.substr(colon + 1), text.ends_with('!'), first_letters(name)};
  if (field.required) field.type.remove_suffix(1);
  return field;
}

}  // namespace

const FieldTable::Field* FieldTable::Tree::find(std::string_view name) const {
  const std::uint64_t begin = first_letters(name);
  auto found = std::ranges::lower_bound(fields, begin, {}, &Field::begin);
  while (found != fields.end() && found->begin == begin && found->name != name) ++found;
  return found == fields.end() || found->begin != begin ? nullptr : &*found;
}

FieldTable::FieldTable(std::string_view text) {
  for (std::string_view line : split(text, '\n')) {
    if (line.empty() || line.front() == '#') continue;
    const std::size_t blank = line.find(' ');
    const std::string_view first = line.substr(0, blank);
    const std::string_view rest = blank == line.npos ? std::string_view{} : line.substr(blank + 1);
    if (first == "kind") {
      const std::vector<std::string_view> words = split(rest, ' ');
      const std::string_view mark = words.size() == 4 ? words[3] : std::string_view{};
      const bool deprecated = mark == "deprecated";
      MUSTER_CHECK(words.size() == 3 || deprecated || mark.starts_with("gone="), std::string(line));
      kinds_.push_back({words[0], words[1], words[2], mark.empty() || deprecated ? "" : mark.substr(5), deprecated});
    } else if (first.front() == 'e') {
      MUSTER_CHECK(number_of(first.substr(1)) == words_.size(), std::string(line));
      words_.push_back(split(rest, '|'));
    } else {
      MUSTER_CHECK(number_of(first) == trees_.size(), std::string(line));
      trees_.emplace_back(rest);
    }
  }
}

const FieldTable::Tree* FieldTable::read_tree(LazyTree& lazy) const {
  const std::lock_guard lock(reading_);
  if (lazy.read.load(std::memory_order_relaxed) == nullptr) {
    for (const std::string_view word : split(lazy.line, ' ')) {
      if (word == "...") {
        lazy.tree.open = true;
      } else if (!word.empty()) {
        lazy.fields.push_back(field_of(word));
      }
    }
    lazy.tree.fields = lazy.fields;
    lazy.read.store(&lazy.tree, std::memory_order_release);
  }
  return &lazy.tree;
}

const FieldTable& FieldTable::shipped() {
  static const FieldTable kShipped(assets_below("schemas/kubernetes.fields").front().text);
  return kShipped;
}

const FieldTable::ObjectKind* FieldTable::find(std::string_view api_version, std::string_view kind) const {
  const auto key = [](const ObjectKind& one) { return std::tie(one.api_version, one.kind); };
  const auto found = std::ranges::lower_bound(kinds_, std::tie(api_version, kind), {}, key);
  return found == kinds_.end() || key(*found) != std::tie(api_version, kind) ? nullptr : &*found;
}

bool FieldTable::has_kind(std::string_view kind) const {
  return std::ranges::find(kinds_, kind, &ObjectKind::kind) != kinds_.end();
}

bool FieldTable::has_version(std::string_view api_version) const {
  return std::ranges::find(kinds_, api_version, &ObjectKind::api_version) != kinds_.end();
}

std::string_view FieldTable::gone(std::string_view api_version) const {
  std::string_view out;
  for (const ObjectKind& one : kinds_) {
    if (one.api_version != api_version || one.gone.empty()) continue;
    if (out.empty() || *Version::parse(one.gone) < *Version::parse(out)) out = one.gone;
  }
  return out;
}

bool FieldTable::is_served(std::string_view kind) const {
  return std::ranges::any_of(kinds_, [&](const ObjectKind& one) { return one.kind == kind && one.gone.empty(); });
}

std::vector<std::string_view> FieldTable::versions_of(std::string_view group, std::string_view kind) const {
  std::vector<std::string_view> out;
  for (const ObjectKind& one : kinds_) {
    if (one.kind == kind && api_group(one.api_version) == group) out.push_back(one.api_version);
  }
  return out;
}

const FieldTable::Tree* FieldTable::tree(std::string_view type) const {
  if (type.front() < '0' || type.front() > '9') return nullptr;
  LazyTree& lazy = trees_[number_of(type)];
  const Tree* const read = lazy.read.load(std::memory_order_acquire);
  return read != nullptr ? read : read_tree(lazy);
}

std::span<const std::string_view> FieldTable::words(std::string_view type) const {
  return words_[number_of(type.substr(1))];
}

}  // namespace muster
