// SPDX-License-Identifier: BSD-3-Clause
// std::cin of rank 0 reads what the job is given, that of the others nothing.
#include <iostream>
#include <string>

#include "check.h"

static std::string early; // read by a static object's constructor
static struct Reader {
    Reader() { std::cin >> early; }
} reader;

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    std::string word, line;
    CHECK(early == (rank == 0 ? "17" : ""));
    bool read = static_cast<bool>(std::cin >> word);
    CHECK(read == (rank == 0));
    CHECK(word == (rank == 0 ? "apples" : ""));
    std::getline(std::cin, line);
    std::getline(std::cin, line);
    CHECK(line == (rank == 0 ? "second line" : ""));
    std::cout << "rank " << rank << " has read " << word << std::endl;
    return end();
}
