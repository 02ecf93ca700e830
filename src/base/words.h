/* The other words that PyTorch's messages have for dtypes. */
#ifndef WN_BASE_WORDS_H
#define WN_BASE_WORDS_H

const char *wn__dtype_cxx(int d); /* "float", "long int", "c10::Half", ...: C++'s, which structured operations print */
#endif
