#include "helm/read_output.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "helm/line_places.h"
#include "helm/move_places.h"
#include "kustomize/tree.h"
#include "syntax/yaml_reader.h"

namespace muster {
namespace {

constexpr std::string_view kBegin = "---\n# Source: ";

/// What one template wrote in one go.
struct Section {
  std::string_view source;
  Span where;  ///< of what stands behind the line that names the source
};

std::vector<Section> sections_of(std::string_view output) {
  std::vector<Section> out;
  std::size_t at = output.starts_with(kBegin) ? 0 : output.find("\n" + std::string(kBegin));
  while (at != output.npos) {
    const std::size_t name = at + (output[at] == '\n' ? 1 : 0) + kBegin.size();
    const std::size_t line = std::min(output.find('\n', name), output.size());
    const std::size_t begin = std::min(line + 1, output.size());
    at = output.find("\n" + std::string(kBegin), line);
    const std::size_t end = at == output.npos ? output.size() : at + 1;
    out.push_back({output.substr(name, line - name),
                   {FileId{0}, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(std::max(begin, end))}});
  }
  return out;
}

/// From places in a section to places in its template.
class Places {
 public:
  Places(const SourceFile& output, const Span& section, FileId file, const SourceFile& written)
      : output_(output),
        first_(output.position(section.begin).line),
        file_(file),
        written_(written),
        lines_(lines_that_wrote(output.text().substr(section.begin, section.end - section.begin), written.text())) {}

  /// A word where the template has it, too; else what prints it: the action of that line, or the line.
  Span at(const Span& rendered) const {
    const Span whole = line(line_of(rendered.begin));
    const std::string_view text = written_.text().substr(whole.begin, whole.end - whole.begin);
    const std::string_view word = output_.text().substr(rendered.begin, rendered.end - rendered.begin);
    const std::string_view before = trim(output_.line(output_.position(rendered.begin).line));
    // The second one where the word stands twice: `name: name`.
    const bool value = !before.starts_with(word) && !before.starts_with("- " + std::string(word));
    const std::size_t found = value ? text.rfind(word) : text.find(word);
    if (!word.empty() && found != text.npos) return part(whole, found, word.size());
    const std::size_t open = text.find("{{");
    const std::size_t close = text.rfind("}}");
    if (open != text.npos && close != text.npos && close > open) return part(whole, open, close + 2 - open);
    return whole;
  }

  Span around(const Span& rendered) const {
    const Span first = line(line_of(rendered.begin));
    const Span last = line(line_of(rendered.end > rendered.begin ? rendered.end - 1 : rendered.begin));
    return {file_, first.begin, std::max(first.end, last.end)};
  }

 private:
  std::uint32_t line_of(std::uint32_t offset) const {
    const std::size_t line = output_.position(offset).line - first_;
    return lines_[std::min(line, lines_.size() - 1)];
  }

  /// A line of the template without the blanks around it.
  Span line(std::uint32_t number) const {
    const std::string_view text = written_.line(number);
    const std::string_view kept = trim(text);
    const auto begin = written_.line_start(number) + static_cast<std::uint32_t>(kept.data() - text.data());
    return {file_, begin, begin + static_cast<std::uint32_t>(kept.size())};
  }

  static Span part(const Span& whole, std::size_t at, std::size_t size) {
    const auto begin = whole.begin + static_cast<std::uint32_t>(at);
    return {whole.file, begin, begin + static_cast<std::uint32_t>(size)};
  }

  const SourceFile& output_;
  std::uint32_t first_;
  FileId file_;
  const SourceFile& written_;
  std::vector<std::uint32_t> lines_;
};

}  // namespace

ChartObjects read_helm_output(std::string output, const std::map<std::string, FileId, std::less<>>& templates,
                              const SourceMap& sources) {
  ChartObjects out;
  SourceMap own;  // with this one file
  const SourceFile& file = own.file(own.add("helm", std::move(output)));
  kustomize::Work work;
  for (const Section& section : sections_of(file.text())) {
    const auto found = templates.find(section.source);
    const auto trouble = [&](std::string why) {
      if (out.trouble.empty()) out.trouble = std::string(section.source) + ": " + std::move(why);
    };
    Document read;
    std::vector<Finding> findings;
    if (!read_yaml(file.text(), section.where, read, findings)) {
      trouble(findings.empty() ? "it cannot be read" : findings.front().message);
      continue;
    }
    if (!read.root().is_mapping()) continue;  // an empty one
    if (found == templates.end()) {
      ++out.elsewhere;
      continue;
    }
    kustomize::Tree tree;
    Document placed;
    if (!kustomize::copy_of(read.root(), own, nullptr, work, tree)) {
      trouble(work.trouble);
      continue;
    }
    move_places(tree, Places(file, section.where, found->second, sources.file(found->second)));
    if (!kustomize::to_document(tree, placed)) {
      trouble("it is nested too deeply");
      continue;
    }
    out.objects.push_back(std::move(placed));
    out.templates.insert(found->second);
  }
  return out;
}

}  // namespace muster
