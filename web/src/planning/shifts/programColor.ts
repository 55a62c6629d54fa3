import { bothOf, programColors } from '../../brand/colors.ts'

/** A program's color, the same on every screen and every day, as CSS. */
export function programColor(uid: string): string {
  let hash = 0
  for (const letter of uid) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0
  // The low bits of such a hash repeat, so the high ones are mixed in.
  return bothOf(programColors[(hash ^ (hash >>> 15)) % programColors.length] ?? programColors[0])
}
