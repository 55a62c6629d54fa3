import { openLightbox } from '../../public-page/lightbox.ts'
import { keepCurrent } from './live.ts'
import { showMaps } from './trucks.ts'

// The page works without scripts. These keep it current and make it nicer to use.

document.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : undefined
  const photo = target?.closest<HTMLAnchorElement>('.photo > a')
  const asksForOther = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0
  if (photo && !asksForOther) {
    event.preventDefault()
    openLightbox(photo)
  }
})

// Paper has no scrolling that would load them.
addEventListener('beforeprint', () => {
  for (const picture of document.querySelectorAll('img')) picture.loading = 'eager'
})

// A cover that hangs must not keep an open page from hearing that its link has ended.
const LONGEST_WAIT_MS = 3000

const isLoaded = new Promise<unknown>((resolve) => {
  if (document.readyState === 'complete') resolve(undefined)
  else addEventListener('load', resolve, { once: true })
})
const isLate = new Promise<unknown>((resolve) => {
  setTimeout(resolve, LONGEST_WAIT_MS)
})

// The cover is what people see first: maps and newer figures wait until it is there.
await Promise.race([isLoaded, isLate])
showMaps()
keepCurrent()
