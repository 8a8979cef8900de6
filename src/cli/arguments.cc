#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <span>

#include "base/strings.h"
#include "base/utf8.h"
#include "cli/usage.h"
#include "report/proofs.h"
#include "report/report.h"

namespace muster {
namespace {

constexpr const char* kCheckFooter =
    "\nExit codes: 0 nothing at or above --fail-on; 1 findings at or above it; 2 muster could not do the job;\n"
    "3 a bug in muster. What is undecided, and GPU objects of kinds that muster does not know, count only with\n"
    "--fail-on-unknown; that nothing was checked, only with --fail-on-nothing.\n";
constexpr const char* kBaselineFooter =
    "\nA baseline is the list of findings that a repository has already: `muster check --baseline FILE` counts them\n"
    "and fails on new ones alone. write makes it; one that is there only gets shorter, unless with --grow.\n"
    "\nExit codes: 0 done; 1 of check: something in it is there no more; 2 muster could not do the job; 3 a bug in\n"
    "muster.\n";
constexpr const char* kDecideFooter =
    "\nExit codes: 0 decided; 1 mistakes in the input, or an undetermined workload with --fail-on-unknown;\n"
    "2 muster could not do the job; 3 a bug in muster.\n";
constexpr const char* kDiffFooter =
    "\nOLD and NEW are folders or files, or else revisions of the git repository one stands in: muster diff main .\n"
    "\nExit codes: 0 done; 1 a choice that binds is touched, with --fail-on-change; 2 muster could not do the job;\n"
    "3 a bug in muster.\n";
constexpr const char* kMergeFooter =
    "\nRESULT are files that `muster check --format json` wrote: all shards of one run, each once, or runs over\n"
    "different files. The answer is that of one run over all; a text of it has no lines of the files.\n"
    "\nExit codes: as those of check, of all results together.\n";
constexpr const char* kProveFooter =
    "\nExit codes: 0 no counterexample; 1 a counterexample, mistakes in a world or fleet file, or something unknown\n"
    "with --fail-on-unknown; 2 muster could not do the job; 3 a bug in muster.\n"
    "With --observed: 0 nothing is stuck; 1 something is; 2 a dump cannot be read.\n";
constexpr const char* kReviewFooter =
    "\nExit codes: 0 the review is written, whatever it says; 1 findings at or above --fail-on, or open questions\n"
    "with --fail-on-unknown; 2 muster could not do the job; 3 a bug in muster.\n";
constexpr const char* kRulesFooter =
    "\nExit codes: 0 done; 1 a case failed, or the expression ended in an error; 2 the rule book is refused,\n"
    "or muster could not do the job; 3 a bug in muster.\n";
constexpr const char* kInventoryFooter =
    "\nExit codes: 0 done; 1 the dumps contradict each other or cannot be read in part; 2 muster could not do the\n"
    "job; 3 a bug in muster.\n";
constexpr const char* kLspFooter =
    "\nAn editor starts it and speaks to it over standard input and output. It checks the folders that the editor has\n"
    "open, as `muster check FOLDER` does, with the texts as they stand in the editor, and writes nothing.\n"
    "\nExit codes: 0 the editor ended it; 1 the editor went away; 2 muster could not do the job; 3 a bug in muster.\n";
constexpr const char* kFooter = "\nExit codes: 0 done; 2 muster could not do the job; 3 a bug in muster.\n";

constexpr const char* kCommon = "Common options";

class Parser {
 public:
  /// Where the first word is a command, the others need no options.
  explicit Parser(std::string_view first = {})
      : app_("muster decides, checks and generates the orchestration of a GPU fleet, offline, from files.", "muster") {
    arguments_.rules_url = MUSTER_RULES_URL;
    app_.require_subcommand(1);
    app_.set_version_flag("--version", std::string("muster ") + MUSTER_VERSION);
    app_.footer("\nmuster COMMAND --help tells more of a command.\n");
    app_.get_formatter()->column_width(32);
    const bool named = std::ranges::find(commands(), first, &CommandRow::name) != commands().end();
    for (const CommandRow& row : commands()) {
      CLI::App* command = app_.add_subcommand(std::string(row.name), std::string(row.what));
      command->footer(row.footer);
      command->get_formatter()->column_width(32);
      if (!named || first == row.name) (this->*row.add)(command);
    }
  }

  std::vector<CommandUsage> usage() const {
    std::vector<CommandUsage> out;
    for (const CLI::App* command : app_.get_subcommands([](const CLI::App*) { return true; })) {
      CommandUsage& one = out.emplace_back();
      one.name = command->get_name();
      one.what = command->get_description();
      one.footer = command->get_footer();
      for (const CLI::Option* option : command->get_options()) {
        std::vector<std::string> choices = choices_in(option->get_description());
        if (option->get_positional()) {
          OperandUsage& operand = one.operands.emplace_back();
          operand.name = option->get_name(true);
          operand.what = option->get_description();
          operand.required = option->get_required();
          operand.many = option->get_expected_max() > 1;
          if (!takes_files(operand)) operand.choices = std::move(choices);
          if (one.name == "schema") operand.choices = names_of_schemas();
          continue;
        }
        if (option->check_lname("format") && choices.empty()) choices = formats_of(one.name);
        OptionUsage& row = one.options.emplace_back();
        for (const std::string& name : option->get_snames()) row.names.push_back("-" + name);
        for (const std::string& name : option->get_lnames()) row.names.push_back("--" + name);
        if (option->get_expected_max() > 0) row.value = option->get_type_name();
        row.what = option->get_description();
        row.choices = std::move(choices);
      }
    }
    return out;
  }

  ParsedArguments run(std::vector<std::string> words) {
    ParsedArguments out;
    const std::vector<std::string> given = words;
    try {
      std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
      app_.parse(std::move(words));
    } catch (const CLI::CallForHelp&) {
      out.text = app_.help();
      for (const CLI::App* command : app_.get_subcommands()) out.text = command->help("muster");
      out.text = without_empty_lines(std::move(out.text));
      return out;
    } catch (const CLI::CallForVersion& version) {
      out.text = std::string(version.what()) + "\n";
      return out;
    } catch (const CLI::ParseError& error) {
      out.text = "muster: " + printable(complaint(error, given)) + "\nmuster: try `muster " +
                 (app_.get_subcommands().empty() ? "" : app_.get_subcommands().front()->get_name() + " ") + "--help`\n";
      out.exit_code = 2;
      return out;
    }
    arguments_.command = app_.get_subcommands().front()->get_name();
    arguments_.fix = arguments_.fix && !arguments_.diff;
    out.arguments = std::move(arguments_);
    return out;
  }

 private:
  /// A command: the first line of its --help, its exit codes, and what adds its options.
  struct CommandRow {
    std::string_view name;
    std::string_view what;
    const char* footer;
    void (Parser::*add)(CLI::App* command);
  };
  static std::span<const CommandRow> commands() {
    static constexpr std::array kRows{
        CommandRow{"check", "lint every artifact under the paths; the CI gate", kCheckFooter, &Parser::add_check},
        CommandRow{"merge", "one answer out of the results of several checks, such as those of --shard", kMergeFooter,
                   &Parser::add_merge},
        CommandRow{"init", "the muster.yaml to begin with, by what is in a folder, and the lines for CI", kFooter,
                   &Parser::add_init},
        CommandRow{"baseline",
                   "the findings that a repository has already: write the list, or check whether it is still true",
                   kBaselineFooter, &Parser::add_baseline},
        CommandRow{"decide", "which control plane and add-ons each workload needs", kDecideFooter, &Parser::add_decide},
        CommandRow{"diff", "what a change does: findings, decisions, settings that belong to them, topology",
                   kDiffFooter, &Parser::add_diff},
        CommandRow{"generate", "write starter configs from a fleet and a workloads file", kFooter,
                   &Parser::add_generate},
        CommandRow{"prove", "whether gangs are placed all-or-nothing and can never block each other, or how they can",
                   kProveFooter, &Parser::add_prove},
        CommandRow{"review", "the architecture review: decisions, risks and proofs as one document", kReviewFooter,
                   &Parser::add_review},
        CommandRow{"inventory", "make a fleet file from dumps of schedulers and fabrics", kInventoryFooter,
                   &Parser::add_inventory},
        CommandRow{"explain", "what a rule, a decision table, a kind, a scheduler or an operator is about", kFooter,
                   &Parser::add_explain},
        CommandRow{"rules", "the rule book: check proves it, docs prints it, eval tries an expression, test runs cases",
                   kRulesFooter, &Parser::add_rules},
        CommandRow{"lsp", "a language server for editors: findings while one types, explained and mended", kLspFooter,
                   &Parser::add_lsp},
        CommandRow{"dump", "what a stage of the pipeline made", kFooter, &Parser::add_dump},
        CommandRow{"completion", "what completes the words of muster in a shell, and its manual page", kFooter,
                   &Parser::add_completion},
        CommandRow{"schema", "JSON Schema of a file that muster reads or prints", kFooter, &Parser::add_schema},
    };
    return kRows;
  }

  /// What CLI11 says, and what was meant.
  std::string complaint(const CLI::ParseError& error, const std::vector<std::string>& words) const {
    std::vector<std::string> known;
    std::string subject;
    const std::vector<const CLI::App*> commands = app_.get_subcommands([](const CLI::App*) { return true; });
    if (app_.get_subcommands().empty()) {
      for (const CLI::App* command : commands) known.push_back(command->get_name());
      if (words.empty() || words.front().starts_with('-')) return "name a command: " + join(known, ", ");
      subject = "there is no command `" + words.front() + "`" +
                did_you_mean(words.front(), std::vector<std::string_view>(known.begin(), known.end()));
      return subject + "; known are " + join(known, ", ");
    }
    subject = error.what();
    const auto code = static_cast<CLI::ExitCodes>(error.get_exit_code());
    if (code == CLI::ExitCodes::ConversionError) return replace_all(subject, "Could not convert:", "not a number:");
    if (code != CLI::ExitCodes::ExtrasError) return subject;
    for (const CLI::Option* option : app_.get_subcommands().front()->get_options()) {
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    }
    for (const std::string& word : words) {
      const std::string flag = word.substr(0, word.find('='));
      if (!flag.starts_with("--") || std::ranges::find(known, flag) != known.end()) continue;
      return "there is no option `" + flag + "`" +
             did_you_mean(flag, std::vector<std::string_view>(known.begin(), known.end()));
    }
    return subject;
  }

  /// A repeatable option must not swallow the paths behind it.
  static CLI::Option* many(CLI::App* command, const std::string& flags, std::vector<std::string>& into,
                           const std::string& what, const std::string& value) {
    return command->add_option(flags, into, what)->type_name(value)->take_all()->allow_extra_args(false);
  }

  static CLI::Option* positional(CLI::Option* option) { return option->type_name(""); }

  void formats(CLI::App* command, const std::string& known) {
    many(command, "--format", arguments_.formats, known + "; repeatable, =PATH writes a file", "FORMAT[=PATH]");
  }

  /// The rows of the table that the parser knows, with what each is for behind the options.
  template <typename Format>
  void formats(CLI::App* command, std::span<const Format> rows) {
    formats(command, "one of those below [text]");
    std::size_t width = 0;
    for (const Format& row : rows) width = std::max(width, row.name.size());
    std::string list = "\nFormats:\n";
    for (const Format& row : rows)
      list +=
          "  " + std::string(row.name) + std::string(width + 2 - row.name.size(), ' ') + std::string(row.doc) + "\n";
    command->footer(list + command->get_footer());
  }

  /// Of the commands that list them below their options.
  static std::vector<std::string> formats_of(std::string_view command) {
    return command == "prove" ? names_of_formats(proof_formats()) : names_of_formats(report_formats());
  }

  /// What every command that reads input takes.
  void common(CLI::App* command) {
    command->add_option("--fleet", arguments_.fleet, "fleet file (muster: fleet/v1)")
        ->type_name("FILE")
        ->group(kCommon);
    command->add_option("--workloads", arguments_.workloads, "workloads file (muster: workloads/v1)")
        ->type_name("FILE")
        ->group(kCommon);
    command->add_option("--config", arguments_.config, "muster.yaml; else the nearest one above the first path")
        ->type_name("FILE")
        ->group(kCommon);
    command->add_flag("--no-ignore", arguments_.no_ignore, "read what .gitignore names, vendor and node_modules, too")
        ->group(kCommon);
    many(command, "--rules", arguments_.rules, "folder of rules, kinds, schedulers and operators over the shipped ones",
         "DIR")
        ->group(kCommon);
    many(command, "--target", arguments_.targets, "versions, repeatable: slurm=25.11,kubernetes=1.37", "NAME=VERSION")
        ->group(kCommon);
    command->add_option("-j", arguments_.threads, "threads; 0 is one a processor")
        ->type_name("N")
        ->capture_default_str()
        ->group(kCommon);
    command->add_option("--color", arguments_.color, "auto, always or never; NO_COLOR is honoured")
        ->type_name("WHEN")
        ->capture_default_str()
        ->group(kCommon);
    command->add_option("--now", arguments_.now, "today's date for suppressions; else SOURCE_DATE_EPOCH or the clock")
        ->type_name("DATE")
        ->group(kCommon);
    command->add_flag("--quiet", arguments_.quiet, "the answer and nothing else")->group(kCommon);
    command->add_flag("--stats", arguments_.stats, "time and counts on standard error")->group(kCommon);
  }

  /// What judges the objects of manifests.
  void renders(CLI::App* command) {
    command->add_flag("--render", arguments_.render, "render charts by the `helm` in PATH instead of by muster itself");
  }

  void add_check(CLI::App* command) {
    positional(command->add_option("PATH", arguments_.paths, "files or folders; - is standard input [.]"));
    formats(command, report_formats());
    command->add_option("--fail-on", arguments_.fail_on, "error, warning, info or never")
        ->type_name("LEVEL")
        ->capture_default_str();
    command->add_flag("--fail-on-unknown", arguments_.fail_on_unknown,
                      "what is undecided fails, too, and GPU objects of unknown kinds");
    command
        ->add_option("--rules-url", arguments_.rules_url, "where docs/rules.md is published; reports link to URL#RULE")
        ->type_name("URL");
    command->add_flag("--fail-on-nothing", arguments_.fail_on_nothing, "exit code 2 when nothing was checked");
    command
        ->add_option("--baseline", arguments_.baseline,
                     "findings in this file do not fail, none: all do; see `muster baseline`")
        ->type_name("FILE");
    command->add_option("--since", arguments_.since, "report only what was not there at this git revision")
        ->type_name("REV");
    command->add_option("--shard", arguments_.shard, "every Nth of the repositories in the paths; see `muster merge`")
        ->type_name("I/N");
    many(command, "--select", arguments_.select, "only these: rules, patterns such as gang-*, families, planes",
         "RULES");
    many(command, "--ignore", arguments_.ignore, "none of these, repeatable", "RULES");
    many(command, "--exclude", arguments_.excludes, "leave out the files that match, as `exclude` of muster.yaml",
         "GLOB");
    command->add_option("--stdin-filename", arguments_.stdin_name, "what - is called and stands for, as in an editor")
        ->type_name("NAME");
    command->add_flag("--fix", arguments_.fix,
                      "mend what has one right answer, in the files; what is left is reported");
    command->add_flag("--unsafe", arguments_.unsafe, "with --fix or --diff: also what then runs differently");
    command->add_flag("--diff", arguments_.diff,
                      "print what --fix would change, and change nothing; also beside --fix");
    command->add_flag("--coverage", arguments_.coverage, "what became of each file and which kinds are unknown");
    command->add_flag("--show-suppressed", arguments_.show_suppressed, "list what somebody allowed, with the reason");
    many(command, "--set", arguments_.sets, "operators.ID.SETTING=VALUE or targets.NAME=VERSION, repeatable",
         "NAME=VALUE");
    renders(command);
    common(command);
  }
  void add_merge(CLI::App* command) {
    positional(command->add_option("RESULT", arguments_.paths, "results of check as JSON; - is standard input"))
        ->required();
    formats(command, report_formats());
    command->add_option("--fail-on", arguments_.fail_on, "error, warning, info or never")
        ->type_name("LEVEL")
        ->capture_default_str();
    command->add_flag("--fail-on-unknown", arguments_.fail_on_unknown,
                      "what is undecided fails, too, and GPU objects of unknown kinds");
    command->add_flag("--fail-on-nothing", arguments_.fail_on_nothing, "exit code 2 when nothing was checked");
    command
        ->add_option("--rules-url", arguments_.rules_url, "where docs/rules.md is published; reports link to URL#RULE")
        ->type_name("URL");
    command->add_flag("--coverage", arguments_.coverage, "what became of each file of a shard, and unknown kinds");
    command->add_flag("--show-suppressed", arguments_.show_suppressed, "list what somebody allowed, with the reason");
    command->add_option("--color", arguments_.color, "auto, always or never; NO_COLOR is honoured")
        ->type_name("WHEN")
        ->capture_default_str();
    command->add_flag("--quiet", arguments_.quiet, "the answer and nothing else");
  }
  void add_init(CLI::App* command) {
    positional(command->add_option("FOLDER", arguments_.paths, "of the repository [.]"));
    command->add_flag("--with-baseline", arguments_.with_baseline,
                      "what is found now fails nothing: writes .muster-baseline.json, too");
    command->add_flag("--force", arguments_.force, "replace a muster.yaml that is there");
    common(command);
  }
  void add_baseline(CLI::App* command) {
    positional(command->add_option("WHAT", arguments_.name, "write or check"))->required();
    positional(command->add_option("PATH", arguments_.paths, "files or folders [.]"));
    command
        ->add_option("--baseline", arguments_.baseline,
                     "the file; else that of muster.yaml, else .muster-baseline.json")
        ->type_name("FILE");
    command->add_flag("--grow", arguments_.grow, "of write: take what is new into a baseline that is there already");
    many(command, "--set", arguments_.sets, "operators.ID.SETTING=VALUE or targets.NAME=VERSION, repeatable",
         "NAME=VALUE");
    renders(command);
    common(command);
  }
  void add_decide(CLI::App* command) {
    positional(command->add_option("FACTS", arguments_.paths, "workloads files, optionally with a fleet file [.]"));
    formats(command, "text or json");
    command->add_flag("--why", arguments_.why, "each row tried, with the cell that failed and where the fact stands");
    many(command, "--why-not", arguments_.why_not,
         "what would have to change for a value such as k3s or host=k3s, repeatable", "VALUE");
    many(command, "--set", arguments_.sets, "decide as if a fact had this value; also targets.NAME=VERSION; repeatable",
         "FACT=VALUE");
    command->add_flag("--fail-on-unknown", arguments_.fail_on_unknown, "an undetermined workload fails");
    common(command);
  }
  void add_diff(CLI::App* command) {
    positional(command->add_option("SIDE", arguments_.paths, "OLD and NEW: folders or git revisions"))->required();
    formats(command, "text or json");
    command->add_option("--fail-on-change", arguments_.fail_on_change, "baked-in, or costly which includes it")
        ->type_name("LEVEL");
    common(command);
  }
  void add_generate(CLI::App* command) {
    positional(command->add_option("TEMPLATE", arguments_.name, "name of a template; see --list"));
    command->add_option("--out", arguments_.out, "folder to write to; else, and for -, standard output")
        ->type_name("DIR");
    command->add_flag("--force", arguments_.force, "replace files that exist");
    command->add_flag("--list", arguments_.list, "list the templates");
    common(command);
  }
  void add_prove(CLI::App* command) {
    positional(
        command->add_option("PATH", arguments_.paths, "world files, or files and folders with gangs and a fleet [.]"));
    formats(command, proof_formats());
    many(command, "--property", arguments_.properties,
         "placeable, all-or-nothing, no-deadlock, no-livelock, quota-consistent [all]", "NAME");
    command->add_option("--concurrent", arguments_.concurrent, "how many instances of each workload may be in flight")
        ->type_name("K")
        ->capture_default_str();
    command->add_option("--faults", arguments_.faults, "pods that may be lost after they were placed")
        ->type_name("N")
        ->capture_default_str();
    command->add_option("--budget", arguments_.budget, "states to look at where no argument decides, or seconds: 30s")
        ->type_name("STATES|SECONDS")
        ->capture_default_str();
    many(command, "--set", arguments_.sets, "operators.ID.SETTING=VALUE or targets.NAME=VERSION, repeatable",
         "NAME=VALUE");
    command->add_option("--seed", arguments_.seed, "of the random search")->type_name("N")->capture_default_str();
    many(command, "--observed", arguments_.observed,
         "instead: what is stuck already, by dumps of kubectl or squeue --json", "FILE");
    command->add_flag("--fail-on-unknown", arguments_.fail_on_unknown, "what is unknown fails, too");
    renders(command);
    common(command);
  }
  void add_review(CLI::App* command) {
    positional(command->add_option("PATH", arguments_.paths, "files or folders; - is standard input [.]"));
    formats(command, "markdown, json or html");
    command->add_option("--fail-on", arguments_.review_fail_on, "error, warning, info or never")
        ->type_name("LEVEL")
        ->capture_default_str();
    command->add_flag("--fail-on-unknown", arguments_.fail_on_unknown, "open questions fail, too");
    many(command, "--set", arguments_.sets, "operators.ID.SETTING=VALUE or targets.NAME=VERSION, repeatable",
         "NAME=VALUE");
    renders(command);
    common(command);
  }
  void add_inventory(CLI::App* command) {
    positional(command->add_option("DUMP", arguments_.paths, "files or folders; - is standard input"))->required();
    command->add_option("-o,--output", arguments_.out, "file to write; else, and for -, standard output")
        ->type_name("FILE");
    command->add_option("--name", arguments_.name, "name of the fleet; else the cluster's")->type_name("NAME");
    command->add_flag("--force", arguments_.force, "replace the file if it exists");
    command->add_option("--color", arguments_.color, "auto, always or never; NO_COLOR is honoured")
        ->type_name("WHEN")
        ->capture_default_str();
    command->add_flag("--quiet", arguments_.quiet, "the fleet file and what is wrong, nothing else");
  }
  void add_explain(CLI::App* command) {
    positional(command->add_option("NAME", arguments_.name,
                                   "a rule, table, kind, scheduler, operator, fact, function or template"));
    command->add_option("--at", arguments_.at, "for each rule that looked at this line: whether it fired, and why not")
        ->type_name("FILE:LINE");
    many(command, "--on", arguments_.paths, "of --at: read these files or folders, so that names can meet", "PATH");
    common(command);
  }
  void add_rules(CLI::App* command) {
    positional(command->add_option("WHAT", arguments_.name, "check, docs, eval, list or test"))->required();
    positional(command->add_option("EXPR", arguments_.expression,
                                   "of eval: an expression; of test: a folder; of list: a filter; of docs: gangs"));
    many(command, "--with", arguments_.bindings, "of eval: JSON object of names and values, or its file; repeatable",
         "JSON");
    many(command, "--on", arguments_.paths, "of eval: files or folders that it sees; repeatable", "PATH");
    formats(command, "of check and eval: text or json");
    common(command);
  }
  void add_lsp(CLI::App* command) {
    command->add_flag("--stdio", arguments_.stdio, "what it does anyway; some editors say it");
    command
        ->add_option("--rules-url", arguments_.rules_url, "where docs/rules.md is published; findings link to URL#RULE")
        ->type_name("URL");
    many(command, "--select", arguments_.select, "only these: rules, patterns such as gang-*, families, planes",
         "RULES");
    many(command, "--ignore", arguments_.ignore, "none of these, repeatable", "RULES");
    common(command);
  }
  void add_dump(CLI::App* command) {
    positional(
        command->add_option("STAGE", arguments_.name, "artifacts, rendered, model, site, facts, decisions or worlds"))
        ->required();
    positional(command->add_option("PATH", arguments_.paths, "files or folders; - is standard input [.]"));
    many(command, "--set", arguments_.sets, "operators.ID.SETTING=VALUE or targets.NAME=VERSION, repeatable",
         "NAME=VALUE");
    renders(command);
    common(command);
  }
  void add_completion(CLI::App* command) {
    positional(command->add_option("WHAT", arguments_.name, "bash, zsh, fish or man"))->required();
  }
  void add_schema(CLI::App* command) {
    positional(command->add_option("NAME", arguments_.name, "one of those below"))->required();
    std::string list = "\nSchemas:\n";
    for (const std::string& name : names_of_schemas()) list += "  " + name + "\n";
    command->footer(list + command->get_footer());
  }

  CLI::App app_;
  Arguments arguments_;
};

}  // namespace

ParsedArguments parse_arguments(const std::vector<std::string>& told) {
  const std::vector<std::string> words = as_options(told);
  return Parser(words.empty() ? std::string_view() : words.front()).run(words);
}

std::vector<CommandUsage> usage_of_commands() { return Parser().usage(); }

}  // namespace muster
