import Foundation

extension IndexStore {
  /// The functions of `libIndexStore` that reading an index needs.
  @safe
  struct Library {
    typealias Pointer = UnsafeMutableRawPointer
    /// A text of the library; `iovec` is a C type of the same layout, a pointer and a length.
    typealias Text = iovec
    typealias Open = @convention(c) (Pointer, UnsafePointer<CChar>, Pointer?) -> Pointer?
    typealias Close = @convention(c) (Pointer) -> Void
    typealias Visitor = @convention(c) (Pointer, Pointer) -> Bool
    typealias Loop = @convention(c) (Pointer, Pointer, Visitor) -> Bool
    typealias TextOf = @convention(c) (Pointer) -> Text

    let openStore: @convention(c) (UnsafePointer<CChar>, Pointer?) -> Pointer?
    let (openUnit, openRecord): (Open, Open)
    let (closeUnit, closeRecord): (Close, Close)
    let (eachDependency, eachOccurrence): (Loop, Loop)
    let (mainFile, dependencyName, dependencyPath, symbolID, symbolName):
      (TextOf, TextOf, TextOf, TextOf, TextOf)
    let dependencyKind: @convention(c) (Pointer) -> CInt
    let symbol: @convention(c) (Pointer) -> Pointer
    let roles: @convention(c) (Pointer) -> UInt64

    /// Loads the library of the toolchain; nil where there is none.
    init?() {
      let opened = unsafe Self.candidates.lazy.compactMap { unsafe dlopen($0.path, RTLD_NOW) }.first
      guard let library = unsafe opened else { return nil }
      func find<Function>(_ name: String) -> Function {
        guard let function = unsafe dlsym(library, "indexstore_" + name) else {
          fatalError("libIndexStore has no function indexstore_\(name).")
        }
        return unsafe unsafeBitCast(function, to: Function.self)
      }
      unsafe openStore = find("store_create")
      unsafe (openUnit, openRecord) = (find("unit_reader_create"), find("record_reader_create"))
      unsafe (closeUnit, closeRecord) = (
        find("unit_reader_dispose"), find("record_reader_dispose")
      )
      unsafe eachDependency = find("unit_reader_dependencies_apply_f")
      unsafe eachOccurrence = find("record_reader_occurrences_apply_f")
      unsafe mainFile = find("unit_reader_get_main_file")
      unsafe dependencyName = find("unit_dependency_get_name")
      unsafe dependencyPath = find("unit_dependency_get_filepath")
      unsafe dependencyKind = find("unit_dependency_get_kind")
      unsafe (symbol, roles) = (find("occurrence_get_symbol"), find("occurrence_get_roles"))
      unsafe (symbolID, symbolName) = (find("symbol_get_usr"), find("symbol_get_name"))
    }

    static func string(_ text: Text) -> String {
      let bytes = unsafe UnsafeRawBufferPointer(start: text.iov_base, count: text.iov_len)
      return unsafe String(decoding: bytes, as: UTF8.self)
    }

    /// Where the library can lie: beside the compilers on the `PATH`, or in a named toolchain.
    private static var candidates: [URL] {
      let environment = ProcessInfo.processInfo.environment
      var folders = (environment["PATH"] ?? "").split(separator: ":").map {
        URL(filePath: String($0)).appending(path: "swift").resolvingSymlinksInPath()
          .deletingLastPathComponent().deletingLastPathComponent()
      }
      for name in ["TOOLCHAIN", "TOOLCHAIN_DIR"] {
        if let root = environment[name] { folders.append(URL(filePath: root + "/usr")) }
      }
      return folders.flatMap { folder in
        ["lib/libIndexStore.so", "lib/libIndexStore.dylib"].map { folder.appending(path: $0) }
      }
    }
  }
}
