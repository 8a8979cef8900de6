// Shards of a folder of repositories and their merge, held against one run over all and against each alone.
#include "pipeline/shards.h"

#include <filesystem>
#include <map>
#include <set>

#include "base/strings.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/files.h"
#include "support/json.h"
#include "support/skip.h"

using namespace muster;
using Json = nlohmann::json;

namespace {

namespace fs = std::filesystem;

/// A folder with a copy of each folder of examples/ as a repository of its own.
void copy_examples(const std::string& into) {
  for (const std::string& name : test::entries(test::source_dir() + "/examples")) {
    const std::string from = test::source_dir() + "/examples/" + name;
    if (!test::is_folder(from)) continue;
    fs::copy(from, into + "/" + name, fs::copy_options::recursive);
    fs::create_directories(into + "/" + name + "/.git");
  }
}

test::Ran check_json(const std::vector<std::string>& words, const std::string& out) {
  std::vector<std::string> all{"check", "--fail-on", "never", "--format", "json=" + out};
  all.insert(all.end(), words.begin(), words.end());
  return test::run_command(all);
}

/// Checks a folder in so many shards and merges them in a format; `extra` goes to each check.
std::string merged(const std::string& folder, std::size_t shards, const std::string& format,
                   const test::TemporaryFolder& work) {
  std::vector<std::string> words{"merge", "--fail-on", "never", "--format", format};
  for (std::size_t i = shards; i > 0; --i) {  // in any order
    const std::string out = work.path() + "/" + std::to_string(shards) + "-" + std::to_string(i) + ".json";
    const test::Ran ran = check_json({"--shard", std::to_string(i) + "/" + std::to_string(shards), folder}, out);
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    words.push_back(out);
  }
  const test::Ran ran = test::run_command(words);
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  return ran.out;
}

Json one_run(const std::string& folder, const test::TemporaryFolder& work) {
  const std::string out = work.path() + "/one.json";
  REQUIRE(check_json({folder}, out).code == 0);
  return Json::parse(test::read_file(out));
}

/// What every repository says alone, by folder: sums of its counts, and its findings by place.
struct Alone {
  std::map<std::string, std::int64_t> counts;
  std::multiset<std::string> findings;
  std::multiset<std::string> undecided;
};

std::string words_of_finding(const Json& one) {
  return one["location"].dump() + one["rule"].dump() + one["message"].dump() + one["fix"].dump() + one["trace"].dump();
}

void add_alone(const Json& result, Alone& out) {
  for (const auto& [name, count] : result["summary"].items()) out.counts[name] += count.get<std::int64_t>();
  for (const std::string name : {"read", "templates", "too_large", "ignored", "foreign", "rendered", "quoted"})
    out.counts["coverage " + name] += result["coverage"][name].get<std::int64_t>();
  for (const Json& one : result["findings"]) out.findings.insert(words_of_finding(one));
  for (const Json& one : result["undecided"])
    out.undecided.insert(one["location"].dump() + one["rule"].dump() + one["object"].dump());
}

void check_merge_against_alone(const std::string& fleet, const test::TemporaryFolder& work) {
  Alone expected;
  for (const std::string& name : test::entries(fleet)) add_alone(one_run(fleet + "/" + name, work), expected);
  Alone found;
  add_alone(Json::parse(merged(fleet, 3, "json", work)), found);
  CHECK(found.counts == expected.counts);
  CHECK(found.findings == expected.findings);
  CHECK(found.undecided == expected.undecided);
}

std::string no_shard(Json result) {
  result.erase("shard");
  result["coverage"].erase("files");
  return result.dump(1);
}

}  // namespace

TEST_CASE("the merge of shards is one run over all repositories", "[shards]") {
  const test::TemporaryFolder fleet;
  const test::TemporaryFolder work;
  copy_examples(fleet.path());
  const std::string together = merged(fleet.path(), 1, "json", work);
  const Json result = Json::parse(together);
  CHECK(result["summary"]["errors"].get<int>() > 5);
  CHECK(result["shard"]["all"] == test::entries(fleet.path()).size());
  for (const std::size_t shards : {2u, 3u, 50u}) {
    INFO(shards);
    CHECK(merged(fleet.path(), shards, "json", work) == together);
  }
  check_merge_against_alone(fleet.path(), work);
}

TEST_CASE("shards of one repository are one run over it, byte by byte", "[shards]") {
  const test::TemporaryFolder work;
  for (const std::string name : {"training-repo", "kubernetes", "research-cluster"}) {
    const std::string folder = test::source_dir() + "/examples/" + name;
    INFO(name);
    CHECK(no_shard(Json::parse(merged(folder, 2, "json", work))) == no_shard(one_run(folder, work)));
  }
}

TEST_CASE("the merge of shards over the corpus is what each of its folders says alone", "[shards][reference]") {
  const std::optional<std::string> reference = test::reference_dir();
  if (!reference || !fs::exists(*reference + "/corpus")) return test::skip("reference material", "there is no corpus");
  const test::TemporaryFolder fleet;
  const test::TemporaryFolder work;
  for (const std::string& name : test::entries(*reference + "/corpus")) {
    if (!test::is_folder(*reference + "/corpus/" + name)) continue;
    fs::copy(*reference + "/corpus/" + name, fleet.path() + "/" + name, fs::copy_options::recursive);
    fs::create_directories(fleet.path() + "/" + name + "/.git");
  }
  check_merge_against_alone(fleet.path(), work);
}

TEST_CASE("each repository is in one shard, whole, and what lies outside of all is one, too", "[shards]") {
  const test::TemporaryFolder fleet;
  const auto write = [&](const std::string& path) { test::write_file(fleet.path() + "/" + path, "a: 1\n"); };
  write("a/.git/config");
  write("a/x.yaml");
  write("a/modules/sub/.git/config");  // a submodule is of its repository
  write("team/b/muster.yaml");
  write("team/loose.yaml");
  write("top.yaml");
  std::vector<std::string> found;
  for (const Repository& one : find_repositories({fleet.path()}, DiskFileSystem{})) {
    found.push_back(one.path.substr(fleet.path().size()));
    CHECK(one.among.apart.size() == (found.back().empty() ? 2 : 0));
  }
  CHECK(found == std::vector<std::string>{"", "/a", "/team/b"});
  CHECK(find_repositories({fleet.path() + "/a/modules", fleet.path() + "/a"}, DiskFileSystem{}).size() == 1);
}

TEST_CASE("a shard says which it was, and none of its files is another's", "[shards]") {
  const test::TemporaryFolder fleet;
  const test::TemporaryFolder work;
  copy_examples(fleet.path());
  const test::Ran text = test::run_command({"check", "--shard", "2/3", "--fail-on", "never", fleet.path()});
  CHECK(contains(text.out, "; shard 2 of 3: "));
  CHECK(contains(text.out, " of " + std::to_string(test::entries(fleet.path()).size()) + " repositories\n"));
  const test::Ran zero = test::run_command({"check", "--shard", "1+1/3", "--fail-on", "never", fleet.path()});
  CHECK(zero.out == text.out);
  for (const std::string bad : {"0/3", "4/3", "3", "a/b", "1/0", "-1/3", "1/10001", "3+1/3"})
    CHECK(test::run_command({"check", "--shard=" + bad, fleet.path()}).code == 2);
  for (const std::string other : {"--fix", "--since=HEAD", "--baseline=x", "--fail-on-nothing"})
    CHECK(test::run_command({"check", "--shard", "1/2", other, fleet.path()}).code == 2);
}

TEST_CASE("merge says which shard is missing, doubled or of another run", "[shards]") {
  const test::TemporaryFolder fleet;
  const test::TemporaryFolder work;
  copy_examples(fleet.path());
  const auto shard = [&](const std::string& which, const std::string& name) {
    const std::string out = work.path() + "/" + name;
    REQUIRE(check_json({"--shard", which, fleet.path()}, out).code == 0);
    return out;
  };
  const std::string one = shard("1/3", "one.json");
  const std::string two = shard("2/3", "two.json");
  const std::string half = shard("2/2", "half.json");
  const std::string all = work.path() + "/all.json";
  REQUIRE(check_json({fleet.path()}, all).code == 0);
  const auto said = [](const std::vector<std::string>& results) {
    std::vector<std::string> words{"merge"};
    words.insert(words.end(), results.begin(), results.end());
    const test::Ran ran = test::run_command(words);
    CHECK(ran.code == 2);
    return ran.err;
  };
  CHECK(contains(said({one, two}), "shard 3 of 3 is missing: run `muster check --shard 3/3`"));
  CHECK(contains(said({one, two, one}), "are both shard 1 of 3: name each shard once"));
  CHECK(contains(said({one, half}), "merge the results of one run"));
  CHECK(contains(said({one, two, all}), "some of these results are of --shard and some are not"));
  CHECK(contains(said({all, all}), "both look at"));
  CHECK(contains(said({work.path() + "/none.json"}), "no such file"));
  fs::create_directories(fleet.path() + "/new/.git");
  test::write_file(fleet.path() + "/new/x.yaml", "a: 1\n");
  CHECK(contains(said({one, two, shard("3/3", "three.json")}), "are shards of different repositories"));
}

TEST_CASE("a repository that cannot be checked is named, and the others are checked", "[shards]") {
  const test::TemporaryFolder fleet;
  const test::TemporaryFolder work;
  test::write_file(fleet.path() + "/bad/muster.yaml", "no such key: 1\n");
  test::write_file(fleet.path() + "/empty/.git/config", "");
  test::write_file(fleet.path() + "/good/.git/config", "");
  test::write_file(fleet.path() + "/good/job.sbatch", "#!/bin/sh\nset -e\n#SBATCH --nodes=2\n");
  const std::string out = work.path() + "/all.json";
  const test::Ran ran = check_json({"--shard", "1/1", fleet.path()}, out);
  CHECK(ran.code == 2);
  CHECK(contains(ran.err, "/bad` is not checked: "));
  const Json result = Json::parse(test::read_file(out));
  CHECK(result["shard"]["failed"].size() == 1);
  CHECK(result["summary"]["errors"] == 1);
  const test::Ran again = test::run_command({"merge", out});
  CHECK(again.code == 2);
  CHECK(contains(again.out, "1 error in 1 artifact"));
  CHECK(contains(again.out, "3 repositories, 1 of them not checked"));
}

TEST_CASE("a merge has every format, and text without lines that results do not hold", "[shards]") {
  const test::TemporaryFolder work;
  const std::string folder = test::source_dir() + "/examples/training-repo";
  const std::string text = merged(folder, 2, "text", work);
  CHECK(contains(text, "pretrain.sbatch:7:1: sbatch stops reading here\n    = effect: ignored\n"));
  CHECK(contains(text, "3 errors, 3 warnings in 10 artifacts (2 files skipped); 1 repository\n"));
  for (const std::string format : {"sarif", "gitlab", "junit", "checkstyle", "rdjson", "github", "markdown"}) {
    INFO(format);
    const std::string once = test::run_command({"check", "--fail-on", "never", "--format", format, folder}).out;
    const std::string joined = merged(folder, 2, format, work);
    CHECK(replace_all(joined, "; 1 repository", "") == once);
  }
}

TEST_CASE("what is no result is refused, whatever it holds", "[shards]") {
  const test::TemporaryFolder work;
  const std::string folder = test::source_dir() + "/examples/training-repo";
  const std::string good_path = work.path() + "/good.json";
  REQUIRE(check_json({folder}, good_path).code == 0);
  const Json good = Json::parse(test::read_file(good_path));
  const auto refused = [&](const Json& result) {
    test::write_file(work.path() + "/bad.json", result.dump());
    const test::Ran ran = test::run_command({"merge", work.path() + "/bad.json"});
    CHECK(ran.code == 2);
    return ran.err;
  };
  CHECK(contains(refused(Json::array()), "is no result"));
  CHECK(contains(refused({{"version", "muster.check/v2"}}), "is no result"));
  for (const std::string key : {"findings", "undecided", "coverage", "summary"}) {
    Json result = good;
    result.erase(key);
    CHECK(contains(refused(result), "is missing"));
  }
  for (const Json& line : {Json(0), Json(-1), Json("x"), Json(4'000'000'000), Json(33'554'432.5)}) {
    Json result = good;
    result["findings"][0]["location"]["line"] = line;
    CHECK(contains(refused(result), "location"));
  }
  Json result = good;
  for (int i = 0; i < 10; ++i) {  // texts of lines that nobody wrote
    Json far = good["findings"][0];
    far["location"] = {{"file", "f" + std::to_string(i)},
                       {"line", 30'000'000},
                       {"column", 1},
                       {"end_line", 30'000'000},
                       {"end_column", 2}};
    result["findings"].push_back(far);
  }
  CHECK(contains(refused(result), "its lines are too many"));
  result = good;
  result["findings"][0]["severity"] = "loud";
  CHECK(contains(refused(result), "lacks its rule, severity"));
  test::write_file(work.path() + "/bad.json", "{\"version\": ");
  CHECK(test::run_command({"merge", work.path() + "/bad.json"}).code == 2);
}
