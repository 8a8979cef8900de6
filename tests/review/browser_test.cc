// The page in a browser: no message on its console, nothing wider than the window, and, where axe-core is at hand, what
// it says of contrast and of names for screen readers.
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/strings.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/files.h"
#include "support/skip.h"

namespace {

using muster::contains;

std::string output_of(const std::string& command) {
  std::string out;
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  char buffer[4096];
  for (std::size_t n = 0; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) out.append(buffer, n);
  pclose(pipe);
  return out;
}

bool has_chromium() { return std::system("chromium --version >/dev/null 2>&1") == 0; }  // NOLINT

/// What the browser has after loading: its document, and the messages of its console before it.
std::string load(const std::string& file, int width, const std::string& scheme) {
  return output_of(
      "chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking "
      "--enable-logging=stderr --v=0 --virtual-time-budget=20000 --blink-settings=preferredColorScheme=" +
      scheme + " --window-size=" + std::to_string(width) + ",900 --dump-dom file://" + file + " 2>&1");
}

/// The page with a script at its end, which the page's own policy would refuse.
std::string with_script(std::string html, const std::string& script) {
  const std::size_t policy = html.find("<meta http-equiv=\"Content-Security-Policy\"");
  REQUIRE(policy != std::string::npos);
  html.erase(policy, html.find('>', policy) + 1 - policy);
  return muster::replace_all(html, "</body>", "<script>" + script + "</script></body>");
}

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t at = text.find(begin);
  REQUIRE(at != std::string::npos);
  return text.substr(at + begin.size(), text.find(end, at) - at - begin.size());
}

const std::string kMeasure =
    "parent.postMessage(document.documentElement.scrollWidth + ' of ' + window.innerWidth, '*');";

/// Windows of a headless browser are no narrower than 500 pixels; a frame is as narrow as one likes.
std::string measured(const std::string& folder, int width) {
  muster::test::write_file(
      folder + "/frame.html",
      "<!doctype html><title>none</title><script>onmessage = e => { document.title = 'measured ' + "
      "e.data; };</script><iframe src=\"measured.html\" style=\"border:0;height:60000px;width:" +
          std::to_string(width) + "px\"></iframe>");
  return between(load(folder + "/frame.html", 1600, "1"), "<title>", "</title>");
}

const std::string kAxe =
    "axe.run(document, {resultTypes: ['violations']}).then(r => { document.title = 'axe ' + r.passes.length + ' ' + "
    "JSON.stringify(r.violations.map(v => [v.id, v.nodes.length, v.nodes[0].html])); });";

/// A repository whose names are long and full of marks, and the example.
const std::vector<std::string>& pages() {
  static const auto known = std::make_unique<const std::vector<std::string>>(
      std::vector{muster::test::run_command({"review", "examples/research-cluster", "--format", "html"}).out,
                  muster::test::run_command({"review", "tests/review/cases/long-names", "--format", "html"}).out});
  return *known;
}

}  // namespace

TEST_CASE("the page fits its window, and its console stays empty", "[review][browser]") {
  if (!has_chromium()) return muster::test::skip("chromium", "chromium is not installed");
  const muster::test::TemporaryFolder folder;
  for (const std::string& html : pages()) {
    REQUIRE(html.size() > 5000);
    muster::test::write_file(folder.path() + "/page.html", html);
    const std::string plain = load(folder.path() + "/page.html", 800, "1");
    CHECK(contains(plain, "<h1>"));
    CHECK_FALSE(contains(plain, "CONSOLE"));
    muster::test::write_file(folder.path() + "/measured.html", with_script(html, kMeasure));
    for (const int width : {380, 800, 1400}) {
      const std::string title = measured(folder.path(), width);
      INFO(title);
      CHECK(title == "measured " + std::to_string(width) + " of " + std::to_string(width));
    }
  }
  // A page that is wider, or that fetches something, does not pass.
  muster::test::write_file(
      folder.path() + "/measured.html",
      with_script(muster::replace_all(pages().front(), "<main", "<div style=\"width:900px\">x</div><main"), kMeasure));
  CHECK(measured(folder.path(), 380).starts_with("measured 9"));
  muster::test::write_file(
      folder.path() + "/fetches.html",
      muster::replace_all(pages().front(), "<main", "<img src=\"https://example.invalid/x.png\"><main"));
  CHECK(contains(load(folder.path() + "/fetches.html", 800, "1"), "CONSOLE"));
}

TEST_CASE("page one is one printed page", "[review][browser]") {
  if (!has_chromium()) return muster::test::skip("chromium", "chromium is not installed");
  if (std::system("pdftotext -v >/dev/null 2>&1") != 0)  // NOLINT
    return muster::test::skip("pdftotext", "poppler-utils is not installed");
  const muster::test::TemporaryFolder folder;
  for (const std::string name : {"research-cluster", "platform-for-six-teams", "frontier-lab-gb200"}) {
    INFO(name);
    muster::test::write_file(folder.path() + "/page.html",
                             muster::test::run_command({"review", "examples/" + name, "--format", "html"}).out);
    output_of("chromium --headless --no-sandbox --disable-gpu --no-pdf-header-footer --print-to-pdf=" + folder.path() +
              "/page.pdf file://" + folder.path() + "/page.html 2>&1");
    CHECK(contains(output_of("pdftotext -l 1 " + folder.path() + "/page.pdf -"), "Open questions, and who can answer"));
    CHECK(output_of("pdftotext -f 2 -l 2 " + folder.path() + "/page.pdf -").starts_with("Decisions\n"));
  }
}

TEST_CASE("axe-core finds nothing wrong with the page, light or dark", "[review][browser]") {
  if (!has_chromium()) return muster::test::skip("chromium", "chromium is not installed");
  const std::string axe = muster::test::source_dir() + "/build/judges/axe/package/axe.min.js";
  if (!std::filesystem::exists(axe)) return muster::test::skip("axe-core", "scripts/test fetches it with npm");
  const std::string script = muster::test::read_file(axe);
  const muster::test::TemporaryFolder folder;
  for (const std::string& html : pages()) {
    muster::test::write_file(folder.path() + "/axe.html", with_script(html, script + "\n" + kAxe));
    for (const char* scheme : {"0", "1"}) {
      for (const int width : {380, 1400}) {
        const std::string title = between(load(folder.path() + "/axe.html", width, scheme), "<title>", "</title>");
        INFO(title);
        CHECK(title.starts_with("axe "));
        CHECK(title.ends_with(" []"));
      }
    }
  }
}
