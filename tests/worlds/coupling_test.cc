// Gangs of which nobody knows whether their pods work alone.
#include "support/catch.h"
#include "support/proofs.h"

using namespace muster;
using test::plain_fleet;
using test::plain_job;
using test::prove_jobs;
using test::told;

namespace {

std::string reason(const nlohmann::json& answer) { return answer["results"].at(0)["reason"]; }

}  // namespace

TEST_CASE("pods of which nobody knows whether they work alone are not taken to", "[worlds]") {
  const std::string unsaid = plain_job("unsaid", 6, 1, "python, t.py");
  // Two of them hold four each.
  const std::vector<std::string> two{"--property", "all-or-nothing", "--concurrent", "2"};
  const nlohmann::json open = prove_jobs(plain_fleet(1), unsaid, two);
  CHECK(told(open) == "unknown");
  CHECK(
      reason(open).ends_with("but that needs to be known: whether its pods run one collective (`tightly_coupled` of "
                             "its workload)"));
  CHECK(told(prove_jobs(plain_fleet(2), unsaid, two)) == "holds");
  CHECK(test::told_of(plain_fleet(1), unsaid, "placeable") == "holds");
  CHECK(test::told_of(plain_fleet(1), plain_job("unsaid", 9, 1, "python, t.py"), "placeable") == "counterexample");
  const std::string known = plain_job("unsaid", 6, 1, "torchrun, --nnodes=6");
  CHECK(told(prove_jobs(plain_fleet(1), known, two)) == "counterexample");
}

TEST_CASE("what gangs that are known to be coupled do to each other stands beside one that is not known", "[worlds]") {
  const std::string jobs = plain_job("unsaid", 6, 1, "python, t.py") + plain_job("a", 5, 1) + plain_job("b", 5, 1);
  const nlohmann::json answer = prove_jobs(plain_fleet(1), jobs, {"--property", "no-deadlock"});
  CHECK(told(answer) == "counterexample");
  CHECK(answer["results"][0]["counterexample"]["holds"].size() == 2);
}

TEST_CASE("a gang that runs with fewer pods is held to all of them only where that proves it", "[worlds]") {
  const std::string elastic = plain_job("e", 4, 8, "torchrun, '--nnodes=2:4'");
  const std::vector<std::string> two{"--property", "all-or-nothing", "--concurrent", "2"};
  const nlohmann::json open = prove_jobs(plain_fleet(4), elastic, two);
  CHECK(told(open) == "unknown");
  CHECK(reason(open).ends_with("but that needs to be known: with how many of its pods it runs"));
  CHECK(told(prove_jobs(plain_fleet(8), elastic, two)) == "holds");
}

TEST_CASE("a proof says of which gangs the pods work alone", "[worlds]") {
  const std::string served =
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec:\n  replicas: 4\n  template: {spec: "
      "{containers: "
      "[{name: w, image: 'e/t:1', resources: {limits: {nvidia.com/gpu: 1}}}]}}\n";
  const nlohmann::json answer = prove_jobs(plain_fleet(1), served, {"--property", "all-or-nothing"});
  CHECK(told(answer) == "holds");
  CHECK(reason(answer) == "no gang has pods that wait for each other");
}
