#include "pipeline/site_files.h"

#include <optional>

#include "source/encoding.h"

namespace muster {
namespace {

constexpr std::size_t kMaxRuleDepth = 20;
constexpr std::uint64_t kMaxRuleFileSize = 4u << 20;  // the largest shipped one has a fiftieth of that
constexpr std::size_t kMaxRuleFiles = 10'000;

class SiteReader {
 public:
  explicit SiteReader(const FileSystem& disk) : disk_(disk) {}

  std::optional<Error> read_folder(const std::string& folder, std::size_t number) {
    number_ = number;
    return visit(folder, 0, std::nullopt);
  }

  SiteFiles out;

 private:
  using What = KnowledgeSource::What;

  /// `kinds` holds what is called a kind.
  static std::optional<What> what_of(std::string_view name) {
    return name.ends_with('s') ? enum_of<What>(name.substr(0, name.size() - 1)) : std::nullopt;
  }

  std::optional<Error> visit(const std::string& folder, std::size_t depth, std::optional<What> what) {
    if (depth > kMaxRuleDepth) return Error{Error::Code::Rules, "`" + folder + "` is nested too deep for rules"};
    Result<std::vector<FileSystem::Entry>> entries = disk_.list(folder);
    if (!entries) return entries.error();
    for (const FileSystem::Entry& entry : *entries) {
      const std::string path = folder + "/" + entry.name;
      std::optional<Error> error;
      if (entry.kind == FileSystem::Kind::Folder)
        error = visit(path, depth + 1, depth == 0 ? what_of(entry.name) : what);
      else if (entry.kind == FileSystem::Kind::File && entry.name.ends_with(".yaml"))
        error = read(path, what);
      if (error) return error;
    }
    return std::nullopt;
  }

  std::optional<Error> read(const std::string& path, std::optional<What> what) {
    if (disk_.size(path) > kMaxRuleFileSize) return Error{Error::Code::Rules, "`" + path + "` is larger than 4 MiB"};
    if (out.rules.size() + out.knowledge.size() >= kMaxRuleFiles)
      return Error{Error::Code::Rules, "more than 10,000 files of rules: `" + path + "` is one too many"};
    Result<std::string> text = disk_.read(path);
    if (!text) return text.error();
    std::string decoded = decode_text(std::move(*text)).text;
    if (what)
      out.knowledge.push_back({*what, number_, path, std::move(decoded)});
    else
      out.rules.push_back({path, std::move(decoded)});
    return std::nullopt;
  }

  const FileSystem& disk_;
  std::size_t number_ = 0;
};

}  // namespace

Result<SiteFiles> read_site_files(const std::vector<std::string>& folders, const FileSystem& disk) {
  SiteReader reader(disk);
  for (std::size_t i = 0; i < folders.size(); ++i) {
    if (std::optional<Error> error = reader.read_folder(folders[i], i)) return *error;
  }
  return std::move(reader.out);
}

}  // namespace muster
