// fontkit brings no types. These are the parts that the picture of link previews uses.
declare module 'fontkit' {
  export interface Glyph {
    path: { toSVG(): string }
  }
  export interface GlyphRun {
    advanceWidth: number
    glyphs: Glyph[]
    positions: { xAdvance: number; xOffset: number }[]
  }
  export interface Font {
    unitsPerEm: number
    layout(text: string): GlyphRun
  }
  export function create(file: Buffer): Font
}
