#include "core/render/bitmap_font.h"

#include <gtest/gtest.h>

#include <set>

using namespace selvage;

namespace
{

std::string cells(char c)
{
    std::string s;
    for (int row = 0; row < font_height; ++row)
        for (int column = 0; column < font_advance; ++column)
            s += font_cell(c, column, row) ? '#' : '.';
    return s;
}

} // namespace

TEST(BitmapFont, EveryCharacterLooksDifferent)
{
    std::set<std::string> shapes;
    for (char c = 32; c < 127; ++c) shapes.insert(cells(c));
    EXPECT_EQ(shapes.size(), 95u);
}

TEST(BitmapFont, LeavesAGapBetweenCharacters)
{
    for (char c = 32; c < 127; ++c)
        for (int row = 0; row < font_height; ++row)
            EXPECT_FALSE(font_cell(c, font_advance - 1, row)) << c;
}

TEST(BitmapFont, LetterLIsAStemAndAFoot)
{
    for (int row = 0; row < font_ascent; ++row) {
        EXPECT_TRUE(font_cell('L', 0, row));
        EXPECT_EQ(font_cell('L', 4, row), row == font_ascent - 1);
    }
}

TEST(BitmapFont, UnknownBytesBecomeQuestionMarks) { EXPECT_EQ(cells(char(0xe4)), cells('?')); }

TEST(BitmapFont, ScalesByWholePixelsAndClips)
{
    Image image(40, 40);
    draw_text(image, 3, 2, "L", 2, Color::Ones());
    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 40; ++x) {
            const bool ink = x >= 3 && y >= 2 && font_cell('L', (x - 3) / 2, (y - 2) / 2);
            EXPECT_EQ(image.at(x, y).x() > 0, ink) << x << " " << y;
        }
    draw_text(image, -7, 35, "clipped at three borders", 3, Color::Ones());
    EXPECT_EQ(text_width("ab", 3), 33);
}
