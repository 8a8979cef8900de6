#pragma once

#include <string>
#include <vector>

#include "kinds/knowledge.h"

namespace muster {

// How the data about kinds and schedulers reads, in `muster explain` and in the tables of the documents.

std::string path_text(const KeyPath& path);
/// `1 where order == "LeaderReady", else size`.
std::string text_of(const KindChoices& choices, const KindFile& kind);
/// `label queue of the pods`.
std::string text_of(const Mark& mark);
std::string text_of(const std::vector<Mark>& marks);
std::string text_of(const std::vector<MembershipMark>& marks);

}  // namespace muster
