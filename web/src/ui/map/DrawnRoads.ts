import type L from 'leaflet'
import { CanvasLayer } from './CanvasLayer.ts'
import type { CanvasPlace } from './CanvasLayer.ts'

/** Cities by their rank, largest first, and highways as pairs of latitude and longitude. */
export interface RoadMap {
  cities: [name: string, latitude: number, longitude: number, rank: number][]
  roads: [name: string, points: number[]][]
}

interface Look {
  road: string
  text: string
  paper: string
  font: string
}

// Between two cities a highway is a straight line: nearer than this it would be in the wrong place.
const MOST_ROAD_ZOOM = 9
// A city of the second rank is named one zoom later than one of the first.
const FIRST_NAMED_ZOOM = 2.5
const SHORT_NAMES_ZOOM = 5
const LINE_PX = 12
const DOT_PX = 2
// Where a city is a point, the disc of the trucks in it would cover the name.
const BESIDE_TRUCKS_PX = 18
const BESIDE_PX = 6
const LARGE_CITY_ZOOM = 9

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

const overlaps = (one: Box, other: Box) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

/** Highways and cities on one canvas, below the streets. */
export class DrawnRoads extends CanvasLayer {
  private roads: RoadMap | undefined
  private look: Look | undefined

  constructor() {
    super({ name: 'roads', zIndex: '160' })
  }

  setRoads(roads: RoadMap): void {
    this.roads = roads
    this.drawSoon()
  }

  setLook(look: Look): void {
    this.look = look
    this.drawSoon()
  }

  protected override paint(context: CanvasRenderingContext2D, map: L.Map, { zoom, size, origin }: CanvasPlace): void {
    const { roads, look } = this
    if (!roads || !look) return
    const at = (latitude: number, longitude: number) => map.project([latitude, longitude], zoom).subtract(origin)
    if (zoom <= MOST_ROAD_ZOOM) {
      context.lineWidth = zoom < 5 ? 0.75 : 1.5
      context.strokeStyle = look.road
      context.globalAlpha = 0.7
      for (const [, points] of roads.roads) {
        context.beginPath()
        for (let index = 0; index + 1 < points.length; index += 2) {
          const { x, y } = at(points[index] ?? 0, points[index + 1] ?? 0)
          context.lineTo(x, y)
        }
        context.stroke()
      }
      context.globalAlpha = 1
    }
    const taken: Box[] = []
    const beside = zoom < LARGE_CITY_ZOOM ? BESIDE_TRUCKS_PX : BESIDE_PX
    context.font = `500 ${LINE_PX - 1}px ${look.font}`
    context.textAlign = 'left'
    context.textBaseline = 'middle'
    context.lineJoin = 'round'
    const ranked = roads.cities.toSorted(([, , , one], [, , , other]) => one - other)
    for (const [name, latitude, longitude, rank] of ranked) {
      if (zoom < FIRST_NAMED_ZOOM + rank) continue
      const { x, y } = at(latitude, longitude)
      if (x < 0 || y < 0 || x > size.x || y > size.y) continue
      const text = zoom < SHORT_NAMES_ZOOM ? (name.split(',')[0] ?? name) : name
      const box = { left: x - 6, top: y - 8, right: x + beside + 4 + context.measureText(text).width, bottom: y + 8 }
      if (taken.some((other) => overlaps(box, other))) continue
      taken.push(box)
      context.beginPath()
      context.arc(x, y, DOT_PX, 0, Math.PI * 2)
      context.fillStyle = look.text
      context.fill()
      context.lineWidth = 3
      context.strokeStyle = look.paper
      context.strokeText(text, x + beside, y)
      context.fillText(text, x + beside, y)
    }
  }
}
