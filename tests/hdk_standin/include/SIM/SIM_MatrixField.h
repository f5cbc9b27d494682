#pragma once
#include <SIM/SIM_RawField.h>
class SIM_MatrixField : public SIM_FieldBase<9>
{
public:
    explicit SIM_MatrixField(const SIM_DataFactory* f) : SIM_FieldBase<9>(f) {}
    SIM_RawField* getField(int row, int col) { return raw(3 * row + col); }
    const SIM_RawField* getField(int row, int col) const { return raw(3 * row + col); }
    DECLARE_STANDARD_GETCASTTOTYPE();
    DECLARE_DATAFACTORY(SIM_MatrixField, SIM_FieldBase<9>, "Matrix field",
                        getEmptyDopDescription());
};
