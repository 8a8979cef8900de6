#include <algorithm>

#include "base/strings.h"
#include "base/utf8.h"
#include "report/review_pictures.h"
#include "report/svg.h"

namespace muster {
namespace {

constexpr std::size_t kMostPools = 6;  ///< of one control plane
constexpr std::size_t kMostPlanes = 4;
constexpr std::size_t kMostBeside = 3;  ///< stacks of pools, where there are no more control planes
constexpr std::size_t kMostLines = 3;   ///< that one fact of a box may take
constexpr std::size_t kMostNames = 8;
constexpr std::int64_t kPad = 12;
constexpr std::int64_t kLine = 20;
constexpr std::int64_t kTagWidth = 208;  ///< of the names of the planes, on wide paper

struct PlaneBox {
  std::string title;
  std::vector<std::string> lines;
};

/// A control plane with what stands in its column.
struct Column {
  std::string kind;
  PlaneBox scheduler;
  std::vector<PlaneBox> pools;
};

std::string named(const std::string& kind) {
  if (kind == "slurm") return "Slurm";
  if (kind == "kubernetes") return "Kubernetes";
  if (kind == "ray") return "Ray";
  return kind;
}

std::string some(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), kMostNames);
  return join(std::span(names).first(shown), ", ") +
         (names.size() > shown ? " and " + std::to_string(names.size() - shown) + " more" : "");
}

PlaneBox pool_box(const ReviewPool& pool) {
  PlaneBox out{pool.name, {pool_size_words(pool)}};
  for (const std::string* one : {&pool.accelerator, &pool.fabric}) {
    if (!one->empty()) out.lines.push_back(*one);
  }
  if (!pool.driver.empty()) out.lines.push_back("driver " + pool.driver);
  if (!pool.runtime.empty()) out.lines.push_back(pool.runtime);
  return out;
}

std::vector<Column> columns_of(const Review& review) {
  std::vector<std::string> kinds;
  const auto add = [&](const std::string& kind) {
    if (std::ranges::find(kinds, kind) == kinds.end() && kinds.size() < kMostPlanes) kinds.push_back(kind);
  };
  for (const ReviewControlPlane& plane : review.control_planes) add(plane.kind);
  for (const ReviewPool& pool : review.pools) add(pool.control_plane);
  std::vector<Column> out;
  for (const std::string& kind : kinds) {
    Column column{kind, {kind.empty() ? "no control plane named" : named(kind), {}}, {}};
    for (const ReviewControlPlane& plane : review.control_planes) {
      if (plane.kind != kind) continue;
      if (!plane.version.empty()) column.scheduler.title += " " + plane.version;
      if (!plane.workloads.empty()) column.scheduler.lines.push_back("runs " + some(plane.workloads));
    }
    std::size_t left_out = 0;
    std::int64_t nodes = 0;
    for (const ReviewPool& pool : review.pools) {
      if (pool.control_plane != kind) continue;
      if (column.pools.size() < kMostPools) {
        column.pools.push_back(pool_box(pool));
      } else {
        ++left_out;
        nodes += pool.nodes;
      }
    }
    if (left_out > 0)
      column.pools.push_back({"and " + count_of(left_out, "pool") + " more",
                              {with_thousands(static_cast<std::uint64_t>(nodes)) + " nodes"}});
    out.push_back(std::move(column));
  }
  return out;
}

/// Without a place to break between a name and its release, or a word and its number.
std::string with_numbers_held(std::string_view words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool number = i + 1 < words.size() && words[i + 1] >= '0' && words[i + 1] <= '9';
    if (words[i] == ' ' && number)
      out += "\u00a0";
    else
      out += words[i];
  }
  return out;
}

std::string owner_words(const std::string& owner) { return owner.empty() ? "owner: not said" : "owner: " + owner; }

std::string drain_words(const Review& review) {
  if (review.drain.empty()) return "who drains sick nodes: not said";
  return review.drain == "automatic" ? "drains sick nodes by itself" : "a person drains sick nodes";
}

/// Bands from top to bottom; in each the boxes of the columns, beside each other or, on narrow paper, below.
class PlanesPicture {
 public:
  PlanesPicture(const Review& review, std::int64_t width)
      : review_(review), svg_(width), columns_(columns_of(review)), wide_(width > 500) {
    left_ = wide_ ? kTagWidth : kPad;
    beside_ = pools_beside();
  }

  std::string draw(std::string_view id, const std::string& title, const std::string& description) {
    band("Fleet plane", owner_words(review_.fleet_owner), "provision, watch, repair",
         {{{PlaneBox{drain_words(review_), {}}}, width_of(static_cast<std::size_t>(units())), ""}});
    arrow("cordon and drain");
    std::vector<Stack> schedulers;
    std::vector<Stack> pools;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const Column& column = columns_[c];
      const std::string stripe = "stripe" + std::to_string(c % 4);
      schedulers.push_back({{column.scheduler}, width_of(beside_[c]), stripe});
      for (std::size_t i = 0; i < beside_[c]; ++i) {
        pools.push_back({{}, width_of(1), stripe});
        for (std::size_t p = i; p < column.pools.size(); p += beside_[c]) pools.back().boxes.push_back(column.pools[p]);
      }
    }
    band("Workload plane", owner_words(review_.workload_owner), "which job runs where, when", std::move(schedulers));
    arrow("places work");
    band("Node runtime plane", owner_words(review_.runtime_owner), "driver, CUDA, NCCL", std::move(pools));
    return svg_.finish(id, title, description, y_);
  }

 private:
  /// Boxes below each other.
  struct Stack {
    std::vector<PlaneBox> boxes;
    std::int64_t width;
    std::string stripe;
  };

  /// Pools stand beside each other where the paper has room for it: the fewer below each other, the flatter.
  std::vector<std::size_t> pools_beside() const {
    std::vector<std::size_t> out(columns_.size(), 1);
    for (std::size_t room = wide_ && out.size() < kMostBeside ? kMostBeside - out.size() : 0; room > 0; --room) {
      const auto rows = [&](std::size_t c) { return (columns_[c].pools.size() + out[c] - 1) / out[c]; };
      std::size_t tallest = 0;
      for (std::size_t c = 1; c < out.size(); ++c) tallest = rows(c) > rows(tallest) ? c : tallest;
      if (out.empty() || rows(tallest) < 2) break;
      ++out[tallest];
    }
    return out;
  }

  std::int64_t units() const {
    std::int64_t out = 0;
    for (const std::size_t one : beside_) out += static_cast<std::int64_t>(one);
    return std::max<std::int64_t>(wide_ ? out : 1, 1);
  }
  /// Of so many stacks of pools and what is between them.
  std::int64_t width_of(std::size_t stacks) const {
    const std::int64_t one = (svg_.width() - left_ - kPad - (units() - 1) * kPad) / units();
    const auto count = static_cast<std::int64_t>(wide_ ? stacks : 1);
    return one * count + kPad * (count - 1);
  }

  /// Its lines as they fit.
  static PlaneBox fitted(const PlaneBox& box, std::int64_t width) {
    PlaneBox out{box.title, {}};
    for (const std::string& line : box.lines) {
      const std::vector<std::string> lines = Svg::wrapped(with_numbers_held(line), width - 24, kMostLines);
      out.lines.insert(out.lines.end(), lines.begin(), lines.end());
    }
    return out;
  }

  static std::int64_t height_of(const PlaneBox& box) {
    return kPad + kLine * static_cast<std::int64_t>(1 + box.lines.size()) + kPad / 2;
  }
  static std::int64_t height_of(const std::vector<PlaneBox>& boxes) {
    std::int64_t sum = 0;
    for (const PlaneBox& box : boxes) sum += height_of(box) + kPad;
    return sum;
  }

  void draw(const PlaneBox& box, std::int64_t x, std::int64_t y, std::int64_t width, const std::string& stripe) {
    svg_.rectangle(x, y, width, height_of(box), "box");
    if (!stripe.empty()) svg_.rectangle(x, y, 5, height_of(box), stripe);
    const std::int64_t room = width - 24;
    svg_.text(x + 14, y + kPad + 8, box.title, room, "name");
    for (std::size_t i = 0; i < box.lines.size(); ++i)
      svg_.text(x + 14, y + kPad + 8 + kLine * static_cast<std::int64_t>(i + 1), box.lines[i], room);
  }

  void band(const std::string& name, const std::string& owner, const std::string& about, std::vector<Stack> stacks) {
    std::int64_t inner = 0;
    for (Stack& stack : stacks) {
      for (PlaneBox& box : stack.boxes) box = fitted(box, stack.width);
      const std::int64_t height = height_of(stack.boxes);
      inner = wide_ ? std::max(inner, height) : inner + height;
    }
    const std::int64_t tag_room = (wide_ ? kTagWidth : svg_.width()) - 2 * kPad;
    const std::vector<std::string> owners = Svg::wrapped(owner, tag_room, 2);
    const std::int64_t tag = (2 + static_cast<std::int64_t>(owners.size())) * kLine + kPad;
    const std::int64_t height = wide_ ? std::max(inner + kPad, tag + kPad) : tag + inner + kPad;
    svg_.rectangle(0, y_, svg_.width(), height, "band");
    std::int64_t line = y_ + 24;
    svg_.text(kPad, line, name, tag_room, "name");
    for (const std::string& words : owners)
      svg_.text(kPad, line += kLine, words, tag_room, contains(owner, "not said") ? "open" : "");
    svg_.text(kPad, line + kLine, about, tag_room, "about");
    std::int64_t x = left_;
    std::int64_t y = y_ + (wide_ ? kPad : tag + kPad / 2);
    for (const Stack& stack : stacks) {
      std::int64_t below = y;
      for (const PlaneBox& box : stack.boxes) {
        draw(box, x, below, stack.width, stack.stripe);
        below += height_of(box) + kPad;
      }
      if (wide_) {
        x += stack.width + kPad;
      } else {
        y = below;
      }
    }
    y_ += height;
  }

  void arrow(const std::string& words) {
    const std::int64_t x = left_ + 14;
    svg_.line(x, y_ + 3, x, y_ + 23, "arrow");
    svg_.line(x - 5, y_ + 17, x, y_ + 23, "arrow");
    svg_.line(x + 5, y_ + 17, x, y_ + 23, "arrow");
    svg_.text(x + 14, y_ + 18, words, svg_.width() - x - 20, "about");
    y_ += 27;
  }

  const Review& review_;
  Svg svg_;
  std::vector<Column> columns_;
  bool wide_;
  std::vector<std::size_t> beside_;  ///< by column: stacks of its pools
  std::int64_t left_ = 0;
  std::int64_t y_ = 0;
};

std::vector<std::string> plain_lines(const Review& review) {
  std::vector<std::string> out;
  out.push_back("fleet plane (" + owner_words(review.fleet_owner) + "): " + drain_words(review));
  out.push_back("workload plane (" + owner_words(review.workload_owner) + ")");
  out.push_back("node runtime plane (" + owner_words(review.runtime_owner) + ")");
  for (const Column& column : columns_of(review)) {
    out.push_back("  " + column.scheduler.title);
    for (const std::string& line : column.scheduler.lines) out.push_back("    " + line);
    for (const PlaneBox& pool : column.pools) out.push_back("    pool " + pool.title + ": " + join(pool.lines, "; "));
  }
  for (std::string& line : out) line = printable(line);
  return out;
}

}  // namespace

std::string pool_size_words(const ReviewPool& pool) {
  const std::string nodes = count_of(static_cast<std::size_t>(pool.nodes), "node");
  return pool.gpus_each ? nodes + " of " + count_of(static_cast<std::size_t>(*pool.gpus_each), "GPU") : nodes;
}

PageFigure planes_figure(const Review& review) {
  PageFigure out;
  out.title = "Planes, owners, control planes and pools";
  out.plain = plain_lines(review);
  out.description = join(out.plain, "; ");
  out.wide = PlanesPicture(review, 760).draw("planes-wide", out.title, out.description);
  out.narrow = PlanesPicture(review, 340).draw("planes-narrow", out.title, out.description);
  return out;
}

}  // namespace muster
