// A chart of one template, of what stands up to a zero byte, and its values, of what stands behind. What it writes is
// read and placed within its files.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "helm/packed_chart.h"
#include "helm/read_rendered.h"
#include "helm/render_chart.h"

namespace {

void stay_within(const muster::Node& node, const muster::SourceMap& sources) {
  if (node.where().placed() && node.where().end > sources.file(node.where().file).text().size()) {
    std::fprintf(stderr, "a place lies behind its file\n");
    std::abort();
  }
  for (std::size_t i = 0; node.is_sequence() && i < node.size(); ++i) stay_within(node.item(i), sources);
  for (std::size_t i = 0; node.is_mapping() && i < node.size(); ++i) stay_within(node.value(i), sources);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string all(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(all.find('\0'), all.size());
  muster::helm::unpack_chart(all, 1 << 20);
  muster::SourceMap sources;
  std::vector<muster::ChartText> texts;
  const auto add = [&](const std::string& path, std::string text) {
    const muster::FileId id = sources.add(path, std::move(text));
    texts.push_back({path, sources.file(id).text(), id});
  };
  add("Chart.yaml", "name: a\nversion: 1.0.0\n");
  add("templates/a.yaml", all.substr(0, end));
  add("values.yaml", all.substr(std::min(end + 1, all.size())));
  const auto served = [](std::string_view) { return true; };
  const muster::helm::RenderedChart made =
      muster::helm::render_chart({texts, "", "1.34", "default", served, 20'000}, sources);
  const muster::ChartObjects objects = read_rendered(made, sources);
  for (const muster::Document& object : objects.objects) stay_within(object.root(), sources);
  return 0;
}
