import type { Page } from '@playwright/test'

/**
 * The texts of a page, or of the dialog over it, that no reader can see in full: cut by the frame around them without a
 * title that says more. A frame that scrolls, and tabs that slide under a finger, cut nothing.
 */
export async function cutTextsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    // A letter may hang over its box by a fraction, and a line box is higher than its letters.
    const [WIDER, HIGHER] = [1.5, 5]
    // A typed name may be longer than its field; a day, a time or an amount must stand there in full.
    const SHORT = 14
    const part = [...document.querySelectorAll('[role="dialog"]')].at(-1) ?? document.body
    const isSeen = (each: Element) =>
      each.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !each.closest('[aria-hidden="true"]')
    const isFrame = (each: Element) =>
      /auto|scroll/.test(getComputedStyle(each).overflow) || each.matches('.ant-tabs-nav-wrap')

    const isCut = (lines: DOMRect[], from: Element): boolean => {
      for (let frame: Element | null = from; frame && frame !== document.body; frame = frame.parentElement) {
        if (isFrame(frame)) return false
        const { overflowX, overflowY, position, display } = getComputedStyle(frame)
        if (display === 'inline' || display === 'contents') continue
        const box = frame.getBoundingClientRect()
        // What is only read aloud is a point on the screen.
        if (box.width <= 2 || box.height <= 2) return false
        const isBeyond = (line: DOMRect) =>
          (overflowX !== 'visible' && (line.right > box.right + WIDER || line.left < box.left - WIDER)) ||
          (overflowY !== 'visible' && (line.bottom > box.bottom + HIGHER || line.top < box.top - HIGHER))
        if (lines.some(isBeyond)) return true
        if (position === 'fixed') return false
      }
      return false
    }
    /** Cells of tables get their title under the pointer. */
    const hasTitle = (from: Element): boolean => {
      from.closest('td')?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
      return Boolean(from.closest('[title]')?.getAttribute('title'))
    }

    const found: string[] = []
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    while (walker.nextNode()) {
      const { currentNode: node } = walker
      const [words, parent] = [node.textContent?.trim() ?? '', node.parentElement]
      if (!words || !parent || parent.closest('svg, .leaflet-container') || !isSeen(parent)) continue
      range.selectNodeContents(node)
      const isDrawn = getComputedStyle(parent).color !== 'rgba(0, 0, 0, 0)'
      if (isDrawn && isCut([...range.getClientRects()], parent) && !hasTitle(parent)) found.push(`“${words}” is cut`)
    }
    const pen = document.createElement('canvas').getContext('2d')
    for (const field of part.querySelectorAll<HTMLInputElement>('input:is([type="text"], :not([type]))')) {
      const words = field.value || field.placeholder
      const isShort = field.value === '' || field.value.length <= SHORT
      if (!pen || !words || !isShort || !isSeen(field)) continue
      const { font, paddingLeft, paddingRight } = getComputedStyle(field)
      pen.font = font
      const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
      if (pen.measureText(words).width > room + WIDER) found.push(`“${words}” is cut in its field`)
    }
    return [...new Set(found)]
  })
}
