// The room `Optics`.
//
// Ways to a part of a value: `Lens`, `Prism`, and `PartPath`, which reads a part of a state whose type is erased. All
// of them have a `Way`, the one description of which part it is. Footprints tell which parts overlap (`Overlap.swift`).
//
// It may use: Internal.
//
// Optics know no store. What they read and edit is given to them.
