import {
  addDays,
  API_BASE,
  auditLog,
  DAY_MS,
  notifications,
  programs,
  proposalDocument,
  publicProposal,
  salesProposals,
  settings,
} from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { foreignFigures } from '@roadshow/test-kit/written-figures'
import { fleetOf } from '../../live/players/test-fleet.ts'
import { hashToken } from '../../platform/http/session.ts'
import { textOfPdf } from '../../proof/pop/pdf/test-pdf-text.ts'
import { openOutreach } from '../notifications/test-outreach.ts'
import { hideProposalToken } from './page/routes.ts'
import { openProposals } from './test-proposals.ts'

const world = await openWorld()
const { db, call, people, deliverMails } = world
const tried = await openProposals(world)
const { app, otherNode, today, addDraft, dress, send, sent, listOf, accept, change } = tried
const outreach = openOutreach(world)

const rowOf = async (uid: string) =>
  db.selectFrom('sales_proposal').selectAll().where('uid', '=', uid).executeTakeFirstOrThrow()
const form = (sha256: string, more: Record<string, string> = {}) => ({
  name: 'Ann Buyer',
  note: '',
  confirm: 'yes',
  sha256,
  ...more,
})

describe('a proposal', () => {
  test('freezes the program: later changes do not change it, and staff learn that it is outdated', async () => {
    const draft = await addDraft({ name: 'Frozen' })
    await dress(draft.uid)
    const { proposal, path } = await sent(draft.uid)
    expect(proposal).toMatchObject({ number: 1, state: 'open', views: 0, acceptance: null, isOutdated: false })
    const before = (await app.inject({ url: path })).body
    expect(before).toContain('Frozen')
    const { document, sha256 } = await rowOf(proposal.uid)
    expect(proposalDocument.parse(JSON.parse(document))).toMatchObject({
      format: 1,
      lines: [{ market: 'Dallas', unit: 'hours', amount: 100, priceCents: 1_250_000 }],
      places: [{ market: 'Dallas', total: 2 }],
      artwork: [{ name: 'Red set', driverSide: { width: 640, height: 320 }, rear: null }],
      estimate: null,
    })
    expect((await listOf(draft.uid)).proposals[0]?.isOutdated).toBe(false)
    await change(draft.uid, { name: 'Renamed', note: 'Other words' })
    expect((await app.inject({ url: path })).body).toBe(before)
    expect(await rowOf(proposal.uid)).toMatchObject({ document, sha256 })
    expect((await listOf(draft.uid)).proposals[0]?.isOutdated).toBe(true)
    expect((await sent(draft.uid)).proposal.number).toBe(2)
    expect((await listOf(draft.uid)).proposals.map(({ number, isOutdated }) => [number, isOutdated])).toEqual([
      [2, false],
      [1, true],
    ])
  })

  test('is mailed with its link to the addresses that were chosen, once to each', async () => {
    const draft = await addDraft({ name: 'Mailed' })
    const contacts = JSON.stringify([
      { name: 'Ann Buyer', title: '', email: 'ann@example.com', phone: '' },
      { name: 'No Mail', title: '', email: '', phone: '1' },
    ])
    await db.updateTable('client').set({ contacts }).where('uid', '=', draft.client.uid).execute()
    expect((await listOf(draft.uid)).contacts).toEqual([{ name: 'Ann Buyer', email: 'ann@example.com' }])
    const { proposal } = await sent(draft.uid, { sendTo: ['ann@example.com', 'Ann@example.com', 'boss@example.com'] })
    const mails = await db
      .selectFrom('message')
      .select(['recipient', 'subject', 'is_secret'])
      .where('kind', '=', 'proposal')
      .orderBy('recipient')
      .execute()
    expect(mails).toEqual(
      ['ann@example.com', 'boss@example.com'].map((recipient) => ({
        recipient,
        subject: 'Summer offer: a proposal from Roadshow',
        is_secret: true,
      })),
    )
    expect(proposal.state).toBe('open')
    await sent(draft.uid, { sendTo: ['own@example.com'], mailText: 'As we said.\n\nCall me on Monday,\nSam' })
    await deliverMails()
    const textTo = (email: string) => world.mails.findLast(({ to }) => to === email)?.text
    expect(textTo('ann@example.com')).toMatch(
      /^Hello Ann Buyer,\n\nHere is what we propose for .+: Mailed\.\n\nYou can read it/,
    )
    expect(textTo('boss@example.com')).toMatch(/^Hello boss@example\.com,/)
    expect(textTo('own@example.com')).toContain('As we said.\n\nCall me on Monday, Sam\n\nYou can read it')
    expect(textTo('own@example.com')).not.toContain('Here is what we propose')
    const wrong = await send(draft.uid, { sendTo: ['nobody'] })
    expect([wrong.status, Object.keys(wrong.error.fields ?? {})]).toEqual([400, ['sendTo.0']])
    await db.deleteFrom('message').where('kind', '=', 'proposal').execute()
  })

  test('shows prices only where they are wanted, and a change of hidden ones does not make it outdated', async () => {
    const draft = await addDraft()
    const { path, proposal } = await sent(draft.uid, { showsPrices: false })
    const page = (await app.inject({ url: path })).body
    expect(page).not.toContain('12,500')
    expect((await rowOf(proposal.uid)).document).not.toContain('1250000')
    expect((await app.inject({ url: (await sent(draft.uid)).path })).body).toContain('$12,500.00')
    const [line] = draft.bookedLines
    await change(draft.uid, {
      bookedLines: [{ ...line, uid: undefined, market: undefined, marketUid: tried.dallas.uid, priceCents: 5 }],
    })
    expect((await listOf(draft.uid)).proposals.map(({ isOutdated }) => isOutdated)).toEqual([true, false])
  })

  test('is made from drafts with something booked, and refuses other days in words', async () => {
    const active = await addDraft({ status: 'active' })
    const empty = await addDraft({ bookedLines: [] })
    const refused = async (uid: string, given: object = {}) => {
      const { status, error } = await send(uid, given)
      return [status, error.fields?.['validUntil'] ?? error.fields?.['title'] ?? error.error]
    }
    expect(await refused(active.uid)).toEqual([
      409,
      'Only a draft program can be proposed. Copy the program to propose it again.',
    ])
    expect((await listOf(active.uid)).blocker).toContain('Only a draft program')
    expect(await refused(empty.uid)).toEqual([409, 'Nothing is booked yet. Add what you offer under Booked first.'])
    const draft = await addDraft()
    const range = /^Must be from .+ to .+\.$/
    expect(await refused(draft.uid, { validUntil: addDays(today, -1) })).toEqual([400, expect.stringMatching(range)])
    expect(await refused(draft.uid, { validUntil: addDays(today, 367) })).toEqual([400, expect.stringMatching(range)])
    expect(await refused(draft.uid, { title: ' ' })).toEqual([400, 'Required.'])
    expect((await send(people.admin.uid)).status).toBe(404)
    expect(await listOf(draft.uid)).toEqual({ blocker: null, contacts: [], proposals: [] })
  })

  test('is previewed without being kept', async () => {
    const draft = await addDraft({ name: 'Looked at' })
    await dress(draft.uid)
    const body = { title: 'Only a look', validUntil: today, introduction: '<b>Hello</b>' }
    const { status, body: reply } = await call(salesProposals.preview, { params: { uid: draft.uid }, body })
    expect(status).toBe(200)
    expect(reply.data.html).toContain('&lt;b&gt;Hello&lt;/b&gt;')
    expect(reply.data.html).toContain('data:image/webp;base64,')
    expect((await listOf(draft.uid)).proposals).toEqual([])
  })

  test('is for staff who see all programs: no driver, no client, no other module', async () => {
    const draft = await addDraft()
    const { proposal } = await sent(draft.uid)
    const client = await world.addUser('client', ['clients', 'pop'], draft.client.uid)
    const without = await world.addUser('sales', ['pop', 'overview'])
    const params = { uid: proposal.uid }
    for (const { token } of [client, without, people.driver, people.client]) {
      expect((await send(draft.uid, {}, token)).status).toBe(403)
      expect((await call(salesProposals.list, { params: { uid: draft.uid } }, { token })).status).toBe(403)
      for (const read of [salesProposals.page, salesProposals.pdf, salesProposals.end])
        expect((await call(read, { params }, { token })).status).toBe(403)
    }
    const key = await world.addKey({ modules: ['clients'], access: 'write' })
    expect((await send(draft.uid, {}, key.token)).status).toBe(403)
    expect((await call(salesProposals.pdf, { params }, { token: people.sales.token })).status).toBe(200)
  })

  test('keeps its address as a hash, stands in the audit log and the history without it', async () => {
    const draft = await addDraft({ name: 'Audited' })
    const { token, proposal } = await sent(draft.uid)
    expect((await rowOf(proposal.uid)).token_hash).toEqual(hashToken(token))
    await call(salesProposals.end, { params: { uid: proposal.uid } })
    await call(salesProposals.end, { params: { uid: proposal.uid } })
    const log = await call(auditLog.list, { query: { kind: ['proposalSent', 'proposalEnded'], search: 'Audited' } })
    expect(log.body.data.map(({ kind, subject }) => [kind, subject])).toEqual([
      ['proposalEnded', 'Audited: proposal 1'],
      ['proposalSent', 'Audited: proposal 1'],
    ])
    const history = await call(programs.history, { params: { uid: draft.uid }, query: {} })
    const lines = history.body.data.flatMap(({ by, fields }) => fields.map((field) => [by, field.field, field.new]))
    expect(lines).toContainEqual(['The sales', 'proposal', '1, Summer offer: Sent'])
    expect(lines).toContainEqual(['The admin', 'proposal', '1, Summer offer: Revoked'])
    for (const text of [log.text, history.text]) expect(text).not.toContain(token)
    expect(hideProposalToken(`/o/${token}?x=1`)).toBe('/o/…?x=1')
    expect(hideProposalToken(`${API_BASE}/shared-proposals/${token}/pdf`)).toBe(`${API_BASE}/shared-proposals/…/pdf`)
  })

  test('is only ever viewed, accepted while open, and ended', async () => {
    const draft = await addDraft()
    const { proposal } = await sent(draft.uid)
    const set = (values: object) =>
      db.updateTable('sales_proposal').set(values).where('uid', '=', proposal.uid).execute()
    const accepted = { accepted_at: new Date(), accepted_name: 'X', accepted_note: '' }
    await expect(set({ title: 'Other' })).rejects.toThrow('only ever viewed')
    await expect(set({ document: '{}' })).rejects.toThrow('only ever viewed')
    await expect(set({ expires_at: new Date(Date.now() + 1e9) })).rejects.toThrow('only ever viewed')
    await expect(set({ accepted_at: new Date() })).rejects.toThrow('sales_proposal_acceptance_is_whole')
    const late = new Date(Date.now() + 400 * DAY_MS)
    await expect(set({ ...accepted, accepted_at: late })).rejects.toThrow('sales_proposal_accepted_in_time')
    await set(accepted)
    await expect(set({ ...accepted, accepted_name: 'Y' })).rejects.toThrow('only ever viewed')
    await set({ ended_at: new Date(), ended_by: people.admin.uid })
    await expect(set({ ended_at: null, ended_by: null })).rejects.toThrow('only ever viewed')
    await expect(db.deleteFrom('sales_proposal').where('uid', '=', proposal.uid).execute()).rejects.toThrow('only ever')
  })
})

describe('the estimate of a proposal', () => {
  test('rests on past shifts of the market, names its method, and is missing where there are too few', async () => {
    const { version, values } = (await call(settings.get, {})).body.data
    await call(settings.update, { body: { ...values, showImpressions: true, version } })
    const fleet = fleetOf(world)
    const ran = await world.addProgram()
    const truckUid = await fleet.addTruck()
    for (let day = 1; day <= 5; day++) {
      const from = Date.now() - day * DAY_MS
      const span = { from, to: from + 2 * 3_600_000 }
      const { uid } = await fleet.addShift({ truckUid, programUid: ran.uid, marketUid: tried.dallas.uid, ...span })
      await db.updateTable('shift').set({ status: 'completed' }).where('uid', '=', uid).execute()
      const numbers = { low: 100, likely: 200, high: 400, counted_ms: 1, parked_ms: 0, unlit_ms: 0 }
      await db
        .insertInto('shift_impression')
        .values({ shift_uid: uid, ...numbers, method_version: 2, rules_version: 2 })
        .execute()
    }
    const waco = await world.addMarket('Waco')
    const line = { unit: 'hours' as const, amount: 50, priceCents: null, ...tried.days }
    const draft = await addDraft({
      markets: [{ marketUid: tried.dallas.uid }, { marketUid: waco.uid }],
      bookedLines: [tried.dallas.uid, waco.uid].map((marketUid) => ({ ...line, marketUid })),
    })
    const { path, proposal } = await sent(draft.uid)
    const { estimate } = proposalDocument.parse(JSON.parse((await rowOf(proposal.uid)).document))
    // 200 likely impressions in two hours, times 50 hours.
    expect(estimate).toMatchObject({
      method: { version: 2, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
      markets: [
        { market: 'Dallas', hours: 50, shifts: 5, range: { low: 2500, likely: 5000, high: 10_000 }, reason: null },
        { market: 'Waco', range: null, reason: 'fewShifts' },
      ],
    })
    const page = (await app.inject({ url: path })).body
    for (const text of [
      '<b>5,000</b>',
      'between 2,500 and 10,000',
      'No estimate: fewer than 5',
      'Modeled, not measured.',
    ])
      expect(page).toContain(text)
  })
})

describe('the page of a proposal', () => {
  test('is private, counts its views, and says what is offered', async () => {
    const draft = await addDraft({ name: 'Viewed' })
    const { path } = await sent(draft.uid, { introduction: 'Dear Ann,\n\nplease read.' })
    const page = await app.inject({ url: path })
    expect(page.statusCode).toBe(200)
    expect(page.headers).toMatchObject({
      'x-robots-tag': 'noindex',
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
    })
    for (const text of ['Summer offer', 'For Viewed Inc', '100 hours', 'Dear Ann,', 'Accept proposal', 'Total'])
      expect(page.body).toContain(text)
    await app.inject({ url: path, method: 'HEAD' })
    expect((await listOf(draft.uid)).proposals[0]).toMatchObject({
      views: 1,
      lastViewedAt: expect.any(String) as string,
    })
  })

  test('has no names of staff and trucks, no depots, notes, file names, uids or other clients in any byte', async () => {
    const depots = [{ name: 'Secret yard', latitude: 32.7, longitude: -96.7, radiusM: 400 }]
    await db
      .updateTable('market')
      .set({ depots: JSON.stringify(depots) })
      .where('uid', '=', tried.dallas.uid)
      .execute()
    const other = await addDraft({ name: 'Zyx Tour' })
    await dress(other.uid)
    const draft = await addDraft({ name: 'Scanned' })
    await dress(draft.uid)
    const { path, token, proposal } = await sent(draft.uid)
    await accept(path, form(proposal.sha256, { name: 'Ann Buyer' }))
    const pdf = await app.inject({ url: `${API_BASE}/shared-proposals/${token}/pdf` })
    const bytes = [(await app.inject({ url: path })).body, textOfPdf(pdf.rawPayload).join('\n'), pdf.body]
    expect(bytes[0]).toContain('Main Street')
    const words = ['Secret yard', 'Zyx', 'The sales', 'The admin', 'The driver', 'Internal', 'secret-file-name']
    const uids = [draft.uid, draft.client.uid, other.uid, proposal.uid, tried.dallas.uid, people.sales.uid]
    for (const text of bytes) for (const secret of [...words, ...uids]) expect(text).not.toContain(secret)
    const { artwork } = proposalDocument.parse(JSON.parse((await rowOf(proposal.uid)).document))
    const key = artwork[0]?.driverSide?.key ?? ''
    const pictureOf = (which: string) => call(publicProposal.picture, { params: { token, key: which } }, { token: '' })
    const shown = await pictureOf(key)
    expect([shown.status, shown.headers['content-type']]).toEqual([200, 'image/webp'])
    expect((await pictureOf('0'.repeat(64))).status).toBe(404)
    expect((await pictureOf('nothing')).status).toBe(400)
  })

  test('closes at once on every node when it is revoked, and answers like one that never was', async () => {
    const draft = await addDraft()
    await dress(draft.uid)
    const { path, token, proposal } = await sent(draft.uid)
    const urls = [path, `${API_BASE}/shared-proposals/${token}/pdf`]
    const statuses = async () =>
      (await Promise.all([app, otherNode].flatMap((node) => urls.map((url) => node.inject({ url }))))).map(
        ({ statusCode }) => statusCode,
      )
    expect(await statuses()).toEqual([200, 200, 200, 200])
    await call(salesProposals.end, { params: { uid: proposal.uid } })
    expect(await statuses()).toEqual([404, 404, 404, 404])
    const closed = await otherNode.inject({ url: path })
    expect(closed.body).toContain('This proposal is not available.')
    expect(closed.body).toContain('sales@example.com')
    expect((await accept(path, form(proposal.sha256))).statusCode).toBe(404)
    for (const url of ['/o/unknown', '/o/', `/o/${encodeURI('🚚')}`])
      expect((await app.inject({ url })).body, url).toBe(closed.body)
    expect((await listOf(draft.uid)).proposals[0]).toMatchObject({ state: 'ended', acceptance: null })
    const deleted = await sent((await addDraft()).uid)
    await sql`update client_program set deleted_at = now() where uid = (select program_uid from sales_proposal
               where uid = ${deleted.proposal.uid})`.execute(db)
    expect((await app.inject({ url: deleted.path })).statusCode).toBe(404)
    expect((await call(salesProposals.pdf, { params: { uid: deleted.proposal.uid } })).status).toBe(404)
  })

  test('says that it expired, and takes no acceptance then', async () => {
    const draft = await addDraft()
    const { proposal } = await sent(draft.uid)
    const token = 'e'.repeat(43)
    const { document, sha256 } = await rowOf(proposal.uid)
    await db
      .insertInto('sales_proposal')
      .values({
        program_uid: draft.uid,
        number: 2,
        title: 'Old',
        document,
        sha256,
        program_sha256: '',
        token_hash: hashToken(token),
        created_by: people.sales.uid,
        created_at: new Date(Date.now() - 2 * DAY_MS),
        expires_at: new Date(Date.now() - 1000),
      })
      .execute()
    const page = await app.inject({ url: `/o/${token}` })
    expect([page.statusCode, page.body]).toEqual([410, expect.stringContaining('This proposal was valid until')])
    const late = await accept(`/o/${token}`, form(sha256))
    expect([late.statusCode, late.body]).toEqual([410, expect.stringContaining('was valid until')])
    expect((await app.inject({ url: `${API_BASE}/shared-proposals/${token}/pdf` })).statusCode).toBe(404)
    expect((await listOf(draft.uid)).proposals[0]).toMatchObject({ number: 2, state: 'expired' })
  })
})

describe('an acceptance', () => {
  test('is recorded with name, note and time, shown to the client and to staff, and told to sales', async () => {
    const draft = await addDraft({ name: 'Won' })
    await dress(draft.uid)
    const { path, proposal, token } = await sent(draft.uid)
    const answer = await accept(path, form(proposal.sha256, { name: '  Ann <Buyer> ', note: 'Start early.' }))
    expect([answer.statusCode, answer.headers['location']]).toEqual([303, path])
    const page = (await app.inject({ url: path })).body
    expect(page).toContain('Accepted by Ann &lt;Buyer&gt; on ')
    expect(page).not.toContain('<form')
    const [listed] = (await listOf(draft.uid)).proposals
    expect(listed).toMatchObject({ state: 'accepted', acceptance: { name: 'Ann <Buyer>', note: 'Start early.' } })
    const record = (await call(salesProposals.page, { params: { uid: proposal.uid } })).body.data
    expect(record.html).toContain('Start early.')
    expect(record.proposal.acceptance).toEqual(listed?.acceptance)
    const pdf = await app.inject({ url: `${API_BASE}/shared-proposals/${token}/pdf` })
    const text = textOfPdf(pdf.rawPayload).join('\n')
    expect(foreignFigures(text)).toEqual([])
    for (const said of ['Accepted by Ann <Buyer>', 'Start early.', proposal.sha256, '100 hours', 'Main Street'])
      expect(text).toContain(said)
    expect(pdf.body).toContain('/Marked true')
    expect(pdf.body).toContain('/S /Figure')
    const again = await app.inject({ url: `${API_BASE}/shared-proposals/${token}/pdf` })
    expect(again.rawPayload.equals(pdf.rawPayload)).toBe(true)
    await outreach.handle()
    const bell = await call(notifications.list, { query: {} }, { token: people.sales.token })
    const told = bell.body.data.filter(({ subject }) => subject.startsWith('Won'))
    expect(told).toMatchObject([
      { subject: 'Won: proposal accepted', path: `/client-programs?open=${draft.uid}&tab=proposals` },
    ])
    const mails = await outreach.send()
    expect(mails.map(({ to, subject }) => [to, subject])).toContainEqual([people.sales.email, 'Won: proposal accepted'])
    const history = await call(programs.history, { params: { uid: draft.uid }, query: {} })
    expect(history.text).toContain('1, Summer offer: Accepted by Ann <Buyer>')
    // Revoking closes the page; the record stays.
    await call(salesProposals.end, { params: { uid: proposal.uid } })
    expect((await app.inject({ url: path })).statusCode).toBe(404)
    expect((await listOf(draft.uid)).proposals[0]).toMatchObject({ state: 'accepted' })
  })

  test('happens once, however many try at the same time on several nodes', async () => {
    const draft = await addDraft()
    const { path, proposal } = await sent(draft.uid)
    const names = ['Ann', 'Ben', 'Cam', 'Dee']
    const answers = await Promise.all(
      names.map((name, index) => accept(path, form(proposal.sha256, { name }), index % 2 ? otherNode : app)),
    )
    const winner = names[answers.findIndex(({ statusCode }) => statusCode === 303)] ?? ''
    const late = answers.filter(({ statusCode }) => statusCode === 409)
    expect(late).toHaveLength(3)
    for (const { body } of late) expect(body).toContain(`is accepted already. Accepted by ${winner} on `)
    expect((await rowOf(proposal.uid)).accepted_name).toBe(winner)
    const { rows } = await sql`select from outbound_event where type = 'proposal.accepted'
                                and data ->> 'proposalUid' = ${proposal.uid}`.execute(db)
    expect(rows).toHaveLength(1)
  })

  test('needs a name and the confirmation, of the document that was read, and keeps what was typed', async () => {
    const draft = await addDraft()
    const { path, proposal } = await sent(draft.uid)
    const refused = async (more: Record<string, string>) => {
      const { statusCode, body } = await accept(path, form(proposal.sha256, more))
      return [statusCode, /role="alert">([^<]*)</.exec(body)?.[1] ?? /<h1>([^<]*)</.exec(body)?.[1]]
    }
    expect(await refused({ name: ' ' })).toEqual([400, 'Enter your name.'])
    expect(await refused({ name: 'x'.repeat(121) })).toEqual([400, 'At most 120 characters.'])
    expect(await refused({ name: 'A\u0000B' })).toEqual([400, 'Contains characters that cannot be stored.'])
    expect(await refused({ confirm: '' })).toEqual([400, 'Check the box to accept.'])
    expect(await refused({ note: 'x'.repeat(1001) })).toEqual([400, 'At most 1000 characters.'])
    expect(await refused({ sha256: '0'.repeat(64) })).toEqual([
      409,
      'This page is not the current proposal. Please read it again.',
    ])
    const kept = await accept(path, form(proposal.sha256, { confirm: '', note: 'Keep "this" <note>' }))
    expect(kept.body).toContain('value="Ann Buyer"')
    expect(kept.body).toContain('Keep &quot;this&quot; &lt;note&gt;</textarea>')
    expect((await app.inject({ method: 'POST', url: path })).statusCode).toBe(409)
    expect((await rowOf(proposal.uid)).accepted_at).toBeNull()
  })
})
