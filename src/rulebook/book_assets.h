#pragma once

#include <algorithm>
#include <functional>
#include <string_view>
#include <vector>

#include "rulebook/book_reader.h"

namespace muster {

/// Calls `read` with the root of each shipped YAML file of a folder. A file that is not right is a bug of ours and ends
/// the program.
void each_book_asset(std::string_view folder, const std::function<void(const Node& root, BookReader& reader)>& read);

/// One shipped YAML file; false where there is none of that path.
bool read_book_asset(std::string_view path, Document& out);

/// A piece of one; false where it is no document of its own.
bool read_book_text(std::string_view path, std::string_view text, Document& out);

/// The rows of a folder, one a file, sorted by their member `id`.
template <class Row>
std::vector<Row> load_book_assets(std::string_view folder, Row (*read)(const Node& root, BookReader& reader)) {
  std::vector<Row> rows;
  each_book_asset(folder, [&](const Node& root, BookReader& reader) { rows.push_back(read(root, reader)); });
  std::ranges::sort(rows, {}, &Row::id);
  return rows;
}

}  // namespace muster
