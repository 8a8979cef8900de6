#include "kubernetes/check_containerd.h"

#include <string>

#include "base/strings.h"
#include "syntax/cut_text.h"

namespace muster {
namespace {

constexpr std::string_view kOldPlugin = "io.containerd.grpc.v1.cri";

/// `[plugins."io.containerd.grpc.v1.cri"]` itself, not the tables below it.
bool is_old_section(std::string_view line) {
  if (!line.starts_with("[plugins") || !line.ends_with(']')) return false;
  const std::size_t at = line.find(kOldPlugin);
  return at != line.npos && line.substr(at + kOldPlugin.size()).find('.') == line.npos;
}

}  // namespace

void check_containerd(std::string_view text, FileId file, std::vector<Finding>& findings) {
  if (!contains(text, kOldPlugin) || !contains(text, "enable_cdi")) return;
  bool inside = false;
  bool second_version = false;
  for (const TextLine& whole : lines_of(text)) {
    const std::string_view line = trim(whole.text);
    if (line.starts_with('[')) inside = is_old_section(line);
    if (line.starts_with("```")) inside = second_version = false;
    if (line.starts_with("version")) second_version = trim(line.substr(7)).starts_with('=') && line.ends_with('2');
    if (!inside || second_version || !line.starts_with("enable_cdi") || !line.ends_with("true")) continue;
    findings.push_back(problem("containerd-cdi-section-old", span_of_part(file, text, line),
                               "`enable_cdi` stands in the section of configs of version 2"));
  }
}

}  // namespace muster
