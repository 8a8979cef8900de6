#include <algorithm>

#include "base/strings.h"
#include "decide/decide.h"
#include "facts/platform_facts.h"

namespace muster {
namespace {

constexpr std::string_view kAskedChoice = "choice";  // the one fact of a site that stands for no state of it

struct Assignment {
  std::string name;
  std::string value;
};

Error wrong_set(const std::string& text, const std::string& message) {
  return {Error::Code::Usage, "--set " + text + ": " + message};
}

std::optional<Assignment> split_assignment(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return std::nullopt;
  return Assignment{std::string(trim(text.substr(0, equals))), std::string(trim(text.substr(equals + 1)))};
}

Error not_an_assignment(const std::string& text) { return wrong_set(text, "expected FACT=VALUE, as in nodes=4"); }

/// The value that a file would have given; else what is wrong with it.
Result<FactValue> parse_fact(const FactDef& fact, const Assignment& said, const std::string& text) {
  const InputType type = fact.type == FactType::Bool     ? InputType::Bool
                         : fact.type == FactType::Int    ? InputType::Int
                         : fact.type == FactType::Double ? InputType::Double
                                                         : InputType::String;
  const std::optional<TableValue> parsed = parse_value(type, said.value);
  if (!parsed) {
    return wrong_set(
        text, "`" + said.name + "` is " + std::string(name_of(fact.type)) + ", which `" + said.value + "` is not");
  }
  FactValue out = said.value;
  if (type == InputType::Bool) out = said.value == "true";
  if (const auto* number = std::get_if<std::int64_t>(&*parsed)) out = *number;
  if (const auto* number = std::get_if<double>(&*parsed)) out = *number;
  if (const std::string bad = objection(fact, out); !bad.empty()) return wrong_set(text, "`" + said.name + "` " + bad);
  return out;
}

/// A fact of a list such as those of a fleet; false where there is none of that name.
Result<bool> set_in(std::span<const FactDef> defs, const Assignment& said, const std::string& text,
                    std::vector<Located<FactValue>>& facts) {
  const std::optional<std::size_t> index = fact_index(defs, said.name);
  if (!index) return false;
  Result<FactValue> value = parse_fact(defs[*index], said, text);
  if (!value) return value.error();
  facts[*index] = set_to(std::move(*value), Span{}, FieldName(defs[*index].name));
  return true;
}

/// A fact of the one fleet, or of each of its pools.
Result<bool> set_in_fleet(const Assignment& said, const std::string& text, Model& model) {
  if (model.fleets.size() != 1) return false;
  Fleet& fleet = model.fleets.front();
  Result<bool> out = set_in(fleet_facts(), said, text, fleet.facts);
  if (!out || *out) return out;
  for (NodePool& pool : fleet.node_pools) {
    out = set_in(pool_facts(), said, text, pool.facts);
    if (!out || !*out) return out;
  }
  return out;
}

}  // namespace

std::optional<Error> set_fact(const std::string& text, const RuleBook& book, Workload& workload, Site& site) {
  const std::optional<Assignment> said = split_assignment(text);
  if (!said) return not_an_assignment(text);
  const Result<bool> of_workload = set_in(workload_facts(), *said, text, workload.facts);
  if (!of_workload) return of_workload.error();
  if (*of_workload) return std::nullopt;
  if (said->name == kAskedChoice) return wrong_set(text, "`choice` is what is asked about; --why-not asks for a value");
  std::vector<std::string_view> known;
  for (const FactDef& fact : workload_facts()) known.push_back(fact.name);
  for (const FactDef& fact : site_facts()) known.push_back(fact.name);
  for (const Table& table : book.tables()) {
    for (const TableInput& input : table.inputs) {
      if (input.origin == InputOrigin::Target || input.origin == InputOrigin::Site) known.push_back(input.name);
      if (input.name != said->name || input.origin == InputOrigin::Table) continue;
      if (!parse_value(input.type, said->value)) {
        return wrong_set(text, "`" + said->name + "` is " + std::string(name_of(input.type)) + ", which `" +
                                   said->value + "` is not");
      }
      const bool word = input.words.empty() || std::ranges::find(input.words, said->value) != input.words.end();
      if (!word) return wrong_set(text, "`" + said->value + "` is none of " + join(input.words, ", "));
      if (const std::optional<std::size_t> index = fact_index(site_facts(), said->name)) {
        const Result<FactValue> value = parse_fact(site_facts()[*index], *said, text);
        if (!value) return value.error();
      }
      if (input.origin == InputOrigin::Site) site.facts[said->name] = said->value;
      if (input.origin == InputOrigin::Target)
        site.targets[said->name.starts_with("target.") ? said->name.substr(7) : said->name] =
            *Version::parse(said->value);
      return std::nullopt;
    }
  }
  // What no table reads may still be what others follow from.
  if (const std::optional<std::size_t> index = fact_index(site_facts(), said->name)) {
    const Result<FactValue> value = parse_fact(site_facts()[*index], *said, text);
    if (!value) return value.error();
    site.facts[said->name] = said->value;
    return std::nullopt;
  }
  return wrong_set(text, "there is no fact `" + said->name + "`" + did_you_mean(said->name, known));
}

std::optional<Error> set_facts(const std::vector<std::string>& texts, const RuleBook& book, Model& model, Site& site) {
  std::vector<std::string> of_site;
  bool derive = false;
  for (const std::string& text : texts) {
    const std::optional<Assignment> said = split_assignment(text);
    if (!said) return not_an_assignment(text);
    if (workload_fact_index(said->name)) {
      for (Workload& workload : model.workloads) {
        if (std::optional<Error> error = set_fact(text, book, workload, site)) return error;
      }
      continue;
    }
    const Result<bool> taken = set_in_fleet(*said, text, model);
    if (!taken) return taken.error();
    derive = derive || *taken;
    if (!*taken) of_site.push_back(text);
  }
  if (derive) {
    site.facts = read_site_facts(model);
    add_platform_facts(model, site);
  }
  Workload nobody = no_workload();
  for (const std::string& text : of_site) {
    if (std::optional<Error> error = set_fact(text, book, nobody, site)) return error;
  }
  return std::nullopt;
}

}  // namespace muster
