#include "support/files.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/catch.h"

namespace muster::test {

namespace fs = std::filesystem;

std::string source_dir() { return MUSTER_SOURCE_DIR; }

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  INFO("file " << path);
  REQUIRE(in.good());
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void write_file(const std::string& path, const std::string& text) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::optional<std::string> reference_dir() {
  const char* given = std::getenv("MUSTER_REFERENCE");
  const std::string path = given != nullptr ? given : source_dir() + "/../shared";
  if (!fs::is_directory(path + "/corpus")) return std::nullopt;
  return path;
}

std::vector<std::string> entries(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; ++it)
    names.push_back(it->path().filename().string());
  std::ranges::sort(names);
  return names;
}

bool is_folder(const std::string& path) { return fs::is_directory(path); }

void check_golden(const std::string& path, const std::string& actual) {
  const char* accept = std::getenv("MUSTER_ACCEPT");
  if (accept != nullptr && std::string(accept) == "1") write_file(path, actual);
  INFO("golden file " << path << "; MUSTER_ACCEPT=1 rewrites it");
  CHECK(read_file(path) == actual);
}

TemporaryFolder::TemporaryFolder() {
  static int count = 0;
  path_ = (fs::temp_directory_path() / ("muster-test-" + std::to_string(getpid()) + "-" + std::to_string(count++)))
              .string();
  fs::create_directories(path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  fs::remove_all(path_, error);
}

}  // namespace muster::test
