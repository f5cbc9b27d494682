#include "core/base/name_pattern.h"

#include <gtest/gtest.h>

using namespace selvage;

TEST(NamePattern, WordsWildcardsAndExceptions)
{
    const NamePattern p("body arm_* leg?");
    EXPECT_TRUE(p.matches("body"));
    EXPECT_TRUE(p.matches("arm_"));
    EXPECT_TRUE(p.matches("arm_left"));
    EXPECT_TRUE(p.matches("leg1"));
    EXPECT_FALSE(p.matches("leg"));
    EXPECT_FALSE(p.matches("bod"));
    EXPECT_FALSE(p.matches("body2"));

    const NamePattern all_but("* ^bo*y");
    EXPECT_TRUE(all_but.matches("cape"));
    EXPECT_FALSE(all_but.matches("body"));
    EXPECT_FALSE(all_but.matches("bony"));
    EXPECT_TRUE(NamePattern("* ^body body").matches("body")); // the last word decides
    EXPECT_FALSE(all_but.matches_any({"body", "arm"}));
}

TEST(NamePattern, StarsGoBackAsFarAsNeeded)
{
    EXPECT_TRUE(NamePattern("*ab*ab").matches("xabyabab"));
    EXPECT_FALSE(NamePattern("*ab*abc").matches("xabyabab"));
    EXPECT_TRUE(NamePattern("**").matches(""));
    EXPECT_FALSE(NamePattern("?").matches(""));
}

TEST(NamePattern, EmptyMatchesNothingAndPlainNamesAreThoseMeantToExist)
{
    EXPECT_TRUE(NamePattern("  ").empty());
    EXPECT_FALSE(NamePattern("").matches(""));
    EXPECT_EQ(NamePattern("body ar* ^leg, head").plain_names(),
              (std::vector<std::string>{"body", "head"}));
}
