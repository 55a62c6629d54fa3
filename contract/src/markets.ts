import * as z from './zod.ts'
import { line, listQuery, page, requiredLine, uid, version } from './common.ts'
import { endpoint } from './endpoint.ts'

/** A metro area in which programs run. Its zone is the zone of every time shown for it. */
export const market = z.strictObject({
  uid,
  name: requiredLine(80),
  /** Two letters, such as TX. */
  state: line(2),
  /** IANA zone, such as America/Chicago. */
  zone: z.string(),
  version,
})
export type Market = z.infer<typeof market>

export const markets = {
  list: endpoint({
    method: 'GET',
    path: 'markets/run',
    access: { module: ['clients', 'schedule', 'trucks'], needs: 'view' },
    summary: 'Markets by name: the lookup of every form that asks for one.',
    added: true,
    query: listQuery(['name', 'state'], {}),
    reply: page(market),
  }),
}
