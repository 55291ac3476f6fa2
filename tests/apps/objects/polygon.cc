// SPDX-License-Identifier: BSD-3-Clause
#include "shape.hh"
#include <utility>
#include <vector>

namespace {

struct point {
    long x, y;
};

class polygon : public shape {
  public:
    explicit polygon(std::vector<point> corners) : corners_(std::move(corners)) {}
    const char *kind() const override { return "polygon"; }
    long twice_area() const override
    {
        long sum = 0;
        for (std::size_t i = 0; i < corners_.size(); i++) {
            const point &a = corners_[i], &b = corners_[(i + 1) % corners_.size()];
            sum += a.x * b.y - b.x * a.y;
        }
        return sum;
    }
    static pointer make(reader &r)
    {
        std::vector<point> corners;
        for (int left = r.get<int>(); left > 0; left--)
            corners.push_back(r.get<point>());
        return pointer(new polygon(std::move(corners)));
    }

  private:
    void write_data(par::message &m) const override
    {
        put(m, static_cast<int>(corners_.size()));
        for (const point &p : corners_)
            put(m, p);
    }
    std::vector<point> corners_;
};

const shape::registrar known("polygon", polygon::make);

} // namespace

// A triangle, or a staircase.
shape::pointer make_polygon(long number)
{
    std::vector<point> corners = {{0, 0}, {number % 11 + 3, 0}};
    for (long step = number % 4; step > 0; step--) {
        corners.push_back({corners.back().x, corners.back().y + 1});
        corners.push_back({corners.back().x - 1, corners.back().y});
    }
    corners.push_back({0, number % 4 + 1});
    return shape::pointer(new polygon(std::move(corners)));
}
