import type { ColorName } from '../../brand/colors.ts'

/** What a color of the look is right now: a canvas cannot follow light and dark by itself. */
export function currentColor(element: HTMLElement, name: ColorName): string {
  const probe = element.appendChild(document.createElement('span'))
  probe.style.color = `var(--${name})`
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
