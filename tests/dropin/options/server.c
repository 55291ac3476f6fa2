/* SPDX-License-Identifier: BSD-3-Clause */
/* Says of each TCP connection of the process to its PMIx server whether what is sent there goes at once. */
#include <arpa/inet.h>
#include <mpi.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const char *uri = getenv("PMIX_SERVER_URI2"), *port = uri ? strrchr(uri, ':') : NULL;
    for (int fd = 0; port && fd < 1000; fd++) {
        struct sockaddr_in peer = {0};
        socklen_t size = sizeof peer, one = sizeof(int);
        int on = 0;
        if (getpeername(fd, (struct sockaddr *)&peer, &size) != 0 || peer.sin_family != AF_INET ||
            ntohs(peer.sin_port) != atoi(port + 1))
            continue;
        getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, &one);
        puts(on ? "at once" : "later");
    }
    MPI_Finalize();
    return 0;
}
