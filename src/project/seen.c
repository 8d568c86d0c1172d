// What a run has looked at on disk: the bytes of its inputs, and what stood, or did not stand, at every other path that it
// asked for while it resolved imports and placed the runtime.
//
// Input: the registered modules; paths. Output: a digest of each. With the options, a run's results follow from these
// alone: src/api/cache.c finds them again by it. Folders are not in it: they are walked anew in every run, and what came
// of that is the list of modules. Nothing is kept unless ProjectOptions.digests asks for it.
#include "project/internal.h"

static const Digest digest_of_nothing = {{0}};
static const Digest digest_of_unreadable = {{1}};

static SeenKind look_at(const char *path, Buf *into) {
    Arena *arena = arena_new();
    Str why;
    SeenKind kind = !file_exists(path)                   ? SEEN_NOTHING
                    : file_read(path, into, arena, &why) ? SEEN_FILE
                                                         : SEEN_UNREADABLE;
    arena_free(arena);
    return kind;
}

static Digest digest_of_kind(SeenKind kind, const Buf *bytes) {
    return kind == SEEN_FILE      ? digest_of(buf_view(bytes))
           : kind == SEEN_NOTHING ? digest_of_nothing
                                  : digest_of_unreadable;
}

SeenKind project_look(Project *project, const char *path, Buf *into) {
    into->len = 0;
    SeenKind kind = look_at(path, into);
    if (!project->options.digests)
        return kind;
    Name key = intern(str_of(path));
    Seen seen = {name_str(key), digest_of_kind(kind, into)};
    uintptr_t index;
    // One that changes while the run goes on is noted both ways: no later run finds it so.
    if (map_get(&project->seen_at, key, &index) &&
        digest_eq(&vec_at(&project->seen, (uint32_t)index).digest, &seen.digest))
        return kind;
    map_put(&project->seen_at, key, project->seen.len);
    vec_push(&project->seen, seen);
    return kind;
}

uint32_t project_seen_count(const Project *project) {
    return project->seen.len;
}

const Seen *project_seen(const Project *project, uint32_t index) {
    return &vec_at(&project->seen, index);
}

bool seen_holds(const Seen *seen) {
    Buf bytes = {0};
    SeenKind kind = look_at(seen->path.ptr, &bytes);
    Digest digest = digest_of_kind(kind, &bytes);
    buf_free(&bytes);
    return digest_eq(&digest, &seen->digest);
}
