// SPDX-License-Identifier: BSD-3-Clause
// symmetric shared|private [text]: do the program's variables lie in memory that other processes can map, as said, and is
// all else as in any program? With "text", does the code come from the program's own file?
#include <mpi.h>

#include <dirent.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

static int rank, size, wrong;

static void expect(bool ok, const char *what)
{
    if (!ok) {
        std::printf("rank %d: wrong: %s\n", rank, what);
        wrong = 1;
    }
}
#define EXPECT(x) expect(x, #x)

enum : size_t { LARGE = 256 << 20 };

int initialised = 17;
int *points = &initialised;       // a relocation in .data
int *const table[] = {&initialised, nullptr}; // in memory that the dynamic linker makes read-only
int zero;
static char large[LARGE];
static volatile int value = 5;
struct constructed {
    std::vector<int> v;
    int *at;
    constructed() : v{1, 2, 3}, at(&zero) { zero += 4; }
    ~constructed() { std::printf("destroyed %d\n", v[2]); }
};
static constructed object;
thread_local int own = 23;
#ifdef APART
__attribute__((section(".apart"))) int apart = 29; // in a segment that the linker puts elsewhere
#else
int apart = 29;
#endif

// What is mapped there: its rights, its name, the beginning and where that is in the file.
struct mapping {
    std::string rights, name;
    unsigned long from = 0, offset = 0;
};

static mapping mapping_of(const void *address)
{
    std::FILE *maps = std::fopen("/proc/self/maps", "r");
    char line[4096], rights[8], name[4096];
    mapping m;
    while (maps && std::fgets(line, sizeof line, maps)) {
        unsigned long from, to, offset;
        name[0] = 0;
        if (std::sscanf(line, "%lx-%lx %7s %lx %*s %*s %4095[^\n]", &from, &to, rights, &offset, name) < 4 ||
            (unsigned long)address < from || (unsigned long)address >= to)
            continue;
        m.rights = rights;
        m.name = name;
        m.from = from;
        m.offset = offset;
    }
    if (maps)
        std::fclose(maps);
    return m;
}

// The path by which a process has a file of that name open.
static std::string open_file(int pid, const char *name)
{
    std::string dir = "/proc/" + std::to_string(pid) + "/fd", found;
    DIR *all = opendir(dir.c_str());
    for (dirent *d; all && (d = readdir(all));) {
        char link[4096];
        std::string path = dir + "/" + d->d_name;
        ssize_t n = readlink(path.c_str(), link, sizeof link - 1);
        if (n > 0 && std::string(link, (size_t)n) == name)
            found = path;
    }
    if (all)
        closedir(all);
    return found;
}

static void variables()
{
    EXPECT(initialised == 17);
    EXPECT(points == &initialised && table[0] == &initialised);
    EXPECT(zero == 4 && object.at == &zero && object.v.size() == 3 && object.v[2] == 3);
    EXPECT(large[0] == 0 && large[LARGE / 2] == 0 && large[LARGE - 1] == 0);
    EXPECT(value == 5 && own == 23 && apart == 29);
    EXPECT(std::getenv("PATH") != nullptr);
}

static void places(bool shared, bool text)
{
    const void *const all[] = {&initialised, &points, &zero, &apart, (const void *)&value, large, large + LARGE - 1};
    for (const void *at : all) {
        mapping m = mapping_of(at);
        EXPECT(m.rights == (shared ? "rw-s" : "rw-p"));
        EXPECT((m.name.find("memfd:ep-") != std::string::npos) == shared);
    }
    EXPECT(mapping_of(table).rights == "r--p");
    mapping code = mapping_of((const void *)&places);
    EXPECT(code.rights == "r-xp");
    EXPECT(!text || code.name.find("memfd") == std::string::npos);
}

struct known {
    int pid;
    char name[128];
    unsigned long at; // of value in the file
    volatile int *value;
};

// The rank that is half the world away is in the other process.
static void from_elsewhere()
{
    mapping m = mapping_of((const void *)&value), m_apart = mapping_of(&apart);
    known mine{}, other{};
    mine.pid = (int)getpid();
    std::snprintf(mine.name, sizeof mine.name, "%s", m.name.c_str());
    mine.at = (unsigned long)&value - m.from + m.offset;
    int far = (rank + size / 2) % size;
    value = 100 + rank;
    MPI_Sendrecv(&mine, sizeof mine, MPI_BYTE, far, 0, &other, sizeof other, MPI_BYTE, far, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    EXPECT(other.pid != mine.pid);
    std::string path = open_file(other.pid, other.name);
    std::FILE *file = std::fopen(path.c_str(), "r+");
    struct stat s{};
    EXPECT(file && fstat(fileno(file), &s) == 0);
    if (!file)
        MPI_Abort(MPI_COMM_WORLD, 1);
    EXPECT((size_t)s.st_size > LARGE && s.st_blocks * 512 < (4 << 20)); // what nobody has touched takes no memory
    char *all = (char *)mmap(nullptr, (size_t)s.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    EXPECT(all != MAP_FAILED);
    volatile int *there = (volatile int *)(all + other.at);
    EXPECT(*there == 100 + far);
    *there = 1000 + rank;
    // variables are as far from each other as in the program
    EXPECT(*(int *)(all + other.at + ((char *)&apart - (char *)&value)) == 29);
    EXPECT(m_apart.name == m.name);
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT(value == 1000 + far);
    munmap(all, (size_t)s.st_size);
    std::fclose(file);
}

static int status_of(pid_t child)
{
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}

// A child of the child: neither of them sees what the other one writes.
static bool child_has_own(volatile int *neighbours)
{
    bool ok = value == 1 && large[LARGE / 2] == 1 && large[LARGE / 4] == 0 && large[8192] == 0;
    *neighbours = 77;
    value = 3;
    large[LARGE / 4] = large[LARGE / 2] = 3;
    pid_t grandchild = fork();
    if (grandchild == 0) {
        ok = value == 3 && large[LARGE / 2] == 3;
        value = 4;
        _exit(ok ? 0 : 1);
    }
    return status_of(grandchild) == 0 && value == 3 && ok;
}

static void forks()
{
    int go[2];
    char byte = 0;
    volatile int *mine = &value, *neighbours;
    int near = rank ^ 1; // of the same process
    value = 1;
    large[LARGE / 2] = 1;
    MPI_Sendrecv(&mine, sizeof mine, MPI_BYTE, near, 0, &neighbours, sizeof neighbours, MPI_BYTE, near, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    EXPECT(pipe(go) == 0);
    pid_t child = fork();
    if (child == 0) {
        bool ok = read(go[0], &byte, 1) == 1 && child_has_own(neighbours);
        _exit(ok ? 0 : 1);
    }
    value = 2; // what the child has is of before
    large[8192] = 2;
    EXPECT(write(go[1], &byte, 1) == 1);
    EXPECT(status_of(child) == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT(value == 2 && large[8192] == 2 && large[LARGE / 2] == 1 && large[LARGE / 4] == 0);
    EXPECT(std::system("true") == 0);
    close(go[0]);
    close(go[1]);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool shared = std::strcmp(argv[1], "shared") == 0;
    variables();
    places(shared, argc > 2);
    if (shared)
        from_elsewhere();
    MPI_Barrier(MPI_COMM_WORLD);
    forks();
    if (!wrong)
        std::printf("all right\n");
    MPI_Finalize();
    return wrong;
}
