#include "core/base/error.h"
#include "core/io/json_reader.h"
#include "core/io/json_writer.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace selvage;

namespace
{

std::string round_trip(const std::string& text)
{
    ReadBudget budget(text.size());
    JsonReader in(text, budget);
    JsonWriter binary(JsonWriter::Encoding::binary);
    copy_json(in, binary);
    const std::string bytes = binary.take();
    ReadBudget second(bytes.size());
    JsonReader back(bytes, second);
    return json_text(back);
}

template <class T> std::vector<T> numbers(const std::string& bytes)
{
    ReadBudget budget(bytes.size());
    JsonReader in(bytes, budget);
    std::vector<T> out;
    in.append_numbers(out);
    return out;
}

void expect_refused(const std::string& bytes)
{
    ReadBudget budget(bytes.size());
    EXPECT_THROW(
        {
            JsonReader in(bytes, budget);
            in.skip();
        },
        InputError)
        << bytes;
}

const std::string magic("\x7fNSJb", 5);

} // namespace

TEST(Json, TextThroughBinaryIsUnchanged)
{
    const std::string text =
        R"({"a":[1,-2.5,1e+300,true,false,null,"x\n\"y\\"],"b":{},"c":[],)"
        R"("big":9007199254740993,"whole":3.0,"wide":[300,70000,-5000000000]})";
    EXPECT_EQ(round_trip(text), text);
}

TEST(Json, SpaceAndEscapesAreRead)
{
    EXPECT_EQ(round_trip(" [\n\t\"\\u00e9\\ud83d\\ude00\\/\" ,\r\n 1 ] "),
              "[\"\xc3\xa9\xf0\x9f\x98\x80/\",1]");
}

TEST(Json, UnquotedNotANumberAndInfinity)
{
    const auto v = numbers<double>("[nan,inf,-inf,1]");
    EXPECT_TRUE(std::isnan(v[0]));
    EXPECT_EQ(v[1], INFINITY);
    EXPECT_EQ(v[2], -INFINITY);
    EXPECT_EQ(round_trip("[inf,-inf]"), "[inf,-inf]");
}

TEST(Json, RealsAsTextKeepTheirBits)
{
    std::vector<float> floats = {0.1f, 1e-45f, 3.4028235e38f, -0.0f, 16777217.0f, 1 / 3.0f};
    JsonWriter a(JsonWriter::Encoding::text);
    a.numbers(floats.data(), floats.size());
    EXPECT_EQ(numbers<float>(a.take()), floats);
    std::vector<double> doubles = {0.1, 5e-324, 1.7976931348623157e308, 1 / 3.0};
    JsonWriter b(JsonWriter::Encoding::text);
    b.numbers(doubles.data(), doubles.size());
    EXPECT_EQ(numbers<double>(b.take()), doubles);
}

TEST(Json, UniformArrayOfBooleansIsPackedInWords)
{
    // 34 booleans: bits 0, 31 and 33 set; two words of 32 bits.
    const std::string bytes =
        magic + std::string("\x40\x10\x22\x01\x00\x00\x80\x02\x00\x00\x00", 11);
    const auto v = numbers<std::uint8_t>(bytes);
    ASSERT_EQ(v.size(), 34u);
    for (std::size_t i = 0; i < v.size(); ++i) EXPECT_EQ(v[i], i == 0 || i == 31 || i == 33) << i;
}

TEST(Json, UniformArraysConvert)
{
    const std::string bytes = magic + std::string("\x40\x12\x03\x01\x00\xff\xff\x00\x01", 9);
    EXPECT_EQ(numbers<double>(bytes), (std::vector<double>{1, -1, 256}));
    EXPECT_THROW(numbers<std::int8_t>(bytes), InputError);
    const std::string half = magic + std::string("\x40\x18\x02\x00\x3c\x00\xc0", 7);
    EXPECT_EQ(numbers<float>(half), (std::vector<float>{1, -2}));
    EXPECT_EQ(numbers<std::uint16_t>(half), (std::vector<std::uint16_t>{0x3c00, 0xc000}));
}

TEST(Json, TokensAreDefinedReferredToAndUndefined)
{
    const std::string good = magic + std::string("[+\x05\x02hi&\x05&\x05]", 11);
    ReadBudget budget(good.size());
    JsonReader in(good, budget);
    EXPECT_EQ(json_text(in), R"(["hi","hi"])");
    expect_refused(magic + std::string("[+\x05\x02hi-\x05&\x05]", 11));
}

TEST(Json, LongLengths)
{
    const std::string text(70000, 'x');
    EXPECT_EQ(round_trip("\"" + text + "\""), "\"" + text + "\"");
    const std::string middle(300, 'y');
    EXPECT_EQ(round_trip("\"" + middle + "\""), "\"" + middle + "\"");
}

TEST(Json, BrokenTextIsRefused)
{
    for (const char* text : {"[1 2]", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\" 1}", "[", "[1",
                             "\"abc", "\"\\u12", "[1}", "{\"a\":1]", "tru", "[-]", "]", ""})
        expect_refused(text);
}

TEST(Json, BrokenBinaryIsRefused)
{
    expect_refused(magic);
    expect_refused(magic + "[");
    expect_refused(magic + std::string("\x40\x13\xf8\xff\xff\xff\xff\xff\xff\xff\x7f", 11));
    expect_refused(magic + std::string("\x40\x10\xf8\xff\xff\xff\xff\xff\xff\xff\xff", 11));
    expect_refused(magic + std::string("\x27\xf4\xff\xff\xff\x7f", 6));
    expect_refused(magic + std::string("\x14\x01", 2));
    expect_refused(magic + std::string("\x99", 1));
    expect_refused(magic + std::string("\x27\xf3", 2));
}

TEST(Json, DeepNestingIsRefused)
{
    expect_refused(std::string(100000, '['));
    expect_refused(magic + std::string(100000, '['));
}
