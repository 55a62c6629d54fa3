import type { Page, PopRow } from '@roadshow/contract'
import type { Db } from '../../../platform/db/connection.ts'
import type { Scope } from '../../../platform/db/records/scope.ts'
import { popListFor, type PopQuery } from './queries.ts'

/**
 * POPs with photos that wait for approval, then the others, each by name. The few that wait are read by themselves, so that
 * no page sorts all programs.
 */
export async function pageWaitingFirst(db: Db, scope: Scope, query: PopQuery): Promise<Page<PopRow>> {
  const list = popListFor(scope)
  if (query.sort !== 'waiting' || scope.rows !== 'all') return list.page(db, scope, query)
  const { page, pageSize } = query
  const byName = { ...query, sort: 'name' } as const
  const waiting = await list.page(db, scope, { ...byName, waiting: 'yes' })
  const missing = pageSize - waiting.data.length
  if (query.waiting || missing === 0) return { ...waiting, total: query.waiting ? waiting.total : await totalOf() }
  const offset = Math.max(0, (page - 1) * pageSize - waiting.total)
  const first = Math.floor(offset / pageSize) + 1
  const settled = async (at: number) => (await list.page(db, scope, { ...byName, isSettled: true, page: at })).data
  // Pages of the others do not begin where those of the whole list do.
  const found = [...(await settled(first)), ...(await settled(first + 1))]
  const others = found.slice(offset % pageSize, (offset % pageSize) + missing)
  return { data: [...waiting.data, ...others], page, pageSize, total: await totalOf() }

  async function totalOf(): Promise<number> {
    return (await list.page(db, scope, { ...byName, page: 1, pageSize: 1 })).total
  }
}
