#include "lsp/uri.h"

#include <filesystem>

#include "base/strings.h"

namespace muster {
namespace {

std::optional<char> hex_digit(char c) {
  if (is_digit(c)) return static_cast<char>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<char>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<char>(c - 'A' + 10);
  return std::nullopt;
}

/// Nothing where a `%` is not followed by a byte, or by one that no path holds.
std::optional<std::string> without_percent(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const std::optional<char> high = hex_digit(text[i + 1]);
    const std::optional<char> low = hex_digit(text[i + 2]);
    if (!high || !low || (*high == 0 && *low == 0)) return std::nullopt;
    out += static_cast<char>(*high * 16 + *low);
    i += 2;
  }
  return out;
}

}  // namespace

std::optional<std::string> path_of_uri(std::string_view uri) {
  constexpr std::string_view kScheme = "file://";
  if (!starts_with_ignoring_case(uri, kScheme)) return std::nullopt;
  uri.remove_prefix(kScheme.size());
  const std::size_t slash = uri.find('/');
  if (slash == uri.npos || (slash > 0 && !equals_ignoring_case(uri.substr(0, slash), "localhost"))) return std::nullopt;
  uri.remove_prefix(slash);
  std::optional<std::string> path = without_percent(uri.substr(0, uri.find_first_of("?#")));
  if (!path) return std::nullopt;
  std::string normal = std::filesystem::path(*path).lexically_normal().generic_string();
  while (normal.size() > 1 && normal.ends_with('/')) normal.pop_back();
  return normal;
}

std::string uri_of_path(std::string_view path) {
  constexpr std::string_view kPlain = "-._~/";
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out = "file://";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || kPlain.find(c) != kPlain.npos;
    if (plain) {
      out += c;
    } else {
      out += {'%', kDigits[byte / 16], kDigits[byte % 16]};
    }
  }
  return out;
}

bool lies_below(std::string_view folder, std::string_view path) {
  if (!path.starts_with(folder)) return false;
  return path.size() == folder.size() || folder.ends_with('/') || path[folder.size()] == '/';
}

std::string path_below(std::string_view folder, std::string_view path) {
  path.remove_prefix(folder.size());
  if (path.starts_with('/')) path.remove_prefix(1);
  return std::string(path);
}

}  // namespace muster
