#include "model/named_folders.h"

#include <algorithm>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::size_t kMostOfOneFolder = 100;

std::string_view plain_folder(std::string_view folder) {
  while (folder.starts_with("./")) folder.remove_prefix(2);
  while (folder.ends_with('/')) folder.remove_suffix(1);
  return folder == "." ? std::string_view() : folder;
}

/// Whether the folder, which ends with what is named, and the file that names it have one folder above them.
bool is_of_one_repository(std::string_view folder, std::string_view named, const Manifest& user) {
  return user.file.view().starts_with(folder.substr(0, folder.size() - named.size()));
}

/// The folder that paths of the input are in, as far as the file of the object tells: its bundle ends with a part of
/// it.
std::string_view root_of(const Object& user) {
  std::string_view folder = folder_of(user.file);
  const std::string_view bundle = user.bundle.view();
  for (; !folder.empty(); folder = folder_of(folder)) {
    const bool ends = bundle.ends_with(folder) && bundle.size() > folder.size();
    if (ends && bundle[bundle.size() - folder.size() - 1] == '/')
      return bundle.substr(0, bundle.size() - folder.size() - 1);
  }
  return bundle;
}

/// Whether what is named, with which the bundle ends, lies below that folder.
bool is_below_root(std::string_view bundle, std::string_view named, const Manifest& user) {
  const std::string_view root = root_of(user);
  return bundle.starts_with(root) && bundle.size() > root.size() + named.size() && bundle[root.size()] == '/';
}

}  // namespace

void NamedFolders::add(const WrittenValue& path, const Manifest& user) {
  const std::string_view folder = path.is_text() ? plain_folder(path.text()) : std::string_view();
  if (!folder.empty()) users_[folder].push_back(&user);
}

std::vector<const Manifest*> NamedFolders::users_of(const Object& object) const {
  std::vector<const Manifest*> out;
  if (unlisted_.contains(std::string(object.file.view()))) return out;
  const std::string_view of_file = folder_of(object.file);
  for (const std::string_view whole : {of_file, object.bundle.view()}) {
    if (whole == of_file && whole.data() != of_file.data()) continue;  // both are one
    for (std::size_t at = 0; at < whole.size(); at = std::min(whole.find('/', at), whole.size() - 1) + 1) {
      const auto found = users_.find(whole.substr(at));
      if (found == users_.end()) continue;
      for (std::size_t i = 0; i < std::min(found->second.size(), kMostOfOneFolder); ++i) {
        const Manifest& user = *found->second[i];
        const bool here = whole == of_file ? is_of_one_repository(whole, found->first, user)
                                           : is_below_root(whole, found->first, user);
        if (here) out.push_back(&user);
      }
    }
  }
  return out;
}

}  // namespace muster
