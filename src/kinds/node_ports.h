#pragma once

#include <deque>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// `node-port-twice`: Services of one file that ask for the same port of the nodes.
void find_node_ports_twice(const std::deque<Document>& documents, std::string_view text,
                           std::vector<Finding>& findings);

}  // namespace muster
