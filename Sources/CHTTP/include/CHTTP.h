// What HTTPServer needs of libmicrohttpd and of the kernel, without their macros, variadic functions and packed
// structures. Nothing of <microhttpd.h> is visible to Swift: the library can be replaced behind this page.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

struct MHD_Connection;
struct MHD_Response;

// ---- the HTTP library, in external epoll mode: it owns no thread and never blocks -------------------------------

/// The functions that the library calls, all on the thread that calls `CHTTP_run` or `CHTTP_stop`.
struct CHTTP_Callbacks {
    /// A connection was accepted; the result is its context, handed to the functions below.
    void *_Nonnull (*_Nonnull opened)(void *server, struct MHD_Connection *connection, int descriptor);
    /// The connection is gone: the last call with this context.
    void (*_Nonnull closed)(void *connection);
    /// The request line has come: the target exactly as it was sent (NULL when there is none).
    void (*_Nonnull target)(void *connection, const uint8_t *_Nullable target, size_t count);
    /// Called once when the header is complete (`body` NULL), then for each piece of the body (`*count` bytes, set to
    /// what is left unread), and once more when the request is complete (`body` NULL). False closes the connection.
    bool (*_Nonnull handle)(
        void *connection, const char *method, const char *version, const uint8_t *_Nullable body, size_t *count);
    /// The request is over: answered (`complete`), or broken off by either side.
    void (*_Nonnull completed)(void *connection, bool complete);
    /// The library refused a request by itself, with this status.
    void (*_Nonnull refused)(void *server, unsigned int status);
};

struct CHTTP_Server;

/// Starts serving a listening, non-blocking socket, which then belongs to the library.
/// `pool_bytes` is the memory of a connection: its header and its read and write buffers. NULL when out of memory.
struct CHTTP_Server *_Nullable CHTTP_start(
    int listener, unsigned int connections_max, size_t pool_bytes, struct CHTTP_Callbacks callbacks, void *context);
/// The descriptor that becomes readable when `CHTTP_run` has work.
int CHTTP_epoll_descriptor(struct CHTTP_Server *server);
/// The milliseconds after which `CHTTP_run` must be called even if nothing becomes readable, or -1.
int CHTTP_timeout(struct CHTTP_Server *server);
/// Reads, calls back, writes: everything that can be done without waiting.
void CHTTP_run(struct CHTTP_Server *server);
/// Accepts nothing from now on, and closes the listening socket.
void CHTTP_stop_listening(struct CHTTP_Server *server);
/// Closes what is open and frees everything. No connection may be suspended.
void CHTTP_stop(struct CHTTP_Server *server);

/// Takes the connection out of the library's hands until `CHTTP_resume`; only inside `handle` or a stream's `read`.
void CHTTP_suspend(struct MHD_Connection *connection);
/// Gives a suspended connection back; `CHTTP_run` must follow.
void CHTTP_resume(struct MHD_Connection *connection);

/// The bytes of the request's header, once it is complete.
size_t CHTTP_header_bytes(struct MHD_Connection *connection);
/// Copies the header fields as records (length of the name and of the value, two bytes each in the machine's order,
/// then both texts). Returns the bytes written, -1 if `capacity` is too small, -2 if a field was folded over lines
/// (obsolete, and this library mixes the name up with the continuation).
ssize_t CHTTP_copy_fields(struct MHD_Connection *connection, uint8_t *into, size_t capacity);

/// A response with a body of known bytes, which are copied.
struct MHD_Response *_Nullable CHTTP_response_bytes(const void *_Nullable bytes, size_t count);

enum { CHTTP_STREAM_END = -1, CHTTP_STREAM_FAILED = -2 };

/// A response whose body is asked for piece by piece: `read` copies at most `count` bytes and returns how many,
/// `CHTTP_STREAM_END`, `CHTTP_STREAM_FAILED`, or 0 after it has suspended the connection.
/// `release` gets the context when the response is freed.
struct MHD_Response *_Nullable CHTTP_response_stream(
    void *context, ssize_t (*_Nonnull read)(void *context, uint64_t position, char *into, size_t count),
    void (*_Nonnull release)(void *context));
/// False for a name or value that no header field can have.
bool CHTTP_response_field(struct MHD_Response *response, const char *name, const char *value);
/// Sends the response without chunks, and closes the connection after it.
void CHTTP_response_unchunked(struct MHD_Response *response);
/// Hands the response over. False when the connection cannot take one any more.
bool CHTTP_respond(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response);
/// Frees a response that was not handed over.
void CHTTP_response_discard(struct MHD_Response *response);
/// The reason phrase of a status (RFC 9110 section 15).
const char *CHTTP_reason(unsigned int status);

// ---- the kernel --------------------------------------------------------------------------------------------------

enum { CHTTP_READABLE = 1, CHTTP_WRITABLE = 2, CHTTP_EDGE = 4 };
enum { CHTTP_EVENTS_MAX = 64 };

/// A descriptor's readiness: `flags` of `CHTTP_READABLE` and `CHTTP_WRITABLE`; an error or a hang-up is both.
struct CHTTP_Event {
    uint64_t token;
    uint32_t flags;
};

/// A new epoll set, or -1 (errno).
int CHTTP_epoll_create(void);
/// Adds a descriptor; 0 or errno.
int CHTTP_epoll_add(int epoll, int descriptor, uint32_t flags, uint64_t token);
/// Changes what a descriptor is watched for; 0 or errno.
int CHTTP_epoll_change(int epoll, int descriptor, uint32_t flags, uint64_t token);
/// Stops watching a descriptor; 0 or errno.
int CHTTP_epoll_remove(int epoll, int descriptor);
/// Waits for at most `CHTTP_EVENTS_MAX` events, -1 milliseconds meaning for ever; their number, or -1 (errno).
int CHTTP_epoll_wait(int epoll, struct CHTTP_Event *events, int milliseconds);
/// A new non-blocking event counter, or -1 (errno).
int CHTTP_eventfd(void);
/// Adds one to an event counter.
void CHTTP_eventfd_signal(int descriptor);

/// Binds and listens, non-blocking, on a numeric IPv4 or IPv6 address; the descriptor, or -errno (-EINVAL for an
/// address that is none).
int CHTTP_listen(const char *address, uint16_t port, int backlog);
/// Listens on the address of another listening socket of this process, between which the kernel spreads connections;
/// the descriptor, or -errno.
int CHTTP_listen_beside(int other, int backlog);
/// The port a socket is bound to.
uint16_t CHTTP_local_port(int descriptor);
/// Sends bytes without waiting and without SIGPIPE; how many were taken.
size_t CHTTP_send(int descriptor, const void *bytes, size_t count);
/// Tells the peer that nothing more will come.
void CHTTP_shut_write(int descriptor);
/// Breaks a connection in both directions; its descriptor stays open.
void CHTTP_shut(int descriptor);
/// Whether the peer has closed its side or the connection is broken.
bool CHTTP_peer_closed(int descriptor);
/// The text of an errno value, in a buffer that belongs to the caller.
void CHTTP_error_text(int number, char *into, size_t capacity);


#pragma clang assume_nonnull end
