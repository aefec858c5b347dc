"""scipy's sparse matrices, for counts by class, level and mistake.

If scipy is missing, the import error names the extra to install.
"""

from hiermeasures.hierarchy.extras import require

require("compare", "counting by class, level or mistake", "scipy")

from scipy import sparse  # noqa: E402
from scipy.sparse import csr_array  # noqa: E402
from scipy.sparse.linalg import spsolve_triangular  # noqa: E402

__all__ = ["csr_array", "sparse", "spsolve_triangular"]
