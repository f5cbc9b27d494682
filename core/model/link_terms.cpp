#include "core/model/link_terms.h"

namespace selvage
{
namespace
{

bool holds(const VecX& broken, std::size_t link)
{
    return broken.size() == 0 || broken[Eigen::Index(link)] == 0;
}

const LinkDrive& drive_of(const Drive& drive, std::size_t set)
{
    static const LinkDrive nothing;
    return drive.links.empty() ? nothing : drive.links[set];
}

LinkLaw law_of(const LinkSet& set, std::size_t i, const LinkDrive& drive)
{
    const Link& link = set.links[i];
    const double own =
        drive.link_stiffness.size() ? drive.link_stiffness[Eigen::Index(i)] : link.stiffness;
    const double k = drive.stiffness * own * link.share;
    return {set.resists == LinkResists::compression ? 0 : k,
            set.resists == LinkResists::stretch ? 0 : k, driven_length(set, i, drive)};
}

Vec3 place_of(const VecX& places, std::size_t link)
{
    return places.size() ? Vec3(places.segment<3>(3 * Eigen::Index(link))) : Vec3(Vec3::Zero());
}

Vec3 difference(const Link& link, const Vec3& place, const VecX& x)
{
    Vec3 d = x.segment<3>(3 * link.vertex);
    if (link.to == Link::To::place) return d - place;
    if (link.to == Link::To::vertex) return d - x.segment<3>(3 * link.others[0]);
    for (std::size_t k = 0; k < 3; ++k)
        d -= link.weights[Eigen::Index(k)] * x.segment<3>(3 * link.others[k]);
    return d;
}

} // namespace

Eigen::Index link_count(const Scene& scene)
{
    Eigen::Index n = 0;
    for (const LinkSet& set : scene.links) n += Eigen::Index(set.links.size());
    return n;
}

LinkTerms::Slot LinkTerms::add(int arity, const std::vector<int>& vertices,
                               const std::vector<double>& weights)
{
    Gathered& g = gathered_[arity / 2];
    const Slot slot{arity, g.vertices.size() / std::size_t(arity)};
    g.vertices.insert(g.vertices.end(), vertices.begin(), vertices.end());
    g.weights.insert(g.weights.end(), weights.begin(), weights.end());
    return slot;
}

LinkTerms::LinkTerms(const Scene& scene)
{
    for (const LinkSet& set : scene.links)
        for (const Link& l : set.links) {
            const std::array<int, 3>& o = l.others;
            const Vec3& w = l.weights;
            links_.push_back(l.to == Link::To::place ? add(1, {l.vertex}, {1})
                             : l.to == Link::To::vertex
                                 ? add(2, {l.vertex, o[0]}, {1, -1})
                                 : add(4, {l.vertex, o[0], o[1], o[2]}, {1, -w[0], -w[1], -w[2]}));
        }
    for (const Pin& p : scene.pins)
        if (p.stiffness > 0) pins_.push_back(add(1, {p.vertex}, {1}));
}

void LinkTerms::add_to(std::vector<std::unique_ptr<Term>>& terms, const Scene& scene)
{
    const auto make = [&](auto*& term, const Gathered& g, std::string_view name) {
        if (g.vertices.empty()) return;
        auto made = std::make_unique<std::remove_reference_t<decltype(*term)>>(
            name, g.vertices, g.weights, scene.vertex_count());
        term = made.get();
        terms.push_back(std::move(made));
    };
    make(one_, gathered_[0], "soft pins and attachments");
    make(two_, gathered_[1], "links");
    make(four_, gathered_[2], "links to surfaces");
}

void LinkTerms::set_drive(const Scene& scene, const Drive& drive, const VecX& broken)
{
    std::vector<LinkSpring<1>::Values> one(one_ ? one_->size() : 0);
    std::vector<LinkSpring<2>::Values> two(two_ ? two_->size() : 0);
    std::vector<LinkSpring<4>::Values> four(four_ ? four_->size() : 0);
    std::size_t k = 0;
    for (std::size_t s = 0; s < scene.links.size(); ++s) {
        const LinkSet& set = scene.links[s];
        const LinkDrive& d = drive_of(drive, s);
        for (std::size_t i = 0; i < set.links.size(); ++i, ++k) {
            LinkLaw law = law_of(set, i, d);
            if (!holds(broken, k)) law.stretch = law.compression = 0;
            const std::size_t e = links_[k].element;
            if (links_[k].arity == 1)
                one[e] = {law, set.damping, place_of(d.place_0, i), place_of(d.place_1, i)};
            if (links_[k].arity == 2) two[e] = {law, set.damping, Vec3::Zero(), Vec3::Zero()};
            if (links_[k].arity == 4) four[e] = {law, set.damping, Vec3::Zero(), Vec3::Zero()};
        }
    }
    k = 0;
    for (std::size_t p = 0; p < scene.pins.size(); ++p) {
        const Pin& pin = scene.pins[p];
        if (pin.stiffness == 0) continue;
        const Eigen::Index i = Eigen::Index(p);
        const double stiffness =
            pin.stiffness * (drive.pin_strength.size() ? drive.pin_strength[i] : 1);
        const Vec3 end = drive.pin_target_1.segment<3>(3 * i);
        const Vec3 start =
            drive.pin_target_0.size() ? Vec3(drive.pin_target_0.segment<3>(3 * i)) : end;
        one[pins_[k++].element] = {{stiffness, stiffness, 0}, pin.damping, start, end};
    }
    if (one_) one_->set_values(std::move(one));
    if (two_) two_->set_values(std::move(two));
    if (four_) four_->set_values(std::move(four));
}

VecX broken_after(const Scene& scene, const Drive& drive, const VecX& x, const VecX& broken)
{
    bool breakable = false;
    for (const LinkSet& set : scene.links) breakable = breakable || set.breakable();
    if (!breakable) return broken;
    VecX after = broken.size() ? broken : VecX::Zero(link_count(scene));
    Eigen::Index k = 0;
    for (std::size_t s = 0; s < scene.links.size(); ++s) {
        const LinkSet& set = scene.links[s];
        const LinkDrive& d = drive_of(drive, s);
        for (std::size_t i = 0; i < set.links.size(); ++i, ++k) {
            if (after[k] != 0) continue;
            const LinkLaw law = law_of(set, i, d);
            const double stretch =
                difference(set.links[i], place_of(d.place_1, i), x).norm() - law.rest_length;
            if (stretch > set.break_stretch ||
                law.stretch * stretch > set.break_force * set.links[i].share)
                after[k] = 1;
        }
    }
    return after;
}

} // namespace selvage
