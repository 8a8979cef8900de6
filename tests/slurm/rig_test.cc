// A sample of mutants on whatever slurmctld is installed here, and on those of MUSTER_SLURM_CHROOTS.
#include <cstdio>
#include <cstdlib>

#include "support/catch.h"
#include "support/files.h"
#include "support/skip.h"
#include "support/slurmctld.h"

TEST_CASE("muster and the slurmctld that is installed agree on mutants of the example site", "[slurmctld][slurm-rig]") {
  if (std::system("python3 --version >/dev/null 2>&1") != 0)
    return muster::test::skip("python3", "python3 is not installed");  // NOLINT
  if (!muster::test::slurmctld_path() && muster::test::slurm_chroots().empty())
    return muster::test::skip("real slurmctld", "slurmctld is not installed, or this is not root");
  const std::string root = muster::test::source_dir();
  const std::string command = "python3 '" + root + "/tests/slurm/rig.py' sample --muster '" + MUSTER_BINARY + "' '" +
                              root + "/examples/training-repo/slurm' 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string out;
  char block[4096];
  for (std::size_t size = 0; (size = fread(block, 1, sizeof block, pipe)) > 0;) out.append(block, size);
  const int code = WEXITSTATUS(pclose(pipe));
  if (code == 77) return muster::test::skip("real slurmctld", "no network namespace: " + out);
  INFO(out);
  CHECK(code == 0);
  CHECK(out.find(" cases, 0 disagree on the start") != std::string::npos);
}
