// What Flux applies only after itself: circles of dependsOn.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/strings.h"
#include "model/model.h"

namespace muster {
namespace {

/// One object of Flux; what kustomizations make of a file stands where the file wrote it.
struct FluxNode {
  std::vector<Manifest*> written;
  std::vector<std::size_t> after;   ///< the nodes it waits for
  std::vector<std::size_t> before;  ///< those that wait for it
  std::size_t open = 0;             ///< of `after`, those that may be on a circle
  bool settled = false;
};

/// With an expression of its own the other need not be ready.
const WrittenValue* flux_dependency(const Manifest& one, std::size_t i) {
  const WrittenValue& other = one.part("depends_on").items()[i];
  const WrittenValue* name = other.find("name");
  return name != nullptr && name->is_text() && other.find("readyExpr") == nullptr ? name : nullptr;
}

std::string_view flux_space_of(const WrittenValue& dependency, const Manifest& one) {
  const WrittenValue* space = dependency.find("namespace");
  return space == nullptr ? std::string_view(one.space) : space->text();
}

struct FluxAlike {
  std::size_t count = 0;
  std::size_t last = 0;
};

/// Nodes of one name, by namespace; what says none may be in any.
class FluxNames {
 public:
  void add(std::string_view space, std::size_t node) {
    for (FluxAlike* alike : {&by_space_[space], &all_}) *alike = {alike->count + 1, node};
  }

  FluxAlike in(std::string_view space) const {
    const auto own = by_space_.find(space);
    const auto open = by_space_.find("");
    if (space.empty()) return all_;
    if (own == by_space_.end()) return open == by_space_.end() ? FluxAlike{} : open->second;
    return {own->second.count + (open == by_space_.end() ? 0 : open->second.count), own->second.last};
  }

 private:
  std::map<std::string_view, FluxAlike> by_space_;
  FluxAlike all_;
};

class FluxCircles {
 public:
  explicit FluxCircles(Model& model) {
    const ManifestDef* flux = &manifest_def("flux_objects");
    std::map<std::tuple<std::string_view, Span, std::string_view>, std::size_t> places;
    for (Manifest& one : model.manifests) {
      if (one.def != flux || (one.kind != "Kustomization" && one.kind != "HelmRelease")) continue;
      const auto [place, fresh] = places.try_emplace({one.file, one.where, one.kind}, nodes_.size());
      if (fresh) nodes_.emplace_back();
      nodes_[place->second].written.push_back(&one);
      if (fresh) add_name(one, place->second);
    }
  }

  void run() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) find_edges(i);
    for (FluxNode& node : nodes_) node.open = node.after.size();
    for (std::size_t i = 0; i < nodes_.size(); ++i) settle_idle(i);
    // What is left waits for a circle or is on one.
    std::vector<std::size_t> seen(nodes_.size(), 0);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (!nodes_[i].settled && seen[i] == 0) follow(i, seen);
    }
  }

 private:
  static constexpr std::size_t kMostSaid = 10;  // names of one circle

  void find_edges(std::size_t user) {
    const std::vector<Manifest*>& written = nodes_[user].written;
    const Manifest& one = *written.front();
    if (!std::ranges::all_of(written, [&](const Manifest* other) { return other->name.value == one.name.value; }))
      return;
    std::map<std::string_view, std::size_t> agreed;  // a patch may take a dependency away
    for (const Manifest* other : written) {
      for (const std::string_view name : dependencies_of(*other)) ++agreed[name];
    }
    for (std::size_t i = 0; i < one.part("depends_on").items().size(); ++i) {
      const WrittenValue* name = flux_dependency(one, i);
      if (name == nullptr || agreed[name->text()] < written.size()) continue;
      const std::size_t other = meant(one, name->text(), flux_space_of(one.part("depends_on").items()[i], one));
      // One of the name that says no namespace may be of any: not of that which the dependency names.
      const bool elsewhere =
          one.part("depends_on").items()[i].find("namespace") != nullptr &&
          (one.space.empty() || (other < nodes_.size() && nodes_[other].written.front()->space.empty()));
      if (other == nodes_.size() || elsewhere) continue;
      nodes_[user].after.push_back(other);
      nodes_[other].before.push_back(user);
    }
  }

  static std::set<std::string_view> dependencies_of(const Manifest& one) {
    std::set<std::string_view> out;
    for (std::size_t i = 0; i < one.part("depends_on").items().size(); ++i) {
      if (const WrittenValue* name = flux_dependency(one, i)) out.insert(name->text());
    }
    return out;
  }

  /// How near, what lies there, kind and name.
  using Place = std::tuple<std::size_t, std::string_view, std::string_view, std::string_view>;

  /// The file, folder and bundle of an object.
  static std::array<std::string_view, 3> places_of(const Manifest& one) {
    return {one.file, folder_of(one.file), one.bundle};
  }

  void add_name(const Manifest& one, std::size_t node) {
    const std::array<std::string_view, 3> places = places_of(one);
    for (std::size_t near = 0; near < places.size(); ++near)
      by_place_[{near, places[near], one.kind, one.name.value}].add(one.space, node);
  }

  /// The only one of the name in its file, folder or bundle: repositories have many clusters.
  std::size_t meant(const Manifest& user, std::string_view name, std::string_view space) const {
    const std::array<std::string_view, 3> places = places_of(user);
    for (std::size_t near = 0; near < places.size(); ++near) {
      const auto found = by_place_.find({near, places[near], user.kind, name});
      const FluxAlike all = found == by_place_.end() ? FluxAlike{} : found->second.in(space);
      if (all.count > 0) return all.count == 1 ? all.last : nodes_.size();
    }
    return nodes_.size();
  }

  /// What waits for nothing that is left is no part of a circle, nor is then what waits for it alone.
  void settle_idle(std::size_t first) {
    std::vector<std::size_t> idle{first};
    while (!idle.empty()) {
      const std::size_t i = idle.back();
      idle.pop_back();
      if (nodes_[i].settled || nodes_[i].open > 0) continue;
      nodes_[i].settled = true;
      for (const std::size_t user : nodes_[i].before) {
        if (--nodes_[user].open == 0) idle.push_back(user);
      }
    }
  }

  /// Each that is left waits for another: the way from one to the next ends in a circle.
  void follow(std::size_t first, std::vector<std::size_t>& seen) {
    std::vector<std::size_t> way;
    std::size_t at = first;
    while (seen[at] == 0) {
      way.push_back(at);
      seen[at] = first + 1;
      at = *std::ranges::find_if(nodes_[at].after, [&](std::size_t other) { return !nodes_[other].settled; });
    }
    if (seen[at] != first + 1) return;  // a circle that is known
    std::vector<std::size_t> circle(std::ranges::find(way, at), way.end());
    // Not that of ranges, whose result clang 14 does not take.
    std::rotate(circle.begin(), std::ranges::min_element(circle), circle.end());
    say(circle);
  }

  void say(const std::vector<std::size_t>& circle) {
    const auto name_of = [&](std::size_t i) -> const std::string& {
      return nodes_[circle[i]].written.front()->name.value;
    };
    std::string others;
    for (std::size_t i = 1; i < std::min(circle.size(), kMostSaid); ++i)
      others += "`" + name_of(i) + "`, which waits for ";
    if (circle.size() > kMostSaid) others += std::to_string(circle.size() - kMostSaid) + " more, which wait for ";
    others += circle.size() == 1 ? "itself" : "`" + name_of(0) + "`";
    const std::string_view next = name_of(1 % circle.size());
    for (Manifest* one : nodes_[circle.front()].written) {
      for (std::size_t i = 0; i < one->part("depends_on").items().size(); ++i) {
        const WrittenValue* name = flux_dependency(*one, i);
        if (name == nullptr || name->text() != next || one->remarks->circle.is_set()) continue;
        one->remarks.own().circle = set_to(others, name->where, "dependsOn");
      }
    }
  }

  std::vector<FluxNode> nodes_;
  std::map<Place, FluxNames> by_place_;
};

}  // namespace

void relate_circles(Model& model) { FluxCircles(model).run(); }

}  // namespace muster
