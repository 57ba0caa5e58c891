//! What of a program executions came to, for people.

use crate::system::Place;

/// What executions came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// The points of the program, if they were counted.
    pub points: Vec<Point>,
    /// Whether what was not come to never is: the search was complete.
    pub is_complete: bool,
    /// What was not checked because nothing happens.
    pub vacuities: Vec<Vacuity>,
}

impl Reach {
    /// The points that no execution came to, without those that need another one of them.
    pub fn never(&self) -> impl Iterator<Item = &Point> {
        let is_reached = |index: usize| self.points.get(index).is_none_or(|it| it.count > 0);
        let points = self.points.iter().filter(|point| point.count == 0);
        points.filter(move |point| point.parent.is_none_or(is_reached))
    }
}

/// A point of a program that executions may come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// What it is.
    pub kind: PointKind,
    /// The name of a label, a function or a thread, or the beginning of a statement; else empty.
    pub name: String,
    /// Where it stands.
    pub place: Option<Place>,
    /// How often the search came to it.
    pub count: u64,
    /// The point by its index, before this one in the list, without which this one is not come to.
    pub parent: Option<usize>,
}

/// What executions can come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PointKind {
    /// A statement: a thread stands before it or executes it.
    Statement,
    /// A condition is true.
    True,
    /// A condition is false.
    False,
    /// An assumption is true.
    Assumption,
    /// An alternative of a choice is taken.
    Alternative,
    /// A statement that waits goes on.
    Passed,
    /// A label.
    Label,
    /// A thread is started.
    Start,
    /// A thread ends.
    End,
    /// A function is called.
    Call,
}

impl PointKind {
    /// All kinds, in the order of declaration.
    pub const ALL: [PointKind; 10] = [
        PointKind::Statement,
        PointKind::True,
        PointKind::False,
        PointKind::Assumption,
        PointKind::Alternative,
        PointKind::Passed,
        PointKind::Label,
        PointKind::Start,
        PointKind::End,
        PointKind::Call,
    ];

    /// The name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            PointKind::Statement => "statement",
            PointKind::True => "true",
            PointKind::False => "false",
            PointKind::Assumption => "assumption",
            PointKind::Alternative => "alternative",
            PointKind::Passed => "passed",
            PointKind::Label => "label",
            PointKind::Start => "start",
            PointKind::End => "end",
            PointKind::Call => "call",
        }
    }
}

/// Something that makes a property hold because nothing happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vacuity {
    /// What, in a sentence without a full stop.
    pub message: String,
    /// Where it stands.
    pub place: Place,
}
