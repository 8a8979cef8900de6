// A language server behind a stream of any bytes: frames, messages and the texts in them; an input that begins with `{`
// is a message a line. What it says must be frames of JSON again.
// Reads: src/lsp/*
// Apart: src/lsp/serve.cc src/lsp/shipped_book.cc src/lsp/slurm_vocabulary.cc src/lsp/yaml_vocabulary.cc

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "lsp/folder_check.h"
#include "lsp/message.h"
#include "lsp/server.h"
#include "support/fake_disk.h"

namespace {

using namespace muster;

constexpr std::size_t kMostChecks = 2;

void expect(bool kept, const char* promise) {
  if (kept) return;
  std::fprintf(stderr, "%s\n", promise);
  std::abort();
}

std::string stream_of(std::string_view input) {
  if (!input.starts_with('{')) return std::string(input);
  std::string out;
  for (const std::string_view line : split(input, '\n')) out += framed(line);
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes = stream_of({reinterpret_cast<const char*>(data), size});
  const std::map<std::string, std::string> files{{"w/slurm.conf", "ClusterName=c\nSlurmctldHost=h\n"}};
  const muster::test::FakeDisk disk(files);
  FolderChecks checks(disk, {}, [] { return Date{}; });
  Server server(
      {}, [](const std::string& message) { expect(nlohmann::json::accept(message), "what is sent is no JSON"); },
      [&](std::uint64_t job) { checks.stop(job); });
  // One message each opens the folder and a file of it, so that not every input has to find the way there.
  if (!contains(bytes, "initialize"))
    server.receive(R"({"id":1,"method":"initialize","params":{"rootUri":"file:///w"}})", {});
  server.receive(
      R"({"method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///w/a.yaml","text":"kind: Job\n"}}})",
      {});
  MessageReader reader;
  Server::Time now{};
  std::size_t made = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t piece = std::min(bytes.size() - at, std::size_t{1} + static_cast<unsigned char>(bytes[at]) % 64);
    reader.feed(std::string_view(bytes).substr(at, piece));
    at += piece;
    while (const std::optional<std::string> message = reader.next()) {
      expect(message->size() <= MessageReader::kMaxMessage, "a message is larger than any may be");
      server.receive(*message, now);
      if (made == kMostChecks || !server.due()) continue;
      now = *server.due();
      const std::optional<CheckJob> job = server.next_job(now);
      if (job) server.take(checks.run(*job), now);
      ++made;
    }
  }
  return 0;
}
