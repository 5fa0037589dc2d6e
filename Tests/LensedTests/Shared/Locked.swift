import LensedTestSupport

/// A value behind a lock; a test model of this target has the other name.
typealias Locked<Value: Sendable> = LensedTestSupport.Fenced<Value>
