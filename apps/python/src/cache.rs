//! What a pair keeps from question to question.

use std::sync::{Mutex, MutexGuard, TryLockError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use zerogap::proximity::lmd::QuasiWork;
use zerogap::{ContactCache, PairCache};

/// What :func:`distance` keeps of a pair of shapes from one question to the next: it saves time where they move little, and never changes the
/// answer (but ``iterations``). One cache per pair.
///
/// >>> import zerogap as zg
/// >>> gear, cache = zg.hull(zg.parts.gear()), zg.PairCache()
/// >>> gaps = [zg.distance(gear, gear, pose_b=zg.pose(xyz=(0.05, 0, 1e-4 * k)), cache=cache).gap for k in range(10)]
/// >>> gaps[9] == zg.distance(gear, gear, pose_b=zg.pose(xyz=(0.05, 0, 9e-4))).gap
/// True
#[pyclass(name = "PairCache", module = "zerogap", frozen)]
pub(crate) struct PyPairCache {
    kept: Kept<PairCache>,
}

#[pymethods]
impl PyPairCache {
    #[new]
    fn new() -> Self {
        Self { kept: Kept::default() }
    }

    /// Forgets all about the pair.
    fn clear(&self) -> PyResult<()> {
        self.kept.forget()
    }
}

impl AsRef<Kept<PairCache>> for PyPairCache {
    fn as_ref(&self) -> &Kept<PairCache> {
        &self.kept
    }
}

/// What :func:`contacts` keeps of a pair of shapes from one question to the next: it saves time where they move little, and keeps the normal where
/// several would do. It never changes the gap of the shapes. Of two :class:`Complex` it keeps the lists of faces that may meet and how far apart they were, which saves the test for complexes that
/// intersect where they move little. One cache per pair.
///
/// >>> import zerogap as zg
/// >>> cube, cache = zg.box(size=(1, 1, 1)), zg.ContactCache()
/// >>> [len(zg.contacts(cube, cube, pose_b=zg.pose(xyz=(0.1 * k, 0, 1)), cache=cache)) for k in range(3)]
/// [4, 4, 4]
#[pyclass(name = "ContactCache", module = "zerogap", frozen)]
pub(crate) struct PyContactCache {
    kept: Kept<ContactCache>,
    /// Of two complexes.
    quasi: Kept<QuasiWork>,
}

#[pymethods]
impl PyContactCache {
    #[new]
    fn new() -> Self {
        Self { kept: Kept::default(), quasi: Kept::default() }
    }

    /// Forgets all about the pair.
    fn clear(&self) -> PyResult<()> {
        self.kept.forget()?;
        self.quasi.forget()
    }
}

impl PyContactCache {
    /// What is kept of two complexes.
    pub(crate) fn quasi(&self) -> &Kept<QuasiWork> {
        &self.quasi
    }
}

impl AsRef<Kept<ContactCache>> for PyContactCache {
    fn as_ref(&self) -> &Kept<ContactCache> {
        &self.kept
    }
}

/// A cache that serves one question at a time.
#[derive(Default)]
pub(crate) struct Kept<T>(Mutex<T>);

impl<T: Default> Kept<T> {
    /// Runs a query with the cache; a query that fails leaves it empty, because the cached data may be invalid.
    pub(crate) fn ask<R>(&self, question: impl FnOnce(&mut T) -> PyResult<R>) -> PyResult<R> {
        let mut cache = self.lock()?;
        let answer = question(&mut cache);
        if answer.is_err() {
            *cache = T::default();
        }
        answer
    }

    fn forget(&self) -> PyResult<()> {
        *self.lock()? = T::default();
        Ok(())
    }

    /// Never waits: another thread may want Python meanwhile, and a support function in Python may ask with the same cache.
    fn lock(&self) -> PyResult<MutexGuard<'_, T>> {
        match self.0.try_lock() {
            Ok(cache) => Ok(cache),
            Err(TryLockError::Poisoned(poisoned)) => {
                let mut cache = poisoned.into_inner();
                *cache = T::default();
                self.0.clear_poison();
                Ok(cache)
            }
            Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err(
                "the cache is in use by another question: take one cache per pair",
            )),
        }
    }
}
