#include "syntax/yaml_reader.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <istream>
#include <streambuf>

#include "base/strings.h"
#include "syntax/duplicate_keys.h"

namespace muster {
namespace {

/// Lets yaml-cpp read a view without a copy.
class ViewBuffer final : public std::streambuf {
 public:
  explicit ViewBuffer(std::string_view text) {
    char* begin = const_cast<char*>(text.data());  // NOLINT: a streambuf wants char*, a get area is never written
    setg(begin, begin, begin + text.size());
  }
};

struct TooDeep {};

/// Turns yaml-cpp's events into our tree and finds the end of each scalar, which yaml-cpp does not tell.
class Events final : public YAML::EventHandler {
 public:
  Events(std::string_view text, Span where, DocumentBuilder& builder)
      : text_(text), offset_(where.begin), builder_(builder) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { builder_.null(place(mark)); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const std::size_t begin = at(mark);
    builder_.alias(absolute(begin), absolute(word_end(begin)), anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor, const std::string& value) override {
    const std::size_t begin = behind_properties(at(mark));
    const char first = begin < text_.size() ? text_[begin] : ' ';
    const bool quoted = first == '"' || first == '\'';
    const bool block = first == '|' || first == '>';
    builder_.scalar(absolute(begin), absolute(scalar_end(begin, value)), value,
                    quoted || block ? ScalarStyle::Quoted : ScalarStyle::Plain, anchor);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    if (!builder_.begin_container(NodeKind::Sequence, place(mark), anchor)) throw TooDeep{};
  }
  void OnSequenceEnd() override { builder_.end_container(0); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    if (!builder_.begin_container(NodeKind::Mapping, place(mark), anchor)) throw TooDeep{};
  }
  void OnMapEnd() override { builder_.end_container(0); }

 private:
  std::size_t at(const YAML::Mark& mark) const {
    return std::min(text_.size(), static_cast<std::size_t>(std::max(0, mark.pos)));
  }
  std::uint32_t absolute(std::size_t at) const { return offset_ + static_cast<std::uint32_t>(at); }
  std::uint32_t place(const YAML::Mark& mark) const { return absolute(behind_properties(at(mark))); }

  std::size_t word_end(std::size_t at) const {
    return std::min(text_.find_first_of(" \t\r\n,[]{}", at), text_.size());
  }

  /// Marks of tagged and anchored values stand at the tag or anchor.
  std::size_t behind_properties(std::size_t at) const {
    while (at < text_.size() && (text_[at] == '&' || text_[at] == '!')) {
      const std::size_t next = text_.find_first_not_of(" \t\r\n", word_end(at));
      if (next == text_.npos) return at;
      at = next;
    }
    return at;
  }

  std::size_t scalar_end(std::size_t begin, const std::string& value) const {
    if (begin >= text_.size()) return begin;
    const char quote = text_[begin];
    if (quote == '"' || quote == '\'') {
      for (std::size_t at = begin + 1; at < text_.size(); ++at) {
        if (quote == '"' && text_[at] == '\\') {
          ++at;
        } else if (text_[at] == quote) {
          if (quote == '"' || text_.substr(at + 1, 1) != "'") return at + 1;
          ++at;
        }
      }
      return text_.size();
    }
    if (text_.substr(begin, value.size()) == value) return begin + value.size();
    return std::min(text_.find_first_of("\r\n", begin), text_.size());  // several lines: the first one stands for all
  }

  std::string_view text_;
  std::uint32_t offset_;
  DocumentBuilder& builder_;
};

/// yaml-cpp says "bad file" for nesting beyond its limit and has a few other words nobody would understand.
std::string in_plain_words(const std::string& message) {
  if (message == "bad file") return "nested too deeply (more than 500 levels)";
  if (message == "illegal map value") return "a value is not allowed here; check the indentation and quote texts with `: `";
  if (message == "illegal block entry") return "a list item is not allowed here; check the indentation";
  if (message == "end of map not found") return "this does not belong to the mapping above it; check the indentation";
  if (message == "end of sequence not found") return "this does not belong to the list above it; check the indentation";
  if (message == "illegal tab when looking for indentation") return "a tab is used for indentation; YAML wants blanks";
  return message;
}

}  // namespace

std::vector<Span> split_yaml_documents(FileId file, std::string_view text) {
  std::vector<Span> documents;
  std::size_t begin = 0;
  bool content = false;
  bool directives = false;  // `%` lines wait for their `---`
  const auto close = [&](std::size_t end) {
    if (content) documents.push_back({file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
    content = false;
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const bool marker_ends = line.size() == 3 || (line.size() > 3 && trim(line.substr(3, 1)).empty());
    if (line.starts_with("---") && marker_ends) {
      if (!directives) {
        close(at);
        begin = at;
      }
      directives = false;
      const std::string_view rest = trim(line.substr(3));
      content = !rest.empty() && rest.front() != '#';
    } else if (line.starts_with("...") && marker_ends) {
      close(at);
      begin = std::min(end + 1, text.size());
    } else if (line.starts_with('%') && !content) {
      if (!directives) begin = at;
      directives = true;
    } else {
      const std::string_view words = trim(line);
      content = content || (!words.empty() && words.front() != '#');
    }
    at = end + 1;
  }
  close(text.size());
  return documents;
}

bool read_yaml(std::string_view text, Span where, Document& out, std::vector<Finding>& findings) {
  const std::string_view piece = text.substr(where.begin, where.end - where.begin);
  DocumentBuilder builder(where.file, where);
  const auto fail = [&](std::size_t at, const std::string& message) {
    const auto begin = where.begin + static_cast<std::uint32_t>(std::min(at, piece.size()));
    findings.push_back(problem("yaml-syntax", {where.file, begin, std::min(begin + 1, where.end)}, message));
    return false;
  };
  try {
    ViewBuffer buffer(piece);
    std::istream stream(&buffer);
    YAML::Parser parser(stream);
    Events events(piece, where, builder);
    parser.HandleNextDocument(events);
  } catch (const YAML::Exception& error) {
    return fail(static_cast<std::size_t>(std::max(0, error.mark.pos)), in_plain_words(error.msg));
  } catch (const TooDeep&) {
    return fail(0, in_plain_words("bad file"));
  }
  out = std::move(builder).finish();
  report_duplicate_keys(out.root(), findings);
  return true;
}

}  // namespace muster
