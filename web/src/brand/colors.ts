/**
 * The colors of the look, [light, dark], under the names that tokens.css gives them as custom properties.
 * Every text and state color reaches 4.5:1 on paper and on page; `control` reaches the 3:1 an outline needs.
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
  /** Links, the active item and the focus ring on paper. On asphalt those are `headlight`. */
  amber: ['#A05F00', '#FFB224'],
  /** The fill of the primary button, with `on-headlight` as its text. Too bright for text on paper. */
  headlight: ['#FFB224', '#FFB224'],
  'headlight-pressed': ['#F0A000', '#FFC861'],
  'on-headlight': ['#121826', '#121826'],
  driving: ['#187A4C', '#4CC38A'],
  parked: ['#55657C', '#93A1B5'],
  silent: ['#667084', '#808B9B'],
  'playing-silent': ['#0B7285', '#4DC4D9'],
  warn: ['#9C5B00', '#FFC053'],
  bad: ['#C2343A', '#FF7A7A'],
  'bad-row': ['#FFDEDE', '#3A1D22'],
  'off-shift': ['#6A4BD1', '#A78BFA'],
} as const satisfies Record<string, readonly [light: string, dark: string]>

export type ColorName = keyof typeof colors
export type Scheme = 'light' | 'dark'

export const colorIn = (name: ColorName, scheme: Scheme): string => colors[name][scheme === 'light' ? 0 : 1]

export const fontFamily = "'Inter Variable', 'Inter Fallback', system-ui, sans-serif"
