// Charts of strangers: none takes long, none takes much memory, and each says why it was given up.
#include "helm/read_rendered.h"
#include "helm/render_chart.h"
#include "support/catch.h"

namespace {

struct SmallChart {
  muster::SourceMap sources;
  std::vector<muster::ChartText> texts;

  SmallChart(std::string text, std::string values = "{}") {
    for (auto& [path, content] : {std::pair<std::string, std::string>{"Chart.yaml", "name: small\nversion: 1.0.0\n"},
                                  {"values.yaml", std::move(values)},
                                  {"templates/it.yaml", std::move(text)}}) {
      const muster::FileId id = sources.add(path, content);
      texts.push_back({path, sources.file(id).text(), id});
    }
  }

  muster::helm::RenderedChart render() const {
    return muster::helm::render_chart({texts, {}, "1.34", "default", nullptr}, sources);
  }
};

std::string times(std::size_t count, const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

}  // namespace

TEST_CASE("charts that would never end are given up", "[helm][security]") {
  const std::string loop = "{{ range until 10 }}";
  const std::vector<std::string> texts = {
      "{{ define \"a\" }}{{ include \"a\" . }}{{ end }}{{ include \"a\" . }}",
      "{{ define \"a\" }}{{ template \"a\" . }}{{ end }}{{ template \"a\" . }}",
      "{{ define \"a\" }}{{ tpl \"{{ include `a` . }}\" . }}{{ end }}{{ include \"a\" . }}",
      "{{ repeat 1000000000 \"abc\" }}",
      "{{ range untilStep 0 2000000000 1 }}a{{ end }}",
      "{{ range until 1000000000 }}a{{ end }}",
      "{{ indent 2000000000 \"a\" }}",
      "{{ randAlphaNum 2000000000 | repeat 100000 }}",
      "{{ $d := dict }}{{ $_ := set $d \"a\" $d }}{{ toYaml $d }}",
      "{{ $d := dict }}{{ $_ := set $d \"a\" $d }}{{ toJson $d }}",
      "{{ $d := dict }}{{ $_ := set $d \"a\" $d }}{{ merge $d (deepCopy $d) | toYaml }}",
      times(12, loop) + "{{ toYaml .Values }}" + times(12, "{{ end }}"),
      "{{ $x := \"aaaaaaaaaa\" }}{{ range until 64 }}{{ $x = print $x $x }}{{ end }}{{ $x }}",
      "{{ $x := list 1 }}{{ range until 64 }}{{ $x = concat $x $x }}{{ end }}{{ len $x }}",
      "{{ .Capabilities.APIVersions.Minor }}",
      times(100'000, "{{ if true }}"),
      "{{ " + times(100'000, "(") + "1" + times(100'000, ")") + " }}",
  };
  for (const std::string& text : texts) {
    INFO(text.substr(0, 100));
    const muster::helm::RenderedChart made = SmallChart(text, "a: {b: [1, 2, 3]}\n").render();
    CHECK_FALSE(made.trouble.empty());
    CHECK(made.templates.empty());
  }
}

TEST_CASE("what holds itself is printed to an end", "[helm][security]") {
  const auto made = SmallChart("a: {{ $d := dict }}{{ $_ := set $d \"a\" $d }}{{ $d | toString | trunc 10 }}").render();
  CHECK(made.trouble.empty());
  REQUIRE(made.templates.size() == 1);
  CHECK(made.templates[0].written.text == "a: map[a:map[");
  // A width above a thousand counts as a thousand.
  const auto wide = SmallChart("a: {{ printf \"%1000000000d\" 1 | len }}").render();
  REQUIRE(wide.templates.size() == 1);
  CHECK(wide.templates[0].written.text == "a: 1000");
}

TEST_CASE("what a template writes stands where the template or its values have it", "[helm]") {
  const std::string text =
      "apiVersion: v1\nkind: {{ .Values.kind }}\nmetadata:\n  name: {{ .Release.Name }}-x\n{{ toYaml .Values.more }}\n";
  const std::string values =
      "kind: ConfigMap\nmore:\n  data: {a: \"1\", b: \"1\"}\n  again: [{name: name}]\n  unique: here\n";
  const SmallChart chart(text, values);
  const muster::ChartObjects made = read_rendered(chart.render(), chart.sources);
  CHECK(made.trouble.empty());
  REQUIRE(made.objects.size() == 1);
  const auto shows = [&](const muster::Span& where) {
    const muster::SourceFile& file = chart.sources.file(where.file);
    return file.path() + ":" + std::string(file.text().substr(where.begin, where.end - where.begin));
  };
  const muster::Node root = made.objects[0].root();
  CHECK(shows(root["apiVersion"].where()) == "templates/it.yaml:v1");
  CHECK(shows(root["kind"].where()) == "values.yaml:ConfigMap");
  CHECK(shows(root["metadata"]["name"].where()) == "templates/it.yaml:{{ .Release.Name }}-x");
  CHECK(shows(root["unique"].where()) == "values.yaml:here");
  CHECK(shows(root["unique"].key_where()) == "values.yaml:unique");
  // Two values have that text, and are printed in turn.
  const muster::Span first = root["data"]["a"].where();
  const muster::Span second = root["data"]["b"].where();
  CHECK(shows(first) == "values.yaml:\"1\"");
  CHECK(first.begin < second.begin);
  // A key and a value, as well.
  CHECK(root["again"].item(0)["name"].where().begin > root["again"].item(0)["name"].key_where().begin);
}
