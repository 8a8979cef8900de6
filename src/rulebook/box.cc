#include "rulebook/box.h"

#include <bit>

#include "base/check.h"

namespace muster {
namespace {

constexpr std::size_t kBits = 64;

class CoverSearch {
 public:
  CoverSearch(const Layout& layout, Budget& budget) : layout_(layout), budget_(budget) {}

  /// Peels `box` around the other box that leaves the fewest pieces: one piece is no choice at all.
  std::optional<Box> run(Box box, std::span<const Box* const> others) {
    if (!budget_.take(1 + others.size())) return std::nullopt;  // each is looked at
    std::vector<const Box*> near;
    std::size_t best = 0;
    std::size_t fewest = layout_.dimensions() + 1;
    for (const Box* other : others) {
      if (!layout_.meet(box, *other)) continue;
      const std::size_t pieces = layout_.count_outside(box, *other);
      if (pieces == 0) return std::nullopt;
      if (pieces < fewest) {
        fewest = pieces;
        best = near.size();
      }
      near.push_back(other);
    }
    if (near.empty()) return box;
    const Box& around = *near[best];
    near.erase(near.begin() + static_cast<std::ptrdiff_t>(best));
    for (std::size_t d = 0; d < layout_.dimensions(); ++d) {
      if (!layout_.outside(box, around, d)) continue;
      Box piece = box;
      layout_.subtract(piece, around, d);
      if (std::optional<Box> found = run(std::move(piece), near)) return found;
      if (budget_.spent()) return std::nullopt;
      layout_.intersect(box, around, d);
    }
    return std::nullopt;
  }

 private:
  const Layout& layout_;
  Budget& budget_;
};

}  // namespace

Layout::Layout(const std::vector<std::size_t>& cells) : cells_(cells) {
  std::size_t used = kBits;  // of the last word
  for (const std::size_t count : cells) {
    if (count >= kBits) {  // words of its own
      wide_.push_back(fields_.size());
      fields_.push_back({ones_.size(), 0, 0});
      ones_.resize(ones_.size() + (count + kBits - 1) / kBits);
      used = kBits;
      continue;
    }
    if (used + count + 1 > kBits) {
      ones_.push_back(0);
      used = 0;
    }
    const std::uint64_t mask = ((std::uint64_t{1} << count) - 1) << used;
    fields_.push_back({ones_.size() - 1, used, mask});
    guards_.resize(ones_.size());
    ones_.back() |= mask;
    guards_.back() |= std::uint64_t{1} << (used + count);
    used += count + 1;
  }
  guards_.resize(ones_.size());
}

std::size_t Layout::word_count(std::size_t d) const { return (cells_[d] + kBits - 1) / kBits; }

Box Layout::whole() const {
  Box box(words());
  for (std::size_t d = 0; d < dimensions(); ++d) fill(box, d);
  return box;
}

bool Layout::has(const Box& box, std::size_t d, std::size_t cell) const {
  const std::size_t bit = fields_[d].shift + cell;
  return ((box[fields_[d].word + bit / kBits] >> (bit % kBits)) & 1u) != 0;
}

void Layout::add(Box& box, std::size_t d, std::size_t cell) const {
  const std::size_t bit = fields_[d].shift + cell;
  box[fields_[d].word + bit / kBits] |= std::uint64_t{1} << (bit % kBits);
}

void Layout::remove(Box& box, std::size_t d, std::size_t cell) const {
  const std::size_t bit = fields_[d].shift + cell;
  box[fields_[d].word + bit / kBits] &= ~(std::uint64_t{1} << (bit % kBits));
}

void Layout::clear(Box& box, std::size_t d) const {
  const Field& field = fields_[d];
  if (field.mask != 0) box[field.word] &= ~field.mask;
  for (std::size_t w = 0; field.mask == 0 && w < word_count(d); ++w) box[field.word + w] = 0;
}

void Layout::fill(Box& box, std::size_t d) const {
  const Field& field = fields_[d];
  if (field.mask != 0) box[field.word] |= field.mask;
  for (std::size_t w = 0; field.mask == 0 && w < word_count(d); ++w) {
    const std::size_t left = cells_[d] - w * kBits;
    box[field.word + w] = left >= kBits ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
  }
}

void Layout::only(Box& box, std::size_t d, std::size_t cell) const {
  clear(box, d);
  add(box, d, cell);
}

std::vector<std::size_t> Layout::cells_of(const Box& box, std::size_t d) const {
  std::vector<std::size_t> out;
  for (std::size_t cell = 0; cell < cells_[d]; ++cell) {
    if (has(box, d, cell)) out.push_back(cell);
  }
  return out;
}

std::size_t Layout::count(const Box& box, std::size_t d) const {
  const Field& field = fields_[d];
  if (field.mask != 0) return static_cast<std::size_t>(std::popcount(box[field.word] & field.mask));
  std::size_t out = 0;
  for (std::size_t w = 0; w < word_count(d); ++w) out += static_cast<std::size_t>(std::popcount(box[field.word + w]));
  return out;
}

std::size_t Layout::lowest(const Box& box, std::size_t d) const {
  const Field& field = fields_[d];
  if (field.mask != 0) {
    MUSTER_CHECK((box[field.word] & field.mask) != 0, "an empty box has no point");
    return static_cast<std::size_t>(std::countr_zero(box[field.word] & field.mask)) - field.shift;
  }
  for (std::size_t w = 0; w < word_count(d); ++w) {
    if (box[field.word + w] != 0) return w * kBits + static_cast<std::size_t>(std::countr_zero(box[field.word + w]));
  }
  MUSTER_CHECK(false, "an empty box has no point");
}

// A field has a spare bit above its cells: adding ones to its cells carries into it exactly when one of them is set. So
// all dimensions of a word are asked at once.

bool Layout::meet(const Box& a, const Box& b) const {
  for (std::size_t w = 0; w < a.size(); ++w) {
    if ((((a[w] & b[w]) + ones_[w]) & guards_[w]) != guards_[w]) return false;
  }
  for (const std::size_t d : wide_) {
    std::uint64_t common = 0;
    for (std::size_t w = fields_[d].word; w < fields_[d].word + word_count(d); ++w) common |= a[w] & b[w];
    if (common == 0) return false;
  }
  return true;
}

std::size_t Layout::count_apart(const Box& a, const Box& b, const Box& open) const {
  std::size_t out = 0;
  for (std::size_t w = 0; w < a.size(); ++w) {
    const std::uint64_t apart = ~(((a[w] & b[w]) | open[w]) + ones_[w]) & guards_[w];
    for (std::uint64_t left = apart; left != 0; left &= left - 1) ++out;
  }
  for (const std::size_t d : wide_) {
    std::uint64_t common = 0;
    for (std::size_t w = fields_[d].word; w < fields_[d].word + word_count(d); ++w) common |= (a[w] & b[w]) | open[w];
    out += common == 0 ? 1 : 0;
  }
  return out;
}

bool Layout::outside(const Box& a, const Box& b, std::size_t d) const {
  const Field& field = fields_[d];
  if (field.mask != 0) return (a[field.word] & ~b[field.word] & field.mask) != 0;
  std::uint64_t rest = 0;
  for (std::size_t w = field.word; w < field.word + word_count(d); ++w) rest |= a[w] & ~b[w];
  return rest != 0;
}

std::size_t Layout::count_outside(const Box& a, const Box& b) const {
  std::size_t out = 0;
  for (std::size_t w = 0; w < a.size(); ++w)
    out += static_cast<std::size_t>(std::popcount(((a[w] & ~b[w]) + ones_[w]) & guards_[w]));
  for (const std::size_t d : wide_) out += outside(a, b, d) ? 1 : 0;
  return out;
}

void Layout::subtract(Box& a, const Box& b, std::size_t d) const {
  const Field& field = fields_[d];
  if (field.mask != 0) a[field.word] &= ~(b[field.word] & field.mask);
  for (std::size_t w = field.word; field.mask == 0 && w < field.word + word_count(d); ++w) a[w] &= ~b[w];
}

void Layout::intersect(Box& a, const Box& b, std::size_t d) const {
  const Field& field = fields_[d];
  if (field.mask != 0) a[field.word] &= b[field.word] | ~field.mask;
  for (std::size_t w = field.word; field.mask == 0 && w < field.word + word_count(d); ++w) a[w] &= b[w];
}

Box intersection(const Box& a, const Box& b) {
  Box out(a.size());
  for (std::size_t w = 0; w < a.size(); ++w) out[w] = a[w] & b[w];
  return out;
}

bool contains(const Box& box, const Box& part) {
  for (std::size_t w = 0; w < box.size(); ++w) {
    if ((part[w] & ~box[w]) != 0) return false;
  }
  return true;
}

std::optional<Box> find_uncovered(const Layout& layout, const Box& box, std::span<const Box* const> others,
                                  Budget& budget) {
  if (layout.is_empty(box)) return std::nullopt;
  return CoverSearch(layout, budget).run(box, others);
}

}  // namespace muster
