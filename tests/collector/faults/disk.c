/* A disk between a program and its files, loaded with LD_PRELOAD: it writes down what the program does to files below
 * DISK_ROOT, in order, to DISK_LOG, so that a test can tell what a loss of power would leave; and it fails when told to.
 *
 * A record of the log: an operation (one byte), the lengths of two paths and of data and an offset (four uint64), then
 * the paths and the data. Operations: c create, w write, t truncate (the offset is the size), s sync, x a sync that fails,
 * r rename, u unlink, m make a folder.
 *
 * DISK_FAULTS names a file; while it is there it says what goes wrong, as "KIND NUMBER": "sync 5" and "write 28" let syncs
 * or writes fail with an errno, "slow 20" makes each sync take so many milliseconds, "hold 1" lets none go on.
 * DISK_AT_SYNC="die N" kills the process before its N-th sync of a file whose name ends with "-wal", "fail N" lets that
 * one fail.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static pthread_mutex_t alone = PTHREAD_MUTEX_INITIALIZER;
static int syncs;

static int is_ours(const char *path) {
    const char *root = getenv("DISK_ROOT");
    return root && strncmp(path, root, strlen(root)) == 0;
}

static void put(int log, const void *bytes, size_t length) {
    if (syscall(SYS_write, log, bytes, length) != (long)length) abort();
}

static void record(char op, const char *path, const char *other, const void *data, uint64_t length, uint64_t offset) {
    const char *name = getenv("DISK_LOG");
    if (!name) return;
    pthread_mutex_lock(&alone);
    int log = syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (log < 0) abort();
    uint64_t sizes[4] = {strlen(path), strlen(other), length, offset};
    put(log, &op, 1);
    put(log, sizes, sizeof sizes);
    put(log, path, sizes[0]);
    put(log, other, sizes[1]);
    put(log, data, length);
    syscall(SYS_close, log);
    pthread_mutex_unlock(&alone);
}

/* The path of an open file, if it is one of ours. */
static const char *path_of(int fd, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) return NULL;
    path[length] = 0;
    return is_ours(path) ? path : NULL;
}

/* What goes wrong now, of one kind: a number, or 0. */
static int fault(const char *kind) {
    char text[64] = "", found[16] = "";
    int number = 0, file = getenv("DISK_FAULTS") ? syscall(SYS_openat, AT_FDCWD, getenv("DISK_FAULTS"), O_RDONLY) : -1;
    if (file < 0) return 0;
    long length = syscall(SYS_read, file, text, sizeof text - 1);
    syscall(SYS_close, file);
    return length > 0 && sscanf(text, "%15s %d", found, &number) == 2 && !strcmp(found, kind) ? number : 0;
}

static ssize_t wrote(int fd, const void *data, ssize_t n, off_t offset) {
    char path[PATH_MAX];
    if (n > 0 && path_of(fd, path)) record('w', path, "", data, n, offset);
    return n;
}

static int refuses(int fd, const char *kind) {
    char path[PATH_MAX];
    int number = path_of(fd, path) ? fault(kind) : 0;
    if (number) errno = number;
    return number;
}

ssize_t pwrite64(int fd, const void *data, size_t n, off64_t offset) {
    return refuses(fd, "write") ? -1 : wrote(fd, data, REAL(pwrite64)(fd, data, n, offset), offset);
}

ssize_t pwrite(int fd, const void *data, size_t n, off_t offset) { return pwrite64(fd, data, n, offset); }

ssize_t write(int fd, const void *data, size_t n) {
    if (refuses(fd, "write")) return -1;
    ssize_t done = REAL(write)(fd, data, n);
    return wrote(fd, data, done, done > 0 ? lseek(fd, 0, SEEK_CUR) - done : 0);
}

int ftruncate64(int fd, off64_t size) {
    char path[PATH_MAX];
    int failed = REAL(ftruncate64)(fd, size);
    if (!failed && path_of(fd, path)) record('t', path, "", "", 0, size);
    return failed;
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

/* Whether it is the turn of this sync to go wrong in a way. */
static int is_turn(const char *how) {
    const char *told = getenv("DISK_AT_SYNC");
    return told && !strncmp(told, how, strlen(how)) && atoi(told + strlen(how)) == syncs;
}

static int synced(int fd, int (*sync)(int)) {
    char path[PATH_MAX];
    if (!path_of(fd, path)) return sync(fd);
    size_t length = strlen(path);
    int is_wal = length > 4 && !strcmp(path + length - 4, "-wal");
    syncs += is_wal;
    if (is_wal && is_turn("die ")) kill(getpid(), SIGKILL);
    usleep(1000 * fault("slow"));
    while (fault("hold")) usleep(1000);
    int number = is_wal && is_turn("fail ") ? EIO : fault("sync");
    int failed = number ? -1 : sync(fd);
    record(failed ? 'x' : 's', path, "", "", 0, 0);
    if (number) errno = number;
    return failed;
}

int fsync(int fd) { return synced(fd, REAL(fsync)); }
int fdatasync(int fd) { return synced(fd, REAL(fdatasync)); }

static int opened(int fd, int new, int flags) {
    char path[PATH_MAX];
    if (fd >= 0 && (new || flags & O_TRUNC) && path_of(fd, path)) record(new ? 'c' : 't', path, "", "", 0, 0);
    return fd;
}

#define OPEN(name)                                                                      \
    int name(const char *path, int flags, ...) {                                        \
        va_list rest;                                                                   \
        va_start(rest, flags);                                                          \
        int mode = va_arg(rest, int), new = (flags & O_CREAT) && access(path, F_OK);    \
        va_end(rest);                                                                   \
        return opened(REAL(name)(path, flags, mode), new, flags);                       \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                                  \
    int name(int folder, const char *path, int flags, ...) {                                          \
        va_list rest;                                                                                 \
        va_start(rest, flags);                                                                        \
        int mode = va_arg(rest, int), new = (flags & O_CREAT) && faccessat(folder, path, F_OK, 0);    \
        va_end(rest);                                                                                 \
        return opened(REAL(name)(folder, path, flags, mode), new, flags);                             \
    }
OPENAT(openat)
OPENAT(openat64)

int rename(const char *from, const char *to) {
    int failed = REAL(rename)(from, to);
    if (!failed && is_ours(from)) record('r', from, to, "", 0, 0);
    return failed;
}

int unlink(const char *path) {
    int failed = REAL(unlink)(path);
    if (!failed && is_ours(path)) record('u', path, "", "", 0, 0);
    return failed;
}

int mkdir(const char *path, mode_t mode) {
    int failed = REAL(mkdir)(path, mode);
    if (!failed && is_ours(path)) record('m', path, "", "", 0, 0);
    return failed;
}
