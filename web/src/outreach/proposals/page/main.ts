import { drawnSheets, whenNear } from '../../../proof/public-page/when-near.ts'

// The page works without scripts, the acceptance included. These make it nicer to use.

whenNear(drawnSheets(), async (sheet) => {
  const { showPlaces } = await import('./street-places.ts')
  return showPlaces(sheet)
})

// Paper shows what is folded on the screen.
addEventListener('beforeprint', () => {
  for (const folded of document.querySelectorAll('details')) folded.open = true
})

// A second click while the first is on its way would only be refused.
document.querySelector<HTMLFormElement>('form.accept')?.addEventListener('submit', (event) => {
  const button = (event.currentTarget as HTMLFormElement).querySelector('button')
  if (button) button.disabled = true
})
