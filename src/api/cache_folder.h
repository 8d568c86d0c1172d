// The folder in which results are kept from one session to the next.
#ifndef GM_CACHE_FOLDER_H
#define GM_CACHE_FOLDER_H

#include "base/base.h"

// What was kept under the key; false when there is nothing, or nothing that is whole.
bool cache_folder_get(const char *folder, const Digest *key, Buf *into);
void cache_folder_put(const char *folder, const Digest *key, Buf *bytes); // adds to the bytes

#endif
