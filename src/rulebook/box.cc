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
  for (const std::size_t count : cells) first_.push_back(first_.back() + (count + kBits - 1) / kBits);
}

Box Layout::whole() const {
  Box box(words());
  for (std::size_t d = 0; d < dimensions(); ++d) fill(box, d);
  return box;
}

bool Layout::has(const Box& box, std::size_t d, std::size_t cell) const {
  return ((box[first_[d] + cell / kBits] >> (cell % kBits)) & 1u) != 0;
}

void Layout::add(Box& box, std::size_t d, std::size_t cell) const { box[first_[d] + cell / kBits] |= std::uint64_t{1} << (cell % kBits); }

void Layout::remove(Box& box, std::size_t d, std::size_t cell) const { box[first_[d] + cell / kBits] &= ~(std::uint64_t{1} << (cell % kBits)); }

void Layout::clear(Box& box, std::size_t d) const {
  for (std::size_t w = first_[d]; w < first_[d + 1]; ++w) box[w] = 0;
}

void Layout::fill(Box& box, std::size_t d) const {
  for (std::size_t w = first_[d]; w < first_[d + 1]; ++w) {
    const std::size_t left = cells_[d] - (w - first_[d]) * kBits;
    box[w] = left >= kBits ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
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
  std::size_t out = 0;
  for (std::size_t w = first_[d]; w < first_[d + 1]; ++w) out += static_cast<std::size_t>(std::popcount(box[w]));
  return out;
}

std::size_t Layout::lowest(const Box& box, std::size_t d) const {
  for (std::size_t w = first_[d]; w < first_[d + 1]; ++w) {
    if (box[w] != 0) return (w - first_[d]) * kBits + static_cast<std::size_t>(std::countr_zero(box[w]));
  }
  MUSTER_CHECK(false, "an empty box has no point");
}

bool Layout::meet(const Box& a, const Box& b) const {
  if (words() == dimensions()) {  // the usual case, and the innermost loop of every proof
    for (std::size_t w = 0; w < a.size(); ++w) {
      if ((a[w] & b[w]) == 0) return false;
    }
    return true;
  }
  for (std::size_t d = 0; d < dimensions(); ++d) {
    std::uint64_t common = 0;
    for (std::size_t w = first_[d]; w < first_[d + 1]; ++w) common |= a[w] & b[w];
    if (common == 0) return false;
  }
  return true;
}

bool Layout::outside(const Box& a, const Box& b, std::size_t d) const {
  std::uint64_t rest = 0;
  for (std::size_t w = first_[d]; w < first_[d + 1]; ++w) rest |= a[w] & ~b[w];
  return rest != 0;
}

std::size_t Layout::count_outside(const Box& a, const Box& b) const {
  std::size_t out = 0;
  if (words() == dimensions()) {
    for (std::size_t w = 0; w < a.size(); ++w) out += (a[w] & ~b[w]) != 0 ? 1 : 0;
    return out;
  }
  for (std::size_t d = 0; d < dimensions(); ++d) out += outside(a, b, d) ? 1 : 0;
  return out;
}

void Layout::subtract(Box& a, const Box& b, std::size_t d) const {
  for (std::size_t w = first_[d]; w < first_[d + 1]; ++w) a[w] &= ~b[w];
}

void Layout::intersect(Box& a, const Box& b, std::size_t d) const {
  for (std::size_t w = first_[d]; w < first_[d + 1]; ++w) a[w] &= b[w];
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

std::optional<Box> find_uncovered(const Layout& layout, const Box& box, std::span<const Box* const> others, Budget& budget) {
  if (layout.is_empty(box)) return std::nullopt;
  return CoverSearch(layout, budget).run(box, others);
}

}  // namespace muster
