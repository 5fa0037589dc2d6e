extension StoreCore {
  /// What records commits for runs of effects; made once an effect may need it.
  func makeBacklogs() -> ChangeBacklogs {
    withLock("installed an effect") { protected in
      let backlogs = protected.backlogs ?? ChangeBacklogs()
      protected.backlogs = backlogs
      return backlogs
    }
  }

  /// Begins or ends recording, in the commit that has triggered an effect which may read the next ones, or in
  /// one after the end of the last run.
  func updateRecording(for backlogs: ChangeBacklogs, _ protected: inout Protected) {
    assertLocked()
    if protected.table.isRecorded == backlogs.isNeeded { return }
    protected.table.isRecorded = backlogs.isNeeded
    protected.listeners.runRecorder =
      protected.table.isRecorded ? backlogs.recorder(protected.witness) : nil
  }
}
