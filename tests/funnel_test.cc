// Funnels: the bytes of values, which are the same on every machine, so they are spelt out here.

#include "tamis/funnel.h"

#include <gtest/gtest.h>

#include <list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tamis/engine.h"

namespace shop {

enum class Colour : uint16_t { kRed = 0x0102 };

struct Page {
  std::string site;
  std::vector<uint16_t> path;
  Colour colour;
};

void TamisFunnel(tamis::Funnel& funnel, const Page& page) {
  funnel.Add(page.site).Add(page.path).Add(page.colour);
}

}  // namespace shop

namespace tamis {
namespace {

using namespace std::string_literals;

std::string Two() { return "\x02\0\0\0\0\0\0\0"s; }  // a length of 2

TEST(Funnel, IntegersAreLittleEndianAndOfTheirOwnSize) {
  EXPECT_EQ(FunnelBytes(uint32_t{0x01020384}), "\x84\x03\x02\x01"s);
  EXPECT_EQ(FunnelBytes(int16_t{-2}), "\xfe\xff"s);
  EXPECT_EQ(FunnelBytes(true), "\x01"s);
  EXPECT_EQ(FunnelBytes('\x80'), "\x80"s);
  EXPECT_EQ(FunnelBytes(uint64_t{1}).size(), 8U);
  EXPECT_EQ(FunnelBytes(shop::Colour::kRed), "\x02\x01"s);
}

TEST(Funnel, EqualFloatsHaveEqualBytes) {
  EXPECT_EQ(FunnelBytes(1.0), "\0\0\0\0\0\0\xf0\x3f"s);
  EXPECT_EQ(FunnelBytes(-0.0F), FunnelBytes(0.0F));
  EXPECT_EQ(FunnelBytes(-std::nan("1")), FunnelBytes(std::nan("2")));
}

TEST(Funnel, LengthsKeepFieldsApart) {
  EXPECT_EQ(FunnelBytes("ab"s), Two() + "ab");
  EXPECT_EQ(FunnelBytes(std::string_view("ab")), FunnelBytes("ab"s));
  EXPECT_NE(FunnelBytes(std::pair("ab"s, "c"s)), FunnelBytes(std::pair("a"s, "bc"s)));
  EXPECT_NE(FunnelBytes(std::vector{"ab"s}), FunnelBytes(std::vector{"a"s, "b"s}));
  EXPECT_EQ(FunnelBytes(""s), std::string(8, '\0'));
}

TEST(Funnel, RangesTuplesAndOptionals) {
  const std::vector<uint8_t> bytes = {5, 6};
  EXPECT_EQ(FunnelBytes(bytes), Two() + "\x05\x06");
  EXPECT_EQ(FunnelBytes(std::list<uint8_t>{5, 6}), FunnelBytes(bytes));
  EXPECT_EQ(FunnelBytes(std::array<uint8_t, 2>{5, 6}), "\x05\x06");
  EXPECT_EQ(FunnelBytes(std::tuple(uint8_t{1}, uint16_t{2}, 'x')), "\x01\x02\0x"s);
  EXPECT_EQ(FunnelBytes(std::optional<uint8_t>()), "\0"s);
  EXPECT_EQ(FunnelBytes(std::optional<uint8_t>(7)), "\x01\x07"s);
  EXPECT_EQ(FunnelBytes(std::map<uint8_t, uint8_t>{{1, 2}, {3, 4}}), Two() + "\x01\x02\x03\x04");
  const uint8_t plain[] = {8, 9};
  EXPECT_EQ(FunnelBytes(plain), "\x08\x09");
}

TEST(Funnel, TypesOfTheApplicationByTheirOwnFunction) {
  const shop::Page page{"ab", {1, 2}, shop::Colour::kRed};
  const std::string right = Two() + "ab" + Two() + "\x01\0\x02\0"s + "\x02\x01";
  EXPECT_EQ(FunnelBytes(page), right);
  EXPECT_EQ(FunnelBytes(std::pair(page, page)), right + right);
}

TEST(Funnel, ABatchOfValuesIsABatchOfKeys) {
  Funneled<shop::Page> pages;
  for (uint16_t i = 0; i < 100; ++i) pages.Add({"site", {i, 7}, shop::Colour::kRed});
  ASSERT_EQ(pages.size(), 100U);
  EXPECT_EQ(pages.keys()[3], FunnelBytes(shop::Page{"site", {3, 7}, shop::Colour::kRed}));
  Filter filter(PlanFor(1000, 1e-6));
  Engine engine;
  EXPECT_EQ(engine.InsertNew(filter, pages.keys()), 100U);
  EXPECT_EQ(engine.InsertNew(filter, pages.keys()), 0U);
  pages.Clear();
  EXPECT_EQ(pages.keys().size(), 0U);
}

}  // namespace
}  // namespace tamis
