#include <algorithm>

#include "base/strings.h"
#include "rulebook/load_rule.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

class TableLoader {
 public:
  TableLoader(const Node& root, const std::string& path, BookReader& reader) : root_(root), reader_(reader) { table_.file = path; }

  Table run() {
    reader_.known_keys(root_, {"id", "since", "hit", "reversibility", "inputs", "outputs", "rows", "why", "sources"});
    table_.id = reader_.text(root_, "id");
    table_.hit = reader_.word(root_["hit"], HitPolicy::First);
    table_.reversibility = reader_.word(root_["reversibility"], Reversibility::Reversible);
    table_.why = trim(reader_.text_or(root_, "why", ""));
    table_.sources = reader_.texts(root_["sources"]);
    if (table_.sources.empty()) reader_.wrong(root_["sources"].where(), "a table needs sources");
    const Node inputs = root_["inputs"];
    for (std::size_t i = 0; inputs.is_mapping() && i < inputs.size(); ++i) read_input(inputs.key(i), inputs.value(i));
    const Node outputs = root_["outputs"];
    for (std::size_t i = 0; outputs.is_mapping() && i < outputs.size(); ++i) {
      reader_.known_keys(outputs.value(i), {"type", "values"});
      table_.outputs.push_back({std::string(outputs.key(i).text()), reader_.texts(outputs.value(i)["values"])});
    }
    const Node rows = root_["rows"];
    if (!rows.is_sequence()) reader_.wrong(rows.where(), "`rows` must be a list");
    for (std::size_t i = 0; rows.is_sequence() && i < rows.size(); ++i) read_row(rows.item(i));
    return std::move(table_);
  }

 private:
  void read_input(const Node& key, const Node& node) {
    reader_.known_keys(node, {"type", "from", "values", "min", "mutable"});
    TableInput input;
    input.name = key.text();
    input.from = reader_.text_or(node, "from", "");
    const std::string_view type = node["type"].text();
    input.type = type == "bool" ? FactType::Bool : type == "int" ? FactType::Int : FactType::String;
    input.words = reader_.texts(node["values"]);
    if (input.type == FactType::Bool) input.words = {"false", "true"};
    const bool enumerated = input.type != FactType::String || !input.words.empty();
    if (!enumerated) reader_.wrong(node.where(), "an enum needs `values`");
    const std::optional<std::size_t> fact = workload_fact_index(input.name);
    if (input.from.empty() && !fact) {
      std::vector<std::string_view> known;
      for (const WorkloadFact& row : workload_facts()) known.push_back(row.name);
      reader_.wrong(key.where(), "there is no fact `" + input.name + "`" + did_you_mean(input.name, known));
    }
    if (input.from.empty() && fact && workload_facts()[*fact].type != input.type) {
      reader_.wrong(node.where(), "the fact `" + input.name + "` is " + std::string(name_of(workload_facts()[*fact].type)));
    }
    table_.inputs.push_back(std::move(input));
  }

  void read_row(const Node& node) {
    reader_.known_keys(node, {"id", "when", "then", "options", "because"});
    TableRow row;
    row.id = reader_.text(node, "id");
    row.because = trim(reader_.text(node, "because"));
    row.options = reader_.texts(node["options"]);
    const Node when = node["when"];
    for (std::size_t i = 0; when.is_mapping() && i < when.size(); ++i) {
      const TableInput* input = table_.find_input(when.key(i).text());
      if (input == nullptr) {
        reader_.wrong(when.key(i).where(), "the table has no input `" + std::string(when.key(i).text()) + "`");
        continue;
      }
      if (when.value(i).text() == "-") continue;
      row.when[input->name] = input->type == FactType::Int ? int_cell(when.value(i)) : word_cell(when.value(i), *input);
    }
    const Node then = node["then"];
    for (const TableOutput& output : table_.outputs) {
      const std::string word(then[output.name].text());
      if (std::ranges::find(output.words, word) == output.words.end()) {
        reader_.wrong(then[output.name].where(), "`" + output.name + "` must be one of " + join(output.words, ", "));
      }
      row.then[output.name] = word;
    }
    const auto same = std::ranges::find(table_.rows, row.id, &TableRow::id);
    if (same != table_.rows.end()) reader_.wrong(node["id"].where(), "there are two rows called `" + row.id + "`");
    table_.rows.push_back(std::move(row));
  }

  /// true, kubernetes, [kubernetes, k3s], !slurm
  Cell word_cell(const Node& node, const TableInput& input) {
    Cell cell;
    cell.words = reader_.texts(node);
    if (cell.words.size() == 1 && cell.words[0].starts_with('!')) {
      cell.kind = Cell::Kind::NotWords;
      cell.words[0].erase(0, 1);
    }
    for (const std::string& word : cell.words) {
      if (std::ranges::find(input.words, word) != input.words.end()) continue;
      reader_.wrong(node.where(), "`" + word + "` is none of " + join(input.words, ", "));
    }
    return cell;
  }

  /// 4, >= 2, < 8, 2..8
  Cell int_cell(const Node& node) {
    Cell cell;
    cell.kind = Cell::Kind::Range;
    std::string_view text = trim(node.text());
    const std::size_t dots = text.find("..");
    std::string_view op;
    for (const std::string_view mark : {">=", "<=", ">", "<"}) {
      if (op.empty() && text.starts_with(mark)) op = mark;
    }
    if (dots != text.npos) {
      cell.low = number(node, text.substr(0, dots));
      cell.high = number(node, text.substr(dots + 2));
      return cell;
    }
    const std::optional<std::int64_t> value = number(node, text.substr(op.size()));
    if (op != "<" && op != "<=") cell.low = op == ">" ? value.value_or(0) + 1 : value;
    if (op != ">" && op != ">=") cell.high = op == "<" ? value.value_or(0) - 1 : value;
    return cell;
  }

  std::optional<std::int64_t> number(const Node& node, std::string_view text) {
    const std::optional<std::int64_t> value = parse_int(trim(text));
    if (!value) reader_.wrong(node.where(), "expected 4, >= 2, < 8 or 2..8; got " + describe(node));
    return value;
  }

  const Node& root_;
  BookReader& reader_;
  Table table_;
};

}  // namespace

const TableInput* Table::find_input(std::string_view name) const {
  const auto found = std::ranges::find(inputs, name, &TableInput::name);
  return found == inputs.end() ? nullptr : &*found;
}

const TableOutput* Table::find_output(std::string_view name) const {
  const auto found = std::ranges::find(outputs, name, &TableOutput::name);
  return found == outputs.end() ? nullptr : &*found;
}

Table load_table(const Node& root, const std::string& path, BookReader& reader) { return TableLoader(root, path, reader).run(); }

}  // namespace muster
