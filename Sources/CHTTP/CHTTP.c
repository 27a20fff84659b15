// The HTTP library behind plain functions: variadic calls, enums and per-connection contexts stay in this file.
#include "CHTTP.h"

#include <microhttpd.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct CHTTP_Server {
    struct MHD_Daemon *daemon;
    struct CHTTP_Callbacks callbacks;
    void *context;
    int epoll_descriptor;
};

static void *context_of(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

static void notify_connection(
    void *closure, struct MHD_Connection *connection, void **context, enum MHD_ConnectionNotificationCode code) {
    struct CHTTP_Server *server = closure;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        int descriptor = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
        *context = server->callbacks.opened(server->context, connection, descriptor);
    } else {
        server->callbacks.closed(*context);
    }
}

static void *notify_target(void *closure, const char *target, struct MHD_Connection *connection) {
    struct CHTTP_Server *server = closure;
    size_t count = target == NULL ? 0 : strlen(target);
    server->callbacks.target(context_of(connection), (const uint8_t *)target, count);
    return NULL;
}

static enum MHD_Result handle(
    void *closure, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
    const char *body, size_t *count, void **request) {
    (void)url;
    (void)request;
    struct CHTTP_Server *server = closure;
    bool go_on = server->callbacks.handle(context_of(connection), method, version, (const uint8_t *)body, count);
    return go_on ? MHD_YES : MHD_NO;
}

static void notify_completed(
    void *closure, struct MHD_Connection *connection, void **request, enum MHD_RequestTerminationCode code) {
    (void)request;
    struct CHTTP_Server *server = closure;
    server->callbacks.completed(context_of(connection), code == MHD_REQUEST_TERMINATED_COMPLETED_OK);
}

// We decode targets ourselves, per segment; decoding in place would lose the difference between "/" and "%2F".
static size_t leave_escaped(void *closure, struct MHD_Connection *connection, char *text) {
    (void)closure;
    (void)connection;
    return strlen(text);
}

// The log is the only place where the library tells that it has refused a request by itself.
static void log_message(void *closure, const char *format, va_list arguments) {
    static const char refusal[] = "Error processing request (HTTP response code is %u";
    struct CHTTP_Server *server = closure;
    if (strncmp(format, refusal, sizeof refusal - 1) == 0) {
        server->callbacks.refused(server->context, va_arg(arguments, unsigned int));
    }
}

struct CHTTP_Server *CHTTP_start(
    int listener, unsigned int connections_max, size_t pool_bytes, struct CHTTP_Callbacks callbacks, void *context) {
    struct CHTTP_Server *server = malloc(sizeof *server);
    if (server == NULL) return NULL;
    server->callbacks = callbacks;
    server->context = context;
    // No MHD_OPTION_CONNECTION_TIMEOUT: that timer restarts with every byte, so HTTPServer keeps deadlines itself.
    // No MHD_OPTION_STRICT_FOR_CLIENT: it refuses a missing Host and blanks in the target, but 0.9.75 writes the header
    // of such a refusal twice, or closes without one. HTTPServer refuses both, in its own form.
    server->daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL, &handle, server,
        MHD_OPTION_EXTERNAL_LOGGER, &log_message, server,
        MHD_OPTION_LISTEN_SOCKET, listener,
        MHD_OPTION_CONNECTION_LIMIT, connections_max,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, pool_bytes,
        MHD_OPTION_URI_LOG_CALLBACK, &notify_target, server,
        MHD_OPTION_UNESCAPE_CALLBACK, &leave_escaped, server,
        MHD_OPTION_NOTIFY_CONNECTION, &notify_connection, server,
        MHD_OPTION_NOTIFY_COMPLETED, &notify_completed, server,
        MHD_OPTION_END);
    if (server->daemon == NULL) {
        free(server);
        return NULL;
    }
    server->epoll_descriptor = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
    return server;
}

int CHTTP_epoll_descriptor(struct CHTTP_Server *server) { return server->epoll_descriptor; }

int CHTTP_timeout(struct CHTTP_Server *server) {
    MHD_UNSIGNED_LONG_LONG milliseconds;
    if (MHD_get_timeout(server->daemon, &milliseconds) != MHD_YES) return -1;
    return milliseconds > 60000 ? 60000 : (int)milliseconds;
}

void CHTTP_run(struct CHTTP_Server *server) { (void)MHD_run(server->daemon); }

void CHTTP_stop_listening(struct CHTTP_Server *server) {
    int listener = MHD_quiesce_daemon(server->daemon);
    if (listener >= 0) close(listener);
}

void CHTTP_stop(struct CHTTP_Server *server) {
    MHD_stop_daemon(server->daemon);
    free(server);
}

void CHTTP_suspend(struct MHD_Connection *connection) { MHD_suspend_connection(connection); }

void CHTTP_resume(struct MHD_Connection *connection) { MHD_resume_connection(connection); }

size_t CHTTP_header_bytes(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info == NULL ? 0 : info->header_size;
}

struct field_copy {
    uint8_t *next;
    size_t room;
    ssize_t failure;
};

// In a field that was not folded, only blanks stand between the end of the name and the value.
static bool is_folded(const char *name, size_t name_bytes, const char *value) {
    const char *after_colon = name + name_bytes + 1;
    if (value < after_colon) return true;
    for (const char *blank = after_colon; blank < value; blank++) {
        if (*blank != ' ' && *blank != '\t') return true;
    }
    return false;
}

static enum MHD_Result copy_field(
    void *closure, enum MHD_ValueKind kind, const char *name, size_t name_bytes, const char *value,
    size_t value_bytes) {
    (void)kind;
    struct field_copy *copy = closure;
    if (value == NULL || is_folded(name, name_bytes, value)) {
        copy->failure = -2;
        return MHD_NO;
    }
    uint16_t lengths[2] = {(uint16_t)name_bytes, (uint16_t)value_bytes};
    if (name_bytes > UINT16_MAX || value_bytes > UINT16_MAX ||
        copy->room < sizeof lengths + name_bytes + value_bytes) {
        copy->failure = -1;
        return MHD_NO;
    }
    memcpy(copy->next, lengths, sizeof lengths);
    memcpy(copy->next + sizeof lengths, name, name_bytes);
    memcpy(copy->next + sizeof lengths + name_bytes, value, value_bytes);
    copy->next += sizeof lengths + name_bytes + value_bytes;
    copy->room -= sizeof lengths + name_bytes + value_bytes;
    return MHD_YES;
}

ssize_t CHTTP_copy_fields(struct MHD_Connection *connection, uint8_t *into, size_t capacity) {
    struct field_copy copy = {into, capacity, 0};
    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, &copy_field, &copy);
    return copy.failure != 0 ? copy.failure : (ssize_t)(capacity - copy.room);
}

struct MHD_Response *CHTTP_response_bytes(const void *bytes, size_t count) {
    return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

struct MHD_Response *CHTTP_response_stream(
    void *context, ssize_t (*read)(void *context, uint64_t position, char *into, size_t count),
    void (*release)(void *context)) {
    // The block size only matters for HTTP/1.0 clients, whose body is not chunked.
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 16384, read, context, release);
}

bool CHTTP_response_field(struct MHD_Response *response, const char *name, const char *value) {
    return MHD_add_response_header(response, name, value) == MHD_YES;
}

void CHTTP_response_unchunked(struct MHD_Response *response) {
    (void)MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

bool CHTTP_respond(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response) {
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result == MHD_YES;
}

void CHTTP_response_discard(struct MHD_Response *response) { MHD_destroy_response(response); }

const char *CHTTP_reason(unsigned int status) { return MHD_get_reason_phrase_for(status); }
