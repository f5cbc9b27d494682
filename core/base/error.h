#pragma once

#include <stdexcept>
#include <string>

namespace selvage
{

/// Bad input: the message names object, element, frame where known, and the remedy.
///   "Cloth 'shirt': triangle 1812 has zero rest area (points 401, 402, 401). Remove degenerate
///    primitives."
class InputError : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

/// The outside world refused (disk full, read-only folder, missing file).
class FileError : public InputError
{
public:
    using InputError::InputError;
};

} // namespace selvage
