/* A decision tree, written by octgen. C99 or C++; standard library only.
 *
 * octgen_predict returns the class of a row as an index of octgen_classes, or -1 where
 * the row has none: a number or text is missing and nothing stands for it, a number
 * is not finite, or a text is unknown. Texts are compared byte by byte, without
 * blanks around them. */
#include <float.h>
#include <string.h>

#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0
#error "sums must be rounded to double: compile with -msse2 -mfpmath=sse"
#endif
#ifdef __FAST_MATH__
#error "missing numbers are NaN, which -ffast-math does away with: compile without it"
#endif

struct octgen_row {
    double age; /* "age": number, NaN where missing */
    const char *the_colour; /* "the \"colour\"": text, NULL or "" where missing */
};

const int octgen_class_count = 2;
const char *const octgen_classes[] = {"</script>", "it's"};

static const int octgen_leaf_class[] = {0, 0, 1, 1};
static const double octgen_leaf_share[][2] = {
    {1.0, 0.0},
    {0.3333333333333333, 0.6666666666666666},
    {0.0, 1.0},
    {0.0, 1.0},
};

struct octgen_text {
    const char *text;
    int category;
};

static const struct octgen_text octgen_texts1[] = {
    {"blue", 0},
    {"it's", 1},
    {"red", 2},
    {"", 3},
    {"\?", 3},
    {"N/A", 3},
    {"NA", 3},
    {"NULL", 3},
    {"NaN", 3},
    {"n/a", 3},
    {"nan", 3},
    {"null", 3},
};

static int octgen_category(const char *text, const struct octgen_text *texts, int n, int unknown) {
    int i;
    if (text == NULL) text = "";
    for (i = 0; i < n; i++) {
        if (strcmp(text, texts[i].text) == 0) return texts[i].category;
    }
    return unknown;
}

/* Rounded to double before it is added: no compiler may fuse it with the sum. */
static double octgen_product(double weight, double value) {
    volatile double rounded = weight * value;
    return rounded;
}

static int octgen_leaf(const struct octgen_row *row) {
    double x0 = row->age;
    const int m0 = x0 != x0;
    const int c1 = octgen_category(row->the_colour, octgen_texts1, 12, -2);
    if (x0 != x0) x0 = 2.8333333333333335;
    if (!(x0 >= -1e+300 && x0 <= 1e+300)) return -1;
    if (c1 == -2) return -1;
    if (x0 < 0.30000000000000004) {
        return 0;
    }
    if (c1 != 0) {
        if (octgen_product(-0.1, x0) + octgen_product(2.0, (double)(m0)) + octgen_product(1.0, (double)(c1 == 2)) < 0.3333333333333333) {
            return 1;
        }
        return 2;
    }
    return 3;
}

int octgen_predict(const struct octgen_row *row) {
    const int at = octgen_leaf(row);
    return at < 0 ? -1 : octgen_leaf_class[at];
}

/* The share of each class in the training weight of the row's leaf; NULL where the row
 * has no class. */
const double *octgen_shares(const struct octgen_row *row) {
    const int at = octgen_leaf(row);
    return at < 0 ? NULL : octgen_leaf_share[at];
}
