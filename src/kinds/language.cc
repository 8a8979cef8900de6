#include "kinds/language.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/strings.h"
#include "source/gzip.h"

namespace muster {
namespace {

struct Ending {
  std::string_view ending;
  Language language;
};

constexpr std::array kEndings{
    Ending{"adoc", Language::Prose},      Ending{"asciidoc", Language::Prose},    Ending{"awk", Language::Script},
    Ending{"bash", Language::Script},     Ending{"bats", Language::Script},       Ending{"bzl", Language::Program},
    Ending{"c", Language::Program},       Ending{"cc", Language::Program},        Ending{"cjs", Language::Program},
    Ending{"cpp", Language::Program},     Ending{"cs", Language::Program},        Ending{"csh", Language::Script},
    Ending{"css", Language::Program},     Ending{"csv", Language::Program},       Ending{"cu", Language::Program},
    Ending{"cue", Language::Program},     Ending{"cxx", Language::Program},       Ending{"diff", Language::Program},
    Ending{"fish", Language::Script},     Ending{"go", Language::Program},        Ending{"gradle", Language::Program},
    Ending{"groovy", Language::Program},  Ending{"h", Language::Program},         Ending{"hcl", Language::Program},
    Ending{"hpp", Language::Program},     Ending{"htm", Language::Prose},         Ending{"html", Language::Prose},
    Ending{"ipynb", Language::Program},   Ending{"java", Language::Program},      Ending{"jl", Language::Script},
    Ending{"js", Language::Program},      Ending{"json", Language::Data},         Ending{"jsonl", Language::Program},
    Ending{"jsonnet", Language::Program}, Ending{"jsx", Language::Program},       Ending{"ksh", Language::Script},
    Ending{"kt", Language::Program},      Ending{"libsonnet", Language::Program}, Ending{"log", Language::Program},
    Ending{"lua", Language::Program},     Ending{"markdown", Language::Prose},    Ending{"md", Language::Prose},
    Ending{"mdx", Language::Prose},       Ending{"mjs", Language::Program},       Ending{"nix", Language::Program},
    Ending{"org", Language::Prose},       Ending{"patch", Language::Program},     Ending{"php", Language::Program},
    Ending{"pl", Language::Script},       Ending{"pm", Language::Script},         Ending{"proto", Language::Program},
    Ending{"ps1", Language::Program},     Ending{"py", Language::Script},         Ending{"r", Language::Script},
    Ending{"rb", Language::Script},       Ending{"rs", Language::Program},        Ending{"rst", Language::Prose},
    Ending{"scala", Language::Program},   Ending{"sh", Language::Script},         Ending{"sql", Language::Program},
    Ending{"svg", Language::Prose},       Ending{"swift", Language::Program},     Ending{"tcl", Language::Script},
    Ending{"tcsh", Language::Script},     Ending{"tex", Language::Prose},         Ending{"tf", Language::Program},
    Ending{"ts", Language::Program},      Ending{"tsv", Language::Program},       Ending{"tsx", Language::Program},
    Ending{"vue", Language::Program},     Ending{"xhtml", Language::Prose},       Ending{"xml", Language::Prose},
    Ending{"yaml", Language::Data},       Ending{"yml", Language::Data},          Ending{"zsh", Language::Script},
};
static_assert(std::ranges::is_sorted(kEndings, {}, &Ending::ending));

constexpr std::array<std::string_view, 13> kTemplateEndings{
    "ctmpl", "ejs", "epp", "erb", "gotmpl", "in", "j2", "jinja", "jinja2", "template", "tftpl", "tmpl", "tpl"};

// Names without an ending. Source: GitHub linguist, languages.yml, `filenames`.
constexpr std::array<std::string_view, 8> kPrograms{"CMakeLists.txt", "Containerfile", "Dockerfile",  "Jenkinsfile",
                                                    "Justfile",       "Makefile",      "Vagrantfile", "makefile"};

/// `slurm-4711.out`, `train.err`: what a job said; it may have shown its own script there.
bool is_job_log(std::string_view name) { return name.ends_with(".out") || name.ends_with(".err"); }

/// `.command.run` and its like, which Nextflow writes into the folder of each task.
bool is_made_by_nextflow(std::string_view name) { return name.starts_with(".command."); }

std::string_view ending_of(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == name.npos ? std::string_view{} : name.substr(dot + 1);
}

}  // namespace

bool is_named_for_sbatch(std::string_view path) { return path.ends_with(".sbatch") || path.ends_with(".slurm"); }

std::string_view bare_name(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  while (true) {
    const std::string_view ending = ending_of(name);
    const bool template_ending = std::ranges::find(kTemplateEndings, ending) != kTemplateEndings.end();
    if (!template_ending || ending.size() + 1 >= name.size()) return name;
    name.remove_suffix(ending.size() + 1);
  }
}

Language language_of(std::string_view path) {
  const std::string_view name = bare_name(without_gzip_ending(path));
  if (std::ranges::find(kPrograms, name) != kPrograms.end() || name.starts_with("Dockerfile.") || is_job_log(name) ||
      is_made_by_nextflow(name))
    return Language::Program;
  const std::string ending = to_lower(ending_of(name));
  const auto found = std::ranges::lower_bound(kEndings, std::string_view(ending), {}, &Ending::ending);
  return found == kEndings.end() || found->ending != ending ? Language::Unknown : found->language;
}

std::string_view words_of(Language language) {
  switch (language) {
    case Language::Unknown: return "the name says nothing";
    case Language::Data: return "the name is that of YAML or JSON";
    case Language::Script: return "the name is that of a script";
    case Language::Prose: return "the name is that of a text for people";
    case Language::Program: return "the name is that of a program's source, a table or a log";
  }
  return "";
}

}  // namespace muster
