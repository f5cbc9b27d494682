#pragma once
// The release whose published interface the stand-in follows.
#define SYS_VERSION_MAJOR_INT 20
#define SYS_VERSION_MINOR_INT 5
#define SYS_VERSION_BUILD_INT 0
#define SYS_VERSION_PATCH_INT 0
#define SYS_VERSION_FULL_INT 0x14050000
#define SYS_VERSION_RELEASE "20.5.stand-in"
#define SYS_VERSION_FULL "20.5.stand-in"
