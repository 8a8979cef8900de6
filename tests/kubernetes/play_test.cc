// Random worlds of the prover on the schedulers themselves: tests/kubernetes/play.py says what is compared.
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "support/api_server.h"
#include "support/catch.h"
#include "support/files.h"
#include "support/skip.h"

using namespace muster;

TEST_CASE("what prove says of random worlds is what schedulers do", "[.][kubernetes][played-worlds]") {
  if (std::system("python3 -c 'import yaml' >/dev/null 2>&1") != 0)
    return test::skip("python3-yaml", "Python's yaml is not installed");  // NOLINT
  using Programs = std::vector<std::string>;
  const std::vector<std::string> plane = {"etcd", "kube-apiserver"};
  const std::vector<std::pair<std::string, Programs>> mechanisms = {
      {"kube-scheduler", {"kube-scheduler"}},
      {"volcano", {"vc-scheduler"}},
      {"coscheduling", {"coscheduling"}},
      {"kueue", {"kube-scheduler", "kube-controller-manager", "kueue"}},
      {"kueue-topology", {"kube-scheduler", "kube-controller-manager", "kueue"}},
  };
  const char* worlds = std::getenv("MUSTER_WORLDS");  // a mechanism
  for (const auto& [name, needs] : mechanisms) {
    Programs all = plane;
    all.insert(all.end(), needs.begin(), needs.end());
    const std::string missing = test::missing_programs(all);
    if (!missing.empty()) {
      test::skip("worlds on " + name, missing);
      continue;
    }
    const std::string etcd = *test::kubernetes_program("etcd");
    const std::string built = etcd.substr(0, etcd.size() - std::string("/bin/etcd").size());
    const std::string command = "python3 -B '" + test::source_dir() + "/tests/kubernetes/play.py' --muster '" +
                                MUSTER_BINARY + "' --built '" + built + "' --mechanism " + name + " --worlds " +
                                (worlds != nullptr ? worlds : "60");
    INFO(command);
    CHECK(std::system(command.c_str()) == 0);
  }
}
