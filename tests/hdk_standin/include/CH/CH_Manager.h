#pragma once
#include <SYS/SYS_Types.h>

/// The clock of the scene: time 0 is frame 1.
class CH_Manager
{
public:
    fpreal getSamplesPerSec() const { return fps_; }
    void setSamplesPerSec(fpreal fps) { fps_ = fps; }
    fpreal getSample(fpreal time) const { return time * fps_ + 1; }
    fpreal getSampleDelta(fpreal seconds) const { return seconds * fps_; }
    fpreal getTime(fpreal sample) const { return (sample - 1) / fps_; }
    fpreal getTimeDelta(fpreal samples) const { return samples / fps_; }
    fpreal getGlobalStart() const { return 0; }
    fpreal getGlobalEnd() const { return getTime(end_); }
    fpreal getSecsPerSample() const { return 1 / fps_; }
    int frame(fpreal time) const { return int(getSample(time) + 0.5); }
    /// Where evaluation stands when nobody says (viewport time).
    fpreal getEvaluateTime(int /*thread*/) const { return now_; }
    void setEvaluateTime(fpreal now) { now_ = now; }

private:
    fpreal fps_ = 24, end_ = 240, now_ = 0;
};
CH_Manager* CHgetManager();
fpreal CHgetEvalTime();
fpreal CHgetTimeFromFrame(fpreal frame);
fpreal CHgetSampleFromTime(fpreal time);
fpreal CHgetFrameFromTime(fpreal time);
