#include "slurm/torus.h"

#include <set>

namespace muster {
namespace {

using What = TopologyMark::What;

struct Triple {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t z = 0;
  bool has_zero() const { return x == 0 || y == 0 || z == 0; }
  std::int64_t product() const { return x * y * z; }
  bool exceeds(const Triple& other) const { return x > other.x || y > other.y || z > other.z; }
};

class TorusCheck {
 public:
  TorusCheck(const Node& node, TopologyBlock& torus, YamlFields& fields)
      : node_(node), torus_(torus), fields_(fields) {}

  void run() {
    const std::vector<Node> regions = fields_.items(node_["regions"], "torus3d.toruses.regions");
    const std::vector<Node> placements = fields_.items(node_["placements"], "torus3d.toruses.placements");
    if (torus_.nodes_text.state != State::Absent && !regions.empty())
      return wrong(node_["regions"], "nodes and regions cannot both be given");
    dims_ = triple(node_["dims"], "dims");
    if (dims_.has_zero()) return wrong(node_["dims"], "dims need x, y and z above zero");
    for (const Node& region : regions) {
      if (!check_region(region)) return;
    }
    if (torus_.nodes && static_cast<std::int64_t>(torus_.nodes->size()) != dims_.product()) {
      return wrong(node_["nodes"], "the dims make " + std::to_string(dims_.product()) + " nodes, and " +
                                       std::to_string(torus_.nodes->size()) + " are listed");
    }
    if (!region_nodes_.empty()) {
      if (Result<Hostlist> all = Hostlist::parse(region_nodes_)) torus_.nodes = std::move(*all);
    }
    for (const Node& placement : placements) {
      if (!check_placement(placement)) return;
    }
  }

 private:
  static constexpr std::int64_t kMaxCells = 1 << 20;  // of a torus whose overlaps are looked for

  void wrong(const Node& at, std::string why) {
    fields_.mark(What::Torus, set_to(torus_.name.value, at.where()), std::move(why));
  }

  /// Numbers of 16 bits; what is not given is zero.
  Triple triple(const Node& node, std::string_view field) {
    if (!node.exists() || node.is_null() || !fields_.is_mapping(node, field)) return {};
    const auto value = [&](FieldName axis) {
      const std::int64_t number = fields_.number(node[axis], axis).value_or(0);
      if (number >= 0 && number <= 0xFFFF) return number;
      fields_.wrong_type(node[axis], axis, "a number from 0 to 65,535");
      return std::int64_t{0};
    };
    return {value("x"), value("y"), value("z")};
  }

  bool check_region(const Node& region) {
    const Located<std::string> text = fields_.text(region["nodes"], "nodes");
    const Triple anchor = triple(region["anchor"], "anchor");
    const Triple dims = triple(region["dims"], "dims");
    if (text.state == State::Absent) return refuse(region, "a region has no nodes");
    const Triple end{anchor.x + dims.x, anchor.y + dims.y, anchor.z + dims.z};
    if (end.exceeds(dims_)) return refuse(region["dims"], "a region reaches beyond the torus");
    if (!text.is_set()) return true;
    const Result<Hostlist> nodes = Hostlist::parse(text.value);
    if (!nodes) return refuse(region["nodes"], "a region's nodes are no node list: " + nodes.error().message);
    if (static_cast<std::int64_t>(nodes->size()) != dims.product()) {
      return refuse(region["nodes"], "a region's dims make " + std::to_string(dims.product()) + " nodes, and " +
                                         std::to_string(nodes->size()) + " are listed");
    }
    region_nodes_ += (region_nodes_.empty() ? "" : ",") + text.value;
    if (dims_.product() > kMaxCells) return true;
    for (std::int64_t z = anchor.z; z < end.z; ++z) {
      for (std::int64_t y = anchor.y; y < end.y; ++y) {
        for (std::int64_t x = anchor.x; x < end.x; ++x) {
          if (!cells_.insert(x + dims_.x * (y + dims_.y * z)).second) return refuse(region, "two regions overlap");
        }
      }
    }
    return true;
  }

  bool check_placement(const Node& placement) {
    const Triple dims = triple(placement["dims"], "dims");
    const Triple seed = triple(placement["anchor_seed"], "anchor_seed");
    Triple spacing = triple(placement["anchor_spacing"], "anchor_spacing");
    if (dims.has_zero()) return refuse(placement, "a placement's dims need x, y and z above zero");
    if (dims.exceeds(dims_)) return refuse(placement["dims"], "a placement is larger than the torus");
    if (spacing.x == 0) spacing.x = dims.x;
    if (spacing.y == 0) spacing.y = dims.y;
    if (spacing.z == 0) spacing.z = dims.z;
    if (spacing.exceeds(dims_))
      return refuse(placement["anchor_spacing"], "an anchor_spacing reaches beyond the torus");
    if (seed.x >= dims_.x || seed.y >= dims_.y || seed.z >= dims_.z)
      return refuse(placement["anchor_seed"], "an anchor_seed lies outside of the torus");
    return true;
  }

  bool refuse(const Node& at, std::string why) {
    wrong(at, std::move(why));
    return false;
  }

  const Node& node_;
  TopologyBlock& torus_;
  YamlFields& fields_;
  Triple dims_;
  std::string region_nodes_;
  std::set<std::int64_t> cells_;
};

}  // namespace

void check_torus(const Node& node, TopologyBlock& torus, YamlFields& fields) { TorusCheck(node, torus, fields).run(); }

}  // namespace muster
