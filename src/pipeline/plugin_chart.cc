#include "pipeline/plugin_chart.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "base/strings.h"
#include "pipeline/whole_input.h"

namespace muster {
namespace {

constexpr std::string_view kPlugin = "nvidia-device-plugin";
constexpr std::size_t kLongestPluginLine = 2000;  // of a longer one its end

/// What sets a label of its nodes, or changes what it asks for.
bool speaks_of_labels(std::string_view text) {
  constexpr std::array<std::string_view, 7> kWords{
      "gpu.present", "pci-10de", "cpu-model.vendor_id", "feature-discovery", "gfd", "nfd", "gpu-operator"};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return contains(text, word); });
}

/// Releases before 0.15 go to all nodes.
bool names_old_release(std::string_view text) {
  for (std::size_t at = text.find("0."); at != text.npos; at = text.find("0.", at + 1)) {
    if (at > 0 && (is_word_char(text[at - 1]) || text[at - 1] == '.') && text[at - 1] != 'v') continue;
    std::size_t end = at + 2;
    int minor = 0;
    while (end < text.size() && is_digit(text[end]) && end < at + 5) minor = minor * 10 + (text[end++] - '0');
    if (end > at + 2 && end < text.size() && text[end] == '.' && minor > 0 && minor < 15) return true;
  }
  return false;
}

/// Whether values of the chart, or its release, are said elsewhere.
bool leaves_open(std::string_view text) {
  for (const std::string_view word : {" -f ", "--values", "file(", "valueFiles", "valuesFrom", "values.yaml",
                                      "--version $", "--version \"$", "--version=$"}) {
    if (contains(text, word)) return true;
  }
  return std::ranges::any_of(split(text, '\n'), [](std::string_view line) {
    return trim(line).starts_with("version") && (contains(line, "var.") || contains(line, "local."));
  });
}

/// Where a file installs the chart: `chart = "nvidia-device-plugin"` of Terraform, `chart: nvidia-device-plugin`, or
/// the chart in a command of helm. npos: it does not.
std::size_t install_in(std::string_view path, std::string_view text) {
  const bool script = path.ends_with(".sh") || path.ends_with("Makefile");
  const bool manifest = path.ends_with(".yaml") || path.ends_with(".yml");
  if (!script && !manifest && !path.ends_with(".tf")) return text.npos;
  for (std::size_t at = find_part(text, kPlugin); at != text.npos; at = find_part(text, kPlugin, at + 1)) {
    const std::string_view near =
        text.substr(at < kLongestPluginLine ? 0 : at - kLongestPluginLine, std::min(at, kLongestPluginLine));
    const std::string_view before = trim(near.substr(near.rfind('\n') + 1));  // npos + 1 is 0
    if (before.starts_with('#') || before.starts_with("//")) continue;
    if (script) {
      const bool helm = contains(before, "helm install") || contains(before, "helm upgrade");
      if (helm && text[at - 1] == '/' && contains(before, " ")) return at;
      continue;
    }
    if (!before.starts_with("chart")) continue;
    std::string_view sign = trim(before.substr(5));
    if (!sign.empty() && (sign.back() == '"' || sign.back() == '\'')) sign = trim(sign.substr(0, sign.size() - 1));
    if (sign == (manifest ? ":" : "=")) return at;
  }
  return text.npos;
}

}  // namespace

void find_plugin_chart(const Inputs& inputs, std::vector<Finding>& findings) {
  if (!is_whole(inputs)) return;
  std::vector<Finding> found;
  const auto text_of = [&](std::size_t i) { return inputs.sources.file(static_cast<FileId>(i)).text(); };
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view text = text_of(i);
    const std::size_t at = install_in(inputs.files[i].context.path, text);
    if (at == text.npos || contains(text, "affinity") || names_old_release(text) || leaves_open(text)) continue;
    found.push_back(problem("plugin-chart-selects-no-node",
                            span_of_part(static_cast<FileId>(i), text, text.substr(at, kPlugin.size())),
                            "the device plugin is for nodes with labels that nothing of the input sets"));
  }
  if (found.empty()) return;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    if (speaks_of_labels(text_of(i))) return;
  }
  std::ranges::move(found, std::back_inserter(findings));
}

}  // namespace muster
