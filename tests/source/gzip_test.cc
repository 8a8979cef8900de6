// `.gz` files: read as what is packed in them, bounded, and named where they are broken.
#include "source/gzip.h"

#include <zlib.h>

#include <random>

#include "base/strings.h"
#include "pipeline/discover.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/files.h"
#include "support/model.h"

using namespace muster;

namespace {

std::string packed(std::string_view text) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

const std::string kJob =
    "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: train}\nspec:\n  minAvailable: 9\n"
    "  policies: [{event: PodEvicted, action: RestartJob}]\n  plugins: {pytorch: [\"--master=master\"]}\n"
    "  tasks: [{name: worker, replicas: 8, template: {spec: {schedulerName: volcano, containers: [{name: c, image: "
    "a/b:1}]}}}]\n";

std::string summary(const std::map<std::string, std::string>& files) {
  return test::summary_of(test::check_files(files));
}

struct ReadInputs {
  std::vector<std::string> findings;
  Result<Inputs> inputs = Error{};
};

ReadInputs read(const std::map<std::string, std::string>& files, const std::string& path = ".") {
  const MemoryFileSystem disk(files);
  std::vector<Finding> findings;
  ReadInputs out;
  out.inputs = discover({{path}, {}, {}}, disk, findings);
  for (const Finding& finding : findings) out.findings.push_back(finding.message);
  return out;
}

}  // namespace

TEST_CASE("what is packed is found at its place, under the name of the file", "[source][gzip]") {
  const std::string plain = summary({{"train.yaml", kJob}});
  CHECK(contains(plain, "gang-min-above-size"));
  CHECK(summary({{"train.yaml.gz", packed(kJob)}}) == replace_all(plain, "train.yaml:", "train.yaml.gz:"));
  // Members behind each other are one text, and zeros behind them padding.
  const std::string halves = packed(kJob.substr(0, 100)) + packed(kJob.substr(100)) + std::string(512, '\0');
  CHECK(summary({{"train.yaml.gz", halves}}) == replace_all(plain, "train.yaml:", "train.yaml.gz:"));
}

TEST_CASE("what is broken is named, and no part of it is read", "[source][gzip]") {
  const std::string good = packed(kJob);
  std::string wrong_sum = good;
  wrong_sum[wrong_sum.size() - 6] = static_cast<char>(wrong_sum[wrong_sum.size() - 6] ^ 1);
  const std::string cut = "cannot read `a.yaml.gz`: its gzip data breaks off before its end";
  const std::string damaged = "cannot read `a.yaml.gz`: it is no gzip data, or damaged";
  for (const auto& [bytes, words] : {std::pair{good.substr(0, good.size() / 2), cut},
                                     {good.substr(0, 5), cut},
                                     {good.substr(0, good.size() - 1), cut},
                                     {wrong_sum, damaged},
                                     {kJob, damaged},
                                     {good + "trailing", damaged}}) {
    const ReadInputs below = read({{"a.yaml.gz", bytes}});
    REQUIRE(below.inputs);
    CHECK(below.findings == std::vector<std::string>{words});
    CHECK(below.inputs->sources.file(FileId{0}).text().empty());
    const ReadInputs named = read({{"a.yaml.gz", bytes}}, "a.yaml.gz");
    REQUIRE_FALSE(named.inputs);
    CHECK(named.inputs.error().message == words);
  }
}

TEST_CASE("a few bytes that unpack to gigabytes cost no more than a large file", "[source][gzip]") {
  const std::string bomb = packed("apiVersion: v1\nkind: List\n" + std::string(kMaxFileSize, 'x'));
  CHECK(bomb.size() < kMaxFileSize / 100);
  const ReadInputs below = read({{"a.yaml.gz", bomb}});
  REQUIRE(below.inputs);
  CHECK(below.findings == std::vector<std::string>{"cannot read `a.yaml.gz`: it unpacks to more than 32 MiB"});
  CHECK(below.inputs->too_large == std::vector<std::string>{"a.yaml.gz"});
  CHECK(read({{"a.yaml.gz", bomb}}, "a.yaml.gz").inputs.error().message ==
        "cannot read `a.yaml.gz`: it unpacks to more than 32 MiB");
  const Unpacked unpacked = unpack_gzip(bomb, 1000);
  CHECK(unpacked.verdict == Unpacked::Verdict::TooLarge);
  CHECK(unpacked.text.size() == 1000);
}

TEST_CASE("many packed files together are bounded, too", "[source][gzip]") {
  const std::string large = packed("apiVersion: v1\nkind: List\n#" + std::string(kMaxFileSize - 100, 'x'));
  std::map<std::string, std::string> files;
  for (char c = 'a'; c <= 'j'; ++c) files[std::string(1, c) + ".yaml.gz"] = large;
  files["k.yaml"] = "a: 1\n";
  const ReadInputs all = read(files);
  REQUIRE(all.inputs);
  CHECK(all.inputs->unpacked <= kMaxUnpacked);
  CHECK(all.findings ==
        std::vector<std::string>{"cannot read `i.yaml.gz`: all packed files together unpack to more than 256 MiB",
                                 "cannot read `j.yaml.gz`: all packed files together unpack to more than 256 MiB"});
  CHECK(all.inputs->files.size() == 11);
}

TEST_CASE("archives, data and what is none of ours are let be without a word", "[source][gzip]") {
  const ReadInputs all = read({{"chart.tar.gz", packed(kJob)},
                               {"model.bin.gz", packed(std::string(5000, '\0'))},
                               {"data.csv.gz", packed("a,b\n").substr(0, 12)},
                               {"empty.yaml.gz", packed("")},
                               {".gz", packed(kJob)},
                               {"log.txt.gz", packed(std::string(kMaxFileSize + 1, 'x'))}});
  REQUIRE(all.inputs);
  CHECK(all.findings.empty());
  CHECK(all.inputs->files.empty());
  CHECK(all.inputs->skipped == 6);
}

TEST_CASE("any bytes in a packed file are unpacked or named", "[source][gzip]") {
  std::mt19937 dice(7);
  const std::string good = packed(kJob);
  for (int i = 0; i < 500; ++i) {
    std::string bytes = good;
    for (std::size_t flips = 1 + dice() % 4; flips > 0; --flips)
      bytes[dice() % bytes.size()] = static_cast<char>(dice() % 256);
    if (dice() % 3 == 0) bytes.resize(dice() % bytes.size());
    const Unpacked unpacked = unpack_gzip(bytes, 4000);
    CHECK(unpacked.text.size() <= 4000);
    if (unpacked.verdict == Unpacked::Verdict::Whole && !bytes.empty()) CHECK(unpacked.text == kJob);
  }
}

TEST_CASE("--fix writes nothing into a packed file", "[source][gzip]") {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/job.sh.gz";
  const std::string bytes = packed("#!/bin/sh\r\n#SBATCH --nodes=2\r\nsrun x\r\n");
  test::write_file(path, bytes);
  const test::Ran ran = test::run_command({"check", "--fix", "--unsafe", path});
  CHECK(contains(ran.out + ran.err, "job.sh.gz"));
  CHECK(test::read_file(path) == bytes);
}

TEST_CASE("dumps of what runs may be packed", "[source][gzip]") {
  const test::TemporaryFolder folder;
  const std::string examples = test::source_dir() + "/examples/observed/";
  std::vector<std::string> plain{"prove"};
  std::vector<std::string> words{"prove"};
  for (const std::string name : {"pods.json", "nodes.json"}) {
    test::write_file(folder.path() + "/" + name, test::read_file(examples + name));
    test::write_file(folder.path() + "/" + name + ".gz", packed(test::read_file(examples + name)));
    plain.insert(plain.end(), {"--observed", folder.path() + "/" + name});
    words.insert(words.end(), {"--observed", folder.path() + "/" + name + ".gz"});
  }
  const test::Ran ran = test::run_command(words);
  CHECK(ran.code == 1);
  CHECK(replace_all(ran.out, ".json.gz", ".json") == test::run_command(plain).out);
}
