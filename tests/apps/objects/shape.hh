// SPDX-License-Identifier: BSD-3-Clause
// shape.hh: shapes that can travel. A kind of shape makes itself known by a static object in its own file.
#pragma once
#include "counted.hh"
#include "par.hh"
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

class bad_message : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

class reader {
  public:
    explicit reader(const par::message &m) : m_(m) {}
    bool empty() const { return at_ == m_.size(); }
    template <class T> T get()
    {
        T value;
        if (m_.size() - at_ < sizeof value)
            throw bad_message("cut short");
        std::memcpy(&value, m_.data() + at_, sizeof value);
        at_ += sizeof value;
        return value;
    }
    std::string get_string();

  private:
    const par::message &m_;
    std::size_t at_ = 0;
};

template <class T> void put(par::message &m, const T &value)
{
    const char *bytes = reinterpret_cast<const char *>(&value);
    m.insert(m.end(), bytes, bytes + sizeof value);
}
void put_string(par::message &m, const std::string &s);

class shape : public counted<shape> {
  public:
    using pointer = std::unique_ptr<shape>;
    using maker = pointer (*)(reader &);

    virtual ~shape() = default;
    virtual const char *kind() const = 0;
    virtual long twice_area() const = 0;

    void write(par::message &m) const;
    static pointer read(reader &r);
    // Static objects of this class teach read() a kind.
    struct registrar {
        registrar(const char *kind, maker make);
    };
    static std::size_t kinds();

  protected:
    virtual void write_data(par::message &m) const = 0;
};

// Some shape for each number, of any kind.
shape::pointer make_shape(long number);
shape::pointer make_rectangle(long number);
shape::pointer make_polygon(long number);
