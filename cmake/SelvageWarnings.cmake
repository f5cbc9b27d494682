# selvage::warnings: what every target of ours is compiled with, and nothing a user of the library sees.
add_library(selvage_warnings INTERFACE)
add_library(selvage::warnings ALIAS selvage_warnings)
target_compile_options(selvage_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wno-psabi
    $<$<BOOL:${SELVAGE_WERROR}>:-Werror>)
# Files compiled together see each other's private names; what these two find then is not there in truth. The debug
# preset compiles each file alone and has them.
if(SELVAGE_LARGE_UNITS)
    target_compile_options(selvage_warnings INTERFACE -Wno-shadow -Wno-subobject-linkage)
endif()

if(SELVAGE_SANITIZE)
    add_compile_options(-fsanitize=${SELVAGE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${SELVAGE_SANITIZE})
endif()
