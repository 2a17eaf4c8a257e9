// Constants of encodings and losses.
#pragma once

// An index that stands for nothing.
#define MASKED_LABEL_CODE 0xFFFFFFFFU

// What is added before a logarithm is taken: the smallest normal float, the smallest half.
#define EPS_LOG_N_FLOAT (1.17549435e-38F)
#define EPS_LOG_N_HALF (0.000000059605F)
