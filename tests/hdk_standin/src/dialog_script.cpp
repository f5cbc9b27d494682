#include "tests/hdk_standin/dialog_script.h"

#include <cctype>
#include <set>
#include <stdexcept>

namespace standin
{
namespace
{

struct Token {
    std::string text;
    bool quoted = false;
    int line = 0;
};

[[noreturn]] void fail(int line, const std::string& what)
{
    throw std::runtime_error("line " + std::to_string(line) + ": " + what);
}

std::vector<Token> tokens_of(const std::string& s)
{
    std::vector<Token> out;
    int line = 1;
    for (std::size_t i = 0; i < s.size();) {
        const char c = s[i];
        if (c == '\n') ++line;
        if (std::isspace(static_cast<unsigned char>(c))) {
            ++i;
        } else if (c == '#' || s.compare(i, 2, "//") == 0) {
            while (i < s.size() && s[i] != '\n') ++i;
        } else if (c == '{' || c == '}' || c == '[' || c == ']') {
            out.push_back({std::string(1, c), false, line});
            ++i;
        } else if (c == '"') {
            Token t{"", true, line};
            for (++i; i < s.size() && s[i] != '"'; ++i) {
                if (s[i] == '\\' && i + 1 < s.size()) ++i;
                if (s[i] == '\n') ++line;
                t.text += s[i];
            }
            if (i >= s.size()) fail(t.line, "a string does not end");
            ++i;
            out.push_back(t);
        } else {
            Token t{"", false, line};
            while (i < s.size() && !std::isspace(static_cast<unsigned char>(s[i])) &&
                   std::string("{}\"").find(s[i]) == std::string::npos)
                t.text += s[i++];
            out.push_back(t);
        }
    }
    return out;
}

class Parser
{
public:
    explicit Parser(const std::string& text) : tokens_(tokens_of(text)) {}

    DialogScript script()
    {
        DialogScript d;
        expect("{");
        while (!accept("}")) {
            const Token key = next();
            if (key.text == "name")
                d.name = next().text;
            else if (key.text == "script")
                d.script = next().text;
            else if (key.text == "label")
                d.label = next().text;
            else if (key.text == "help")
                block();
            else if (key.text == "inputlabel" || key.text == "outputlabel") {
                const int n = std::stoi(next().text);
                const std::string label = next().text;
                if (key.text == "inputlabel") d.input_labels.emplace_back(n, label);
            } else if (!entry(key, d.entries))
                fail(key.line, "'" + key.text + "' does not belong in a dialog script");
        }
        if (at_ != tokens_.size()) fail(tokens_[at_].line, "text after the end");
        return d;
    }

private:
    const Token& next()
    {
        if (at_ >= tokens_.size())
            fail(tokens_.empty() ? 1 : tokens_.back().line, "unexpected end; a brace is missing");
        return tokens_[at_++];
    }
    bool peek(const char* text) const
    {
        return at_ < tokens_.size() && !tokens_[at_].quoted && tokens_[at_].text == text;
    }
    bool accept(const char* text)
    {
        if (!peek(text)) return false;
        ++at_;
        return true;
    }
    void expect(const char* text)
    {
        const Token& t = next();
        if (t.quoted || t.text != text)
            fail(t.line, std::string("expected '") + text + "', found '" + t.text + "'");
    }
    /// { a b c }, braces inside kept together; also a single word.
    std::vector<std::string> block()
    {
        std::vector<std::string> words;
        if (!accept("{")) return {next().text};
        for (int depth = 1; depth > 0;) {
            const Token& t = next();
            if (!t.quoted && t.text == "{") ++depth;
            if (!t.quoted && t.text == "}") --depth;
            if (depth > 0) words.push_back(t.text);
        }
        return words;
    }

    bool entry(const Token& key, std::vector<DialogEntry>& out)
    {
        static const std::set<std::string> groups = {"group", "groupsimple", "groupcollapsible",
                                                     "groupradio"};
        DialogEntry e;
        e.line = key.line;
        if (key.text == "parm" || key.text == "parmtuple")
            e.kind = DialogEntry::parm;
        else if (groups.count(key.text))
            e.kind = DialogEntry::group;
        else if (key.text.rfind("multiparm", 0) == 0)
            e.kind = DialogEntry::multiparm;
        else
            return false;
        expect("{");
        while (!accept("}")) {
            const Token word = next();
            if (!property(word, e) && !(e.kind != DialogEntry::parm && entry(word, e.children)))
                fail(word.line, "'" + word.text + "' is no property of a " + key.text);
        }
        if (e.name.empty()) fail(e.line, "a " + key.text + " without a name");
        if (e.kind == DialogEntry::parm && e.type.empty())
            fail(e.line, "parameter '" + e.name + "' has no type");
        out.push_back(std::move(e));
        return true;
    }

    bool property(const Token& word, DialogEntry& e)
    {
        static const std::set<std::string> flags = {"nolabel", "joinnext", "invisible",
                                                    "nolabel", "nojoin",   "hidelabel"};
        const std::string& p = word.text;
        if (p == "name" || p == "baseparm")
            e.name = next().text;
        else if (p == "label")
            e.label = next().text;
        else if (p == "type")
            e.type = next().text;
        else if (p == "cppname")
            e.cpp_name = next().text;
        else if (p == "size")
            e.size = std::stoi(next().text);
        else if (p == "default")
            e.defaults = default_values();
        else if (p == "range")
            range(e, block(), word.line);
        else if (p == "menu" || p == "menureplace" || p == "menutoggle")
            menu(e, block(), word.line);
        else if (p == "help")
            e.help = joined(block());
        else if (p == "hidewhen")
            e.hide_when = condition();
        else if (p == "disablewhen")
            e.disable_when = condition();
        else if (p == "parmtag" || p == "grouptag" || p == "multitag") {
            const std::vector<std::string> pair = block();
            if (pair.size() != 2) fail(word.line, p + " takes { \"name\" \"value\" }");
            e.tags.emplace_back(pair[0], pair[1]);
        } else if (p == "export" || p == "callback" || p == "tagmenu")
            next();
        else if (!flags.count(p))
            return false;
        return true;
    }

    /// { "1" "0.5" }, or { [ "$F" hscript-expression ] } per component.
    std::vector<std::string> default_values()
    {
        std::vector<std::string> out;
        const std::vector<std::string> words = block();
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (words[i] != "[") {
                out.push_back(words[i]);
                continue;
            }
            if (i + 1 < words.size()) out.push_back(words[i + 1]);
            while (i < words.size() && words[i] != "]") ++i;
        }
        return out;
    }
    static void range(DialogEntry& e, const std::vector<std::string>& words, int line)
    {
        if (words.size() != 2) fail(line, "range takes two numbers");
        e.has_range = true;
        e.low_locked = words[0].back() == '!';
        e.high_locked = words[1].back() == '!';
        e.low = std::strtod(words[0].c_str(), nullptr);
        e.high = std::strtod(words[1].c_str(), nullptr);
    }
    static void menu(DialogEntry& e, const std::vector<std::string>& words, int line)
    {
        if (words.size() % 2 && words.size() > 2)
            fail(line, "a menu takes pairs of token and label");
        if (!words.empty() && words[0] == "[") return; // generated by a script
        for (std::size_t i = 0; i + 1 < words.size(); i += 2)
            e.menu.emplace_back(words[i], words[i + 1]);
    }
    std::string condition()
    {
        const Token& t = next();
        if (t.quoted) return t.text;
        --at_;
        return joined(block());
    }
    static std::string joined(const std::vector<std::string>& words)
    {
        std::string out;
        for (const std::string& w : words) out += (out.empty() ? "" : " ") + w;
        return out;
    }

    std::vector<Token> tokens_;
    std::size_t at_ = 0;
};

void collect(const std::vector<DialogEntry>& entries, std::vector<const DialogEntry*>& out)
{
    for (const DialogEntry& e : entries) {
        if (e.kind != DialogEntry::group) out.push_back(&e);
        if (e.kind == DialogEntry::group) collect(e.children, out);
    }
}

} // namespace

DialogScript parse_dialog_script(const std::string& text) { return Parser(text).script(); }

std::vector<const DialogEntry*> all_parms(const DialogScript& script)
{
    std::vector<const DialogEntry*> out;
    collect(script.entries, out);
    return out;
}

} // namespace standin
