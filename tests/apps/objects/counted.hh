// SPDX-License-Identifier: BSD-3-Clause
// counted.hh: how many objects of a class there are; one set of counters per class, as static members of a template.
#pragma once

template <class T> class counted {
  public:
    static long made() { return made_; }
    static long alive() { return alive_; }

  protected:
    counted() { count(); }
    counted(const counted &) { count(); }
    counted &operator=(const counted &) = default;
    ~counted() { alive_--; }

  private:
    static void count()
    {
        made_++;
        alive_++;
    }
    static long made_, alive_;
};

template <class T> long counted<T>::made_ = 0;
template <class T> long counted<T>::alive_ = 0;
