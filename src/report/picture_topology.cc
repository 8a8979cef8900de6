#include <algorithm>

#include "base/hostlist.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "report/review_pictures.h"
#include "report/svg.h"

namespace muster {
namespace {

constexpr std::int64_t kLevelHeight = 66;
constexpr std::int64_t kLevelGap = 10;
constexpr std::int64_t kNarrowest = 46;   ///< box with words in it
constexpr std::int64_t kReadable = 172;   ///< box whose words are whole, where there is room for it
constexpr std::int64_t kMostCells = 160;  ///< nodes that are drawn one by one
constexpr std::size_t kMostTreeLines = 60;

std::string grouped(std::int64_t value) {
  return with_thousands(static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0)));
}

std::string list_of(const ReviewDomain& domain) { return compress_hostlist(domain.names); }

/// `leaf[1-4]: 4 alike, 16 nodes each`.
std::string size_of(const ReviewDomain& domain) {
  const std::string nodes = count_of(static_cast<std::size_t>(domain.nodes), "node");
  if (domain.names.size() == 1) return nodes;
  return grouped(static_cast<std::int64_t>(domain.names.size())) +
         (domain.unlike ? " of different sizes, " + nodes + " together" : " alike, " + nodes + " each");
}

/// The same where there is little room: `4 × 16 nodes`.
std::string short_size_of(const ReviewDomain& domain) {
  if (domain.names.size() == 1 || domain.unlike) return size_of(domain);
  return grouped(static_cast<std::int64_t>(domain.names.size())) + " × " +
         count_of(static_cast<std::size_t>(domain.nodes), "node");
}

std::int64_t nodes_of(const ReviewDomain& domain) {
  return domain.unlike ? domain.nodes : domain.nodes * static_cast<std::int64_t>(domain.names.size());
}

/// A box as wide as its part of the nodes, below it the boxes of what it holds.
class TopologyPicture {
 public:
  TopologyPicture(const ReviewTopology& topology, std::int64_t width) : topology_(topology), svg_(width) {}

  std::string draw(std::string_view id, const std::string& title, const std::string& description) {
    side_by_side(topology_.roots, 0, svg_.width(), 0);
    std::int64_t height = (deepest_ + 1) * (kLevelHeight + kLevelGap);
    if (has_cells_) {
      svg_.rectangle(2, height + 20, 12, 12, "node");
      svg_.text(20, height + 31, "a node", 100, "about");
      height += 38;
    }
    return svg_.finish(id, title, description, height);
  }

 private:
  void side_by_side(const std::vector<std::size_t>& domains, std::int64_t x, std::int64_t width, std::int64_t depth) {
    const std::vector<std::int64_t> widths = shared_out(domains, width);
    for (std::size_t i = 0; i < domains.size(); ++i) {
      box(topology_.domains[domains[i]], x, widths[i], depth);
      x += widths[i];
    }
  }

  /// By their nodes, but none too narrow for its words as long as the others can give way.
  std::vector<std::int64_t> shared_out(const std::vector<std::size_t>& domains, std::int64_t width) const {
    const auto count = static_cast<std::int64_t>(domains.size());
    const std::int64_t least = std::min(kReadable, width / std::max<std::int64_t>(count, 1));
    std::vector<std::int64_t> out(domains.size(), 0);
    std::int64_t left = width;
    std::int64_t sum = 0;
    for (const std::size_t d : domains) sum += share_of(d);
    for (bool narrow = true; narrow;) {
      narrow = false;
      for (std::size_t i = 0; i < domains.size(); ++i) {
        if (out[i] > 0 || part(left, share_of(domains[i]), sum) >= least) continue;
        out[i] = least;
        left -= least;
        sum -= share_of(domains[i]);
        narrow = true;
      }
    }
    std::int64_t before = 0;
    for (std::size_t i = 0; i < domains.size(); ++i) {
      if (out[i] > 0) continue;
      const std::int64_t from = part(left, before, sum);
      before += share_of(domains[i]);
      out[i] = part(left, before, sum) - from;
    }
    return out;
  }
  std::int64_t share_of(std::size_t domain) const {
    return std::max<std::int64_t>(nodes_of(topology_.domains[domain]), 1);
  }

  static std::int64_t part(std::int64_t width, std::int64_t share, std::int64_t sum) {
    return static_cast<std::int64_t>(static_cast<double>(width) * static_cast<double>(share) /
                                     static_cast<double>(sum));
  }

  void box(const ReviewDomain& domain, std::int64_t x, std::int64_t width, std::int64_t depth) {
    deepest_ = std::max(deepest_, depth);
    const std::int64_t y = depth * (kLevelHeight + kLevelGap);
    const std::int64_t inner = std::max<std::int64_t>(width - 4, 2);
    const auto times = static_cast<std::int64_t>(domain.names.size());
    svg_.rectangle(x + 2, y, inner, kLevelHeight, depth % 2 == 0 ? "box" : "box other");
    // Borders between those that are alike, as long as one can tell them apart.
    for (std::int64_t i = 1; i < times && inner / times >= 4 && !domain.unlike; ++i) {
      const std::int64_t at = x + 2 + inner * i / times;
      svg_.line(at, y + kLevelHeight - 8, at, y + kLevelHeight, "arrow");
    }
    if (inner >= kNarrowest) {
      svg_.text(x + 10, y + 18, list_of(domain), inner - 12, "name");
      svg_.text(x + 10, y + 35, inner < kReadable ? short_size_of(domain) : size_of(domain), inner - 12);
      if (!domain.pools.empty()) svg_.text(x + 10, y + 50, domain.pools, inner - 12, "about small");
    }
    if (domain.below.empty()) {
      cells(nodes_of(domain), x + 2, inner, y + kLevelHeight + 4);
    } else {
      side_by_side(domain.below, x, width, depth + 1);
    }
  }

  /// A square for each node, where there are few.
  void cells(std::int64_t nodes, std::int64_t x, std::int64_t width, std::int64_t y) {
    if (topology_.nodes > kMostCells || nodes == 0 || width / nodes < 3) return;
    has_cells_ = true;
    for (std::int64_t i = 0; i < nodes; ++i) {
      const std::int64_t from = x + width * i / nodes;
      svg_.rectangle(from, y, std::min<std::int64_t>(x + width * (i + 1) / nodes - from - 1, 12), 12, "node");
    }
  }

  const ReviewTopology& topology_;
  Svg svg_;
  std::int64_t deepest_ = 0;
  bool has_cells_ = false;
};

void add_lines(const ReviewTopology& topology, const std::vector<std::size_t>& domains, std::size_t depth,
               std::vector<std::string>& out) {
  for (const std::size_t d : domains) {
    const ReviewDomain& domain = topology.domains[d];
    out.push_back(printable(std::string(2 * depth, ' ') + (domain.level.empty() ? "" : domain.level + " ") +
                            list_of(domain) + ": " + size_of(domain) +
                            (domain.pools.empty() ? "" : " (" + domain.pools + ")")));
    add_lines(topology, domain.below, depth + 1, out);
  }
}

}  // namespace

PageFigure topology_figure(const ReviewTopology& topology, std::size_t which) {
  PageFigure out;
  out.title = "The network as " + code(topology.from) + " has it";
  add_lines(topology, topology.roots, 0, out.plain);
  if (out.plain.size() > kMostTreeLines) {
    const std::string more =
        "and " + std::to_string(out.plain.size() - kMostTreeLines) + " lines more; `--format json` has all";
    out.plain.resize(kMostTreeLines);
    out.plain.push_back(more);
  }
  out.description = join(out.plain, "; ");
  const std::string id = "topology" + std::to_string(which);
  out.wide = TopologyPicture(topology, 760).draw(id + "-wide", unmarked(out.title), out.description);
  out.narrow = TopologyPicture(topology, 340).draw(id + "-narrow", unmarked(out.title), out.description);
  return out;
}

namespace {

constexpr std::size_t kMostTenants = 24;

/// Of so many GPUs that there are: the outline is what a tenant may use, the filled part what is its own.
std::string draw_tenants(const Review& review, std::int64_t width, std::string_view id, const PageFigure& figure) {
  Svg svg(width);
  std::int64_t most = review.gpus.value_or(0);
  for (const ReviewTenant& tenant : review.tenants)
    most = std::max({most, tenant.guaranteed.value_or(0), tenant.limit.value_or(0)});
  const std::int64_t left = width > 500 ? 200 : 10;
  const std::int64_t room = width - left - 12;
  const auto length = [&](std::int64_t gpus) {
    return static_cast<std::int64_t>(static_cast<double>(room) * static_cast<double>(gpus) /
                                     static_cast<double>(std::max<std::int64_t>(most, 1)));
  };
  std::int64_t y = 6;
  for (std::size_t i = 0; i < std::min(review.tenants.size(), kMostTenants); ++i) {
    const ReviewTenant& tenant = review.tenants[i];
    svg.text(tenant.parent.empty() ? 10 : 26, y + 15, tenant.name, width > 500 ? 170 : width - 40, "name");
    if (width <= 500) y += 20;
    if (tenant.limit) svg.rectangle(left, y, length(*tenant.limit), 20, "limit");
    if (tenant.guaranteed) svg.rectangle(left, y, length(*tenant.guaranteed), 20, "guaranteed");
    y += 28;
  }
  if (review.gpus) {
    svg.line(left + length(*review.gpus), 2, left + length(*review.gpus), y, "arrow");
    svg.text(std::max<std::int64_t>(left, left + length(*review.gpus) - 130), y + 14,
             "of " + grouped(*review.gpus) + " GPUs", 160, "about");
    y += 20;
  }
  return svg.finish(id, figure.title, figure.description, y + 4);
}

std::string promised(const ReviewTenant& tenant) {
  return tenant.name + ": " +
         (tenant.guaranteed ? grouped(*tenant.guaranteed) + " GPUs guaranteed" : "nothing guaranteed") + ", " +
         (tenant.limit ? "at most " + grouped(*tenant.limit) : "no limit");
}

}  // namespace

PageFigure tenants_figure(const Review& review) {
  PageFigure out;
  out.title = "GPUs of each tenant: guaranteed (filled) and at most (outline)";
  for (const ReviewTenant& tenant : review.tenants)
    out.plain.push_back(printable((tenant.parent.empty() ? "" : "  ") + promised(tenant)));
  if (review.gpus) out.plain.push_back("the fleet has " + grouped(*review.gpus) + " GPUs");
  out.description = join(out.plain, "; ");
  out.wide = draw_tenants(review, 760, "tenants-wide", out);
  out.narrow = draw_tenants(review, 340, "tenants-narrow", out);
  return out;
}

}  // namespace muster
