//! Values as bytes and back, bit by bit: for states sent to another process.
//!
//! In: a value. Out: its bytes, little-endian and without names, which the same version reads back. [`store_struct!`] and [`store_enum!`] list the fields of a type beside its
//! definition: a field that is added there and not in the list does not compile, so that no state is lost silently.
//!
//! Bytes may have been made by anyone. Reading checks every length against the bytes that are left and bounds the depth of values within values; a type whose fields must agree with each
//! other is checked as its constructor checks it (`check` in [`store_struct!`]). Damaged bytes give an error or a valid value, never a panic.

use std::collections::BTreeMap;
use std::sync::Arc;

use nalgebra::{SVector, UnitQuaternion};

use crate::contact::{ContactId, Feature};
use crate::{Aabb, Gap, GapStatus, Mat3, NormalKind, Pose, Vec3};

/// Errors of storing a value or reading it back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The bytes are not those of the value.
    #[error("the bytes are damaged or of another version: no {what} stands at byte {at}")]
    Damaged {
        /// What was expected.
        what: &'static str,
        /// Bytes that were read before [B].
        at: usize,
    },
    /// The bytes describe a value that cannot exist.
    #[error("the bytes are damaged or of another version: the {what} before byte {at} is invalid: {why}")]
    Invalid {
        /// The type of the value.
        what: &'static str,
        /// Bytes that were read before and of it [B].
        at: usize,
        /// Message of its constructor.
        why: String,
    },
    /// A part of the value lives in this process alone.
    #[error("{what} cannot be copied to another process")]
    Refused {
        /// The part.
        what: &'static str,
    },
}

/// Takes values one after the other.
#[derive(Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
    refused: Option<&'static str>,
}

impl Writer {
    /// Notes that a part of the value cannot be stored.
    pub fn refuse(&mut self, what: &'static str) {
        self.refused.get_or_insert(what);
    }
}

/// Deepest nesting of values behind pointers and in lists [-]: the deepest that is written has less than ten, and the stack has room for many more.
const MAX_DEPTH: usize = 64;

/// Reads values one after the other.
#[derive(Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    /// Reads from the start of some bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, depth: 0 }
    }

    /// Returns an error that expects something else here.
    pub fn expected(&self, what: &'static str) -> StoreError {
        StoreError::Damaged { what, at: self.at }
    }

    /// Returns an error with the reason why a value that was read is invalid.
    pub fn invalid(&self, what: &'static str, why: &impl ToString) -> StoreError {
        StoreError::Invalid { what, at: self.at, why: why.to_string() }
    }

    /// Reads a value one level deeper; a type that contains itself can only do so behind a pointer or in a list, so that these bound the recursion.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, StoreError>) -> Result<T, StoreError> {
        if self.depth == MAX_DEPTH {
            return Err(self.expected("value of bounded depth"));
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    /// Returns the next bytes.
    pub fn take(&mut self, count: usize, what: &'static str) -> Result<&'a [u8], StoreError> {
        let rest = &self.bytes[self.at..];
        let taken = rest.get(..count).ok_or(self.expected(what))?;
        self.at += count;
        Ok(taken)
    }

    /// Returns how many things follow; each takes at least a byte, so that no more are believed than can be there.
    fn count(&mut self) -> Result<usize, StoreError> {
        let count = u64::take(self)?;
        let left = self.bytes.len() - self.at;
        usize::try_from(count).ok().filter(|count| *count <= left).ok_or(self.expected("count"))
    }
}

/// A value that can be written to bytes and read back with the same bits.
pub trait Store: Sized {
    /// Writes the value.
    fn put(&self, out: &mut Writer);
    /// Reads a value.
    fn take(from: &mut Reader<'_>) -> Result<Self, StoreError>;
}

/// Returns the bytes of a value.
pub fn to_bytes(value: &impl Store) -> Result<Vec<u8>, StoreError> {
    let mut out = Writer::default();
    value.put(&mut out);
    match out.refused {
        None => Ok(out.bytes),
        Some(what) => Err(StoreError::Refused { what }),
    }
}

/// Returns the value of all of some bytes.
pub fn from_bytes<T: Store>(bytes: &[u8]) -> Result<T, StoreError> {
    let mut from = Reader::new(bytes);
    let value = T::take(&mut from)?;
    if from.at == bytes.len() { Ok(value) } else { Err(from.expected("end")) }
}

/// Lists the fields of a struct, so that it can be stored: `A { x, y }` or `B(x)`; `skip` names those that are made again by `Default`. `check` is a function of what was read that returns an error where no
/// constructor would have made it: every struct whose fields are private and must be in range or agree with each other has one.
#[macro_export]
macro_rules! store_struct {
    ($name:ident($($place:ident),+ $(,)?)) => {
        impl $crate::store::Store for $name {
            fn put(&self, out: &mut $crate::store::Writer) {
                let Self($($place),+) = self;
                $($crate::store::Store::put($place, out);)+
            }

            fn take(from: &mut $crate::store::Reader<'_>) -> Result<Self, $crate::store::StoreError> {
                $(let $place = $crate::store::Store::take(from)?;)+
                Ok(Self($($place),+))
            }
        }
    };
    ($name:ident { $($field:ident),* $(,)? } $(skip { $($skipped:ident),* $(,)? })? $(check $check:expr)?) => {
        impl $crate::store::Store for $name {
            fn put(&self, out: &mut $crate::store::Writer) {
                let Self { $($field,)* $($($skipped: _,)*)? } = self;
                $($crate::store::Store::put($field, out);)*
            }

            fn take(from: &mut $crate::store::Reader<'_>) -> Result<Self, $crate::store::StoreError> {
                let value = Self {
                    $($field: $crate::store::Store::take(from)?,)*
                    $($($skipped: Default::default(),)*)?
                };
                $(
                    let check: fn(&Self) -> Result<_, _> = $check;
                    if let Err(why) = check(&value) {
                        return Err(from.invalid(stringify!($name), &why));
                    }
                )?
                Ok(value)
            }
        }
    };
}

/// Lists the variants of an enum with their fields, so that it can be stored: `A`, `B(x)` or `C { x, y }`.
#[macro_export]
macro_rules! store_enum {
    ($name:ident { $($number:literal => $variant:ident $(($($place:ident),*))? $({ $($field:ident),* $(,)? })?),* $(,)? }) => {
        impl $crate::store::Store for $name {
            fn put(&self, out: &mut $crate::store::Writer) {
                match self {
                    $(Self::$variant $(($($place),*))? $({ $($field),* })? => {
                        $crate::store::Store::put(&{ $number as u8 }, out);
                        $($($crate::store::Store::put($place, out);)*)?
                        $($($crate::store::Store::put($field, out);)*)?
                    })*
                }
            }

            fn take(from: &mut $crate::store::Reader<'_>) -> Result<Self, $crate::store::StoreError> {
                match <u8 as $crate::store::Store>::take(from)? {
                    $($number => {
                        $($(let $place = $crate::store::Store::take(from)?;)*)?
                        $($(let $field = $crate::store::Store::take(from)?;)*)?
                        Ok(Self::$variant $(($($place),*))? $({ $($field),* })?)
                    })*
                    _ => Err(from.expected(stringify!($name))),
                }
            }
        }
    };
}

macro_rules! store_numbers {
    ($($type:ident)*) => {$(
        impl Store for $type {
            fn put(&self, out: &mut Writer) {
                out.bytes.extend_from_slice(&self.to_le_bytes());
            }

            fn take(from: &mut Reader<'_>) -> Result<Self, StoreError> {
                let bytes = from.take(size_of::<Self>(), stringify!($type))?;
                let word = bytes.try_into().map_err(|_| from.expected(stringify!($type)))?;
                Ok(Self::from_le_bytes(word))
            }
        }
    )*};
}

store_numbers!(u8 u32 u64 i32 i64 f64);

impl Store for usize {
    fn put(&self, out: &mut Writer) {
        (*self as u64).put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, StoreError> {
        Self::try_from(u64::take(from)?).map_err(|_| from.expected("usize"))
    }
}

impl Store for bool {
    fn put(&self, out: &mut Writer) {
        out.bytes.push(u8::from(*self));
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, StoreError> {
        match u8::take(from)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(from.expected("bool")),
        }
    }
}

impl Store for String {
    fn put(&self, out: &mut Writer) {
        self.len().put(out);
        out.bytes.extend_from_slice(self.as_bytes());
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, StoreError> {
        let count = from.count()?;
        let bytes = from.take(count, "text")?;
        Self::from_utf8(bytes.to_vec()).map_err(|_| from.expected("text"))
    }
}

impl<T: Store> Store for Vec<T> {
    fn put(&self, out: &mut Writer) {
        self.len().put(out);
        for value in self {
            value.put(out);
        }
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, StoreError> {
        let count = from.count()?;
        from.deeper(|from| (0..count).map(|_| T::take(from)).collect())
    }
}

impl<T: Store> Store for Option<T> {
    fn put(&self, out: &mut Writer) {
        self.is_some().put(out);
        if let Some(value) = self {
            value.put(out);
        }
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, StoreError> {
        bool::take(from)?.then(|| T::take(from)).transpose()
    }
}

impl<T: Store> Store for Box<T> {
    fn put(&self, out: &mut Writer) {
        (**self).put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, StoreError> {
        from.deeper(T::take).map(Self::new)
    }
}

/// A value behind a shared pointer, which may be of a type that is chosen at run time.
pub trait StoreShared {
    /// Writes the value.
    fn put_shared(&self, out: &mut Writer);
    /// Reads a value.
    fn take_shared(from: &mut Reader<'_>) -> Result<Arc<Self>, StoreError>;
}

impl<T: Store> StoreShared for T {
    fn put_shared(&self, out: &mut Writer) {
        self.put(out);
    }

    fn take_shared(from: &mut Reader<'_>) -> Result<Arc<Self>, StoreError> {
        T::take(from).map(Arc::new)
    }
}

impl<T: StoreShared + ?Sized> Store for Arc<T> {
    fn put(&self, out: &mut Writer) {
        (**self).put_shared(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, StoreError> {
        from.deeper(T::take_shared)
    }
}

impl<K: Store + Ord, V: Store> Store for BTreeMap<K, V> {
    fn put(&self, out: &mut Writer) {
        self.len().put(out);
        for (key, value) in self {
            key.put(out);
            value.put(out);
        }
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, StoreError> {
        let count = from.count()?;
        from.deeper(|from| (0..count).map(|_| Ok((K::take(from)?, V::take(from)?))).collect())
    }
}

impl<T: Store, const N: usize> Store for [T; N] {
    fn put(&self, out: &mut Writer) {
        for value in self {
            value.put(out);
        }
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, StoreError> {
        let all: Vec<T> = (0..N).map(|_| T::take(from)).collect::<Result<_, _>>()?;
        all.try_into().map_err(|_| from.expected("array"))
    }
}

impl<A: Store, B: Store> Store for (A, B) {
    fn put(&self, out: &mut Writer) {
        self.0.put(out);
        self.1.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, StoreError> {
        Ok((A::take(from)?, B::take(from)?))
    }
}

impl<A: Store, B: Store, C: Store> Store for (A, B, C) {
    fn put(&self, out: &mut Writer) {
        self.0.put(out);
        self.1.put(out);
        self.2.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, StoreError> {
        Ok((A::take(from)?, B::take(from)?, C::take(from)?))
    }
}

impl<const N: usize> Store for SVector<f64, N> {
    fn put(&self, out: &mut Writer) {
        for x in self.iter() {
            x.put(out);
        }
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, StoreError> {
        <[f64; N]>::take(from).map(Self::from)
    }
}

impl Store for Mat3 {
    fn put(&self, out: &mut Writer) {
        for x in self.iter() {
            x.put(out);
        }
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, StoreError> {
        <[f64; 9]>::take(from).map(|columns| Self::from_column_slice(&columns))
    }
}

impl Store for UnitQuaternion<f64> {
    fn put(&self, out: &mut Writer) {
        for x in self.coords.iter() {
            x.put(out);
        }
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, StoreError> {
        // Not scaled to length one again: that would change bits.
        let xyzw = <[f64; 4]>::take(from)?;
        let pose = Pose::from_stored(Vec3::zeros(), xyzw).map_err(|why| from.invalid("rotation", &why))?;
        Ok(*pose.rotation())
    }
}

impl Store for Feature {
    fn put(&self, out: &mut Writer) {
        self.packed().put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, StoreError> {
        u32::take(from).map(Self::unpacked)
    }
}

store_struct!(Aabb { min, max });
store_struct!(ContactId { a, b });
store_struct!(Gap { gap, lower, upper, normal, normal_kind, point_a, point_b, status, iterations });
store_enum!(NormalKind { 0 => Unique, 1 => Chosen });
store_enum!(GapStatus { 0 => Exact, 1 => Converged, 2 => Farther, 3 => Limited, 4 => LocalDepth, 5 => DepthUnknown });

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct NamedPart {
        name: String,
        at: Vec3,
        kinds: Vec<Kind>,
        scratch: Vec<f64>,
    }

    #[derive(Debug, PartialEq)]
    enum Kind {
        Plain,
        Sized(f64, Option<u32>),
        Named { key: BTreeMap<u32, bool> },
    }

    store_struct!(NamedPart { name, at, kinds } skip { scratch });
    store_enum!(Kind { 0 => Plain, 1 => Sized(size, count), 2 => Named { key } });

    fn part() -> NamedPart {
        let key = BTreeMap::from([(3, true), (7, false)]);
        let kinds = vec![Kind::Plain, Kind::Sized(f64::NEG_INFINITY, Some(4)), Kind::Named { key }];
        NamedPart { name: "é".to_owned(), at: Vec3::new(-0.0, 1e-310, 0.1), kinds, scratch: Vec::new() }
    }

    #[test]
    fn values_come_back_with_the_same_bits() {
        let bytes = to_bytes(&part()).unwrap();
        let back: NamedPart = from_bytes(&bytes).unwrap();
        assert_eq!(back, part());
        assert_eq!(to_bytes(&back).unwrap(), bytes);
        let nan = f64::from_bits(0x7ff8_0000_0000_1234);
        assert_eq!(from_bytes::<f64>(&to_bytes(&nan).unwrap()).unwrap().to_bits(), nan.to_bits());
    }

    #[test]
    fn damaged_bytes_are_refused_with_their_place() {
        let bytes = to_bytes(&part()).unwrap();
        for length in 0..bytes.len() {
            assert!(from_bytes::<NamedPart>(&bytes[..length]).is_err(), "{length}");
        }
        assert_eq!(from_bytes::<bool>(&[2]), Err(StoreError::Damaged { what: "bool", at: 1 }));
        assert_eq!(from_bytes::<bool>(&[1, 1]), Err(StoreError::Damaged { what: "end", at: 1 }));
        // A count beyond the bytes is not believed, and takes no memory.
        assert!(from_bytes::<Vec<f64>>(&[255; 8]).is_err());
    }

    #[derive(Debug)]
    struct Even {
        half: u32,
        whole: u32,
    }

    store_struct!(Even { half, whole } check |even| if even.half.checked_mul(2) == Some(even.whole) { Ok(()) } else { Err("not twice the half") });

    #[test]
    fn fields_that_do_not_agree_are_refused_with_the_reason() {
        let bytes = to_bytes(&Even { half: 3, whole: 6 }).unwrap();
        assert_eq!(from_bytes::<Even>(&bytes).unwrap().whole, 6);
        let error = from_bytes::<Even>(&[3, 0, 0, 0, 7, 0, 0, 0]).unwrap_err();
        assert_eq!(error, StoreError::Invalid { what: "Even", at: 8, why: "not twice the half".to_owned() });
        assert!(from_bytes::<UnitQuaternion<f64>>(&[0; 32]).is_err());
    }

    #[derive(Debug, PartialEq)]
    struct Span(f64, u32);

    store_struct!(Span(start, count));

    #[test]
    fn fields_without_names_come_back_in_their_order() {
        let bytes = to_bytes(&Span(-0.0, 7)).unwrap();
        assert_eq!(bytes.len(), 12);
        assert_eq!(from_bytes::<Span>(&bytes).unwrap(), Span(-0.0, 7));
    }

    #[derive(Debug)]
    enum Chain {
        End,
        Link(Box<Chain>),
    }

    store_enum!(Chain { 0 => End, 1 => Link(next) });

    #[test]
    fn values_within_values_are_read_to_a_bounded_depth() {
        let chain = |links: usize| [vec![1; links], vec![0]].concat();
        assert!(from_bytes::<Chain>(&chain(MAX_DEPTH)).is_ok());
        let error = from_bytes::<Chain>(&chain(10_000_000)).unwrap_err();
        assert_eq!(error, StoreError::Damaged { what: "value of bounded depth", at: MAX_DEPTH + 1 });
    }
}
