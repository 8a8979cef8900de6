#include "pipeline/compose_parts.h"

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::size_t kMostLetters = 200'000;  // of a file: of larger ones not all values are kept

}  // namespace

const WrittenValue* part_of(const WrittenValue& service, std::string_view key, int depth) {
  if (const WrittenValue* own = service.find(key)) return own;
  const WrittenValue* merged = depth < 3 ? service.find("<<") : nullptr;
  if (is_map(merged)) return part_of(*merged, key, depth + 1);
  const WrittenValue* found = nullptr;
  each_item(merged, [&](const WrittenValue& one) {
    if (found == nullptr && is_map(&one)) found = part_of(one, key, depth + 1);
  });
  return found;
}

std::optional<Mount> mount_of(const WrittenValue& value) {
  Mount out;
  if (is_map(&value)) {
    out.source = value.text_of("source");
    out.target = value.text_of("target");
    out.named = value.text_of("type") == "volume";
    if (value.text_of("type") != "bind" && !out.named) return std::nullopt;
    return out;
  }
  if (!value.is_text() || contains(value.text(), "$")) return std::nullopt;
  const std::vector<std::string_view> parts = split(value.text(), ':');
  if (parts.size() < 2 || parts.size() > 3 || parts[0].empty()) return std::nullopt;
  if (parts[0].size() == 1) return std::nullopt;  // C:/data:/data
  out.source = parts[0];
  out.target = parts[1];
  out.named = out.source.find_first_of("/\\~.") != 0 && !contains(out.source, "/");
  return out;
}

std::optional<std::string_view> mount_target_of(const WrittenValue& value) {
  if (const std::optional<Mount> mount = mount_of(value)) return mount->target;
  if (value.kind != WrittenValue::Kind::Text) return std::nullopt;
  const std::string_view text = value.text();
  const std::size_t end = text.rfind('}');
  if (!text.starts_with("${") || end == text.npos) return std::nullopt;
  const std::size_t slash = text.find(":/", end);  // behind `${DATA}`, `${DATA}/jobs`
  if (slash == text.npos || contains(text.substr(end), "$")) return std::nullopt;
  return text.substr(slash + 1, text.find(':', slash + 1) - slash - 1);
}

std::vector<ComposeFile> compose_files_of(const Model& model) {
  const ManifestDef* def = &manifest_def("compose_files");
  std::vector<ComposeFile> out;
  for (const Manifest& one : model.manifests) {
    if (one.def != def || one.where.end - one.where.begin > kMostLetters) continue;
    const WrittenValue* services = one.part("config").find("services");
    if (is_map(services)) out.push_back({&one, std::string(folder_of(one.file)), services});
  }
  return out;
}

}  // namespace muster
