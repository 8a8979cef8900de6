// Charts as they are rendered here against what Helm 3.19 made of them, byte for byte: those of tests/helm/charts
// against what scripts/helm-expectations wrote down, and those of MUSTER_CHARTS against the program itself.
#include <algorithm>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "base/program.h"
#include "base/strings.h"
#include "helm/helm_ignore.h"
#include "helm/packed_chart.h"
#include "helm/render_chart.h"
#include "helm/run_helm.h"
#include "pipeline/chart_capabilities.h"
#include "support/catch.h"
#include "support/files.h"
#include "support/skip.h"

namespace fs = std::filesystem;
using muster::ChartText;

namespace {

constexpr const char* kRelease = "1.34";

/// A chart as the program reads it.
struct ChartOfTest {
  muster::SourceMap sources;
  std::vector<ChartText> texts;
  std::deque<std::string> kept;

  explicit ChartOfTest(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file() && !entry.is_symlink())
        files[fs::relative(entry.path(), folder).string()] = muster::test::read_file(entry.path());
    }
    for (auto& [path, text] : files) {
      const muster::FileId id = sources.add(path, std::move(text));
      texts.push_back({path, sources.file(id).text(), id});
    }
  }

  muster::helm::RenderedChart render() {
    std::vector<ChartText> all = texts;
    for (const ChartText& file : texts) {
      if (!file.path.ends_with(".tgz")) continue;
      for (muster::helm::PackedFile& packed : muster::helm::unpack_chart(file.text, 32 << 20))
        all.push_back({"charts/" + packed.path, kept.emplace_back(std::move(packed.text))});
    }
    const auto served = [](std::string_view asked) { return muster::is_served(asked, kRelease); };
    return muster::helm::render_chart({all, {}, kRelease, "default", served}, sources);
  }

  /// The same for the program, without dependencies that are not there, which it refuses.
  muster::Result<std::string> run(const std::string& helm, bool without_dependencies) {
    std::vector<ChartText> all = texts;
    std::vector<std::string> versions;
    for (ChartText& file : all) {
      muster::AskedVersions asked = muster::asked_versions(file.text, kRelease);
      std::ranges::move(asked.served, std::back_inserter(versions));
      if (!asked.text.empty()) file.text = kept.emplace_back(std::move(asked.text));
      if (without_dependencies && file.path == "Chart.yaml") {
        static const std::regex kBlock("(^|\n)dependencies:[^\n]*(\n([ #-][^\n]*)?)*");
        file.text = kept.emplace_back(std::regex_replace(std::string(file.text), kBlock, "\n"));
      }
    }
    if (without_dependencies) std::erase_if(all, [](const ChartText& file) { return file.path == "Chart.lock"; });
    return muster::run_helm({helm, all, {}, kRelease, versions});
  }
};

using Documents = std::multiset<std::string>;

/// The documents of a text as Helm parts them (helm/helm:pkg/releaseutil/manifest.go, 3.19), without those that say
/// nothing.
void add_documents(const std::string& source, std::string_view text, Documents& out) {
  const auto add = [&](std::string_view one) {
    std::string kept;
    bool says = false;
    for (const std::string_view line : muster::split(muster::trim(one), '\n')) {
      const std::string_view bare = muster::trim(line);
      says |= !bare.empty() && !bare.starts_with('#');
      kept += std::string(line.substr(0, line.find_last_not_of(" \t\r") + 1)) + "\n";
    }
    if (says) out.insert(source + "\n" + kept);
  };
  text = muster::trim(text);
  if (text.starts_with("---")) text.remove_prefix(3);
  for (std::size_t next = text.find("\n---"); next != text.npos; next = text.find("\n---")) {
    add(text.substr(0, next));
    text.remove_prefix(next + 4);
  }
  add(text);
}

Documents documents_of_output(const std::string& output) {
  const std::string mark = "---\n# Source: ";
  Documents out;
  for (std::size_t at = output.find(mark); at != output.npos;) {
    const std::size_t line = output.find('\n', at + mark.size());
    const std::size_t next = output.find("\n" + mark, line);
    add_documents(output.substr(at + mark.size(), line - at - mark.size()),
                  std::string_view(output).substr(line + 1, next == output.npos ? next : next - line), out);
    at = next == output.npos ? next : next + 1;
  }
  return out;
}

Documents documents_of(const muster::helm::RenderedChart& chart) {
  Documents out;
  for (const muster::helm::RenderedTemplate& one : chart.templates) add_documents(one.name, one.written.text, out);
  return out;
}

/// Keys, certificates, random texts and the time of day are others each time.
bool is_another_each_time(const ChartOfTest& chart) {
  static const std::regex kFunctions(R"(\b(gen[A-Z]\w*|rand[A-Z]\w*|now|date|uuidv4|htpasswd|bcrypt)\b)");
  return std::ranges::any_of(chart.texts, [](const ChartText& file) {
    return file.path.ends_with(".tgz") ||
           (file.text.find("{{") != file.text.npos && std::regex_search(std::string(file.text), kFunctions));
  });
}

std::string first_difference(const Documents& a, const Documents& b) {
  for (const std::string& one : a) {
    if (!b.contains(one)) return one;
  }
  return {};
}

}  // namespace

TEST_CASE("charts are rendered as Helm rendered them", "[helm]") {
  const fs::path folder = fs::path(MUSTER_SOURCE_DIR) / "tests/helm/charts";
  std::size_t charts = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (!entry.is_directory()) continue;
    INFO(entry.path());
    ++charts;
    ChartOfTest chart(entry.path());
    const muster::helm::RenderedChart made = chart.render();
    CHECK(made.trouble.empty());
    const Documents own = documents_of(made);
    const Documents expected = documents_of_output(muster::test::read_file(entry.path().string() + ".yaml"));
    CHECK(expected.size() > 1);
    CHECK(first_difference(expected, own) == first_difference(own, expected));
    CHECK(own.size() == expected.size());
  }
  CHECK(charts > 1);
}

TEST_CASE("charts of others are rendered as Helm renders them", "[.][helm-charts]") {
  const auto helm = muster::find_program("helm");
  if (!helm) return muster::test::skip("helm", "no `helm` in PATH");
  const char* named = std::getenv("MUSTER_CHARTS");
  if (named == nullptr) return muster::test::skip("charts", "MUSTER_CHARTS names no folders, parted by `:`");
  std::set<fs::path> charts;
  for (const std::string_view folder : muster::split(named, ':')) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
      const fs::path chart = entry.path().parent_path();
      if (entry.path().filename() == "Chart.yaml" && chart.parent_path().filename() != "charts") charts.insert(chart);
    }
  }
  std::map<std::string, std::size_t> count;
  for (const fs::path& folder : charts) {
    ChartOfTest chart(folder);
    const muster::helm::RenderedChart own = chart.render();
    const auto theirs = chart.run(*helm, !own.missing.empty());
    INFO(folder);
    INFO("here: " << own.trouble);
    if (!theirs) {
      INFO("Helm: " << theirs.error().message);
      ++count[own.trouble.empty() ? "refused by Helm alone" : "refused by both"];
      continue;
    }
    if (!own.missing.empty() && !own.trouble.empty()) {
      ++count["lacking parts"];
      continue;
    }
    CHECK(own.trouble.empty());
    ++count[is_another_each_time(chart) ? "another each time" : "the same"];
    if (is_another_each_time(chart)) continue;
    const Documents expected = documents_of_output(*theirs);
    const Documents got = documents_of(own);
    CHECK(first_difference(expected, got) == first_difference(got, expected));
  }
  for (const auto& [what, charts_of_it] : count) WARN(what << ": " << charts_of_it);
}
