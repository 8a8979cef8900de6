// Keeps the map in src/layers.txt true: which folder may include which, and how long a file may be.
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "support/catch.h"
#include "support/files.h"

namespace {

namespace fs = std::filesystem;

struct Layer {
  std::set<std::string> may_include;
  std::set<std::string> third_party;
};

std::map<std::string, Layer> read_layers() {
  std::map<std::string, Layer> layers;
  std::ifstream in(muster::test::source_dir() + "/src/layers.txt");
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string name;
    words >> name;
    name.pop_back();  // ':'
    Layer& layer = layers[name];
    layer.may_include.insert(name);
    for (std::string word; words >> word;) {
      const bool bracket = word.front() == '[';
      (bracket ? layer.third_party : layer.may_include).insert(bracket ? word.substr(1, word.size() - 2) : word);
    }
  }
  return layers;
}

/// "syntax/document.h" out of `#include "syntax/document.h"`, or "" for any other line.
std::string included_path(const std::string& line, char open, char close) {
  if (line.rfind("#include ", 0) != 0 || line.size() < 11 || line[9] != open) return "";
  return line.substr(10, line.find(close, 10) - 10);
}

/// Every source file below src/ with its path from there.
std::map<std::string, fs::path> source_files() {
  const fs::path src = fs::path(muster::test::source_dir()) / "src";
  std::map<std::string, fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(src)) {
    if (entry.path().extension() == ".cc" || entry.path().extension() == ".h")
      files[fs::relative(entry.path(), src).generic_string()] = entry.path();
  }
  return files;
}

}  // namespace

TEST_CASE("every include obeys src/layers.txt", "[architecture]") {
  const auto layers = read_layers();
  const std::set<std::string> third_party{"yaml.h", "yaml-cpp", "nlohmann", "CLI", "re2", "ctemplate"};
  REQUIRE(layers.size() > 10);
  for (const auto& [file, path] : source_files()) {
    if (file.find('/') == std::string::npos) continue;  // main.cc
    const std::string folder = file.substr(0, file.find('/'));
    INFO("file " << file);
    REQUIRE(layers.count(folder) == 1);
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
      const std::string ours = included_path(line, '"', '"');
      const std::string theirs = included_path(line, '<', '>');
      INFO("line " << line);
      if (!ours.empty()) CHECK(layers.at(folder).may_include.count(ours.substr(0, ours.find('/'))) == 1);
      const std::string library = theirs.substr(0, theirs.find('/'));
      if (!third_party.count(library)) continue;
      CHECK(layers.at(folder).third_party.count(library) == 1);
      // Heavy headers stay out of headers; the forward declarations of nlohmann are made for them.
      if (path.extension() == ".h") CHECK(theirs == "nlohmann/json_fwd.hpp");
    }
  }
}

TEST_CASE("layers include only what stands above them in the map", "[architecture]") {
  std::ifstream in(muster::test::source_dir() + "/src/layers.txt");
  std::set<std::string> seen;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string name;
    words >> name;
    name.pop_back();
    for (std::string word; words >> word;) {
      if (word.front() != '[') CHECK(seen.count(word) == 1);
    }
    seen.insert(name);
  }
}

TEST_CASE("no source or test file has more than 500 lines", "[architecture]") {
  const fs::path root = muster::test::source_dir();
  for (const char* folder : {"src", "tests", "bench"}) {
    if (!fs::is_directory(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".cc" && extension != ".h") continue;
      std::ifstream in(entry.path());
      int lines = 0;
      for (std::string line; std::getline(in, line);) ++lines;
      INFO("file " << entry.path());
      CHECK(lines <= 500);
    }
  }
}

TEST_CASE("nobody throws, nobody keeps mutable globals of a name", "[architecture]") {
  for (const auto& [file, path] : source_files()) {
    std::ifstream in(path);
    int number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      INFO(file << ":" << number << ": " << line);
      CHECK(line.find("throw ") == std::string::npos);
      CHECK(line.find("shared_ptr") == std::string::npos);
    }
  }
}
