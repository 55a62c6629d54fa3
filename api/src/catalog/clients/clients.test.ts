import { type Client, type ClientInput, clients, files, programs } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { aPicture } from '@roadshow/test-kit/media'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()
const { call, people } = world

const add = async (given: ClientInput): Promise<Client> => (await call(clients.create, { body: given })).body.data

const addProgram = ({ uid }: Client, name: string, status: 'draft' | 'active' = 'active') =>
  world.addProgram({ clientUid: uid, name, status })

/** A user of role client who was granted the module, and whose client is this one. */
const userOf = ({ uid }: Client) => world.addUser('client', ['clients'], uid)

const ada = { name: 'Ada Ray', title: 'Buyer', email: 'ada@acme.example', phone: '+1 214 555 0100' }

describe('a client', () => {
  test('is added with its contacts, found by any of them, changed and deleted', async () => {
    const acme = await add({ name: 'Acme', contacts: [ada], note: 'Net 30' })
    expect(acme).toMatchObject({ name: 'Acme', contacts: [ada], note: 'Net 30', programsCount: 0, version: 1 })
    for (const search of ['acme', 'ada ray', 'ACME.example', '555 0100', 'net 30']) {
      const { body } = await call(clients.list, { query: { search } })
      expect(
        body.data.map(({ uid }) => uid),
        search,
      ).toEqual([acme.uid])
    }
    const body = { uid: acme.uid, version: 1, name: 'Acme Corp', contacts: [], note: '' }
    expect((await call(clients.update, { body })).body.data).toMatchObject({
      name: 'Acme Corp',
      contacts: [],
      version: 2,
    })
    expect((await call(clients.update, { body })).error.code).toBe('staleVersion')
    expect((await call(clients.remove, { params: { uid: acme.uid } })).status).toBe(200)
    expect((await call(clients.get, { params: { uid: acme.uid } })).status).toBe(404)
    const { data } = (await call(clients.history, { params: { uid: acme.uid }, query: {} })).body
    expect(data.map(({ action }) => action)).toEqual(['deleted', 'changed', 'created'])
  })

  test('has a name of its own, in any case, until it is deleted', async () => {
    const first = await add({ name: 'Only One' })
    const again = await call(clients.create, { body: { name: 'ONLY ONE' } })
    expect(again.status).toBe(409)
    expect(again.error).toMatchObject({
      code: 'clientNameTaken',
      fields: { name: 'Another client already has this name.' },
    })
    await call(clients.remove, { params: { uid: first.uid } })
    expect((await call(clients.create, { body: { name: 'Only One' } })).status).toBe(200)
  })

  test('is refused with a sentence at the field, and nothing changes', async () => {
    const before = (await call(clients.list, { query: {} })).body.total
    const bad = await call(clients.create, {
      body: { name: ' ', contacts: [ada, { name: '', email: 'not an address' }], note: 'x'.repeat(2001) },
    })
    expect(bad.status).toBe(400)
    expect(bad.error.fields).toEqual({
      name: 'Required.',
      'contacts.1.name': 'Required.',
      'contacts.1.email': 'Not a valid email address.',
      note: 'At most 2000 characters.',
    })
    expect((await call(clients.list, { query: {} })).body.total).toBe(before)
  })

  test('wears a logo, which must be there and be one', async () => {
    const upload = async (purpose: 'logo' | 'artwork') => {
      const content = await aPicture('png')
      const announced = { purpose, name: 'logo.png', contentType: 'image/png', size: content.length }
      const { fileUid, url } = (await call(files.getUploadSas, { body: announced })).body.data
      await world.app.inject({
        method: 'PUT',
        url,
        payload: content,
        headers: { 'content-type': 'application/octet-stream' },
      })
      await call(files.complete, { body: { fileUid } })
      return fileUid
    }
    const logoFileUid = await upload('logo')
    const client = await add({ name: 'Branded', logoFileUid })
    expect(client.logo).toMatchObject({ uid: logoFileUid, name: 'logo.png', width: 320, height: 160 })
    const { token } = await userOf(client)
    const seen = (await call(clients.get, { params: { uid: client.uid } }, { token })).body.data.logo
    expect((await world.app.inject({ url: seen?.url ?? '' })).statusCode).toBe(200)
    for (const uid of ['01900000-0000-7000-8000-000000000000', await upload('artwork')]) {
      const refused = await call(clients.create, { body: { name: 'No logo', logoFileUid: uid } })
      expect([refused.status, Object.keys(refused.error.fields ?? {})]).toEqual([400, ['logoFileUid']])
    }
    const body = { uid: client.uid, version: 1, name: 'Branded', logoFileUid: null }
    expect((await call(clients.update, { body })).body.data.logo).toBeNull()
    const { data } = (await call(clients.history, { params: { uid: client.uid }, query: {} })).body
    expect(data[0]?.fields).toEqual([{ field: 'logoFile', old: 'logo.png', new: null }])
  })

  test('counts its programs that are not deleted', async () => {
    const client = await add({ name: 'Counter' })
    const one = await addProgram(client, 'One')
    await addProgram(client, 'Two')
    const count = async (token?: string) =>
      (await call(clients.get, { params: { uid: client.uid } }, token ? { token } : {})).body.data.programsCount
    expect(await count()).toBe(2)
    expect(await count((await userOf(client)).token)).toBe(2)
    await call(programs.remove, { params: { uid: one.uid } })
    expect(await count()).toBe(1)
  })

  test('is not deleted while programs of it are not completed, which are named', async () => {
    const client = await add({ name: 'Busy' })
    const running = await addProgram(client, 'Running')
    const done = await addProgram(client, 'Done')
    const gone = await addProgram(client, 'Gone')
    const draft = await addProgram(client, 'Planned', 'draft')
    await call(programs.remove, { params: { uid: gone.uid } })
    const { client: _, markets: _none, bookedLines: _lines, createdAt: _at, updatedAt: _then, ...rest } = done
    await call(programs.update, { body: { ...rest, clientUid: client.uid, status: 'completed' } })
    const refused = await call(clients.remove, { params: { uid: client.uid } })
    expect(refused.status).toBe(409)
    expect(refused.error).toMatchObject({
      code: 'stillNeeded',
      error: 'This client has programs that are not completed: Planned and Running. Complete or delete them first.',
    })
    for (const { uid } of [running, draft]) await call(programs.remove, { params: { uid } })
    expect((await call(clients.remove, { params: { uid: client.uid } })).status).toBe(200)
    const { body } = await call(programs.get, { params: { uid: done.uid } })
    expect(body.data.client).toEqual({ uid: client.uid, name: 'Busy' })
  })

  test('and a program added at the same moment do not miss each other', async () => {
    const client = await add({ name: 'Racing' })
    const [removed, added] = await Promise.all([
      call(clients.remove, { params: { uid: client.uid } }),
      call(programs.create, {
        body: {
          clientUid: client.uid,
          name: 'Late',
          status: 'active',
          startsOn: '2026-07-01',
          endsOn: '2026-07-02',
          popUrl: 'racing-late',
        },
      }),
    ])
    expect([removed.status, added.status]).toEqual(removed.status === 200 ? [200, 400] : [409, 200])
  })

  test('keeps its history, readable', async () => {
    const client = await add({ name: 'Storied', contacts: [ada] })
    await call(clients.update, { body: { uid: client.uid, version: 1, name: 'Storied', contacts: [], note: 'calm' } })
    const { body } = await call(clients.history, { params: { uid: client.uid }, query: {} })
    expect(body.data.map(({ action, by, fields }) => [action, by, fields])).toEqual([
      [
        'changed',
        'The admin',
        [
          { field: 'note', old: '', new: 'calm' },
          { field: 'contacts', old: [ada], new: [] },
        ],
      ],
      [
        'created',
        'The admin',
        [
          { field: 'name', old: null, new: 'Storied' },
          { field: 'contacts', old: null, new: [ada] },
        ],
      ],
    ])
  })

  test('is exported with its contacts', async () => {
    await add({ name: 'Exported', contacts: [ada, { ...ada, name: '=Bo', title: '' }] })
    const { text } = await call(clients.list, { query: { format: 'csv', search: 'exported' } })
    expect(text).toContain('Name,Programs,Contacts,Note,Updated')
    expect(text).toContain(
      '"Ada Ray, Buyer, ada@acme.example, +1 214 555 0100\n=Bo, ada@acme.example, +1 214 555 0100"',
    )
    expect(text).toContain('# 1 row; search: exported;')
  })
})

describe('who sees a client', () => {
  test('a user of role client sees their own, also by guessing ids', async () => {
    const [mine, theirs] = [await add({ name: 'Mine' }), await add({ name: 'Theirs' })]
    const { token } = await userOf(mine)
    const { body } = await call(clients.list, { query: { uid: [mine.uid, theirs.uid] } }, { token })
    expect([body.total, body.data.map(({ name }) => name)]).toEqual([1, ['Mine']])
    expect((await call(clients.get, { params: { uid: mine.uid } }, { token })).status).toBe(200)
    expect((await call(clients.history, { params: { uid: mine.uid }, query: {} }, { token })).status).toBe(200)
    expect((await call(clients.get, { params: { uid: theirs.uid } }, { token })).status).toBe(404)
    expect((await call(clients.history, { params: { uid: theirs.uid }, query: {} }, { token })).status).toBe(404)
    const csv = await call(clients.list, { query: { format: 'csv' } }, { token })
    expect(csv.text).not.toContain('Theirs')
    expect((await call(clients.create, { body: { name: 'Ours' } }, { token })).status).toBe(403)
    expect((await call(clients.remove, { params: { uid: mine.uid } }, { token })).status).toBe(403)
  })

  test('a user of role client without a client sees none', async () => {
    const { token } = await world.addUser('client', ['clients'])
    expect((await call(clients.list, { query: {} }, { token })).body).toMatchObject({ data: [], total: 0 })
  })

  test('sales sees and changes all; drivers and clients as they come reach none', async () => {
    const { status } = await call(clients.create, { body: { name: 'By sales' } }, { token: people.sales.token })
    expect(status).toBe(200)
    for (const { token } of [people.driver, people.client]) {
      expect((await call(clients.list, { query: {} }, { token })).status).toBe(403)
    }
  })
})
