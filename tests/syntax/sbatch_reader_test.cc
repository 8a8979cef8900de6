#include "syntax/sbatch_reader.h"

#include "source/source_map.h"
#include "support/catch.h"

using namespace muster;

namespace {

/// `LINE: --name[=value]@COLUMN ...` for each directive, then `first command LINE:COLUMN`.
std::string read_script(const std::string& text) {
  SourceMap sources;
  const FileId file = sources.add("job.sh", text);
  const SbatchScript script = read_sbatch(file, text);
  std::string out;
  for (const SbatchDirective& directive : script.directives) {
    out += std::to_string(sources.begin_of(directive.where).line) + ":";
    if (directive.component) out += " component";
    if (directive.ignored) out += " ignored";
    for (const SbatchOption& option : directive.options) {
      out += option.known ? " --" : " unknown --";
      out += option.name + (option.value ? "=" + *option.value : "") + "@" +
             std::to_string(sources.begin_of(option.where).column) + "/" +
             std::string(sources.text_of(option.value_where));
    }
    if (!directive.rest.empty()) out += " rest " + directive.rest;
    out += "\n";
  }
  return out;
}

std::vector<std::string> commands(const std::string& text) {
  std::vector<std::string> out;
  for (const Span& where : read_sbatch(FileId{0}, text).commands)
    out.push_back(text.substr(where.begin, where.end - where.begin));
  return out;
}

}  // namespace

TEST_CASE("sbatch options are read in all their forms", "[sbatch]") {
  CHECK(read_script("#!/bin/sh\n#SBATCH --nodes=4 -n 8 -c2\n#SBATCH\t--gpus-per-node 8 -Hv --exclusive\n") ==
        "2: --nodes=4@9/4 --ntasks=8@19/8 --cpus-per-task=2@24/2\n"
        "3: --gpus-per-node=8@9/8 --hold@27/-Hv --verbose@27/-Hv --exclusive@31/--exclusive\n");
}

TEST_CASE("long options may be cut short as long as they are clear", "[sbatch]") {
  CHECK(read_script("#SBATCH --nodel=a --ntasks-per-n=8 --gpus-per=1 --mem=4G --tim=5\n") ==
        "1: --nodelist=a@9/a --ntasks-per-node=8@19/8 unknown --gpus-per=1@36/1 --mem=4G@49/4G unknown --tim=5@58/5\n");
  CHECK(read_script("#SBATCH --nope -Z\n") == "1: unknown --nope@9/--nope unknown --Z@16/-Z\n");
}

TEST_CASE("options of a SPANK plugin take the next word", "[sbatch]") {
  CHECK(read_script("#SBATCH --image docker:a/b:1 --overlay -n 2\n") ==
        "1: unknown --image=docker:a/b:1@9/docker:a/b:1 unknown --overlay@30/--overlay --ntasks=2@40/2\n");
}

TEST_CASE("optional values stand behind `=` or nowhere", "[sbatch]") {
  CHECK(read_script("#SBATCH --exclusive=user --nice --requeue 4\n") ==
        "1: --exclusive=user@9/user --nice@26/--nice --requeue@33/--requeue rest 4\n");
}

TEST_CASE("quotes and backslashes are resolved as sbatch resolves them", "[sbatch]") {
  CHECK(read_script("#SBATCH --comment=\"a b\" -J 'c d'\n") ==
        "1: --comment=a b@9/--comment=\"a b\" --job-name=c d@25/'c d'\n");
  CHECK(read_script("#SBATCH -J a\\ b --comment='x\\'y'\n") ==
        "1: --job-name=a b@9/a\\ b --comment=x'y@17/--comment='x\\'y'\n");
}

TEST_CASE("a number sign begins a comment wherever it stands, unless quoted", "[sbatch]") {
  CHECK(read_script("#SBATCH -N 2 # -n 4\n#SBATCH -J a#b -n 4\n#SBATCH -J 'a#b' --comment=\\#1\n") ==
        "1: --nodes=2@9/2\n2: --job-name=a@9/a\n3: --job-name=a#b@9/'a#b' --comment=#1@18/--comment=\\#1\n");
}

TEST_CASE("directives behind the first command are ignored", "[sbatch]") {
  const std::string text = "#!/bin/bash\n# note\n\n#SBATCH -N 1\n  module load x\n#SBATCH -N 2\n";
  CHECK(read_script(text) == "4: --nodes=1@9/1\n6: ignored --nodes=2@9/2\n");
  CHECK(commands(text) == std::vector<std::string>{"module load x"});
}

TEST_CASE("only #SBATCH in column 0 and before a blank is a directive", "[sbatch]") {
  CHECK(read_script(
            "#!/bin/sh\n #SBATCH -N 1\n# SBATCH -N 2\n##SBATCH -N 3\n#SBATCHX -N 4\n#sbatch -N 5\n#SBATCH -N 6\n") ==
        "7: --nodes=6@9/6\n");
}

TEST_CASE("Windows line ends stay out of values", "[sbatch]") {
  CHECK(read_script("#!/bin/sh\r\n#SBATCH -N 1\r\n#SBATCH -J x\r\n") == "2: --nodes=1@9/1\n3: --job-name=x@9/x\n");
}

TEST_CASE("here-documents belong to other programs", "[sbatch]") {
  const std::string text =
      "#!/bin/sh\ncat <<EOF > job.sh\n#SBATCH -N 9\nEOF\ncat <<-'END'\n\t#SBATCH -N 8\n#SBATCH -N 8\n\tEND\necho $((1 "
      "<< 3))\ncat <<< word\nrun\n";
  CHECK(read_script(text).empty());
  CHECK(commands(text) ==
        std::vector<std::string>{"cat <<EOF > job.sh", "cat <<-'END'", "echo $((1 << 3))", "cat <<< word", "run"});
  SECTION("an end with blanks around it is not the end, unless tabs may stand before it") {
    CHECK(commands("a <<EOF\n EOF\nEOF \nb\nEOF\nc\n") == std::vector<std::string>{"a <<EOF", "c"});
  }
}

TEST_CASE("hetjob separates components", "[sbatch]") {
  CHECK(read_script("#SBATCH -N 1\n#SBATCH hetjob\n#SBATCH -N 2\n#SBATCH packjob -N 3\n#SBATCH HetJob\n") ==
        "1: --nodes=1@9/1\n2: component\n3: --nodes=2@9/2\n4: component --nodes=3@17/3\n5: component\n");
}

TEST_CASE("a file is a batch script when its first line names an interpreter and a directive follows", "[sbatch]") {
  CHECK(looks_like_sbatch("#!/bin/bash\n#SBATCH -N 1\n"));
  CHECK(looks_like_sbatch("#!/usr/bin/env python3\nx = 1\n#SBATCH -N 1\n"));
  CHECK_FALSE(looks_like_sbatch("#SBATCH -N 1\n"));
  CHECK_FALSE(looks_like_sbatch("#!/bin/bash\n  #SBATCH -N 1\n"));
  CHECK_FALSE(looks_like_sbatch("#!/bin/bash\n#SBATCHX\n#SBATCH"));
}
