// Recognises what an earlier run of `fix` put into a file, so that a second run leaves it alone.
#ifndef GM_RUNTIME_CALLS_H
#define GM_RUNTIME_CALLS_H

#include "project/project.h"

bool is_runtime_call(Module *module, const Node *call); // _graphmend.defer(...), also under another name
// The module-level statement that binds the runtime (import or embedded form) to a name, and that name; NULL if none.
Node *find_runtime_binding(Module *module, Name *bound);
// The string that holds the source of the embedded form with that binding; NULL if it is another form, or was altered.
Node *find_embedded_source(Module *module, const Node *binding);
bool is_runtime_module_name(Name dotted); // ends in graphmend_runtime, or graphmend.runtime

#endif
