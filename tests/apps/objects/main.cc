// SPDX-License-Identifier: BSD-3-Clause
// objects: shapes of several classes go round a ring of processes; what is broken throws, and is caught.
//     objects [-q] [-n shapes per process] [-r rounds]
#include "par.hh"
#include "shape.hh"
#include "workers.hh"
#include <cstdlib>
#include <functional>
#include <getopt.h>
#include <iostream>
#include <sstream>

namespace {

MPI_Comm world = MPI_COMM_WORLD;
long shapes_per_rank = 400;
int rounds = 10;

// At the end of the program, whatever was made is gone; nobody can return a status so late.
class closing {
  public:
    ~closing()
    {
        int finalized = 0;
        MPI_Finalized(&finalized);
        if (shape::kinds() == 2 && shape::alive() == 0 && par::request::alive() == 0 && finalized)
            return;
        std::cerr << "objects: left at the end: " << shape::alive() << " shapes, " << par::request::alive()
                  << " requests\n";
        std::_Exit(3);
    }
} at_the_end;

void parse(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "qn:r:")) != -1)
        switch (c) {
        case 'q':
            shapes_per_rank = 20;
            rounds = 2;
            break;
        case 'n':
            shapes_per_rank = std::stol(optarg);
            break;
        case 'r':
            rounds = std::stoi(optarg);
            break;
        default:
            throw std::invalid_argument("usage: objects [-q] [-n shapes] [-r rounds]");
        }
}

void require(bool holds, const std::string &what)
{
    if (!holds)
        throw std::runtime_error("not as it should be: " + what);
}

std::vector<shape::pointer> read_all(const par::message &m)
{
    std::vector<shape::pointer> shapes;
    reader r(m);
    while (!r.empty())
        shapes.push_back(shape::read(r));
    return shapes;
}

std::vector<shape::pointer> make_all(int rank)
{
    std::vector<shape::pointer> shapes;
    for (long i = 0; i < shapes_per_rank; i++)
        shapes.push_back(make_shape(rank * shapes_per_rank + i));
    return shapes;
}

// Everyone's shapes come by everyone.
long go_round(const par::communicator &c)
{
    const int next = (c.rank() + 1) % c.size(), before = (c.rank() + c.size() - 1) % c.size();
    std::vector<shape::pointer> shapes = make_all(c.rank());
    long sum = 0;
    for (int hop = 0; hop < c.size(); hop++) {
        par::message out;
        for (const shape::pointer &s : shapes)
            s->write(out);
        const par::request sent = c.send(out, next, hop);
        shapes = read_all(c.receive(before, hop));
        for (const shape::pointer &s : shapes)
            sum += s->twice_area();
    }
    require(shapes.size() == static_cast<std::size_t>(shapes_per_rank), "my shapes are back");
    return sum;
}

long sum_alone(const par::communicator &c)
{
    long sum = 0;
    for (int r = 0; r < c.size(); r++)
        for (const shape::pointer &s : make_all(r))
            sum += s->twice_area();
    return sum;
}

// Returns what was thrown, or nothing.
template <class E, class F> std::string thrown_by(F f)
{
    try {
        f();
    } catch (const E &e) {
        return e.what();
    }
    return "";
}

// A good shape and then something else: nothing must be left of the first.
void send_broken(const par::communicator &c)
{
    const int next = (c.rank() + 1) % c.size(), before = (c.rank() + c.size() - 1) % c.size();
    const long alive = shape::alive();
    par::message out;
    make_shape(5)->write(out);
    put_string(out, "teapot");
    const std::string said = thrown_by<bad_message>([&] {
        const par::request sent = c.send(out, next, 77);
        read_all(c.receive(before, 77));
    });
    require(said == "no shape is called teapot", "the message about a teapot, not '" + said + "'");
    require(shape::alive() == alive && par::request::alive() == 0, "unwinding");
    out.resize(6);
    require(thrown_by<bad_message>([&] { read_all(out); }) == "cut short", "a message cut short");
}

void send_nowhere(const par::communicator &c)
{
    int error_class = MPI_SUCCESS;
    try {
        c.send(par::message(3), c.size(), 0).wait();
    } catch (const par::error &e) {
        error_class = e.error_class();
        require(*e.what() != '\0', "a text of the error");
    }
    require(error_class == MPI_ERR_RANK, "an exception from a rank that is not there");
}

void use_threads(const par::communicator &c)
{
    std::vector<shape::pointer> shapes = make_all(c.rank());
    long sum = 0;
    for (const shape::pointer &s : shapes)
        sum += s->twice_area();
    require(sum_by_threads(shapes, 3) == sum, "the sum by threads");
    shapes[4].reset();
    require(thrown_by<std::invalid_argument>([&] { sum_by_threads(shapes, 2); }) == "no shape at 4",
            "an exception out of a thread");
}

struct affine {
    long a, b; // x -> a x + b
};

// Not commutative; knows its modulus.
struct compose {
    long modulus = 1;
    affine operator()(const affine &f, const affine &g) const
    {
        return {g.a * f.a % modulus, (g.a * f.b + g.b) % modulus};
    }
};

affine combine(const par::communicator &c)
{
    const compose f{1000003};
    const par::operation<affine, compose> op(f, false);
    affine wanted = {1, 0}, all = {1, 0};
    for (int r = 0; r < c.size(); r++) {
        all = f(all, affine{r + 2, 3 * r + 1});
        if (r == c.rank())
            wanted = all;
    }
    const affine mine = {c.rank() + 2, 3 * c.rank() + 1};
    const affine here = op.scan(mine, c), end = op.all(mine, c);
    require(here.a == wanted.a && here.b == wanted.b, "a scan with an operator of our own");
    require(end.a == all.a && end.b == all.b, "a reduction with an operator of our own");
    return end;
}

void run(const par::communicator &c)
{
    const double start = MPI_Wtime();
    long sum = 0;
    for (int i = 0; i < rounds; i++)
        sum += go_round(c);
    const long made = shape::made();
    require(sum == rounds * sum_alone(c), "the sum of all areas");
    require(made == rounds * shapes_per_rank * (1 + c.size()), "the number of shapes made");
    send_broken(c);
    send_nowhere(c);
    use_threads(c);
    const affine f = combine(c);
    std::cout << "SAYS objects rank " << c.rank() << " of " << c.size() << " has seen " << made << " shapes"
              << std::endl;
    MPI_Barrier(c.native());
    if (c.rank() == 0) {
        std::ostringstream line;
        line << "RESULT objects area " << sum << " map " << f.a << " " << f.b << " PASSED\n";
        std::cout << line.str() << "TIME objects " << MPI_Wtime() - start << '\n' << std::flush;
    }
}

} // namespace

int main(int argc, char **argv)
{
    par::environment env(argc, argv);
    try {
        parse(argc, argv);
        const par::communicator c(world);
        run(c);
    } catch (const std::exception &e) {
        std::cerr << "objects: " << e.what() << std::endl;
        MPI_Abort(world, 1);
    }
    return 0;
}
