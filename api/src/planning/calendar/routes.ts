import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { API_BASE, calendar, addDays, landsOnDriverApp, localDay, rowAccessFor } from '@roadshow/contract'
import { AppError } from '../../platform/runtime/app-error.ts'
import { recipientLanguage } from '../../accounts/sign-in/index.ts'
import type { AppContext } from '../../platform/context.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import type { App } from '../../platform/http/app.ts'
import { Download } from '../../platform/http/download.ts'
import { serve } from '../../platform/http/serve.ts'
import { hashToken } from '../../platform/http/session.ts'
import { loadShifts } from '../shifts/index.ts'
import { renderCalendar } from './ics.ts'
import { removeLink, findLink, findLinkOwner, noteUse, replaceLink } from './queries.ts'

const DAYS_BACK = 30
const DAYS_AHEAD = 180

const [BEFORE_TOKEN = ''] = calendar.feed.path.split('{token}')

/** The address of a call without the token that makes it private. */
export function hideCalendarToken(url: string): string {
  const at = url.indexOf(BEFORE_TOKEN)
  return at < 0 ? url : `${url.slice(0, at + BEFORE_TOKEN.length)}…`
}

export function calendarRoutes(app: App, { env }: AppContext): void {
  const { publicUrl } = env
  serve(app, calendar.link, async ({ db, scope }) => ({
    data: { since: (await findLink(db, scope.actor.uid))?.created_at ?? null },
  }))

  serve(app, calendar.createLink, async ({ db, scope }) => {
    const token = randomBytes(32).toString('base64url')
    const { created_at: since } = await replaceLink(db, scope.actor.uid, hashToken(token))
    return { data: { url: `${publicUrl}${API_BASE}/${BEFORE_TOKEN}${token}`, since } }
  })

  serve(app, calendar.removeLink, async ({ db, scope }) => {
    await removeLink(db, scope.actor.uid)
    return { data: { since: null } }
  })

  serve(app, calendar.feed, async ({ db, params, request }) => {
    const found = await findLinkOwner(db, hashToken(params.token))
    // A user who lost access to shifts also loses the feed.
    const rows = found && rowAccessFor(found, calendar.link.access)
    if (!rows) throw new AppError('notFound')
    const { linkUid, ...owner } = found
    app.kernel.inBackground(noteUse(app.kernel.db, linkUid, request.ip))
    // A link has no session.
    const scope: Scope = { rows, actor: { ...owner, sessionUid: '', address: request.ip } }
    const language = await recipientLanguage(db, owner.uid)
    const calendarOf = {
      brandName: env.brandName,
      publicUrl,
      name: owner.name,
      language,
      hasDriverApp: landsOnDriverApp(owner),
    }
    const today = localDay('UTC', await sharedNow(db))
    const days = { from: addDays(today, -DAYS_BACK), to: addDays(today, DAYS_AHEAD) }
    // The shifts that the user drives, even if the user can see all shifts.
    const ics = renderCalendar(await loadShifts(db, scope, { ...days, driver: [owner.uid] }), calendarOf)
    return new Download('shifts.ics', 'text/calendar; charset=utf-8', Readable.from([ics]), {
      headers: { 'cache-control': 'no-store' },
    })
  })
}
