// A certificate that was tampered with is refused, and so is one of another property.
#include <functional>

#include "prove/prove.h"
#include "support/catch.h"
#include "support/model.h"

using namespace muster;

namespace {

constexpr std::int64_t kWork = 50'000'000;
using Shape = ProofCertificate::Kind;

World world_of(const std::string& rest) {
  const Workspace workspace = test::read_files({{"world.yaml", "muster: world/v1\nname: w\n" + rest}});
  for (const Finding& finding : workspace.findings) UNSCOPED_INFO(finding.message);
  REQUIRE(workspace.model.worlds.size() == 1);
  return workspace.model.worlds.front();
}

ProofResult prove_one(const World& world, Property property, std::int64_t faults = 0) {
  return prove_world(world, {property}, {200'000, 64, 1, faults}).front();
}

struct Case {
  const char* what;
  Property property;
  Shape kind;
  std::string world;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"nothing to do", Property::QuotaConsistent, Shape::NothingToDo,
       "pools: [{name: p, quota: 4, nodes: [{count: 1, gpus: 8}]}]\ngangs: [{name: a, pods: 2, gpus_per_pod: 1}]\n"},
      {"whole commits", Property::AllOrNothing, Shape::WholeCommits,
       "pools: [{name: p, nodes: [{count: 1, gpus: 8}]}]\ngangs: [{name: a, pods: 5, gpus_per_pod: 1, mechanism: "
       "atomic, guaranteed: 5, instances: 2}]\n"},
      {"sums", Property::NoDeadlock, Shape::Sums,
       "pools: [{name: p, nodes: [{count: 1, gpus: 10}]}]\ngangs: [{name: a, pods: 5, gpus_per_pod: 1, instances: "
       "2}]\n"},
      {"sums within a quota", Property::NoDeadlock, Shape::Sums,
       "pools: [{name: p, quota: 8, nodes: [{count: 1, gpus: 8}]}]\ngangs: [{name: a, pods: 4, gpus_per_pod: 1, "
       "mechanism: quota, instances: 4}]\n"},
      {"bound", Property::NoDeadlock, Shape::Bound,
       "pools: [{name: p, nodes: [{count: 4, gpus: 8}]}]\ngangs: [{name: a, pods: 2, gpus_per_pod: 4}, {name: b, pods: "
       "2, "
       "gpus_per_pod: 2}]\n"},
      {"fits", Property::Placeable, Shape::Fits,
       "pools: [{name: p, nodes: [{count: 2, gpus: 8, domains: {leaf: x}}, {count: 2, gpus: 4, domains: {leaf: y}}]}]\n"
       "gangs: [{name: a, pods: 4, gpus_per_pod: 4, domain: leaf}, {name: b, pods: 3, gpus_per_pod: 3, one_per_node: "
       "true}]\n"},
      {"fits within a quota", Property::QuotaConsistent, Shape::Fits,
       "pools: [{name: p, quota: 8, nodes: [{count: 2, gpus: 4}]}]\ngangs: [{name: a, pods: 2, gpus_per_pod: 3, "
       "mechanism: "
       "quota}, {name: b, pods: 2, gpus_per_pod: 2, mechanism: quota}]\n"},
      {"sums of a quota", Property::QuotaConsistent, Shape::Sums,
       "pools: [{name: p, quota: 8, nodes: [{count: 2, gpus: 4}]}]\ngangs: [{name: a, pods: 4, gpus_per_pod: 1, "
       "mechanism: "
       "quota, instances: 3}]\n"},
      {"all states", Property::NoDeadlock, Shape::AllStates,
       "pools: [{name: p, nodes: [{count: 3, gpus: 4}]}]\ngangs: [{name: a, pods: 3, gpus_per_pod: 3}, {name: b, pods: "
       "3, "
       "gpus_per_pod: 1}]\n"},
  };
  return all;
}

bool is_refused(const World& world, const ProofResult& result, std::int64_t faults = 0) {
  return check_proof(world, result, faults, kWork).outcome == CheckOutcome::Refused;
}

using Tamper = std::function<void(ProofResult&)>;

void expect_refused(const World& world, const ProofResult& good, const char* what, const Tamper& tamper) {
  ProofResult bad = good;
  tamper(bad);
  INFO(what);
  CHECK(is_refused(world, bad));
}

}  // namespace

TEST_CASE("each kind of certificate goes through a second look, and none of another kind in its place", "[prove]") {
  for (const Case& one : cases()) {
    INFO(one.what);
    const World world = world_of(one.world);
    const ProofResult result = prove_one(world, one.property);
    INFO(result.reason);
    REQUIRE(result.verdict == Verdict::Holds);
    CHECK(result.certificate.kind == one.kind);
    CHECK(result.certificate.checked);
    expect_refused(world, result, "no certificate", [](ProofResult& r) { r.certificate = {}; });
    expect_refused(world, result, "not said to hold", [](ProofResult& r) { r.verdict = Verdict::Unknown; });
    expect_refused(world, result, "a gang less", [](ProofResult& r) { r.gangs.pop_back(); });
    if (one.kind != Shape::NothingToDo)
      expect_refused(world, result, "nothing to do", [](ProofResult& r) { r.certificate.kind = Shape::NothingToDo; });
    if (one.kind != Shape::WholeCommits)
      expect_refused(world, result, "whole commits", [](ProofResult& r) { r.certificate.kind = Shape::WholeCommits; });
    World beyond = world;
    beyond.gangs.front().beyond = {"`--licenses`"};
    CHECK(is_refused(beyond, result) == (one.kind != Shape::NothingToDo && one.kind != Shape::WholeCommits));
  }
}

TEST_CASE("a proof of gangs that lose pods to others, race or may work alone is refused where it does not count that",
          "[prove]") {
  for (const Case& one : cases()) {
    INFO(one.what);
    const World world = world_of(one.world);
    const ProofResult result = prove_one(world, one.property);
    const bool of_capacity = one.property == Property::Placeable || one.property == Property::QuotaConsistent;
    World apart = world;
    apart.gangs.front().taken_apart = "somebody may evict pods of it";
    CHECK(is_refused(apart, result) == !of_capacity);
    World racing = world;
    racing.gangs.front().scheduler = "a";
    racing.gangs.back().scheduler = "b";
    CHECK(is_refused(racing, result) == (one.kind == Shape::WholeCommits));
    World alone = world;
    alone.gangs.front().may_work_alone = "whether its pods run one collective";
    CHECK_FALSE(is_refused(alone, result));
    alone.gangs.back().preempts = true;
    CHECK(is_refused(alone, result) == (!of_capacity && one.kind != Shape::WholeCommits));
  }
}

TEST_CASE("gangs whose pods may work alone are proved as if each pod were placed by itself", "[prove]") {
  const auto verdict = [](int nodes, const std::string& guaranteed) {
    const World world = world_of(
        "pools: [{name: p, nodes: [{count: " + std::to_string(nodes) +
        ", gpus: 8}]}]\ngangs: [{name: a, pods: 3, gpus_per_pod: 8, mechanism: atomic, guaranteed: " + guaranteed +
        ", may_work_alone: nobody says, instances: 2}]\n");
    const ProofResult result = prove_one(world, Property::AllOrNothing);
    INFO(result.reason);
    CHECK(result.certificate.checked == (result.verdict == Verdict::Holds));
    return result.verdict;
  };
  CHECK(verdict(6, "2") == Verdict::Holds);
  CHECK(verdict(5, "2") == Verdict::Unknown);
  CHECK(verdict(5, "3") == Verdict::Holds);
}

TEST_CASE("pods that ask for nothing that runs out have slots enough on every node", "[prove]") {
  const World world = world_of(
      "pools: [{name: p, nodes: [{count: 1000000}]}]\ngangs: [{name: a, pods: 5, cpus_per_pod: 4, "
      "instances: 2}]\n");
  for (const Property property : {Property::AllOrNothing, Property::NoDeadlock}) {
    const ProofResult result = prove_one(world, property);
    INFO(result.reason);
    CHECK(result.verdict == Verdict::Holds);
    CHECK(result.certificate.checked);
  }
}

TEST_CASE("a certificate with one thing changed is refused", "[prove]") {
  for (const Case& one : cases()) {
    INFO(one.what);
    const World world = world_of(one.world);
    const ProofResult good = prove_one(world, one.property);
    switch (one.kind) {
      case Shape::Sums:
        expect_refused(world, good, "a slot more", [](ProofResult& r) { ++r.certificate.slots; });
        expect_refused(world, good, "a slot less", [](ProofResult& r) { --r.certificate.slots; });
        break;
      case Shape::Bound:
        for (std::size_t i = 0; i < good.certificate.entries.size(); ++i) {
          expect_refused(world, good, "an entry less", [&](ProofResult& r) {
            r.certificate.entries.erase(r.certificate.entries.begin() + static_cast<std::ptrdiff_t>(i));
          });
          expect_refused(world, good, "less is held", [&](ProofResult& r) { --r.certificate.entries[i].held; });
          expect_refused(world, good, "more blocks", [&](ProofResult& r) { ++r.certificate.entries[i].blocking; });
        }
        break;
      case Shape::Fits:
        for (std::size_t i = 0; i < good.certificate.fills.size(); ++i) {
          const auto change = [&](const char* what, const std::function<void(ProofCertificate::Fill&)>& how) {
            expect_refused(world, good, what, [&](ProofResult& r) { how(r.certificate.fills[i]); });
          };
          change("a pod less", [](ProofCertificate::Fill& f) { --f.pods; });
          change("more pods", [](ProofCertificate::Fill& f) { f.pods += 8; });
          change("nodes that are not there", [](ProofCertificate::Fill& f) { f.first += 4; });
          change("another gang", [](ProofCertificate::Fill& f) { f.gang = 1 - f.gang; });
          change("another role", [](ProofCertificate::Fill& f) { ++f.role; });
          change("another pool", [](ProofCertificate::Fill& f) { ++f.pool; });
          expect_refused(world, good, "a fill less", [&](ProofResult& r) {
            r.certificate.fills.erase(r.certificate.fills.begin() + static_cast<std::ptrdiff_t>(i));
          });
          expect_refused(world, good, "a fill twice",
                         [&](ProofResult& r) { r.certificate.fills.push_back(r.certificate.fills[i]); });
        }
        break;
      case Shape::AllStates:
        expect_refused(world, good, "more states", [](ProofResult& r) { r.certificate.states += 1'000'000; });
        expect_refused(world, good, "no states", [](ProofResult& r) { r.certificate.states = 0; });
        break;
      default: break;
    }
  }
}

TEST_CASE("a certificate of a world in which it does not hold is refused, whatever it says", "[prove]") {
  const std::string nodes = "pools: [{name: p, nodes: [{count: 1, gpus: 8}]}]\n";
  const World fine = world_of(nodes + "gangs: [{name: a, pods: 4, gpus_per_pod: 1, instances: 2}]\n");
  const World broken = world_of(nodes + "gangs: [{name: a, pods: 5, gpus_per_pod: 1, instances: 2}]\n");
  ProofResult result = prove_one(fine, Property::NoDeadlock);
  REQUIRE(result.verdict == Verdict::Holds);
  for (const Shape kind :
       {Shape::NothingToDo, Shape::WholeCommits, Shape::Sums, Shape::Bound, Shape::Fits, Shape::AllStates}) {
    INFO(name_of(kind));
    result.certificate.kind = kind;
    result.certificate.slots = 8;
    result.certificate.states = 5;
    result.certificate.entries = {{0, 0, 6, 8}, {1, 0, 6, 8}};
    CHECK(is_refused(broken, result));
  }
  // A pod that is lost, or taken away, is no matter of sums.
  result = prove_one(fine, Property::NoDeadlock);
  CHECK(is_refused(fine, result, 1));
}

TEST_CASE("two components that may disturb each other are not believed to fit", "[prove]") {
  const std::string nodes = "pools: [{name: p, nodes: [{count: 4, gpus: 8, labels: {a: y}}, {count: 4, gpus: 8}]}]\n";
  const World fine = world_of(nodes +
                              "gangs: [{name: a, mechanism: ordered-atomic, components: [{pods: 4, gpus_per_pod: 8, "
                              "node_labels: {a: y}}, {pods: 4, gpus_per_pod: 8}]}]\n");
  World broken = fine;
  std::swap(broken.gangs[0].roles[0], broken.gangs[0].roles[1]);
  ProofResult result = prove_one(fine, Property::Placeable);
  REQUIRE(result.certificate.checked);
  for (ProofCertificate::Fill& fill : result.certificate.fills) fill.role = 1 - fill.role;
  CHECK(is_refused(broken, result));
}

TEST_CASE("states that are too many to walk through again are told, not believed in silence", "[prove]") {
  const World world = world_of(cases().back().world);
  ProofResult result = prove_one(world, Property::NoDeadlock);
  REQUIRE(result.certificate.kind == Shape::AllStates);
  const CheckAnswer answer = check_proof(world, result, 0, 100);
  CHECK(answer.outcome == CheckOutcome::TooLarge);
  CHECK_FALSE(answer.why.empty());
}
