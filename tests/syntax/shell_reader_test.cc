#include "syntax/shell_reader.h"

#include "support/catch.h"

using namespace muster;

namespace {

/// Words as text, `$NAME` for variables and `$(...)` for commands; `?` before a command that may not run, `*` in a
/// loop, `f` in a function, `&` in the background.
std::string shown(std::string_view text) {
  std::string out;
  for (const ShellCommand& command : read_shell(text)) {
    if (command.branch) out += "?";
    if (command.loop) out += "*";
    if (command.function) out += "f ";
    for (const ShellWord& word : command.words) {
      out += "[";
      for (const ShellPart& part : word.parts) {
        if (part.kind == ShellPart::Kind::Variable) out += "$" + part.text + part.rest;
        if (part.kind == ShellPart::Kind::Text) out += part.text;
        if (part.kind == ShellPart::Kind::Command) out += "$(" + part.text + ")";
        if (part.kind == ShellPart::Kind::Arithmetic) out += "$((" + part.text + "))";
      }
      if (!word.items.empty()) out += "(" + std::to_string(word.items.size()) + ")";
      out += "]";
    }
    if (command.background) out += "&";
    out += "\n";
  }
  return out;
}

TEST_CASE("a shell script is read into commands, without comments, here-documents and redirections", "[syntax]") {
  CHECK(shown("echo a b  # no\nsrun -n 4 \\\n  ./run > log 2>&1 &\nwait") ==
        "[echo][a][b]\n[srun][-n][4][./run]&\n[wait]\n");
  CHECK(shown("cat <<EOF > x\nsrun hidden\nEOF\nnext") == "[cat]\n[next]\n");
  CHECK(shown("cat <<-'E'\n\tsrun hidden\n\tE\nnext") == "[cat]\n[next]\n");
  CHECK(shown("a=$(( 2 * N )) b=\"x $(hostname -s)\" c='$N' d=${N:-1}") ==
        "[a=$(( 2 * N ))][b=x $(hostname -s)][c=$N][d=$N:-1]\n");
}

TEST_CASE("commands of a shell script know what they stand in", "[syntax]") {
  CHECK(shown("if test x; then a; else b; fi; c") == "[test][x]\n?[a]\n?[b]\n[c]\n");
  CHECK(shown("for i in 1 2; do a; done; b") == "[for][i][in][1][2]\n*[a]\n[b]\n");
  CHECK(shown("f() {\n a\n}\nfunction g {\n b\n}\nc") == "f [a]\nf [b]\n[c]\n");
  CHECK(shown("case $1 in x|y) a ;; *) b ;; esac\nc") == "[case][$1][in]\n?[a]\n?[b]\n[c]\n");
  for (const char* end : {";;", ";&", ";;&"}) {
    CHECK(shown("case $1 in\nx) a " + std::string(end) + "\n*) b ;;\nesac\nc") == "[case][$1][in]\n?[a]\n?[b]\n[c]\n");
  }
  CHECK(shown("case $1 in x|\\\n y) a ;;\n\")\") b ;; esac\nc") == "[case][$1][in]\n?[a]\n?[b]\n[c]\n");
  CHECK(shown("a && b || c\nd |\n e") == "[a]\n?[b]\n?[c]\n[d]\n[e]\n");
  CHECK(shown("function f() {\n a\n}\nb") == "f [a]\n[b]\n");
  CHECK(shown("f() (\n a\n)\n( b )\nc") == "f [a]\n[b]\n[c]\n");
  CHECK(shown("a && { b; c; }; d || (e; f)\ng") == "[a]\n?[b]\n?[c]\n[d]\n?[e]\n?[f]\n[g]\n");
  CHECK(shown("while read x; do a; done < f\nb") == "[read][x]\n*[a]\n[b]\n");
}

TEST_CASE("what ends a script is an exit of the script's own shell", "[syntax]") {
  const auto ends = [](std::string_view text) {
    return std::ranges::any_of(read_shell(text), [](const ShellCommand& command) { return ends_script(command); });
  };
  for (const char* text : {"a\nexit\nb", "exit 1; b", "a | b\nexit $?", "{ a; exit; }\nb", "(a); exit"}) {
    INFO(text);
    CHECK(ends(text));
  }
  for (const char* text : {"(a; exit $?)\nb", "(\n cd /tmp\n exit 0\n)\nb", "echo x | exit\nb", "exit | cat\nb",
                           "{ a; exit; } | tee log\nb", "a | { b; exit; }\nc", "a && exit\nb", "f() { exit; }\nb",
                           "if a; then exit; fi", "case x in y) exit ;; esac", "exit &\nb", "echo exit", "((exit))"}) {
    INFO(text);
    CHECK_FALSE(ends(text));
  }
}

TEST_CASE("words of a shell script keep what is quoted together", "[syntax]") {
  CHECK(shown("A=(one \"two three\" # no\n four)\nB") == "[A=(3)]\n[B]\n");
  CHECK(shown("bash -c 'a; b'\nbash -c \"x \\$Y $Z\"") == "[bash][-c][a; b]\n[bash][-c][x $Y $Z]\n");
  const std::vector<ShellCommand> commands = read_shell("bash -c \"x \\$Y $Z\"");
  REQUIRE(commands.size() == 1);
  REQUIRE(commands[0].words.size() == 3);
  CHECK(commands[0].words[2].parts.back().text == "Z");
  CHECK(commands[0].words[2].parts.back().offset == 15);
}

TEST_CASE("a shell script that ends in the middle is read to its end", "[syntax]") {
  for (const char* text :
       {"a $(b", "a \"b",  "a 'b", "a ${b",  "f() {",   "case x in",    "a=(b",           "((",   "a <<", "a \\", "`",
        "$((",   "for ((", "x) y", "a ;; b", "a ;;& b", "case x in 'a", "case x in \"\\", "\x01", "if",   "a >"}) {
    CHECK(read_shell(text).size() <= 3);
  }
  const std::vector<ShellCommand> commands = read_shell("\"\\");
  REQUIRE(commands.size() == 1);
  CHECK(commands[0].words[0].end == 2);
}

TEST_CASE("what a shell script nests without end costs no more than its length", "[syntax]") {
  std::string arrays;
  std::string parens;
  for (int i = 0; i < 200'000; ++i) {
    arrays += "a=(";
    parens += "( ";
  }
  CHECK(read_shell(arrays).size() == 1);
  for (int i = 0; i < 20'000; ++i) parens += "a\n";
  CHECK(read_shell(parens).size() == 20'000);
  CHECK(read_shell("case" + std::string(500'000, 'x') + std::string(100'000, '(')).size() == 1);
}

}  // namespace
