#include "kubernetes/device_fit.h"

#include <algorithm>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::int64_t kMostWanted = 1000;       // devices of one claim that are placed one by one
constexpr std::size_t kMostValues = 2000;        // of attributes, tried on one node
constexpr std::uint64_t kMostTries = 5'000'000;  // of a device for a want

/// The kind of an attribute and its text; values are the same where both are.
using AttributeKey = std::pair<std::string_view, std::string_view>;

AttributeKey key_of_attribute(const WrittenValue& value) {
  if (value.keys().size() != 1) return {};
  return {value.keys().front(), value.items().front().text()};
}

/// Gives devices of one node to wants: each device once, unless it is shared.
class NodePlacement {
 public:
  NodePlacement(const ClaimedDevices& ask, const PublishedDevices& all, const std::vector<std::size_t>& devices,
                std::uint64_t& tries)
      : ask_(ask), all_(all), devices_(devices), tries_(tries) {}

  /// `allowed(want, device)`; of a group one device is given to wants of the distinct constraint.
  bool run(const auto& allowed, const DeviceConstraint* distinct) {
    std::vector<std::size_t> units;  // one a device that is wanted
    for (std::size_t w = 0; w < ask_.wants.size(); ++w) units.insert(units.end(), count_of_want(w), w);
    if (static_cast<std::int64_t>(units.size()) > kMostWanted) return true;
    taken_by_.clear();
    units_ = &units;
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
      std::set<std::string> seen;
      if (!give(unit, allowed, distinct, seen)) return false;
    }
    return true;
  }

 private:
  std::size_t count_of_want(std::size_t w) const {
    return static_cast<std::size_t>(std::clamp<std::int64_t>(ask_.wants[w].count, 0, kMostWanted + 1));
  }

  /// What a device counts as for a want: itself, or its value of the attribute in which all have to differ.
  std::string slot_of(std::size_t want, std::size_t device, const DeviceConstraint* distinct) const {
    if (distinct != nullptr && distinct->of[want]) {
      const WrittenValue* value = all_.devices[device].attribute(distinct->attribute);
      if (value == nullptr) return "";
      const AttributeKey key = key_of_attribute(*value);
      return std::string(key.first) + ":" + std::string(key.second);
    }
    return "#" + std::to_string(device);
  }

  bool give(std::size_t unit, const auto& allowed, const DeviceConstraint* distinct, std::set<std::string>& seen) {
    const std::size_t want = (*units_)[unit];
    for (const std::size_t device : devices_) {
      if (++tries_ > kMostTries) return true;
      if (!allowed(want, device)) continue;
      const bool differs = distinct != nullptr && distinct->of[want];
      if (all_.devices[device].shared && !differs) return true;
      const std::string slot = slot_of(want, device, distinct);
      if (slot.empty() || !seen.insert(slot).second) continue;
      const auto holder = taken_by_.find(slot);
      if (holder != taken_by_.end() && !give(holder->second, allowed, distinct, seen)) continue;
      taken_by_[slot] = unit;
      return true;
    }
    return false;
  }

  const ClaimedDevices& ask_;
  const PublishedDevices& all_;
  const std::vector<std::size_t>& devices_;
  std::uint64_t& tries_;
  const std::vector<std::size_t>* units_ = nullptr;
  std::map<std::string, std::size_t> taken_by_;  // by slot: a unit
};

class Fitting {
 public:
  Fitting(const ClaimedDevices& ask, const PublishedDevices& all, const std::set<std::string_view>& nodes)
      : ask_(ask), all_(all) {
    for (std::size_t i = 0; i < all.devices.size(); ++i) {
      if (nodes.empty() || nodes.contains(all.devices[i].node)) by_node_[all.devices[i].node].push_back(i);
    }
    forget_alike();
    for (const DeviceConstraint& one : ask.constraints) published_.push_back(find_published(one));
  }

  DeviceFit run() {
    if (!anywhere(true)) return {DeviceVerdict::No, why(), where_};
    if (tries_ > kMostTries || anywhere(false)) return {};
    for (std::size_t c = 0; c < ask_.constraints.size(); ++c) {
      const DeviceConstraint& one = ask_.constraints[c];
      if (!published_[c])
        return {DeviceVerdict::Open, "the attribute `" + one.attribute + "` of the devices", one.where};
    }
    return {DeviceVerdict::Open, "attributes that a selector reads and that some device of the slices does not have",
            ask_.wants.front().where};
  }

 private:
  /// Of nodes on which all goes the same way one is kept: what fits which want, and which devices have one value.
  void forget_alike() {
    std::set<std::string> seen;
    std::erase_if(by_node_, [&](const auto& node) { return !seen.insert(pattern_of(node.second)).second; });
  }

  std::string pattern_of(const std::vector<std::size_t>& devices) const {
    std::string out;
    std::vector<std::map<AttributeKey, std::size_t>> values(ask_.constraints.size());
    for (const std::size_t device : devices) {
      for (const DeviceWant& want : ask_.wants) out += static_cast<char>('0' + static_cast<int>(want.fits[device]));
      out += all_.devices[device].shared ? '+' : ' ';
      for (std::size_t c = 0; c < values.size(); ++c) {
        const WrittenValue* value = all_.devices[device].attribute(ask_.constraints[c].attribute);
        if (value != nullptr)
          out += std::to_string(values[c].try_emplace(key_of_attribute(*value), values[c].size()).first->second);
        out += ',';
      }
    }
    return out;
  }

  bool may(std::size_t want, std::size_t device, bool open) const {
    const DeviceVerdict fits = ask_.wants[want].fits[device];
    return fits == DeviceVerdict::Yes || (open && fits == DeviceVerdict::Open);
  }

  /// Whether it is for some device at all.
  bool is_for_any(const DeviceConstraint& one) const {
    for (std::size_t w = 0; w < ask_.wants.size(); ++w) {
      if (one.of[w] && ask_.wants[w].count > 0) return true;
    }
    return false;
  }

  /// Some device that a want of the constraint may take has the attribute.
  bool find_published(const DeviceConstraint& one) const {
    if (!is_for_any(one)) return true;
    for (std::size_t w = 0; w < ask_.wants.size(); ++w) {
      for (std::size_t i = 0; one.of[w] && i < all_.devices.size(); ++i) {
        if (may(w, i, true) && all_.devices[i].attribute(one.attribute) != nullptr) return true;
      }
    }
    return false;
  }

  bool anywhere(bool open) {
    return std::ranges::any_of(by_node_, [&](const auto& node) { return on_node(node.second, open); });
  }

  /// The constraints that count: those whose attribute is not published at all are open.
  bool on_node(const std::vector<std::size_t>& devices, bool open) {
    std::vector<const DeviceConstraint*> match;
    const DeviceConstraint* distinct = nullptr;
    std::size_t distincts = 0;
    for (std::size_t c = 0; c < ask_.constraints.size(); ++c) {
      const DeviceConstraint& one = ask_.constraints[c];
      if (!is_for_any(one)) continue;
      if (!published_[c]) {
        if (!open) return false;
        continue;
      }
      if (!one.distinct) match.push_back(&one);
      if (one.distinct) distinct = &one;
      distincts += one.distinct ? 1 : 0;
    }
    if (distincts > 1) distinct = nullptr;  // of several one would have to be searched for; the others are passed over
    std::vector<AttributeKey> chosen(match.size());
    std::size_t values = 0;
    return with_values(devices, open, match, distinct, 0, chosen, values);
  }

  /// Tries each value that devices of the node have for the attributes that have to be the same.
  bool with_values(const std::vector<std::size_t>& devices, bool open,
                   const std::vector<const DeviceConstraint*>& match, const DeviceConstraint* distinct,
                   std::size_t next, std::vector<AttributeKey>& chosen, std::size_t& values) {
    if (++values > kMostValues) return true;
    if (next == match.size()) {
      const auto allowed = [&](std::size_t want, std::size_t device) {
        if (!may(want, device, open)) return false;
        for (std::size_t m = 0; m < match.size(); ++m) {
          if (!match[m]->of[want]) continue;
          const WrittenValue* value = all_.devices[device].attribute(match[m]->attribute);
          if (value == nullptr || key_of_attribute(*value) != chosen[m]) return false;
        }
        return true;
      };
      return NodePlacement(ask_, all_, devices, tries_).run(allowed, distinct);
    }
    std::set<AttributeKey> there;
    for (const std::size_t device : devices) {
      const WrittenValue* value = all_.devices[device].attribute(match[next]->attribute);
      if (value != nullptr) there.insert(key_of_attribute(*value));
    }
    return std::ranges::any_of(there, [&](const AttributeKey& value) {
      chosen[next] = value;
      return with_values(devices, open, match, distinct, next + 1, chosen, values);
    });
  }

  /// The node with the most devices for a want.
  std::pair<std::int64_t, std::string_view> most_of(std::size_t want) const {
    std::pair<std::int64_t, std::string_view> most{0, ""};
    for (const auto& [node, devices] : by_node_) {
      const std::int64_t here = std::ranges::count_if(devices, [&](std::size_t i) { return may(want, i, true); });
      if (here > most.first) most = {here, node};
    }
    return most;
  }

  /// Called where not even open selectors make it fit.
  std::string why() {
    for (std::size_t w = 0; w < ask_.wants.size(); ++w) {
      const DeviceWant& want = ask_.wants[w];
      where_ = want.where;
      const auto [most, node] = most_of(w);
      if (most == 0) return "no device matches what the request `" + want.name + "` asks for";
      if (most < want.count)
        return "the request `" + want.name + "` asks for " + count_of(static_cast<std::size_t>(want.count), "device") +
               " of one node, and the most that match on one are " + std::to_string(most) + ", on `" +
               std::string(node) + "`";
    }
    ClaimedDevices free = ask_;
    free.constraints.clear();
    where_ = ask_.wants.front().where;
    if (!Fitting(free, all_, nodes()).anywhere(true)) return "no node has the devices of all its requests together";
    for (const DeviceConstraint& one : ask_.constraints) {
      ClaimedDevices alone = ask_;
      alone.constraints = {one};
      where_ = one.where;
      if (!Fitting(alone, all_, nodes()).anywhere(true)) return said(one);
    }
    where_ = ask_.constraints.front().where;
    return "no node has devices that meet its constraints together";
  }

  std::set<std::string_view> nodes() const {
    std::set<std::string_view> out;
    for (const auto& [node, devices] : by_node_) out.insert(node);
    return out;
  }

  std::string said(const DeviceConstraint& one) const {
    std::int64_t wanted = 0;
    for (std::size_t w = 0; w < ask_.wants.size(); ++w) wanted += one.of[w] ? ask_.wants[w].count : 0;
    return "no node has " + count_of(static_cast<std::size_t>(wanted), "device") + " that match and " +
           (one.distinct ? "differ in `" : "share one value of `") + one.attribute + "`";
  }

  const ClaimedDevices& ask_;
  const PublishedDevices& all_;
  std::map<std::string_view, std::vector<std::size_t>> by_node_;
  std::vector<bool> published_;  ///< one a constraint: whether some device has its attribute
  std::uint64_t tries_ = 0;
  Span where_;
};

}  // namespace

DeviceFit fit_devices(const ClaimedDevices& ask, const PublishedDevices& all, const std::set<std::string_view>& nodes) {
  const bool any = std::ranges::any_of(ask.wants, [](const DeviceWant& want) { return want.count > 0; });
  return any ? Fitting(ask, all, nodes).run() : DeviceFit{};
}

}  // namespace muster
