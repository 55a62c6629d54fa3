import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { clients, programs, trucks } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { clientRecords } from '../../../catalog/clients/queries.ts'
import { marketRecords } from '../../../catalog/markets/queries.ts'
import { programRecords } from '../../../catalog/programs/queries.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { inTransaction } from '../connection.ts'

const world = await openWorld()
const { db } = world
const scope = await world.adminScope()
const gone = 'Client not found.'
const newClient = async () => (await world.addClient()).uid
const removeClient = (uid: string) => world.call(clients.remove, { params: { uid } })
const addProgram = (clientUid: string) => {
  const days = { startsOn: '2026-06-01', endsOn: '2026-08-31' }
  return world.call(programs.create, {
    body: { ...days, clientUid, name: 'Summer', popUrl: clientUid, status: 'draft' },
  })
}

/** What a piece of work has become after a moment in which nothing else happens. */
const afterAMoment = <T>(work: Promise<T>) => Promise.race([work, wait(150, 'waiting' as const)])

describe('holding', () => {
  test('names each field whose record is deleted or never was', async () => {
    const [kept, deleted] = [await newClient(), await newClient()]
    await removeClient(deleted)
    const named = { first: kept, 'rows.0.second': deleted, third: randomUUID(), fourth: null, fifth: undefined }
    const work = inTransaction(db, (db) => clientRecords.requireRefs(db, scope, named))
    await expect(work).rejects.toMatchObject({ code: 'badInput', fields: { 'rows.0.second': gone, third: gone } })
  })

  test('lets stand what was referred to before', async () => {
    const deleted = await newClient()
    await removeClient(deleted)
    const missing = (kept?: string[]) =>
      inTransaction(db, (db) => clientRecords.missingRefs(db, scope, { clientUid: deleted }, kept))
    expect([await missing(), await missing([deleted])]).toEqual([{ clientUid: gone }, {}])
  })

  test('finds only what is in reach', async () => {
    const [own, other] = [await newClient(), await newClient()]
    const narrow = { rows: 'own', actor: { ...scope.actor, clientUid: own } } as const
    const missing = await inTransaction(db, (db) => clientRecords.missingRefs(db, narrow, { own, other }))
    expect(missing).toEqual({ other: gone })
  })

  test('calls a record what people call it', async () => {
    const work = inTransaction(db, (db) => programRecords.requireRefs(db, scope, { programUid: randomUUID() }))
    await expect(work).rejects.toMatchObject({ fields: { programUid: 'Program not found.' } })
  })

  test('is an error outside a transaction, where it would hold nothing', async () => {
    await expect(clientRecords.requireRefs(db, scope, { clientUid: await newClient() })).rejects.toThrow('outside')
  })
})

describe('at the same moment', () => {
  test('a record that is held is deleted only afterwards', async () => {
    const uid = await newClient()
    const removing = await inTransaction(db, async (db) => {
      await clientRecords.requireRefs(db, scope, { uid })
      const started = removeClient(uid)
      expect(await afterAMoment(started)).toBe('waiting')
      return { started }
    })
    expect((await removing.started).status).toBe(200)
  })

  test('several hold the same record', async () => {
    const uid = await newClient()
    await inTransaction(db, async (first) => {
      await clientRecords.requireRefs(first, scope, { uid })
      expect((await addProgram(uid)).status).toBe(200)
    })
  })

  test('who names a record in one statement while it is being deleted is refused, and nothing is written', async () => {
    const { uid } = await world.addMarket('Plano')
    const given = { number: 'H-1', kind: 'led', state: 'active' } as const
    const adding = await inTransaction(db, async (db) => {
      await marketRecords.lockRow(db, uid)
      const started = world.call(trucks.create, { body: { ...given, homeMarketUid: uid } })
      expect(await afterAMoment(started)).toBe('waiting')
      await marketRecords.remove(db, scope, uid)
      return { started }
    })
    const { status, error } = await adding.started
    expect([status, error.fields]).toEqual([400, { homeMarketUid: 'Market not found.' }])
    expect(await db.selectFrom('truck').select('uid').where('number', '=', 'H-1').execute()).toEqual([])
  })

  test('who refers to a record that is just being deleted is refused', async () => {
    const uid = await newClient()
    const adding = await inTransaction(db, async (db) => {
      await clientRecords.lockRow(db, uid)
      const started = addProgram(uid)
      expect(await afterAMoment(started)).toBe('waiting')
      await clientRecords.remove(db, scope, uid)
      return { started }
    })
    const { status, error } = await adding.started
    expect([status, error.fields]).toEqual([400, { clientUid: gone }])
  })
})
