// Prolog and health check: run by bash, with other programs in the place of nvidia-smi and scontrol.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "generate/generate.h"
#include "support/catch.h"
#include "support/files.h"
#include "support/model.h"
#include "support/skip.h"

using namespace muster;

namespace {

std::string script_of(const std::string& id) {
  static const Result<std::vector<TemplateDef>> templates = embedded_templates();
  REQUIRE(templates);
  const Workspace workspace = test::read_files(
      {{"fleet.yaml",
        "muster: fleet/v1\nname: east\nnode_pools:\n  - {name: h100, nodes: \"h[001-016]\", gpus_per_node: 8, "
        "control_plane: slurm, accelerator: {model: H100}}\n"}});
  const auto def = std::ranges::find(*templates, id, &TemplateDef::id);
  REQUIRE(def != templates->end());
  const Result<Generated> generated =
      generate(*def, {workspace.model, workspace.decisions, workspace.site.targets, workspace.inputs.sources});
  INFO((generated ? "" : generated.error().message));
  REQUIRE(generated);
  return generated->files.at(0).text;
}

struct Ran {
  int status = 0;
  std::string scontrol;  ///< what it was called with
  double seconds = 0;
};

/// `gpus` is what nvidia-smi does, as a line of sh; `state` what scontrol shows.
Ran run_script(std::string text, const std::string& gpus, const std::string& rows, const std::string& state) {
  // Seconds instead of half a minute.
  const std::size_t bound = text.find("deadline=$((SECONDS + ");
  REQUIRE(bound != std::string::npos);
  text.replace(bound, text.find('\n', bound) - bound, "deadline=$((SECONDS + 4))");
  std::string folder = "/tmp/muster-scripts-XXXXXX";
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  const auto program = [&](const std::string& name, const std::string& body) {
    test::write_file(folder + "/" + name, "#!/bin/sh\n" + body);
    chmod((folder + "/" + name).c_str(), 0755);
  };
  program("script", "");
  test::write_file(folder + "/script", text);
  program("nvidia-smi", "case \"$1\" in -L) " + gpus + " ;; *) " + rows + " ;; esac\n");
  program("logger", "true\n");
  program("scontrol", "case \"$*\" in *hostnames*) echo h001; echo h002 ;; *show*) echo 'NodeName=h001 State=" + state +
                          " Reason=State=DRAIN' ;; *) echo \"$*\" >>" + folder + "/called ;; esac\n");
  const auto begin = std::chrono::steady_clock::now();
  Ran out;
  out.status = std::system(("PATH=" + folder + ":$PATH SLURMD_NODENAME=h001 SLURM_JOB_GPUS=0,1,2,3,4,5,6,7 bash " +
                            folder + "/script 2>/dev/null")
                               .c_str());
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (std::filesystem::exists(folder + "/called")) out.scontrol = test::read_file(folder + "/called");
  std::filesystem::remove_all(folder);
  return out;
}

std::string listing(int gpus) {
  return "i=0; while [ $i -lt " + std::to_string(gpus) +
         " ]; do echo \"GPU $i: NVIDIA H100 (UUID: GPU-$i)\"; i=$((i + 1)); done";
}

const char* const kGood = "echo '0, 0'; echo '[N/A], [N/A]'";

}  // namespace

TEST_CASE("the health check drains a node for what is wrong, once, and in time", "[generate]") {
  const std::string text = script_of("health-check");
  CHECK(run_script(text, listing(8), kGood, "IDLE").scontrol.empty());
  CHECK(run_script(text, listing(7), kGood, "IDLE").scontrol ==
        "update NodeName=h001 State=DRAIN Reason=health-check: 7 of 8 GPUs answer\n");
  CHECK(run_script(text, "exit 9", kGood, "IDLE").scontrol.find("nvidia-smi fails or hangs") != std::string::npos);
  CHECK(run_script(text, listing(8), "echo '0, 0'; echo '0, 1'", "MIXED+CLOUD").scontrol.find("row remaps") !=
        std::string::npos);
  CHECK(run_script(text, listing(8), "echo 'Yes, No'", "IDLE").scontrol.find("row remaps") != std::string::npos);
  // Somebody's reason stays.
  CHECK(run_script(text, listing(7), kGood, "IDLE+DRAIN").scontrol.empty());
  const Ran hangs = run_script(text, "exec sleep 30", kGood, "IDLE");
  CHECK(hangs.scontrol.find("nvidia-smi fails or hangs") != std::string::npos);
  CHECK(hangs.seconds < 15);
}

TEST_CASE("the prolog fails where fewer GPUs answer than the job was given, and in time", "[generate]") {
  const std::string text = script_of("prolog");
  CHECK(run_script(text, listing(8), kGood, "IDLE").status == 0);
  CHECK(run_script(text, listing(7), kGood, "IDLE").status != 0);
  CHECK(run_script(text, "exit 9", kGood, "IDLE").status != 0);
  const Ran hangs = run_script(text, "exec sleep 30", kGood, "IDLE");
  CHECK(hangs.status != 0);
  CHECK(hangs.seconds < 15);
  CHECK(hangs.scontrol.empty());
}

TEST_CASE("generated node scripts power nothing off, and shellcheck has nothing to say", "[generate]") {
  for (const char* id : {"prolog", "health-check"}) {
    const std::string text = script_of(id);
    for (const char* word :
         {"\nreboot", " reboot ", "shutdown", "ipmitool", "--gpu-reset", "State=RESUME", "poweroff"}) {
      INFO(id << " " << word);
      CHECK(text.find(word) == std::string::npos);
    }
  }
  if (std::system("command -v shellcheck >/dev/null 2>&1") != 0) return test::skip("shellcheck", "it is not installed");
  for (const char* id : {"prolog", "health-check"}) {
    const std::string path = "/tmp/muster-" + std::string(id) + "-" + std::to_string(getpid()) + ".sh";
    test::write_file(path, script_of(id));
    CHECK(std::system(("shellcheck " + path).c_str()) == 0);
    std::filesystem::remove(path);
  }
}
