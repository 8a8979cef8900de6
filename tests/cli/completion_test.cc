// What shells read, held to what --help says and to the shells themselves.
#include <cstdlib>
#include <regex>
#include <set>

#include "base/strings.h"
#include "cli/usage.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/files.h"
#include "support/skip.h"

namespace {

using muster::choices_in;
using muster::contains;
using muster::test::read_file;
using muster::test::run_command;
using muster::test::TemporaryFolder;
using muster::test::write_file;

std::string completion(const std::string& shell) { return run_command({"completion", shell}).out; }

/// The words that `--help` has at the beginning of a line of its options.
std::set<std::string> options_in(const std::string& help) {
  std::set<std::string> out;
  const std::regex option("\n  (-[a-zA-Z],)?(--[a-z-]+)");
  for (std::sregex_iterator at(help.begin(), help.end(), option), end; at != end; ++at) out.insert((*at)[2]);
  return out;
}

std::set<std::string> commands_in(const std::string& help) {
  std::set<std::string> out;
  const std::regex command("\n  ([a-z]+)  ");
  for (std::sregex_iterator at(help.begin(), help.end(), command), end; at != end; ++at) out.insert((*at)[1]);
  return out;
}

bool is_there(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

/// What bash offers for the last of the words; muster itself is asked for names and answers with two.
struct Bash {
  Bash() {
    write_file(folder.path() + "/muster.bash", completion("bash"));
    write_file(folder.path() + "/slurm.conf", "");
  }
  std::string offers(const std::string& words, int last) const {
    const std::string script = folder.path() + "/try.sh";
    write_file(script, "cd '" + folder.path() +
                           "'\nmuster() { printf 'gang-min-below-size error\\nslurm-key error\\n'; }\n"
                           "source ./muster.bash\nCOMP_WORDS=(" +
                           words + ")\nCOMP_CWORD=" + std::to_string(last) +
                           "\n_muster\nprintf '%s ' \"${COMPREPLY[@]}\"\n");
    CHECK(std::system(("bash " + script + " >" + script + ".out 2>" + script + ".err").c_str()) == 0);
    CHECK(read_file(script + ".err").empty());
    return read_file(script + ".out");
  }
  TemporaryFolder folder;
};

}  // namespace

TEST_CASE("completions and the manual page have every command and option of --help", "[cli][completion]") {
  const std::set<std::string> commands = commands_in(run_command({"--help"}).out);
  CHECK(commands.size() > 12);
  CHECK(commands.contains("check"));
  const std::string bash = completion("bash");
  const std::string zsh = completion("zsh");
  const std::string fish = completion("fish");
  const std::string man = completion("man");
  for (const std::string& command : commands) {
    const std::string help = run_command({command, "--help"}).out;
    const std::set<std::string> options = options_in(help);
    CHECK(options.contains("--help"));
    for (const std::string& option : options) {
      INFO(command << " " << option);
      CHECK(std::regex_search(bash, std::regex("\n    " + command + "\\) options=\"[^\"]*" + option + "[ \"]")));
      const std::size_t in_zsh = zsh.find("      " + command + ")\n");
      CHECK(zsh.substr(in_zsh, zsh.find(";;", in_zsh) - in_zsh).find("*" + option) != std::string::npos);
      CHECK(std::regex_search(
          fish, std::regex("from " + command + "'( -s [a-zA-Z])? -l " + option.substr(2) + "( -s [a-zA-Z])?[ \n]")));
      const std::size_t in_man = man.find(".SS " + command + "\n");
      const std::string escaped = muster::replace_all(option, "-", "\\-");
      CHECK(contains(man.substr(in_man, man.find(".SS ", in_man + 1) - in_man), "\\fB" + escaped + "\\fR"));
    }
  }
  CHECK(run_command({"completion", "bsh"}).code == 2);
  CHECK(contains(run_command({"completion", "bsh"}).err, "did you mean `bash`?"));
}

TEST_CASE("words that an option takes are read from what --help says of it", "[cli][completion]") {
  using Words = std::vector<std::string>;
  CHECK(choices_in("error, warning, info or never") == Words{"error", "warning", "info", "never"});
  CHECK(choices_in("auto, always or never; NO_COLOR is honoured") == Words{"auto", "always", "never"});
  CHECK(choices_in("of check and eval: text or json; repeatable") == Words{"text", "json"});
  CHECK(choices_in("placeable, no-deadlock [all]") == Words{"placeable", "no-deadlock"});
  CHECK(choices_in("baked-in, or costly which includes it").empty());
  CHECK(choices_in("fleet file (muster: fleet/v1)").empty());
  CHECK(choices_in("threads").empty());
}

TEST_CASE("bash completes commands, options, their words, names and files", "[cli][completion]") {
  const Bash bash;
  CHECK(bash.offers("muster ch", 1) == "check ");
  CHECK(bash.offers("muster --v", 1) == "--version ");
  CHECK(bash.offers("muster check --fail-on w", 3) == "warning ");
  CHECK(bash.offers("muster check --format = s", 4) == "sarif ");
  CHECK(bash.offers("muster check --format =", 3).find("gitlab") != std::string::npos);
  CHECK(bash.offers("muster check --fail-on-n", 2) == "--fail-on-nothing ");
  CHECK(bash.offers("muster check sl", 2) == "slurm.conf ");
  CHECK(bash.offers("muster check --baseline sl", 3) == "slurm.conf ");
  CHECK(bash.offers("muster explain gang", 2) == "gang-min-below-size ");
  CHECK(bash.offers("muster baseline w", 2) == "write ");
  CHECK(bash.offers("muster check --now x", 3) == " ");
}

TEST_CASE("zsh, fish and man read what is written for them", "[cli][completion]") {
  const TemporaryFolder folder;
  const auto reads = [&](const std::string& form, const std::string& program, const std::string& command) {
    if (!is_there(program)) return muster::test::skip("other shells", program + " is not installed");
    const std::string path = folder.path() + "/" + form;
    write_file(path, completion(form));
    CHECK(std::system((command + " " + path + " >/dev/null 2>" + path + ".err").c_str()) == 0);
    CHECK(read_file(path + ".err").empty());
  };
  reads("zsh", "zsh", "zsh -n");
  reads("fish", "fish", "fish -n");
  reads("man", "groff", "groff -man -Tutf8 -ww");
}
