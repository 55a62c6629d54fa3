import { sql } from 'kysely'
import { countRows, type DependentSource } from '../../platform/deletion/index.ts'

/** POP pages that were ever published. */
export const pageDependents: DependentSource = {
  kind: 'publishedPages',
  count(db, { kind, uid }) {
    const versions = sql`exists (select 1 from pop_version v where v.program_uid = p.uid)`
    if (kind === 'program') return countRows(db, sql`client_program p where p.uid = ${uid} and ${versions}`)
    if (kind === 'client')
      return countRows(db, sql`client_program p where p.client_uid = ${uid} and p.deleted_at is null and ${versions}`)
    return undefined
  },
  screen: ({ kind, uid }) => (kind === 'program' ? `/client-pop?open=${uid}` : `/client-pop?client=${uid}`),
}
