import L from 'leaflet'

// Drawn beyond the edge, so that dragging the map moves the canvas and draws nothing.
const BEYOND = 0.4

/** Where a canvas lies: its size, and its corner in pixels of the whole world at the zoom. */
export interface CanvasPlace {
  zoom: number
  size: L.Point
  origin: L.Point
}

/** A layer on one canvas of its own: moving the map draws nothing, and while it zooms the canvas is stretched as a picture. */
export abstract class CanvasLayer extends L.Layer {
  private readonly canvas = L.DomUtil.create('canvas', 'leaflet-zoom-animated')
  private readonly context = this.canvas.getContext('2d')
  protected map: L.Map | undefined
  protected corner = L.point(0, 0)
  private cornerPlace = L.latLng(0, 0)
  private drawnZoom = 0
  private isStretched = false
  private frame: number | undefined
  private readonly pane: { name: string; zIndex: string }

  constructor(pane: { name: string; zIndex: string }) {
    super()
    this.pane = pane
  }

  /** Draws everything; the canvas is empty. */
  protected abstract paint(context: CanvasRenderingContext2D, map: L.Map, place: CanvasPlace): void

  override onAdd(map: L.Map): this {
    this.map = map
    const { name, zIndex } = this.pane
    const pane = map.getPane(name) ?? map.createPane(name)
    pane.style.zIndex = zIndex
    pane.style.pointerEvents = 'none'
    pane.append(this.canvas)
    this.draw()
    return this
  }

  override onRemove(): this {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame)
    this.frame = undefined
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

  protected drawSoon(): void {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined
      // While the map zooms, the canvas is stretched as a picture; it is redrawn after the zoom.
      if (!this.isStretched) this.draw()
    })
  }

  private draw(): void {
    const { map, context } = this
    if (!map || !context) return
    const size = this.place(map)
    this.drawnZoom = map.getZoom()
    this.isStretched = false
    context.clearRect(0, 0, size.x, size.y)
    this.paint(context, map, { zoom: this.drawnZoom, size, origin: map.getPixelOrigin().add(this.corner) })
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
