#include "slurm/conf_evidence.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "slurm/keys.h"
#include "slurm/scontrol_dump.h"

namespace muster {
namespace {

struct Traits {
  const ConfText& conf;
  std::size_t fitting = 0;  ///< lines that are pairs throughout, or an Include

  std::size_t count() const { return conf.lines.size(); }
  std::size_t share() const { return conf.lines.empty() ? 100 : fitting * 100 / conf.lines.size(); }
  std::string_view written(const ConfLine& line) const {
    return conf.text.substr(line.where.begin, line.where.end - line.where.begin);
  }
};

constexpr int kDump = -300;  // the rows of dumps, and only they

using Says = std::string (*)(const Traits&);

struct Row {
  int weight;
  Says says;  ///< empty: it does not hold
};

bool fits_line(const ConfLine& line) { return line.include || (!line.pairs.empty() && line.rest.empty()); }

/// The first line that has a trait, in words; empty when fewer than `least` have it.
template <class Has>
std::string says_lines(const Traits& traits, std::ptrdiff_t least, std::string_view what, Has has) {
  const std::vector<ConfLine>& lines = traits.conf.lines;
  if (std::ranges::count_if(lines, has) < least) return "";
  const auto first = std::ranges::find_if(lines, has);
  const auto number = 1 + std::ranges::count(traits.conf.text.substr(0, first->where.begin), '\n');
  return "line " + std::to_string(number) + " " + std::string(what);
}

bool has_written_key(const ConfLine& line, std::span<const std::string_view> lower_keys) {
  return std::ranges::any_of(line.pairs, [&](const ConfPair& pair) {
    return std::ranges::find(lower_keys, to_lower(pair.key)) != lower_keys.end();
  });
}

std::string of_its_kind(const Traits& traits) {
  return traits.conf.content == nullptr ? "" : "it has what only " + std::string(traits.conf.content->id) + " has";
}

std::string has_slurm_key(const Traits& traits) {
  return says_lines(traits, 1, "has a key of slurm.conf", [](const ConfLine& line) {
    return !line.pairs.empty() && is_slurm_conf_key(to_lower(line.pairs.front().key));
  });
}

std::string is_named(const Traits& traits) {
  return kind_opened_as(traits.conf.name).empty() ? ""
                                                  : "Slurm opens `" + std::string(traits.conf.name) + "` by its name";
}

/// Names that no other program gives to lines of `Key=Value`.
std::string is_named_alone(const Traits& traits) {
  return traits.conf.name == "gres.conf" || traits.conf.name == "cgroup.conf"
             ? "no other program has a file of that name"
             : "";
}

/// What AllowedDevicesFile named before 22.05: a list of devices that nothing reads now. Source: man cgroup.conf
/// (21.08).
std::string is_device_list(const Traits& traits) {
  return contains(traits.conf.name, "allowed_devices")
             ? "its name is that of a list of devices, which Slurm reads no more"
             : "";
}

std::string is_named_template(const Traits& traits) {
  return traits.conf.is_template && !is_named(traits).empty() ? "it is a template of a file of that name" : "";
}

std::string all_fit(const Traits& traits) {
  return traits.count() > 0 && traits.fitting == traits.count() ? "all of its lines are `Key=Value`" : "";
}

std::string share_of(const Traits& traits) {
  return std::to_string(traits.count() - traits.fitting) + " of " + count_of(traits.count(), "line") +
         " are not `Key=Value`";
}
std::string some_do_not_fit(const Traits& traits) {
  return traits.share() < 85 && traits.share() >= 60 ? share_of(traits) : "";
}
std::string many_do_not_fit(const Traits& traits) { return traits.share() < 60 ? share_of(traits) : ""; }
std::string begins_otherwise(const Traits& traits) {
  return traits.share() < 85 && !fits_line(traits.conf.lines.front()) ? "it does not begin with `Key=Value`" : "";
}

std::string is_headed_as_dump(const Traits& traits) {
  return says_lines(traits, 1, "is a heading that Slurm's programs print", [&](const ConfLine& line) {
    constexpr std::array<std::string_view, 4> kHeadings{"Configuration data as of ", "NODELIST ", "PARTITION ",
                                                        "JOBID "};
    return std::ranges::any_of(kHeadings,
                               [&](std::string_view heading) { return traits.written(line).starts_with(heading); });
  });
}

// What scontrol and slurmd print and no file of Slurm's may have. Source: SchedMD/slurm:src/api/config_info.c,
// node_info.c, partition_info.c, src/slurmd/slurmd/slurmd.c (24.11).
constexpr std::array<std::string_view, 15> kPrintedKeys{"alloctres",   "boot_time",  "boottime",      "cfgtres",
                                                        "cpualloc",    "cputot",     "hash_val",      "lastbusytime",
                                                        "next_job_id", "slurm_conf", "slurm_version", "slurmdstarttime",
                                                        "totalcpus",   "totalnodes", "uptime"};

std::string has_printed_key(const Traits& traits) {
  return says_lines(traits, 1, "has a key that scontrol and slurmd print and no file has",
                    [](const ConfLine& line) { return has_written_key(line, kPrintedKeys); });
}

std::string is_printed_record(const Traits& traits) {
  return is_scontrol_dump(traits.conf.text) ? "its first record goes on as scontrol prints it" : "";
}

std::string has_nulls(const Traits& traits) {
  return says_lines(traits, 3, "and others say `(null)`, as scontrol prints it", [](const ConfLine& line) {
    return std::ranges::any_of(line.pairs, [](const ConfPair& pair) { return pair.value == "(null)"; });
  });
}

/// `SlurmctldPort           = 6817`: scontrol pads keys to 23 characters.
std::string is_in_columns(const Traits& traits) {
  constexpr std::size_t kColumn = 24;
  const auto padded = [&](const ConfLine& line) {
    const std::string_view text = traits.written(line);
    return !line.pairs.empty() && text.size() > kColumn && text.find('=') == kColumn && text[kColumn - 1] == ' ';
  };
  const auto padded_lines = static_cast<std::size_t>(std::ranges::count_if(traits.conf.lines, padded));
  return padded_lines >= 5 && padded_lines * 100 >= traits.count() * 70
             ? "its values stand in the column in which scontrol prints them"
             : "";
}

/// `2026-01-31T10:00:00`, `[2026-01-31 10:00`, `Jan 31 10:00:00`.
bool begins_with_time(std::string_view line) {
  while (!line.empty() && (line.front() == '[' || line.front() == '(')) line.remove_prefix(1);
  std::string shape(line.substr(0, 16));
  std::ranges::replace_if(shape, is_digit, '0');
  if (shape.starts_with("0000-00-00") || shape.starts_with("0000/00/00") || shape.starts_with("00:00:00")) return true;
  constexpr std::string_view kMonths = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec";
  return shape.size() > 12 && kMonths.find(shape.substr(0, 3)) != kMonths.npos &&
         (shape.substr(3, 6) == " 00 00" || shape.substr(3, 6) == "  0 00");
}

std::string is_log(const Traits& traits) {
  const auto least = static_cast<std::ptrdiff_t>(std::max<std::size_t>(1, traits.count() / 4));
  return says_lines(traits, least, "and others begin with a time, as in a log",
                    [&](const ConfLine& line) { return begins_with_time(traits.written(line)); });
}

std::string is_markup(const Traits& traits) {
  return says_lines(traits, 1, "is markup", [&](const ConfLine& line) {
    const std::string_view text = traits.written(line);
    return text.starts_with("```") || text.starts_with("~~~") || text.starts_with("<!DOCTYPE") ||
           text.starts_with("<html") || text.starts_with(".. code");
  });
}

std::string is_shell(const Traits& traits) {
  if (traits.conf.text.starts_with("#!")) return "it begins with `#!`, as a script";
  return says_lines(traits, 2, "and others are shell", [&](const ConfLine& line) {
    const std::string_view text = traits.written(line);
    constexpr std::array<std::string_view, 14> kWords{"cat ", "cd ",  "cp ", "done",   "echo ", "esac",  "export ",
                                                      "fi",   "for ", "if ", "mkdir ", "sed ",  "sudo ", "systemctl "};
    const bool command = std::ranges::any_of(
        kWords, [&](std::string_view word) { return word.ends_with(' ') ? text.starts_with(word) : text == word; });
    return command || contains(text, "<<EOF") || contains(text, "<< EOF") || contains(text, "$(");
  });
}

std::string has_prompt(const Traits& traits) {
  return says_lines(traits, 1, "is a command behind a prompt", [&](const ConfLine& line) {
    const std::string_view text = traits.written(line);
    return text.starts_with("$ ") || text.starts_with("% ") ||
           (text.starts_with('[') && contains(text, "@") && contains(text, "]$"));
  });
}

std::string is_patch(const Traits& traits) {
  return says_lines(traits, 1, "is of a patch", [&](const ConfLine& line) {
    return traits.written(line).starts_with("diff --git ") || traits.written(line).starts_with("@@ -");
  });
}

std::string has_sections(const Traits& traits) {
  return says_lines(traits, 1, "is the heading of a section, which Slurm's files do not have",
                    [&](const ConfLine& line) {
                      const std::string_view text = traits.written(line);
                      return text.starts_with('[') && text.ends_with(']') && text.find('=') == text.npos;
                    });
}

/// `---` in a file that Slurm would not open by its name: a manifest, a page or a test's data that quotes such a file.
std::string has_document_mark(const Traits& traits) {
  if (!kind_opened_as(traits.conf.name).empty()) return "";
  return says_lines(traits, 1, "is `---`, which stands in no file of Slurm",
                    [&](const ConfLine& line) { return trim(traits.written(line)) == "---"; });
}

// A name is worth nothing alone, what only a dump has outweighs everything. Comments never count: what Slurm does not
// read cannot say what a file is.
constexpr std::array kRows{
    Row{60, of_its_kind},
    Row{20, has_slurm_key},
    Row{20, all_fit},
    Row{15, is_named},
    Row{10, is_named_alone},
    Row{25, is_named_template},
    Row{-15, some_do_not_fit},
    Row{-55, many_do_not_fit},
    Row{-30, begins_otherwise},
    Row{kDump, is_headed_as_dump},
    Row{kDump, has_printed_key},
    Row{kDump, is_printed_record},
    Row{-200, is_device_list},
    Row{-65, has_nulls},
    Row{-65, is_in_columns},
    Row{-200, is_log},
    Row{-200, is_markup},
    Row{-200, is_shell},
    Row{-60, has_prompt},
    Row{-200, is_patch},
    Row{-40, has_sections},
    Row{-200, has_document_mark},
};

struct OpenedFile {
  std::string_view name;
  std::string_view kind;
};
// Source: SchedMD/slurm:src/common/read_config.c, get_extra_conf_path and its callers (24.11).
constexpr std::array kOpened{
    OpenedFile{"acct_gather.conf", "acct-gather-conf"},
    OpenedFile{"cgroup.conf", "cgroup-conf"},
    OpenedFile{"gres.conf", "gres-conf"},
    OpenedFile{"helpers.conf", "helpers-conf"},
    OpenedFile{"job_container.conf", "job-container-conf"},
    OpenedFile{"oci.conf", "oci-conf"},
    OpenedFile{"slurm.conf", "slurm-conf"},
    OpenedFile{"slurmdbd.conf", "slurmdbd-conf"},
    OpenedFile{"topology.conf", "topology-conf"},
    OpenedFile{"topology.yaml", "topology-yaml"},
};

}  // namespace

std::vector<Evidence> weigh_conf(const ConfText& conf) {
  Traits traits{conf};
  traits.fitting = static_cast<std::size_t>(std::ranges::count_if(conf.lines, fits_line));
  std::vector<Evidence> out;
  for (const Row& row : kRows) {
    if (std::string words = row.says(traits); !words.empty()) out.push_back({row.weight, std::move(words)});
  }
  return out;
}

bool is_of_a_dump(const Evidence& evidence) { return evidence.weight == kDump; }

std::string_view kind_opened_as(std::string_view name) {
  const auto found = std::ranges::find(kOpened, name, &OpenedFile::name);
  return found == kOpened.end() ? std::string_view{} : found->kind;
}

std::optional<std::string> stated_slurm_version(const std::vector<ConfLine>& lines) {
  for (const ConfLine& line : lines) {
    for (const ConfPair& pair : line.pairs) {
      if (pair.key == "SLURM_VERSION" || (pair.key == "Version" && !line.pairs.front().value.empty()))
        return pair.value;
    }
  }
  return std::nullopt;
}

}  // namespace muster
