// The GPU condition of nodes and what acts on it: the scripts run, are bounded, and do no more than they say.
#include <sys/wait.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>

#include "generate/kubernetes_fleets.h"

using namespace muster;
using namespace muster::test;

namespace {

constexpr const char* kAutomatic = "planes: {fleet: {cordon_and_drain: automatic, most_drained: 2}}\n";

std::string train_gang(const std::string& more) {
  return workloads_of(work("train", "kind: job, " + std::string(kBatch) + more));
}

/// A script that stands in a ConfigMap under this key.
std::string config_script(const std::string& manifest, const std::string& key) {
  std::string out;
  bool in = false;
  for (const std::string_view line : split(manifest, '\n')) {
    if (in && !line.empty() && !line.starts_with("    ")) break;
    if (in) out += std::string(line.substr(std::min<std::size_t>(4, line.size()))) + "\n";
    if (line == "  " + key + ": |") in = true;
  }
  return out;
}

std::string with_all(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

struct ShellRun {
  int code = 0;
  std::string out;
};
ShellRun run_shell(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  ShellRun out;
  std::array<char, 512> line{};
  while (std::fgets(line.data(), static_cast<int>(line.size()), pipe) != nullptr) out.out += line.data();
  out.code = WEXITSTATUS(pclose(pipe));
  return out;
}

void put_program(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  write_file(path, text);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

}  // namespace

TEST_CASE("the check says what the fleet file promises is there, and is bounded in time", "[generate][node-scripts]") {
  const std::string manifest = text_of("node-problem-detector", fleet_for("volcano"));
  CHECK(has(manifest, "\"args\": [\"8\", \"0\"],"));
  CHECK(has(manifest, "nvidia.com/gpu.present: \"true\"\n"));
  const TemporaryFolder folder;
  const std::string at = folder.path();
  std::string script = with_all(config_script(manifest, "check.sh"), "/host", at + "/host");
  REQUIRE(script.starts_with("#!/bin/bash\n"));
  script = with_all(script, "SECONDS + 40", "SECONDS + 2");
  write_file(at + "/check.sh", script);
  // In place of chroot, the program of that root.
  put_program(at + "/bin/chroot", "#!/bin/sh\nroot=$1\nshift 2\nexec \"$root/usr/bin/nvidia-smi\" \"$@\"\n");
  const auto check = [&](const std::string& smi, const std::string& ports = "0") {
    if (!smi.empty()) put_program(at + "/host/usr/bin/nvidia-smi", "#!/bin/sh\n" + smi);
    return run_shell("PATH='" + at + "/bin':$PATH bash '" + at + "/check.sh' 2 " + ports);
  };
  CHECK(check("").code == 2);
  const std::string two = "if [ \"$1\" = -L ]; then echo 'GPU 0: H100'; echo 'GPU 1: H100'; else echo 'No, No'; fi\n";
  CHECK(check(two).code == 0);
  CHECK(check(two).out == "2 GPUs answer\n");
  CHECK(check(two, "4").out == "0 of 4 network ports are active\n");
  const ShellRun one = check("echo 'GPU 0: H100'\n");
  CHECK(one.code == 1);
  CHECK(one.out == "1 of 2 GPUs answer\n");
  const ShellRun rows = check(with_all(two, "'No, No'", "'No, Yes'"));
  CHECK(rows.code == 1);
  CHECK(rows.out == "a GPU has failed or pending row remaps\n");
  CHECK(check("exit 9\n").out == "nvidia-smi fails or hangs\n");
  const auto begin = std::chrono::steady_clock::now();
  CHECK(check("exec sleep 60\n").code == 1);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(40));
}

TEST_CASE("sick nodes leave service only where that is told, and never more than is told", "[generate][node-scripts]") {
  const std::string saving = train_gang(", checkpoint: {interval_seconds: 1800, write_seconds: 45.5}");
  const Result<Generated> manual = generate_one("node-problem-detector", fleet_for("volcano"), saving);
  REQUIRE(manual);
  CHECK(manual->files.size() == 1);
  CHECK(has(join(manual->notes, "\n"), "`planes.fleet.cordon_and_drain` of fleet"));
  const Result<Generated> unbounded = generate_one(
      "node-problem-detector", fleet_for("volcano") + "planes: {fleet: {cordon_and_drain: automatic}}\n", saving);
  REQUIRE(unbounded);
  CHECK(unbounded->files.size() == 1);
  CHECK(has(join(unbounded->notes, "\n"), "`planes.fleet.most_drained` of fleet"));
  const Result<Generated> blind =
      generate_one("node-problem-detector", fleet_for("volcano") + kAutomatic, train_gang(""));
  REQUIRE(blind);
  REQUIRE(blind->files.size() == 2);
  CHECK_FALSE(has(blind->files[1].text, "kubectl drain"));
  CHECK_FALSE(has(blind->files[1].text, "pods/eviction"));
  CHECK(has(join(blind->notes, "\n"), "`checkpoint.interval_seconds` of workload `train` is missing"));

  const Result<Generated> whole = generate_one("node-problem-detector", fleet_for("volcano") + kAutomatic, saving);
  REQUIRE(whole);
  REQUIRE(whole->files.size() == 2);
  const std::string drain = config_script(whole->files[1].text, "drain.sh");
  CHECK(has(drain, "-ge 1846 ]"));
  for (const char* never : {"--force", "reboot", "poweroff", "ipmi", "uncordon", "kubectl delete"})
    CHECK_FALSE(has(drain, never));
  // Three sick nodes of which two may go, one that is well again, one that is out and has had its time, one whose
  // detector is dead, one that was labelled and not cordoned.
  const TemporaryFolder folder;
  const std::string at = folder.path();
  const std::string beat = "|1970-01-01T02:46:00Z\n";
  write_file(at + "/nodes", "n1|||||True" + beat + "n2||9000|||True" + beat + "n3||9000|||True" + beat +
                                "n4||9000|||False" + beat + "n5|gpu|1000|2000|true|True" + beat + "n6||9900|||True" +
                                beat + "n7|gpu|1000|2000|true|False" + beat +
                                "n8||9000|||True|1970-01-01T02:31:39Z\nn9|gpu|1000|9999||True" + beat);
  const auto lines = [&](const std::string& most, const std::string& fails = "nothing") {
    put_program(at + "/bin/kubectl", "#!/bin/sh\nif [ \"$1\" = get ]; then cat '" + at +
                                         "/nodes'; else echo \"$*\"; fi\n[ \"$1 $3\" != '" + fails + "' ]\n");
    write_file(at + "/run.sh", with_all(drain, "most=2", "most=" + most));
    write_file(at + "/run.sh", with_all(read_file(at + "/run.sh"), "now=$(date +%s)", "now=10000"));
    return run_shell("PATH='" + at + "/bin':$PATH sh '" + at + "/run.sh'");
  };
  const ShellRun four = lines("4");
  CHECK(four.code == 0);
  CHECK(four.out ==
        "annotate node n1 muster.dev/gpu-unhealthy-since=10000\n"
        "annotate node n2 --overwrite muster.dev/out-since=10000\nlabel node n2 muster.dev/out-of-service=gpu\n"
        "cordon n2\n"
        "n3 stays in service: 4 nodes are out, and planes.fleet.most_drained is 4\n"
        "annotate node n4 muster.dev/gpu-unhealthy-since-\n"
        "drain n5 --ignore-daemonsets --delete-emptydir-data --timeout=120s\n"
        "n8 is left as it is: its detector has said nothing for 15 minutes\n"
        "cordon n9\n");
  CHECK(has(lines("3").out, "n2 stays in service: 3 nodes are out"));
  // What fails for one node keeps no other waiting, and is not counted out.
  const ShellRun failing = lines("4", "label n2");
  CHECK(failing.code == 0);
  CHECK(has(failing.out, "n2: label failed, and is tried again\nn3 stays in service: 4 nodes are out"));
  CHECK_FALSE(has(failing.out, "cordon n2"));
  CHECK(has(failing.out, "drain n5"));
  CHECK(has(lines("4", "annotate n1").out, "n1: annotate failed, and is tried again\nannotate node n2"));
}

TEST_CASE("each pool is watched for its own GPUs and ports, and passes the check", "[generate]") {
  const std::string pools =
      "  - {name: a, nodes: \"a[1-4]\", gpus_per_node: 8, control_plane: kubernetes, fabric: {kind: infiniband, rails: "
      "8}}\n  - {name: b, nodes: \"b[1-4]\", gpus_per_node: 4, control_plane: kubernetes, fabric: {kind: ethernet}}\n";
  const std::string fleet = fleet_of(leads_to("volcano"), kFlat, pools, "") + kAutomatic;
  const Written written = generate_everything(fleet, train_gang(", checkpoint: {interval_seconds: 600}"));
  INFO(join(written.all.refused, "\n") << join(written.findings, "\n"));
  CHECK(written.all.refused.empty());
  CHECK(written.findings.empty());
  const std::string text = written.text("node-problem-detector.yaml");
  CHECK(has(text, "\"args\": [\"8\", \"8\"],"));
  CHECK(has(text, "\"args\": [\"4\", \"0\"],"));
  CHECK(has(text, "        muster.dev/pool: b\n"));
  CHECK(written.text("gpu-drain.yaml").find("concurrencyPolicy: Forbid") != std::string::npos);
  CHECK(has(refusal_of("node-problem-detector",
                       "muster: fleet/v1\nname: x\nnode_pools:\n  - {name: s, nodes: n1, gpus_per_node: 8, "
                       "control_plane: slurm}\n"),
            "under Kubernetes"));
}
