#include "kubernetes/merged_metadata.h"

#include <set>
#include <string_view>

namespace muster {
namespace {

void copy_mark(const Node& mark, DocumentBuilder& builder) {
  const Span where = mark.where();
  builder.in_file(where.file);
  if (mark.is_scalar()) return builder.scalar(where.begin, where.end, mark.text(), mark.style());
  builder.null(where.begin);
}

void copy_marks(const Node& marks, const Node& win, DocumentBuilder& builder) {
  std::set<std::string_view> won;
  for (std::size_t i = 0; win.is_mapping() && i < win.size(); ++i) won.insert(win.key(i).text());
  for (std::size_t i = 0; marks.is_mapping() && i < marks.size(); ++i) {
    if (!marks.key(i).is_scalar() || won.contains(marks.key(i).text())) continue;
    copy_mark(marks.key(i), builder);
    copy_mark(marks.value(i), builder);
  }
}

}  // namespace

Document merged_metadata(const Node& own, const Node& under) {
  const Span where = own.where();
  DocumentBuilder builder(where.file, where);
  builder.begin_container(NodeKind::Mapping, where.begin);
  for (const std::string_view list : {"labels", "annotations"}) {
    const Span at = own[list].where();
    builder.in_file(at.file);
    builder.scalar(at.begin, at.end, list, ScalarStyle::Plain);
    builder.begin_container(NodeKind::Mapping, at.begin);
    copy_marks(under[list], own[list], builder);
    copy_marks(own[list], Node{}, builder);
    builder.in_file(at.file);
    builder.end_container_at(at.end);
  }
  builder.end_container_at(where.end);
  return std::move(builder).finish();
}

}  // namespace muster
