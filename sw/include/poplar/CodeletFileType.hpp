// What a codelet file holds; Auto goes by the file name's extension (.gp, .c, .S, .s; C++ for others). Only C++ and
// objects (.gp) have vertices: C and assembly, which is to be preprocessed (.S) or has been (.s), is for what they
// call. LLVM IR is refused.
#pragma once

namespace poplar {

enum class CodeletFileType { PreprocessedAsmSource, AsmSource, CSource, CppSource, IrSource, Object, Auto };

}  // namespace poplar
