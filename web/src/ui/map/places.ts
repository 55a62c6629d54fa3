import type { Outline, Point } from '@roadshow/contract/platform/geo'
import type { ColorName } from '../../brand/colors.ts'

/** A place to show: a pin, and a circle around it where it has a radius. */
export interface MapPlace extends Point {
  id: string
  name: string
  radiusM?: number | null | undefined
  tone?: ColorName
}

export interface PlaceMapProps {
  /** What the map shows, for those who hear it. */
  label: string
  places: readonly MapPlace[]
  /** The id of the chosen place. */
  selected?: string | undefined
  onSelect?: ((id: string) => void) | undefined
  /** Lets the chosen place be dragged. */
  onMove?: ((id: string, to: Point) => void) | undefined
  /** A click where no place is. */
  onClick?: ((at: Point) => void) | undefined
  outline?: Outline | null
  /** Lets the outline's corners be dragged, and removed by a click. */
  onOutline?: ((outline: [number, number][]) => void) | undefined
  /** A way that a truck took, below the places. */
  line?: readonly Point[]
  height?: number
}

// Defaults of the specification, §9.
export const MAP_CENTER: [number, number] = [37.9, -95.0]
export const MAP_ZOOM = 3
export const MAP_HEIGHT = 300
