// scripts/repositories: what is new or gone between two runs over a folder of checkouts.
#include <cstdio>
#include <filesystem>

#include "support/catch.h"
#include "support/files.h"
#include "support/skip.h"

namespace {

using muster::test::TemporaryFolder;
using muster::test::write_file;

struct Told {
  int code = 0;
  std::string out;
};

Told run_script(const std::string& words) {
  const std::string command = "python3 '" + muster::test::source_dir() + "/scripts/repositories' --muster '" +
                              MUSTER_BINARY + "' " + words + " 2>&1";
  Told told;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {-1, ""};
  char block[4096];
  for (std::size_t size = 0; (size = fread(block, 1, sizeof block, pipe)) > 0;) told.out.append(block, size);
  told.code = WEXITSTATUS(pclose(pipe));
  return told;
}

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("scripts/repositories tells what each checkout has, and what is new or gone", "[cli][repositories]") {
  if (std::system("python3 --version >/dev/null 2>&1") != 0)
    return muster::test::skip("python3", "python3 is not installed");  // NOLINT
  const TemporaryFolder folder;
  const std::string bad = "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: e}\nspec: [\n";
  write_file(folder.path() + "/one/job.yaml", bad);
  write_file(folder.path() + "/two/notes.txt", "hello\n");
  const Told first = run_script(folder.path());
  CHECK(first.code == 0);
  CHECK(has(first.out, "no record yet"));
  CHECK(has(first.out, "2 repositories, 1 of them without a finding"));
  const Told same = run_script(folder.path());
  CHECK(same.code == 0);
  CHECK(has(same.out, "new since the last record: 0"));
  write_file(folder.path() + "/two/job.yaml", bad);
  std::filesystem::remove(folder.path() + "/one/job.yaml");
  write_file(folder.path() + "/one/notes.txt", "hello\n");
  const Told changed = run_script(folder.path() + " --keep");
  CHECK(changed.code == 1);
  CHECK(has(changed.out, "new since the last record: 1\n  error[yaml-syntax] two/job.yaml:"));
  CHECK(has(changed.out, "gone since the last record: 1\n  error[yaml-syntax] one/job.yaml:"));
  // --keep left the record alone.
  CHECK(run_script(folder.path()).code == 1);
  CHECK(run_script(folder.path()).code == 0);
}
