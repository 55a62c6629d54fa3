import type { ColourName } from '../../brand/colours.ts'

/** What a colour of the look is right now: a canvas cannot follow light and dark by itself. */
export function colourNow(element: HTMLElement, name: ColourName): string {
  const probe = element.appendChild(document.createElement('span'))
  probe.style.color = `var(--${name})`
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
