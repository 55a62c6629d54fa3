import { formatCount, formatDays, gapSentences, countOf, publicCampaign, weekTexts } from '@roadshow/contract'
import { fillPlaceholders, type Html, html } from '../../../platform/http/html.ts'
import {
  coverImage,
  daysChart,
  figureNotes,
  type LatLng,
  lightbox,
  listMarkets,
  photoFigure,
  type PictureUrl,
  publicAddress,
  routeDrawing,
} from '../../pop/index.ts'
import { type LinkContent, linkTrucks, shiftText } from './content.ts'
import { lineTexts, trucksText } from './words.ts'

// Placeholders in web/campaign.html.
const HEAD = '<!--CAMPAIGN_HEAD-->'
const BODY = '<!--CAMPAIGN_BODY-->'

export interface LinkPageOptions {
  /** The built web/campaign.html, which links style sheet and script. */
  shell: string
  brand: string
  /** Whom to ask for a new link. */
  contactEmail: string | undefined
  token: string
  /** The routes of the last shifts by the uid of the market. */
  routes: ReadonlyMap<string, readonly string[]>
}

/** The page of a campaign link. It works without a script; with one its figures and trucks stay current. */
export function linkPage(content: LinkContent, options: LinkPageOptions): string {
  const { shell, brand } = options
  const title = `${content.program} · ${content.client} · ${brand}`
  return fillPlaceholders(shell, {
    [HEAD]: html`<title>${title}</title><meta name="robots" content="noindex" />`,
    [BODY]: body(content, options),
  })
}

/** The page of a link that leads nowhere: unknown, expired or revoked. */
export const endedLinkPage = (shell: string, company: Pick<LinkPageOptions, 'brand' | 'contactEmail'>): string =>
  fillPlaceholders(shell, {
    [HEAD]: html`<title>Link not available · ${company.brand}</title><meta name="robots" content="noindex" />`,
    [BODY]: html`<main class="hero ended-page">
      <p class="masthead"><b>${company.brand}</b></p>
      ${endedPanel(company)}
    </main>`,
  })

const endedPanel = ({ brand, contactEmail }: Pick<LinkPageOptions, 'brand' | 'contactEmail'>) =>
  html`<div class="panel">
    <h1>This link has ended.</h1>
    <p class="when">
      ${
        contactEmail
          ? html`Ask ${brand} for a new one: <a href="mailto:${contactEmail}">${contactEmail}</a>`
          : `Ask your contact at ${brand} for a new one.`
      }
    </p>
  </div>`

function body(content: LinkContent, { brand, contactEmail, token, routes }: LinkPageOptions): Html {
  const pictureUrl: PictureUrl = (key, size) => publicAddress(publicCampaign.picture.path, { token, key, size })
  return html`<div id="campaign" data-live="${publicAddress(publicCampaign.live.path, { token })}">
      ${hero(content, brand, pictureUrl)}
      <main>
        ${trucks(content, routes)}${delivery(content)}${photos(content, pictureUrl)}${week(content)}${upcoming(content)}
      </main>
      ${footer(content, brand)}${lightbox()}
    </div>
    <div class="hero ended" role="alert" hidden>${endedPanel({ brand, contactEmail })}</div>`
}

const newestFrom = (market: string) => `The newest photo${market && ` from ${market}`}`

function hero(content: LinkContent, brand: string, pictureUrl: PictureUrl): Html {
  const { program, client, startsOn, endsOn, markets, photos } = content
  const [cover] = photos
  return html`<header class="hero">
    <p class="masthead"><b>${brand}</b> <span>Campaign</span></p>
    ${cover && coverImage(cover, cover.caption || newestFrom(cover.market), pictureUrl)}
    <div class="panel">
      <p class="client">${client}</p>
      <h1>${program}</h1>
      <p class="when">
        ${formatDays(startsOn, endsOn)}${markets.length > 0 && html`<span>${listMarkets(markets)}</span>`}
      </p>
    </div>
    <dl class="numbers figures">
      ${weekTexts(content.week).map(
        ({ name, value, unit, note }) =>
          html`<div>
            <dt>${unit}</dt>
            <dd class="value" data-text="${name}">${value}</dd>
            <dd class="of" data-text="${name}-note">${note}</dd>
          </div>`,
      )}
    </dl>
    ${figureNotes(gapSentences({ ...content.week.figures, trucks: 0, days: 0, conflictPlays: 0, playSeconds: 0 }))}
  </header>`
}

const section = (id: string, title: string, ...parts: (Html | null | false)[]): Html =>
  html`<section class="chapter" id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${parts}
  </section>`

/** Where the trucks were, and where they drove on their last shifts. */
function trucks(content: LinkContent, routes: LinkPageOptions['routes']): Html {
  const shown = linkTrucks(content)
  const drawings = content.markets.flatMap(({ uid, name }) => {
    const places = shown
      .filter(({ market }) => market === name)
      .map(({ latitude, longitude }): LatLng => [latitude, longitude])
    const drawing = routeDrawing({ name, routes: [...(routes.get(uid) ?? [])], trucks: places })
    return drawing
      ? html`<div>
          <h3>${name}</h3>
          ${drawing}
        </div>`
      : []
  })
  return section(
    'trucks',
    'Where the trucks are',
    html`<p class="lead-text" data-sentence aria-live="polite">${trucksText(content)}</p>`,
    drawings.length > 0 && html`<div class="where">${drawings}</div>`,
  )
}

/** What is booked beside what is delivered. */
function delivery(content: LinkContent): Html | false {
  const lines = lineTexts(content)
  if (lines.length === 0) return false
  return section(
    'delivery',
    'Booked and delivered',
    html`<ul class="lines">
      ${lines.map(
        ({ market, state, label, pace, delivered, forecast, share, due }, index) =>
          html`<li data-state="${state}">
            <h3>${market} <b class="state" data-text="line-${index}-label">${label}</b></h3>
            <p class="bar-of" aria-hidden="true">
              <span style="width:${(share * 100).toFixed(1)}%"></span><i style="left:${(due * 100).toFixed(1)}%"></i>
            </p>
            <p class="figures"><span data-text="line-${index}">${delivered}</span></p>
            <p class="soft figures"><span data-text="line-${index}-pace">${pace}</span></p>
            <p class="soft figures" data-text="line-${index}-forecast">${forecast}</p>
          </li>`,
      )}
    </ul>`,
  )
}

const SIZES = '(min-width: 80rem) 24rem, (min-width: 60rem) 30vw, (min-width: 40rem) 20vw, 46vw'

function photos({ photos: shown, photosTotal }: LinkContent, pictureUrl: PictureUrl): Html | false {
  if (shown.length === 0) return false
  return section(
    'photos',
    'Photos',
    html`<div class="grid">
      ${shown.map((photo) => photoFigure(photo, { market: photo.market, sizes: SIZES, pictureUrl }))}
    </div>`,
    photosTotal > shown.length &&
      html`<p class="more">The newest ${countOf(shown.length, 'photo')} of ${formatCount(photosTotal)}.</p>`,
  )
}

function week({ week: { days } }: LinkContent): Html | false {
  const chart = daysChart({ name: 'This week', perDay: days })
  return chart !== null && section('week', 'This week', html`<div class="where">${chart}</div>`)
}

function upcoming({ upcoming: shifts }: LinkContent): Html | false {
  if (shifts.length === 0) return false
  return section(
    'upcoming',
    'Next shifts',
    html`<ul class="upcoming figures">
      ${shifts.map((shift) => html`<li><b>${shiftText(shift)}</b> <span>${shift.market}</span></li>`)}
    </ul>`,
  )
}

const footer = ({ delivery: delivered }: LinkContent, brand: string): Html =>
  html`<footer>
    <section aria-labelledby="method">
      <h2 id="method">How these numbers are made</h2>
      <dl>
        <dt>Trucks</dt>
        <dd>
          Positions come from the trucks’ GPS trackers while they are on shifts of this campaign, a set time ago. Places
          where trucks park are left out.
        </dd>
        <dt>Miles and plays</dt>
        <dd>
          Miles are measured from GPS positions and odometers, plays are logged by the players. Both belong to the local
          day on which the shift started. “This week” begins on Monday.
        </dd>
        ${
          (delivered?.lines.length ?? 0) > 0 &&
          html`<dt>Booked and delivered</dt>
            <dd>Delivered is compared with what is due by the last full day, in equal parts each day.</dd>`
        }
      </dl>
    </section>
    <section class="version">
      <p>${brand}. Figures are live and may still change; the proof of play is final.</p>
    </section>
  </footer>`
