// A check that keeps what an earlier one read finds what one finds that reads everything, whatever was changed.
#include "pipeline/kept_input.h"

#include <algorithm>
#include <filesystem>
#include <random>

#include "lsp/folder_findings.h"
#include "pipeline/gate.h"
#include "support/cases.h"
#include "support/catch.h"
#include "support/fake_disk.h"
#include "support/files.h"

namespace {

namespace fs = std::filesystem;
using namespace muster;
using muster::test::read_file;
using Files = std::map<std::string, std::string>;
using Random = std::mt19937;

Options options_of() {
  Options out;
  out.paths = {"."};
  out.threads = 1;
  return out;
}

using Placed = std::map<std::string, std::vector<PlacedFinding>>;

/// What a check says, and what an editor has of it.
struct Said {
  std::string report;
  Placed placed;
  friend bool operator==(const Said&, const Said&) = default;
};

/// `placed`: what the placer said before.
Said check_with(const Options& options, const Files& files, KeptInput* kept, FindingPlacer& placer, Placed& placed) {
  Workspace workspace;
  const Result<Report> report = gate(options, muster::test::FakeDisk(files), workspace, kept);
  Said out;
  out.report = report ? find_report_format("json")->render(*report, {}) : "error: " + report.error().message;
  const auto read_by = [&](FileId file) { return kept != nullptr ? kept->read_by(file) : std::nullopt; };
  if (report) {
    for (auto& [path, findings] : placer.place(*report, read_by).files) placed[path] = std::move(findings);
  }
  std::erase_if(placed, [](const auto& file) { return file.second.empty(); });
  out.placed = placed;
  if (kept != nullptr) kept->take_back(workspace);
  return out;
}

/// What one check after the other says, the files between them as a test leaves them.
class Session {
 public:
  explicit Session(Files files) : files_(std::move(files)) {}

  /// With what was kept, and without.
  std::pair<Said, Said> both(std::optional<std::set<std::string>> changed) {
    kept_.expect(std::move(changed));
    Said again = check_with(options_, files_, &kept_, placer_, placed_);
    FindingPlacer placer("/w", PositionEncoding::Utf16);
    Placed placed;
    Said fresh = check_with(options_, files_, nullptr, placer, placed);
    return {std::move(again), std::move(fresh)};
  }

  Files& files() { return files_; }
  Options& options() { return options_; }
  std::size_t parsed() const { return kept_.parsed_anew(); }

 private:
  Files files_;
  Options options_ = options_of();
  KeptInput kept_;
  FindingPlacer placer_{"/w", PositionEncoding::Utf16};
  Placed placed_;
};

std::size_t below(Random& random, std::size_t bound) {
  return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
}

/// Some cases of rules, each in a folder of its own or all in one.
Files some_cases(Random& random) {
  static const std::vector<muster::test::Case> kCases = muster::test::cases_in("rules");
  Files out;
  const bool apart = below(random, 2) == 0;
  for (int i = 0; i < 12; ++i) {
    const muster::test::Case& one = kCases[below(random, kCases.size())];
    const std::string folder = apart ? "f" + std::to_string(i) + "/" : "";
    if (!fs::is_directory(one.path)) {
      const std::string ending = fs::path(one.path).extension().string();
      out[folder + (ending == ".conf" ? fs::path(one.path).filename().string() : "a" + std::to_string(i) + ending)] =
          read_file(one.path);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(one.path)) {
      if (entry.is_regular_file())
        out[folder + fs::relative(entry.path(), one.path).generic_string()] = read_file(entry.path().string());
    }
  }
  out.erase("muster.yaml");  // what it says of the cases of one rule does not go for the others
  return out;
}

void edit(std::string& text, Random& random) {
  const std::size_t at = below(random, text.size() + 1);
  switch (below(random, 5)) {
    case 0: text.insert(at, 1, "a1:- \n#{\"=,"[below(random, 11)]); break;
    case 1: text.erase(at, 1 + below(random, 3)); break;
    case 2: text.erase(at, text.find('\n', at) - at); break;
    case 3: text.insert(at, text.substr(below(random, text.size() + 1), 30)); break;
    default: text.insert(0, "\n");
  }
}

}  // namespace

TEST_CASE("a check with what was kept finds what one without it finds", "[pipeline]") {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    Random random(seed);
    Session session(some_cases(random));
    for (int step = 0; step < 25; ++step) {
      INFO("seed " << seed << ", step " << step);
      Files& files = session.files();
      std::optional<std::set<std::string>> changed = std::set<std::string>();
      for (std::size_t i = below(random, 3); i > 0 && !files.empty(); --i) {
        const auto one = std::next(files.begin(), static_cast<std::ptrdiff_t>(below(random, files.size())));
        edit(one->second, random);
        changed->insert(one->first);
      }
      if (below(random, 12) == 0 && files.size() > 3) {
        files.erase(std::next(files.begin(), static_cast<std::ptrdiff_t>(below(random, files.size()))));
        changed.reset();
      }
      const auto [again, fresh] = session.both(changed);
      REQUIRE(again.report == fresh.report);
      REQUIRE(again.placed == fresh.placed);
    }
  }
}

TEST_CASE("only what has another text is parsed again", "[pipeline]") {
  Files files;
  for (int i = 0; i < 10; ++i)
    files["p" + std::to_string(i) + ".yaml"] =
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c, image: i}]}\n";
  Session session(files);
  session.both(std::nullopt);
  CHECK(session.parsed() == 10);
  session.files()["p3.yaml"] += "# more\n";
  session.both(std::set<std::string>{"p3.yaml", "p4.yaml"});
  CHECK(session.parsed() == 1);
  session.files()["p5.yaml"] += "# more\n";
  session.both(std::nullopt);
  CHECK(session.parsed() == 1);
  session.files()["q.yaml"] = "a: b\n";
  const auto [again, fresh] = session.both(std::set<std::string>{"q.yaml"});
  CHECK(session.parsed() == 11);
  CHECK(again == fresh);
}

TEST_CASE("what a workload takes from another file is read again when that changes", "[pipeline]") {
  const std::string all = read_file(muster::test::source_dir() + "/tests/cases/rules/queue-missing/fires-runtime.yaml");
  const std::size_t runtime = all.find("---\n");
  const std::size_t job = all.find("---\n", runtime + 1);
  Session session({{"queue.yaml", all.substr(0, runtime)},
                   {"runtime.yaml", all.substr(runtime, job - runtime)},
                   {"job.yaml", all.substr(job)}});
  CHECK(session.both(std::nullopt).first.report.find("queue-missing") != std::string::npos);
  std::string& text = session.files()["runtime.yaml"];
  text.replace(text.find("lenguage"), 8, "language");
  const auto [again, fresh] = session.both(std::set<std::string>{"runtime.yaml"});
  CHECK(session.parsed() == 1);
  CHECK(again == fresh);
  CHECK(again.report.find("queue-missing") == std::string::npos);
}

TEST_CASE("a muster.yaml that changes is read again, with its rules and kinds", "[pipeline]") {
  Session session(
      {{"job.yaml", read_file(muster::test::source_dir() + "/tests/cases/rules/gang-min-above-size/fires.yaml")}});
  const auto same = [&] {
    const auto [again, fresh] = session.both(std::set<std::string>{"muster.yaml"});
    CHECK(again == fresh);
    return fresh.report;
  };
  const std::string plain = same();
  session.files()["muster.yaml"] = "muster: config/v1\nrules: {severity: {gang-min-above-size: off}}\n";
  const std::string off = same();
  CHECK(off.find("\"rule\": \"gang-min-above-size\"") == std::string::npos);
  CHECK(plain.find("\"rule\": \"gang-min-above-size\"") != std::string::npos);
  session.files()["muster.yaml"] = "muster: config/v1\nwhat: 1\n";
  CHECK(same().starts_with("error: "));
  session.files()["muster.yaml"] = "muster: config/v1\nrules: {severity: {gang-min-above-size: off}}\n";
  CHECK(same() == off);
  session.files()["muster.yaml"] = "muster: config/v1\nexclude: job.yaml\n";
  same();
}

TEST_CASE("a check that is stopped between two stages spoils nothing", "[pipeline]") {
  Random random(7);
  Session session(some_cases(random));
  session.both(std::nullopt);
  for (int stage = 0; stage < 6; ++stage) {
    INFO(stage);
    int left = stage;
    session.options().stopped = [&] { return left-- == 0; };
    const std::string path = session.files().begin()->first;
    session.files()[path] += "\n# " + std::to_string(stage) + "\n";
    const auto [stopped, other] = session.both(std::set<std::string>{path});
    session.options().stopped = nullptr;
    const auto [again, fresh] = session.both(std::set<std::string>{path});
    CHECK(again == fresh);
  }
}
