import Lensed

/// The sheet that is there while lines are imported.
struct Import: Sendable, Equatable {
  let file: String
  var lineCount = 0
}

struct StartImport: Action, Equatable { let file: String }
struct ImportedLines: Action, Equatable { let texts: [String] }
struct EndImport: Action, Equatable { var failure: String? }

protocol LineReader: Sendable {
  /// The lines of a file, some at a time.
  func lines(of file: String) -> AsyncThrowingStream<[String], any Error>
}

extension Import {
  /// The sheet goes when the import is over, or cancelled; with it goes the import.
  static func feature(_ reader: any LineReader) -> Feature<Import> {
    Feature {
      Constant(\.file)
      Mutator(\.lineCount) { (count: inout Int, lines: ImportedLines) in
        count += lines.texts.count
      }
      Effect(
        on: StartImport.self, .first,
        catch: { error, context in context.dispatch(EndImport(failure: "\(error)")) }
      ) { start, context in
        let lines = reader.lines(of: start.file).map { ImportedLines(texts: $0) }
        try await context.dispatch(lines).finish(.applied)
      }
      .ended { end, _ in
        switch end {
        case .finished, .cancelled: EndImport()
        case .failed, .superseded, .gone: nil
        }
      }
      .named("Import")
    }
  }
}
