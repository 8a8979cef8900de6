#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "pipeline/discover.h"
#include "syntax/document.h"

namespace muster {

/// Objects of Argo CD in files of YAML and JSON whose text `wants` them, as `visit(file, text, object)`. What cannot be
/// read as YAML is passed over.
void each_argo_object(const Inputs& inputs, const std::function<bool(std::string_view text)>& wants,
                      const std::function<void(FileId file, std::string_view text, const Node& object)>& visit);

/// `source`, or each of `sources`, of an Application.
std::vector<Node> sources_of_application(const Node& spec);

/// The folder that an Application names, from the top of its repository; empty: the top.
std::string_view folder_of_application(std::string_view path);

/// Whether a folder of the input may be the one that has this path in its repository.
bool ends_in_folder(std::string_view folder, std::string_view path);

}  // namespace muster
