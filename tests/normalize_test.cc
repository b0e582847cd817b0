// Keys made alike: what RFC 3986 says of URLs, and that doing it twice is doing it once.

#include "normalize.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tamis/error.h"

namespace tamis::command {
namespace {

std::string Url(std::string_view text, const Normalization& how = {.url = true}) {
  return NormalizedUrl(text, how);
}

std::string Normalized(std::string_view words, std::string text) {
  Normalize(Normalization::Parse(words), text, 0);
  return text;
}

TEST(NormalizedUrl, TheExamplesOfRfc3986) {
  EXPECT_EQ(Url("example://a/b/c/%7Bfoo%7D"), "example://a/b/c/%7Bfoo%7D");
  EXPECT_EQ(Url("eXAMPLE://a/./b/../b/%63/%7bfoo%7d"), "example://a/b/c/%7Bfoo%7D");
  EXPECT_EQ(Url("HTTP://www.EXAMPLE.com/"), "http://www.example.com/");
  for (const char* same : {"http://example.com", "http://example.com/", "http://example.com:/",
                           "http://example.com:80/"}) {
    EXPECT_EQ(Url(same), "http://example.com/");
  }
}

TEST(NormalizedUrl, TakesOffWhatDoesNotTellPagesApart) {
  EXPECT_EQ(Url("https://a.org:443/x#part"), "https://a.org/x");
  EXPECT_EQ(Url("https://a.org:80/x"), "https://a.org:80/x");
  EXPECT_EQ(Url("http://a.org/x/../../y"), "http://a.org/y");
  EXPECT_EQ(Url("http://a.org/%7euser/%e4%2f"), "http://a.org/~user/%E4%2F");
  EXPECT_EQ(Url("http://a.org?"), "http://a.org/?");
  EXPECT_EQ(Url("http://User@A.org/P?Q=R"), "http://User@a.org/P?Q=R");
  EXPECT_EQ(Url("HTTPS://a.org:443"), "https://a.org/");
}

TEST(NormalizedUrl, LeavesAloneWhatIsNoUrl) {
  for (const char* text : {"", "no url", "a.org/x", "//a.org/X", "http://a.org/\xff", "http://[::1",
                           "http://a b/", "http://a.org/%zz", "1http://a/"}) {
    EXPECT_EQ(Url(text), text);
  }
}

TEST(NormalizedUrl, ParametersInOrderAndWithoutTracking) {
  const Normalization both = {.url = true, .sort = true, .tracking = true};
  EXPECT_EQ(Url("http://a.org/?b=2&a=1&b=1&utm_source=x&gclid=y", both),
            "http://a.org/?a=1&b=1&b=2");
  EXPECT_EQ(Url("http://a.org/?utm_campaign=x", both), "http://a.org/");
  EXPECT_EQ(Url("http://a.org/?b&a", {.url = true}), "http://a.org/?b&a");
}

TEST(Lower, LettersOfAllScripts) {
  EXPECT_EQ(Normalized("lower", "ÀÉÎ Straße ΑΒΓ Привет ǅ ÇA"), "àéî straße αβγ привет ǆ ça");
  EXPECT_EQ(Normalized("lower", "plain ASCII 123"), "plain ascii 123");
  EXPECT_EQ(Normalized("lower", "\u0130"), "i");           // two bytes become one
  EXPECT_EQ(Normalized("lower", "\u023a"), "\u2c65");      // two become three
  EXPECT_EQ(Normalized("lower", "日本語 😀"), "日本語 😀");  // nothing to change
}

TEST(Lower, BytesThatAreNoUtf8StayAsTheyAre) {
  for (const std::string_view odd :
       {"\xff\xfe", "\xc3", "\xe2\x82", "\xed\xa0\x80", "\xf5\x80\x80\x80"}) {
    const auto around = [&](std::string_view before, std::string_view after) {
      std::string text(before);
      return text.append(odd).append(after);
    };
    EXPECT_EQ(Normalized("lower", around("\u00c9A", "B\u00c9")), around("\u00e9a", "b\u00e9"));
  }
}

std::string InUtf8(char32_t c) {
  std::string text;
  const auto add = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  const auto rest = [&](int bytes) {
    while (bytes-- > 0) add(0x80 | (c >> 6 * bytes & 63));
  };
  if (c < 0x80) {
    add(c);
  } else if (c < 0x800) {
    add(0xc0 | c >> 6);
    rest(1);
  } else if (c < 0x10000) {
    add(0xe0 | c >> 12);
    rest(2);
  } else {
    add(0xf0 | c >> 18);
    rest(3);
  }
  return text;
}

TEST(Lower, TwiceIsOnce) {
  for (char32_t c = 1; c < 0x1'1000; ++c) {
    if (c >= 0xd800 && c < 0xe000) continue;
    const std::string once = Normalized("lower", InUtf8(c));
    ASSERT_EQ(Normalized("lower", once), once) << static_cast<uint32_t>(c);
  }
}

// A few hundred URLs put together from odd parts, each with every set of options.
TEST(NormalizedUrl, IsIdempotent) {
  const std::vector<std::string> schemes = {"http", "HTTPS", "ftp", "urn", "x-y.z+1", "File", ""};
  const std::vector<std::string> hosts = {"a.org",     "A.ORG.", "[2001:DB8::1]",    "127.0.0.1",
                                          "%41%2d%zz", "u:p@h",  "xn--bcher-kva.ch", "",
                                          "h%2Fx"};
  const std::vector<std::string> ports = {"", ":", ":80", ":443", ":0080", ":99999"};
  const std::vector<std::string> paths = {
      "",          "/",           "/.",         "/..",        "/a/./b/../../..", "/%2E%2e/%2e/x",
      "//x//../y", "/%252e%252E", "/%7e%7E~",   "/a;b=c/,d",  "/a/%2F/../b",     "/.//..///x",
      "/%c3%BC",   "/a%",         "/%25%32%65", "/..a/.b./c."};
  const std::vector<std::string> rests = {
      "", "?", "?b=1&a=2&&a", "?utm_x=1&fbclid", "?%7e=%e4&%7E=%E4", "#", "#f?x", "?q#f", "?a?b"};
  std::mt19937 random(42);
  const auto pick = [&](const std::vector<std::string>& from) {
    return from[random() % from.size()];
  };
  for (int i = 0; i < 2000; ++i) {
    const std::string scheme = pick(schemes);
    std::string url = scheme.empty() ? "" : scheme + ":";
    if (random() % 5 != 0) url += "//" + pick(hosts) + pick(ports);
    url += pick(paths) + pick(rests);
    for (const bool sort : {false, true}) {
      for (const bool tracking : {false, true}) {
        const Normalization how = {.url = true, .sort = sort, .tracking = tracking};
        const std::string once = Url(url, how);
        EXPECT_EQ(Url(once, how), once) << url;
      }
    }
    for (const char* words : {"trim,lower,url", "lower", "url,tracking,sort,lower"}) {
      const std::string once = Normalized(words, " " + url + "\t");
      EXPECT_EQ(Normalized(words, once), once) << url;
    }
  }
}

TEST(Normalize, TrimTakesAsciisSpaceAndLowerAnyLetter) {
  EXPECT_EQ(Normalized("trim,lower", " \t\r A\xc3\x84 b\u3000 \n"), "a\xc3\xa4 b\u3000");
  EXPECT_EQ(Normalized("trim", " \t "), "");
  EXPECT_EQ(Normalized("lower", "[@AZ`az{]"), "[@az`az{]");
}

TEST(Normalize, RefusesWordsItDoesNotKnow) {
  for (const char* words : {"", "upper", "lower,", ",lower", "lower trim"}) {
    EXPECT_THROW(Normalization::Parse(words), InvalidArgument) << words;
  }
}

}  // namespace
}  // namespace tamis::command
