import {
  API_BASE,
  milesValue,
  NO_GPS,
  NO_PLAY_LOG,
  playsValue,
  countOf,
  type PopDocument,
  type PopFigures,
  publicPop,
} from '@roadshow/contract'
import { fillPlaceholders, type Html, html } from '../../../platform/http/html.ts'
import { toOpening, type PopOpening } from '../publication/opening.ts'
import { chapter, paragraphs } from './parts/chapter.ts'
import { compareMarkets } from './parts/compare.ts'
import { footer } from './parts/footer.ts'
import { hero } from './parts/hero.ts'
import { lightbox } from './parts/lightbox.ts'
import { storySection } from './parts/story.ts'
import type { PictureSize } from '../../photos/index.ts'
import type { PictureUrl } from './parts/photo.ts'
import { summarySentence } from '../publication/words.ts'
import { SHARE_IMAGE } from '../share-image/size.ts'

/** The placeholders in web/pop.html. */
export const HEAD = '<!--POP_HEAD-->'
export const BODY = '<!--POP_BODY-->'
const BARE_SHELL = `<!doctype html><html lang="en"><head><meta charset="utf-8">${HEAD}</head><body>${BODY}</body></html>`

export interface PopPageOptions {
  /** The built web/pop.html, which links style sheet and script. Without it the page is bare. */
  shell?: string | undefined
  /** The public address of the server. */
  publicUrl: string
  pictureUrl: PictureUrl
  isPreview: boolean
  /** Whether search engines may list it. */
  isIndexed?: boolean
  /** The hash of the version's document; a preview has none. */
  sha256?: string
}

/** The address of a public call. */
export const publicAddress = (path: string, values: Record<string, string>) =>
  `${API_BASE}/${path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))}`

/** The public addresses of pictures under a name. */
export const publicPictureUrl =
  (popUrl: string): PictureUrl =>
  (key: string, size: PictureSize) =>
    publicAddress(publicPop.picture.path, { popUrl, key, size })

/** The public page of a version, or of a preview. */
export function popPage(document: PopDocument | PopOpening, options: PopPageOptions): string {
  const opening = 'coverPhoto' in document ? document : toOpening(document)
  const { shell = BARE_SHELL } = options
  return fillPlaceholders(shell, { [HEAD]: head(opening, options), [BODY]: body(opening, options) })
}

function linksOf({ popUrl, version }: PopOpening, publicUrl: string) {
  return {
    pageUrl: `${publicUrl}/programs/${encodeURIComponent(popUrl)}`,
    documentUrl: publicAddress(publicPop.document.path, { popUrl }),
    pdfUrl: publicAddress(publicPop.pdf.path, { popUrl }),
    imageUrl: `${publicUrl}${publicAddress(publicPop.shareImage.path, { popUrl, number: String(version) })}`,
    methodUrl: (version: number) => publicAddress(publicPop.method.path, { popUrl, version: String(version) }),
  }
}

/** Metadata for search engines and link previews, and the footer of printed pages. */
function head(document: PopOpening, options: PopPageOptions): Html {
  const { publicUrl, isIndexed = false, sha256 } = options
  const { program, client, brand, version } = document
  const { pageUrl, imageUrl } = linksOf(document, publicUrl)
  const title = `${program} · ${client}`
  const description = document.headline || summarySentence(document)
  return html`<title>${title} · ${brand}</title><meta name="description" content="${description}" />
    <meta property="og:type" content="website" /><meta property="og:site_name" content="${brand}" />
    <meta property="og:title" content="${title}" /><meta property="og:description" content="${description}" />
    <meta property="og:url" content="${pageUrl}" /><link rel="canonical" href="${pageUrl}" />
    <meta property="og:image" content="${imageUrl}" /><meta property="og:image:type" content="image/jpeg" />
    <meta property="og:image:width" content="${SHARE_IMAGE.width}" />
    <meta property="og:image:height" content="${SHARE_IMAGE.height}" />
    <meta property="og:image:alt" content="${title}: ${summarySentence(document)}" />
    <meta name="twitter:card" content="summary_large_image" />
    <meta name="twitter:image" content="${imageUrl}" /> ${!isIndexed && html`<meta name="robots" content="noindex" />`}
    ${
      sha256 &&
      html`<style>
        @page {
          @bottom-left {
            content: 'Version ${version} · SHA-256 ${sha256}';
          }
        }
      </style>`
    }`
}

function body(document: PopOpening, { publicUrl, pictureUrl, isPreview, sha256 }: PopPageOptions): Html {
  const { headline, text, chapters, coverPhoto } = document
  const links = linksOf(document, publicUrl)
  const shown = {
    publishedAt: document.publishedAt,
    cover: coverPhoto?.key ?? null,
    pictureUrl,
    documentUrl: isPreview ? null : links.documentUrl,
  }
  return html`${isPreview && html`<p class="preview" role="note">Preview, not published.</p>`}
    ${hero(document, pictureUrl)}
    <main>
      ${
        (headline || text) &&
        html`<section class="lead">
          ${headline && html`<p class="headline">${headline}</p>`}
          <div class="text">${paragraphs(text)}</div>
        </section>`
      }
      ${chapters.length > 1 && contents(document)}${chapters.map((each) => chapter(each, shown))}
      ${compareMarkets(chapters)}${storySection(chapters, pictureUrl)}
    </main>
    ${footer(document, { ...links, sha256 })}${lightbox()}`
}

const contents = ({ chapters }: PopOpening) =>
  html`<nav class="contents figures" aria-label="Markets">
    <ol>
      ${chapters.map(
        ({ slug, name, figures, allPhotos }) =>
          html`<li>
            <a href="#${slug}"
              ><b>${name}</b> <span>${shortMiles(figures)}</span> <span>${shortPlays(figures)}</span>
              <span>${countOf(allPhotos, 'photo')}</span></a
            >
          </li>`,
      )}
    </ol>
  </nav>`

const shortMiles = (figures: PopFigures) => (milesValue(figures) === NO_GPS ? NO_GPS : `${milesValue(figures)} mi`)
const shortPlays = (figures: PopFigures) =>
  playsValue(figures) === NO_PLAY_LOG ? NO_PLAY_LOG : countOf(figures.plays, 'play')
