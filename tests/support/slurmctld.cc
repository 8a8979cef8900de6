#include "support/slurmctld.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

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

SlurmVerdict run_slurmctld(const std::string& nodes, const std::map<std::string, std::string>& files, const std::vector<std::string>& questions) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() + "/state");
  fs::create_directories(folder.path() + "/spool");
  write_file(folder.path() + "/slurm.conf", slurm_conf(folder.path(), files.contains("nodes.conf") ? "Include nodes.conf\n" : default_records(nodes), free_port()));
  write_file(folder.path() + "/gres.conf", "NodeName=" + nodes + " Name=gpu Type=h100 File=/dev/nvidia[0-7]\n");
  for (const auto& [name, text] : files) write_file(folder.path() + "/" + name, text);

  const std::string conf = folder.path() + "/slurm.conf";
  const std::string output = folder.path() + "/output";
  const std::string program = *slurmctld_path();
  const pid_t pid = fork();
  if (pid == 0) {
    if (std::freopen(output.c_str(), "w", stdout) == nullptr || std::freopen(output.c_str(), "a", stderr) == nullptr) _exit(127);
    execl(program.c_str(), program.c_str(), "-D", "-f", conf.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  REQUIRE(pid > 0);
  SlurmVerdict verdict;
  const std::string client = "SLURM_CONF='" + conf + "' scontrol ";
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
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
  std::istringstream log(read_file(output) + (fs::exists(folder.path() + "/slurmctld.log") ? read_file(folder.path() + "/slurmctld.log") : ""));
  for (std::string line; std::getline(log, line);) {
    for (const char* word : {"fatal", "error", "warning"}) {
      if (line.find(word) != std::string::npos) {
        verdict.log.push_back(line);
        break;
      }
    }
  }
  return verdict;
}

}  // namespace muster::test
