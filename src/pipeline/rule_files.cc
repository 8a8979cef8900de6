#include "pipeline/rule_files.h"

#include "base/strings.h"
#include "kubernetes/check_queries.h"
#include "pipeline/input_names.h"
#include "syntax/yaml_reader.h"

namespace muster {

void find_rule_file_slips(const Inputs& inputs, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    if (!is_yaml_file(inputs.files[i].context.path) || inputs.files[i].reading != Reading::Whole) continue;
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (!contains(text, "expr:") || !contains(text, "groups:") || !contains(text, "rules:")) continue;
    std::vector<Finding> of_reader;  // what is wrong with the file others say
    for (const Span& piece : split_yaml_documents(static_cast<FileId>(i), text)) {
      Document document;
      if (!read_yaml(text, piece, document, of_reader)) continue;
      // Objects are asked where they are read.
      if (!document.root()["apiVersion"].exists()) check_rule_lists(document.root(), findings);
    }
  }
}

}  // namespace muster
