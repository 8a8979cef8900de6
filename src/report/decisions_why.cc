#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "base/utf8.h"
#include "report/decisions.h"
#include "report/json_text.h"

namespace muster {
namespace {

using Json = nlohmann::ordered_json;

std::string place_text(const Span& where, const SourceMap& sources) {
  if (!where.placed()) return "";
  const Position at = sources.begin_of(where);
  return " (" + sources.file(where.file).path() + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ")";
}

Json place_json(const Span& where, const SourceMap& sources) {
  return where.placed() ? location_json(sources, where) : Json(nullptr);
}

std::string row_text(const TraceRow& row, const SourceMap& sources) {
  std::string out = "    " + printable(row.id + " (" + row.outcome + "): ") + std::string(name_of(row.state)) + "\n";
  for (const TraceCell& cell : row.cells) {
    out += "      " +
           printable(cell.input + (cell.fails ? " is " + cell.value : " is open") + ", the row wants " + cell.wanted +
                     place_text(cell.where, sources)) +
           "\n";
  }
  return out;
}

Json row_json(const TraceRow& row, const SourceMap& sources) {
  Json cells = Json::array();
  for (const TraceCell& cell : row.cells) {
    cells.push_back({{"input", cell.input},
                     {"wanted", cell.wanted},
                     {"value", cell.fails ? Json(cell.value) : Json(nullptr)},
                     {"location", place_json(cell.where, sources)}});
  }
  return {{"row", row.id}, {"outcome", row.outcome}, {"state", name_of(row.state)}, {"cells", std::move(cells)}};
}

constexpr std::size_t kMostDecisive = 3;
constexpr std::size_t kMostNear = 2;

/// Rows by what mattered: those that hit or may, then those that fail for the fewest reasons; a few of each.
std::string rows_text(const TableTrace& trace, const SourceMap& sources) {
  std::vector<const TraceRow*> decisive;
  std::vector<const TraceRow*> near;
  for (const TraceRow& row : trace.rows) {
    if (row.state == RowState::Hits || row.state == RowState::MayHit) decisive.push_back(&row);
    if (row.state == RowState::Fails) near.push_back(&row);
  }
  std::ranges::stable_sort(decisive, {}, [](const TraceRow* row) { return row->state; });
  std::ranges::stable_sort(near, {}, [](const TraceRow* row) {
    return std::ranges::count_if(row->cells, [](const TraceCell& cell) { return cell.fails; });
  });
  decisive.resize(std::min(decisive.size(), kMostDecisive));
  near.resize(std::min(near.size(), kMostNear));
  std::string out;
  for (const std::vector<const TraceRow*>& some : {decisive, near}) {
    for (const TraceRow* row : some) out += row_text(*row, sources);
  }
  const std::size_t left = trace.rows.size() - decisive.size() - near.size();
  if (left > 0) out += "    and " + count_of(left, "row") + " more; `--format json` has all of them\n";
  return out;
}

std::string change_text(const std::vector<FactChange>& changes, const SourceMap& sources) {
  std::string out;
  for (const FactChange& change : changes) {
    out += (out.empty() ? "" : " and ") + change.fact +
           (change.before.empty() ? "=" + change.to : " before " + change.before) + " instead of " +
           (change.from.empty() ? "open" : change.from) + place_text(change.where, sources);
  }
  return out;
}

std::string why_not_text(const WhyNot& answer, const SourceMap& sources) {
  std::string out = "  why not " + answer.output + "=" + answer.value + ":";
  if (answer.already) return out + " it is\n";
  out += "\n";
  for (const TraceRow& row : answer.rows) out += row_text(row, sources);
  for (const std::vector<FactChange>& changes : answer.changes) {
    out += changes.empty() ? "    it may be, once what is open is known\n"
                           : "    it would be with " + printable(change_text(changes, sources)) + "\n";
  }
  if (!answer.changes.empty()) return out;
  if (answer.fixed.empty()) return out + "    no change of up to four facts leads there\n";
  out += "    only with another";
  for (std::size_t i = 0; i < answer.fixed.size(); ++i) out += (i == 0 ? " " : ", ") + printable(answer.fixed[i]);
  return out + ", which nobody can change\n";
}

}  // namespace

std::string trace_text(const Decision& decision, const SourceMap& sources) {
  std::string out;
  for (const TableTrace& trace : decision.trace) {
    out += "  rows of " + trace.table + " tried:\n";
    out += rows_text(trace, sources);
  }
  for (const WhyNot& answer : decision.why_not) out += why_not_text(answer, sources);
  return out;
}

Json trace_json(const Decision& decision, const SourceMap& sources) {
  Json out = Json::array();
  for (const TableTrace& trace : decision.trace) {
    Json rows = Json::array();
    for (const TraceRow& row : trace.rows) rows.push_back(row_json(row, sources));
    out.push_back({{"table", trace.table}, {"rows", std::move(rows)}});
  }
  return out;
}

Json why_not_json(const Decision& decision, const SourceMap& sources) {
  Json out = Json::array();
  for (const WhyNot& answer : decision.why_not) {
    Json rows = Json::array();
    for (const TraceRow& row : answer.rows) rows.push_back(row_json(row, sources));
    Json sets = Json::array();
    for (const std::vector<FactChange>& changes : answer.changes) {
      Json set = Json::array();
      for (const FactChange& change : changes) {
        set.push_back({{"fact", change.fact},
                       {"from", text_or_null(change.from)},
                       {"to", change.to},
                       {"location", place_json(change.where, sources)}});
      }
      sets.push_back(std::move(set));
    }
    out.push_back({{"value", answer.value},
                   {"table", answer.table},
                   {"output", answer.output},
                   {"already", answer.already},
                   {"rows", std::move(rows)},
                   {"changes", std::move(sets)},
                   {"fixed", answer.fixed}});
  }
  return out;
}

}  // namespace muster
