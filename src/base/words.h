/* The words for dtypes in PyTorch's messages that wn__dtype_word does not give. */
#ifndef WN_BASE_WORDS_H
#define WN_BASE_WORDS_H

const char *wn__dtype_cxx(int d); /* "float", "long int", "c10::Half", ...: C++'s, which structured operations print */
#endif
