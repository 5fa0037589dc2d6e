extension Dictionary {
  /// Removes some entries, and returns them: what is removed and not returned would be released here.
  ///
  /// Each is asked about once.
  mutating func removeAll(where isMeant: (Element) -> Bool) -> Self {
    let removed = filter(isMeant)
    for key in removed.keys { self[key] = nil }
    return removed
  }
}
