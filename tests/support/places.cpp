#include "tests/support/places.h"

namespace selvage::test
{

std::filesystem::path source_folder() { return SELVAGE_SOURCE_DIR; }
std::filesystem::path binary_folder() { return SELVAGE_BINARY_DIR; }
std::filesystem::path fixtures_folder() { return SELVAGE_FIXTURES; }

} // namespace selvage::test
