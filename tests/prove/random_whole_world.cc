#include "prove/whole_worlds.h"

namespace muster {
namespace {

constexpr std::int64_t kGiga = 1'000'000'000;

class Maker {
 public:
  explicit Maker(std::mt19937& dice) : dice_(dice) {}

  World run() {
    with_memory_ = one_of(4);
    with_domains_ = one_of(3);
    with_eviction_ = one_of(3);
    with_apart_ = one_of(4);
    with_labels_ = one_of(4);
    with_cpus_ = one_of(6);
    const int pools = one_of(3) ? 2 : 1;
    for (int p = 0; p < pools; ++p) add_pool(p == 0 ? "p" : "q");
    if (one_of(4)) world_.queues.push_back({"l", number(1, 5)});
    for (int g = number(2, 3); g > 0; --g) add_gang();
    return std::move(world_);
  }

 private:
  int number(int least, int most) {
    return least + static_cast<int>(dice_() % static_cast<unsigned>(most - least + 1));
  }
  bool one_of(int n) { return number(1, n) == 1; }

  void add_pool(const std::string& name) {
    WorldPool pool;
    pool.name = set_to(name, {});
    for (int classes = number(1, 2); classes > 0; --classes) {
      WorldNodes nodes;
      nodes.count = number(1, 2);
      nodes.gpus = number(1, 3);
      if (with_memory_) nodes.memory = number(1, 4) * 3 * kGiga + number(0, 1);
      nodes.domains["leaf"] = one_of(2) ? "x" : "y";
      if (with_labels_ && !one_of(3)) nodes.labels["kind"] = one_of(2) ? "a" : "b";
      if (with_cpus_) nodes.milli_cpus = number(1, 4) * 1000 + number(0, 1) * 500;
      pool.nodes.push_back(nodes);
    }
    if (one_of(3)) pool.quota = set_to<std::int64_t>(number(1, 6), {});
    if (one_of(5)) pool.serial = set_to(true, {});
    world_.pools.push_back(pool);
  }

  void add_gang() {
    WorldGang gang;
    gang.name = set_to("g" + std::to_string(world_.gangs.size()), {});
    gang.pool = world_.pools[static_cast<std::size_t>(number(0, static_cast<int>(world_.pools.size()) - 1))].name.value;
    std::int64_t pods = 0;
    for (int roles = one_of(3) ? 2 : 1; roles > 0; --roles) {
      WorldRole role;
      role.name = roles == 1 ? "a" : "b";
      role.pool = world_.pools.size() > 1 && one_of(3) ? world_.pools[static_cast<std::size_t>(number(0, 1))].name.value
                                                       : gang.pool;
      role.pods = number(1, roles == 1 ? 3 : 2);
      role.gpus_per_pod = one_of(8) ? 0 : number(1, 2);
      if (with_memory_) role.memory_per_pod = number(0, 2) * kGiga;
      if (with_domains_ && one_of(3)) role.domain = "leaf";
      if (with_labels_ && one_of(2)) role.selector["kind"] = one_of(2) ? "a" : "b";
      if (with_cpus_) role.milli_cpus_per_pod = number(0, 4) * 500;
      if (one_of(4)) role.guaranteed = number(1, static_cast<int>(role.pods));
      pods += role.pods;
      gang.roles.push_back(role);
    }
    constexpr Mechanism kAll[] = {Mechanism::PerPod,         Mechanism::Atomic, Mechanism::Atomic,
                                  Mechanism::HoldAndRelease, Mechanism::Quota,  Mechanism::OrderedAtomic};
    gang.mechanism = kAll[number(0, 5)];
    gang.guaranteed = set_to<std::int64_t>(one_of(2) ? pods : number(1, static_cast<int>(pods)), {});
    if (one_of(2)) gang.timeout_seconds = 60;
    if (gang.mechanism == Mechanism::HoldAndRelease && one_of(2))
      gang.at_once = number(1, static_cast<int>(gang.guaranteed.value));
    if (with_domains_ && one_of(3)) gang.domain = "leaf";
    gang.coupled = !one_of(6);
    gang.one_per_node = with_apart_ && one_of(2);
    if (!world_.queues.empty() && one_of(2)) gang.queue = "l";
    if (with_eviction_) {
      gang.priority = number(0, 2);
      gang.preempts = one_of(2);
      gang.evicts_pods = gang.preempts && one_of(2);
      gang.restarts_whole = one_of(4);
    }
    world_.gangs.push_back(gang);
  }

  std::mt19937& dice_;
  World world_;
  bool with_memory_ = false;
  bool with_domains_ = false;
  bool with_eviction_ = false;
  bool with_apart_ = false;
  bool with_labels_ = false;
  bool with_cpus_ = false;
};

}  // namespace

World random_whole_world(std::mt19937& dice) { return Maker(dice).run(); }

}  // namespace muster
