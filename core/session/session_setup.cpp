#include "core/session/session_setup.h"

namespace selvage
{

std::string SessionSetup::fingerprint() const
{
    std::string all = shot.fingerprint() + solver.fingerprint() + collision.fingerprint() +
                      preroll.fingerprint() + turbulence.fingerprint();
    for (const ClothSetup& c : cloths)
        all += c.cloth.fingerprint() + c.pins.fingerprint() + c.rest_parameters.fingerprint() +
               c.local_space.fingerprint() + c.pressure.fingerprint();
    for (const SolidSetup& s : solids) all += s.solid.fingerprint() + s.pins.fingerprint();
    for (const HairSetup& h : hairs) all += h.hair.fingerprint();
    for (const ColliderSetup& c : colliders)
        all += c.collider.fingerprint() + c.plane.fingerprint();
    for (const PairSetup& p : pairs) all += p.pair.fingerprint();
    for (const AttachmentSetup& a : attachments) all += a.attachment.fingerprint();
    for (const SeamSetup& s : seams) all += s.seam.fingerprint();
    for (const ConstraintsSetup& c : constraints) all += c.constraints.fingerprint();
    return all;
}

} // namespace selvage
