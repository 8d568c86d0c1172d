// What kind of output a call makes, proved by binding.
#ifndef GM_OUTPUT_H
#define GM_OUTPUT_H

#include "project/project.h"

typedef enum OutputKind { OUTPUT_NONE, OUTPUT_PRINT, OUTPUT_LOG, OUTPUT_WARN } OutputKind;
OutputKind output_kind(Module *module, Node *call);
#endif
