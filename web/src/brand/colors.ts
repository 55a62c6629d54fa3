/**
 * The colors of the look, [light, dark]: the only place where they stand. Stylesheets use them as custom properties of the
 * same names, which the build writes into tokens.css. Every text and state color reaches 4.5:1 on paper and on page; `control` reaches the 3:1
 * an outline needs.
 */
export const colors = {
  ink: ['#121826', '#E8ECF3'],
  'ink-soft': ['#556074', '#A3AEBF'],
  paper: ['#FFFFFF', '#151A23'],
  page: ['#F5F6F8', '#0E121A'],
  line: ['#DCE0E7', '#2A3241'],
  control: ['#868F9E', '#677388'],
  asphalt: ['#161D2B', '#0A0E15'],
  'on-asphalt': ['#E8ECF3', '#E8ECF3'],
  'on-asphalt-soft': ['#9AA6B8', '#9AA6B8'],
  'on-asphalt-bad': ['#FF7A7A', '#FF7A7A'],
  /** Links, the active item and the focus ring on paper. On asphalt those are `headlight`. */
  amber: ['#A05F00', '#FFB224'],
  /** The fill of the primary button, with `on-headlight` as its text. Too bright for text on paper. */
  headlight: ['#FFB224', '#FFB224'],
  'headlight-pressed': ['#F0A000', '#FFC861'],
  'on-headlight': ['#121826', '#121826'],
  /** The accent as a ground under text: the chosen item of a menu, a warning. */
  tint: ['#FFF3DC', '#2E2514'],
  driving: ['#187A4C', '#4CC38A'],
  parked: ['#55657C', '#93A1B5'],
  silent: ['#667084', '#808B9B'],
  'playing-silent': ['#0B7285', '#4DC4D9'],
  warn: ['#9C5B00', '#FFC053'],
  bad: ['#C2343A', '#FF7A7A'],
  'bad-row': ['#FFDEDE', '#3A1D22'],
  /** Text on `bad-row`. */
  'bad-strong': ['#8F1F25', '#FF9A9A'],
  'off-shift': ['#6A4BD1', '#A78BFA'],
  /** A way on streets, whose map is light. */
  way: ['#A03C00', '#A03C00'],
  /** The drivers' app is read in sunlight: its text reaches 7:1. */
  'driver-soft': ['#3D4757', '#BCC6D4'],
  'driver-good': ['#0B5A35', '#6FD6A3'],
  'driver-bad': ['#8F1D22', '#FFA3A3'],
  'driver-warn': ['#6B3E00', '#FFC861'],
  'driver-alarm': ['#7D1419', '#5A1216'],
  'driver-on-asphalt-soft': ['#C4CEDB', '#C4CEDB'],
} as const satisfies Record<string, readonly [light: string, dark: string]>

/**
 * Colors that tell programs apart, [light, dark]. None is close to the red of errors or to the color of a state. A bar
 * uses it as an edge and a tint under ink, so text stays readable.
 */
export const programColors = [
  ['#1F6FB2', '#5FA8E6'],
  ['#0B7A75', '#45BDB6'],
  ['#6B8E00', '#B4D24A'],
  ['#8A3FA0', '#C98BDB'],
  ['#3B4FC4', '#8E9CF2'],
  ['#A8560A', '#E8A25C'],
  ['#287D3C', '#6CC283'],
  ['#B03A7E', '#EC8CC0'],
  ['#007C9E', '#4DBFDD'],
  ['#7A6400', '#D9BF4A'],
  ['#5B4B8A', '#AE9EE0'],
  ['#4F6B5B', '#9DBBAA'],
] as const satisfies readonly (readonly [light: string, dark: string])[]

export type ColorName = keyof typeof colors
export type Scheme = 'light' | 'dark'

export const colorIn = (name: ColorName, scheme: Scheme): string => colors[name][scheme === 'light' ? 0 : 1]

/** A color that follows the scheme, as CSS. */
export const bothOf = ([light, dark]: readonly [light: string, dark: string]) => `light-dark(${light}, ${dark})`

export const fontFamily = "'Inter Variable', 'Inter Fallback', system-ui, sans-serif"
