#pragma once
#include <SIM/SIM_RawField.h>
class SIM_VectorField : public SIM_FieldBase<3>
{
public:
    explicit SIM_VectorField(const SIM_DataFactory* f) : SIM_FieldBase<3>(f) {}
    SIM_RawField* getField(int axis) { return raw(axis); }
    const SIM_RawField* getField(int axis) const { return raw(axis); }
    DECLARE_STANDARD_GETCASTTOTYPE();
    DECLARE_DATAFACTORY(SIM_VectorField, SIM_FieldBase<3>, "Vector field",
                        getEmptyDopDescription());
};
