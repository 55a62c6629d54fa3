import type { PublicPhoto } from '@roadshow/contract'
import { html, type Html } from '../../../../platform/http/html.ts'

export type PictureSize = 'small' | 'medium' | 'large'
export type PictureUrl = (key: string, size: PictureSize) => string

/** Every size with its width: browsers choose by the room there is and the pixels of the screen. */
export const srcset = ({ key, widths }: Pick<PublicPhoto, 'key' | 'widths'>, pictureUrl: PictureUrl): string =>
  (['small', 'medium', 'large'] as const)
    .filter((size, index, sizes) => widths[size] > (widths[sizes[index - 1] ?? size] ?? 0) || index === 0)
    .map((size) => `${pictureUrl(key, size)} ${widths[size]}w`)
    .join(', ')

/** Until the picture is there, and where it never comes. */
export const blurStyle = (photo: PublicPhoto): string => `background-image:url(${photo.blur})`

const altOf = ({ caption, takenAt }: PublicPhoto, market: string) =>
  caption || `${market}${takenAt ? `, ${takenAt.slice(0, 16)}` : ''}`

interface Shown {
  market: string
  /** The room that the page gives it, in the words of the attribute. */
  sizes: string
  pictureUrl: PictureUrl
}

/** A photo with what is said of it. Without a script it is a link to its large picture. */
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
      <time class="figures">${photo.takenAt}</time>
    </figcaption>
  </figure>`
