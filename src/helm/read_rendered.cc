#include "helm/read_rendered.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "helm/move_places.h"
#include "syntax/yaml_reader.h"

namespace muster::helm {
namespace {

/// From places in what a template wrote to places in the template, or in a file of values.
class PiecePlaces {
 public:
  PiecePlaces(const RenderedTemplate& made, const SourceFile& written)
      : pieces_(made.written.pieces), text_(made.written.text), file_(made.file), written_(written) {}

  Span at(const Span& rendered) const {
    const Piece* first = piece(rendered.begin);
    if (first == nullptr) return {file_, 0, 0};
    const bool one = first == piece(last_byte(rendered));
    if (!one || first->literal) return around(rendered);
    if (const Origin* origin = origin_of(*first, rendered)) return origin->where;
    return span(first->begin, first->end);
  }

  Span around(const Span& rendered) const {
    const Piece* first = piece(rendered.begin);
    const Piece* last = piece(last_byte(rendered));
    if (first == nullptr || last == nullptr) return {file_, 0, 0};
    const std::size_t begin = first->literal ? first->begin + (rendered.begin - first->at) : first->begin;
    std::size_t end = last->literal ? last->begin + (rendered.end - last->at) : last->end;
    // A loop's last round may end before its first line does.
    if (end < begin) end = first->literal ? line_end(begin) : first->end;
    return span(begin, std::max(begin, end));
  }

 private:
  static std::size_t last_byte(const Span& span) { return span.end > span.begin ? span.end - 1 : span.begin; }

  const Piece* piece(std::size_t at) const {
    const auto after = std::ranges::upper_bound(pieces_, at, {}, &Piece::at);
    return after == pieces_.begin() ? nullptr : &*(after - 1);
  }

  std::size_t line_end(std::size_t at) const {
    return std::min(written_.text().find('\n', at), written_.text().size());
  }

  Span span(std::size_t begin, std::size_t end) const {
    const std::size_t size = written_.text().size();
    return {file_, static_cast<std::uint32_t>(std::min(begin, size)), static_cast<std::uint32_t>(std::min(end, size))};
  }

  /// The value that an action looked at and that has this text. Of several the one whose turn it is, where the action
  /// printed each of them once: values are looked at in the order in which they are printed.
  const Origin* origin_of(const Piece& piece, const Span& rendered) const {
    std::string_view text = std::string_view(text_).substr(rendered.begin, rendered.end - rendered.begin);
    if (text.size() > 1 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front())
      text = text.substr(1, text.size() - 2);
    std::vector<const Origin*> alike;
    for (const Origin& origin : piece.seen) {
      const auto is_it = [&](const Origin* other) { return other->where == origin.where; };
      if (origin.text == text && origin.where.placed() && std::ranges::none_of(alike, is_it)) alike.push_back(&origin);
    }
    if (alike.size() < 2) return alike.empty() ? nullptr : alike.front();
    const std::size_t end = &piece == &pieces_.back() ? text_.size() : (&piece + 1)->at;
    if (text.empty() || times_in(text, piece.at, end) != alike.size()) return nullptr;
    const std::size_t turn = times_in(text, piece.at, rendered.begin);
    return turn < alike.size() ? alike[turn] : nullptr;
  }

  /// How often a word stands in what was written.
  std::size_t times_in(std::string_view word, std::size_t begin, std::size_t end) const {
    const auto is_apart = [&](std::size_t at) {
      return at < begin || at >= end || std::string_view(" \n\"':,=[]{}").find(text_[at]) != std::string_view::npos;
    };
    std::size_t count = 0;
    for (std::size_t at = text_.find(word, begin); at + word.size() <= end && at != text_.npos;
         at = text_.find(word, at + word.size())) {
      if (is_apart(at - 1) && is_apart(at + word.size())) ++count;
    }
    return count;
  }

  const std::vector<Piece>& pieces_;
  const std::string& text_;
  FileId file_;
  const SourceFile& written_;
};

/// Helm parts documents at `---` at the beginning of a line, whatever stands behind it: `---apiVersion: v1` as well.
/// Source: helm/helm:pkg/releaseutil/manifest.go, sep (3.19); executed with helm 3.16.4.
std::vector<Span> documents_of(std::string_view text) {
  std::vector<Span> out;
  for (Span rest : split_yaml_documents(FileId{0}, text)) {
    const auto is_glued = [&](std::size_t at) {
      return at + 3 < rest.end && text.substr(at, 3) == "---" && is_word_char(text[at + 3]);
    };
    for (std::uint32_t at = rest.begin; at < rest.end; ++at) {
      if ((at != rest.begin && text[at - 1] != '\n') || !is_glued(at)) continue;
      if (at > rest.begin) out.push_back({rest.file, rest.begin, at});
      rest.begin = at + 3;
    }
    out.push_back(rest);
  }
  return out;
}

/// False with a trouble.
bool read_template(const RenderedTemplate& made, const SourceMap& sources, ChartObjects& out) {
  SourceMap own;  // with this one file
  const SourceFile& file = own.file(own.add("helm", made.written.text));
  const auto fails = [&](std::string why) { return out.trouble = made.name + ": " + std::move(why), false; };
  kustomize::Work work;
  const std::vector<Span> documents = documents_of(file.text());
  if (made.file == FileId::None) return out.elsewhere += documents.size(), true;
  for (const Span& document : documents) {
    Document read;
    std::vector<Finding> findings;
    if (!read_yaml(file.text(), document, read, findings)) {
      if (!findings.empty()) out.broken = PiecePlaces(made, sources.file(made.file)).around(findings.front().where);
      return fails("it is no YAML: " + (findings.empty() ? "it cannot be read" : findings.front().message));
    }
    if (!read.root().is_mapping()) continue;  // an empty one
    kustomize::Tree tree;
    Document placed;
    if (!kustomize::copy_of(read.root(), own, nullptr, work, tree)) return fails(work.trouble);
    move_places(tree, PiecePlaces(made, sources.file(made.file)));
    if (!kustomize::to_document(tree, placed)) return fails("it is nested too deeply");
    out.objects.push_back(std::move(placed));
    out.templates.insert(made.file);
  }
  return true;
}

}  // namespace

Span place_of_written(const RenderedTemplate& made, const SourceMap& sources, const Span& written) {
  return PiecePlaces(made, sources.file(made.file)).at(written);
}

ChartObjects read_rendered(const RenderedChart& chart, const SourceMap& sources) {
  ChartObjects out;
  for (const RenderedTemplate& made : chart.templates) {
    if (read_template(made, sources, out)) continue;
    out.objects.clear();
    out.templates.clear();
    out.elsewhere = 0;
    break;
  }
  return out;
}

}  // namespace muster::helm
