#include "helm/run_helm.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/program.h"
#include "base/strings.h"

namespace muster {
namespace {

constexpr std::size_t kMostOutput = std::size_t{64} << 20;
constexpr unsigned kMostSeconds = 60;  // of the processor

/// A folder for as long as it is needed.
class Folder {
 public:
  Folder() {
    std::error_code error;
    const std::filesystem::path top = std::filesystem::temp_directory_path(error);
    std::string name = (error ? std::filesystem::path("/tmp") : top) / "muster-XXXXXX";
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~Folder() {
    std::error_code error;
    if (!path_.empty()) std::filesystem::remove_all(path_, error);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  bool made() const { return !path_.empty(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

bool write(const std::filesystem::path& path, std::string_view text) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  std::ofstream out(path, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  return !error && out.good();
}

/// The first line that says what is wrong, without the folder, which nobody knows.
std::string complaint(const std::string& said, const std::string& folder) {
  std::string out = "it said nothing";
  for (const std::string_view line : split(said, '\n')) {
    if (trim(line).empty() || line.starts_with("WARNING")) continue;
    out = std::string(trim(line));
    break;
  }
  if (out.starts_with("Error: ")) out.erase(0, 7);
  for (std::size_t at = out.find(folder); at != out.npos; at = out.find(folder)) out.erase(at, folder.size() + 1);
  return out;
}

}  // namespace

Result<std::string> run_helm(const HelmCall& call) {
  const Folder folder;
  const std::filesystem::path chart = folder.path() / "chart";
  bool written = folder.made();
  for (const ChartText& file : call.chart) written = written && write(chart / file.path, file.text);
  if (!written) return Error{Error::Code::Io, "the chart cannot be written into a folder for temporary files"};

  ProgramCall helm{call.program, {"template", "release-name", chart.string()}, {}};
  for (std::size_t i = 0; i < call.values.size(); ++i) {
    const std::filesystem::path values = folder.path() / ("values-" + std::to_string(i) + ".yaml");
    if (!write(values, call.values[i].text)) return Error{Error::Code::Io, "the values cannot be written"};
    helm.arguments.insert(helm.arguments.end(), {"--values", values.string()});
  }
  if (!call.kubernetes.empty()) helm.arguments.insert(helm.arguments.end(), {"--kube-version", call.kubernetes});
  for (const std::string& one : call.api_versions) helm.arguments.insert(helm.arguments.end(), {"--api-versions", one});
  helm.environment = {"HOME=" + (folder.path() / "home").string(), "HELM_NO_PLUGINS=1", "GOMEMLIMIT=1GiB"};
  Result<RunningProgram> program = RunningProgram::start(helm);
  if (!program) return program.error();
  program->limit_processor_time(kMostSeconds);
  program->close_input();
  std::optional<std::string> out = program->read_all(kMostOutput);
  if (!out) return Error{Error::Code::Io, "helm prints more than 64 MiB"};
  const int ended = program->wait();
  if (ended == 0) return std::move(*out);
  if (ended < 0) return Error{Error::Code::Io, "helm takes more than " + count_of(kMostSeconds, "second")};
  return Error{Error::Code::Io, complaint(program->complaints(), chart.string())};
}

}  // namespace muster
