/* An operation as the program sees it, and the words that rows' attributes have. tools/wngen makes the table from the rows in src/ops. */
#ifndef WN_TABLE_OP_H
#define WN_TABLE_OP_H
#include "base/api.h"

typedef struct wn__call wn__call;

typedef enum wn__class {
    WN__POINTWISE, /* a program of one instruction over broadcast operands (call/pointwise.c) */
    WN__VIEW,      /* infer makes handles on the storage of its first argument */
    WN__KERNEL,    /* infer says the results (wn__result), fn fills them */
    WN__COMPOSITE  /* fn calls other operations; they are recorded, it is not */
} wn__class;

enum { /* row flags */
    WN__F_INPLACE = 1,        /* has a form with trailing _ */
    WN__F_NODIFF = 2,         /* floating result without derivative, on purpose */
    WN__F_RANDOM = 4,
    WN__F_MAY_RAISE = 8,      /* values can be in error: never deferred */
    WN__F_MUTATES = 64,       /* writes some argument (Tensor(a!)) */
    WN__F_DATA_DEPENDENT = 128, /* result shape depends on values */
    WN__F_INPLACE_ONLY = 256, /* only the form with trailing _ exists */
    WN__F_NO_OUT = 512,       /* has no out= form */
    WN__F_OUT_EXACT = 8192,   /* out= must have the result's dtype */
    WN__F_WAITS = 4096,       /* a product: KERNEL that its readers may run, to hand finished pieces to c->sink */
    WN__F_LAZY = 2048,        /* KERNEL: fn sees to operands that are still pending */
    WN__F_SHARES = 16384,     /* fn itself looks for inputs that share memory with the target */
    WN__F_ONE_VALUE = 32768,  /* all elements get the same value: a target may overlap itself (call/fill.c) */
    WN__F_NUMBERS_FIT = 65536, /* POINTWISE: a number that an integer dtype cannot hold is an error; elsewhere it wraps */
    WN__F_TITLED = 131072,    /* COMPOSITE: the nodes of its results have its name, as in torch, where it is one operation */
    WN__F_NO_BOOL = 262144, /* types = NUMBER: no operand may be bool, whatever it is promoted to */
    WN__F_ELEMENTS = 524288, /* POINTWISE: numbers that take no part in promotion become elements: f16 and bf16 have to hold them, too */
    WN__F_LIKE = 1 << 20,     /* a factory that takes shape and dtype from a tensor */
    WN__F_UNSET = 1 << 21,    /* nobody has set its result's elements: out= has its dtype, and keeps what it holds */
    WN__F_SIZE_ROUNDS = 1 << 22, /* rounding decides how many elements there are: torch warns of an out= of another size */
    WN__F_MIXES = 1 << 23,       /* its operands may be on two devices */
    WN__F_SOMETIMES = 1 << 24,   /* DATA_DEPENDENT by masks alone: without values .infer sees to those itself */
    WN__F_VALUES = 1 << 25,      /* COMPOSITE: reads values, or calls a row whose results depend on them: fails on the meta device */
    WN__F_STEPS = 1 << 26,       /* COMPOSITE, in place: changes its tensors one after the other; after a failure those stay that were made */
    WN__F_CREATES = 1024      /* makes a tensor from no tensor: takes dtype= */
};

/* dtype rules of pointwise rows */
typedef enum wn__types {
    WN__TY_SAME,    /* compute and return the promoted dtype */
    WN__TY_FLOAT,   /* as SAME; integers and bool become the default floating dtype */
    WN__TY_COMPARE, /* compute in the promoted dtype, return bool */
    WN__TY_LOGICAL, /* operands to bool, return bool */
    WN__TY_BITS,    /* integers and bool only */
    WN__TY_FLOAT_ONLY, /* floating operands only: integers are an error, as in torch */
    WN__TY_NUMBER,  /* SAME without bool */
    WN__TY_COUNTS   /* as SAME; bool becomes int64 */
} wn__types;

/* What autocast does with a row's floating tensors other than f64 (call/autocast.c): the policy of torch.autocast on CPU. */
typedef enum wn__policy {
    WN__AUTOCAST_KEEP = 1, /* nothing */
    WN__AUTOCAST_NARROW,   /* to autocast's dtype */
    WN__AUTOCAST_FLOAT32,
    WN__AUTOCAST_WIDEST    /* to the widest of them and autocast's dtype */
} wn__policy;

/* How the gradient of a row's input follows from its cotangents; with a cotangent of which some elements are absent (grad/support.h). */
typedef enum wn__moves {
    WN__MOVES_UNSAID,   /* the gradient is computed from other numbers, too: cotangents are made dense */
    WN__MOVES_NOT,      /* the same, of a row whose gradient looks as if it moved elements */
    WN__MOVES_STRAIGHT, /* each element from the cotangent's at the same place (all POINTWISE rows) */
    WN__MOVES_ONE,      /* each is a multiple of one of the cotangent's elements */
    WN__MOVES_SOME,     /* each is a sum of any number of them, times what is positive; of none: zero */
    WN__MOVES_PRODUCT,  /* each is a sum of them times the elements of the one tensor that this gradient reads */
    WN__MOVES_LINES,    /* each follows from those of its line, and from the line */
    WN__MOVES_OWN       /* no row's: as a class of nodes says (grad/tape.h) */
} wn__moves;

/* What becomes of a zero (.zero in table/row.h); 0: the row does not say. */
enum {
    WN__ZERO_NOT = WN__MOVES_NOT,
    WN__ZERO_KEEPS, /* a zero of the first tensor operand gives a zero, unless another operand is in the way: 0 / 0, 0 * inf */
    WN__ZERO_MEETS, /* a zero of any does, in the same way */
    WN__ZERO_PICKS  /* wngen's word for KEEPS in a row that only picks elements (.support): whatever the other operands are */
};

/* How a row's results lie in memory (call/layout.h), when they have no target. */
typedef enum wn__layout {
    WN__LAYOUT_OWN,     /* as its function says; POINTWISE: in TensorIterator's order */
    WN__LAYOUT_PLAIN,   /* row by row, whatever the arguments do */
    WN__LAYOUT_FORMAT,  /* channels last if one of the named arguments does */
    WN__LAYOUT_FORMATS, /* ... if all tensors of its list do */
    WN__LAYOUT_KEPT,    /* as the named argument, which has their shape */
    WN__LAYOUT_COLUMNS, /* each matrix column by column, as LAPACK's */
    WN__LAYOUT_DENSE,   /* channels last if the named argument is_contiguous so, and not row by row: as batch norm */
    WN__LAYOUT_LINES    /* [N, C, L], channels innermost if the named argument would lie channels last as [N, C, 1, L] */
} wn__layout;

/* What defer/build.c makes of a row together with its neighbour; wngen reads it from the expression. */
typedef enum wn__fuse {
    WN__FUSE_NOT,
    WN__FUSE_ADD,      /* without its number takes in a product on either side: its form with the number is a + b * c */
    WN__FUSE_SUBTRACT, /* the same, a - b * c, on the right */
    WN__FUSE_MULTIPLY, /* the product */
    WN__FUSE_EQ,       /* a comparison: one step with the selection by it */
    WN__FUSE_NE,
    WN__FUSE_LT,
    WN__FUSE_LE,
    WN__FUSE_GT,
    WN__FUSE_GE
} wn__fuse;

/* With this number as its last operand a row is the one of that kernel, of the operands before. */
typedef struct wn__shorter {
    double number;
    int kernel;
} wn__shorter;

/* What a gradient builder sees; the builder runs inside a scope and returns borrowed tensors. */
typedef struct wn__gradctx {
    const void *args;   /* the call's args, with the saved tensors in place (others NULL) */
    wn_tensor **g;      /* cotangents of the results; NULL: absent (zero) */
    wn_tensor **y;      /* saved results (NULL where not saved) */
    uint64_t need;      /* bit i: gradient of tensor input i (flattened) is wanted */
    wn_tensor **gin;    /* out: gradient of tensor input i; NULL: none */
    int nin;
    const struct wn__edge *edges; /* shape and dtype of input i */
    const struct wn_node *node;
    struct wn__given *given; /* out: where gin[i] exists (grad/support.h); NULL: nobody asks */
    wn_tensor *lines;   /* of a row with .lines: a mask of those of which some cotangent exists, in the input's dimensions; NULL: all */
} wn__gradctx;
typedef void (*wn__builder)(wn__gradctx *c);

/* What torch calls a row's nodes: the first alternative whose argument is given and no plain number, or, plain, the contrary. */
typedef struct wn__title {
    const char *name;   /* NULL: made from the row's name */
    const char *end;    /* "Backward1" */
    int8_t field;       /* the argument; -1: always, the last one */
    bool plain;
} wn__title;
typedef int (*wn__title_of)(const struct wn_node *n, char *buf, size_t cap); /* as snprintf */

/* An operation at run time; made by tools/wngen from the rows in src/ops. */
struct wn_op {
    const char *name, *overload, *cname, *family, *signature, *doc;
    wn__class cls;
    uint32_t flags;
    uint32_t places; /* WN_IN_TORCH ... */
    int id;
    int nresults; /* -1: a list */
    int nfields;
    const wn_field *fields;
    uint16_t args_size;
    uint16_t out_offset;        /* of the field out; 0: no out= form */
    uint16_t device_offset;     /* of the field device, which rows that create have; 0: none */
    uint8_t autocast;           /* wn__policy */
    uint8_t traits;             /* WN_NAMES_RESULTS ... */
    uint8_t moves;              /* wn__moves */
    uint8_t moves_text;         /* wn__moves_texts[moves_text] is the row's .product or .lines (table/row.h) */
    uint8_t ntensors;           /* tensor-carrying fields (Tensor, Tensor[], Value), in order: */
    uint8_t tensors[12];        /* their indices in fields */
    uint8_t ngiven;             /* numbers and lists of numbers, which dispatch looks at before a function of the row does: */
    uint8_t given[10];          /* their indices in fields */
    bool has_list;              /* one of them is a Tensor[] */
    bool has_text;              /* a field is a string */
    uint8_t layout;             /* wn__layout */
    uint8_t which;              /* what rows that share code differ in (ops/which.h) */
    uint8_t dims;               /* spatial dimensions, of rows that share fn; else 0 */
    uint16_t layout_of;         /* bit i: tensor field i is named ... */
    uint8_t laid_out;           /* ... and result i is one of those that it is about */
    uint16_t required;          /* bit i: tensor field i must be given */
    const wn__title *titles;    /* NULL: the name, and 0 ... */
    wn__title_of title_of;      /* ... or what this says */
    wn_support *(*fact)(const wn__call *c); /* off which support the result is zero (support/fact.h); NULL: nobody knows */
    wn_status (*infer)(wn__call *c); /* checks the arguments; VIEW: makes the results, KERNEL: says them, and fn fills them (NULL: fn does both) */
    wn_status (*fn)(wn__call *c);
    wn__builder grad;           /* NULL: not differentiable */
    uint16_t diff;              /* bit i: tensor field i has a derivative */
    uint16_t save_in[12];       /* for the gradient of tensor field i: tensor fields to save (bit mask) ... */
    uint8_t save_out[12];       /* ... and results to save */
    /* pointwise */
    wn__types types;
    int noperands;              /* operands of the kernel: fields in this order */
    uint8_t operands[6];
    uint8_t bool_operands;      /* bit i: operand i is a mask (bool, takes no part in promotion) */
    uint8_t plain_operands;     /* bit i: operand i is a Scalar that takes no part in promotion */
    uint8_t fuse;               /* wn__fuse */
    uint8_t nshorter;
    const wn__shorter *shorter;
    bool selecting;             /* it chooses by operand selects[0], a mask, operand selects[1] where that is true, selects[2] where false */
    uint8_t selects[3];
    uint8_t zero;               /* WN__ZERO_KEEPS ... */
    uint16_t cost;              /* of an element in a program, tenths of ns, roughly */
    int kernel, unit_kernel;    /* rows of the kernel table; unit: used when unit_field is 1 (-1: none) */
    int unit_field;
    uint8_t small_n;            /* tensor operands, when the row has the short way of call/small.c; else 0 */
    uint8_t small_values;       /* bit i: operand i is a wn_val */
    uint16_t small_dtypes;      /* bit d: dtype d is in register form for the row's kernels */
    uint16_t small_offset[4], small_unit; /* of the operands and of the unit number in the args struct */
};
extern const struct wn_op wn__ops[];
extern const char *const wn__moves_texts[];
extern const int wn__nops, wn__selecting_kernel; /* ...: of the row that selects among its operands 0 1 2, as those with .selects do in another order */
#endif
