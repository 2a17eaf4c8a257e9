// Which compressed layouts of vectors a tile has. None: a pointer is 32 bits here, a length too, so codelets that ask
// (VECTOR_AVAIL_SCALED_PTR32, VECTOR_AVAIL_SHORT_SPAN, VECTORLIST_AVAIL_DELTAN, ...) take ONE_PTR, SPAN,
// DELTANELEMENTS.
#pragma once
