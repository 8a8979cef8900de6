#include "support/slurm_daemon.h"

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
#include "support/free_port.h"

namespace muster::test {
namespace {

namespace fs = std::filesystem;

std::string filled_in(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

pid_t start(const std::string& root, const std::string& outside, const std::string& inside) {
  const std::string output = outside + "/output";
  const std::string program = root.empty() ? *slurmctld_path() : "/usr/sbin/slurmctld";
  const std::string conf = inside + "/slurm.conf";
  std::fflush(nullptr);  // or the child says again what this process has not said yet
  const pid_t pid = fork();
  if (pid != 0) return pid;
  if (std::freopen(output.c_str(), "w", stdout) == nullptr || std::freopen(output.c_str(), "a", stderr) == nullptr)
    _exit(127);
  if (!root.empty() && (chroot(root.c_str()) != 0 || chdir("/") != 0)) _exit(127);
  execl(program.c_str(), program.c_str(), "-D", "-f", conf.c_str(), static_cast<char*>(nullptr));
  _exit(127);
}

}  // namespace

std::string slurm_conf(const std::string& records) {
  return "ClusterName=lab\nSlurmctldHost=localhost\nAuthType=auth/none\nCredType=cred/none\nSlurmUser=root\n"
         "SlurmctldPort=$PORT\nSlurmdPort=$AGENT\nSlurmctldPidFile=$D/slurmctld.pid\n"
         "SlurmctldLogFile=$D/slurmctld.log\nStateSaveLocation=$D/state\nSlurmdSpoolDir=$D/spool\n"
         "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nProctrackType=proctrack/"
         "linuxproc\nTaskPlugin=task/none\n"
         "MpiDefault=none\nSuspendProgram=/bin/true\nResumeProgram=/bin/"
         "true\nSuspendTime=-1\nResumeTimeout=3600\nPrivateData=cloud\n" +
         records;
}

SlurmDaemon::SlurmDaemon(const std::map<std::string, std::string>& files, const SlurmInstall& install)
    : root_(install.root) {
  outside_ = root_ + "/tmp/muster-test-XXXXXX";
  REQUIRE(mkdtemp(outside_.data()) != nullptr);
  inside_ = outside_.substr(root_.size());
  fs::create_directories(outside_ + "/state");
  fs::create_directories(outside_ + "/spool");
  const int port = free_ports(2);
  for (const auto& [name, text] : files) {
    const std::string filled = filled_in(filled_in(text, "$D", inside_), "$AGENT", std::to_string(port + 1));
    write_file(outside_ + "/" + name, filled_in(filled, "$PORT", std::to_string(port)));
  }
  pid_ = start(root_, outside_, inside_);
  REQUIRE(pid_ > 0);
}

SlurmDaemon::~SlurmDaemon() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);  // its state folder goes with the test
    waitpid(pid_, nullptr, 0);
  }
  std::error_code ignored;
  fs::remove_all(outside_, ignored);
}

bool SlurmDaemon::wait_until_up() {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    int status = 0;
    if (pid_ <= 0 || waitpid(pid_, &status, WNOHANG) != 0) {
      pid_ = -1;
      return false;
    }
    for (const std::string& line : ask("scontrol ping")) {
      if (line.find("is UP") != std::string::npos) return true;
    }
  }
  return false;
}

std::vector<std::string> SlurmDaemon::ask(const std::string& command) const {
  const std::string line =
      "SLURM_CONF='" + inside_ + "/slurm.conf' " + (root_.empty() ? "" : "chroot '" + root_ + "' ") + command + " 2>&1";
  std::vector<std::string> lines;
  FILE* pipe = popen(line.c_str(), "r");
  if (pipe == nullptr) return lines;
  std::array<char, 4096> buffer;
  std::string text;
  while (std::fgets(buffer.data(), static_cast<int>(buffer.size()), pipe) != nullptr) text += buffer.data();
  pclose(pipe);
  std::istringstream in(text);
  for (std::string one; std::getline(in, one);) lines.push_back(one);
  return lines;
}

std::vector<std::string> SlurmDaemon::complaints() const {
  const std::string log_file = outside_ + "/slurmctld.log";
  std::istringstream log(read_file(outside_ + "/output") + (fs::exists(log_file) ? read_file(log_file) : ""));
  std::vector<std::string> out;
  for (std::string line; std::getline(log, line);) {
    for (const char* word : {"fatal", "error", "warning"}) {
      if (line.find(word) == std::string::npos) continue;
      out.push_back(line);
      break;
    }
  }
  return out;
}

}  // namespace muster::test
