// Types of fields, under the name that codelets include them by.
#pragma once

#include <poplar/Fields.hpp>
