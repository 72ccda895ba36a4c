/* fuzz/answer.c - any bytes as what a server answers to a call of ours: the client's side of HTTP/2
 * and gRPC. The first byte says how many calls are in flight. */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/channel.h"

typedef struct answer {
    int listener;
    const uint8_t *data;
    size_t size;
} answer;

/* One connection: settings, then the bytes, then the end. */
static void *serve(void *arg)
{
    static const char settings[] = "\0\0\0\4\0\0\0\0\0";
    answer *given = arg;
    char request[4096];
    int fd = accept(given->listener, NULL, NULL);
    if (fd >= 0 && send(fd, settings, sizeof settings - 1, MSG_NOSIGNAL) > 0 &&
        recv(fd, request, sizeof request, 0) > 0 &&
        send(fd, given->data, given->size, MSG_NOSIGNAL) >= 0) {
        shutdown(fd, SHUT_WR);
        while (recv(fd, request, sizeof request, 0) > 0)
            ;
    }
    if (fd >= 0)
        close(fd);
    return NULL;
}

static void ignore(void *arg, weir_status status, weir_rpc_message *message)
{
    weir_status_free(status);
}

static void call(const char *address, int others)
{
    weir_channel *channel = weir_channel_open(address);
    weir_rpc_message request = {0}, received = {0};
    weir_channel_call spec = {
        .path = "/t/E", .request = &request, .timeout_ms = 1000, .done = ignore};
    for (int i = 0; i < others; i++) {
        weir_buf_adds(&request.head, "x");
        weir_channel_start(channel, &spec);
    }
    weir_buf_adds(&request.head, "x");
    weir_status_free(weir_channel_wait(channel, &spec, &received));
    weir_rpc_message_fini(&received);
    weir_channel_release(channel);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    answer given = {socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), data + 1, size ? size - 1 : 0};
    pthread_t server;
    char address[64];
    if (!size || bind(given.listener, (struct sockaddr *)&at, sizeof at) != 0 ||
        listen(given.listener, 4) != 0 ||
        getsockname(given.listener, (struct sockaddr *)&at, &length) != 0 ||
        pthread_create(&server, NULL, serve, &given) != 0) {
        close(given.listener);
        return 0;
    }
    snprintf(address, sizeof address, "127.0.0.1:%d", ntohs(at.sin_port));
    call(address, data[0] % 4);
    shutdown(given.listener, SHUT_RDWR); /* ends an accept that nobody came to */
    pthread_join(server, NULL);
    close(given.listener);
    return 0;
}
