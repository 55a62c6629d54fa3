import type { InputOf } from '@roadshow/contract/platform/endpoint'
import { campaignMails } from '@roadshow/contract/proof/campaign-mails'
import type { ReportOccasion } from '@roadshow/contract/proof/campaign-mails'
import { pops } from '@roadshow/contract/proof/pop'
import { localDay } from '@roadshow/contract/planning/shift-time'
import { shifts } from '@roadshow/contract/planning/shifts'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aBoardShift, asShift } from '../../planning/shifts/test-shifts.ts'
import { fakeApi, findDialog, openConsole, paged, refusal, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import { localZone } from '@roadshow/contract/platform/dates'
import { answerPops, aPopPhoto, aPop, austinMarket, aVersion, dallasMarket, previewReply } from './test-pop.ts'
import { formatShiftTime } from '../../planning/shifts/shiftText.ts'
import { testUid } from '../../test-uid.ts'

let api: FakeApi
let world: Parameters<typeof answerPops>[1]
const user = userEvent.setup({ delay: null })

beforeEach(() => {
  api = fakeApi()
  world = {
    pop: aPop(),
    photos: [aPopPhoto(1), aPopPhoto(2), aPopPhoto(3, { market: austinMarket, status: 'approved', grade: 'conflict' })],
    versions: [],
  }
  answerPops(api, world)
})
afterEach(cleanup)

const sales = someUser('sales')
const openEditor = async (search = '') => {
  const opened = openConsole(`/client-pop?open=${testUid(1)}${search}`, { api, user: sales })
  await screen.findByRole('heading', { name: 'Summer' })
  return opened
}
const bodiesOf = (endpoint: Parameters<FakeApi['sentTo']>[0]) => api.sentTo(endpoint).map(({ body }) => body)

describe('the list of POPs', () => {
  test('tells what waits and what was published, and leads to the page that edits one', async () => {
    const { address } = openConsole('/client-pop', { api, user: sales })
    const link = await screen.findByRole('link', { name: 'Summer' })
    const cells = within(link.closest('tr') as HTMLElement).getAllByRole('cell')
    expect(cells.slice(0, 7).map((cell) => cell.textContent)).toEqual([
      'Summer',
      '2 of 3',
      'Acme',
      'Not published',
      '100',
      '12,345',
      '7',
    ])
    expect(
      within(cells[4] as HTMLElement)
        .getByRole('link')
        .getAttribute('href'),
    ).toBe(`/schedule/program-schedule?view=list&tookPlace=yes&program=${testUid(1)}`)
    expect(
      within(cells[5] as HTMLElement)
        .getByRole('link')
        .getAttribute('href'),
    ).toBe(`/ad-log?program=${testUid(1)}`)
    await user.click(link)
    expect(await screen.findByRole('heading', { name: 'Dallas' })).toBeInTheDocument()
    await user.click(screen.getByRole('tab', { name: 'Text' }))
    expect(address()).toContain('tab=text')
    await user.click(screen.getByRole('link', { name: 'All POPs' }))
    await screen.findByRole('link', { name: 'Summer' })
    expect(address()).toBe('/client-pop')
  })
})

describe('live and frozen figures', () => {
  test('are labelled in the list and in the editor', async () => {
    const newestVersion = {
      number: 1,
      publishedAt: '2026-07-05T12:00:00.000Z',
      metres: 160_000,
      plays: 12_000,
      photos: 2,
    }
    world.pop = aPop({ state: 'published', shownVersion: 1, newestVersion })
    // Wide enough for all columns.
    const media = { matches: false, addEventListener: () => {}, removeEventListener: () => {} }
    vi.spyOn(globalThis, 'matchMedia').mockReturnValue(media as unknown as MediaQueryList)
    const width = innerWidth
    globalThis.innerWidth = 1920
    openConsole('/client-pop', { api, user: sales })
    expect(await screen.findByText('99.4')).toBeInTheDocument()
    expect(screen.getByText('12,000')).toBeInTheDocument()
    expect(screen.getByTitle('Version 1, published Jul 5, 2026')).toHaveTextContent('1')
    for (const name of ['Live miles', 'Published miles', 'Live plays', 'Published plays'])
      expect(screen.getByRole('columnheader', { name })).toBeInTheDocument()
    vi.restoreAllMocks()
    globalThis.innerWidth = width
    await user.click(screen.getByRole('link', { name: 'Summer' }))
    const shown = await screen.findByRole('region', { name: 'Figures' })
    expect(shown.textContent).toContain('Live, up to now')
    expect(shown.textContent).toContain('Version 1, published Jul 5, 2026: 99.4 miles, 12,000 plays, 2 photos')
  })

  test('say what was not recorded instead of zero', async () => {
    world.pop = aPop({ metres: 0, plays: 0, shiftCounts: { all: 5, withoutGps: 5, printed: 2 } })
    openConsole('/client-pop', { api, user: sales })
    expect(await screen.findByText('No GPS data')).toBeInTheDocument()
    expect(screen.getByText('No play log')).toBeInTheDocument()
  })

  test('are listed by market and day, each with a link to its rows', async () => {
    const gaps = { shiftsWithoutGps: 1, printedShifts: 0, printedTrucks: 0, playerOfflineSeconds: 0, runningShifts: 0 }
    const figures = {
      metres: 0,
      seconds: 28_800,
      shifts: 1,
      trucks: 1,
      days: 1,
      plays: 3_045,
      verifiedPlays: 2_900,
      conflictPlays: 0,
      playSeconds: 9,
      gaps,
    }
    const perDay = [{ day: '2026-07-01', metres: 0, plays: 3_045, verifiedPlays: 0, seconds: 28_800, shifts: 1, gaps }]
    const market = { market: 'Dallas', marketUid: dallasMarket.uid, ...figures, perDay }
    api.answer(pops.milesDriven, () => ({ data: { total: figures, markets: [market] } }))
    await openEditor('&tab=figures')
    expect(await screen.findByText(/There is no GPS data for the shift/)).toBeInTheDocument()
    await user.click(screen.getByText('Dallas: 1 day'))
    const table = within(screen.getByRole('table', { name: 'Dallas by day' }))
    const of = `program=${testUid(1)}&market=${dallasMarket.uid}&from=2026-07-01&to=2026-07-01`
    expect(table.getByRole('link', { name: 'No GPS data' }).getAttribute('href')).toBe(
      `/schedule/program-schedule?view=list&tookPlace=yes&${of}`,
    )
    expect(table.getByRole('link', { name: '3,045' }).getAttribute('href')).toBe(`/ad-log?${of}`)
    const byMarket = within(screen.getByRole('table', { name: 'Live figures by market' }))
    expect(byMarket.getByRole('link', { name: '2,900' }).getAttribute('href')).toBe(
      `/ad-log?program=${testUid(1)}&market=${dallasMarket.uid}&grade=verified`,
    )
  })
})

describe('the editor', () => {
  test('saves the text on top of the version that was read, and draws the preview again', async () => {
    api.answer(pops.update, ({ body }) => {
      world.pop = aPop({ ...(body as object), version: 4 })
      return { data: world.pop }
    })
    await openEditor('&tab=text')
    await user.type(await screen.findByLabelText('Headline'), 'Seen in Texas')
    await user.click(screen.getByRole('tab', { name: 'Preview' }))
    expect((await screen.findByTitle<HTMLIFrameElement>('Preview of the page')).srcdoc).toBe('<h1></h1>')
    await user.click(screen.getByRole('tab', { name: 'Text' }))
    await user.click(screen.getByRole('button', { name: 'Save text' }))
    await screen.findByText('Summer: text saved.')
    expect(bodiesOf(pops.update)).toEqual([
      { uid: testUid(1), version: 3, headline: 'Seen in Texas', text: '', coverPhotoUid: null, shownUntil: null },
    ])
    await waitFor(() =>
      expect(screen.getByTitle<HTMLIFrameElement>('Preview of the page').srcdoc).toBe('<h1>Seen in Texas</h1>'),
    )
  })

  test('keeps one’s edits when someone else has changed the text, and asks before they are lost', async () => {
    api.respond(pops.update, () => refusal('staleVersion'))
    const { address } = await openEditor('&tab=text')
    await user.type(await screen.findByLabelText('Headline'), 'Mine')
    await user.click(screen.getByRole('button', { name: 'Save text' }))
    world.pop = aPop({ headline: 'Theirs', text: 'Their text', version: 9 })
    await user.click(await screen.findByRole('button', { name: 'Reload and keep my edits' }))
    await waitFor(() =>
      expect(screen.getByLabelText<HTMLInputElement>('Text', { selector: 'textarea' }).value).toBe('Their text'),
    )
    expect(screen.getByLabelText<HTMLInputElement>('Headline').value).toBe('Mine')
    await user.click(screen.getByRole('link', { name: 'All POPs' }))
    const dialog = await findDialog('Discard your changes?')
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    expect(address()).toContain(testUid(1))
    api.answer(pops.update, () => ({ data: aPop({ headline: 'Mine', version: 10 }) }))
    await user.click(screen.getByRole('button', { name: 'Save text' }))
    await screen.findByText('Summer: text saved.')
    expect(bodiesOf(pops.update).at(-1)).toMatchObject({ headline: 'Mine', text: 'Their text', version: 9 })
  })

  test('orders markets by the arrow keys, and hides one', async () => {
    api.answer(pops.saveMarkets, () => ({ data: world.pop }))
    await openEditor('&tab=markets')
    const handle = await screen.findByRole('button', { name: 'Move Austin' })
    handle.focus()
    await user.keyboard('{ArrowUp}')
    expect(await screen.findByText('Austin is now 1 of 2.')).toBeInTheDocument()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Move Austin' }))
    await user.click(screen.getByRole('checkbox', { name: 'Dallas is shown' }))
    await user.click(screen.getByRole('button', { name: 'Save markets' }))
    await screen.findByText('Summer: markets saved.')
    const plain = { headline: '', text: '', startsOn: null, endsOn: null }
    expect(bodiesOf(pops.saveMarkets)).toEqual([
      {
        uid: testUid(1),
        version: 3,
        markets: [
          { marketUid: austinMarket.uid, ...plain, isShown: true },
          { marketUid: dallasMarket.uid, ...plain, isShown: false },
        ],
      },
    ])
  })
})

describe('the photos', () => {
  test('are approved one by one and together, captioned and ordered', async () => {
    api.answer(pops.setPhotoStatus, ({ body }) => ({ data: { changed: (body as { uids: string[] }).uids.length } }))
    api.answer(pops.updatePhoto, () => ({ data: aPopPhoto(1) }))
    api.answer(pops.movePhoto, () => ({ data: { uid: testUid(101) } }))
    await openEditor()
    const grid = await screen.findByRole('region', { name: 'Dallas' })
    expect(within(grid).getAllByText('69 ft from the truck, 4 s apart')).toHaveLength(2)
    await user.click(within(grid).getByRole('button', { name: 'Approve Elm Street 1' }))
    await screen.findByText('1 photo: approved.')
    await user.click(within(grid).getByRole('button', { name: 'Select all in Dallas' }))
    const bar = screen.getByRole('toolbar', { name: 'Selected photos' })
    expect(within(bar).getByText('2 photos selected')).toBeInTheDocument()
    await user.click(within(bar).getByRole('button', { name: 'Hide' }))
    await screen.findByText('2 photos: hidden.')
    expect(bodiesOf(pops.setPhotoStatus)).toEqual([
      { uids: [testUid(101)], status: 'approved' },
      { uids: [testUid(101), testUid(102)], status: 'hidden' },
    ])
    const caption = within(grid).getByRole('textbox', { name: 'Caption of photo-1.jpg' })
    await user.clear(caption)
    await user.type(caption, 'Main Street{Enter}')
    await waitFor(() => expect(bodiesOf(pops.updatePhoto)).toHaveLength(1))
    expect(bodiesOf(pops.updatePhoto)[0]).toMatchObject({ caption: 'Main Street', status: 'waiting', version: 1 })
    within(grid).getByRole('button', { name: 'Move Elm Street 2' }).focus()
    await user.keyboard('{ArrowLeft}')
    await waitFor(() => expect(bodiesOf(pops.movePhoto)).toEqual([{ uid: testUid(102), before: testUid(101) }]))
  })

  test('without a market are approved once their market is chosen', async () => {
    world.photos = [aPopPhoto(1, { market: null }), aPopPhoto(2)]
    api.answer(pops.setPhotoStatus, ({ body }) => ({ data: { changed: (body as { uids: string[] }).uids.length } }))
    await openEditor()
    const grid = await screen.findByRole('region', { name: 'No market' })
    await user.click(within(grid).getByRole('button', { name: 'Approve Elm Street 1' }))
    const dialog = await findDialog('Which market is this photo from?')
    expect(dialog.textContent).toContain('photo-1.jpg')
    expect(within(dialog).getByRole('button', { name: 'Approve' })).toBeDisabled()
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    expect(bodiesOf(pops.setPhotoStatus)).toEqual([])
    await user.click(screen.getByRole('checkbox', { name: 'Select Elm Street 1' }))
    await user.click(screen.getByRole('checkbox', { name: 'Select Elm Street 2' }))
    const bar = screen.getByRole('toolbar', { name: 'Selected photos' })
    await user.click(within(bar).getByRole('button', { name: 'Approve' }))
    const again = await findDialog('Which market is this photo from?')
    await user.click(within(again).getByRole('combobox', { name: 'Market' }))
    await user.click(await screen.findByTitle('Austin'))
    await user.click(within(again).getByRole('button', { name: 'Approve' }))
    await screen.findByText('2 photos: approved.')
    expect(bodiesOf(pops.setPhotoStatus)).toEqual([
      { uids: [testUid(102), testUid(101)], status: 'approved', marketUid: austinMarket.uid },
    ])
  })

  test('are narrowed by the address, and one opens large with its facts', async () => {
    await openEditor(`&status=waiting&grade=verified&photo=${testUid(101)}`)
    const drawer = await findDialog('Elm Street 1')
    expect(await within(drawer).findByText('2026-07-04 12:00:00 (America/Chicago)')).toBeInTheDocument()
    for (const fact of ['T-1', 'Dana Reyes', '69 ft from the truck, 4 s apart'])
      expect(drawer.textContent).toContain(fact)
    expect(within(drawer).getByRole('application', { name: /1 pins/ })).toBeInTheDocument()
    expect(Object.fromEntries(api.sentTo(pops.photos)[0]?.query ?? [])).toMatchObject({
      program: testUid(1),
      status: 'waiting',
      grade: 'verified',
    })
  })

  test('are sent a few at a time; a failed one is retried as the same photo, a refused one says why', async () => {
    const answers: (() => void)[] = []
    let mayFail = true
    api.respond(pops.addPhotos, async ({ form }) => {
      const { name } = (form as FormData).get('photos') as File
      await new Promise<void>((resolve) => answers.push(resolve))
      if (name === 'b.jpg' && mayFail) return new Response('', { status: 503 })
      const outcome = name === 'c.heic' ? 'refused' : 'added'
      const error = outcome === 'refused' ? { error: 'HEIC cannot be read.' } : {}
      return Response.json({ data: [{ name, outcome, ...error }] })
    })
    const { address } = await openEditor()
    const file = (name: string, type = 'image/jpeg') => new File(['x'], name, { type })
    const input = await screen.findByLabelText<HTMLInputElement>('Add photos')
    const given = [
      file('a.jpg'),
      file('b.jpg'),
      file('c.heic', 'image/heic'),
      file('d.jpg'),
      file('e.txt', 'text/plain'),
    ]
    fireEvent.change(input, { target: { files: given } })
    await waitFor(() => expect(answers).toHaveLength(3))
    expect(screen.getByText('This is not a photo. Choose a JPEG, PNG or WebP file.')).toBeInTheDocument()
    await user.click(screen.getByRole('link', { name: 'All POPs' }))
    await user.click(within(await findDialog('Stop uploading photos?')).getByRole('button', { name: 'Cancel' }))
    expect(address()).toContain(testUid(1))
    answers.forEach((answer) => answer())
    await waitFor(() => expect(answers).toHaveLength(4))
    answers[3]?.()
    await screen.findByText('2 of 5 sent · 2 added · 2 refused · 1 failed')
    expect(screen.getByText('HEIC cannot be read.')).toBeInTheDocument()
    // A failed photo is not sent: leaving warns, and clearing the finished ones keeps it.
    await user.click(screen.getByRole('button', { name: 'Clear' }))
    expect(screen.getByText('0 of 1 sent · 1 failed')).toBeInTheDocument()
    await user.click(screen.getByRole('link', { name: 'All POPs' }))
    await user.click(within(await findDialog('Stop uploading photos?')).getByRole('button', { name: 'Cancel' }))
    mayFail = false
    await user.click(screen.getByRole('button', { name: 'Retry b.jpg' }))
    await waitFor(() => expect(answers).toHaveLength(5))
    answers[4]?.()
    await screen.findByText('1 of 1 sent · 1 added')
    const keys = api.sentTo(pops.addPhotos).map(({ headers }) => headers.get('idempotency-key'))
    expect(new Set(keys).size).toBe(4)
    expect(keys[4]).toBe(keys[1])
    expect(bodiesOf(pops.addPhotos)[0]).toEqual({ programUid: testUid(1) })
  })
})

describe('publishing', () => {
  test('says what is frozen and what changed, then shows the link and the hash', async () => {
    api.answer(pops.publish, ({ body }) => {
      const { note = '' } = body as InputOf<typeof pops.publish>['body']
      world.versions = [aVersion(2, { note })]
      world.pop = aPop({ state: 'published', shownVersion: 2, version: 4 })
      return { data: aVersion(2) }
    })
    await openEditor()
    await user.click(screen.getByRole('button', { name: 'Publish' }))
    const drawer = await findDialog('Publish Summer')
    await within(drawer).findByText('2 photos more.')
    expect(drawer.textContent).toContain('2 photos waiting for approval will not be included.')
    await user.type(within(drawer).getByLabelText('Note (optional)'), 'Week one')
    await user.click(within(drawer).getByRole('button', { name: 'Publish' }))
    await findDialog('Summer published')
    expect(bodiesOf(pops.publish)).toEqual([{ uid: testUid(1), version: 3, note: 'Week one' }])
    expect(await within(drawer).findByText('2'.repeat(64))).toBeInTheDocument()
    expect(within(drawer).getByText('Creating the PDF…')).toBeInTheDocument()
    expect(within(drawer).getByLabelText<HTMLInputElement>('Public link').value).toMatch(/\/programs\/summer%2026$/)
  })

  test('names what the version would leave out', async () => {
    const left = {
      grading: { waiting: 1_200, withoutTrack: 1, run: { done: 3, total: 9 } },
      photosWithoutMarket: { count: 1, first: [{ uid: testUid(101), name: 'IMG_7.jpg', url: '/small-1' }] },
    }
    const { data } = previewReply(world)
    api.answer(pops.preview, () => ({ data: { ...data, ...left } }))
    await openEditor('&publish=yes')
    const drawer = await findDialog('Publish Summer')
    await within(drawer).findByText(
      '1,200 plays will be graded before publishing. This can take a moment. Grading is running: 3 of 9 parts are done.',
    )
    expect(drawer.textContent).toContain('1 play has no independent GPS data yet and will be published as unverified.')
    expect(drawer.textContent).toContain('1 approved photo without a market will not be included.')
    expect(within(drawer).getByRole('link', { name: 'IMG_7.jpg' }).getAttribute('href')).toContain(testUid(101))
  })

  test('is taken back and shown again after being asked', async () => {
    world.pop = aPop({ state: 'published', shownVersion: 1 })
    world.versions = [aVersion(1, { pdf: 'ready' })]
    api.answer(pops.withdraw, ({ body }) => {
      const { isShown } = body as { isShown: boolean }
      world.pop = aPop({ state: isShown ? 'published' : 'withdrawn', version: world.pop.version + 1 })
      return { data: world.pop }
    })
    await openEditor('&tab=versions')
    for (const [word, question] of [
      ['Withdraw', 'Withdraw Summer?'],
      ['Show again', 'Show Summer again?'],
    ] as const) {
      await user.click(await screen.findByRole('button', { name: word }))
      await user.click(within(await findDialog(question)).getByRole('button', { name: word }))
      await waitFor(() => expect(screen.queryByText(question)).toBeNull())
    }
    expect(bodiesOf(pops.withdraw)).toMatchObject([
      { isShown: false, version: 3 },
      { isShown: true, version: 4 },
    ])
    expect(screen.getByRole('button', { name: 'PDF of version 1' })).toBeInTheDocument()
  })
})

describe('the password of the page', () => {
  test('is set, changed and removed, and a refusal stands at its field', async () => {
    world.pop = aPop({ state: 'published', shownVersion: 1 })
    world.versions = [aVersion(1, { pdf: 'ready' })]
    api.answer(pops.setPassword, ({ body }) => {
      const { password } = body as { password: string | null }
      const passwordSetAt = password === null ? null : '2026-07-01T12:00:00Z'
      world.pop = { ...world.pop, passwordSetAt, version: world.pop.version + 1 }
      return { data: world.pop }
    })
    await openEditor('&tab=versions')
    const part = within(await screen.findByRole('region', { name: 'Password' }))
    await user.click(part.getByRole('button', { name: 'Set password' }))
    expect(part.getByLabelText('New password')).toHaveFocus()
    await user.type(part.getByLabelText('New password'), 'short')
    await user.click(part.getByRole('button', { name: 'Save password' }))
    await part.findByText('Use at least 8 characters.')
    expect(bodiesOf(pops.setPassword)).toEqual([])
    await user.type(part.getByLabelText('New password'), ' but longer')
    await user.click(part.getByRole('button', { name: 'Save password' }))
    await user.click(await part.findByRole('button', { name: 'Remove password' }))
    await part.findByText('No password: anyone with the link can open the page.')
    expect(bodiesOf(pops.setPassword)).toMatchObject([
      { password: 'short but longer', version: 3 },
      { password: null, version: 4 },
    ])
  })
})

describe('mailed reports', () => {
  test('are chosen by a client, and a refusal is shown', async () => {
    world.pop = aPop({ state: 'published', shownVersion: 1 })
    api.answer(campaignMails.save, ({ body }) => {
      const { recipients } = body as { recipients: { email: string; occasions: ReportOccasion[] }[] }
      return { data: { recipients: recipients.map((each) => ({ ...each, unsubscribedAt: null })), sent: [] } }
    })
    openConsole(`/client-pop?open=${testUid(1)}`, { api, user: someUser('client') })
    const part = within(await screen.findByRole('region', { name: 'Emailed reports' }))
    await user.click(await part.findByRole('button', { name: 'Add recipient' }))
    await user.type(part.getByLabelText('Email 1'), 'ann@example.com')
    await user.click(part.getByRole('checkbox', { name: 'On publishing' }))
    await user.click(part.getByRole('button', { name: 'Save recipients' }))
    await waitFor(() =>
      expect(bodiesOf(campaignMails.save)).toEqual([
        { before: [], recipients: [{ email: 'ann@example.com', occasions: ['weekly', 'end', 'published'] }] },
      ]),
    )
    api.respond(campaignMails.save, () => refusal('badInput', { fields: { recipients: 'Name each address once.' } }))
    await user.click(await part.findByRole('button', { name: 'Add recipient' }))
    await user.type(part.getByLabelText('Email 2'), 'ann@example.com')
    await user.click(part.getByRole('button', { name: 'Save recipients' }))
    expect(await part.findByRole('alert')).toHaveTextContent('Name each address once.')
  })
})

describe('others', () => {
  test('a driver adds photos to an own shift and sees what became of them', async () => {
    const shift = asShift(aBoardShift(9, { date: localDay(localZone()), status: 'out' }))
    const of = { uid: shift.uid, date: shift.date, start: shift.start, end: shift.end, zone: shift.zone }
    world.photos = [aPopPhoto(1, { shift: of }), aPopPhoto(2, { shift: of, status: 'approved' })]
    api.answer(shifts.byDriver, () =>
      paged([{ driver: { uid: testUid(701), name: 'Dana' }, shifts: [shift], timeOff: [] }]),
    )
    api.answer(pops.addPhotos, () => ({ data: [{ name: 'a.jpg', outcome: 'added' as const }] }))
    api.answer(pops.removePhoto, ({ params }) => ({ data: { uid: String(params.uid) } }))
    openConsole(`/client-pop?open=${testUid(1)}`, { api, user: someUser('driver') })
    const own = await screen.findByRole('region', { name: formatShiftTime(shift) })
    expect(within(own).getByLabelText('Take a photo').getAttribute('capture')).toBe('environment')
    await user.upload(within(own).getByLabelText('Choose photos'), new File(['x'], 'a.jpg', { type: 'image/jpeg' }))
    await screen.findByText('1 of 1 sent · 1 added')
    expect(bodiesOf(pops.addPhotos)).toEqual([{ shiftUid: shift.uid }])
    expect(within(own).getByText('Approved')).toBeInTheDocument()
    // What is approved stays.
    await user.click(within(own).getByRole('button', { name: /^Delete/ }))
    await user.click(within(await findDialog('Delete this photo?')).getByRole('button', { name: 'Delete photo' }))
    await waitFor(() => expect(api.sentTo(pops.removePhoto)[0]?.params.uid).toBe(testUid(101)))
    expect(api.sentTo(pops.get)).toEqual([])
  })

  test('a client reads the page, its versions and the approved photos, and changes nothing', async () => {
    world.pop = aPop({ state: 'published', shownVersion: 1 })
    world.versions = [aVersion(1, { pdf: 'ready' })]
    world.photos = [aPopPhoto(3, { status: 'approved' })]
    openConsole(`/client-pop?open=${testUid(1)}`, { api, user: someUser('client') })
    const drawer = await findDialog('Summer')
    expect(await within(drawer).findByRole('button', { name: 'PDF of version 1' })).toBeInTheDocument()
    expect(within(drawer).getByRole('link', { name: 'Open page' }).getAttribute('href')).toBe('/programs/summer%2026')
    expect(await within(drawer).findByRole('link', { name: 'Elm Street 3, large' })).toBeInTheDocument()
    for (const name of ['Publish', 'Withdraw', 'Approve', 'Hide', 'Delete'])
      expect(screen.queryByRole('button', { name })).toBeNull()
    expect(api.sentTo(pops.preview)).toEqual([])
  })
})
