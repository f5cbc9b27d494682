#include "tests/hdk_standin/expression.h"

#include <cctype>
#include <cmath>
#include <cstdlib>

namespace standin
{
namespace
{

class Evaluator
{
public:
    Evaluator(const std::string& text, const std::function<double(const std::string&)>& variable)
        : s_(text), variable_(variable)
    {
    }
    double sum()
    {
        double v = product();
        for (;;) {
            if (accept('+'))
                v += product();
            else if (accept('-'))
                v -= product();
            else
                return v;
        }
    }

private:
    double product()
    {
        double v = factor();
        for (;;) {
            if (accept('*'))
                v *= factor();
            else if (accept('/'))
                v /= factor();
            else
                return v;
        }
    }
    double factor()
    {
        if (accept('-')) return -factor();
        if (accept('(')) {
            const double v = sum();
            accept(')');
            return v;
        }
        if (accept('$')) return variable_(word());
        skip();
        if (i_ < s_.size() && std::isalpha(static_cast<unsigned char>(s_[i_]))) {
            const std::string f = word();
            accept('(');
            const double v = sum();
            accept(')');
            constexpr double degree = 3.14159265358979323846 / 180; // as in Houdini
            return f == "sin"     ? std::sin(v * degree)
                   : f == "cos"   ? std::cos(v * degree)
                   : f == "floor" ? std::floor(v)
                   : f == "abs"   ? std::fabs(v)
                                  : 0;
        }
        char* end = nullptr;
        const double v = std::strtod(s_.c_str() + i_, &end);
        i_ = std::size_t(end - s_.c_str());
        return v;
    }
    std::string word()
    {
        std::string w;
        while (i_ < s_.size() &&
               (std::isalnum(static_cast<unsigned char>(s_[i_])) || s_[i_] == '_'))
            w += s_[i_++];
        return w;
    }
    void skip()
    {
        while (i_ < s_.size() && s_[i_] == ' ') ++i_;
    }
    bool accept(char c)
    {
        skip();
        if (i_ >= s_.size() || s_[i_] != c) return false;
        ++i_;
        return true;
    }

    const std::string& s_;
    const std::function<double(const std::string&)>& variable_;
    std::size_t i_ = 0;
};

} // namespace

double evaluate_expression(const std::string& text,
                           const std::function<double(const std::string&)>& variable)
{
    return Evaluator(text, variable).sum();
}

} // namespace standin
