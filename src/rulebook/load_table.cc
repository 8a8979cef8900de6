#include <algorithm>

#include "base/strings.h"
#include "facts/site_facts.h"
#include "model/workload.h"
#include "rulebook/load_rule.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

InputType input_type(FactType type) {
  switch (type) {
    case FactType::Bool: return InputType::Bool;
    case FactType::Int: return InputType::Int;
    case FactType::Double: return InputType::Double;
    case FactType::String: return InputType::Enum;
  }
  return InputType::Enum;
}

class TableLoader {
 public:
  TableLoader(const Node& root, const std::string& path, BookReader& reader) : root_(root), reader_(reader) {
    table_.file = path;
  }

  Table run() {
    reader_.known_keys(
        root_, {"id", "since", "hit", "reversibility", "inputs", "outputs", "rows", "invariants", "why", "sources"});
    table_.id = reader_.text(root_, "id");
    table_.where = root_["id"].where();
    table_.hit = reader_.word(root_["hit"], HitPolicy::First);
    table_.reversibility = reader_.word(root_["reversibility"], Reversibility::Reversible);
    table_.why = trim(reader_.text_or(root_, "why", ""));
    table_.sources = reader_.texts(root_["sources"]);
    const Node inputs = root_["inputs"];
    if (!inputs.is_mapping()) reader_.wrong(inputs.where(), "a table needs `inputs`");
    for (std::size_t i = 0; inputs.is_mapping() && i < inputs.size(); ++i) read_input(inputs.key(i), inputs.value(i));
    const Node outputs = root_["outputs"];
    if (!outputs.is_mapping()) reader_.wrong(outputs.where(), "a table needs `outputs`");
    for (std::size_t i = 0; outputs.is_mapping() && i < outputs.size(); ++i)
      read_output(outputs.key(i), outputs.value(i));
    const Node rows = root_["rows"];
    table_.rows_where = rows.key_where();
    if (!rows.is_sequence()) reader_.wrong(rows.where(), "`rows` must be a list");
    for (std::size_t i = 0; rows.is_sequence() && i < rows.size(); ++i) read_row(rows.item(i));
    const Node invariants = root_["invariants"];
    if (invariants.exists() && !invariants.is_sequence())
      reader_.wrong(invariants.where(), "`invariants` must be a list");
    for (std::size_t i = 0; invariants.is_sequence() && i < invariants.size(); ++i) read_invariant(invariants.item(i));
    return std::move(table_);
  }

 private:
  void read_input(const Node& key, const Node& node) {
    reader_.known_keys(node, {"type", "from", "values", "min", "max", "mutable", "doc"});
    TableInput input;
    input.name = key.text();
    input.where = key.where();
    input.from = reader_.text_or(node, "from", "");
    if (!node["type"].exists())
      reader_.wrong(node.where(),
                    "the input `" + input.name + "` needs a `type`: " + join(names_of<InputType>(), ", "));
    input.type = reader_.word(node["type"], InputType::Bool);
    input.words = reader_.texts(node["values"]);
    if (input.type == InputType::Bool) input.words = {"false", "true"};
    if (input.type == InputType::Enum && input.words.empty()) input.words = words_of_fact(input.name);
    if (input.type == InputType::Enum && input.words.empty()) reader_.wrong(node.where(), "an enum needs `values`");
    input.min = bound(node["min"], input.type);
    input.max = bound(node["max"], input.type);
    if (input.min && input.max && *input.max < *input.min) reader_.wrong(node["max"].where(), "`max` is below `min`");
    find_origin(input, key, node);
    if (const Node change = node["mutable"]; change.exists()) {
      if (change.text() != "true" && change.text() != "false")
        reader_.wrong(change.where(), "expected true or false, got " + describe(change));
      input.can_change = change.text() != "false";
    }
    if (table_.find_input(input.name) != nullptr)
      reader_.wrong(key.where(), "there are two inputs called `" + input.name + "`");
    table_.inputs.push_back(std::move(input));
  }

  /// The words of a fact that has some: a table need not repeat them.
  static std::vector<std::string> words_of_fact(const std::string& name) {
    for (const std::span<const FactDef> facts : {workload_facts(), site_facts()}) {
      if (const std::optional<std::size_t> index = fact_index(facts, name))
        return {facts[*index].words.begin(), facts[*index].words.end()};
    }
    return {};
  }

  std::optional<TableValue> bound(const Node& node, InputType type) {
    if (!node.exists()) return std::nullopt;
    std::optional<TableValue> value = is_ordered(type) ? parse_value(type, node.text()) : std::nullopt;
    if (!value)
      reader_.wrong(node.where(), "expected a value of type " + std::string(name_of(type)) +
                                      " that has an order, got " + describe(node));
    return value;
  }

  void find_origin(TableInput& input, const Node& key, const Node& node) {
    if (!input.from.empty()) {
      input.origin = InputOrigin::Table;
      return;
    }
    const std::optional<std::size_t> fact = workload_fact_index(input.name);
    if (!fact) return find_other_origin(input, key);
    const FactDef& row = workload_facts()[*fact];
    input.can_change = row.can_change;
    const bool words =
        row.type == FactType::String && (input.type == InputType::Enum || input.type == InputType::String);
    if (input_type(row.type) != input.type && !words) {
      reader_.wrong(node.where(), "the fact `" + input.name + "` is " + std::string(name_of(row.type)));
      return;
    }
    if (!is_ordered(input.type)) return;
    const TableValue least =
        row.type == FactType::Int ? TableValue(static_cast<std::int64_t>(row.least)) : TableValue(row.least);
    if (input.min && least < *input.min)
      reader_.wrong(node["min"].where(), "the fact `" + input.name + "` can be as low as " + to_text(least));
    input.min = least;
  }

  /// A version of the software, or a fact that only the site knows.
  void find_other_origin(TableInput& input, const Node& key) {
    const std::string_view name = input.name;
    const std::string_view bare = name.starts_with("target.") ? name.substr(7) : name;
    if (input.type == InputType::Version && target_type().find(bare) != nullptr) {
      input.origin = InputOrigin::Target;
      return;
    }
    input.origin = InputOrigin::Site;
    if (const std::optional<std::size_t> fact = fact_index(site_facts(), name)) {
      const FactDef& row = site_facts()[*fact];
      input.can_change = row.can_change;
      const bool words =
          row.type == FactType::String &&
          (input.type == InputType::Enum || input.type == InputType::String || input.type == InputType::Version);
      if (input_type(row.type) != input.type && !words)
        reader_.wrong(key.where(), "the fact `" + input.name + "` is " + std::string(name_of(row.type)));
      return;
    }
    std::vector<std::string_view> known;
    for (const FactDef& row : workload_facts()) known.push_back(row.name);
    BookProblem problem;
    problem.severity = Severity::Warning;
    problem.check = "unknown-fact";
    problem.subject = table_.id;
    problem.message = "`" + input.name +
                      "` is no fact that a workloads file has, so that it stays unknown unless --set gives it" +
                      did_you_mean(name, known);
    reader_.add(key.where(), std::move(problem));
  }

  void read_output(const Node& key, const Node& node) {
    reader_.known_keys(node, {"type", "values", "doc"});
    TableOutput output{std::string(key.text()), reader_.texts(node["values"]), key.where()};
    const std::string_view type = node["type"].text();
    if (type == "bool") output.words = {"false", "true"};
    if (type != "bool" && type != "enum")
      reader_.wrong(node.where(), "an output is `type: enum` with `values`, or `type: bool`");
    if (output.words.empty()) reader_.wrong(node.where(), "the output `" + output.name + "` needs `values`");
    if (table_.find_output(output.name) != nullptr)
      reader_.wrong(key.where(), "there are two outputs called `" + output.name + "`");
    table_.outputs.push_back(std::move(output));
  }

  void read_row(const Node& node) {
    reader_.known_keys(node, {"id", "when", "then", "options", "because"});
    TableRow row;
    row.id = reader_.text(node, "id");
    row.where = node["id"].where();
    row.because = trim(reader_.text_or(node, "because", ""));
    row.options = reader_.texts(node["options"]);
    const Node when = node["when"];
    if (when.exists() && !when.is_mapping())
      reader_.wrong(when.where(), "`when` must be a mapping of inputs to cells, got " + describe(when));
    for (std::size_t i = 0; when.is_mapping() && i < when.size(); ++i) {
      const std::string problem =
          read_row_cell(table_, row, when.key(i).text(), reader_.texts(when.value(i)), when.value(i).where());
      if (!problem.empty())
        reader_.wrong(table_.find_input(when.key(i).text()) == nullptr ? when.key(i).where() : when.value(i).where(),
                      problem);
    }
    const Node then = node["then"];
    for (std::size_t i = 0; then.is_mapping() && i < then.size(); ++i) {
      const std::string problem = read_row_word(table_, row, then.key(i).text(), then.value(i).text());
      if (!problem.empty())
        reader_.wrong(table_.find_output(then.key(i).text()) == nullptr ? then.key(i).where() : then.value(i).where(),
                      problem);
    }
    for (const TableOutput& output : table_.outputs) {
      if (!then[output.name].exists())
        reader_.wrong(then.where(), "row `" + row.id + "` does not say what `" + output.name + "` is");
      row.then.emplace(output.name, output.words.empty() ? "" : output.words.front());
    }
    const auto same = std::ranges::find(table_.rows, row.id, &TableRow::id);
    if (same != table_.rows.end()) reader_.wrong(node["id"].where(), "there are two rows called `" + row.id + "`");
    table_.rows.push_back(std::move(row));
  }

  void read_invariant(const Node& node) {
    reader_.known_keys(node, {"if", "then", "because"});
    Invariant invariant{reader_.text_or(node, "if", ""), reader_.text(node, "then"), node["then"].where()};
    table_.invariants.push_back(std::move(invariant));
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

std::vector<std::string> Table::options_of(const std::string& output, const std::string& word) const {
  for (const TableRow& row : rows) {
    if (row.then.at(output) == word && !row.options.empty()) return row.options;
  }
  return {};
}

std::string read_row_cell(const Table& table, TableRow& row, std::string_view name,
                          const std::vector<std::string>& texts, const Span& where) {
  const TableInput* input = table.find_input(name);
  if (input == nullptr) {
    std::vector<std::string_view> known;
    for (const TableInput& other : table.inputs) known.push_back(other.name);
    return "the table has no input `" + std::string(name) + "`" + did_you_mean(name, known);
  }
  row.when.erase(input->name);
  if (texts.size() == 1 && texts.front() == "-") return "";
  std::string error;
  std::optional<Cell> cell = parse_cell(texts, input->type, error);
  if (!cell) return error;
  const std::vector<std::string_view> known(input->words.begin(), input->words.end());
  for (const std::string& word : cell->words) {
    if (input->type == InputType::String || std::ranges::find(known, word) != known.end()) continue;
    return "`" + word + "` is none of " + join(known, ", ") + did_you_mean(word, known);
  }
  cell->where = where;
  row.when[input->name] = std::move(*cell);
  return "";
}

std::string read_row_word(const Table& table, TableRow& row, std::string_view name, std::string_view word) {
  const TableOutput* output = table.find_output(name);
  if (output == nullptr) {
    std::vector<std::string_view> known;
    for (const TableOutput& other : table.outputs) known.push_back(other.name);
    return "the table has no output `" + std::string(name) + "`" + did_you_mean(name, known);
  }
  const std::vector<std::string_view> known(output->words.begin(), output->words.end());
  if (std::ranges::find(known, word) == known.end())
    return "`" + output->name + "` must be one of " + join(known, ", ") + did_you_mean(word, known);
  row.then[output->name] = word;
  return "";
}

Table load_table(const Node& root, const std::string& path, BookReader& reader) {
  return TableLoader(root, path, reader).run();
}

}  // namespace muster
