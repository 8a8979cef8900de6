// Which line of a template wrote which line of what Helm made of it.
#include "helm/line_places.h"

#include "support/catch.h"

using muster::lines_that_wrote;
using Lines = std::vector<std::uint32_t>;

TEST_CASE("lines are found by what stands around their actions", "[helm]") {
  CHECK(lines_that_wrote("kind: Job\nspec:\n  parallelism: 4\n  queue: a",
                         "kind: Job\nspec:\n  parallelism: {{ .Values.workers }}\n  queue: \"{{ .Values.queue }}\"") ==
        Lines{1, 2, 3, 4});  // the quotes are no part of what was made
  CHECK(lines_that_wrote("a: 1\nb: 2", "a: {{ .x }}\n{{- if .y }}\nb: {{ .z }}\n{{- end }}") == Lines{1, 3});
}

TEST_CASE("what a helper writes stands at the action that includes it", "[helm]") {
  CHECK(lines_that_wrote("metadata:\n  labels:\n    app: a\n    team: b\nspec: {}",
                         "metadata:\n  labels:\n    {{- include \"labels\" . | nindent 4 }}\nspec: {}") ==
        Lines{1, 2, 3, 3, 4});
}

TEST_CASE("a loop writes its lines again", "[helm]") {
  CHECK(lines_that_wrote("items:\n- name: a\n  gpus: 1\n- name: b\n  gpus: 2\nend: x",
                         "items:\n{{- range .Values.all }}\n- name: {{ .name }}\n  gpus: {{ .gpus }}\n{{- end }}\n"
                         "end: x") == Lines{1, 3, 4, 3, 4, 6});
}

TEST_CASE("a branch that was not taken is passed over", "[helm]") {
  CHECK(lines_that_wrote("spec:\n  replicas: 1\n  image: b",
                         "spec:\n{{ if .a }}\n  replicas: 2\n{{ else }}\n  replicas: 1\n{{ end }}\n  image: b") ==
        Lines{1, 5, 7});
}

TEST_CASE("texts too long to be compared stand at their first line", "[helm]") {
  std::string made, written;
  for (int i = 0; i < 3000; ++i) {
    made += "a: 1\n";
    written += "b: 2\n";
  }
  const Lines lines = lines_that_wrote(made, written);
  CHECK(lines.size() == 3001);
  CHECK(lines.back() == 1);
}
