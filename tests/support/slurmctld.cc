#include "support/slurmctld.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <thread>

#include "support/catch.h"
#include "support/files.h"

namespace muster::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> lines_of(const std::string& command) {
  std::vector<std::string> lines;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return lines;
  std::array<char, 4096> buffer;
  std::string text;
  while (std::fgets(buffer.data(), static_cast<int>(buffer.size()), pipe) != nullptr) text += buffer.data();
  pclose(pipe);
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// A port nobody listens on; two test runs beside each other get different ones.
int free_port() {
  static int next = 17000 + getpid() % 2000 * 4;
  return next += 2;
}

std::string slurm_conf(const std::string& folder, const std::string& records, int port) {
  std::ostringstream out;
  out << "ClusterName=lab\nSlurmctldHost=localhost\nAuthType=auth/none\nCredType=cred/none\nSlurmUser=root\n"
      << "SlurmctldPort=" << port << "\nSlurmdPort=" << port + 1 << "\nSlurmctldPidFile=" << folder << "/slurmctld.pid\n"
      << "SlurmctldLogFile=" << folder << "/slurmctld.log\nStateSaveLocation=" << folder << "/state\nSlurmdSpoolDir=" << folder << "/spool\n"
      << "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n"
      << "MpiDefault=none\nSuspendProgram=/bin/true\nResumeProgram=/bin/true\nSuspendTime=-1\nResumeTimeout=3600\nPrivateData=cloud\n"
      << records;
  return out.str();
}

std::string default_records(const std::string& nodes) {
  // CLOUD nodes: names that nothing resolves and no slurmd are then no reason to wait.
  return "GresTypes=gpu\nTopologyPlugin=topology/tree\nNodeName=" + nodes +
         " CPUs=96 Boards=1 SocketsPerBoard=2 CoresPerSocket=48 ThreadsPerCore=1 RealMemory=2000000 Gres=gpu:h100:8 State=CLOUD\n"
         "PartitionName=gpu Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n";
}

}  // namespace

std::optional<std::string> slurmctld_path() {
  for (const char* path : {"/usr/sbin/slurmctld", "/usr/local/sbin/slurmctld"}) {
    if (fs::exists(path) && geteuid() == 0) return path;
  }
  return std::nullopt;
}

std::vector<SlurmInstall> slurm_chroots() {
  std::vector<SlurmInstall> installs;
  const char* folder = std::getenv("MUSTER_SLURM_CHROOTS");
  if (folder == nullptr || geteuid() != 0) return installs;
  for (const std::string& name : entries(folder)) {
    const std::string root = fs::absolute(std::string(folder) + "/" + name).string();
    if (!fs::exists(root + "/usr/sbin/slurmctld")) continue;
    const std::vector<std::string> said = lines_of("chroot '" + root + "' /usr/sbin/slurmctld -V 2>&1");
    // slurm-wlm 24.11.5
    if (!said.empty() && said.front().starts_with("slurm")) installs.push_back({root, said.front().substr(said.front().rfind(' ') + 1)});
  }
  std::ranges::sort(installs, {}, &SlurmInstall::release);
  return installs;
}

namespace {

/// A folder that slurmctld sees: within its chroot, if it has one.
class Workplace {
 public:
  explicit Workplace(const SlurmInstall& install) : root_(install.root) {
    std::string pattern = root_ + "/tmp/muster-test-XXXXXX";
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    outside_ = pattern;
    fs::create_directories(outside_ + "/state");
    fs::create_directories(outside_ + "/spool");
  }
  ~Workplace() {
    std::error_code ignored;
    fs::remove_all(outside_, ignored);
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  const std::string& outside() const { return outside_; }
  std::string inside() const { return outside_.substr(root_.size()); }

 private:
  std::string root_;
  std::string outside_;
};

pid_t start(const Workplace& place, const std::string& root) {
  const std::string output = place.outside() + "/output";
  const std::string program = root.empty() ? *slurmctld_path() : "/usr/sbin/slurmctld";
  const std::string conf = place.inside() + "/slurm.conf";
  std::fflush(nullptr);  // or the child says again what this process has not said yet
  const pid_t pid = fork();
  if (pid != 0) return pid;
  if (std::freopen(output.c_str(), "w", stdout) == nullptr || std::freopen(output.c_str(), "a", stderr) == nullptr) _exit(127);
  if (!root.empty() && (chroot(root.c_str()) != 0 || chdir("/") != 0)) _exit(127);
  execl(program.c_str(), program.c_str(), "-D", "-f", conf.c_str(), static_cast<char*>(nullptr));
  _exit(127);
}

SlurmVerdict run_in(const Workplace& place, const std::string& root, const std::vector<std::string>& questions) {
  const pid_t pid = start(place, root);
  REQUIRE(pid > 0);
  SlurmVerdict verdict;
  const std::string client = "SLURM_CONF='" + place.inside() + "/slurm.conf' " + (root.empty() ? "" : "chroot '" + root + "' ") + "scontrol ";
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  bool running = true;
  while (running && !verdict.up && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    int status = 0;
    running = waitpid(pid, &status, WNOHANG) == 0;
    if (!running) break;
    for (const std::string& line : lines_of(client + "ping 2>&1")) verdict.up = verdict.up || line.find("is UP") != std::string::npos;
  }
  if (verdict.up) verdict.topology = lines_of(client + "show topology 2>&1");
  for (const std::string& question : questions) {
    std::string answer;
    if (verdict.up) {
      for (const std::string& line : lines_of(client + question + " 2>&1")) answer += line + "\n";
    }
    verdict.answers.push_back(std::move(answer));
  }
  if (running) {
    kill(pid, SIGKILL);  // its state folder goes with the test
    waitpid(pid, nullptr, 0);
  }
  const std::string log_file = place.outside() + "/slurmctld.log";
  std::istringstream log(read_file(place.outside() + "/output") + (fs::exists(log_file) ? read_file(log_file) : ""));
  for (std::string line; std::getline(log, line);) {
    for (const char* word : {"fatal", "error", "warning"}) {
      if (line.find(word) == std::string::npos) continue;
      verdict.log.push_back(line);
      break;
    }
  }
  return verdict;
}

std::string filled_in(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
  return text;
}

}  // namespace

SlurmVerdict run_slurmctld(const std::string& nodes, const std::map<std::string, std::string>& files, const SlurmInstall& install,
                           const std::vector<std::string>& questions) {
  const Workplace place(install);
  const std::string records = files.contains("nodes.conf") ? "Include nodes.conf\n" : default_records(nodes);
  write_file(place.outside() + "/slurm.conf", slurm_conf(place.inside(), records, free_port()));
  write_file(place.outside() + "/gres.conf", "NodeName=" + nodes + " Name=gpu Type=h100 File=/dev/nvidia[0-7]\n");
  for (const auto& [name, text] : files) write_file(place.outside() + "/" + name, text);
  return run_in(place, install.root, questions);
}

SlurmVerdict run_slurmctld_as_is(const std::map<std::string, std::string>& files, const SlurmInstall& install) {
  const Workplace place(install);
  const std::string port = std::to_string(free_port());
  for (const auto& [name, text] : files) write_file(place.outside() + "/" + name, filled_in(filled_in(text, "$D", place.inside()), "$PORT", port));
  return run_in(place, install.root, {});
}

}  // namespace muster::test
