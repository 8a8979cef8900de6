#include "generate/quote.h"

#include <algorithm>
#include <set>

#include "base/strings.h"
#include "base/utf8.h"
#include "syntax/slurm_conf_reader.h"
#include "syntax/write_yaml.h"
#include "syntax/yaml_reader.h"

namespace muster {
namespace {

bool is_alnum(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

bool is_word(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return is_alnum(c) || c == '.' || c == '-' || c == '_' || c == '/'; });
}

/// Plain where no YAML reader can take it for anything but itself: a number, or a word that is no keyword.
std::string quote_yaml(std::string_view text) {
  const std::optional<std::int64_t> number = parse_int(text);
  return number && std::to_string(*number) == text ? std::string(text) : yaml_text(text);
}

/// Slurm's files have no quoting that all of their values could use: a value has no blanks, quotes or comment signs.
std::optional<std::string> quote_slurm(std::string_view text) {
  const bool plain = !text.empty() && std::ranges::all_of(text, [](char c) {
    return static_cast<unsigned char>(c) > 0x20 && c != 0x7F && c != '#' && c != '"' && c != '\\' && c != '=';
  });
  return plain ? std::optional(std::string(text)) : std::nullopt;
}

/// A block of lines that are one text again when it is read: each break stands for one blank, the indent is that of a
/// key some levels deep. Nothing where the text has line breaks or blanks of its own that would be lost.
std::optional<std::string> fold_yaml(std::string_view text) {
  constexpr std::size_t kWidth = 108;
  constexpr std::string_view kIndent = "        ";
  const bool plain =
      !text.empty() && text.front() != ' ' && text.back() != ' ' && !first_invalid_utf8(text) &&
      std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
  if (!plain) return std::nullopt;
  std::string out = ">-";
  while (!text.empty()) {
    std::size_t end = text.size();
    for (std::size_t at = text.size() > kWidth ? text.find(' ') : text.npos; at != text.npos;
         at = text.find(' ', at + 1)) {
      if (at > kWidth && end != text.size()) break;
      if (text[at - 1] != ' ' && text[at + 1] != ' ') end = at;
    }
    out.append("\n").append(kIndent).append(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

/// Between single quotes a shell takes everything for itself.
std::optional<std::string> quote_shell(std::string_view text) {
  const bool plain = !text.empty() && std::ranges::all_of(text, [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 && c != 0x7F && c != '\'';
  });
  return plain ? std::optional("'" + std::string(text) + "'") : std::nullopt;
}

/// What stands between single quotes outside of comments. Templates have no other use for them.
void quoted_in(std::string_view text, std::set<std::string>& out) {
  for (const std::string_view line : split(text, '\n')) {
    if (trim(line).starts_with('#')) continue;
    for (std::size_t at = line.find('\''); at != line.npos;) {
      const std::size_t end = line.find('\'', at + 1);
      if (end == line.npos) break;
      out.emplace(line.substr(at + 1, end - at - 1));
      at = line.find('\'', end + 1);
    }
  }
}

void scalars_of(const Node& node, int depth, std::set<std::string>& out) {
  if (depth > 100) return;
  if (node.is_scalar()) out.emplace(node.text());
  for (std::size_t i = 0; i < node.size(); ++i) {
    if (node.is_mapping()) out.emplace(node.key(i).text());
    scalars_of(node.is_mapping() ? node.value(i) : node.item(i), depth + 1, out);
  }
}

}  // namespace

std::optional<std::string> quote(std::string_view value, ValueKind kind, OutputFormat format) {
  switch (kind) {
    case ValueKind::Word: return is_word(value) ? std::optional(std::string(value)) : std::nullopt;
    case ValueKind::Comment: return printable(value);
    case ValueKind::Folded: return format == OutputFormat::Yaml ? fold_yaml(value) : std::nullopt;
    case ValueKind::Quoted:
    case ValueKind::Text: break;
  }
  switch (format) {
    case OutputFormat::Yaml: return kind == ValueKind::Text ? yaml_text(value) : quote_yaml(value);
    case OutputFormat::SlurmConf: return quote_slurm(value);
    case OutputFormat::Shell: return quote_shell(value);
    case OutputFormat::Plain: return is_word(value) ? std::optional(std::string(value)) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::string> read_back(const std::string& text, OutputFormat format,
                                     const std::vector<std::string>& values) {
  const auto file = static_cast<FileId>(0);
  std::set<std::string> found;
  switch (format) {
    case OutputFormat::Plain: break;  // words cannot change the shape of a line
    case OutputFormat::Shell: quoted_in(text, found); break;
    case OutputFormat::Yaml:
      for (const Span& where : split_yaml_documents(file, text)) {
        Document document;
        std::vector<Finding> findings;
        if (!read_yaml(text, where, document, findings) || !findings.empty())
          return "it is not YAML: " + findings.front().message;
        scalars_of(document.root(), 0, found);
      }
      break;
    case OutputFormat::SlurmConf:
      for (const ConfLine& line : read_slurm_conf(file, text)) {
        if (!line.rest.empty() && !line.include) return "Slurm cannot read `" + line.rest + "`";
        for (const ConfPair& pair : line.pairs) found.insert(pair.value);
      }
      break;
  }
  for (const std::string& value : values) {
    if (format == OutputFormat::Plain) break;
    if (!found.contains(value)) return "the value `" + value + "` is not in it any more";
  }
  return std::nullopt;
}

}  // namespace muster
