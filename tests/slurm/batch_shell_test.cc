#include "slurm/batch_shell.h"

#include "slurm/launches.h"
#include "support/catch.h"

using namespace muster;
using namespace muster::sbatch;

namespace {

/// Bytes of all words and settings that a script comes to.
std::size_t size_of(const std::string& text) {
  const BatchBody body = walk_batch_script(FileId{}, text, {});
  std::size_t size = 0;
  for (const BatchCommand& command : body.commands) {
    for (const ShellValue& word : command.words) size += word.text.size();
  }
  for (const ScriptSetting& setting : body.settings) size += setting.value.text.size();
  return size;
}

TEST_CASE("variables of a batch script make no more of it than a script of a usual length holds", "[slurm]") {
  const std::string set = "x=" + std::string(16'000, 'a') + "\n";
  std::string reads = "run";
  std::string appends = "declare";
  std::string line;
  for (int i = 0; i < 10'000; ++i) {
    reads += " $x";
    appends += " x+=a";
    line += "x+=a ";
  }
  CHECK(size_of(set + reads) < 10'000'000);
  CHECK(size_of(set + appends) < 10'000'000);
  CHECK(size_of(set + line) < 10'000'000);
  CHECK(size_of("x=a\nrun $x\n") == 5);
}

TEST_CASE("a script of nothing loses no status, and one that ends in a message does", "[slurm]") {
  SbatchJob job;
  job.parts.emplace_back();
  CHECK_FALSE(read_launches(FileId{}, "", job).status_lost.is_set());
  CHECK_FALSE(read_launches(FileId{}, " \n\n", job).status_lost.is_set());
  CHECK(read_launches(FileId{}, "srun ./train\necho done\n", job).status_lost.value == "echo");
  CHECK(read_launches(FileId{}, "srun ./train | tee log\n", job).status_lost.value == "tee");
  CHECK_FALSE(read_launches(FileId{}, "set -o pipefail\nsrun ./train | tee log\n", job).status_lost.is_set());
}

TEST_CASE("$0 within bash -c is not the batch script", "[slurm]") {
  const auto own_paths = [](const std::string& text) { return walk_batch_script(FileId{}, text, {}).own_paths.size(); };
  CHECK(own_paths("cd $(dirname $0)") == 1);
  CHECK(own_paths("eval 'cd $(dirname $0)'") == 1);
  CHECK(own_paths("srun bash -c \"cd $(dirname $0)\"") == 1);
  CHECK(own_paths("srun bash -c 'cd $(dirname $0)'") == 0);
  CHECK(own_paths("bash -c \"eval 'cd \\${0%/*}'\"") == 0);
  CHECK(own_paths("bash -c 'cd ${0%/*}'\ncd ${0%/*}") == 1);
}

TEST_CASE("what a batch script calls is walked through where it is called", "[slurm]") {
  const CalledScripts called = [](std::string_view path) -> std::string_view {
    return path == "run.sh" ? "torchrun a.py\nset -u\ncd $(dirname $0)\n" : path == "again.sh" ? "bash again.sh\n" : "";
  };
  const auto programs = [&](const std::string& text) {
    std::string out;
    for (const BatchCommand& command : walk_batch_script(FileId{}, text, {}, called).commands) {
      const bool step = command.via == Via::Srun;
      out += command.words.front().text + (step ? "@" : "") + (command.branch ? "?" : "") + " ";
    }
    return out;
  };
  CHECK(programs("bash run.sh\n") == "bash torchrun set cd ");
  CHECK(programs("srun -n 2 bash run.sh x\n") == "srun torchrun@ set@ cd@ ");
  CHECK(programs("if a; then srun run.sh; fi\n") == programs("if a; then srun x; fi\n") + "torchrun@? set@? cd@? ");
  CHECK(programs("cp run.sh b\nsource run.sh\nbash other.sh\n") == "cp source bash ");
  CHECK(programs("bash again.sh\n") == "bash bash bash bash bash ");
  const BatchBody body = walk_batch_script(FileId{}, "a\nbash run.sh\n", {}, called);
  CHECK_FALSE(body.strict);
  CHECK(body.own_paths.empty());
  CHECK(body.commands[2].where.begin == 7);
}

TEST_CASE("a batch script that is too long or nested too deep is known not to be whole", "[slurm]") {
  const auto complete = [](const std::string& text) { return walk_batch_script(FileId{}, text, {}).complete; };
  const auto nested = [](int levels) {
    std::string text;
    for (int i = 0; i < levels; ++i) text += "eval ";
    return text + "run\n";
  };
  std::string lines;
  for (int i = 0; i < 20'001; ++i) lines += "a\n";
  std::string reads;
  for (int i = 0; i < 1000; ++i) reads += "run $x\n";
  CHECK(complete("a\nbash -c 'b; c'\n"));
  CHECK_FALSE(complete(lines));
  CHECK_FALSE(complete("bash -c '" + lines + "'\n"));
  CHECK_FALSE(complete("x=" + std::string(16'000, 'a') + "\n" + reads));
  CHECK(complete(nested(3)));
  CHECK_FALSE(complete(nested(9)));
}

}  // namespace
