// SPDX-License-Identifier: BSD-3-Clause
// shape.cc: reading and writing shapes of all kinds.
#include "shape.hh"
#include <map>

// In a function: registrars of other files may come before the static objects of this one.
static std::map<std::string, shape::maker> &makers()
{
    static std::map<std::string, shape::maker> all;
    return all;
}

shape::registrar::registrar(const char *kind, maker make)
{
    if (!makers().emplace(kind, make).second)
        throw std::logic_error(std::string("two kinds of shape are called ") + kind);
}

std::size_t shape::kinds()
{
    return makers().size();
}

std::string reader::get_string()
{
    std::string s;
    for (int left = get<int>(); left > 0; left--)
        s += get<char>();
    return s;
}

void put_string(par::message &m, const std::string &s)
{
    put(m, static_cast<int>(s.size()));
    m.insert(m.end(), s.begin(), s.end());
}

void shape::write(par::message &m) const
{
    put_string(m, kind());
    write_data(m);
}

shape::pointer shape::read(reader &r)
{
    const std::string kind = r.get_string();
    const auto found = makers().find(kind);
    if (found == makers().end())
        throw bad_message("no shape is called " + kind);
    return found->second(r);
}

shape::pointer make_shape(long number)
{
    return number % 3 == 0 ? make_polygon(number) : make_rectangle(number);
}
