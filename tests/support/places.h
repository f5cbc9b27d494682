#pragma once

#include <filesystem>

namespace selvage::test
{

std::filesystem::path source_folder();   ///< the checkout
std::filesystem::path binary_folder();   ///< where it was built
std::filesystem::path fixtures_folder(); ///< real files of other programs, beside the checkout

} // namespace selvage::test
