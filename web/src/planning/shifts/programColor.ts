/**
 * Colors that tell programs apart, [light, dark]. None is close to the red of errors or to the color of a state. A bar
 * uses it as an edge and a tint under ink, so text stays readable.
 */
const PROGRAM_COLORS = [
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

/** A program's color, the same on every screen and every day, as CSS. */
export function programColor(uid: string): string {
  let hash = 0
  for (const letter of uid) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0
  // The low bits of such a hash repeat, so the high ones are mixed in.
  const [light, dark] = PROGRAM_COLORS[(hash ^ (hash >>> 15)) % PROGRAM_COLORS.length] ?? PROGRAM_COLORS[0]
  return `light-dark(${light}, ${dark})`
}
