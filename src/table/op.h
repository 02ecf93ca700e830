/* An operation at run time, and the values that rows' attributes can have. tools/wngen makes the table from src/ops. */
#ifndef WN_TABLE_OP_H
#define WN_TABLE_OP_H
#include "base/api.h"

typedef struct wn__call wn__call;

typedef enum wn__class {
    WN__POINTWISE, /* a program of one instruction over broadcast operands (call/pointwise.c) */
    WN__VIEW,      /* infer makes handles on the storage of the first argument */
    WN__KERNEL,    /* infer declares the results (wn__result), fn fills them */
    WN__COMPOSITE  /* fn calls other operations; autograd records those, not this one */
} wn__class;

enum { /* row flags */
    WN__F_INPLACE = 1,        /* has a form with trailing _ */
    WN__F_NODIFF = 2,         /* floating result without derivative, on purpose */
    WN__F_RANDOM = 4,
    WN__F_MAY_RAISE = 8,      /* some values are errors: never deferred */
    WN__F_MUTATES = 64,       /* writes an argument (Tensor(a!) in the signature) */
    WN__F_DATA_DEPENDENT = 128, /* the result's shape depends on values */
    WN__F_INPLACE_ONLY = 256, /* only the form with trailing _ exists */
    WN__F_NO_OUT = 512,       /* has no out= form */
    WN__F_OUT_EXACT = 8192,   /* out= must have the result's dtype */
    WN__F_WAITS = 4096,       /* KERNEL, a product: may stay pending and later hand finished pieces to c->sink */
    WN__F_LAZY = 2048,        /* KERNEL: fn itself handles pending operands */
    WN__F_SHARES = 16384,     /* fn itself handles inputs that share memory with the target */
    WN__F_ONE_VALUE = 32768,  /* all elements get the same value: a target may overlap itself (call/fill.c) */
    WN__F_NUMBERS_FIT = 65536, /* POINTWISE: a number that an integer dtype cannot hold is an error; else it wraps */
    WN__F_TITLED = 131072,    /* COMPOSITE: nodes of its results have its name, where torch has one operation */
    WN__F_NO_BOOL = 262144, /* types = NUMBER: no operand may be bool, whatever it is promoted to */
    WN__F_ELEMENTS = 524288, /* POINTWISE: numbers outside promotion become elements: f16 and bf16 must hold them */
    WN__F_LIKE = 1 << 20,     /* a factory that takes shape and dtype from a tensor */
    WN__F_UNSET = 1 << 21,    /* the result's elements are left unset: out= keeps its elements and its dtype */
    WN__F_SIZE_ROUNDS = 1 << 22, /* rounding decides the result's size: torch warns of an out= of another size */
    WN__F_MIXES = 1 << 23,       /* operands may be on two devices */
    WN__F_SOMETIMES = 1 << 24,   /* DATA_DEPENDENT only through masks; on the meta device .infer handles them */
    WN__F_VALUES = 1 << 25,      /* COMPOSITE: reads values, or calls a row that does: fails on the meta device */
    WN__F_STEPS = 1 << 26,       /* COMPOSITE, in place on tensors, one by one: a failure leaves some changed */
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

/* What autocast does with a row's floating tensors other than f64 (call/autocast.c): torch.autocast on CPU. */
typedef enum wn__policy {
    WN__AUTOCAST_KEEP = 1, /* nothing */
    WN__AUTOCAST_NARROW,   /* to autocast's dtype */
    WN__AUTOCAST_FLOAT32,
    WN__AUTOCAST_WIDEST    /* to the widest among them and autocast's dtype */
} wn__policy;

/* How an input's gradient depends on the cotangent's elements, of which some may be absent (grad/support.h). */
typedef enum wn__moves {
    WN__MOVES_UNSAID,   /* unknown: cotangents are made dense, with zeros for what is absent */
    WN__MOVES_NOT,      /* in none of these ways, although its gradient reads only cotangents: made dense */
    WN__MOVES_STRAIGHT, /* each element depends on the cotangent's at the same place (all POINTWISE rows) */
    WN__MOVES_ONE,      /* each is a multiple of one element of the cotangent */
    WN__MOVES_SOME,     /* each is a sum of any number of its elements, with positive factors; of none: zero */
    WN__MOVES_PRODUCT,  /* each is a sum of its elements times elements of the one tensor that the gradient reads */
    WN__MOVES_LINES,    /* each depends on the cotangent along its line, and on the input there (.lines) */
    WN__MOVES_OWN       /* not for rows: the class of nodes knows (grad/tape.h) */
} wn__moves;

/* Whether a zero operand gives a zero (.zero in table/row.h); 0: the row does not say. */
enum {
    WN__ZERO_NOT = WN__MOVES_NOT,
    WN__ZERO_KEEPS, /* a zero of the first tensor gives a zero, if no other operand prevents it (0 / 0, 0 * inf) */
    WN__ZERO_MEETS, /* a zero of any tensor does, under the same condition */
    WN__ZERO_PICKS  /* wngen's name for KEEPS, in a row that only picks elements (.support): unconditional */
};

/* How a row's results lie in memory when it has no target (call/layout.h). */
typedef enum wn__layout {
    WN__LAYOUT_OWN,     /* as its function makes them; POINTWISE: as PyTorch's TensorIterator orders dimensions */
    WN__LAYOUT_PLAIN,   /* row by row, whatever the arguments do */
    WN__LAYOUT_FORMAT,  /* channels last if one of the named arguments is */
    WN__LAYOUT_FORMATS, /* channels last if all tensors of the named list are */
    WN__LAYOUT_KEPT,    /* as the named argument, which has the same shape */
    WN__LAYOUT_COLUMNS, /* each matrix column by column, as LAPACK's */
    WN__LAYOUT_DENSE,   /* channels last if the named argument is, unless it is row-major as well: batch norm */
    WN__LAYOUT_LINES    /* [N, C, L] with channels innermost if the named argument, as [N, C, 1, L], is channels last */
} wn__layout;

/* What defer/build.c can join a row with; wngen finds it in the row's expression. */
typedef enum wn__fuse {
    WN__FUSE_NOT,
    WN__FUSE_ADD,      /* a sum: joins a product on either side by its form with a number, a + b * c */
    WN__FUSE_SUBTRACT, /* a difference: joins a product on the right, a - b * c */
    WN__FUSE_MULTIPLY, /* that product */
    WN__FUSE_EQ,       /* a comparison: joins the selection by it in one step */
    WN__FUSE_NE,
    WN__FUSE_LT,
    WN__FUSE_LE,
    WN__FUSE_GT,
    WN__FUSE_GE
} wn__fuse;

/* An entry of a row's .shorter: with this number as its last operand it runs this kernel on the other operands. */
typedef struct wn__shorter {
    double number;
    int kernel;
} wn__shorter;

/* What a gradient builder sees. The builder runs inside a scope and returns borrowed tensors. */
typedef struct wn__gradctx {
    const void *args;   /* the call's args, with the saved tensors in place (others NULL) */
    wn_tensor **g;      /* cotangents of the results; NULL: absent (zero) */
    wn_tensor **y;      /* saved results (NULL where not saved) */
    uint64_t need;      /* bit i: gradient of tensor input i (flattened) is wanted */
    wn_tensor **gin;    /* out: gradient of tensor input i; NULL: none */
    int nin;
    const struct wn__edge *edges; /* shape and dtype of input i */
    const struct wn_node *node;
    struct wn__given *given; /* out: where gin[i] exists (grad/support.h); NULL: not asked */
    wn_tensor *lines;   /* rows with .lines: mask of the lines that have a cotangent, by input; NULL: all */
} wn__gradctx;
typedef void (*wn__builder)(wn__gradctx *c);

/* A name that torch gives a row's nodes. Of several, the first applies whose argument is given and no plain number or,
 * if `plain`, is a number or left out. */
typedef struct wn__title {
    const char *name;   /* NULL: derived from the row's name */
    const char *end;    /* "Backward1" */
    int8_t field;       /* the argument; -1: no condition, the last entry */
    bool plain;
} wn__title;
typedef int (*wn__title_of)(const struct wn_node *n, char *buf, size_t cap); /* writes it as snprintf does */

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
    uint8_t moves_text;         /* index in wn__moves_texts of the row's .product or .lines (table/row.h) */
    uint8_t ntensors;           /* number of fields that hold tensors (Tensor, Tensor[], Value) */
    uint8_t tensors[12];        /* the indices of those fields */
    uint8_t ngiven;             /* fields with numbers, which dispatch checks before the row's functions do */
    uint8_t given[10];          /* the indices of those fields */
    bool has_list;              /* a field is a Tensor[] */
    bool has_text;              /* a field is a string */
    uint8_t layout;             /* wn__layout */
    uint8_t which;              /* the constant in which rows that share code differ (ops/which.h) */
    uint8_t dims;               /* number of spatial dimensions, of rows that share fn; else 0 */
    uint16_t layout_of;         /* bit i: .layout names tensor field i */
    uint8_t laid_out;           /* bit i: .layout is about result i */
    uint16_t required;          /* bit i: tensor field i must be given */
    const wn__title *titles;    /* NULL: the row's name and 0, or what title_of writes */
    wn__title_of title_of;      /* NULL: none */
    wn_support *(*fact)(const wn__call *c); /* the result is zero off this support (support/fact.h); NULL: unknown */
    wn_status (*infer)(wn__call *c); /* checks the arguments; VIEW: makes the results; KERNEL: declares them */
    wn_status (*fn)(wn__call *c);
    wn__builder grad;           /* NULL: not differentiable */
    uint16_t diff;              /* bit i: tensor field i has a derivative */
    uint16_t save_in[12];       /* bit mask of tensor fields to save for the gradient of tensor field i */
    uint8_t save_out[12];       /* bit mask of results to save for it */
    /* pointwise */
    wn__types types;
    int noperands;              /* operands of the kernel; `operands` has their fields, in order */
    uint8_t operands[6];
    uint8_t bool_operands;      /* bit i: operand i is a bool mask, outside promotion */
    uint8_t plain_operands;     /* bit i: operand i is a Scalar outside promotion */
    uint8_t fuse;               /* wn__fuse */
    uint8_t nshorter;
    const wn__shorter *shorter;
    bool selecting;             /* where operand selects[0], a mask, is true: operand selects[1]; else selects[2] */
    uint8_t selects[3];
    uint8_t zero;               /* WN__ZERO_KEEPS ... */
    uint16_t cost;              /* of an element in a program, tenths of ns, roughly */
    int kernel, unit_kernel;    /* indices of kernels; unit_kernel: for when unit_field is 1 (-1: none) */
    int unit_field;
    uint8_t small_n;            /* number of tensor operands, if the row has the short form of call/small.c; else 0 */
    uint8_t small_values;       /* bit i: operand i is a wn_val */
    uint16_t small_dtypes;      /* bit d: the row's kernels compute in dtype d itself */
    uint16_t small_offset[4], small_unit; /* offsets in the args struct of operands and of the unit number */
};
extern const struct wn_op wn__ops[];
extern const char *const wn__moves_texts[];
/* wn__selecting_kernel: of the row whose .selects are 0 1 2; others with .selects take them in another order. */
extern const int wn__nops, wn__selecting_kernel;
#endif
