#include "support/catch.h"
#include "support/model.h"

using namespace muster;

TEST_CASE("a file above 32 MiB is refused when it is named and a finding in a folder", "[source]") {
  const MemoryFileSystem disk(std::map<std::string, std::string>{{"a.yaml", std::string(kMaxFileSize + 1, 'x')}});
  std::vector<Finding> findings;
  const Result<Inputs> named = discover({{"a.yaml"}, {}, {}}, disk, findings);
  REQUIRE_FALSE(named);
  CHECK(named.error().message == "cannot read `a.yaml`: larger than 32 MiB");
  const Result<Inputs> below = discover({{"."}, {}, {}}, disk, findings);
  REQUIRE(below);
  CHECK(below->too_large == std::vector<std::string>{"a.yaml"});
  CHECK(findings.size() == 1);
}

TEST_CASE("a slurm.conf of more lines than Slurm takes nodes is refused with a finding", "[source]") {
  const std::string head = "ClusterName=lab\nNodeName=n1 CPUs=4\n";
  CHECK(test::summary_of(test::check_files({{"slurm.conf", head + std::string(400'000, '\n')}})) ==
        "slurm.conf:1:1 slurm-conf-syntax: more than 300,000 lines: the file is not read\n");
  CHECK(test::summary_of(test::check_files({{"notes.ini", "a=b\n" + std::string(400'000, '\n')}})).empty());
}
