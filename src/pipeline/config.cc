#include "pipeline/config.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "report/report.h"
#include "rulebook/book_reader.h"
#include "source/encoding.h"
#include "syntax/yaml_reader.h"

namespace muster {
namespace {

std::optional<Error> add_target(std::string_view name, std::string_view text, Targets& targets) {
  const std::optional<Version> version = Version::parse(text);
  if (target_type().find(name) == nullptr) {
    const std::vector<std::string_view> known = target_names();
    return Error{Error::Code::Usage, "no target is called `" + std::string(name) + "`" + did_you_mean(name, known) +
                                         "; known are " + join(known, ", ")};
  }
  if (!version)
    return Error{Error::Code::Usage, "`" + std::string(text) + "` is not a version of " + std::string(name) +
                                         "; write for example " + std::string(name) + "=25.11"};
  targets[std::string(name)] = *version;
  return std::nullopt;
}

class ConfigReader {
 public:
  ConfigReader(const Node& root, Config& config, BookReader& reader) : root_(root), config_(config), reader_(reader) {}

  void run() {
    reader_.known_keys(root_, {"muster", "targets", "fleet", "workloads", "baseline", "exclude", "complete",
                               "operators", "rules", "suppress"});
    if (root_["muster"].text() != "config/v1") reader_.wrong(root_["muster"].where(), "expected `muster: config/v1`");
    if (!shaped(root_, Shape::Mapping)) return;
    const Node targets = root_["targets"];
    shaped(targets, Shape::Mapping);
    for (std::size_t i = 0; targets.is_mapping() && i < targets.size(); ++i) {
      const Node version = targets.value(i);
      if (version.is_null() && target_type().find(targets.key(i).text()) != nullptr) continue;
      const std::optional<Error> error = add_target(targets.key(i).text(), version.text(), config_.targets);
      if (error) reader_.wrong(targets.key(i).where(), error->message);
      config_.target_places[std::string(targets.key(i).text())] = version.where();
    }
    config_.fleet = reader_.text_or(root_, "fleet", "");
    config_.workloads = reader_.text_or(root_, "workloads", "");
    config_.baseline = reader_.text_or(root_, "baseline", "");
    if (const Node exclude = root_["exclude"]; !exclude.is_null()) config_.excludes = reader_.texts(exclude);
    if (const Node complete = root_["complete"]; complete.exists() && !complete.is_null())
      config_.complete = reader_.boolean(complete).value_or(false);
    read_operators(root_["operators"]);
    read_rules(root_["rules"]);
    const Node suppress = root_["suppress"];
    shaped(suppress, Shape::List);
    for (std::size_t i = 0; suppress.is_sequence() && i < suppress.size(); ++i) read_suppression(suppress.item(i));
  }

 private:
  enum class Shape { Mapping, List };
  /// False, and a problem, when something is there that has another shape. An empty value is as good as none.
  bool shaped(const Node& node, Shape shape) {
    const bool fits = shape == Shape::Mapping ? node.is_mapping() : node.is_sequence();
    if (fits || !node.exists() || node.is_null()) return true;
    reader_.wrong(node.where(), shape == Shape::Mapping ? "expected `key: value` lines" : "expected a list");
    return false;
  }

  /// operators: {training-operator: {gang-scheduler-name: volcano}}
  void read_operators(const Node& operators) {
    shaped(operators, Shape::Mapping);
    for (std::size_t i = 0; operators.is_mapping() && i < operators.size(); ++i) {
      const Node settings = operators.value(i);
      if (!shaped(settings, Shape::Mapping)) continue;
      for (std::size_t s = 0; settings.is_mapping() && s < settings.size(); ++s)
        read_setting(operators.key(i), settings.key(s), settings.value(s));
    }
  }

  void read_setting(const Node& which, const Node& setting, const Node& value) {
    ConfigSetting out;
    out.which = which.text();
    out.setting = setting.text();
    // A list says what a controller manages; one that is stated is believed.
    out.value = value.is_null() ? "" : join(reader_.texts(value), ",");
    out.place = value.where();
    std::string file;
    reader_.place(which.where(), file, out.at_which);
    reader_.place(setting.where(), file, out.at_setting);
    config_.operators.push_back(std::move(out));
  }

  void read_rules(const Node& rules) {
    shaped(rules, Shape::Mapping);
    reader_.known_keys(rules, {"folders", "severity", "params", "rows"});
    if (const Node folders = rules["folders"]; !folders.is_null()) config_.rule_folders = reader_.texts(folders);
    const Node severities = rules["severity"];
    shaped(severities, Shape::Mapping);
    for (std::size_t i = 0; severities.is_mapping() && i < severities.size(); ++i) {
      const Node word = severities.value(i);
      // YAML 1.1 reads a plain `off` as false, and so do tools that write this file.
      const bool off = word.text() == "off" || (word.text() == "false" && word.style() == ScalarStyle::Plain);
      if (!off && !word.is_null() && !enum_of<Severity>(word.text())) {
        constexpr std::array<std::string_view, 4> kWords{"error", "warning", "info", "off"};
        reader_.wrong(word.where(),
                      "expected one of error, warning, info or off; got `" + std::string(word.text()) + "`" +
                          (word.text() == "warn" ? "; did you mean `warning`?" : did_you_mean(word.text(), kWords)));
        continue;
      }
      config_.severities[std::string(severities.key(i).text())] =
          off ? std::nullopt : std::optional(reader_.word(word, Severity::Warning));
    }
    const Node params = rules["params"];
    shaped(params, Shape::Mapping);
    for (std::size_t i = 0; params.is_mapping() && i < params.size(); ++i) {
      const Node values = params.value(i);
      shaped(values, Shape::Mapping);
      for (std::size_t p = 0; values.is_mapping() && p < values.size(); ++p) {
        config_.params[std::string(params.key(i).text())][std::string(values.key(p).text())] =
            reader_.text_of(values.value(p));
      }
    }
    const Node rows = rules["rows"];
    shaped(rows, Shape::Mapping);
    for (std::size_t i = 0; rows.is_mapping() && i < rows.size(); ++i) {
      const Node table = rows.value(i);
      shaped(table, Shape::Mapping);
      for (std::size_t r = 0; table.is_mapping() && r < table.size(); ++r)
        read_row_override(std::string(rows.key(i).text()), table.key(r), table.value(r));
    }
  }

  /// k3s-small: {then: {primary: kubernetes}, reason: no k3s here}
  void read_row_override(std::string table, const Node& key, const Node& node) {
    RowOverride out;
    out.table = std::move(table);
    out.row = key.text();
    reader_.place(key.where(), out.file, out.at);
    if (!shaped(node, Shape::Mapping)) return;
    reader_.known_keys(node, {"off", "when", "then", "reason"});
    if (const Node off = node["off"]; off.exists()) out.off = reader_.boolean(off).value_or(false);
    out.reason = trim(reader_.text_or(node, "reason", ""));
    if (out.reason.empty())
      reader_.wrong(
          key.where(),
          "an override of a row needs a reason, as in {then: {...}, reason: ...} or {off: true, reason: ...}");
    const Node when = node["when"];
    shaped(when, Shape::Mapping);
    for (std::size_t i = 0; when.is_mapping() && i < when.size(); ++i)
      out.when[std::string(when.key(i).text())] = reader_.texts(when.value(i));
    const Node then = node["then"];
    shaped(then, Shape::Mapping);
    for (std::size_t i = 0; then.is_mapping() && i < then.size(); ++i)
      out.then[std::string(then.key(i).text())] = reader_.text_of(then.value(i));
    const bool says = when.is_mapping() || then.is_mapping();
    if (out.off == says) reader_.wrong(key.where(), "an override of a row has `when` or `then`, or is `off: true`");
    config_.rows.push_back(std::move(out));
  }

  void read_suppression(const Node& node) {
    if (!shaped(node, Shape::Mapping)) return;
    reader_.known_keys(node, {"rule", "path", "where", "reason", "until"});
    ConfigSuppression out;
    out.place = node.where();
    out.rule = reader_.text(node, "rule");
    out.path = reader_.text_or(node, "path", "");
    out.where = reader_.text_or(node, "where", "");
    out.reason = trim(reader_.text_or(node, "reason", ""));
    if (out.reason.empty()) reader_.wrong(node.where(), "a suppression needs a reason");
    if (const Node until = node["until"]; until.exists()) {
      out.until = parse_date(until.text());
      if (!out.until) reader_.wrong(until.where(), "expected a date such as 2027-01-31");
    }
    config_.suppressions.push_back(std::move(out));
  }

  const Node& root_;
  Config& config_;
  BookReader& reader_;
};

}  // namespace

std::optional<Error> add_targets(std::string_view text, Targets& targets) {
  for (const std::string_view pair : split(text, ',')) {
    const std::size_t equals = pair.find('=');
    if (equals == pair.npos)
      return Error{Error::Code::Usage,
                   "expected NAME=VERSION, got `" + std::string(pair) + "`; for example slurm=25.11"};
    if (std::optional<Error> error = add_target(trim(pair.substr(0, equals)), trim(pair.substr(equals + 1)), targets))
      return error;
  }
  return std::nullopt;
}

Result<Config> read_config(const std::string& path, const FileSystem& disk) {
  Result<std::string> bytes = disk.read(path);
  if (!bytes) return bytes.error();
  SourceMap sources;
  Config config;
  config.text = decode_text(std::move(*bytes)).text;
  const FileId file = sources.add(path, config.text);
  config.file = path;
  const std::string absolute = disk.absolute(path);
  config.folder = absolute.substr(0, absolute.rfind('/'));
  BookReader reader(sources);
  const std::vector<Span> documents = split_yaml_documents(file, sources.file(file).text());
  Document document;
  std::vector<Finding> findings;
  if (documents.size() != 1 || !read_yaml(sources.file(file).text(), documents.front(), document, findings)) {
    reader.wrong(findings.empty() ? Span{file, 0, 0} : findings.front().where,
                 findings.empty() ? "expected one YAML document" : findings.front().message);
  } else {
    for (const Finding& finding : findings) reader.wrong(finding.where, finding.message);
    const Node root = document.root();
    ConfigReader(root, config, reader).run();
  }
  if (!reader.good()) return Error{Error::Code::Usage, "the configuration cannot be used:\n" + reader.problems()};
  return config;
}

std::optional<std::string> find_config(const std::string& path, const FileSystem& disk) {
  std::string folder = disk.absolute(path);
  if (disk.kind(path) != FileSystem::Kind::Folder) folder = folder.substr(0, folder.rfind('/'));
  while (folder.ends_with('/')) folder.pop_back();
  for (;;) {
    const std::string candidate = folder + "/muster.yaml";
    if (disk.kind(candidate) == FileSystem::Kind::File) return candidate;
    const std::size_t slash = folder.rfind('/');
    if (slash == std::string::npos || folder.empty()) return std::nullopt;
    folder.resize(slash);
  }
}

Configured configured_by(const Config& config, std::size_t excluded, const std::vector<SuppressedFinding>& suppressed) {
  Configured out;
  if (config.file.empty()) return out;
  out.file = config.shown;
  for (const auto& [rule, severity] : config.severities) {
    if (!severity) out.off.push_back(rule);
    if (severity) out.severities.push_back(rule + "=" + std::string(name_of(*severity)));
  }
  // Its folders may replace anything that is shipped.
  for (const std::string& folder : config.rule_folders) out.severities.push_back("rules.folders=" + folder);
  out.excludes = config.excludes;
  out.excluded = excluded;
  out.suppressed = static_cast<std::size_t>(
      std::ranges::count(suppressed, SuppressedFinding::Where::Config, &SuppressedFinding::said));
  return out;
}

}  // namespace muster
