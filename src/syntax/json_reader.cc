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

  Events(std::string_view text, const Counter& counter, DocumentBuilder& builder)
      : text_(text), counter_(counter), builder_(builder) {}

  bool null() {
    builder_.null(take(Kind::Word).begin);
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
    while (kind == Kind::Number && end > begin && std::string_view("0123456789+-.eE").find(text_[end - 1]) == std::string_view::npos) --end;
    end = std::max(begin, end);
    end_ = end;
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }
  bool plain(Kind kind) {
    const Token token = take(kind);
    builder_.scalar(token.begin, token.end, std::string(text_.substr(token.begin, token.end - token.begin)), ScalarStyle::Plain);
    return has_room();
  }
  bool quoted(std::string& value) {
    const Token token = take(Kind::Word);
    builder_.scalar(token.begin, token.end, value, ScalarStyle::Quoted);
    return has_room();
  }
  bool open(NodeKind kind) {
    const Token token = take(Kind::Mark);
    if (builder_.begin_container(kind, token.begin)) return true;
    return refuse("nested too deeply (more than 500 levels)", token.begin);
  }
  bool has_room() { return !builder_.is_full() || refuse("more than 2,000,000 values", 0); }
  bool refuse(std::string why, std::size_t at) {
    error_ = {std::move(why), at};
    return false;
  }
  bool close() {
    builder_.end_container(take(Kind::Mark).end);
    return true;
  }

  std::string_view text_;
  const Counter& counter_;
  DocumentBuilder& builder_;
  std::size_t end_ = 0;
  JsonError error_;
};

}  // namespace

bool read_json(FileId file, std::string_view text, Document& out, std::vector<Finding>& findings) {
  const Span whole{file, 0, static_cast<std::uint32_t>(text.size())};
  DocumentBuilder builder(file, whole);
  Counter counter;
  Events events(text, counter, builder);
  const char* begin = text.data();
  const bool good = nlohmann::json::sax_parse(CountingIterator(begin, &counter),
                                              CountingIterator(begin + text.size(), &counter), &events);
  if (!good) {
    const auto at = static_cast<std::uint32_t>(std::min(events.error().at, text.size()));
    const auto end = static_cast<std::uint32_t>(std::min<std::size_t>(at + 1, text.size()));
    findings.push_back(problem("json-syntax", {file, at, end}, events.error().message));
    return false;
  }
  out = std::move(builder).finish();
  report_duplicate_keys(out, findings);
  return true;
}

}  // namespace muster
