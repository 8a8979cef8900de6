// Folders that keep what nobody runs any more.
#include "base/strings.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"

namespace {

const std::string kBad =
    "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n"
    "spec: {containers: [{name: c, image: \"e/t:1\", volumeMounts: [{name: v, mountPath: /v}]}]}\n";

muster::test::Ran checked(const std::string& file, const std::string& path) {
  const std::map<std::string, std::string> files{{file, kBad}};
  return muster::test::run_command({"check", path}, muster::test::FakeDisk(files));
}

int code_of(const std::string& file, const std::string& path) { return checked(file, path).code; }

}  // namespace

TEST_CASE("what is found in an archive is information, unless the archive is what is asked about", "[pipeline]") {
  CHECK(code_of("repo/apps/pod.yaml", "repo") == 1);
  for (const char* folder : {".archive", "archive", "Archived", "attic", "_old", "monitoring-old", ".disabled",
                             "slurm-21.08.6", "slurm-24.05.4-1", "obsolete", "proxy-archive",
                             ".ipynb_checkpoints"}) {
    INFO(folder);
    CHECK(code_of("repo/" + std::string(folder) + "/apps/pod.yaml", "repo") == 0);
    CHECK(code_of("repo/" + std::string(folder) + "/apps/pod.yaml", "repo/" + std::string(folder)) == 1);
  }
  for (const char* folder : {"old", "disabled", "archiver", "archive.yaml", "slurm-21.08", "slurm-24.05.4-prod"})
    CHECK(code_of("repo/" + std::string(folder) + "/pod.yaml", "repo") == 1);
  CHECK(code_of("repo/archive", "repo") == 1);
  CHECK(code_of("repo/pod.yaml.orig", "repo") == 0);
  CHECK(code_of("repo/pod.yaml.orig", "repo/pod.yaml.orig") == 1);
  CHECK(code_of("repo/testData/pod.yaml", "repo") == 0);
  CHECK(code_of("repo/fixtures/pod.yaml", "repo") == 0);
  CHECK(code_of("repo/golden/pod.yaml", "repo") == 0);
  CHECK(code_of("repo/original.yaml", "repo") == 1);
}

TEST_CASE("a finding that an archive makes information says why", "[pipeline]") {
  const std::string why = "= assumes: nobody runs what `.archive` keeps: give that folder as PATH where somebody does";
  CHECK(muster::contains(checked("repo/.archive/pod.yaml", "repo").out, why));
  CHECK_FALSE(muster::contains(checked("repo/.archive/pod.yaml", "repo/.archive").out, "assumes"));
}

TEST_CASE("an information of what an archive keeps is none", "[pipeline]") {
  const std::string slow =
      "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a}\nspec: {schedule: \"0 * * * *\", jobTemplate: {spec: "
      "{template: {spec: {restartPolicy: Never, containers: [{name: c, image: \"e/t:1\", resources: {limits: "
      "{nvidia.com/gpu: 1}}}]}}}}}\n";
  const auto said = [&](const std::string& path) {
    const std::map<std::string, std::string> files{{"repo/.archive/job.yaml", slow}};
    return muster::contains(muster::test::run_command({"check", path}, muster::test::FakeDisk(files)).out, "info[");
  };
  CHECK_FALSE(said("repo"));
  CHECK(said("repo/.archive"));
  CHECK(said("repo/.archive/job.yaml"));
}

TEST_CASE("what earlier releases installed is information beside that of a newer one", "[pipeline]") {
  std::map<std::string, std::string> files;
  for (const char* release : {"v0.3.0", "v0.4.0", "v0.5.0-rc1", "v0.10.0"})
    files["repo/install/" + std::string(release) + "/pod.yaml"] = kBad;
  const auto checked = [&](const std::string& path) {
    return muster::test::run_command({"check", path}, muster::test::FakeDisk(files));
  };
  CHECK(muster::contains(checked("repo").out, "1 error, 3 infos"));
  CHECK(muster::contains(checked("repo").out, "nobody runs what `v0.5.0-rc1` keeps"));
  CHECK(checked("repo/install/v0.3.0").code == 1);  // who names it wants to know
  files.erase("repo/install/v0.10.0/pod.yaml");
  CHECK(muster::contains(checked("repo").out, "3 errors"));  // two or three may be what several clusters run
}
