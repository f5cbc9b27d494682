# selvage::warnings: what every target of ours is compiled with, and nothing a user of the library sees.
add_library(selvage_warnings INTERFACE)
add_library(selvage::warnings ALIAS selvage_warnings)
target_compile_options(selvage_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wno-psabi
    $<$<BOOL:${SELVAGE_WERROR}>:-Werror>)

if(SELVAGE_SANITIZE)
    add_compile_options(-fsanitize=${SELVAGE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${SELVAGE_SANITIZE})
endif()
