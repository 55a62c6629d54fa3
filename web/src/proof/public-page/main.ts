import { compareTwo } from './compare.ts'
import { openLightbox } from './lightbox.ts'
import { choosePicture, showAllPhotos } from './more-photos.ts'
import { drawnSheets, whenNear } from './when-near.ts'

// The page works without scripts. These make it nicer to use.

document.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : undefined
  const photo = target?.closest<HTMLAnchorElement>('.photo > a')
  const asksForOther = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0
  if (photo && !asksForOther) {
    event.preventDefault()
    openLightbox(photo)
  }
})

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-document]')) {
  button.hidden = false
  button.addEventListener('click', () => void showAllPhotos(button))
}

for (const section of document.querySelectorAll<HTMLElement>('.compare')) compareTwo(section)

whenNear(drawnSheets(), async (sheet) => {
  const { showStreets } = await import('./street-map.ts')
  return showStreets(sheet)
})

// Paper has no scrolling that would load them.
addEventListener('beforeprint', () => {
  for (const picture of document.querySelectorAll('img')) {
    picture.loading = 'eager'
    choosePicture(picture)
  }
  for (const folded of document.querySelectorAll<HTMLDetailsElement>('.story details, .stops details'))
    folded.open = true
})
