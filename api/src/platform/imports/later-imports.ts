import { importKindLabel, type ImportKindName } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import type { ImportState } from '../import-kind.ts'

/** What an import that stands did to a record. */
interface Step {
  run: string
  at: string
  kind: ImportKindName
  fileName: string
  uid: string
  version: number
  versionBefore: number | null
}

/** What imports that were not undone did to records. */
async function loadSteps(db: Db, runUid: string, uids: readonly string[]): Promise<Step[]> {
  const { rows } = await sql<Step>`
    select r.uid as run, r.at, r.kind, r.file_name as "fileName", s.uid, s.version, s."versionBefore"
      from import_run r, jsonb_to_recordset(r.states) s (uid uuid, version int, "versionBefore" int)
     where r.uid <> ${runUid} and r.undone_at is null and r.states is not null and s.uid = any(${[...uids]}::uuid[])
     order by r.at, r.uid`.execute(db)
  return rows
}

/** The import that brought a record where it is, if imports alone led there from a version; else undefined. */
function lastOfChain(steps: ReadonlyMap<string, Step>, from: ImportState, now: number | undefined): Step | undefined {
  const last = steps.get(`${from.uid} ${now}`)
  let step = last
  while (step && step.versionBefore !== from.version) step = steps.get(`${from.uid} ${step.versionBefore}`)
  return step && last
}

/**
 * What stands on an import whose records are not as it left them: the newest later import, in words, with its records. If
 * people changed some of the records since, only those are answered: undoing later imports would not help.
 */
export async function findLaterImport(
  db: Db,
  runUid: string,
  others: readonly ImportState[],
  versions: ReadonlyMap<string, number>,
): Promise<{ later: string | undefined; uids: string[] }> {
  const loaded = await loadSteps(
    db,
    runUid,
    others.map(({ uid }) => uid),
  )
  const steps = new Map(loaded.map((step) => [`${step.uid} ${step.version}`, step]))
  const found = others.map((state) => ({ state, step: lastOfChain(steps, state, versions.get(state.uid)) }))
  const byHand = found.flatMap(({ state, step }) => (step ? [] : [state.uid]))
  const runs = new Set(found.flatMap(({ step }) => step?.run ?? []))
  const newest = loaded.findLast(({ run }) => runs.has(run))
  if (byHand.length > 0 || !newest) return { later: undefined, uids: byHand }
  const uids = found.flatMap(({ state, step }) => (step?.run === newest.run ? [state.uid] : []))
  return { later: `${newest.fileName} (${importKindLabel[newest.kind]})`, uids }
}
