#include "lsp/shipped_book.h"

#include "pipeline/check.h"

namespace muster {

const RuleBook& shipped_book() {
  static const Result<Book> kBook = load_whole_book({}, MemoryFileSystem({}));
  return *kBook->rules;
}

}  // namespace muster
