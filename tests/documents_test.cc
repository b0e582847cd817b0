// CASES C5: documents made of paragraphs, both kinds of key in one filter. All keys of a document
// are asked for first and put in once, after: so a document is not its own duplicate, whether its
// text is a single paragraph (the same key twice) or repeats one.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/engine.h"

namespace tamis {
namespace {

using Paragraphs = std::vector<std::string_view>;

class Documents {
 public:
  // How many of the document's keys (its paragraphs, and its whole text) were there before it.
  uint64_t Offer(const Paragraphs& paragraphs) {
    std::string whole;
    for (const std::string_view paragraph : paragraphs) {
      if (!whole.empty()) whole += '\n';
      whole += paragraph;
    }
    Paragraphs keys = paragraphs;
    keys.push_back(whole);
    const uint64_t seen = engine_.Contains(filter_, Keys::Views(keys));
    engine_.Insert(filter_, Keys::Views(keys));
    return seen;
  }

 private:
  Engine engine_;
  ScalableFilter filter_{1000, 1e-9};
};

TEST(C5, ADocumentOfOneParagraphIsNotItsOwnDuplicate) {
  Documents documents;
  EXPECT_EQ(documents.Offer({"Call me Ishmael."}), 0U);
  EXPECT_EQ(documents.Offer({"Call me Ishmael."}), 2U);
}

TEST(C5, ADocumentThatRepeatsAParagraphIsNotItsOwnDuplicate) {
  Documents documents;
  EXPECT_EQ(documents.Offer({"Share this page", "One text", "Share this page"}), 0U);
  EXPECT_EQ(documents.Offer({"Share this page", "Another text", "Share this page"}), 2U);
}

}  // namespace
}  // namespace tamis
