#include "syntax/template_probe.h"

#include <algorithm>

#include "base/strings.h"
#include "support/catch.h"
#include "syntax/placeholder.h"

using namespace muster;

namespace {

std::string probe(std::string_view text) {
  const std::optional<TemplateKind> kind = probe_template(text);
  return kind ? std::string(name_of(*kind)) : "";
}

}  // namespace

TEST_CASE("templates are told by lines that no config file has", "[template]") {
  const std::string braces = "Helm, Go or Jinja2 template";
  CHECK(probe("a: {{ .Values.a }}\n") == braces);
  CHECK(probe("a: 1\n{{- if .Values.b }}\nb: 2\n{{- end }}\n") == braces);
  CHECK(probe("- {{ item }}\n") == braces);
  CHECK(probe("NodeName={{ nodes }} CPUs=4\n") == braces);
  CHECK(probe("{{- /*\n a comment over lines\n*/}}\n") == braces);
  CHECK(probe("{% for n in nodes %}\nNodeName={{ n }}\n{% endfor %}\n") == "Jinja2 template");
  CHECK(probe("a: b {% if x %} c {% endif %}\n") == "Jinja2 template");
  CHECK(probe("<% nodes.each do |n| %>\n") == "ERB template");
  CHECK(probe("NodeName=<%= @name %>\n") == "ERB template");
  CHECK(probe("%{ if gpus }\nGres=gpu:8\n%{ endif }\n") == "Terraform template");
  CHECK(probe("#!/bin/sh\n{sbatch_options}\nsrun x\n") == "Python template");
}

TEST_CASE("lines without marks outside of statements are literal", "[template]") {
  const auto kept = [](const std::string& text) {
    const std::string out = literal_lines(text);
    CHECK(out.size() == text.size());
    CHECK(std::ranges::count(out, '\n') == std::ranges::count(text, '\n'));
    std::string lines;
    for (const std::string_view line : split(out, '\n')) {
      if (!trim(line).empty()) lines += std::string(trim(line)) + ";";
    }
    return lines;
  };
  CHECK(kept("A=1\nB={{ b }}\nC=3\n") == "A=1;C=3;");
  CHECK(kept("A=1 \\\n  B={{ b }}\nC=3 \\\n D=4") == "C=3 \\;D=4;");
  CHECK(kept("{% if a %}\nA=1\n{% else %}\nA=2\n{% endif %}\nB=1\n") == "B=1;");
  CHECK(kept("{% for a in b %}{% if c %}\nA=1\n{% endif %}\nB=1\n{%- endfor -%}\nC=1\n") == "C=1;");
  CHECK(kept("{% set x = 1 %}\nA=1\n{# if #}\nB=1\n") == "A=1;B=1;");
  CHECK(kept("<% if a -%>\nA=1\n<% end -%>\n<% b.each do |c| -%>\nB=1\n<% end -%>\nC=<%= c %>\nD=1\n") == "D=1;");
  CHECK(kept("%{ if a }\nA=1\n%{ endif }\nB=1\n") == "B=1;");
  CHECK(kept("{{ range .a }}\nA=1\n{{- end }}\nB=1\n") == "B=1;");
  CHECK(kept("{{ define \"x\"\n }}\nA=1\n{{ end }}\nB=1") == "B=1;");
  CHECK(kept("A=<the name>\nB=<b>\nC=1\n") == "B=<b>;C=1;");
  CHECK(kept("A=<x\nB=y z>\nC=a<b c>\n") == "A=<x;B=y z>;C=a<b c>;");
  CHECK(kept("A=1\n{% endif %}\nB=1\n").empty());
  CHECK(kept("A=1\n{% if x %}\nB=1\n").empty());
}

TEST_CASE("what looks like a template in a value is none", "[template]") {
  CHECK(probe("a: \"{{ x }}\"\nb: '{{ y }}'\n").empty());
  CHECK(probe("#!/bin/sh\n#SBATCH -J ${NAME}\necho ${A} $B\n").empty());
  CHECK(probe("a: ${NODES}\nb: <your-queue>\n").empty());
  CHECK(probe("# {{ in a comment }}\na: 1\n").empty());
  CHECK(probe("a: {b: {c: 1}}\n").empty());
  CHECK(probe("{}\n").empty());
  CHECK(probe("").empty());
  CHECK(probe("docker inspect --format={{").empty());
}

TEST_CASE("a line of many braces costs time in proportion", "[template]") {
  std::string line = "x: 'a";
  for (int i = 0; i < 500'000; ++i) line += "{{{%";
  CHECK(probe(line + "}} %}").empty());
}

TEST_CASE("values that somebody fills in later are placeholders", "[template]") {
  for (const char* text : {"$NODES", "${NODES}", "a-$(id)", "{{ .Values.n }}", "{nodes}", "<your-queue>", "@NODES@",
                           "__NODES__", "%NODES%", "x<%= y %>"}) {
    INFO(text);
    CHECK(is_placeholder(text));
  }
  for (const char* text : {"", "8", "a b", "$", "5$", "a@b", "<", "<>", "1 < 2 > 1", "{}", "{", "__", "a__b", "100%",
                           "%", "n[1-4]", "@"}) {
    INFO(text);
    CHECK_FALSE(is_placeholder(text));
  }
}

TEST_CASE("every line of a template keeps its place, with words for what is filled in", "[template]") {
  CHECK(masked_template_marks("NodeName={{ n }} CPUs=4\n") == "NodeName={xxxxx} CPUs=4\n");
  CHECK(masked_template_marks("{% if m %}RealMemory={{ m }}{% endif %}\n") ==
        "          RealMemory={xxxxx}           \n");
  CHECK(masked_template_marks("A=1 # {{ n }}\n") == "A=1 # {{ n }}\n");
  CHECK(masked_template_marks("A=1 {{ '' -}}\n  B=2\n") == "A=1             B=2\n");
  CHECK(masked_template_marks("{% if m -%}\nA=1\n") == "           \nA=1\n");
  CHECK(masked_template_marks("A=1{{'\\n'}}B=2\n") == "A=1\n       B=2\n");
}
