#include "inventory/read_dumps.h"

#include <array>

#include "inventory/inventory.h"
#include "inventory/readers.h"

namespace muster {
namespace {

class Reader {
 public:
  Reader(const SourceMap& sources, const std::vector<FileContext>& files) : sources_(sources), files_(files), context_{sources, out_.dumps, out_.findings} {}

  DumpFiles run() {
    for (std::size_t i = 0; i < files_.size(); ++i) {
      const auto file = static_cast<FileId>(i);
      if (!read(file)) out_.unknown.push_back(file);
    }
    return std::move(out_);
  }

 private:
  bool read(FileId file) {
    const std::string_view text = sources_.file(file).text();
    if (looks_like_scontrol(text)) {
      read_scontrol(file, context_);
      return true;
    }
    return false;
  }

  const SourceMap& sources_;
  const std::vector<FileContext>& files_;
  DumpFiles out_;
  DumpContext context_;
};

}  // namespace

DumpFiles read_dumps(const SourceMap& sources, const std::vector<FileContext>& files) { return Reader(sources, files).run(); }

std::string known_dumps() {
  return "scontrol show nodes, show partitions and show topology, as text";
}

}  // namespace muster
