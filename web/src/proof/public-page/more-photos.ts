import type { PopDocument, PublicPhoto } from '@roadshow/contract/proof/pop-document'
import { photoTimeText, TIME_UNKNOWN } from '@roadshow/contract/proof/pop-words'

// A group that is not in sight costs next to nothing, so that thousands of photos do not hold the page up.
const IN_GROUP = 60
// The page paints after so many.
const BETWEEN_BREATHS = 6 * IN_GROUP

const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue
      near.unobserve(target)
      for (const picture of target.querySelectorAll('img')) choosePicture(picture)
    }
  },
  { rootMargin: '1200px' },
)

export function choosePicture(picture: HTMLImageElement): void {
  picture.srcset = picture.dataset.srcset ?? picture.srcset
  delete picture.dataset.srcset
}

let fetched: Promise<PopDocument> | undefined

async function fetchDocument(url: string): Promise<PopDocument> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`)
  return (await answer.json()) as PopDocument
}

/** Adds the photos of a market that the page did not begin with. */
export async function showAllPhotos(button: HTMLButtonElement): Promise<void> {
  const chapter = button.closest<HTMLElement>('.chapter')
  const grid = chapter?.querySelector('.grid')
  const like = grid?.querySelector<HTMLElement>('.photo')
  const line = button.parentElement
  const told = line?.querySelector('span')
  if (!chapter || !grid || !like || !line || !told) return
  button.disabled = true
  told.textContent = 'Loading …'
  try {
    fetched ??= fetchDocument(button.dataset.document ?? '')
    const { chapters } = await fetched
    const market = chapters.find(({ slug }) => slug === chapter.id)
    const known = new Set([...chapter.querySelectorAll<HTMLElement>('.photo')].map(({ dataset }) => dataset.key))
    const missing = market?.photos.filter(({ key }) => !known.has(key)) ?? []
    const height = grid.getBoundingClientRect().height / grid.childElementCount
    for (let from = 0; from < missing.length; from += IN_GROUP) {
      const figures = missing.slice(from, from + IN_GROUP).map((photo) => figureLike(like, photo, market?.name ?? ''))
      const group = document.createElement('div')
      group.className = 'grid far'
      group.style.setProperty('--height', `${Math.round(height * figures.length)}px`)
      group.append(...figures)
      line.before(group)
      near.observe(group)
      if (from === 0) figures[0]?.querySelector('a')?.focus({ preventScroll: true })
      if (from % BETWEEN_BREATHS === 0) await new Promise((next) => void setTimeout(next))
    }
    line.remove()
  } catch {
    fetched = undefined
    button.disabled = false
    told.textContent = 'The photos could not be loaded. Try again.'
  }
}

/** A photo made like one that the server wrote. */
function figureLike(like: HTMLElement, photo: PublicPhoto, market: string): HTMLElement {
  const figure = like.cloneNode(true) as HTMLElement
  const link = figure.querySelector('a')
  const picture = figure.querySelector('img')
  if (!link || !picture) return figure
  const large = link.href
  const address = (size: string) => large.replace(`${like.dataset.key}/large`, `${photo.key}/${size}`)
  figure.dataset.key = photo.key
  link.href = address('large')
  // Chosen when its group comes near: each picture that watches for that itself would cost its part of every frame.
  picture.removeAttribute('src')
  picture.removeAttribute('srcset')
  picture.loading = 'eager'
  picture.dataset.srcset = Object.entries(photo.widths)
    .map(([size, width]) => `${address(size)} ${width}w`)
    .join(', ')
  picture.width = photo.width
  picture.height = photo.height
  picture.alt = photo.caption || [market, photo.takenAt && photoTimeText(photo.takenAt)].filter(Boolean).join(', ')
  picture.style.backgroundImage = `url(${photo.blur})`
  const grade = figure.querySelector<HTMLElement>('.grade')
  if (grade) grade.dataset.grade = photo.grade
  write(figure, '.grade', photo.grade)
  write(figure, '.caption', photo.caption)
  write(figure, '.reason', photo.reason)
  write(figure, 'time', photo.takenAt ? photoTimeText(photo.takenAt) : TIME_UNKNOWN)
  return figure
}

const write = (figure: HTMLElement, selector: string, text: string) => {
  const element = figure.querySelector(selector)
  if (element) element.textContent = text
}
