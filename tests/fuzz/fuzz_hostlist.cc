// Any text as a list of nodes, of each dialect: its size is that of its names, and what Slurm would print for them
// reads as the same names.
// Reads: src/base/hostlist.cc src/base/natural_order.cc
// Pick: tests/oracles/hostlist-*.txt ^([^\n]+?) =>
#include <algorithm>
#include <array>
#include <cctype>

#include "base/hostlist.h"
#include "base/natural_order.h"
#include "fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  const std::string text = fuzz::text_of(data, size);
  for (const HostlistDialect dialect : {HostlistDialect::V22_05, HostlistDialect::V23_11, HostlistDialect::V25_05}) {
    const Result<Hostlist> list = Hostlist::parse(text, dialect);
    if (!list) {
      fuzz::expect(!list.error().message.empty(), "a refusal without a reason");
      continue;
    }
    list->contains(text);
    const std::optional<std::vector<std::string>> names = list->expand(2000);
    fuzz::expect(names.has_value() == (list->size() <= 2000), "a list that should be short enough is not written out");
    if (!names || names->empty()) continue;
    fuzz::expect(names->size() == list->size(), "another number of names");
    std::uint64_t seen = 0;
    list->each([&](const std::string& name) { fuzz::expect(name == list->name(seen++), "names in another order"); });
    fuzz::expect(list->contains(names->front()) && list->contains(names->back()), "a name of its own is not in it");
    naturally_before(names->front(), names->back());
    // Names that no host has, such as `n]`, are no list any more when they are printed.
    const auto usual = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.'; };
    if (!std::ranges::all_of(*names, [&](const std::string& name) { return std::ranges::all_of(name, usual); }))
      continue;
    const std::string shortest = compress_hostlist(*names);
    const Result<Hostlist> again = Hostlist::parse(shortest, dialect);
    if (again) fuzz::expect(again->expand(4000) == names, "what is printed reads as other names");
  }
  return 0;
}
