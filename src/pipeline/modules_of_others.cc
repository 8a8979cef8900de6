#include "pipeline/modules_of_others.h"

#include <algorithm>

#include "base/strings.h"
#include "syntax/hcl_blocks.h"

namespace muster {

ModulesOfOthers::ModulesOfOthers(const Inputs& inputs) {
  std::set<std::string> with_others;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const InputFile& file = inputs.files[i];
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (!file.context.path.ends_with(".tf") || !contains(text, "module")) continue;
    std::size_t left = hcl_steps(text);
    for (const HclTopBlock& one : top_hcl_blocks(text, left)) {
      if (one.word != "module") continue;
      const std::string_view source = unquoted_hcl(read_hcl_block(text, one.brace, left).attribute("source"));
      if (source.starts_with('.'))
        folders_.add_call(file.context.folder, source, false);
      else if (!contains(source, "terraform-aws-modules/") && !contains(source, "terraform-google-modules/"))
        with_others.insert(file.context.folder);
    }
  }
  for (const std::string& folder : with_others) {
    const std::set<std::string>& applied = folders_.applied_for(folder);
    bounded_.insert(applied.begin(), applied.end());
    unknown_ = unknown_ || applied.empty();
  }
}

bool ModulesOfOthers::bounds(const std::string& folder) {
  const std::set<std::string>& applied = folders_.applied_for(folder);
  return unknown_ || applied.empty() ||
         std::ranges::any_of(applied, [this](const std::string& one) { return bounded_.contains(one); });
}

}  // namespace muster
