#include "core/render/film.h"

#include "core/base/error.h"
#include "core/io/sequence.h"
#include "core/render/attribute_values.h"
#include "core/render/drawable.h"
#include "core/render/legend.h"
#include "core/render/movie_encoder.h"
#include "core/render/png_file.h"

#include <filesystem>

namespace selvage
{
namespace
{

namespace fs = std::filesystem;

bool ends_with(const std::string& text, const std::string& ending)
{
    return text.size() >= ending.size() &&
           text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

/// What must be known of all frames before the first is drawn.
struct Survey {
    BoundingBox stage;
    Camera camera;
    Coloring coloring;
    bool cancelled = false;
};

class Film
{
public:
    Film(const RenderOptions& options, const FrameSource& source, const Cancel& cancel,
         const ProgressCallback& progress)
        : options_(options), source_(source), cancel_(cancel), progress_(progress)
    {
        check_options();
        for (int f = options.first_frame; f <= options.last_frame; f += options.frame_step)
            frames_.push_back(f);
        is_movie_ = ends_with(options.output, ".mp4");
        if (is_movie_) prepare_frame_folder();
    }

    RenderReport run()
    {
        const Survey survey = look_at_all();
        report_.camera = survey.camera;
        report_.coloring = survey.coloring;
        report_.cancelled = survey.cancelled;
        for (std::size_t i = 0; i < frames_.size() && !report_.cancelled; ++i) draw(survey, i);
        if (is_movie_ && !report_.cancelled) make_movie();
        if (report_.skipped_primitives > 0) describe_skipped();
        return report_;
    }

private:
    void check_options() const
    {
        const RenderOptions& o = options_;
        if (!ends_with(o.output, ".png") && !ends_with(o.output, ".mp4"))
            throw InputError("Cannot draw into '" + o.output +
                             "': the name must end in .png or .mp4.");
        if (o.last_frame < o.first_frame || o.frame_step < 1)
            throw InputError("Frames " + std::to_string(o.first_frame) + " to " +
                             std::to_string(o.last_frame) + " by " + std::to_string(o.frame_step) +
                             " are none. Give a last frame not before the first, and a step of 1 "
                             "or more.");
        if (!(o.fps > 0 && o.fps <= 1000))
            throw InputError("A movie of " + std::to_string(o.fps) +
                             " frames per second is not possible. Give 1 to 1000.");
        if (o.samples < 1) throw InputError("Pictures need at least 1 sample per pixel.");
        Image(o.width, o.height); // throws where the size is impossible
    }

    void prepare_frame_folder()
    {
        const fs::path movie(options_.output);
        const std::string stem = movie.stem().string();
        frame_folder_ = movie.parent_path() / (stem + "_frames");
        std::error_code error;
        fs::create_directories(frame_folder_, error);
        if (error)
            throw FileError("Cannot make the folder '" + frame_folder_.string() +
                            "' for pictures: " + error.message() + ".");
    }

    std::string file_of(int frame) const
    {
        if (!is_movie_) return frame_file_name(options_.output, frame, frames_.size() > 1);
        const std::string stem = fs::path(options_.output).stem().string();
        return (frame_folder_ / frame_path(stem + ".$F4.png", frame)).string();
    }

    std::vector<RenderObject> objects(int frame) const
    {
        std::vector<RenderObject> list = source_(frame);
        for (RenderObject& o : list)
            if (o.color_attribute.empty() && o.role != RenderRole::collider)
                o.color_attribute = options_.color_attribute;
        return list;
    }

    void tell(RenderProgress::Stage stage, std::size_t done, int frame) const
    {
        if (progress_) progress_({stage, frame, int(done), int(frames_.size())});
    }

    Survey look_at_all()
    {
        Survey survey;
        Framing framing = options_.framing;
        framing.aspect = double(options_.width) / options_.height;
        const bool colored = !options_.color_attribute.empty();
        if (colored && options_.coloring.legend)
            framing.reserved_right = legend_width(options_.width, options_.height);
        CameraFitter fitter(framing);
        RangeFinder range;
        std::string available;
        for (std::size_t i = 0; i < frames_.size(); ++i) {
            if (cancel_.requested()) {
                survey.cancelled = true;
                return survey;
            }
            tell(RenderProgress::Stage::looking, i, frames_[i]);
            for (const RenderObject& o : objects(frames_[i])) {
                for_each_drawn_point(o, [&](const Vec3& x) {
                    survey.stage.add(x);
                    fitter.add(x);
                });
                if (o.color_attribute.empty()) continue;
                available = colorable_attributes(o.geometry);
                if (const auto values = attribute_values(o.geometry, o.color_attribute))
                    range.add(*values);
            }
        }
        if (colored && range.empty())
            throw InputError(
                "No object has numbers in an attribute '" + options_.color_attribute +
                "' to colour by. Choose one of: " + (available.empty() ? "none" : available) + ".");
        survey.coloring =
            range.empty() ? options_.coloring : resolve_coloring(options_.coloring, range);
        survey.camera = options_.camera ? *options_.camera : fitter.camera();
        return survey;
    }

    void draw(const Survey& survey, std::size_t i)
    {
        const int frame = frames_[i];
        tell(RenderProgress::Stage::drawing, i, frame);
        SceneDescription scene;
        scene.objects = objects(frame);
        scene.camera = survey.camera;
        scene.lights = options_.lights;
        scene.coloring = survey.coloring;
        scene.ground = options_.ground;
        scene.stage = survey.stage;
        const double lowest = survey.stage.empty() ? 0 : survey.stage.low.y();
        scene.ground_height = options_.ground_height.value_or(lowest);
        scene.width = options_.width;
        scene.height = options_.height;
        scene.samples = options_.samples;
        scene.caption = frame_path(options_.caption, frame);

        const Raytracer raytracer(scene);
        Image image;
        if (!raytracer.render(image, cancel_)) {
            report_.cancelled = true;
            return;
        }
        draw_overlays(image, scene, survey.coloring);
        write_png(file_of(frame), image);
        report_.frames.push_back(file_of(frame));
        const std::size_t skipped = raytracer.counts().skipped_primitives;
        if (skipped > 0 && report_.skipped_primitives == 0) report_.first_skipped_frame = frame;
        report_.skipped_primitives = std::max(report_.skipped_primitives, skipped);
        tell(RenderProgress::Stage::drawing, i + 1, frame);
    }

    void make_movie()
    {
        tell(RenderProgress::Stage::encoding, 0, frames_.back());
        EncodeStatus status;
        try {
            status = encode_movie(report_.frames, options_.output, options_.fps, options_.encoder,
                                  cancel_);
        } catch (const FileError& e) {
            throw FileError(std::string(e.what()) + " The pictures are in '" +
                            frame_folder_.string() + "'.");
        }
        report_.cancelled = status == EncodeStatus::cancelled;
        if (status == EncodeStatus::no_encoder)
            report_.message = "'" + options_.encoder + "' is not on PATH, so no movie was made. " +
                              "The pictures are in '" + frame_folder_.string() +
                              "'; install ffmpeg to get '" + options_.output + "'.";
        if (status != EncodeStatus::done) return;
        report_.movie = options_.output;
        tell(RenderProgress::Stage::encoding, frames_.size(), frames_.back());
        if (options_.keep_frames) return;
        std::error_code ignored;
        for (const std::string& file : report_.frames) fs::remove(file, ignored);
        fs::remove(frame_folder_, ignored); // stays if something else is in it
        report_.frames.clear();
    }

    void describe_skipped()
    {
        const std::string text = "Up to " + std::to_string(report_.skipped_primitives) +
                                 " primitive(s) were not drawn, first at frame " +
                                 std::to_string(report_.first_skipped_frame) +
                                 ": they have points that are not finite, or too few corners.";
        report_.message += (report_.message.empty() ? "" : " ") + text;
    }

    const RenderOptions& options_;
    const FrameSource& source_;
    const Cancel& cancel_;
    const ProgressCallback& progress_;
    std::vector<int> frames_;
    bool is_movie_ = false;
    fs::path frame_folder_;
    RenderReport report_;
};

} // namespace

std::string frame_file_name(const std::string& pattern, int frame, bool number_plain_names)
{
    if (is_sequence(pattern) || !number_plain_names) return frame_path(pattern, frame);
    const std::size_t slash = pattern.rfind('/'), dot = pattern.rfind('.');
    const bool has_ending = dot != std::string::npos && (slash == std::string::npos || dot > slash);
    std::string name = pattern;
    return frame_path(name.insert(has_ending ? dot : name.size(), ".$F4"), frame);
}

RenderReport render_sequence(const RenderOptions& options, const FrameSource& source,
                             const Cancel& cancel, const ProgressCallback& progress)
{
    return Film(options, source, cancel, progress).run();
}

} // namespace selvage
