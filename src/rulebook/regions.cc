#include "rulebook/regions.h"

#include <algorithm>
#include <set>

#include "base/check.h"

namespace muster {

std::optional<Region> Cartographer::cut(const Region& region, const Box& box) { return cut(region, box, {}); }

std::optional<Region> Cartographer::cut(const Region& region, const Box& box, std::span<const Box> earlier) {
  const Layout& layout = space_.layout();
  if (!layout.meet(region.box, box)) return std::nullopt;
  Region out{intersection(region.box, box), {}, {}};
  bool covered = false;
  const auto leave_out = [&](const Box& other) {
    if (covered || !layout.meet(out.box, other)) return;
    covered = contains(other, out.box);
    out.without.push_back(&other);
  };
  for (const Box* other : region.without) leave_out(*other);
  for (const Box& other : earlier) leave_out(other);
  if (covered) return std::nullopt;
  if (!out.without.empty() && !find_uncovered(layout, out.box, out.without, budget_)) return std::nullopt;
  out.hits = region.hits;
  return out;
}

std::optional<Box> Cartographer::point(const Region& region, const std::vector<const Box*>& others) {
  std::vector<const Box*> all = region.without;
  all.insert(all.end(), others.begin(), others.end());
  return find_uncovered(space_.layout(), region.box, all, budget_);
}

/// first and unique: the first row that matches takes its part, the others share the rest.
void Cartographer::first(const Region& region, const Space::TableBoxes& table, std::vector<Region>& out) {
  const Layout& layout = space_.layout();
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    std::optional<Region> part = cut(region, table.rows[r], std::span(table.rows).first(r));
    if (!part) continue;
    const TableRow& row = table.table->rows[r];
    part->hits.push_back(&row);
    for (std::size_t i = 0; i < table.outputs.size(); ++i) {
      const std::size_t d = table.outputs[i];
      const std::optional<std::size_t> cell = space_.dimension(d).cell_of(row.then.at(table.table->outputs[i].name));
      MUSTER_CHECK(cell, "a row gives a word that its output does not have");
      layout.only(part->box, d, *cell);
    }
    out.push_back(std::move(*part));
  }
}

/// collect: every row that matches hits, so that each row halves what is left.
void Cartographer::collect(const Region& region, const Space::TableBoxes& table, const RowFilter& filter,
                           std::vector<Region>& out) {
  std::vector<Region> open{region};
  for (std::size_t r = 0; r < table.rows.size() && !budget_.spent(); ++r) {
    const TableRow& row = table.table->rows[r];
    if (filter && !filter(row)) continue;
    std::vector<Region> next;
    for (Region& part : open) {
      if (std::optional<Region> hit = cut(part, table.rows[r])) {
        hit->hits.push_back(&row);
        next.push_back(std::move(*hit));
      }
      part.without.push_back(&table.rows[r]);
      if (std::optional<Region> miss = cut(part, part.box)) next.push_back(std::move(*miss));
    }
    open = std::move(next);
  }
  std::ranges::move(open, std::back_inserter(out));
}

std::vector<Region> Cartographer::split_one(const std::vector<Region>& regions, std::size_t table,
                                            const RowFilter& filter) {
  const Space::TableBoxes& boxes = space_.tables()[table];
  std::vector<Region> out;
  for (const Region& region : regions) {
    const std::optional<Region> inside = cut(region, boxes.domain);
    if (!inside) continue;
    if (boxes.table->hit == HitPolicy::Collect) {
      collect(*inside, boxes, filter, out);
    } else {
      first(*inside, boxes, out);
    }
  }
  return out;
}

std::vector<Region> Cartographer::split(const Box& start, const std::vector<std::size_t>& tables) {
  std::vector<Region> regions{{start, {}, {}}};
  for (const std::size_t table : tables) regions = split_one(regions, table);
  return regions;
}

std::vector<Region> Cartographer::reachable(const std::vector<std::size_t>& tables, const RowFilter& filter) {
  const auto collects = [&](std::size_t table) { return space_.tables()[table].table->hit == HitPolicy::Collect; };
  std::vector<std::size_t> deciding;
  std::ranges::remove_copy_if(tables, std::back_inserter(deciding), collects);
  auto known = reachable_.find(deciding);
  if (known == reachable_.end()) known = reachable_.emplace(deciding, split(space_.possible(), deciding)).first;
  std::vector<Region> regions = known->second;
  for (const std::size_t table : tables) {
    if (collects(table)) regions = split_one(regions, table, filter);
  }
  return regions;
}

std::vector<Region> Cartographer::before(std::size_t table, const Box& start) {
  std::vector<Region> out;
  for (const Region& region : split(start, space_.tables()[table].feeders)) {
    if (std::optional<Region> inside = cut(region, space_.tables()[table].domain)) out.push_back(std::move(*inside));
  }
  return out;
}

std::optional<Cartographer::Step> Cartographer::step(const Region& from, const Region& to, std::size_t d,
                                                     const std::vector<std::size_t>& ignored) {
  const Layout& layout = space_.layout();
  // Ignored dimensions are outputs that follow from the rest: what a region leaves out speaks of those that it has.
  const auto projected = [&](Box box) {
    for (const std::size_t i : ignored) layout.fill(box, i);
    layout.fill(box, d);
    return box;
  };
  const Box common = intersection(projected(from.box), projected(to.box));
  if (layout.is_empty(common)) return std::nullopt;
  std::vector<Box> from_others;
  std::vector<Box> to_others;
  for (const Box* other : from.without) from_others.push_back(projected(*other));
  for (const Box* other : to.without) to_others.push_back(projected(*other));
  // What is left out where the one has a cell: cells that leave out the same are the same question.
  const auto kinds = [&](const Region& region) {
    std::map<std::vector<bool>, std::size_t> seen;
    std::vector<std::pair<std::size_t, std::size_t>> out;  // cell and its kind
    for (const std::size_t cell : layout.cells_of(region.box, d)) {
      std::vector<bool> left_out;
      for (const Box* other : region.without) left_out.push_back(layout.has(*other, d, cell));
      out.emplace_back(cell, seen.emplace(std::move(left_out), seen.size()).first->second);
    }
    return out;
  };
  std::set<std::pair<std::size_t, std::size_t>> asked;
  const std::vector<std::pair<std::size_t, std::size_t>> to_cells = kinds(to);
  for (const auto& [a, a_kind] : kinds(from)) {
    for (const auto& [b, b_kind] : to_cells) {
      if (a == b || !asked.emplace(a_kind, b_kind).second) continue;
      std::vector<const Box*> others;
      for (std::size_t i = 0; i < from_others.size(); ++i) {
        if (layout.has(*from.without[i], d, a)) others.push_back(&from_others[i]);
      }
      for (std::size_t i = 0; i < to_others.size(); ++i) {
        if (layout.has(*to.without[i], d, b)) others.push_back(&to_others[i]);
      }
      if (std::optional<Box> box = find_uncovered(layout, common, others, budget_)) return Step{std::move(*box), a, b};
      if (budget_.spent()) return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace muster
