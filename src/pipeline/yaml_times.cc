#include "pipeline/yaml_times.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "pipeline/playbook_files.h"
#include "syntax/yaml_reader.h"

namespace muster {
namespace {

/// Who reads a file and hands its times to Slurm.
enum class TimeReader { None, Dask, Snakemake, Ansible, ParallelCluster };

/// What base 60 makes of `12:00:00`, in seconds; 0: YAML 1.1 takes it for a text, as it does `00:30:00` and `1-0:00`.
/// Executed with PyYAML 6.0.3.
std::int64_t sexagesimal(std::string_view value) {
  std::int64_t out = 0;
  if (value.empty() || value.size() > 9 || value.front() < '1' || value.front() > '9') return 0;
  const std::vector<std::string_view> parts = split(value, ':');
  if (parts.size() < 2) return 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool digits = !parts[i].empty() && std::ranges::all_of(parts[i], is_digit);
    if (!digits || (i > 0 && (parts[i].size() > 2 || (parts[i].size() == 2 && parts[i][0] > '5')))) return 0;
    out = out * 60 + parse_int(parts[i]).value_or(0);
  }
  return out;
}

/// `max_time` as `maxtime`.
std::string bare_key(std::string_view key) {
  std::string out;
  for (const char c : to_lower(key)) {
    if (c != '_' && c != '-' && c != '"' && c != '\'') out += c;
  }
  return out;
}

bool is_time_key(const std::string& key, TimeReader reader) {
  switch (reader) {
    case TimeReader::Dask: return key == "walltime";
    case TimeReader::Snakemake: return key == "time" || key == "walltime" || key == "timelimit";
    default: return key.ends_with("maxtime") || key.ends_with("defaulttime");
  }
}

bool has_line_of(std::string_view text, std::string_view begin) {
  return text.starts_with(begin) || contains(text, "\n" + std::string(begin));
}

TimeReader reader_of(std::string_view path, std::string_view text) {
  if (has_line_of(text, "jobqueue:")) return TimeReader::Dask;
  // --cluster-config of Snakemake before 8; other schedulers take seconds.
  if (has_line_of(text, "__default__:")) {
    const bool slurm = contains(text, "partition:") || contains(text, "slurm") || contains(text, "sbatch");
    const bool other = contains(text, "qsub") || contains(text, "bsub") || contains(text, "queue:");
    return slurm && !other ? TimeReader::Snakemake : TimeReader::None;
  }
  if (contains(text, "CustomSlurmSettings:") && contains(text, "SlurmQueues:")) return TimeReader::ParallelCluster;
  const bool variables = contains(path, "group_vars") || contains(path, "host_vars") || contains(path, "/defaults/") ||
                         contains(path, "/vars/") || path.starts_with("defaults/") || path.starts_with("vars/");
  const bool slurm =
      contains_ignoring_case(path, "slurm") || contains_ignoring_case(text, "slurm") || contains(text, "openhpc");
  return variables && slurm && may_set_variables(path) ? TimeReader::Ansible : TimeReader::None;
}

class TimesOfFile {
 public:
  TimesOfFile(TimeReader reader, std::string_view text, std::vector<Finding>& findings)
      : reader_(reader), text_(text), findings_(findings) {}

  void look_below(const Node& node) {
    constexpr std::size_t kMostDeep = 12;  // what these readers look at is not further in
    if (above_.size() > kMostDeep) return;
    for (std::size_t i = 0; i < node.size(); ++i) {
      const bool named = node.is_mapping();
      const Node value = named ? node.value(i) : node.item(i);
      if (named) above_.push_back(node.key(i).text());
      if (value.is_mapping() || value.is_sequence()) {
        look_below(value);
      } else if (named && value.is_scalar()) {
        look_at(value);
      }
      if (named) above_.pop_back();
    }
  }

 private:
  bool stands_in_its_place() const {
    switch (reader_) {
      case TimeReader::Dask: return above_.size() == 3 && above_[0] == "jobqueue" && above_[1] == "slurm";
      case TimeReader::ParallelCluster: return above_.size() > 1 && above_[above_.size() - 2] == "CustomSlurmSettings";
      case TimeReader::Ansible:
        return std::any_of(above_.begin(), above_.end() - 1,
                           [](std::string_view key) { return contains_ignoring_case(key, "partition"); });
      default: return above_.size() == 2;
    }
  }

  /// `!!str 12:00:00`
  bool has_tag(const Node& value) const {
    const std::string_view before = trim(text_.substr(0, value.where().begin));
    return before.substr(before.find_last_of(" \t\n:") + 1).starts_with('!') ||  // npos + 1 is 0
           text_.substr(value.where().begin).starts_with('!');
  }

  void look_at(const Node& value) {
    if (value.style() != ScalarStyle::Plain || has_tag(value)) return;
    const std::int64_t number = sexagesimal(value.text());
    if (number == 0 || !is_time_key(bare_key(above_.back()), reader_) || !stands_in_its_place()) return;
    const std::string days = std::to_string(number / 1440);
    const std::string span = number < 120    ? std::to_string(number) + " of them"
                             : number < 2880 ? std::to_string(number / 60) + " hours"
                                             : days + " days";
    findings_.push_back(problem(
        "yaml-time-as-number", value.where(),
        "YAML 1.1 reads this as the number " + std::to_string(number) + ", and Slurm takes it for minutes: " + span));
  }

  TimeReader reader_;
  std::string_view text_;
  std::vector<Finding>& findings_;
  std::vector<std::string_view> above_;  ///< the keys down to the value
};

}  // namespace

void find_times_as_numbers(const Inputs& inputs, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const auto file = static_cast<FileId>(i);
    const std::string_view path = inputs.files[i].context.path;
    if (!is_yaml_file(path) && !contains(path, "_vars/")) continue;
    const std::string_view text = inputs.sources.file(file).text();
    if (!contains_ignoring_case(text, "time:")) continue;
    const TimeReader reader = reader_of(path, text);
    if (reader == TimeReader::None) continue;
    for (const Span& where : split_yaml_documents(file, text)) {
      Document document;
      std::vector<Finding> said_elsewhere;
      if (read_yaml(text, where, document, said_elsewhere))
        TimesOfFile(reader, text, findings).look_below(document.root());
    }
  }
}

}  // namespace muster
