// The documents are tests: what a console block shows is what muster prints, every YAML block of a rule loads, and no
// link leads nowhere.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/strings.h"
#include "cli/run.h"
#include "finding/rule_info.h"
#include "kinds/knowledge.h"
#include "model/gang.h"
#include "rulebook/rule_book.h"
#include "support/catch.h"
#include "support/files.h"

namespace {

using muster::test::read_file;
using muster::test::source_dir;

constexpr std::string_view kFence = "```";

std::vector<std::string> documents() {
  std::vector<std::string> out{"README.md", "CONTRIBUTING.md"};
  for (const std::string& name : muster::test::entries(source_dir() + "/docs")) {
    if (name.ends_with(".md")) out.push_back("docs/" + name);
  }
  for (const std::string& name : muster::test::entries(source_dir() + "/examples")) {
    const std::string readme = "examples/" + name + "/README.md";
    if (std::filesystem::exists(source_dir() + "/" + readme)) out.push_back(readme);
  }
  return out;
}

/// A fenced block: its language, first line in the file (from 0) and lines.
struct Fenced {
  std::string language;
  std::size_t first = 0;
  std::vector<std::string> lines;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

std::vector<Fenced> blocks_of(const std::vector<std::string>& lines) {
  std::vector<Fenced> out;
  bool inside = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].starts_with(kFence)) {
      if (inside) out.back().lines.push_back(lines[i]);
      continue;
    }
    if (!inside) out.push_back({lines[i].substr(kFence.size()), i + 1, {}});
    inside = !inside;
  }
  return out;
}

/// What `./scripts/muster ARGS` prints, from the root of the repository.
std::vector<std::string> run_muster(const std::string& command) {
  std::vector<std::string> arguments;
  for (const std::string_view word : muster::split_blanks(command)) arguments.emplace_back(word);
  REQUIRE(arguments.front() == "./scripts/muster");
  arguments.erase(arguments.begin());
  std::ostringstream out;
  std::ostringstream err;
  const muster::DiskFileSystem disk;
  muster::Console console{out, err, disk};
  muster::run(arguments, console);
  std::vector<std::string> lines = lines_of(out.str());
  while (!lines.empty() && lines.back().empty()) lines.pop_back();  // a block does not end in blank lines
  return lines;
}

/// A line of three dots stands for any number of lines.
bool shows(const std::vector<std::string>& shown, const std::vector<std::string>& actual) {
  std::size_t at = 0;
  bool skipping = false;
  for (const std::string& line : shown) {
    if (line == "...") {
      skipping = true;
      continue;
    }
    while (skipping && at < actual.size() && actual[at] != line) ++at;
    skipping = false;
    if (at >= actual.size() || actual[at] != line) return false;
    ++at;
  }
  return skipping || at == actual.size();
}

}  // namespace

TEST_CASE("the documents show what muster prints", "[docs]") {
  std::size_t commands = 0;
  for (const std::string& path : documents()) {
    const std::string full = source_dir() + "/" + path;
    std::vector<std::string> lines = lines_of(read_file(full));
    std::vector<Fenced> blocks = blocks_of(lines);
    bool changed = false;
    for (std::size_t b = blocks.size(); b-- > 0;) {  // from the end, so that places before it stay right
      const Fenced& block = blocks[b];
      if (block.language != "console") continue;
      INFO(path << ":" << block.first);
      REQUIRE_FALSE(block.lines.empty());
      REQUIRE(block.lines.front().starts_with("$ "));
      ++commands;
      const std::vector<std::string> actual = run_muster(block.lines.front().substr(2));
      const std::vector<std::string> shown(block.lines.begin() + 1, block.lines.end());
      if (shows(shown, actual)) continue;
      if (std::getenv("MUSTER_ACCEPT") != nullptr && std::ranges::find(shown, "...") == shown.end()) {
        const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(block.first) + 1;
        const auto at = lines.erase(begin, begin + static_cast<std::ptrdiff_t>(shown.size()));
        lines.insert(at, actual.begin(), actual.end());
        changed = true;
        continue;
      }
      CHECK(shown == actual);
    }
    if (changed) muster::test::write_file(full, muster::join(lines, "\n") + "\n");
  }
  CHECK(commands >= 4);
}

TEST_CASE("docs/rules.md is what muster rules docs prints", "[docs]") {
  std::ostringstream out;
  std::ostringstream err;
  const muster::DiskFileSystem disk;
  muster::Console console{out, err, disk};
  REQUIRE(muster::run({"rules", "docs"}, console) == 0);
  muster::test::check_golden(source_dir() + "/docs/rules.md", out.str());
}

TEST_CASE("the tables of docs/gangs.md are those of the rows", "[docs]") {
  std::ostringstream out;
  std::ostringstream err;
  const muster::DiskFileSystem disk;
  muster::Console console{out, err, disk};
  REQUIRE(muster::run({"rules", "docs", "gangs"}, console) == 0);
  constexpr std::string_view kEnd = "<!-- end -->\n";
  const std::string path = source_dir() + "/docs/gangs.md";
  std::string document = read_file(path);
  std::size_t sections = 0;
  for (std::string rest = out.str(); !rest.empty(); ++sections) {
    const std::string section = rest.substr(0, rest.find(kEnd) + kEnd.size());
    rest.erase(0, section.size());
    const std::size_t begin = document.find(section.substr(0, section.find('\n')));
    REQUIRE(begin != std::string::npos);
    const std::size_t end = document.find(kEnd, begin) + kEnd.size();
    if (std::getenv("MUSTER_ACCEPT") != nullptr) document.replace(begin, end - begin, section);
    CHECK(document.find(section) == begin);
  }
  CHECK(sections == 3);
  if (std::getenv("MUSTER_ACCEPT") != nullptr) muster::test::write_file(path, document);
}

TEST_CASE("the snippets about kinds and schedulers of one's own are accepted", "[docs][own-kinds]") {
  std::size_t snippets = 0;
  for (const Fenced& block : blocks_of(lines_of(read_file(source_dir() + "/docs/configuration.md")))) {
    if (block.lines.empty() || !block.lines.front().starts_with("id: ")) continue;
    std::string text;
    for (const std::string& line : block.lines) text += line + "\n";
    muster::KnowledgeSource source;
    source.what = text.find("\nkind: ") == std::string::npos ? muster::KnowledgeSource::What::Scheduler
                                                             : muster::KnowledgeSource::What::Kind;
    source.path = "docs/configuration.md";
    source.text = text;
    std::vector<muster::BookProblem> problems;
    const bool accepted = muster::Knowledge::load({source}, problems) != nullptr;
    INFO(text << (problems.empty() ? "" : problems.front().message));
    CHECK(accepted);
    ++snippets;
  }
  CHECK(snippets == 2);
}

TEST_CASE("the rule of CONTRIBUTING loads", "[docs]") {
  std::size_t rules = 0;
  for (const Fenced& block : blocks_of(lines_of(read_file(source_dir() + "/CONTRIBUTING.md")))) {
    if (block.lines.empty() || !block.lines.front().starts_with("id: ")) continue;
    std::string text;
    for (const std::string& line : block.lines) text += line + "\n";
    const std::string id = block.lines.front().substr(4);
    const muster::Result<muster::RuleBook> book = muster::RuleBook::load({{"rules/gang/" + id + ".yaml", text}}, {});
    INFO((book ? std::string() : book.error().message));
    CHECK(book);
    ++rules;
  }
  CHECK(rules == 1);
}

TEST_CASE("the glossary has every word of the reports", "[docs]") {
  const std::string glossary = read_file(source_dir() + "/docs/glossary.md");
  const auto has_all = [&](auto example) {
    for (const std::string_view word : muster::names_of<decltype(example)>()) {
      INFO(word);
      // As a word: `in` stands in every other one.
      const auto is_letter = [&](std::size_t at) {
        return at < glossary.size() && (std::isalnum(static_cast<unsigned char>(glossary[at])) || glossary[at] == '-');
      };
      bool found = false;
      for (std::size_t at = glossary.find(word); at != std::string::npos && !found; at = glossary.find(word, at + 1))
        found = !(at > 0 && is_letter(at - 1)) && !is_letter(at + word.size());
      CHECK(found);
    }
  };
  has_all(muster::Effect{});
  has_all(muster::Mechanism{});
  has_all(muster::Path{});
  has_all(muster::Reversibility{});
}

TEST_CASE("no link of the documents leads nowhere", "[docs]") {
  for (const std::string& path : documents()) {
    const std::string text = read_file(source_dir() + "/" + path);
    const std::string folder = path.find('/') == std::string::npos ? "" : path.substr(0, path.rfind('/') + 1);
    for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
      std::string target = text.substr(at + 2, text.find(')', at) - at - 2);
      if (target.starts_with("http")) continue;
      target = target.substr(0, target.find('#'));
      INFO(path << ": " << target);
      CHECK(std::filesystem::exists(source_dir() + "/" + folder + target));
    }
  }
}
