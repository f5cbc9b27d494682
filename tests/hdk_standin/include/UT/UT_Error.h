#pragma once
#include <UT/UT_String.h>

#include <string>
#include <vector>

enum UT_ErrorSeverity {
    UT_ERROR_NONE = 0,
    UT_ERROR_MESSAGE,
    UT_ERROR_PROMPT,
    UT_ERROR_WARNING,
    UT_ERROR_ABORT,
    UT_ERROR_FATAL,
    UT_NUM_SEVERITIES
};

enum UT_CommonErrorCode { UT_ERROR_OUTSTREAM = 1, UT_ERROR_INSTREAM, UT_ERROR_INTERRUPTED };

/// Messages with severities, as nodes and simulation data collect them.
class UT_ErrorManager
{
public:
    struct Entry {
        std::string library; ///< "SOP", "OP", "SIM" …
        int code;
        std::string text;
        UT_ErrorSeverity severity;
    };
    UT_ErrorSeverity add(const char* library, int code, const char* text,
                         UT_ErrorSeverity severity);
    UT_ErrorSeverity addGeneric(const char* library, const char* text, UT_ErrorSeverity severity)
    {
        return add(library, 0, text, severity);
    }
    UT_ErrorSeverity getSeverity() const;
    const std::vector<Entry>& entries() const { return entries_; }
    int getNumErrors() const { return int(entries_.size()); }
    void clearAllErrors() { entries_.clear(); }
    /// One line per entry of at least this severity.
    int getErrorMessages(UT_String& messages, UT_ErrorSeverity severity = UT_ERROR_NONE) const;

private:
    std::vector<Entry> entries_;
};
