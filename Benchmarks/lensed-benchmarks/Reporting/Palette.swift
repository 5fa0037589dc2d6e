/// The colours of a plot, each with a light and a dark value.
enum Palette {
  /// The sizes of the texts, in pixels, by their style.
  static let sizes: [(style: String, size: Double, weight: Int)] = [
    ("title", 20, 700), ("heading", 14, 600), ("label", 13, 600), ("value", 13, 600),
    ("small", 11, 400), ("big", 18, 700),
  ]

  static let styleSheet = """
    text { font-family: ui-sans-serif, system-ui, "Segoe UI", Helvetica, Arial, sans-serif; }
    \(sizes.map { ".\($0.style) { font-size: \(Int($0.size))px; font-weight: \($0.weight); }" }
      .joined(separator: "\n"))
    .value { font-variant-numeric: tabular-nums; }
    polyline { fill: none; stroke-width: 2.5; stroke-linejoin: round; stroke-linecap: round; }
    .mark { stroke-width: 2.5; }
    .aim-mark { stroke-width: 2; stroke-dasharray: 2 2; }
    .spread { stroke-width: 1.5; }
    .one { stroke-width: 1.5; }
    .grid { stroke-width: 1; }
    \(colours(light))
    @media (prefers-color-scheme: dark) {
    \(colours(dark))
    }
    """

  private struct Colours {
    let page, panel, ink, muted, grid, aim, met, missed, lensed, hand, third, fourth: String
  }

  private static let light = Colours(
    page: "#ffffff", panel: "#f6f8fa", ink: "#1f2328", muted: "#59636e", grid: "#d8dee4",
    aim: "#1a7f37", met: "#0969da", missed: "#cf222e", lensed: "#0969da", hand: "#9a6700",
    third: "#8250df", fourth: "#1a7f37"
  )
  private static let dark = Colours(
    page: "#0d1117", panel: "#161b22", ink: "#f0f6fc", muted: "#9198a1", grid: "#30363d",
    aim: "#3fb950", met: "#58a6ff", missed: "#ff7b72", lensed: "#58a6ff", hand: "#d29922",
    third: "#bc8cff", fourth: "#3fb950"
  )

  private static func colours(_ colours: Colours) -> String {
    """
    .page { fill: \(colours.page); }
    .panel { fill: \(colours.panel); }
    .title, .heading, .label, .big { fill: \(colours.ink); }
    .small { fill: \(colours.muted); }
    .grid { stroke: \(colours.grid); }
    .one, .mark, .aim-mark, .spread { stroke: \(colours.ink); }
    .bar-aim { fill: \(colours.aim); }
    .bar-met { fill: \(colours.met); }
    .bar-missed { fill: \(colours.missed); }
    .line-0 { stroke: \(colours.lensed); }
    .line-1 { stroke: \(colours.hand); stroke-dasharray: 5 4; }
    .line-2 { stroke: \(colours.third); }
    .line-3 { stroke: \(colours.fourth); }
    .dot-0 { fill: \(colours.lensed); }
    .dot-1 { fill: \(colours.hand); }
    .dot-2 { fill: \(colours.third); }
    .dot-3 { fill: \(colours.fourth); }
    """
  }
}
