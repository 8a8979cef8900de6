#include "syntax/json_lists.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "syntax/json_error.h"

namespace muster {
namespace {

constexpr std::size_t kListDepth = 2;  // the root, and a list in it

/// Events of nlohmann's parser; of members that nobody wants only the nesting is counted.
class ListEvents {
 public:
  using Json = nlohmann::json;

  ListEvents(FileId file, const JsonLists& lists) : file_(file), lists_(lists), root_(file, {file, 0, 0}) {}

  bool null() {
    if (enters()) builder().null(0);
    return has_room();
  }
  bool boolean(bool value) { return plain(value ? "true" : "false"); }
  bool number_integer(Json::number_integer_t value) { return plain(std::to_string(value)); }
  bool number_unsigned(Json::number_unsigned_t value) { return plain(std::to_string(value)); }
  bool number_float(Json::number_float_t, const std::string& text) { return plain(text); }
  bool string(std::string& value) {
    if (open_.size() == 1 && skipped_ == 0 && !skip_next_ && lists_.text) lists_.text(key_, value);
    if (enters()) builder().scalar(0, 0, value, ScalarStyle::Quoted);
    return has_room();
  }
  bool binary(Json::binary_t&) { return true; }
  bool key(std::string& value) {
    if (skipped_ > 0) return true;
    skip_next_ = !lists_.wanted(open_, value);
    if (skip_next_) return true;
    key_ = value;
    builder().scalar(0, 0, value, ScalarStyle::Quoted);
    return has_room();
  }
  bool start_object(std::size_t) { return open(NodeKind::Mapping); }
  bool start_array(std::size_t) { return open(NodeKind::Sequence); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool parse_error(std::size_t position, const std::string&, const Json::exception& error) {
    error_ = json_error(position, error);
    return false;
  }

  void finish() {
    const Document document = std::move(root_).finish();
    lists_.root(document.root());
  }
  const JsonError& error() const { return error_; }

 private:
  DocumentBuilder& builder() { return item_ ? *item_ : root_; }

  /// Whether a value is kept.
  bool enters() {
    key_.clear();
    if (skipped_ > 0) return false;
    return !std::exchange(skip_next_, false);
  }
  bool plain(std::string_view text) {
    if (enters()) builder().scalar(0, 0, text, ScalarStyle::Plain);
    return has_room();
  }
  bool open(NodeKind kind) {
    if (open_.size() + skipped_ >= DocumentBuilder::kMaxDepth)
      return refuse("nested too deeply (more than 500 levels)");
    if (skipped_ > 0 || std::exchange(skip_next_, false)) {
      ++skipped_;
      return true;
    }
    // A mapping in a list of the root is a document of its own.
    if (kind == NodeKind::Mapping && open_.size() == kListDepth && in_list_) item_.emplace(file_, Span{file_, 0, 0});
    if (open_.size() == 1) {
      in_list_ = kind == NodeKind::Sequence;
      list_ = key_;
    }
    open_.push_back(std::exchange(key_, std::string()));
    return builder().begin_container(kind, 0) || refuse("nested too deeply (more than 500 levels)");
  }
  bool close() {
    if (skipped_ > 0) {
      --skipped_;
      return true;
    }
    open_.pop_back();
    key_.clear();
    builder().end_container(0);
    if (item_ && open_.size() == kListDepth) {
      const Document document = std::move(*item_).finish();
      item_.reset();
      lists_.item(list_, document.root());
    }
    return true;
  }
  bool has_room() { return !builder().is_full() || refuse("more than 2,000,000 values in one object"); }
  bool refuse(std::string why) {
    error_.message = std::move(why);
    return false;
  }

  FileId file_;
  const JsonLists& lists_;
  DocumentBuilder root_;
  std::optional<DocumentBuilder> item_;
  std::vector<std::string> open_;  ///< the key that each open container stands under
  std::string key_;                ///< of the next value; empty in lists
  std::string list_;               ///< the member of the root that is open
  bool in_list_ = false;           ///< it is a list
  bool skip_next_ = false;
  std::size_t skipped_ = 0;  ///< open containers that nobody wants
  JsonError error_;
};

}  // namespace

bool read_json_lists(FileId file, std::string_view text, const JsonLists& lists, std::vector<Finding>& findings) {
  ListEvents events(file, lists);
  const bool good = nlohmann::json::sax_parse(text.data(), text.data() + text.size(), &events);
  const JsonError error = good ? zero_byte_in(text) : events.error();
  if (good && error.message.empty()) {
    events.finish();
    return true;
  }
  const std::size_t at = std::min(error.at, text.size());
  findings.push_back(problem(
      "json-syntax", {file, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(std::min(at + 1, text.size()))},
      error.message));
  return false;
}

}  // namespace muster
