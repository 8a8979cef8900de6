#include "syntax/json_reader.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "syntax/duplicate_keys.h"
#include "syntax/json_error.h"

namespace muster {
namespace {

struct Counter {
  std::size_t read = 0;
};

/// Input iterator that counts what was read, because SAX callbacks carry no position.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, Counter* counter) : at_(at), counter_(counter) {}
  const char& operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++counter_->read;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  Counter* counter_;
};

class Events {
 public:
  using Json = nlohmann::json;

  /// `text` begins at `base` of its file.
  Events(std::string_view text, std::size_t base, const Counter& counter, DocumentBuilder& builder)
      : text_(text), base_(static_cast<std::uint32_t>(base)), counter_(counter), builder_(builder) {}

  bool null() {
    builder_.null(base_ + take(Kind::Word).begin);
    return has_room();
  }
  bool boolean(bool) { return plain(Kind::Word); }
  // As written: 1.0 is no integer and 18446744073709551616 is that number.
  bool number_integer(Json::number_integer_t) { return plain(Kind::Number); }
  bool number_unsigned(Json::number_unsigned_t) { return plain(Kind::Number); }
  bool number_float(Json::number_float_t, const std::string&) { return plain(Kind::Number); }
  bool string(std::string& value) { return quoted(value); }
  bool key(std::string& value) { return quoted(value); }
  bool binary(Json::binary_t&) { return true; }
  bool start_object(std::size_t) { return open(NodeKind::Mapping); }
  bool start_array(std::size_t) { return open(NodeKind::Sequence); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool parse_error(std::size_t position, const std::string&, const Json::exception& error) {
    error_ = json_error(position, error);
    return false;
  }

  const JsonError& error() const { return error_; }

 private:
  enum class Kind { Word, Number, Mark };
  struct Token {
    std::uint32_t begin;
    std::uint32_t end;
  };

  /// The token that has just been read: from the end of the one before it, blanks and punctuation skipped.
  Token take(Kind kind) {
    std::size_t begin = std::min(text_.find_first_not_of(" \t\r\n,:", end_), text_.size());
    std::size_t end = std::min(counter_.read, text_.size());
    // Numbers end where something else begins: the iterator stands one further.
    while (kind == Kind::Number && end > begin &&
           std::string_view("0123456789+-.eE").find(text_[end - 1]) == std::string_view::npos)
      --end;
    end = std::max(begin, end);
    end_ = end;
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }
  bool plain(Kind kind) {
    const Token token = take(kind);
    const std::string_view text = text_.substr(token.begin, token.end - token.begin);
    builder_.scalar(base_ + token.begin, base_ + token.end, text, ScalarStyle::Plain);
    return has_room();
  }
  bool quoted(std::string& value) {
    const Token token = take(Kind::Word);
    builder_.scalar(base_ + token.begin, base_ + token.end, value, ScalarStyle::Quoted);
    return has_room();
  }
  bool open(NodeKind kind) {
    const Token token = take(Kind::Mark);
    if (builder_.begin_container(kind, base_ + token.begin)) return true;
    return refuse("nested too deeply (more than 500 levels)", token.begin);
  }
  bool has_room() { return !builder_.is_full() || refuse("more than 2,000,000 values", 0); }
  bool refuse(std::string why, std::size_t at) {
    error_ = {std::move(why), at};
    return false;
  }
  bool close() {
    builder_.end_container(base_ + take(Kind::Mark).end);
    return true;
  }

  std::string_view text_;
  std::uint32_t base_;
  const Counter& counter_;
  DocumentBuilder& builder_;
  std::size_t end_ = 0;
  JsonError error_;
};

/// One text from `at` on, which moves behind it.
bool read_one(std::string_view file_text, std::size_t& at, Span where, bool strict, Document& out,
              std::vector<Finding>& findings) {
  const std::string_view text = file_text.substr(at, where.end - at);
  const std::size_t first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  DocumentBuilder builder(where.file, {where.file, static_cast<std::uint32_t>(at + (strict ? 0 : first)), where.end});
  Counter counter;
  Events events(text, at, counter, builder);
  const bool good = nlohmann::json::sax_parse(CountingIterator(text.data(), &counter),
                                              CountingIterator(text.data() + text.size(), &counter), &events,
                                              nlohmann::json::input_format_t::json, strict);
  out = std::move(builder).finish();
  const JsonError error = good ? strict ? zero_byte_in(text) : JsonError{} : events.error();
  if (!good || !error.message.empty()) {
    const auto wrong = static_cast<std::uint32_t>(at + std::min(error.at, text.size()));
    findings.push_back(problem("json-syntax", {where.file, wrong, std::min(wrong + 1, where.end)}, error.message));
    return false;
  }
  at += counter.read;
  return true;
}

}  // namespace

bool read_json(FileId file, std::string_view text, Document& out, std::vector<Finding>& findings) {
  std::size_t at = 0;
  if (!read_one(text, at, {file, 0, static_cast<std::uint32_t>(text.size())}, true, out, findings)) return false;
  report_duplicate_keys(out, findings);
  return true;
}

bool read_json_documents(std::string_view text, Span where, std::deque<Document>& out, std::vector<Finding>& findings) {
  for (std::size_t at = where.begin;;) {
    at = text.find_first_not_of(" \t\r\n", at);
    if (at >= where.end) return true;
    out.emplace_back();
    const bool container = text[at] == '{' || text[at] == '[';  // others would end where nobody sees it
    if (!read_one(text, at, where, !container, out.back(), findings)) return false;
    report_duplicate_keys(out.back(), findings);
    if (!container) return true;
  }
}

}  // namespace muster
