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

/** The cover is what people see first: maps and newer figures wait until it is there. */
function begin(): void {
  showMaps()
  keepCurrent()
}

if (document.readyState === 'complete') begin()
else addEventListener('load', begin, { once: true })
