import { formatDays, formatCount, countOf } from '@roadshow/contract'
import { html, type Html } from '../../../../platform/http/html.ts'
import { OPENING_PHOTOS, type OpeningChapter } from '../../publication/opening.ts'
import { daysChart } from './chart.ts'
import { figureList, figureNotes, impressionLine } from './hero.ts'
import { photoFigure, type PictureUrl } from './photo.ts'
import { routeDrawing } from './route.ts'
import { stopsTable } from './stops.ts'
import { mainFigures, chapterNotes, chapterSoFar, photoZoneText } from '../../publication/words.ts'

/** Text as people wrote it: an empty line separates paragraphs. */
export const paragraphs = (text: string): Html =>
  html`${text
    .split(/\n\s*\n/)
    .filter((part) => part.trim())
    .map((part) => html`<p>${part.split('\n').map((line, index) => [index > 0 && html`<br />`, line])}</p>`)}`

// The width of a photo in the style sheet.
const LARGE = '(min-width: 80rem) 76rem, 100vw'
const SMALL = '(min-width: 80rem) 24rem, (min-width: 60rem) 30vw, (min-width: 40rem) 20vw, 46vw'

interface Shown {
  publishedAt: string
  /** The cover is on top of the page already and is not shown large again. */
  cover: string | null
  pictureUrl: PictureUrl
  /** The address of the whole document, which has the photos that the page does not start with. */
  documentUrl: string | null
}

export function chapter(market: OpeningChapter, { publishedAt, cover, pictureUrl, documentUrl }: Shown): Html {
  const { slug, name, state, zone, headline, text, startsOn, endsOn, allPhotos } = market
  const photos = market.photos.slice(0, OPENING_PHOTOS)
  const large = photos.find(({ key }) => key !== cover) ?? photos[0]
  const rest = photos.filter((photo) => photo !== large)
  const soFar = chapterSoFar(publishedAt, market)
  const figures = mainFigures({ ...market, photos: allPhotos })
  const [route, days] = [routeDrawing(market), daysChart(market)]
  return html`<section class="chapter" id="${slug}" aria-labelledby="${slug}-name">
    <div class="opening">
      <p class="when">${formatDays(startsOn, endsOn)}</p>
      ${soFar && html`<p class="so-far">${soFar}</p>`}
      <h2 id="${slug}-name">${name}${state && html`<small>, ${state}</small>`}</h2>
      ${headline && html`<p class="headline">${headline}</p>`}
      <div class="text">${paragraphs(text)}</div>
    </div>
    ${large && html`<div class="large">${photoFigure(large, { market: name, sizes: LARGE, pictureUrl })}</div>`}
    ${figureList(figures)}${impressionLine(market.impressions)}${figureNotes(chapterNotes(market))}
    ${(route || days) && html`<div class="where">${route}${days}</div>`}${stopsTable(market)}
    ${
      rest.length > 0 &&
      html`<h3 class="unseen">Photos from ${name}</h3>
        <div class="grid">${rest.map((photo) => photoFigure(photo, { market: name, sizes: SMALL, pictureUrl }))}</div>`
    }
    ${allPhotos > photos.length && others(allPhotos, photos.length, documentUrl)}
    ${photos.some(({ takenAt }) => takenAt) && html`<p class="zone">${photoZoneText(zone)}</p>`}
  </section>`
}

/** A button that loads the remaining photos; without a script, how many there are. */
const others = (all: number, shown: number, documentUrl: string | null) =>
  html`<p class="more">
    ${
      documentUrl &&
      html`<button type="button" data-document="${documentUrl}" hidden>Show all ${formatCount(all)} photos</button>`
    }<span>${countOf(all - shown, 'more photo')} in this version.</span>
  </p>`
