// Records that are not written as they stand: with a mark whether they were seen, without the
// paragraphs that were, or with a list of these.
#ifndef TAMIS_TOOLS_RENDER_H_
#define TAMIS_TOOLS_RENDER_H_

#include <optional>
#include <string>

#include "chunk.h"
#include "key_maker.h"
#include "verdict.h"

namespace tamis::command {

struct RenderRule {
  std::string flag;      ///< name of a boolean field or column that every record gets
  std::string annotate;  ///< of a list of byte ranges, [[begin, end], ...], of repeated paragraphs
  std::optional<double> drop_share;  ///< of a text's bytes: more of it repeated drops the record
};

class Renderer {
 public:
  Renderer(RenderRule rule, const KeyRule& keys, OnError policy);

  /// Whether records are written otherwise than they stand.
  bool changes() const { return !rule_.flag.empty() || paragraphs_; }

  /// A table's header with what every row gets besides.
  std::string Header(const std::string& header) const;

  /// After the filter: fills chunk.kept and chunk.others, and chunk.rendered if records change. For
  /// any number of threads at once.
  void Render(Chunk& chunk) const;

 private:
  void Flag(Chunk& chunk) const;
  void AppendFlagged(std::string_view record, bool seen, std::string& out) const;
  void Paragraphs(Chunk& chunk) const;
  bool AppendDocument(const Chunk& chunk, uint64_t i, std::string& out) const;

  RenderRule rule_;
  RecordFormat format_;
  OnError policy_;
  bool paragraphs_;
  std::string flag_key_;      // as JSON
  std::string annotate_key_;  // the same
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_RENDER_H_
