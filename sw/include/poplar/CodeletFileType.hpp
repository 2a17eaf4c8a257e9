// What a codelet file holds; Auto goes by the file name's extension.
#pragma once

namespace poplar {

enum class CodeletFileType { PreprocessedAsmSource, AsmSource, CSource, CppSource, IrSource, Object, Auto };

}  // namespace poplar
