import type { Page } from '@playwright/test'

/**
 * The texts of a page, or of the dialog over it, whose color differs too little from what is behind them (WCAG 2.2 AA). Takes
 * a fraction of what axe takes, so that every screen can be looked at in light and dark. Texts over pictures are left out.
 */
export async function faintTextsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const part = [...document.querySelectorAll('[role="dialog"]')].at(-1) ?? document.body
    const OFF = '[disabled], [aria-disabled="true"], [aria-hidden="true"], svg, .leaflet-container, [data-faded="true"]'
    type Rgba = [red: number, green: number, blue: number, alpha: number]
    const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    const known = new Map<string, Rgba>()
    // A canvas knows every way to write a color.
    const read = (color: string): Rgba => {
      const before = known.get(color)
      if (before || !pen) return before ?? [0, 0, 0, 0]
      pen.clearRect(0, 0, 1, 1)
      pen.fillStyle = color
      pen.fillRect(0, 0, 1, 1)
      const [red = 0, green = 0, blue = 0, alpha = 0] = pen.getImageData(0, 0, 1, 1).data
      const found: Rgba = [red, green, blue, alpha / 255]
      known.set(color, found)
      return found
    }
    const over = ([r, g, b, a]: Rgba, [R, G, B]: Rgba): Rgba => [
      r * a + R * (1 - a),
      g * a + G * (1 - a),
      b * a + B * (1 - a),
      1,
    ]
    const light = ([red, green, blue]: Rgba) => {
      const [r = 0, g = 0, b = 0] = [red, green, blue]
        .map((each) => each / 255)
        .map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4))
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /** What a text stands on; undefined over a picture, or where something is half faded. */
    const groundOf = (from: Element): Rgba | undefined => {
      const layers: Rgba[] = []
      for (let each: Element | null = from; each; each = each.parentElement) {
        const { backgroundColor, backgroundImage, opacity, position } = getComputedStyle(each)
        if (backgroundImage !== 'none' || Number(opacity) < 1) return undefined
        const color = read(backgroundColor)
        if (color[3] > 0) layers.push(color)
        if (color[3] === 1) break
        // What floats without a ground of its own may stand on anything.
        if (position === 'absolute' || position === 'fixed') return undefined
      }
      if (layers.at(-1)?.[3] !== 1) return undefined
      return layers.reduceRight((ground, layer) => over(layer, ground))
    }

    const found = new Set<string>()
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const words = walker.currentNode.textContent?.trim() ?? ''
      const parent = walker.currentNode.parentElement
      if (!words || !parent || parent.closest(OFF)) continue
      if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
      const { color, fontSize, fontWeight } = getComputedStyle(parent)
      const [ink, ground] = [read(color), groundOf(parent)]
      if (!ground || ink[3] === 0) continue
      const [one, other] = [light(over(ink, ground)), light(ground)]
      const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
      const size = Number.parseFloat(fontSize)
      const least = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5
      if (ratio < least - 0.01) found.add(`“${words}” is faint, ${ratio.toFixed(1)} to 1`)
    }
    return [...found]
  })
}
