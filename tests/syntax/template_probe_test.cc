#include "syntax/template_probe.h"

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
