//! The numbers that glTF accessors point at, with every bound checked.
//!
//! In: the document and its buffers. Out: positions and indices. Nothing is believed: offsets, lengths, strides and types are
//! compared with the bytes that exist before a value is read or room is made for it.

use std::borrow::Cow;

use super::base64;
use super::error::{Fault, ImportErrorKind as Kind, Parsed, ReaderPlace};
use super::gltf_json::{Accessor, Root};

/// Finds the content of an external buffer: its address and the number of bytes that are wanted.
pub(super) type Load<'l> = dyn FnMut(&str, u64) -> std::io::Result<Vec<u8>> + 'l;

/// A fault at a value of the document.
pub(super) fn fault_at(kind: Kind, item: impl Into<String>, message: impl Into<String>) -> Fault {
    Fault::new(kind, ReaderPlace::Item(item.into()), message)
}

/// The entry that an index of the document names.
pub(super) fn entry<'a, T>(list: &'a [T], index: u64, name: &str, from: &str) -> Parsed<(usize, &'a T)> {
    usize::try_from(index).ok().and_then(|i| list.get(i).map(|item| (i, item))).ok_or_else(|| {
        let message = format!("{name}[{index}] does not exist: the file has {} {name}", list.len());
        fault_at(Kind::Index, from, message)
    })
}

/// A type of number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn from_code(code: u64, item: &str) -> Parsed<Self> {
        Ok(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => {
                let message =
                    format!("component type {code} does not exist: expected 5120 to 5123, 5125 or 5126");
                return Err(fault_at(Kind::Syntax, format!("{item}.componentType"), message));
            }
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// The value at the start of some bytes, of which there are enough; integers become fractions when `normalized`.
    fn value(self, bytes: &[u8], normalized: bool) -> f64 {
        let mut four = [0; 4];
        four[..self.size()].copy_from_slice(&bytes[..self.size()]);
        let [a, b, ..] = four;
        let (value, full) = match self {
            Self::I8 => (f64::from(a.cast_signed()), 127.0),
            Self::U8 => (f64::from(a), 255.0),
            Self::I16 => (f64::from(i16::from_le_bytes([a, b])), 32767.0),
            Self::U16 => (f64::from(u16::from_le_bytes([a, b])), 65535.0),
            Self::U32 => (f64::from(u32::from_le_bytes(four)), 1.0),
            Self::F32 => (f64::from(f32::from_le_bytes(four)), 1.0),
        };
        if normalized { (value / full).max(-1.0) } else { value }
    }
}

/// A checked run of elements in a buffer.
struct Run {
    buffer: usize,
    offset: usize,
    stride: usize,
    count: usize,
    component: Component,
    width: usize,
}

/// The document and those of its buffers that were needed so far.
pub(super) struct Data<'a, 'l> {
    pub(super) root: &'a Root,
    /// The binary chunk of a GLB file.
    chunk: Option<&'a [u8]>,
    load: &'l mut Load<'l>,
    buffers: Vec<Option<Cow<'a, [u8]>>>,
    /// Size of the file itself [bytes], the measure for elements that no buffer backs.
    file_size: usize,
}

impl<'a, 'l> Data<'a, 'l> {
    pub(super) fn new(
        root: &'a Root,
        chunk: Option<&'a [u8]>,
        load: &'l mut Load<'l>,
        file_size: usize,
    ) -> Self {
        let buffers = root.buffers.iter().map(|_| None).collect();
        Self { root, chunk, load, buffers, file_size }
    }

    /// Makes sure that a buffer is there and as long as it says.
    fn require_buffer(&mut self, index: usize) -> Parsed<()> {
        if self.buffers[index].is_some() {
            return Ok(());
        }
        let buffer = &self.root.buffers[index];
        let item = format!("buffers[{index}]");
        let content: Cow<'a, [u8]> = match &buffer.uri {
            None => Cow::Borrowed(self.chunk.filter(|_| index == 0).ok_or_else(|| {
                fault_at(
                    Kind::Buffer,
                    item.as_str(),
                    "the buffer has no uri, and the file has no binary chunk for it",
                )
            })?),
            Some(uri) if uri.starts_with("data:") => Cow::Owned(decode_data(uri, &item)?),
            Some(uri) => {
                let content = (self.load)(uri, buffer.byte_length).map_err(|error| {
                    let message = format!("the buffer file '{}' cannot be read: {error}", shortened(uri));
                    fault_at(Kind::Buffer, format!("{item}.uri"), message)
                })?;
                Cow::Owned(content)
            }
        };
        if (content.len() as u64) < buffer.byte_length {
            let message =
                format!("the buffer claims {} bytes, but only {} exist", buffer.byte_length, content.len());
            return Err(fault_at(Kind::Truncated, format!("{item}.byteLength"), message));
        }
        self.buffers[index] = Some(content);
        Ok(())
    }

    /// Checks a run of elements against its view and buffer, and fetches the buffer.
    fn run(
        &mut self,
        view: u64,
        byte_offset: u64,
        count: u64,
        component: Component,
        width: usize,
        item: &str,
    ) -> Parsed<Run> {
        let (v, view) = entry(&self.root.buffer_views, view, "bufferViews", &format!("{item}.bufferView"))?;
        let view_item = format!("bufferViews[{v}]");
        let (buffer, owner) =
            entry(&self.root.buffers, view.buffer, "buffers", &format!("{view_item}.buffer"))?;
        let end = view.byte_offset.checked_add(view.byte_length);
        if end.is_none_or(|end| end > owner.byte_length) {
            let message = format!(
                "the view takes {} bytes from byte {} on, but its buffer has {}",
                view.byte_length, view.byte_offset, owner.byte_length
            );
            return Err(fault_at(Kind::Count, view_item, message));
        }
        let size = (component.size() * width) as u64;
        let stride = view.byte_stride.unwrap_or(size);
        if stride < size {
            let message = format!("a stride of {stride} bytes is too small for elements of {size} bytes");
            return Err(fault_at(Kind::Count, format!("{view_item}.byteStride"), message));
        }
        let last = count.checked_sub(1).and_then(|n| n.checked_mul(stride));
        let need = last.and_then(|n| n.checked_add(size)).and_then(|n| n.checked_add(byte_offset));
        if need.is_none_or(|need| need > view.byte_length) {
            let message = format!(
                "{count} elements of {size} bytes every {stride} bytes from byte {byte_offset} on do not fit into the {} bytes \
                 of {view_item}",
                view.byte_length
            );
            return Err(fault_at(Kind::Count, item, message));
        }
        self.require_buffer(buffer)?;
        // All of these are now known to be at most the length of a buffer in memory.
        let offset = (view.byte_offset + byte_offset) as usize;
        Ok(Run { buffer, offset, stride: stride as usize, count: count as usize, component, width })
    }

    /// The numbers of a run, element by element.
    fn values<'s>(&'s self, run: &'s Run, normalized: bool) -> impl Iterator<Item = f64> + 's {
        let bytes: &[u8] = self.buffers[run.buffer].as_deref().unwrap_or_default();
        let size = run.component.size();
        (0..run.count).flat_map(move |i| {
            let start = run.offset + i * run.stride;
            (0..run.width).map(move |k| run.component.value(&bytes[start + k * size..], normalized))
        })
    }

    /// All numbers of an accessor, sparse replacements included, element by element.
    fn accessor(
        &mut self,
        accessor: &Accessor,
        component: Component,
        width: usize,
        item: &str,
    ) -> Parsed<Vec<f64>> {
        if accessor.count == 0 {
            return Err(fault_at(Kind::Count, format!("{item}.count"), "the accessor has no elements"));
        }
        let mut numbers: Vec<f64> = match accessor.buffer_view {
            Some(view) => {
                let run = self.run(view, accessor.byte_offset, accessor.count, component, width, item)?;
                self.values(&run, accessor.normalized).collect()
            }
            None if accessor.count > self.file_size as u64 => {
                let message = format!(
                    "{} elements without a bufferView in a file of {} bytes: they would all be zero",
                    accessor.count, self.file_size
                );
                return Err(fault_at(Kind::Count, format!("{item}.count"), message));
            }
            None => vec![0.0; accessor.count as usize * width],
        };
        let Some(sparse) = &accessor.sparse else { return Ok(numbers) };
        let places_item = format!("{item}.sparse.indices");
        let code = Component::from_code(sparse.indices.component_type, &places_item)?;
        if !matches!(code, Component::U8 | Component::U16 | Component::U32) {
            return Err(fault_at(Kind::Syntax, places_item, "expected indices of type 5121, 5123 or 5125"));
        }
        let places = self.run(
            sparse.indices.buffer_view,
            sparse.indices.byte_offset,
            sparse.count,
            code,
            1,
            &places_item,
        )?;
        let values_item = format!("{item}.sparse.values");
        let values = &sparse.values;
        let values =
            self.run(values.buffer_view, values.byte_offset, sparse.count, component, width, &values_item)?;
        let mut replacements = self.values(&values, accessor.normalized);
        for place in self.values(&places, false) {
            let start = place as usize * width;
            for k in 0..width {
                let (Some(number), Some(value)) = (numbers.get_mut(start + k), replacements.next()) else {
                    let message =
                        format!("element {place} does not exist: the accessor has {}", accessor.count);
                    return Err(fault_at(Kind::Index, places_item, message));
                };
                *number = value;
            }
        }
        drop(replacements);
        Ok(numbers)
    }

    /// How many elements an accessor claims; `from` is the item that refers to it.
    pub(super) fn count(&self, index: u64, from: &str) -> Parsed<usize> {
        let (_, accessor) = entry(&self.root.accessors, index, "accessors", from)?;
        Ok(usize::try_from(accessor.count).unwrap_or(usize::MAX))
    }

    /// Positions of a primitive; `from` is the item that refers to them.
    pub(super) fn positions(&mut self, index: u64, from: &str) -> Parsed<Vec<[f64; 3]>> {
        let (a, accessor) = entry(&self.root.accessors, index, "accessors", from)?;
        let item = format!("accessors[{a}]");
        let component = Component::from_code(accessor.component_type, &item)?;
        if accessor.shape != "VEC3" || component == Component::U32 {
            let message = format!(
                "the positions are {} of component type {}: expected VEC3 of 5126 (f32), or of 5120 to 5123",
                shortened(&accessor.shape),
                accessor.component_type
            );
            return Err(fault_at(Kind::Syntax, item, message));
        }
        let numbers = self.accessor(accessor, component, 3, &item)?;
        Ok(numbers.as_chunks::<3>().0.to_vec())
    }

    /// Vertex numbers of a primitive, each below `vertices`.
    pub(super) fn indices(&mut self, index: u64, vertices: usize, from: &str) -> Parsed<Vec<u32>> {
        let (a, accessor) = entry(&self.root.accessors, index, "accessors", from)?;
        let item = format!("accessors[{a}]");
        let component = Component::from_code(accessor.component_type, &item)?;
        let whole = matches!(component, Component::U8 | Component::U16 | Component::U32);
        if accessor.shape != "SCALAR" || !whole || accessor.normalized {
            let message = format!(
                "the indices are {} of component type {}: expected SCALAR of 5121, 5123 or 5125, not normalized",
                shortened(&accessor.shape),
                accessor.component_type
            );
            return Err(fault_at(Kind::Syntax, item, message));
        }
        let numbers = self.accessor(accessor, component, 1, &item)?;
        // Whole numbers of at most 32 bits are exact in f64.
        if let Some(i) = numbers.iter().position(|&n| n >= vertices as f64) {
            let message =
                format!("entry {i} is vertex {}, but the primitive has {vertices} vertices", numbers[i]);
            return Err(fault_at(Kind::Index, item, message));
        }
        Ok(numbers.into_iter().map(|n| n as u32).collect())
    }
}

/// The bytes in a `data:` address.
fn decode_data(uri: &str, item: &str) -> Parsed<Vec<u8>> {
    let Some((_, text)) = uri.split_once(";base64,") else {
        let message = format!("the data address '{}' is not in base64", shortened(uri));
        return Err(fault_at(Kind::Unsupported, format!("{item}.uri"), message));
    };
    base64::decode(text.as_bytes()).map_err(|offset| {
        let found =
            text.as_bytes().get(offset).map_or_else(String::new, |b| format!(" '{}'", b.escape_ascii()));
        fault_at(
            Kind::Buffer,
            format!("{item}.uri"),
            format!("byte {offset}{found} of the base64 text does not belong there: expected A-Z, a-z, 0-9, + or /"),
        )
    })
}

/// An address as a message repeats it.
pub(super) fn shortened(uri: &str) -> String {
    uri.chars().take(80).collect()
}
