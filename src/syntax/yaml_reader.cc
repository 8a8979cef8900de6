#include "syntax/yaml_reader.h"

#include <yaml.h>

#include <algorithm>
#include <map>

#include "base/strings.h"
#include "base/utf8.h"
#include "syntax/duplicate_keys.h"
#include "syntax/usual_yaml.h"

namespace muster {
namespace {

/// libyaml counts code points; our places are bytes. Marks are near each other, so a cursor walks from one to the next.
class Offsets {
 public:
  explicit Offsets(std::string_view text) : text_(text), ascii_(is_ascii(text)) {}

  std::size_t of(std::size_t code_point) {
    if (ascii_) return std::min(code_point, text_.size());
    while (at_ < code_point && byte_ < text_.size()) {
      ++byte_;
      while (byte_ < text_.size() && continues(byte_)) ++byte_;
      ++at_;
    }
    while (at_ > code_point && byte_ > 0) {
      --byte_;
      while (byte_ > 0 && continues(byte_)) --byte_;
      --at_;
    }
    return byte_;
  }

 private:
  bool continues(std::size_t byte) const { return (static_cast<unsigned char>(text_[byte]) & 0xC0) == 0x80; }

  std::string_view text_;
  bool ascii_;
  std::size_t at_ = 0;
  std::size_t byte_ = 0;
};

/// libyaml's parser with its memory.
class Parser {
 public:
  explicit Parser(std::string_view text) {
    good_ = yaml_parser_initialize(&parser_) == 1;
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  ~Parser() { yaml_parser_delete(&parser_); }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  bool next(yaml_event_t& event) { return good_ && yaml_parser_parse(&parser_, &event) == 1; }
  const yaml_parser_t& state() const { return parser_; }

 private:
  yaml_parser_t parser_{};
  bool good_ = false;
};

std::string text_of(const unsigned char* text) { return text == nullptr ? "" : reinterpret_cast<const char*>(text); }

constexpr std::string_view kBinaryTag = "tag:yaml.org,2002:binary";
constexpr std::string_view kMergeTag = "tag:yaml.org,2002:merge";  // a `<<` with it is one all the same

/// `!!binary a2luZA==` is the text `kind`, of keys, too. What is not base64 stays as it is.
std::string from_base64(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=' || c == ' ' || c == '\n') continue;
    const std::size_t digit = kDigits.find(c);
    if (digit == kDigits.npos) return std::string(text);
    bits = (bits << 6) | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>((bits >> count) & 0xFF);
  }
  return out;
}

/// libyaml compares each directive with all before it.
constexpr std::size_t kMostDirectives = 1000;

/// The lines that begin with `%`, up to the first that is neither one nor a comment nor blank.
std::size_t count_directives(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = trim(text.substr(at, end - at));
    if (line.starts_with('%')) {
      ++count;
    } else if (!line.empty() && !line.starts_with('#')) {
      break;
    }
    at = end + 1;
  }
  return count;
}

class Reader {
 public:
  Reader(std::string_view text, Span where) : text_(text), where_(where), offsets_(text), builder_(where.file, where) {}

  bool run(Document& out, std::vector<Finding>& findings) {
    if (count_directives(text_) > kMostDirectives) {
      findings.push_back(problem("yaml-syntax", where_of(where_.begin), "more than 1,000 directives"));
      out = std::move(builder_).finish();
      return false;
    }
    Parser parser(text_);
    for (bool more = true; more;) {
      yaml_event_t event;
      if (!parser.next(event)) {
        findings.push_back(syntax_error(parser.state()));
        out = std::move(builder_).finish();
        return false;
      }
      more =
          take(event) && (!builder_.is_full() || refuse(where_.begin, where_.begin + 1, "more than 2,000,000 values"));
      yaml_event_delete(&event);
    }
    if (refused_.empty() && builder_.has_excessive_aliases())
      refuse(where_.begin, where_.begin + 1, "document contains excessive aliasing");
    if (!refused_.empty()) {
      findings.push_back(problem("yaml-syntax", refused_at_, refused_));
      out = std::move(builder_).finish();
      return false;
    }
    report_rest(parser, findings);
    out = std::move(builder_).finish();
    return true;
  }

 private:
  std::uint32_t place(const yaml_mark_t& mark) {
    return where_.begin + static_cast<std::uint32_t>(offsets_.of(mark.index));
  }
  Span where_of(std::uint32_t at) const {
    return {where_.file, std::min(at, where_.end), std::min(at + 1, where_.end)};
  }

  /// The words kubectl shows for the same mistake: its parser is a port of libyaml.
  Finding syntax_error(const yaml_parser_t& parser) {
    std::string message = parser.problem == nullptr ? "not YAML" : parser.problem;
    if (parser.context != nullptr) message = std::string(parser.context) + ": " + message;
    const bool reader = parser.error == YAML_READER_ERROR;
    const std::uint32_t at =
        reader ? where_.begin + static_cast<std::uint32_t>(std::min(parser.problem_offset, text_.size()))
               : place(parser.problem_mark);
    return problem("yaml-syntax", where_of(at), message);
  }

  /// A root that is complete before the text ends, as in `{a: b}` and a line `c: d` below it: kubectl reads the root
  /// and says nothing of the rest.
  void report_rest(Parser& parser, std::vector<Finding>& findings) {
    yaml_event_t event;
    const bool good = parser.next(event);
    const std::uint32_t at = good ? place(event.start_mark) : place(parser.state().problem_mark);
    const bool ends = good && event.type == YAML_STREAM_END_EVENT;
    if (good) yaml_event_delete(&event);
    if (!ends)
      findings.push_back(
          problem("yaml-syntax", where_of(at), "the document is complete before this: what stands here is not read"));
  }

  std::size_t anchor_of(const unsigned char* name) {
    return name == nullptr ? 0 : anchors_[text_of(name)] = ++last_anchor_;
  }

  /// False at the end of the document.
  bool take(const yaml_event_t& event) {
    switch (event.type) {
      case YAML_SCALAR_EVENT: scalar(event); return true;
      case YAML_ALIAS_EVENT: return alias(event);
      case YAML_SEQUENCE_START_EVENT: return begin(event, NodeKind::Sequence, event.data.sequence_start.anchor);
      case YAML_MAPPING_START_EVENT: return begin(event, NodeKind::Mapping, event.data.mapping_start.anchor);
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT: end(event); return true;
      case YAML_DOCUMENT_END_EVENT:
      case YAML_STREAM_END_EVENT: return false;
      case YAML_STREAM_START_EVENT:
      case YAML_DOCUMENT_START_EVENT:
      case YAML_NO_EVENT: break;
    }
    return true;
  }

  bool begin(const yaml_event_t& event, NodeKind kind, const unsigned char* anchor) {
    const std::uint32_t at = behind_properties(place(event.start_mark));
    if (builder_.begin_container(kind, at, anchor_of(anchor))) return true;
    return refuse(at, at + 1, "nested too deeply (more than 500 levels)");
  }

  /// Flow collections end at their bracket; block collections, whose end libyaml sees on the next line, at their last
  /// value.
  void end(const yaml_event_t& event) {
    const std::uint32_t first = place(event.start_mark);
    const std::uint32_t last = place(event.end_mark);
    builder_.end_container(last > first ? last : 0);
  }

  void scalar(const yaml_event_t& event) {
    const auto& data = event.data.scalar;
    std::string_view value(reinterpret_cast<const char*>(data.value), data.length);
    std::string decoded;
    if (data.tag != nullptr && text_of(data.tag) == kBinaryTag) value = decoded = from_base64(value);
    const bool merge = data.tag != nullptr && text_of(data.tag) == kMergeTag;
    const bool plain = data.style == YAML_PLAIN_SCALAR_STYLE && (data.plain_implicit == 1 || merge);
    std::uint32_t begin = place(event.start_mark);
    std::uint32_t end = place(event.end_mark);
    const bool empty = value.empty() || value == "~" || value == "null" || value == "Null" || value == "NULL";
    if (plain && empty && data.anchor == nullptr) return builder_.null(begin);
    begin = std::min(behind_properties(begin), end);
    while (end > begin && is_white(text_[end - where_.begin - 1])) --end;
    builder_.scalar(begin, end, value, plain ? ScalarStyle::Plain : ScalarStyle::Quoted, anchor_of(data.anchor));
  }

  /// False, as every value that ends the reading.
  bool refuse(std::uint32_t begin, std::uint32_t end, std::string why) {
    refused_ = std::move(why);
    refused_at_ = {where_.file, begin, end};
    return false;
  }

  /// What kubectl refuses is refused in its words. Source: go-yaml/yaml v2.4.0, decode.go.
  bool alias(const yaml_event_t& event) {
    const std::string name = text_of(event.data.alias.anchor);
    const std::uint32_t begin = place(event.start_mark);
    const std::uint32_t end = place(event.end_mark);
    const auto found = anchors_.find(name);
    if (found == anchors_.end()) return refuse(begin, end, "unknown anchor `" + name + "` referenced");
    if (!builder_.alias(begin, end, found->second))
      return refuse(begin, end, "anchor `" + name + "` value contains itself");
    return true;
  }

  /// Marks of tagged and anchored values stand at the tag or anchor.
  std::uint32_t behind_properties(std::uint32_t place) const {
    std::size_t at = place - where_.begin;
    while (at < text_.size() && (text_[at] == '&' || text_[at] == '!')) {
      const std::size_t word = std::min(text_.find_first_of(" \t\r\n,[]{}", at), text_.size());
      const std::size_t next = text_.find_first_not_of(" \t\r\n", word);
      if (next == text_.npos) break;
      at = next;
    }
    return where_.begin + static_cast<std::uint32_t>(at);
  }

  std::string_view text_;
  Span where_;
  Offsets offsets_;
  DocumentBuilder builder_;
  std::map<std::string, std::size_t> anchors_;
  std::size_t last_anchor_ = 0;
  std::string refused_;  ///< why the document is not read; empty while it is
  Span refused_at_;
};

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
    if (content && text[at] != '-' && text[at] != '.') {  // most lines
      at = end + 1;
      continue;
    }
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

bool read_with_libyaml(std::string_view text, Span where, Document& out, std::vector<Finding>& findings) {
  return Reader(text.substr(where.begin, where.end - where.begin), where).run(out, findings);
}

bool read_yaml(std::string_view text, Span where, Document& out, std::vector<Finding>& findings) {
  const bool usual = read_usual_yaml(text.substr(where.begin, where.end - where.begin), where, out);
  if (!usual && !read_with_libyaml(text, where, out, findings)) return false;
  report_duplicate_keys(out, findings);
  return true;
}

}  // namespace muster
