// The tables of docs/gangs.md that follow from rules/kinds and rules/schedulers.
#include "base/strings.h"
#include "cli/command.h"
#include "cli/knowledge_text.h"

namespace muster {
namespace {

/// Code of a table: no bar ends its cell, no quote the code.
std::string code(const std::string& text) { return "`" + replace_all(replace_all(text, "|", "\\|"), "`", "'") + "`"; }

std::string codes(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  for (const std::string& word : words) out.push_back(code(word));
  return join(out, ", ");
}

/// A cell of running words.
std::string cell(const std::string& text) { return replace_all(text, "|", "\\|"); }

std::string scheduler_row(const Scheduler& row) {
  std::string mechanism = code(std::string(name_of(row.mechanism)));
  if (row.without_group) mechanism += ", " + code(std::string(name_of(*row.without_group))) + " without a group";
  if (row.style)
    mechanism += ", " + code(std::string(name_of(row.style->mechanism))) + " with " + code(row.style->contains);
  const std::string names = row.admits          ? text_of(*row.admits)
                            : row.names.empty() ? "none of its own"
                                                : codes(row.names);
  std::vector<std::string> written;
  if (!row.min.empty()) written.push_back(text_of(row.min));
  if (!row.guaranteed_field.empty()) written.push_back("annotation " + row.guaranteed_field);
  if (row.task_groups) written.push_back(text_of(row.task_groups->list));
  std::vector<std::string> groups;
  for (const GangSystem group : row.groups) groups.emplace_back(name_of(group));
  if (!groups.empty()) written.push_back("a PodGroup of " + join(groups, ", "));
  return "| " + row.id + " | " + cell(names) + " | " + mechanism + " | " + (row.admits ? "*N*" : "1") + " | " +
         cell(join(written, "; ")) + " | " + cell(text_of(row.membership)) + " |\n";
}

std::string schedulers_table(const Knowledge& knowledge) {
  std::string out =
      "| scheduler | sent by schedulerName, or | mechanism | *K* when nothing says more | *K* is written as | "
      "membership |\n|---|---|---|---|---|---|\n";
  for (const Scheduler& row : knowledge.schedulers().schedulers) out += scheduler_row(row);
  return out;
}

/// A kind, or one of the gangs of one: `part` tells which.
std::string kind_row(const KindFile& object, const KindFile& kind, const std::string& part) {
  std::vector<std::string> counts;
  for (const RoleForm& role : kind.roles) {
    const std::string who = (role.each ? "each of " + code(path_text(*role.each)) : role.name) +
                            (role.in.empty() ? "" : " of its " + role.in);
    counts.push_back(who + ": " + code(text_of(role.count, kind)));
  }
  if (!kind.instances.empty()) counts.push_back("for each of " + code(text_of(kind.instances, kind)));
  std::vector<std::string> together;
  for (const auto& [scheduler, choices] : kind.together) {
    const bool setting = choices.size() == 1 && choices.front().unknown == "setting";
    together.push_back(scheduler + " " + (setting ? "by the setting" : code(text_of(choices, kind))));
  }
  std::string setting;
  if (kind.operator_setting)
    setting = code(setting_name(kind.operator_setting->id, kind.operator_setting->option)) + ": " +
              code(text_of(kind.operator_setting->together, kind));
  return "| " + object.kind + (object.group.empty() ? "" : " (" + object.group + ")") + part + " | " +
         join(counts, "; ") + " | " + join(together, "; ") + " | " + setting + " |\n";
}

/// Kinds that bring no pods themselves, in words.
std::string others_list(const Knowledge& knowledge) {
  std::string out;
  for (const KindFile* kind : knowledge.described()) {
    if (kind->is_read() && kind->roles.empty() && kind->parts.empty())
      out += "* " + kind->kind + (kind->group.empty() ? "" : " (" + kind->group + ")") + ": " + cell(kind->doc) + "\n";
  }
  return out;
}

std::string kinds_table(const Knowledge& knowledge) {
  std::string out =
      "| kind | *N*: the sum of | *K* by scheduler, where not as above | operator's setting that decides, and *K* with "
      "it |\n|---|---|---|---|\n";
  for (const KindFile* kind : knowledge.described()) {
    if (!kind->roles.empty()) out += kind_row(*kind, *kind, "");
    for (const PartForm& part : kind->parts)
      out += kind_row(*kind, part.form,
                      part.each           ? ", each of " + code(path_text(*part.each))
                      : part.name.empty() ? ""
                                          : ": " + part.name);
  }
  return out;
}

/// What stands between two comments of the document.
std::string section(const std::string& name, const std::string& table) {
  return "<!-- " + name + ": made by `muster rules docs gangs` -->\n\n" + table + "\n<!-- end -->\n";
}

}  // namespace

int run_rules_docs_gangs(const Arguments& arguments, Console& console) {
  Result<Book> book = load_whole_book(book_options(arguments), console.disk);
  if (!book) return fail(console, book.error().message);
  const std::string text = section("schedulers", schedulers_table(*book->knowledge)) +
                           section("kinds", kinds_table(*book->knowledge)) +
                           section("others", others_list(*book->knowledge));
  if (std::optional<Error> error = write_output("", text, console)) return fail(console, error->message);
  return 0;
}

}  // namespace muster
