import { formatDays } from '@roadshow/contract'
import { html, type Html } from '../../../../platform/http/html.ts'
import type { PopOpening } from '../../publication/opening.ts'
import { type PictureUrl, srcset, blurStyle } from './photo.ts'
import {
  pluralize,
  formatNumber,
  formatHours,
  listMarkets,
  formatMileCount,
  formatShare,
} from '../../publication/words.ts'

interface PageFigure {
  value: string
  unit: string
  /** A detail below the number. */
  of: string
}

/** The main figures of a program or a market. */
export const figureList = (shown: readonly PageFigure[]): Html =>
  html`<dl class="numbers figures">
    ${shown.map(
      ({ value, unit, of }) =>
        html`<div>
          <dt>${unit}</dt>
          <dd class="value">${value}</dd>
          ${of && html`<dd class="of">${of}</dd>`}
        </div>`,
    )}
  </dl>`

export const driveAndPlayFigures = (figures: PopOpening['figures']): PageFigure[] => [
  {
    value: formatMileCount(figures.metres),
    unit: 'miles driven',
    of: figures.trucks > 0 ? `by ${pluralize(figures.trucks, 'truck')}` : '',
  },
  {
    value: formatHours(figures.seconds),
    unit: 'hours on the street',
    of: figures.days > 0 ? `on ${pluralize(figures.days, 'day')}` : '',
  },
  {
    value: formatNumber(figures.plays),
    unit: figures.plays === 1 ? 'ad play' : 'ad plays',
    of: figures.plays > 0 ? `${formatShare(figures.verifiedPlays, figures.plays)} verified` : '',
  },
]

/** The fourth figure: photos, or shifts where there are no photos. */
export const photosOrShifts = (photos: number, { shifts }: PopOpening['figures'], of = ''): PageFigure =>
  photos > 0
    ? { value: formatNumber(photos), unit: photos === 1 ? 'photo' : 'photos', of }
    : { value: formatNumber(shifts), unit: shifts === 1 ? 'shift' : 'shifts', of: '' }

const cover = (photo: NonNullable<PopOpening['coverPhoto']>, pictureUrl: PictureUrl) =>
  html`<img
    class="cover"
    src="${pictureUrl(photo.key, 'medium')}"
    srcset="${srcset(photo, pictureUrl)}"
    sizes="100vw"
    width="${photo.width}"
    height="${photo.height}"
    alt="${photo.caption}"
    fetchpriority="high"
    style="${blurStyle(photo)}"
  />`

export function hero(document: PopOpening, pictureUrl: PictureUrl): Html {
  const { brand, client, logo, program, startsOn, endsOn, chapters, coverPhoto, figures, photos } = document
  const last = photosOrShifts(photos, figures, `${formatNumber(document.verifiedPhotos)} verified`)
  return html`<header class="hero">
    <p class="masthead"><b>${brand}</b> <span>Proof of play</span></p>
    ${coverPhoto && cover(coverPhoto, pictureUrl)}
    <div class="panel">
      <p class="client">
        ${
          logo &&
          html`<img
            src="${pictureUrl(logo.key, 'large')}"
            width="${logo.width}"
            height="${logo.height}"
            alt=""
            class="logo"
          />`
        }${client}
      </p>
      <h1>${program}</h1>
      <p class="when">
        ${formatDays(startsOn, endsOn)}${chapters.length > 0 && html`<span>${listMarkets(chapters)}</span>`}
      </p>
    </div>
    ${figureList([...driveAndPlayFigures(figures), last])}
  </header>`
}
