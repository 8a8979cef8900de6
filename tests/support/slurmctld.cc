#include "support/slurmctld.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "support/files.h"
#include "support/slurm_daemon.h"

namespace muster::test {
namespace {

namespace fs = std::filesystem;

std::string default_records(const std::string& nodes) {
  // CLOUD nodes: names that nothing resolves and no slurmd are then no reason to wait.
  return "GresTypes=gpu\nTopologyPlugin=topology/tree\nNodeName=" + nodes +
         " CPUs=96 Boards=1 SocketsPerBoard=2 CoresPerSocket=48 ThreadsPerCore=1 RealMemory=2000000 Gres=gpu:h100:8 "
         "State=CLOUD\n"
         "PartitionName=gpu Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n";
}

/// 24.11.5, as `slurmctld -V` says; nothing where it says something else.
std::string release_said_by(const std::string& program) {
  FILE* pipe = popen((program + " -V 2>&1").c_str(), "r");
  if (pipe == nullptr) return "";
  std::array<char, 256> line{};
  const bool any = std::fgets(line.data(), static_cast<int>(line.size()), pipe) != nullptr;
  pclose(pipe);
  std::string text = any ? line.data() : "";
  while (text.ends_with('\n')) text.pop_back();
  // slurm-wlm 24.11.5
  return text.starts_with("slurm") ? text.substr(text.rfind(' ') + 1) : "";
}

SlurmVerdict run(const std::map<std::string, std::string>& files, const SlurmInstall& install,
                 const std::vector<std::string>& questions) {
  SlurmDaemon daemon(files, install);
  SlurmVerdict verdict;
  verdict.up = daemon.wait_until_up();
  if (verdict.up) verdict.topology = daemon.ask("scontrol show topology");
  for (const std::string& question : questions) {
    std::string answer;
    if (verdict.up) {
      for (const std::string& line : daemon.ask("scontrol " + question)) answer += line + "\n";
    }
    verdict.answers.push_back(std::move(answer));
  }
  verdict.log = daemon.complaints();
  return verdict;
}

}  // namespace

std::optional<std::string> slurmctld_path() {
  for (const char* path : {"/usr/sbin/slurmctld", "/usr/local/sbin/slurmctld"}) {
    if (fs::exists(path) && geteuid() == 0) return path;
  }
  return std::nullopt;
}

std::optional<SlurmInstall> slurm_here() {
  const std::optional<std::string> program = slurmctld_path();
  if (!program) return std::nullopt;
  return SlurmInstall{"", release_said_by(*program)};
}

std::vector<SlurmInstall> slurm_chroots() {
  std::vector<SlurmInstall> installs;
  const char* folder = std::getenv("MUSTER_SLURM_CHROOTS");
  if (folder == nullptr || geteuid() != 0) return installs;
  for (const std::string& name : entries(folder)) {
    const std::string root = fs::absolute(std::string(folder) + "/" + name).string();
    if (!fs::exists(root + "/usr/sbin/slurmctld")) continue;
    const std::string release = release_said_by("chroot '" + root + "' /usr/sbin/slurmctld");
    if (!release.empty()) installs.push_back({root, release});
  }
  std::ranges::sort(installs, {}, &SlurmInstall::release);
  return installs;
}

SlurmVerdict run_slurmctld(const std::string& nodes, const std::map<std::string, std::string>& files,
                           const SlurmInstall& install, const std::vector<std::string>& questions) {
  std::map<std::string, std::string> all = files;
  all["slurm.conf"] = slurm_conf(files.contains("nodes.conf") ? "Include nodes.conf\n" : default_records(nodes));
  all.try_emplace("gres.conf", "NodeName=" + nodes + " Name=gpu Type=h100 File=/dev/nvidia[0-7]\n");
  return run(all, install, questions);
}

SlurmVerdict run_slurmctld_as_is(const std::map<std::string, std::string>& files, const SlurmInstall& install) {
  return run(files, install, {});
}

}  // namespace muster::test
