// A chart of any files, rendered with its values and with those of the first other file of values. What it writes is
// read and placed within its files.
// Reads: src/helm/*
// Apart: src/helm/run_helm.cc src/helm/packed_chart.cc src/helm/helm_ignore.cc src/helm/line_places.cc
// Seeds: tests/helm/charts/*/ tests/cases/rules/*/*/
// With: ==> Chart.yaml
// Input: files
#include <algorithm>

#include "fuzz/fuzz.h"
#include "helm/compared_numbers.h"
#include "helm/read_output.h"
#include "helm/read_rendered.h"
#include "helm/render_chart.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  std::map<std::string, std::string> files = fuzz::files_of(fuzz::text_of(data, size), "templates/a.yaml");
  files.emplace("Chart.yaml", "name: a\nversion: 1.0.0\n");
  SourceMap sources;
  std::vector<ChartText> texts;
  std::map<std::string, FileId, std::less<>> templates;
  std::vector<ChartText> values;
  for (const auto& [path, text] : files) {
    const FileId id = sources.add(path, text);
    texts.push_back({path, sources.file(id).text(), id});
    if (path.starts_with("templates/")) {
      templates.emplace("a/" + path, id);
      helm::compared_numbers(sources.file(id).text());
    }
    if (path.starts_with("values-")) values.push_back(texts.back());
  }
  const auto served = [](std::string_view) { return true; };
  std::string written;
  for (const std::vector<ChartText>& others : {std::vector<ChartText>(), values}) {
    const helm::RenderedChart made = helm::render_chart({texts, others, "1.34", "default", served, 20'000}, sources);
    const ChartObjects objects = read_rendered(made, sources);
    for (const Document& object : objects.objects) fuzz::stay_within(object.root(), sources);
    for (const helm::RenderedTemplate& one : made.templates) {
      written += "---\n# Source: " + one.name + "\n" + one.written.text + "\n";
      const auto end = static_cast<std::uint32_t>(one.written.text.size());
      for (std::uint32_t at = 0; one.file != FileId::None && at < std::min(end, 200U); at += 7)
        fuzz::stay_within(helm::place_of_written(one, sources, {one.file, at, std::min(end, at + 5)}), sources);
    }
    if (values.empty()) break;
  }
  // The same as the program Helm would print it.
  const ChartObjects printed = read_helm_output(written, templates, sources);
  for (const Document& object : printed.objects) fuzz::stay_within(object.root(), sources);
  return 0;
}
