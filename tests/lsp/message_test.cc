// The frames around messages, cut anywhere and broken anyhow.
#include "lsp/message.h"

#include "support/catch.h"

namespace {

using muster::framed;
using muster::MessageReader;

std::vector<std::string> read_all(MessageReader& reader) {
  std::vector<std::string> out;
  while (std::optional<std::string> message = reader.next()) out.push_back(std::move(*message));
  return out;
}

std::string broken_by(const std::string& bytes) {
  MessageReader reader;
  reader.feed(bytes);
  read_all(reader);
  return reader.broken();
}

}  // namespace

TEST_CASE("messages come out whole wherever the stream is cut", "[lsp]") {
  const std::string stream = framed("{\"a\":1}") +
                             "content-length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\nhi" +
                             framed("") + framed("\r\n\r\n");
  const std::vector<std::string> expected{"{\"a\":1}", "hi", "", "\r\n\r\n"};
  for (std::size_t piece = 1; piece <= stream.size(); ++piece) {
    MessageReader reader;
    std::vector<std::string> found;
    for (std::size_t at = 0; at < stream.size(); at += piece) {
      reader.feed(std::string_view(stream).substr(at, piece));
      for (std::string& message : read_all(reader)) found.push_back(std::move(message));
    }
    CHECK(found == expected);
    CHECK(reader.broken().empty());
  }
}

TEST_CASE("a stream whose messages cannot be told apart any more is given up", "[lsp]") {
  CHECK(broken_by("Content-Length: 99999999999\r\n\r\n") == "a message of 99999999999 bytes");
  CHECK(broken_by("Content-Length: 999999999999999999999999\r\n\r\n") == "a Content-Length that is no number");
  CHECK(broken_by("Content-Length: -1\r\n\r\n") == "a Content-Length that is no number");
  CHECK(broken_by("Content-Length: \r\n\r\n") == "a Content-Length that is no number");
  CHECK(broken_by("Content-Length: 0x10\r\n\r\n") == "a Content-Length that is no number");
  CHECK(broken_by("Content-Type: x\r\n\r\n{}") == "a header without Content-Length");
  CHECK(broken_by("hello\r\n\r\n") == "a header line without `:`");
  CHECK(broken_by(std::string(MessageReader::kMaxHeader + 1, 'x')) == "a header without an end");
  CHECK(broken_by(std::string(MessageReader::kMaxHeader, 'x')).empty());
}

TEST_CASE("nothing is read behind a break", "[lsp]") {
  MessageReader reader;
  reader.feed("x\r\n\r\n" + framed("a"));
  CHECK(read_all(reader).empty());
  reader.feed(framed("b"));
  CHECK(read_all(reader).empty());
  CHECK_FALSE(reader.broken().empty());
}
