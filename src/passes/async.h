// --trap=assert-async: the paper's own form of [Trap].
#ifndef GM_ASYNC_H
#define GM_ASYNC_H

#include "passes/rewrite.h"

// Looks for torch.compile in the module: the handler that turns a failed check back into its exception sits there.
void async_find_sites(PassContext *context);
// _graphmend.assert_async(holds, "module:offset", lambda: exception), with its registration noted in the context. NULL where
// the module has no compile site: nobody would turn the RuntimeError back.
Node *async_check(PassContext *context, Node *holds, const Node *guard, Node *exception);
// Puts the handler around every compile site, once some check was written.
void async_wrap_sites(PassContext *context);

#endif
