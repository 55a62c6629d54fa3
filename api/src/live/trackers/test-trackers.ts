import { sources, type sendingSourceKinds, truckTrackers } from '@roadshow/contract'
import type { World } from '@roadshow/test-kit/world'
import { sql } from 'kysely'

/** Sources with keys, and trucks that they know, in the given world. */
export function openTrackers({ db, call }: World) {
  let count = 0

  async function addSource(kind: (typeof sendingSourceKinds)[number], name = `${kind} ${++count}`) {
    const { source, key } = (await call(sources.create, { body: { name, kind } })).body.data
    return { ...source, key }
  }

  /** A truck with an id at each of the sources. */
  async function addTruck(externalId: string, ...sourceUids: string[]): Promise<string> {
    const row = { number: `K-${++count}`, kind: 'led', state: 'active' }
    const { uid } = await db.insertInto('truck').values(row).returning('uid').executeTakeFirstOrThrow()
    for (const sourceUid of sourceUids)
      await call(truckTrackers.add, { params: { uid }, body: { sourceUid, externalId } })
    return uid
  }

  /** What is stored of a truck, oldest first: `time latitude longitude km/h`. */
  async function positionsOf(truckUid: string): Promise<string[]> {
    const { rows } = await sql<{ line: string }>`
      select concat_ws(' ', to_char(at at time zone 'UTC', 'HH24:MI:SS.MS'), latitude, longitude, speed_kmh) as line
        from position where truck_uid = ${truckUid} order by at`.execute(db)
    return rows.map(({ line }) => line)
  }

  const sourceOf = async (uid: string) => {
    const { body, status, text } = await call(sources.list, {})
    if (status !== 200) throw new Error(text)
    return body.data.find((each) => each.uid === uid)
  }

  return { addSource, addTruck, positionsOf, sourceOf }
}

/** Posts JSON to an address. */
export const postJson = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
