import LensedTestSupport

/// A value behind a lock; a test model of this target has the other name.
typealias Locked<Value: ~Copyable & Sendable> = LensedTestSupport.Fenced<Value>
