#include <array>
#include <cstdio>
#include <random>

#include "base/hostlist.h"
#include "support/catch.h"
#include "support/files.h"
#include "support/skip.h"
#include "support/slurmctld.h"

using namespace muster;

namespace {

/// What the real scontrol prints; it needs a slurm.conf that names a cluster, but no daemon.
class Scontrol {
 public:
  Scontrol() {
    test::write_file(folder_.path() + "/slurm.conf",
                     "ClusterName=lab\nSlurmctldHost=localhost\nNodeName=n1\nPartitionName=p Nodes=n1\n");
  }

  std::vector<std::string> lines(const std::string& words) const {
    const std::string command = "SLURM_CONF='" + folder_.path() + "/slurm.conf' scontrol show " + words + " 2>&1";
    FILE* pipe = popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::string text;
    std::array<char, 65536> block;
    while (std::fgets(block.data(), static_cast<int>(block.size()), pipe) != nullptr) text += block.data();
    pclose(pipe);
    std::vector<std::string> out;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      out.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    return out;
  }

 private:
  test::TemporaryFolder folder_;
};

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ",") + name;
  return out;
}

}  // namespace

TEST_CASE("compressed lists are those that the real scontrol prints, and it reads them back", "[hostlist]") {
  if (!test::slurmctld_path())
    return test::skip("real slurmctld", "the package slurmctld is not installed, or this is not root");
  const Scontrol scontrol;
  std::mt19937 random(3);
  std::vector<std::vector<std::string>> cases{{"node1", "node2", "node4"},
                                              {"n9", "n10", "n11"},
                                              {"n09", "n10"},
                                              {"n099", "n100"},
                                              {"n2", "n1"},
                                              {"n1", "n1"},
                                              {"a-ib", "b-ib"},
                                              {"login", "n1", "n2", "login2"},
                                              {"rack1-n1", "rack1-n2", "rack2-n1"},
                                              {"7", "8"},
                                              {"n001", "n1"}};
  for (int run = 0; run < 40; ++run) {
    std::vector<std::string> names;
    const std::size_t first = random() % 120;
    for (std::size_t i = 0; i < 1 + random() % 12; ++i) {
      const std::string digits = std::to_string(first + i * (1 + random() % 2));
      names.push_back((random() % 5 == 0 ? "gpu" : "n") +
                      std::string(random() % 6 == 0 && digits.size() < 3 ? 3 - digits.size() : 0, '0') + digits);
    }
    cases.push_back(std::move(names));
  }
  for (const std::vector<std::string>& names : cases) {
    INFO(joined(names));
    const std::string ours = compress_hostlist(names);
    CHECK(std::vector<std::string>{ours} == scontrol.lines("hostlist " + joined(names)));
    CHECK(scontrol.lines("hostnames '" + ours + "'") == names);
  }
}
