// The room `Optics`.
//
// Ways to a part of a value: `Lens`, `Prism`, the footprints that tell which parts overlap, and `PartPath`, which
// reads a part of a state whose type is erased.
//
// It may use: Internal.
//
// Optics know no store. What they read and edit is given to them.
