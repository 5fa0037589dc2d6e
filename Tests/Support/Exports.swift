// Every test of the package that uses the support finds these too.
@_exported public import LensedPrograms
@_exported public import LensedStorm
@_exported public import LensedTesting
