#include "base/strings.h"
#include "cli/command.h"
#include "report/book.h"

namespace muster {

Options book_options(const Arguments& arguments) {
  Options options;
  options.threads = threads_of(arguments);
  options.paths = {"."};
  options.config = arguments.config;
  options.rule_folders = arguments.rules;
  return options;
}

int run_rules_check(const Arguments& arguments, Console& console) {
  Result<std::vector<OutputTarget>> formats = read_formats(arguments, {"json", "text"});
  if (!formats) return fail(console, formats.error().message);
  Result<BookCheck> checked = check_rule_book(book_options(arguments), console.disk);
  if (!checked) return fail(console, checked.error().message);
  for (const OutputTarget& target : *formats) {
    const std::string text = target.format == "json" ? book_json(*checked) : book_text(*checked);
    if (std::optional<Error> error = write_output(target.path, text, console)) return fail(console, error->message);
  }
  if (checked->book) return 0;
  std::size_t errors = 0;
  for (const BookProblem& problem : checked->problems) errors += problem.severity == Severity::Error ? 1 : 0;
  return fail(console, "the rule book is refused: " + count_of(errors, "error"));
}

}  // namespace muster
