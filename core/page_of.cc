// The header pages of filters that are to be written.

#include <algorithm>
#include <bit>

#include "file_page.h"

namespace tamis {

namespace {

PageStart StartOf(const Spec& spec, FileKind kind) {
  return {.magic = kMagic,
          .version = kFileVersion,
          .kind = static_cast<uint32_t>(kind),
          .variant = static_cast<uint32_t>(spec.variant),
          .hash = static_cast<uint32_t>(spec.hash),
          .seed = spec.seed};
}

template <typename Page>
RawPage SealPage(const Page& page) {
  auto raw = std::bit_cast<RawPage>(page);
  Page sealed = page;
  sealed.checksum = ChecksumOf(raw);
  return std::bit_cast<RawPage>(sealed);
}

}  // namespace

FilterPage PageOf(const Filter& filter, const std::string& where) {
  FilterPage page{};
  page.start = StartOf(filter.spec(), FileKind::kFilter);
  page.blocks = filter.spec().blocks;
  page.k = static_cast<uint32_t>(filter.spec().k);
  page.block_bytes =
      filter.spec().classic() ? 0 : static_cast<uint32_t>(filter.spec().block_bytes());
  page.inserted = filter.inserted();
  page.capacity = filter.plan().capacity;
  page.fpr = filter.plan().fpr;
  page.body_bytes = filter.spec().bytes();
  page.m = filter.spec().m;
  page.probe = static_cast<uint32_t>(filter.spec().probe);
  page.secret_check = CheckOf(filter.spec().secret);
  Check(page, where);
  return page;
}

ScalablePage PageOf(const ScalableFilter& filter, const std::string& where) {
  ScalablePage page{};
  page.start = StartOf(filter.layers().front().spec(), FileKind::kScalable);
  page.first_capacity = filter.first_capacity();
  page.fpr = filter.fpr();
  page.tighten = ScalableFilter::kTighten;
  page.growth = filter.options().growth;
  page.layers = static_cast<uint32_t>(filter.layers().size());
  page.interop = filter.options().interop ? 1 : 0;
  page.k = static_cast<uint32_t>(filter.options().k);
  page.probe = static_cast<uint32_t>(filter.options().probe);
  page.secret_check = CheckOf(filter.options().secret);
  Check(page, where);
  return page;
}

WindowedPage PageOf(const WindowedFilter& filter, const std::string& where) {
  WindowedPage page{};
  page.start = StartOf(filter.plan().spec, FileKind::kWindowed);
  page.period = filter.window().period;
  page.capacity = filter.window().capacity;
  page.fpr = filter.fpr();
  page.current = filter.current();
  page.generations = filter.window().generations;
  page.layers = static_cast<uint32_t>(filter.layers().size());
  page.k = static_cast<uint32_t>(filter.options().k);
  page.probe = static_cast<uint32_t>(filter.options().probe);
  page.interop = filter.options().interop ? 1 : 0;
  page.secret_check = CheckOf(filter.options().secret);
  std::ranges::copy(filter.numbers(), page.numbers.begin());
  Check(page, where);
  return page;
}

RawPage Seal(const FilterPage& page) { return SealPage(page); }
RawPage Seal(const ScalablePage& page) { return SealPage(page); }
RawPage Seal(const WindowedPage& page) { return SealPage(page); }

}  // namespace tamis
