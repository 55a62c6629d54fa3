import { UM_PER_MM } from '@roadshow/contract/catalog/pixel-maps'

const UM_PER_M = 1_000_000
const M_PER_FOOT = 0.3048

/** `1280 × 384`, in pixels. */
export const sizeText = ({ width, height }: { width: number; height: number }) => `${width} × ${height}`

export const pitchText = (pitchUm: number) => String(pitchUm / UM_PER_MM)

/** How large so many pixels are on the truck: `6.16 × 1.85 m (20.2 × 6.1 ft)`. */
export function builtSize({ width, height }: { width: number; height: number }, pitchUm: number): string {
  const metres = [width, height].map((pixels) => (pixels * pitchUm) / UM_PER_M)
  const feet = metres.map((length) => (length / M_PER_FOOT).toFixed(1))
  return `${metres.map((length) => length.toFixed(2)).join(' × ')} m (${feet.join(' × ')} ft)`
}
