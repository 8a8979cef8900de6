// Devices of one node for a claim: what is said not to fit is tried out by hand, in small random worlds.
#include "kubernetes/device_fit.h"

#include <random>

#include "support/catch.h"

using namespace muster;

namespace {

/// Values of attributes; `{string: a}`.
class Attributes {
 public:
  Attributes() {
    static const std::string_view kKeys[] = {"string"};
    values_ = block_.make_values(kTexts.size());
    for (std::size_t i = 0; i < kTexts.size(); ++i) {
      values_[i].state = State::Set;
      const std::span<WrittenValue> items = block_.set_map(values_[i], kKeys);
      block_.set_text(items[0], kTexts[i]);
      items[0].state = State::Set;
    }
  }
  const WrittenValue* of(std::size_t i) const { return &values_[i]; }

 private:
  static constexpr std::array<std::string_view, 3> kTexts{"a", "b", "c"};
  ValueBlock block_;
  std::span<WrittenValue> values_;
};

struct FitWorld {
  PublishedDevices devices;
  ClaimedDevices claim;
};

class WorldMaker {
 public:
  explicit WorldMaker(unsigned seed) : random_(seed) {}

  FitWorld make() {
    FitWorld world;
    for (const char* node : {"n1", "n2"}) {
      for (std::size_t i = below(5); i > 0; --i) world.devices.devices.push_back(device(node));
    }
    for (std::size_t i = 1 + below(2); i > 0; --i) {
      DeviceWant want;
      want.name = "w" + std::to_string(i);
      want.count = static_cast<std::int64_t>(below(4));
      for (std::size_t d = 0; d < world.devices.devices.size(); ++d)
        want.fits.push_back(below(4) == 0 ? DeviceVerdict::No : DeviceVerdict::Yes);
      world.claim.wants.push_back(std::move(want));
    }
    bool distinct = false;
    for (std::size_t i = below(3); i > 0; --i) {
      DeviceConstraint one;
      one.attribute = below(2) == 0 ? "d/x" : "d/y";
      one.distinct = !distinct && below(2) == 0;
      distinct = distinct || one.distinct;
      for (std::size_t w = 0; w < world.claim.wants.size(); ++w) one.of.push_back(below(3) > 0);
      world.claim.constraints.push_back(std::move(one));
    }
    return world;
  }

 private:
  std::size_t below(std::size_t most) { return std::uniform_int_distribution<std::size_t>(0, most - 1)(random_); }

  PublishedDevice device(std::string_view node) {
    PublishedDevice out;
    out.node = node;
    out.driver = "d";
    for (const char* name : {"x", "y"}) {
      const std::size_t value = below(4);
      if (value < 3) out.attributes[{"d", name}] = attributes_.of(value);
    }
    return out;
  }

  std::mt19937 random_;
  Attributes attributes_;
};

/// Each unit of each want gets each device in turn.
class ByHand {
 public:
  explicit ByHand(const FitWorld& world) : world_(world) {
    for (std::size_t w = 0; w < world.claim.wants.size(); ++w)
      units_.insert(units_.end(), static_cast<std::size_t>(world.claim.wants[w].count), w);
  }

  bool fits() { return place("n1") || place("n2"); }

 private:
  bool place(std::string_view node) {
    node_ = node;
    given_.clear();
    return next();
  }

  bool next() {
    if (given_.size() == units_.size()) return holds();
    for (std::size_t d = 0; d < world_.devices.devices.size(); ++d) {
      const bool here = world_.devices.devices[d].node == node_;
      const bool match = world_.claim.wants[units_[given_.size()]].fits[d] == DeviceVerdict::Yes;
      if (!here || !match || std::ranges::find(given_, d) != given_.end()) continue;
      given_.push_back(d);
      if (next()) return true;
      given_.pop_back();
    }
    return false;
  }

  bool holds() const {
    return std::ranges::all_of(world_.claim.constraints, [&](const DeviceConstraint& one) {
      std::set<std::string> values;
      std::size_t count = 0;
      for (std::size_t u = 0; u < units_.size(); ++u) {
        if (!one.of[units_[u]]) continue;
        const WrittenValue* value = world_.devices.devices[given_[u]].attribute(one.attribute);
        if (value == nullptr) return false;
        values.emplace(value->items().front().text());
        ++count;
      }
      return one.distinct ? values.size() == count : values.size() <= 1;
    });
  }

  const FitWorld& world_;
  std::vector<std::size_t> units_;
  std::vector<std::size_t> given_;
  std::string_view node_;
};

}  // namespace

TEST_CASE("what is said to fit no node does not, however devices are given away, and what is not said does",
          "[device-fit]") {
  WorldMaker maker(20260601);
  std::size_t refused = 0;
  std::size_t open = 0;
  for (int i = 0; i < 20000; ++i) {
    const FitWorld world = maker.make();
    const DeviceFit found = fit_devices(world.claim, world.devices, {});
    const bool fits = ByHand(world).fits();
    std::string said = found.why + "; wants";
    for (const DeviceWant& want : world.claim.wants) said += " " + std::to_string(want.count);
    for (const DeviceConstraint& one : world.claim.constraints) {
      said += (one.distinct ? "; differ in " : "; share ") + one.attribute + " of";
      for (const bool of : one.of) said += of ? " 1" : " 0";
    }
    INFO(said);
    if (found.fits == DeviceVerdict::No) {
      CHECK_FALSE(fits);
      CHECK_FALSE(found.why.empty());
    }
    // A device of its own and a value of its own are not searched for together.
    const bool apart = std::ranges::none_of(world.claim.constraints, &DeviceConstraint::distinct);
    if (found.fits == DeviceVerdict::Yes && apart) CHECK(fits);
    refused += found.fits == DeviceVerdict::No ? 1 : 0;
    open += found.fits == DeviceVerdict::Open ? 1 : 0;
  }
  CHECK(refused > 2000);
  CHECK(open > 20);
}
