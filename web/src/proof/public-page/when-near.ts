// Maps are loaded a little before they come into view.
const FAR = '400px'

/** Acts on each drawing that a street map can replace as it comes near, where a source of tiles is set. */
export function whenNear(sheets: Iterable<HTMLElement>, act: (sheet: HTMLElement) => Promise<unknown>): void {
  if (!document.querySelector<HTMLMetaElement>('meta[name="tiles"]')?.content) return
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue
        near.unobserve(target)
        // Without it the drawing stays.
        void act(target as HTMLElement).catch(() => undefined)
      }
    },
    { rootMargin: FAR },
  )
  for (const sheet of sheets) near.observe(sheet)
}

/** The drawings of a page. */
export const drawnSheets = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.route .sheet')]
