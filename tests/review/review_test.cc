// The review of whole repositories: goldens read by a person, and what no input may do to it.
#include <filesystem>

#include "base/sha256.h"
#include "base/strings.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"
#include "support/files.h"
#include "support/json.h"
#include "support/share.h"

namespace {

using muster::contains;
using muster::test::FakeDisk;
using muster::test::Ran;
using muster::test::run_command;
using Json = nlohmann::json;
using Files = std::map<std::string, std::string>;

std::string golden(const std::string& name) { return muster::test::source_dir() + "/tests/review/golden/" + name; }

std::string fresh_review(const std::string& path, const std::string& format, const std::vector<std::string>& more) {
  std::vector<std::string> words{"review", path, "--format", format};
  words.insert(words.end(), more.begin(), more.end());
  const Ran ran = run_command(words);
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  return ran.out;
}

/// The same for whoever asks again.
const std::string& review(const std::string& path, const std::string& format,
                          const std::vector<std::string>& more = {}) {
  static const auto known = std::make_unique<std::map<std::vector<std::string>, std::string>>();
  std::vector<std::string> key{path, format};
  key.insert(key.end(), more.begin(), more.end());
  const auto found = known->find(key);
  return found != known->end() ? found->second : (*known)[key] = fresh_review(path, format, more);
}

std::string review(const Files& files, const std::string& format) {
  const FakeDisk disk(files);
  const Ran ran = run_command({"review", "r", "--format", format}, disk);
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  return ran.out;
}

/// Lines of Markdown that are a heading with nothing below it.
std::vector<std::string> empty_sections(const std::string& markdown) {
  std::vector<std::string> out;
  std::string heading;
  bool fenced = false;
  for (const std::string_view line : muster::split(markdown, '\n')) {
    if (line.starts_with("```")) fenced = !fenced;
    if (line.empty()) continue;
    const bool is_heading = !fenced && line.starts_with("#");
    if (is_heading && !heading.empty() && line.find(' ') <= heading.find(' ')) out.push_back(heading);
    heading = is_heading ? std::string(line) : "";
  }
  if (!heading.empty()) out.push_back(heading);
  return out;
}

const std::string kJobs =
    "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a, namespace: ml}\nspec:\n  parallelism: 2\n  completions: 2\n"
    "  completionMode: Indexed\n  template:\n    spec: {restartPolicy: Never, containers: [{name: c, image: i, "
    "command: "
    "[torchrun, --nnodes=2], resources: {limits: {nvidia.com/gpu: 8}}}]}\n";

/// Nodes n0001.. of eight GPUs in so many leaves of sixteen, under spines of 32 leaves.
std::string fleet_of(int leaves) {
  std::string domains;
  for (int i = 0; i < (leaves + 31) / 32; ++i)
    domains += "    - {name: spine" + std::to_string(i) + ", level: spine}\n";
  const auto node = [](int n) { return "n" + std::to_string(100000 + n).substr(1); };
  for (int i = 0; i < leaves; ++i) {
    domains += "    - {name: leaf" + std::to_string(i) + ", level: leaf, parent: spine" + std::to_string(i / 32) +
               ", nodes: \"" + node(16 * i) + ",";
    for (int k = 1; k < 16; ++k) domains += node(16 * i + k) + (k < 15 ? "," : "");
    domains += "\"}\n";
  }
  return "muster: fleet/v1\nname: large\ncontrol_planes: [{kind: slurm, version: \"25.11\"}]\nnode_pools:\n"
         "  - {name: p, nodes: \"n[00000-" +
         node(16 * leaves - 1).substr(1) +
         "]\", gpus_per_node: 8, control_plane: slurm}\ntopology:\n  levels: [spine, leaf]\n"
         "  domains:\n" +
         domains;
}

}  // namespace

TEST_CASE("the reviews of the examples read as their goldens show", "[review]") {
  for (const std::string name : {"training-repo", "research-cluster", "platform-for-six-teams", "frontier-lab-gb200"}) {
    INFO(name);
    muster::test::check_golden(golden(name + ".md"), review("examples/" + name, "markdown"));
  }
  muster::test::check_golden(golden("research-cluster.html"), review("examples/research-cluster", "html"));
}

TEST_CASE("an example says by its README what check says of it, and nothing else", "[review]") {
  std::set<std::string> rules;
  for (const auto& file : std::filesystem::recursive_directory_iterator(muster::test::source_dir() + "/rules"))
    rules.insert(file.path().stem().string());
  for (const std::string name : {"platform-for-six-teams", "frontier-lab-gb200"}) {
    INFO(name);
    std::set<std::string> named;
    const std::string readme = muster::test::read_file(muster::test::source_dir() + "/examples/" + name + "/README.md");
    for (const std::string_view word : muster::split(readme, '`')) {
      if (contains(word, "-") && rules.contains(std::string(word))) named.emplace(word);
    }
    std::set<std::string> said;
    const Json checked = Json::parse(run_command({"check", "examples/" + name, "--format", "json"}).out);
    for (const Json& finding : checked["findings"]) said.insert(finding["rule"]);
    CHECK(said == named);
    CHECK(checked["undecided"].empty());
  }
}

TEST_CASE("no section of a review is empty, whatever is missing", "[review]") {
  const Files cases[] = {{{"r/readme.txt", "nothing"}},
                         {{"r/job.yaml", kJobs}},
                         {{"r/fleet.yaml", fleet_of(2)}},
                         {{"r/fleet.yaml", "muster: fleet/v1\nname: f\n"}},
                         {{"r/a.yaml", fleet_of(1)}, {"r/b.yaml", fleet_of(1)}},
                         {{"r/w.yaml", "muster: workloads/v1\nworkloads: [{name: w}]\n"}},
                         {{"r/slurm.conf",
                           "ClusterName=c\nSlurmctldHost=h\nNodeName=n[1-4] CPUs=4\n"
                           "PartitionName=p Nodes=ALL\n"}}};
  for (const Files& files : cases) {
    INFO(files.begin()->second.substr(0, 60));
    CHECK(empty_sections(review(files, "markdown")) == std::vector<std::string>{});
  }
  CHECK(empty_sections("# a\n\n## b\n\n## c\n\nx\n") == std::vector<std::string>{"## b"});
  for (const char* name : {"training-repo", "research-cluster"})
    CHECK(empty_sections(review(std::string("examples/") + name, "markdown")) == std::vector<std::string>{});
}

TEST_CASE("what is missing is said in a line, with how to give it", "[review]") {
  const std::string nothing = review(Files{{"r/job.yaml", kJobs}}, "markdown");
  CHECK(contains(nothing,
                 "Without a fleet file nobody knows planes, owners and pools: make one with `muster inventory "
                 "DUMP... -o fleet.yaml` and give it with `--fleet fleet.yaml`."));
  CHECK(contains(nothing, "Without a workloads file nothing is decided"));
  CHECK(contains(nothing, "No file says how the nodes are connected"));
  CHECK(contains(review({{"r/a.yaml", fleet_of(1)}, {"r/b.yaml", fleet_of(1)}}, "markdown"),
                 "The input has 2 fleet files, and which one is meant is not said"));
}

TEST_CASE("no name of the input becomes an element, a link or a line of a review", "[review]") {
  const std::string evil = "<script>alert(1)</script>";
  const Files files{{"r/fleet.yaml",
                     "muster: fleet/v1\nname: \"" + evil + "\"\nnode_pools:\n  - {name: \"" + evil +
                         "\", nodes: \"n[1-2]\", gpus_per_node: 8, control_plane: kubernetes, accelerator: {model: \"" +
                         evil + "\"}, runtime: {driver: \"" + evil + "\"}}\ntenants:\n  - {name: \"" + evil +
                         "|x\", guaranteed_gpus: 8}\nplanes: {workload: {owner: \"[x](javascript:1) " + evil +
                         "\"}}\ntopology:\n  levels: [\"" + evil + "\"]\n  domains: [{name: \"" + evil +
                         "\", level: \"" + evil + "\", nodes: \"n[1-2]\"}]\n"},
                    {"r/w.yaml", "muster: workloads/v1\nworkloads: [{name: \"" + evil + "`|\", tenant: \"" + evil +
                                     "\", nodes: 2, tightly_coupled: true}]\n"},
                    {"r/" + evil.substr(0, 8) + ".yaml", kJobs},
                    {"r/queue.yaml", "apiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nmetadata: {name: \"q" +
                                         evil + "\"}\nspec: {weight: 1, capability: {nvidia.com/gpu: 8}}\n"}};
  const std::string html = review(files, "html");
  CHECK_FALSE(contains(html, "<script"));
  CHECK_FALSE(contains(html, "href=\"javascript"));
  CHECK(contains(html, "&lt;script&gt;"));
  const std::string markdown = review(files, "markdown");
  bool fenced = false;
  for (const std::string_view line : muster::split(markdown, '\n')) {
    if (line.starts_with("```")) fenced = !fenced;
    if (fenced) continue;
    // tests/review/page_test.cc holds the code spans themselves.
    INFO(line);
    const std::size_t at = line.find("<script");
    if (at != std::string_view::npos) CHECK(line.substr(0, at).find('`') != std::string_view::npos);
  }
}

TEST_CASE("the page asks for nothing and runs nothing", "[review]") {
  const std::string html = review("examples/research-cluster", "html");
  for (const char* word : {"<script", "<link", "<img", "<iframe", "@import", "url(http", "src=", " on"}) {
    INFO(word);
    // ` on` stands in words; an attribute of an event stands before an equals sign.
    if (std::string_view(word) != " on") CHECK_FALSE(contains(html, word));
  }
  CHECK(contains(html, "default-src 'none'"));
  for (std::size_t at = html.find("<svg"); at != std::string::npos; at = html.find("<svg", at + 1)) {
    const std::string_view element = std::string_view(html).substr(at, 400);
    CHECK(contains(element, "role=\"img\""));
    CHECK(contains(element, "<title id="));
  }
}

TEST_CASE("the identifiers of a page are there once", "[review]") {
  const std::string html = review("examples/research-cluster", "html");
  std::set<std::string> seen;
  for (std::size_t at = html.find(" id=\""); at != std::string::npos; at = html.find(" id=\"", at + 1)) {
    const std::string id = html.substr(at + 5, html.find('"', at + 5) - at - 5);
    INFO(id);
    CHECK(seen.insert(id).second);
  }
  for (std::size_t at = html.find("href=\"#"); at != std::string::npos; at = html.find("href=\"#", at + 1)) {
    const std::string id = html.substr(at + 7, html.find('"', at + 7) - at - 7);
    INFO(id);
    CHECK(seen.contains(id));
  }
}

TEST_CASE("a review of 5,000 nodes is small, and its topology a few boxes", "[review]") {
  const Files files{{"r/fleet.yaml", fleet_of(313)}};
  const std::string html = review(files, "html");
  CHECK(html.size() < 200'000);
  CHECK(contains(html, "5,008 nodes"));
  const Json json = Json::parse(review(files, "json"));
  CHECK(json["topologies"][0]["nodes"] == 5008);
  CHECK(json["topologies"][0]["domains"].size() == 4);  // nine spines of 32 leaves, one of 25, and their leaves
}

TEST_CASE("unlike domains, workloads and findings do not make a page larger than a megabyte", "[review]") {
  constexpr int kHalf = muster::test::kSanitised ? 2 : 1;
  std::string workloads = "muster: workloads/v1\nworkloads:\n";
  for (int i = 0; i < 400 / kHalf; ++i)
    workloads += "  - {name: w" + std::to_string(i) + ", nodes: " + std::to_string(2 + i % 50) +
                 ", gpus_per_node: 8, tightly_coupled: " + (i % 2 == 0 ? "true" : "false") + "}\n";
  std::string fleet = "muster: fleet/v1\nname: f\nnode_pools:\n";
  std::string domains;
  for (int i = 0; i < 1000 / kHalf; ++i) {
    const std::string n = std::to_string(i);
    fleet += "  - {name: p" + n + ", nodes: \"p" + n + "-[1-" + std::to_string(1 + i % 9) + "]\", gpus_per_node: 8}\n";
    domains += "    - {name: d" + n + ", level: leaf, nodes: \"p" + n + "-[1-" + std::to_string(1 + i % 9) + "]\"}\n";
  }
  std::string jobs;
  for (int i = 0; i < 150; ++i) jobs += muster::replace_all(kJobs, "name: a", "name: a" + std::to_string(i)) + "---\n";
  const std::string html = review({{"r/w.yaml", workloads},
                                   {"r/fleet.yaml", fleet + "topology:\n  levels: [leaf]\n  domains:\n" + domains},
                                   {"r/jobs.yaml", jobs}},
                                  "html");
  CHECK(html.size() < 1'000'000);
}

TEST_CASE("the digest is that of sha256sum over the files, whatever the threads", "[review]") {
  const Json json = Json::parse(review("examples/research-cluster", "json"));
  std::string lines;
  for (const Json& input : json["inputs"]) {
    const std::string file = input["file"];
    CHECK(input["sha256"] == muster::sha256(muster::test::read_file(muster::test::source_dir() + "/" + file)));
    lines += input["sha256"].get<std::string>() + "  " + file + "\n";
  }
  CHECK(json["inputs"].size() == 12);
  CHECK(json["digest"] == muster::sha256(lines));
  CHECK(json == Json::parse(review("examples/research-cluster", "json", {"-j", "1"})));
}

TEST_CASE("the date is that of --now, or of SOURCE_DATE_EPOCH", "[review]") {
  CHECK(contains(review("examples/training-repo", "markdown", {"--now", "2027-01-31"}), "* Date: `2027-01-31`\n"));
  CHECK(contains(review("examples/training-repo", "markdown"), "* Date: `2026-06-01`\n"));
}

TEST_CASE("a review fails only where it is told to", "[review]") {
  const auto code = [](const std::vector<std::string>& more) {
    std::vector<std::string> words{"review", "examples/training-repo"};
    words.insert(words.end(), more.begin(), more.end());
    return run_command(words).code;
  };
  CHECK(code({}) == 0);
  CHECK(code({"--fail-on", "error"}) == 1);
  CHECK(code({"--fail-on-unknown"}) == 1);
  CHECK(code({"--fail-on", "sometimes"}) == 2);
  CHECK(code({"--format", "pdf"}) == 2);
  CHECK(run_command({"review", "nowhere"}).code == 2);
}

TEST_CASE("the three largest risks are of three causes, the worst first", "[review]") {
  const Json json = Json::parse(review("examples/research-cluster", "json"));
  REQUIRE(json["risks"].size() >= 3);
  CHECK(json["risks"][0]["effect"] == "deadlock");
  CHECK(json["risks"][0]["gpus"] == 112);  // of both jobs: 6 and 8 pods of 8 GPUs
  for (const Json& risk : json["risks"]) CHECK(risk["rule"] != "gang-scheduler-missing");  // told with the deadlock
}

TEST_CASE("a counterexample of what a finding tells is no second risk, and no risk is without a way out", "[review]") {
  std::vector<std::string> rules;
  const Json json = Json::parse(review("examples/platform-for-six-teams", "json"));
  for (const Json& risk : json["risks"]) {
    INFO(risk.dump());
    rules.push_back(risk["rule"].is_null() ? "" : risk["rule"].get<std::string>());
    CHECK_FALSE(risk["follows"].get<std::string>().empty());
    CHECK_FALSE(risk["help"].get<std::string>().empty());
  }
  CHECK(rules ==
        std::vector<std::string>{"queue-below-gang", "gang-partial-hold-reachable", "scaled-object-target-missing"});
}

TEST_CASE("the picture of the README is what a review draws", "[review][docs]") {
  const std::string html = review("examples/research-cluster", "html");
  const std::size_t begin = html.find("<svg", html.find("class=\"on-wide\""));
  REQUIRE(begin != std::string::npos);
  std::string picture = html.substr(begin, html.find("</svg>\n", begin) + 7 - begin);
  CHECK(contains(picture, "id=\"planes-wide-t\""));
  // By itself it has no page around it: the light colours of styles/review.css, and paper below.
  const std::string style =
      "<style>svg { font: 13px system-ui, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif; background: #ffffff; }\n"
      "text { fill: #1b1f24; } .name { font-weight: 600; } .about { fill: #545d68; } "
      ".open { fill: #a01c24; font-weight: 600; }\n"
      ".band { fill: #e9edf1; } .box { fill: #ffffff; stroke: #c9d1d9; } .arrow { stroke: #545d68; stroke-width: 1.5; "
      "}\n"
      ".stripe0 { fill: #0072b2; } .stripe1 { fill: #e69f00; } .stripe2 { fill: #009e73; } .stripe3 { fill: #cc79a7; }"
      "</style>\n";
  picture.insert(picture.find('>') + 2, style);
  picture.insert(4, " xmlns=\"http://www.w3.org/2000/svg\"");
  muster::test::check_golden(muster::test::source_dir() + "/docs/review-planes.svg", picture);
}

TEST_CASE("words of a planes picture are whole, its pools beside each other", "[review]") {
  const std::string html = review("examples/platform-for-six-teams", "html");
  const std::size_t begin = html.find("<svg", html.find("class=\"on-wide\""));
  const std::string picture = html.substr(begin, html.find("</svg>", begin) - begin);
  CHECK(contains(picture, ">datacentre-operations<"));
  CHECK(contains(picture, ">notebooks<"));
  CHECK_FALSE(contains(picture, "…"));
  // Three pools at one height.
  const auto height_of = [&](const std::string& pool) {
    const std::size_t end = picture.find(">" + pool + "</text>");
    return picture.substr(picture.rfind(" y=", end), 9);
  };
  CHECK(height_of("train") == height_of("serve"));
  CHECK(height_of("train") == height_of("studio"));
  const std::string lab = review("examples/frontier-lab-gb200", "html");
  CHECK(contains(lab, ">row5</text>"));  // 36 of 612 nodes
  CHECK_FALSE(contains(lab, "…"));
}

TEST_CASE("nodes of a picture that go alike are one row, by their own pool", "[review]") {
  const std::string html = review("examples/platform-for-six-teams", "html");
  CHECK(contains(html, ">train/0-7<"));
  CHECK(contains(html, ">train/8-31<"));
  CHECK_FALSE(contains(html, "train+serve+studio/"));
}

TEST_CASE("every decided choice of a fact that can change says what would turn it", "[review]") {
  const Json json = Json::parse(review("examples/research-cluster", "json"));
  std::size_t turned = 0;
  for (const Json& decision : json["decisions"]) {
    if (decision["value"].is_null()) {
      CHECK_FALSE(decision["unknown"].empty());
      CHECK(decision["flips"].empty());
    }
    turned += decision["flips"].empty() ? 0 : 1;
  }
  CHECK(turned > 15);
}

TEST_CASE("what would turn a choice is the nearest number and no release that there never was", "[review]") {
  const std::string platform = review("examples/platform-for-six-teams", "markdown");
  CHECK(contains(platform, "`buy` if `requirements.weeks_to_first_job` were `11` instead of `26`"));
  const std::string lab = review("examples/frontier-lab-gb200", "markdown");
  CHECK(contains(lab, "`tree` if `slurm` were older than `24.05` instead of `26.05`"));
  for (const std::string* text : {&platform, &lab}) {
    CHECK_FALSE(contains(*text, "were `0`"));
    CHECK_FALSE(contains(*text, "which is given"));
  }
}

TEST_CASE("a question is asked once, and for what a person can state", "[review]") {
  for (const char* name : {"training-repo", "research-cluster", "platform-for-six-teams", "frontier-lab-gb200"}) {
    const Json json = Json::parse(review(std::string("examples/") + name, "json"));
    std::size_t drains = 0;
    for (const Json& question : json["questions"]) {
      const std::string asks = question["asks"];
      INFO(asks);
      drains += contains(asks, "sick node") ? 1 : 0;
      CHECK_FALSE(contains(asks, " <= "));  // no formula
      CHECK_FALSE(contains(asks, "verdict"));
      CHECK_FALSE(contains(asks, "slices of"));
      CHECK(question["who"] != "whoever keeps these files");
    }
    CHECK(drains <= 1);
  }
}

TEST_CASE("a review does not contradict itself", "[review]") {
  const std::string platform = review("examples/platform-for-six-teams", "markdown");
  CHECK(contains(platform, "\n5 baked-in choices, 0 choices still open;"));  // as many as page one shows
  CHECK(contains(platform, " rules looked at it; that its fields exist was not checked |"));
  CHECK(contains(platform, "a fixed border would strand GPUs"));
  CHECK(contains(platform, "None: every decision and judgement had the facts it needs."));
  CHECK(contains(platform, "| 1 foreign file |"));  // the README: muster.yaml was read
  CHECK_FALSE(contains(platform, "Account of Slurm"));
  const std::string front = platform.substr(0, platform.find("\n## Decisions"));
  CHECK_FALSE(contains(front, "`control-plane`"));
  const std::string lab = review("examples/frontier-lab-gb200", "markdown");
  CHECK(contains(lab, "a fixed border strands GPUs"));
  CHECK_FALSE(contains(lab, " -1"));
  CHECK(contains(lab, "| `aurelia` | kai |  | `gpu` no limit, 144 deserved; `cpu` unlimited; `memory` unlimited; weight 1 |"));
  CHECK(contains(lab, "| `train` | slurm | cluster `aurelia` |"));
  CHECK(contains(lab, "write checkpoints every 32 min: 95 %"));
}

TEST_CASE("what would turn a choice does turn it", "[review]") {
  const Json json = Json::parse(review("examples/research-cluster", "json"));
  std::size_t tried = 0;
  for (const Json& decision : json["decisions"]) {
    const std::string id = decision["id"];
    if (id != "control-plane" && id != "isolation") continue;
    for (const Json& flip : decision["flips"]) {
      if (flip["changes"].empty() || decision["workloads"].empty()) continue;
      std::vector<std::string> words{"decide",   "examples/research-cluster",
                                     "--format", "json",
                                     "--config", "examples/research-cluster/muster.yaml"};
      bool of_workload = true;
      for (const Json& change : flip["changes"]) {
        of_workload = of_workload && !contains(change["fact"].get<std::string>(), "requirements.");
        words.push_back("--set");
        words.push_back(change["fact"].get<std::string>() + "=" + change["to"].get<std::string>());
      }
      if (!of_workload) continue;
      const Json decided = Json::parse(run_command(words).out);
      for (const Json& one : decided["decisions"]) {
        if (one["workload"] != decision["workloads"][0]) continue;
        for (const Json& choice : one["choices"]) {
          if (choice["id"] == id) CHECK(choice["value"] == flip["value"]);
        }
        ++tried;
      }
    }
  }
  CHECK(tried >= 5);
}
