import type { Reading } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'
import { nameKey } from '../../platform/runtime/name-key.ts'

interface NamedProgram {
  uid: string
  name: string
  client: string
}

/** Programs by their names, which several clients can use. */
export type ProgramsByName = ReadonlyMap<string, NamedProgram[]>

/** Loads the programs with these names, given as keys. */
export async function loadProgramsByName(db: Db, names: readonly string[]): Promise<ProgramsByName> {
  const programs = await db
    .selectFrom('client_program as p')
    .innerJoin('client as c', 'c.uid', 'p.client_uid')
    .select(['p.uid', 'p.name', 'c.name as client'])
    .where(sql<boolean>`lower(p.name collate "default") = any(${[...names]}::text[])`)
    .where('p.deleted_at', 'is', null)
    .execute()
  return groupBy(programs, ({ name }) => nameKey(name))
}

/** The program that a file names; a problem with the client stands at the column of the client. */
export function findProgram(
  name: string,
  client: string | undefined,
  programs: ProgramsByName,
): Reading<string> | { problem: string; column: 'client' } {
  const called = programs.get(nameKey(name)) ?? []
  if (called.length === 0) return { problem: `Program ${name} not found.` }
  const matching = client === undefined ? called : called.filter((each) => nameKey(each.client) === nameKey(client))
  const [first] = matching
  if (first && matching.length === 1) return { value: first.uid }
  const problem =
    matching.length === 0
      ? `${client} has no program with this name.`
      : `Several clients have a program with this name: ${matching.map((each) => each.client).join(', ')}. Enter one of them.`
  return { problem, column: 'client' }
}
