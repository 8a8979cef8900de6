// Keeps the map in src/layers.txt true, and what CONTRIBUTING promises of files, functions and names.
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

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

std::vector<std::string> lines_of(const fs::path& path) {
  std::vector<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// A variable at the scope of a namespace, or a static one of a function or class, that is not constant.
bool is_mutable_static(const std::string& line) {
  static const std::regex variable(
      R"(^(?:(?:static|inline|thread_local) )*[\w:]+(?:<.*>)?[&*]? \w+(?:\[.*\])?(?:\{.*\}| = .*)?;.*)");
  static const std::regex of_function(R"(^ +(?:static|thread_local) [\w:]+(?:<.*>)?[&*]? \w+(?:\[.*\])?(?:;|\{| =).*)");
  static const std::regex harmless(
      R"(^(?:using|return|typedef|friend|namespace|template|extern|struct|class|enum|goto|(?:(?:static|inline|thread_local) )*(?:const|constexpr))\b.*)");
  static const std::regex harmless_within(R"(^ +(?:static|thread_local) (?:const|constexpr|inline)\b.*)");
  if (std::regex_match(line, of_function)) return !std::regex_match(line, harmless_within);
  return std::regex_match(line, variable) && !std::regex_match(line, harmless);
}

struct Function {
  std::size_t line;
  std::size_t lines;
};

/// Functions of a namespace and of its classes, in code that clang-format wrote: the closing brace stands below the
/// first letter of the head.
std::vector<Function> functions_of(const std::vector<std::string>& lines) {
  static const std::regex other(
      R"(^ *(?:[/#].*|(?:namespace|class|struct|enum|union|extern|case|if|for|while|else|switch|do)\b.*))");
  static const std::regex of_class(R"(^(?:class|struct|union|template.* (?:class|struct)) .*\{)");
  std::vector<Function> out;
  bool in_class = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (std::regex_match(line, of_class)) in_class = true;
    if (line.starts_with("};")) in_class = false;
    if (line.find('(') == line.npos || line.find_first_not_of(' ') != (in_class ? 2U : 0U)) continue;
    if (std::regex_match(line, other)) continue;
    std::size_t end = i;  // of the head, then of the body
    // A head goes on where lines are indented further.
    while (end + 1 < lines.size() && lines[end + 1].find_first_not_of(' ') > (in_class ? 2U : 0U) &&
           std::string("{};").find(lines[end].back()) == std::string::npos && !lines[end + 1].empty())
      ++end;
    if (!lines[end].ends_with(" {") || lines[end].ends_with("= {")) continue;
    while (end < lines.size() && !lines[end].starts_with(std::string(in_class ? 2 : 0, ' ') + "}")) ++end;
    out.push_back({i + 1, end - i + 1});
    i = end;
  }
  return out;
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

TEST_CASE("nobody throws, nobody shares ownership", "[architecture]") {
  for (const auto& [file, path] : source_files()) {
    int number = 0;
    for (const std::string& line : lines_of(path)) {
      ++number;
      INFO(file << ":" << number << ": " << line);
      CHECK(line.find("throw ") == std::string::npos);
      CHECK(line.find("shared_ptr") == std::string::npos);
    }
  }
}

TEST_CASE("nothing of a static lifetime can be changed", "[architecture]") {
  CHECK(is_mutable_static("int counter = 0;"));
  CHECK(is_mutable_static("std::map<std::string, int> seen;"));
  CHECK(is_mutable_static("  static std::string last;"));
  CHECK(is_mutable_static("thread_local Cache cache{};"));
  CHECK_FALSE(is_mutable_static("constexpr int kMost = 3;"));
  CHECK_FALSE(is_mutable_static("  static const std::regex word = make();"));
  CHECK_FALSE(is_mutable_static("using A = B;"));
  CHECK_FALSE(is_mutable_static("  static Version parse(std::string_view text);"));
  for (const auto& [file, path] : source_files()) {
    int number = 0;
    for (const std::string& line : lines_of(path)) {
      ++number;
      INFO(file << ":" << number << ": " << line);
      CHECK_FALSE(is_mutable_static(line));
    }
  }
}

TEST_CASE("no function has more than 60 lines", "[architecture]") {
  const std::vector<std::string> sample{"int f(int a,", "      int b) {", "  if (a) {", "  }", "  return 1;", "}",
                                        "class A {",    "  void g() {",   "    h();",   "  }", "};"};
  const std::vector<Function> found = functions_of(sample);
  REQUIRE(found.size() == 2);
  CHECK(std::pair(found[0].line, found[0].lines) == std::pair<std::size_t, std::size_t>(1, 6));
  CHECK(std::pair(found[1].line, found[1].lines) == std::pair<std::size_t, std::size_t>(8, 3));
  std::size_t functions = 0;
  for (const auto& [file, path] : source_files()) {
    for (const Function& function : functions_of(lines_of(path))) {
      INFO(file << ":" << function.line);
      CHECK(function.lines <= 60);
      ++functions;
    }
  }
  CHECK(functions > 1000);
}

TEST_CASE("no two headers define one name", "[architecture]") {
  const std::regex definition(R"(^(?:struct|class|enum class|enum) (\w+)(?: [^;]*)?\{.*)");
  const std::regex scope(R"(^namespace ([\w:]+) \{)");
  std::map<std::string, std::string> owner;
  for (const auto& [file, path] : source_files()) {
    if (path.extension() != ".h") continue;
    std::string space;
    for (const std::string& line : lines_of(path)) {
      std::smatch match;
      if (std::regex_match(line, match, scope)) space = match[1];
      if (!std::regex_match(line, match, definition)) continue;
      const auto [at, fresh] = owner.try_emplace(space + "::" + match[1].str(), file);
      INFO(at->first << " in " << file << " and " << at->second);
      CHECK(fresh);
    }
  }
  CHECK(owner.size() > 100);
}
