/* math/linalg/lapack.c - real matrices, to LAPACK and back.
 *
 * LAPACK is column-major: a row-major matrix is its own transpose there. Where a factorization of
 * the transpose is equivalent, the copy is not transposed.
 */
#include "math/linalg/lapack.h"
#include "base/arith.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/dl.h"
#include "base/mem.h"
#include "base/room.h"

/* Rows from which LAPACK is faster than the reference. Measured with LAPACK 3.11 over the reference
 * BLAS, the slowest one: at 64 (256) rows the reference is slower by these factors:
 *   eigenvalues 15 (52) symmetric, 2.3 (2.8) any; singular values 11 (48);
 *   QR 3.1 (3.6), LU 1.8 (1.5), Cholesky 1.1 (1.8). */
enum { LEAST_EIGEN = 16, LEAST_QR = 16, LEAST_LU = 32, LEAST_CHOLESKY = 64, MOST = 1 << 15 };

/* Lengths of character arguments follow the others, as Fortran passes them. */
static struct {
    void (*dgetrf)(const int *m, const int *n, double *a, const int *lda, int *pivots, int *info);
    void (*dpotrf)(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t);
    void (*dgeqrf)(const int *m, const int *n, double *a, const int *lda, double *tau, double *work,
                   const int *lwork, int *info);
    void (*dorgqr)(const int *m, const int *n, const int *k, double *a, const int *lda,
                   const double *tau, double *work, const int *lwork, int *info);
    void (*dsyevd)(const char *jobz, const char *uplo, const int *n, double *a, const int *lda,
                   double *w, double *work, const int *lwork, int *iwork, const int *liwork,
                   int *info, size_t, size_t);
    void (*dgesdd)(const char *jobz, const int *m, const int *n, double *a, const int *lda,
                   double *s, double *u, const int *ldu, double *vt, const int *ldvt, double *work,
                   const int *lwork, int *iwork, int *info, size_t);
    void (*dgeev)(const char *jobvl, const char *jobvr, const int *n, double *a, const int *lda,
                  double *wr, double *wi, double *vl, const int *ldvl, double *vr, const int *ldvr,
                  double *work, const int *lwork, int *info, size_t, size_t);
} lib;
static bool lib_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void)
{
    static const char *const names[] = {"liblapack.so.3", "libopenblas.so.0", NULL};
    static const weir_dl_symbol symbols[] = {
        {"dgetrf_", (void **)&lib.dgetrf}, {"dpotrf_", (void **)&lib.dpotrf},
        {"dgeqrf_", (void **)&lib.dgeqrf}, {"dorgqr_", (void **)&lib.dorgqr},
        {"dsyevd_", (void **)&lib.dsyevd}, {"dgesdd_", (void **)&lib.dgesdd},
        {"dgeev_", (void **)&lib.dgeev},
    };
    lib_loaded = weir_dl_open(names, symbols, sizeof symbols / sizeof *symbols);
}

static bool is_ready(int64_t rows, int64_t columns, int64_t least)
{
    if (rows < least || columns < least || rows > MOST || columns > MOST)
        return false;
    pthread_once(&once, load);
    return lib_loaded;
}

/* Whether there may be so many numbers of workspace: it is not counted, but no larger than the
 * limit. If not, the op ends with RESOURCE_EXHAUSTED, and the caller returns as if it had a result.
 */
static bool has_room(int64_t numbers)
{
    size_t bytes = (size_t)numbers * sizeof(double), most = weir_room_limit();
    return !most || bytes <= most || weir_room_grants(bytes);
}

/* A copy of the real m x n matrix |a|, transposed or not, in an array with room for |room| numbers,
 * for weir_free; null when it has imaginary parts or elements that are not finite. */
static double *copy_real(int64_t m, int64_t n, const weir_c128 *a, bool transpose, int64_t room)
{
    for (int64_t i = 0; i < m * n; i++)
        if (cimag(a[i]) != 0 || !isfinite(creal(a[i])))
            return NULL;
    double *out = WEIR_NEW_ARRAY(double, room);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++)
            out[transpose ? j * m + i : i * n + j] = creal(a[i * n + j]);
    return out;
}

/* The column-major m x n matrix |from| as a row-major one. */
static void store_transposed(int64_t m, int64_t n, const double *from, weir_c128 *to)
{
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++)
            to[i * n + j] = from[j * m + i];
}

/* ---- triangular factors ---------------------------------------------------------------------- */

bool weir_lapack_lu(int64_t n, weir_c128 *a, int64_t *perm, int *sign, bool *out_regular)
{
    bool ready = is_ready(n, n, LEAST_LU);
    *sign = 1;
    *out_regular = true;
    for (int64_t i = 0; i < n; i++)
        perm[i] = i;
    if (ready && !has_room(n * n))
        return true;
    double *lu = ready ? copy_real(n, n, a, true, n * n) : NULL;
    if (!lu)
        return false;
    int size = (int)n, info, *pivots = WEIR_NEW_ARRAY(int, n);
    lib.dgetrf(&size, &size, lu, &size, pivots, &info);
    for (int64_t i = 0; i < n; i++) {
        int64_t other = pivots[i] - 1, row = perm[i];
        perm[i] = perm[other];
        perm[other] = row;
        *sign = other == i ? *sign : -*sign;
    }
    store_transposed(n, n, lu, a);
    *out_regular = info == 0;
    weir_free(pivots);
    weir_free(lu);
    return true;
}

bool weir_lapack_cholesky(int64_t n, weir_c128 *a)
{
    bool ready = is_ready(n, n, LEAST_CHOLESKY);
    if (ready && !has_room(n * n))
        return true;
    double *factor = ready ? copy_real(n, n, a, false, n * n) : NULL;
    if (!factor)
        return false;
    int size = (int)n, info;
    lib.dpotrf("U", &size, factor, &size, &info, 1); /* the row-major lower triangle */
    for (int64_t i = 0; info == 0 && i < n * n; i++)
        a[i] = i % n <= i / n ? factor[i] : 0;
    weir_free(factor);
    return info == 0;
}

/* ---- orthogonal factors ---------------------------------------------------------------------- */

/* Stores r into a, and the product of the reflections in |factor| as q. False when LAPACK fails. */
static bool expand_qr(int m, int n, double *factor, double *tau, weir_c128 *a, weir_c128 *q)
{
    int reflections = (int)weir_min(m, n), query = -1, info;
    double length;
    lib.dorgqr(&m, &m, &reflections, factor, &m, tau, &length, &query, &info);
    double *r = WEIR_NEW_ARRAY(double, (int64_t)m *n);
    memcpy(r, factor, sizeof *r * (size_t)m * (size_t)n);
    int lwork = (int)length;
    double *work = WEIR_NEW_ARRAY(double, lwork);
    lib.dorgqr(&m, &m, &reflections, factor, &m, tau, work, &lwork, &info);
    if (info == 0) {
        for (int64_t i = 0; i < m; i++)
            for (int64_t j = 0; j < n; j++)
                a[i * n + j] = j < i ? 0 : r[j * m + i];
        store_transposed(m, m, factor, q);
    }
    weir_free(work);
    weir_free(r);
    return info == 0;
}

bool weir_lapack_qr(int64_t m, int64_t n, weir_c128 *a, weir_c128 *q)
{
    int64_t wide = weir_max(m, n);
    bool ready = is_ready(m, n, LEAST_QR);
    if (ready && !has_room(m * (wide + n)))
        return true;
    double *factor = ready ? copy_real(m, n, a, true, m * wide) : NULL;
    if (!factor)
        return false;
    int rows = (int)m, columns = (int)n, query = -1, info;
    double length, *tau = WEIR_NEW_ARRAY(double, wide);
    lib.dgeqrf(&rows, &columns, factor, &rows, tau, &length, &query, &info);
    int lwork = (int)length;
    double *work = WEIR_NEW_ARRAY(double, lwork);
    lib.dgeqrf(&rows, &columns, factor, &rows, tau, work, &lwork, &info);
    bool done = info == 0 && expand_qr(rows, columns, factor, tau, a, q);
    weir_free(work);
    weir_free(tau);
    weir_free(factor);
    return done;
}

/* ---- eigenvalues and singular values --------------------------------------------------------- */

bool weir_lapack_hermitian_eigen(int64_t n, weir_c128 *a, double *w, weir_c128 *v)
{
    bool ready = is_ready(n, n, LEAST_EIGEN);
    if (ready && !has_room(3 * n * n))
        return true;
    double *vectors = ready ? copy_real(n, n, a, false, n * n) : NULL;
    if (!vectors)
        return false;
    int size = (int)n, query = -1, liwork, info;
    double length;
    lib.dsyevd("V", "U", &size, vectors, &size, w, &length, &query, &liwork, &query, &info, 1, 1);
    int lwork = (int)length, *iwork = WEIR_NEW_ARRAY(int, liwork);
    double *work = WEIR_NEW_ARRAY(double, lwork);
    lib.dsyevd("V", "U", &size, vectors, &size, w, work, &lwork, iwork, &liwork, &info, 1, 1);
    if (info == 0)
        store_transposed(n, n, vectors, v);
    weir_free(work);
    weir_free(iwork);
    weir_free(vectors);
    return info == 0;
}

/* The transpose has the factors v s u^T, so that u^T column-major is u row-major. */
bool weir_lapack_svd(int64_t m, int64_t n, weir_c128 *a, double *s, weir_c128 *v)
{
    bool ready = is_ready(m, n, LEAST_EIGEN);
    if (ready && !has_room(2 * m * n + 5 * n * n))
        return true;
    double *x = ready ? copy_real(m, n, a, false, m * n) : NULL;
    if (!x)
        return false;
    int rows = (int)n, columns = (int)m, query = -1, info, *iwork = WEIR_NEW_ARRAY(int, 8 * n);
    double length, *left = WEIR_NEW_ARRAY(double, n *n), *right = WEIR_NEW_ARRAY(double, n *m);
    lib.dgesdd("S", &rows, &columns, x, &rows, s, left, &rows, right, &rows, &length, &query, iwork,
               &info, 1);
    int lwork = (int)length;
    double *work = WEIR_NEW_ARRAY(double, lwork);
    lib.dgesdd("S", &rows, &columns, x, &rows, s, left, &rows, right, &rows, work, &lwork, iwork,
               &info, 1);
    for (int64_t i = 0; info == 0 && i < m * n; i++)
        a[i] = right[i];
    if (info == 0)
        store_transposed(n, n, left, v);
    void *owned[] = {x, iwork, left, right, work};
    for (int k = 0; k < 5; k++)
        weir_free(owned[k]);
    return info == 0;
}

/* Vectors of conjugate pairs are a column of real and one of imaginary parts. Left vectors of the
 * transpose are the conjugates of the right ones. */
static void store_eigen(int64_t n, const double *re, const double *im, const double *left,
                        weir_c128 *w, weir_c128 *v)
{
    for (int64_t k = 0; k < n; k++) {
        bool second = im[k] < 0;
        const double *real = left + (second ? k - 1 : k) * n, *imag = real + n;
        w[k] = CMPLX(re[k], im[k]);
        for (int64_t i = 0; i < n; i++)
            v[i * n + k] = CMPLX(real[i], im[k] == 0 ? 0 : second ? imag[i] : -imag[i]);
    }
}

bool weir_lapack_eigen(int64_t n, weir_c128 *a, weir_c128 *w, weir_c128 *v)
{
    bool ready = is_ready(n, n, LEAST_EIGEN);
    if (ready && !has_room(2 * n * n))
        return true;
    double *x = ready ? copy_real(n, n, a, false, n * n) : NULL;
    if (!x)
        return false;
    int size = (int)n, query = -1, info;
    double length, *values = WEIR_NEW_ARRAY(double, 2 * n), *left = WEIR_NEW_ARRAY(double, n *n);
    lib.dgeev("V", "N", &size, x, &size, values, values + n, left, &size, NULL, &size, &length,
              &query, &info, 1, 1);
    int lwork = (int)length;
    double *work = WEIR_NEW_ARRAY(double, lwork);
    lib.dgeev("V", "N", &size, x, &size, values, values + n, left, &size, NULL, &size, work, &lwork,
              &info, 1, 1);
    if (info == 0)
        store_eigen(n, values, values + n, left, w, v);
    weir_free(work);
    weir_free(left);
    weir_free(values);
    weir_free(x);
    return info == 0;
}
