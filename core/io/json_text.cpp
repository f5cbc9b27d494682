// The text side of JsonReader.
#include "core/io/json_reader.h"

namespace selvage
{

void JsonReader::skip_space()
{
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r')) ++at_;
}

void JsonReader::prepare_text()
{
    skip_space();
    if (depth_ == 0 || at_ == end_) return;
    const Level& l = levels_[std::size_t(depth_ - 1)];
    if (l.value_next) {
        if (*at_ != ':') fail("Expected ':'");
    } else if (l.first || *at_ == ']' || *at_ == '}') {
        return;
    } else if (*at_ != ',') {
        fail("Expected ','");
    }
    ++at_;
    skip_space();
    if (at_ != end_ && (*at_ == ']' || *at_ == '}')) fail("A value is missing");
}

bool JsonReader::text_starts(std::string_view word) const
{
    return std::string_view(at_, std::size_t(end_ - at_)).substr(0, word.size()) == word;
}

JsonReader::Kind JsonReader::text_kind()
{
    switch (*at_) {
    case '[': return Kind::array;
    case '{': return Kind::map;
    case ']':
    case '}': return Kind::close;
    case '"': return Kind::string;
    case 't':
        if (text_starts("true")) return Kind::boolean;
        break;
    case 'f':
        if (text_starts("false")) return Kind::boolean;
        break;
    case 'n':
        if (text_starts("null")) return Kind::null;
        return Kind::real;
    case 'N':
    case 'i':
    case 'I': return Kind::real;
    default:
        if (*at_ != '-' && (*at_ < '0' || *at_ > '9')) break;
        for (const char* c = at_ + 1; c != end_; ++c) {
            if (*c >= '0' && *c <= '9') continue;
            const bool real = *c == '.' || *c == 'e' || *c == 'E' || *c == 'i' || *c == 'I' ||
                              *c == 'n' || *c == 'N';
            return real ? Kind::real : Kind::integer;
        }
        return Kind::integer;
    }
    fail("Unexpected character");
}

std::string_view JsonReader::text_string()
{
    const char* const start = ++at_;
    while (at_ != end_ && *at_ != '"' && *at_ != '\\') ++at_;
    if (at_ != end_ && *at_ == '"') return {start, std::size_t(at_++ - start)};
    scratch_.assign(start, at_);
    while (at_ != end_ && *at_ != '"') {
        if (*at_ != '\\') {
            scratch_ += *at_++;
            continue;
        }
        if (++at_ == end_) break;
        switch (const char c = *at_++) {
        case 'b': scratch_ += '\b'; break;
        case 'f': scratch_ += '\f'; break;
        case 'n': scratch_ += '\n'; break;
        case 'r': scratch_ += '\r'; break;
        case 't': scratch_ += '\t'; break;
        case 'u': {
            std::uint32_t code = hex4();
            if (code >= 0xd800 && code < 0xdc00 && text_starts("\\u")) {
                at_ += 2;
                code = 0x10000 + ((code - 0xd800) << 10) + ((hex4() - 0xdc00) & 0x3ff);
            }
            append_utf8(code);
            break;
        }
        default: scratch_ += c; // \" \\ \/ and whatever else is escaped needlessly
        }
    }
    if (at_ == end_) fail("A string does not end");
    ++at_;
    return scratch_;
}

std::uint32_t JsonReader::hex4()
{
    if (end_ - at_ < 4) fail("A string does not end");
    std::uint32_t code = 0;
    for (int i = 0; i < 4; ++i) {
        const char c = *at_++;
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0) fail("Bad \\u escape in a string");
        code = code * 16 + std::uint32_t(digit);
    }
    return code;
}

void JsonReader::append_utf8(std::uint32_t code)
{
    if (code < 0x80) {
        scratch_ += char(code);
    } else if (code < 0x800) {
        scratch_ += char(0xc0 | (code >> 6));
        scratch_ += char(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        scratch_ += char(0xe0 | (code >> 12));
        scratch_ += char(0x80 | ((code >> 6) & 0x3f));
        scratch_ += char(0x80 | (code & 0x3f));
    } else {
        scratch_ += char(0xf0 | (code >> 18));
        scratch_ += char(0x80 | ((code >> 12) & 0x3f));
        scratch_ += char(0x80 | ((code >> 6) & 0x3f));
        scratch_ += char(0x80 | (code & 0x3f));
    }
}

} // namespace selvage
