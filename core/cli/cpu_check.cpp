// Says so, before the first illegal instruction does, when this CPU is older than the build.
#include <cstdio>
#include <cstdlib>

namespace
{

__attribute__((constructor(101))) void require_x86_64_v3()
{
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi2"))
        return;
    std::fputs("selvage: this build needs a CPU with AVX2, FMA and BMI2 (x86-64-v3: Intel Haswell, "
               "AMD Excavator or later). Build with -DSELVAGE_ARCH=x86-64 for older ones.\n",
               stderr);
    std::_Exit(2);
}

} // namespace
