// A language server behind a stream of any bytes: frames, messages and the texts in them. What it says must be frames
// of JSON again.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "lsp/folder_check.h"
#include "lsp/message.h"
#include "lsp/server.h"
#include "support/fake_disk.h"

namespace {

using namespace muster;

constexpr std::size_t kMostChecks = 4;

void expect(bool kept, const char* promise) {
  if (kept) return;
  std::fprintf(stderr, "%s\n", promise);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::map<std::string, std::string> files{{"w/slurm.conf", "ClusterName=c\nSlurmctldHost=h\n"}};
  const muster::test::FakeDisk disk(files);
  FolderChecks checks(disk, {}, [] { return Date{}; });
  Server server(
      {}, [](const std::string& message) { expect(nlohmann::json::accept(message), "what is sent is no JSON"); },
      [&](std::uint64_t job) { checks.stop(job); });
  // One message each opens the folder and a file of it, so that not every input has to find the way there.
  server.receive(R"({"id":1,"method":"initialize","params":{"rootUri":"file:///w"}})", {});
  server.receive(
      R"({"method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///w/a.yaml","text":"kind: Job\n"}}})",
      {});
  MessageReader reader;
  Server::Time now{};
  std::size_t made = 0;
  for (std::size_t at = 0; at < size;) {
    const std::size_t piece = std::min<std::size_t>(size - at, 1 + data[at] % 64);
    reader.feed({reinterpret_cast<const char*>(data) + at, piece});
    at += piece;
    while (const std::optional<std::string> message = reader.next()) {
      expect(message->size() <= MessageReader::kMaxMessage, "a message is larger than any may be");
      server.receive(*message, now);
    }
  }
  while (made < kMostChecks && server.due()) {
    now = *server.due();
    const std::optional<CheckJob> job = server.next_job(now);
    if (!job) break;
    server.take(checks.run(*job), now);
    ++made;
  }
  return 0;
}

/// A run without a corpus makes whole frames: libFuzzer would hardly find a length that is right.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
  static constexpr const char* kMessages[] = {
      R"({"id":2,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///w/a.yaml"},"position":{"line":0,"character":2}}})",
      R"({"id":3,"method":"textDocument/completion","params":{"textDocument":{"uri":"file:///w/a.yaml"},"position":{"line":1,"character":0}}})",
      R"({"id":4,"method":"textDocument/codeAction","params":{"textDocument":{"uri":"file:///w/a.yaml"},"range":{"start":{"line":0,"character":0},"end":{"line":9,"character":0}}}})",
      R"({"method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///w/a.yaml","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":4}},"text":"x"}]}})",
      R"({"method":"workspace/didChangeWorkspaceFolders","params":{"event":{"added":[{"uri":"file:///"}],"removed":[{"uri":"file:///w"}]}}})",
  };
  size = LLVMFuzzerMutate(data, size, max_size);
  const std::string frame = muster::framed(kMessages[seed / 4 % std::size(kMessages)]);
  if (seed % 4 == 0 && size + frame.size() < max_size) {
    frame.copy(reinterpret_cast<char*>(data) + size, frame.size());
    size += frame.size();
  }
  return size;
}
