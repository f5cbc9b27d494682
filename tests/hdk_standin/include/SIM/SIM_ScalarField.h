#pragma once
#include <SIM/SIM_RawField.h>
class SIM_ScalarField : public SIM_FieldBase<1>
{
public:
    explicit SIM_ScalarField(const SIM_DataFactory* f) : SIM_FieldBase<1>(f) {}
    SIM_RawField* getField() { return raw(0); }
    const SIM_RawField* getField() const { return raw(0); }
    DECLARE_STANDARD_GETCASTTOTYPE();
    DECLARE_DATAFACTORY(SIM_ScalarField, SIM_FieldBase<1>, "Scalar field",
                        getEmptyDopDescription());
};
