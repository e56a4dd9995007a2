//! What a complex was made into, and why.

use std::fmt;

/// Kind of a connected part of a complex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    /// Matter on one side of its triangles.
    Volume,
    /// The wall of a hollow inside a volume.
    Cavity,
    /// A surface that can be touched from both sides.
    Shell,
}

impl PartKind {
    /// Returns the kind in lower case.
    pub fn word(self) -> &'static str {
        match self {
            Self::Volume => "volume",
            Self::Cavity => "cavity",
            Self::Shell => "shell",
        }
    }
}

/// One connected part of the triangles: those connected through edges.
#[derive(Debug, Clone, PartialEq)]
pub struct PartReport {
    /// Kind.
    pub kind: PartKind,
    /// Its triangles.
    pub triangles: usize,
    /// Its first triangle, by the number that the caller gave it.
    pub first_triangle: u32,
    /// Edges with one triangle.
    pub boundary_edges: usize,
    /// Edges with three or more triangles.
    pub crowded_edges: usize,
    /// Edges whose two triangles have opposite orientations.
    pub conflicting_edges: usize,
    /// Signed volume [m³]; meaningless for an open part.
    pub volume: f64,
    /// Whether it is a shell at the request of the caller.
    pub forced: bool,
}

/// As `shell of 12 triangles (72 edges with one triangle)`.
impl fmt::Display for PartReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} triangles ({})", self.kind.word(), self.triangles, self.reason())
    }
}

impl PartReport {
    /// Returns the reason for the kind.
    pub fn reason(&self) -> String {
        if self.forced {
            return "requested".to_owned();
        }
        let reasons: Vec<String> = [
            (self.boundary_edges, "with one triangle"),
            (self.crowded_edges, "with three or more triangles"),
            (self.conflicting_edges, "between triangles of opposite orientation"),
        ]
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {} {what}", if *count == 1 { "edge" } else { "edges" }))
        .collect();
        if !reasons.is_empty() {
            return reasons.join(", ");
        }
        match self.kind {
            PartKind::Volume => "closed and facing outward".to_owned(),
            PartKind::Cavity => "closed and facing inward".to_owned(),
            PartKind::Shell => "closed, but encloses no volume".to_owned(),
        }
    }
}

/// Changes made to the input to obtain a complex. Triangles and vertices are named by the numbers that the caller gave them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ComplexReport {
    /// Vertices that became one with an earlier vertex at the same place.
    pub welded_vertices: usize,
    /// Triangles dropped because two of their corners are at one place.
    pub collapsed: Vec<u32>,
    /// Triangles without area that were mended by turning the edge to their neighbour.
    pub mended: Vec<u32>,
    /// Triangles without area that could not be mended and were dropped; this may open a crack.
    pub dropped: Vec<u32>,
    /// Triangles dropped because they repeat an earlier one, in either orientation.
    pub duplicates: Vec<u32>,
    /// Triangles reversed so that neighbours agree and volumes face outward.
    pub turned: usize,
    /// The connected parts of the triangles.
    pub parts: Vec<PartReport>,
    /// Number of faces of each class, 0 to 7.
    pub classes: [usize; 8],
    /// Triangles whose corners were moved inward by less than the dilation, since one of the triangles around them would have turned over.
    pub reduced: Vec<u32>,
    /// Result of the inset, if requested.
    pub inset: Option<InsetReport>,
}

/// Result of moving the surfaces of volumes inward by the dilation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InsetReport {
    /// Displacement of the planes of the triangles [m].
    pub distance: f64,
    /// Largest distance between the original corners and the inflated, inset body [m]: corners are rounded off by it.
    pub corner_error: f64,
    /// Largest distance between an original plane and where the inflated, inset triangle has it [m]; 0 where each vertex lies on at most three planes.
    pub plane_error: f64,
}

impl ComplexReport {
    /// Whether some part is a shell.
    pub fn has_shell(&self) -> bool {
        self.parts.iter().any(|part| part.kind == PartKind::Shell)
    }

    /// The parts and repairs in a line: `1 volume; 12 triangles mended`.
    pub fn summary(&self) -> String {
        let mut phrases = Vec::new();
        for (kind, many) in
            [(PartKind::Volume, "volumes"), (PartKind::Cavity, "cavities"), (PartKind::Shell, "shells")]
        {
            let count = self.parts.iter().filter(|part| part.kind == kind).count();
            if count > 0 {
                phrases.push(format!("{count} {}", if count == 1 { kind.word() } else { many }));
            }
        }
        for (count, what) in [
            (self.collapsed.len(), "collapsed"),
            (self.mended.len(), "mended"),
            (self.dropped.len(), "without area dropped"),
            (self.duplicates.len(), "repeated"),
            (self.turned, "reversed"),
            (self.reduced.len(), "inset by less"),
        ] {
            if count > 0 {
                phrases.push(format!("{count} {} {what}", if count == 1 { "triangle" } else { "triangles" }));
            }
        }
        if phrases.is_empty() { "points and lines".to_owned() } else { phrases.join("; ") }
    }
}
