import { photoTimeText, type PublicPhoto, TIME_UNKNOWN } from '@roadshow/contract'
import { html, type Html } from '../../../../platform/http/html.ts'
import type { PictureSize } from '../../../photos/index.ts'

export type PictureUrl = (key: string, size: PictureSize) => string

/** Every size with its width; the browser chooses one by layout and screen. */
const srcset = ({ key, widths }: Pick<PublicPhoto, 'key' | 'widths'>, pictureUrl: PictureUrl): string =>
  (['small', 'medium', 'large'] as const)
    .filter((size, index, sizes) => widths[size] > (widths[sizes[index - 1] ?? size] ?? 0) || index === 0)
    .map((size) => `${pictureUrl(key, size)} ${widths[size]}w`)
    .join(', ')

/** Shows a blurred picture until the real one has loaded. */
export const blurStyle = (photo: PublicPhoto): string => `background-image:url(${photo.blur})`

/** The picture on top of a page. */
export const coverImage = (photo: PublicPhoto, alt: string, pictureUrl: PictureUrl): Html =>
  html`<img
    class="cover"
    src="${pictureUrl(photo.key, 'medium')}"
    srcset="${srcset(photo, pictureUrl)}"
    sizes="100vw"
    width="${photo.width}"
    height="${photo.height}"
    alt="${alt}"
    fetchpriority="high"
    style="${blurStyle(photo)}"
  />`

const altOf = ({ caption, takenAt }: PublicPhoto, market: string) =>
  caption || [market, takenAt && photoTimeText(takenAt)].filter(Boolean).join(', ')

interface Shown {
  market: string
  /** The `sizes` attribute: its width on the page. */
  sizes: string
  pictureUrl: PictureUrl
}

/** A photo with its caption and evidence. Without a script it links to its large picture. */
export const photoFigure = (photo: PublicPhoto, { market, sizes, pictureUrl }: Shown): Html =>
  html`<figure class="photo" data-key="${photo.key}">
    <a href="${pictureUrl(photo.key, 'large')}"
      ><img
        src="${pictureUrl(photo.key, 'small')}"
        srcset="${srcset(photo, pictureUrl)}"
        sizes="${sizes}"
        width="${photo.width}"
        height="${photo.height}"
        alt="${altOf(photo, market)}"
        loading="lazy"
        decoding="async"
        style="${blurStyle(photo)}"
    /></a>
    <figcaption>
      <span class="caption">${photo.caption}</span>
      <span class="proof"
        ><b class="grade" data-grade="${photo.grade}">${photo.grade}</b>
        <span class="reason">${photo.reason}</span></span
      >
      <time class="figures" datetime="${photo.takenAt ?? ''}"
        >${photo.takenAt ? photoTimeText(photo.takenAt) : TIME_UNKNOWN}</time
      >
    </figcaption>
  </figure>`
