import { UM_PER_MM } from '@roadshow/contract/catalog/pixel-maps'

const UM_PER_FOOT = 304_800

/** `1280 × 384`, in pixels. */
export const sizeText = ({ width, height }: { width: number; height: number }) => `${width} × ${height}`

export const pitchText = (pitchUm: number) => String(pitchUm / UM_PER_MM)

/** How large so many pixels are on the truck: `20.2 × 6.1 ft`. */
export function builtSize({ width, height }: { width: number; height: number }, pitchUm: number): string {
  const feet = [width, height].map((pixels) => ((pixels * pitchUm) / UM_PER_FOOT).toFixed(1))
  return `${feet.join(' × ')} ft`
}
