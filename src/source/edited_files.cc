#include "source/edited_files.h"

namespace muster {

EditedFiles::EditedFiles(const FileSystem& below, const std::map<std::string, std::string>& texts)
    : below_(below), texts_(texts) {}

const std::string* EditedFiles::edited(const std::string& path) const {
  const auto found = texts_.find(below_.absolute(path));
  return found == texts_.end() ? nullptr : &found->second;
}

std::uint64_t EditedFiles::size(const std::string& path) const {
  const std::string* text = edited(path);
  return text == nullptr ? below_.size(path) : text->size();
}

Result<std::string> EditedFiles::read(const std::string& path) const {
  const std::string* text = edited(path);
  return text == nullptr ? below_.read(path) : Result<std::string>(*text);
}

Result<std::string> EditedFiles::read_start(const std::string& path, std::size_t bytes) const {
  const std::string* text = edited(path);
  return text == nullptr ? below_.read_start(path, bytes) : Result<std::string>(text->substr(0, bytes));
}

}  // namespace muster
