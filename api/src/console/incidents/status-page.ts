import { setTimeout as sleep } from 'node:timers/promises'
import { STATUS_PATH, formatDateTime } from '@roadshow/contract'
import type { AppContext } from '../../platform/context.ts'
import { type Html, html, plainPage } from '../../platform/http/html.ts'
import { preparedPage, type PublicPages } from '../../platform/http/pages.ts'
import { type ShownIncident, shownIncidents } from './queries.ts'

/** Services whose absence people notice, in their words. The others cost some speed at most. */
const PARTS: Record<string, string> = {
  storage: 'Files and photos can’t be opened or uploaded.',
  mail: 'Emails are late. None is lost.',
  mygeotab: 'Positions of trucks are not updated. None is lost.',
  singleSignOn: 'The company sign-in does not work. Passwords do.',
}

const ANSWER_MS = 3000

/** The incidents, or undefined if the database does not answer soon: then the page is about that. */
async function readIncidents({ db }: Pick<AppContext, 'db'>): Promise<ShownIncident[] | undefined> {
  return Promise.race([shownIncidents(db).catch(() => undefined), sleep(ANSWER_MS, undefined, { ref: false })])
}

const time = (at: string): Html => html`<time datetime="${at}">${formatDateTime(at, 'UTC')}</time>`

function incident({ title, text, startsAt, endsAt, isOver }: ShownIncident): Html {
  const paragraphs = text.split(/\n+/).filter(Boolean)
  return html`<article>
    <h3>${title}</h3>
    <p>
      <small>${time(startsAt)}${endsAt ? html` to ${time(endsAt)}` : ''}${isOver ? ' · over' : ''}</small>
    </p>
    ${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
  </article>`
}

function summaryOf(found: ShownIncident[] | undefined, problems: readonly string[]): string {
  if (!found) return 'Not available right now'
  const isUnderWay = found.some(({ isOver, hasBegun }) => hasBegun && !isOver)
  return problems.length > 0 || isUnderWay ? 'Some parts are affected' : 'Everything works'
}

/** The status page: no script, no other file, nothing that names a machine or a service of the operator. */
function statusPage(brand: string, found: ShownIncident[] | undefined, problems: readonly string[]): string {
  const [open, past] = [false, true].map((isOver) => (found ?? []).filter((each) => each.isOver === isOver))
  const away =
    'Nothing can be opened or saved until it is back. Devices and the drivers’ app keep their data and send it later.'
  return plainPage(
    `${brand} status`,
    html`<h1>${brand}</h1>
      <h2>${summaryOf(found, problems)}</h2>
      ${found ? '' : html`<p>${away}</p>`}
      ${
        problems.length > 0 &&
        html`<ul>
          ${problems.map((problem) => html`<li>${problem}</li>`)}
        </ul>`
      }
      ${open?.map(incident)}
      ${
        past && past.length > 0
          ? html`<h2>Last 90 days</h2>
              ${past.map(incident)}`
          : ''
      }
      <p><small>As of ${time(new Date().toISOString())}. Reload to see what changed.</small></p>`,
  )
}

export async function statusPages({ db, env, services }: AppContext): Promise<PublicPages> {
  return {
    matches: (pathname) => pathname === STATUS_PATH || pathname === `${STATUS_PATH}/`,
    async render() {
      const problems = services.degraded.flatMap(({ service }) => PARTS[service] ?? [])
      const found = await readIncidents({ db })
      // Each answer is of its moment. Monitors read the status only.
      return { ...preparedPage(statusPage(env.brandName, found, problems)), status: found ? 200 : 503, isPrivate: true }
    },
  }
}
