import L from 'leaflet'
import type { ColorName } from '../../brand/colors.ts'
import { CanvasLayer } from './CanvasLayer.ts'
import type { CanvasPlace } from './CanvasLayer.ts'
import { drawCluster, drawSpot } from './drawSpots.ts'
import type { SpotStyle } from './drawSpots.ts'
import { clusterSpots } from './spots.ts'
import type { Cluster, PlacedSpot, Spot } from './spots.ts'

// From here on every spot is shown by itself.
const APART_ZOOM = 15
// Names are drawn while they are few enough to be read.
const NAMED_ZOOM = 9
const MOST_NAMES = 60
const SPOT_PX = 11

/** What was drawn where: one spot, or several that are too close. */
interface Drawn {
  x: number
  y: number
  radius: number
  members: PlacedSpot[]
}

/** Spots on one canvas: however many they are, moving the map costs nothing, and drawing them little. */
export class SpotsLayer extends CanvasLayer {
  private look: SpotStyle | undefined
  private spots: readonly Spot[] = []
  private chosen: string | undefined
  private clusters: Cluster[] = []
  private apart: PlacedSpot | undefined
  private clusteredAt: number | undefined
  private drawn: Drawn[] = []

  constructor() {
    super({ name: 'spots', zIndex: '610' })
  }

  setColors(tones: Record<ColorName, string>, font: string): void {
    this.look = { tones, font }
    this.drawSoon()
  }

  setSpots(spots: readonly Spot[], chosen: string | undefined): void {
    this.spots = spots
    this.chosen = chosen
    this.clusteredAt = undefined
    this.drawSoon()
  }

  /** What is drawn at a point of the map's frame. */
  hitAt(point: L.Point): { point: L.Point; members: PlacedSpot[] } | undefined {
    if (!this.map) return
    const offset = this.map.containerPointToLayerPoint([0, 0]).subtract(this.corner)
    const { x, y } = point.add(offset)
    const near = this.drawn
      .map((each) => ({ each, distance: Math.hypot(each.x - x, each.y - y) }))
      .filter(({ each, distance }) => distance <= each.radius + 4)
      .toSorted((one, other) => one.distance - other.distance)[0]
    return near && { point: L.point(near.each.x, near.each.y).subtract(offset), members: near.each.members }
  }

  private gather(map: L.Map, zoom: number): void {
    if (this.clusteredAt === zoom) return
    this.clusteredAt = zoom
    const placed = this.spots.map((spot) => {
      const { x, y } = map.project([spot.latitude, spot.longitude], zoom)
      return { x, y, spot }
    })
    // The chosen one is never lost among others.
    this.apart = placed.find(({ spot }) => spot.id === this.chosen)
    const others = placed.filter((each) => each !== this.apart)
    this.clusters =
      zoom >= APART_ZOOM ? others.map((each) => ({ x: each.x, y: each.y, members: [each] })) : clusterSpots(others)
  }

  protected override paint(context: CanvasRenderingContext2D, map: L.Map, { zoom, size, origin }: CanvasPlace): void {
    const { look } = this
    if (!look) return
    this.gather(map, zoom)
    const shown = this.clusters.flatMap(({ x, y, members }): Drawn[] => {
      const at = { x: x - origin.x, y: y - origin.y }
      if (at.x < -30 || at.y < -30 || at.x > size.x + 30 || at.y > size.y + 30) return []
      const radius = members.length === 1 ? SPOT_PX : Math.min(24, 12 + Math.log2(members.length) * 1.6)
      return [{ ...at, radius, members }]
    })
    const isNamed = zoom >= NAMED_ZOOM && shown.length <= MOST_NAMES
    for (const each of shown) {
      const [only] = each.members
      if (each.members.length > 1) drawCluster(context, look, each)
      else if (only) drawSpot(context, look, { ...each, spot: only.spot, isNamed, isChosen: false })
    }
    this.drawn = shown
    if (!this.apart) return
    const chosen = { x: this.apart.x - origin.x, y: this.apart.y - origin.y, radius: SPOT_PX, members: [this.apart] }
    drawSpot(context, look, { ...chosen, spot: this.apart.spot, isNamed: true, isChosen: true })
    this.drawn.push(chosen)
  }
}
