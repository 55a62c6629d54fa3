import L from 'leaflet'
import type { ColorName } from '../../brand/colors.ts'
import { drawCluster, drawSpot } from './drawSpots.ts'
import type { SpotStyle } from './drawSpots.ts'
import { clusterSpots } from './spots.ts'
import type { Cluster, PlacedSpot, Spot } from './spots.ts'

// Drawn beyond the edge, so that dragging the map moves the canvas and draws nothing.
const BEYOND = 0.4
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

/** Spots on one canvas of its own: however many they are, moving the map costs nothing, and drawing them little. */
export class SpotsLayer extends L.Layer {
  private readonly canvas = L.DomUtil.create('canvas', 'leaflet-zoom-animated')
  private readonly context = this.canvas.getContext('2d')
  private map: L.Map | undefined
  private look: SpotStyle | undefined
  private spots: readonly Spot[] = []
  private chosen: string | undefined
  private clusters: Cluster[] = []
  private apart: PlacedSpot | undefined
  private clusteredAt: number | undefined
  private drawn: Drawn[] = []
  private corner = L.point(0, 0)
  private cornerPlace = L.latLng(0, 0)
  private drawnZoom = 0
  private isStretched = false
  private frame: number | undefined

  override onAdd(map: L.Map): this {
    this.map = map
    const pane = map.getPane('spots') ?? map.createPane('spots')
    pane.style.zIndex = '610'
    pane.style.pointerEvents = 'none'
    pane.append(this.canvas)
    this.draw()
    return this
  }

  override onRemove(): this {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame)
    this.canvas.remove()
    this.map = undefined
    return this
  }

  override getEvents(): Record<string, L.LeafletEventHandlerFn> {
    return {
      moveend: () => this.draw(),
      viewreset: () => this.draw(),
      zoomanim: (event) => this.scaleTo(event as L.ZoomAnimEvent),
      // While fingers zoom, nothing is animated and the map moves with them.
      zoom: () => this.map && this.scaleTo({ center: this.map.getCenter(), zoom: this.map.getZoom() }),
    }
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

  private drawSoon(): void {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined
      // While the map zooms, the canvas is stretched as a picture; it is redrawn after the zoom.
      if (!this.isStretched) this.draw()
    })
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

  private draw(): void {
    const { map, context, look } = this
    if (!map || !context || !look) return
    const zoom = map.getZoom()
    this.gather(map, zoom)
    const size = this.place(map)
    this.drawnZoom = zoom
    this.isStretched = false
    const origin = map.getPixelOrigin().add(this.corner)
    context.clearRect(0, 0, size.x, size.y)
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

  /** Lays the canvas over the map and a little beyond. */
  private place(map: L.Map): L.Point {
    const frame = map.getSize()
    const beyond = frame.multiplyBy(BEYOND).round()
    const size = frame.add(beyond.multiplyBy(2))
    const ratio = Math.min(devicePixelRatio, 2)
    const [width, height] = [Math.round(size.x * ratio), Math.round(size.y * ratio)]
    // Setting a size, even the same, throws the canvas away.
    if (this.canvas.width !== width || this.canvas.height !== height) {
      Object.assign(this.canvas, { width, height })
      Object.assign(this.canvas.style, { width: `${size.x}px`, height: `${size.y}px` })
      this.context?.setTransform(ratio, 0, 0, ratio, 0, 0)
    }
    this.corner = map.containerPointToLayerPoint(beyond.multiplyBy(-1)).round()
    this.cornerPlace = map.layerPointToLatLng(this.corner)
    L.DomUtil.setTransform(this.canvas, this.corner, 1)
    return size
  }

  /** Stretches what is drawn to what it will be after the zoom. */
  private scaleTo({ center, zoom }: { center: L.LatLng; zoom: number }): void {
    const { map } = this
    if (!map) return
    this.isStretched = true
    const pane = L.DomUtil.getPosition(map.getPanes().mapPane)
    const origin = map.project(center, zoom).subtract(map.getSize().divideBy(2)).add(pane).round()
    const corner = map.project(this.cornerPlace, zoom).subtract(origin)
    L.DomUtil.setTransform(this.canvas, corner, map.getZoomScale(zoom, this.drawnZoom))
  }
}
