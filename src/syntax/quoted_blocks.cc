#include "syntax/quoted_blocks.h"

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace muster {
namespace {

/// `yaml` of `yaml title="x"`, `{.yaml .numberLines}` and `YAML`.
std::string language_in(std::string_view info) {
  info = trim(info);
  info = info.substr(std::min(info.find_first_not_of("{. "), info.size()));
  info = info.substr(0, info.find_first_of(" \t,{}:="));
  return to_lower(info);
}

/// How many of one character a line begins with, where they can be a fence.
std::size_t fence_length(std::string_view line) {
  if (line.empty() || (line.front() != '`' && line.front() != '~')) return 0;
  const std::size_t length = std::min(line.find_first_not_of(line.front()), line.size());
  return length < 3 ? 0 : length;
}

bool closes(std::string_view line, std::string_view fence) {
  line = trim(line);
  return line.starts_with(fence) && line.find_first_not_of(fence.front()) == line.npos;
}

/// Lines of comments, which begin at the left and have an end. Source: CommonMark 0.31, HTML blocks, 2.
std::vector<bool> commented(const std::vector<TextLine>& lines) {
  std::vector<bool> out(lines.size(), false);
  std::size_t end = 0;  // behind the last line with an end
  for (std::size_t i = lines.size(); i > 0 && end == 0; --i) end = contains(lines[i - 1].text, "-->") ? i : 0;
  bool open = false;
  for (std::size_t i = 0; i < end; ++i) {
    const std::string_view line = trim(lines[i].text);
    const bool begins = !open && line.starts_with("<!--");
    out[i] = open || begins;
    if (open || begins) open = !contains(line.substr(begins ? 4 : 0), "-->");
  }
  return out;
}

/// Markdown's; what stands in a comment nobody sees.
std::vector<QuotedBlock> fenced(const std::vector<TextLine>& lines) {
  std::vector<QuotedBlock> out;
  const std::vector<bool> comments = commented(lines);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (comments[i]) continue;
    const std::size_t indent = lines[i].indent();
    const std::string_view line = lines[i].text.substr(indent);
    const std::string_view fence = line.substr(0, fence_length(line));
    // A span of code within a line may begin with as many.
    if (fence.empty() || line.find('`', fence.size()) != line.npos) continue;
    QuotedBlock block;
    block.language = language_in(line.substr(fence.size()));
    for (++i; i < lines.size() && !closes(lines[i].text, fence); ++i)
      block.add(lines[i], indent, lines[i].text.substr(std::min(indent, lines[i].indent())));
    out.push_back(std::move(block));
  }
  return out;
}

/// `yaml` of `[source,yaml]` and `[,yaml,title="x"]`.
std::string attribute_language(std::string_view line) {
  line = trim(line);
  if (!line.starts_with('[') || !line.ends_with(']')) return {};
  const std::size_t comma = line.find(',');
  return comma == line.npos ? std::string() : language_in(line.substr(comma + 1, line.size() - comma - 2));
}

std::vector<QuotedBlock> delimited(const std::vector<TextLine>& lines) {
  std::vector<QuotedBlock> out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view fence = trim(lines[i].text);
    const bool opens = fence.size() >= 4 && (fence.front() == '-' || fence.front() == '.') &&
                       fence.find_first_not_of(fence.front()) == fence.npos;
    if (!opens) continue;
    QuotedBlock block;
    if (i > 0) block.language = attribute_language(lines[i - 1].text);
    for (++i; i < lines.size() && trim(lines[i].text) != fence; ++i) block.add(lines[i], 0, lines[i].text);
    out.push_back(std::move(block));
  }
  return out;
}

constexpr std::array<std::string_view, 3> kDirectives{".. code-block::", ".. code::", ".. sourcecode::"};

class Literals {
 public:
  explicit Literals(const std::vector<TextLine>& lines) : lines_(lines) {}

  std::vector<QuotedBlock> run() {
    for (at_ = 0; at_ < lines_.size();) {
      const TextLine& line = lines_[at_];
      const std::string_view text = trim(line.text);
      const auto directive =
          std::ranges::find_if(kDirectives, [&](std::string_view one) { return text.starts_with(one); });
      ++at_;
      if (directive != kDirectives.end()) {
        block(language_in(text.substr(directive->size())), line.indent(), true);
      } else if (text.ends_with("::") && !text.starts_with("..")) {
        block("", line.indent(), false);
      }
    }
    return std::move(out_);
  }

 private:
  /// What is indented by more than `outer`, behind the options of a directive.
  void block(std::string language, std::size_t outer, bool options) {
    while (options && at_ < lines_.size() && lines_[at_].indent() > outer && trim(lines_[at_].text).starts_with(':'))
      ++at_;
    while (at_ < lines_.size() && lines_[at_].blank()) ++at_;
    if (at_ == lines_.size() || lines_[at_].indent() <= outer) return;
    const std::size_t indent = lines_[at_].indent();
    QuotedBlock block;
    block.language = std::move(language);
    for (; at_ < lines_.size() && (lines_[at_].blank() || lines_[at_].indent() > outer); ++at_)
      block.add(lines_[at_], indent, lines_[at_].text.substr(std::min(indent, lines_[at_].indent())));
    out_.push_back(std::move(block));
  }

  const std::vector<TextLine>& lines_;
  std::size_t at_ = 0;
  std::vector<QuotedBlock> out_;
};

}  // namespace

std::vector<QuotedBlock> quoted_blocks(std::string_view text, Markup markup) {
  const std::vector<TextLine> lines = lines_of(text);
  switch (markup) {
    case Markup::Markdown: return fenced(lines);
    case Markup::ReStructuredText: return Literals(lines).run();
    case Markup::AsciiDoc: return delimited(lines);
  }
  return {};
}

}  // namespace muster
