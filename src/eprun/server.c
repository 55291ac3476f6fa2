/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The connection to the launcher. PMIx makes a TCP connection from each process to its server, in mpirun, and lets the kernel collect
 * what is sent (Nagle's algorithm). In MPI_Finalize the process sends messages one after the other of which the first has no answer:
 * the next ones stay here until the server's kernel acknowledges that one, which it does after 40 ms, since it has nothing to send
 * itself. That was a third of the time that two processes of a machine took to start and to end. So this connection sends at once. It is
 * made while MPI is initialised; at other times `connect` is nothing but the C library's.
 */
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/base.h"
#include "eprun/eprun.h"

/* For everything that this process loads; PMIx among it. */
EP_PUBLIC int connect(int fd, __CONST_SOCKADDR_ARG address, socklen_t size);

static _Atomic bool is_awaited; /* relaxed: MPI may connect in a thread of its own, which it makes after */

void server_await(bool awaited)
{
    store_relaxed(&is_awaited, awaited);
}

/* name;tcp4://host:port, or NULL. Each version of PMIx has a name, and a server says all that it understands. */
static const char *server_uri(void)
{
    static const char *const names[] = {"PMIX_SERVER_URI41", "PMIX_SERVER_URI4", "PMIX_SERVER_URI3",
                                        "PMIX_SERVER_URI21", "PMIX_SERVER_URI2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]))
            return getenv(names[i]);
    return NULL;
}

static bool server_is_at(const struct sockaddr *address, socklen_t size)
{
    const char *uri = server_uri(), *at = uri ? strrchr(uri, ';') : NULL;
    char text[64], host[32], service[16];
    if (!at || size < sizeof(struct sockaddr_in) || address->sa_family != AF_INET ||
        getnameinfo(address, size, host, sizeof host, service, sizeof service, NI_NUMERICHOST | NI_NUMERICSERV) != 0)
        return false;
    snprintf(text, sizeof text, "tcp4://%s:%s", host, service);
    return strcmp(at + 1, text) == 0;
}

int connect(int fd, __CONST_SOCKADDR_ARG address, socklen_t size)
{
    const int on = 1;
    if (load_relaxed(&is_awaited) && server_is_at(address.__sockaddr__, size))
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return NEXT(connect)(fd, address, size);
}
