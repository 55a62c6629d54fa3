import type { ActResult, DriverAct } from '@roadshow/contract/live/driver-app'
import { expect, test } from 'vitest'
import { NOW, someAct, somePhoto } from '../test-driver-day.ts'
import type { QueueItem } from './items.ts'
import { sendQueue } from './sending.ts'
import type { Transport } from './sending.ts'

class Refusal extends Error {
  readonly status: number
  constructor(status: number) {
    super(`Status ${status}.`)
    this.status = status
  }
}

const accepted = ({ actId }: DriverAct): ActResult => ({ actId, result: 'accepted', problem: null, reason: '' })

/** A phone with these items, and a server that notes what it gets. */
function phone(items: QueueItem[], server: Partial<Transport> = {}) {
  const kept = new Map(items.map((item) => [item.id, item]))
  const sent: string[] = []
  const transport: Transport = {
    async sendActs(acts) {
      sent.push(`acts ${acts.map(({ actId }) => actId).join(' ')}`)
      return acts.map(accepted)
    },
    async upload() {
      sent.push('picture')
      return 'file'
    },
    async sendPhoto({ id }) {
      sent.push(`photo ${id}`)
      return undefined
    },
    ...server,
  }
  const store = {
    items: async () => [...kept.values()],
    put: async (item: QueueItem) => void kept.set(item.id, item),
    picture: async (id: string) => (id.startsWith('lost') ? undefined : new Blob(['x'])),
  }
  const run = () =>
    sendQueue({ userUid: 'u', store, transport, now: () => NOW, isSignedIn: () => true, onChange: () => undefined })
  const stateOf = (id: string) => kept.get(id)?.state
  return { run, sent, kept, stateOf }
}

const photoOfIssue = { pictureId: 'p', itemUid: null, fileUid: null }
const issue = { kind: 'issue', issueKind: 'other', text: 'x' } as const

test('acts go first and together, then those with pictures after their pictures, then photos', async () => {
  const { run, sent, stateOf } = phone([
    somePhoto('photo-1', { addedAt: NOW - 5 }),
    someAct('issue', issue, { addedAt: NOW - 4, pictures: [photoOfIssue] }),
    someAct('stop', { kind: 'stop' }, { addedAt: NOW - 2 }),
    someAct('start', { kind: 'start' }, { addedAt: NOW - 3 }),
  ])
  expect(await run()).toBe('done')
  expect(sent).toEqual(['acts start stop', 'picture', 'acts issue', 'photo photo-1'])
  expect(['start', 'stop', 'issue', 'photo-1'].map(stateOf)).toEqual(['sent', 'sent', 'sent', 'sent'])
})

test('an act names the file that its picture has become', async () => {
  const got: DriverAct[] = []
  const { run } = phone([someAct('issue', issue, { pictures: [photoOfIssue] })], {
    sendActs: async (acts) => {
      got.push(...acts)
      return acts.map(accepted)
    },
  })
  await run()
  expect(got).toMatchObject([{ kind: 'issue', photoFileUid: 'file' }])
})

test('without network everything waits and nothing is lost', async () => {
  const { run, stateOf, kept } = phone([someAct('start', { kind: 'start' }), somePhoto('photo')], {
    sendActs: () => Promise.reject(new Refusal(0)),
  })
  expect(await run()).toBe('away')
  expect([stateOf('start'), stateOf('photo')]).toEqual(['waiting', 'waiting'])
  expect(kept.get('start')).toMatchObject({ attempts: 1, nextAt: 0 })
})

test('an ended session stops the sending and changes nothing', async () => {
  const { run, stateOf } = phone([somePhoto('photo')], { sendPhoto: () => Promise.reject(new Refusal(401)) })
  expect(await run()).toBe('signedOut')
  expect(stateOf('photo')).toBe('waiting')
})

test('what the user has no right to waits, says so, and holds up nothing else', async () => {
  const { run, sent, kept } = phone([someAct('start', { kind: 'start' }), somePhoto('a'), somePhoto('b')], {
    sendActs: () => Promise.reject(new Refusal(403)),
    sendPhoto: async ({ id }) => {
      if (id === 'a') throw new Refusal(403)
      sent.push(id)
      return undefined
    },
  })
  expect(await run()).toBe('done')
  expect(sent).toEqual(['b'])
  for (const id of ['start', 'a']) {
    expect(kept.get(id), id).toMatchObject({ state: 'waiting', isForbidden: true })
    expect(kept.get(id)?.nextAt, id).toBeGreaterThan(NOW)
  }
})

test('each act is answered by itself: stored, with a remark, refused, or to be sent later', async () => {
  const answers: Record<string, Partial<ActResult>> = {
    b: { problem: 'shiftMoved' },
    c: { result: 'rejected', problem: 'shiftOfAnother', reason: 'Another driver’s shift.' },
    d: { result: 'later' },
    e: { result: 'duplicate' },
  }
  const ids = ['a', 'b', 'c', 'd', 'e', 'unanswered']
  const { run, kept } = phone(
    ids.map((id) => someAct(id, { kind: 'start' })),
    {
      sendActs: async (acts) =>
        acts.filter(({ actId }) => actId !== 'unanswered').map((act) => ({ ...accepted(act), ...answers[act.actId] })),
    },
  )
  expect(await run()).toBe('done')
  expect(ids.map((id) => kept.get(id)?.state)).toEqual(['sent', 'noted', 'refused', 'waiting', 'sent', 'waiting'])
  expect(kept.get('c')).toMatchObject({ problem: 'shiftOfAnother' })
  for (const id of ['d', 'unanswered']) expect(kept.get(id)?.nextAt, id).toBeGreaterThan(NOW)
})

test('one act that a call fails on does not hold up the others', async () => {
  const { run, stateOf } = phone([someAct('good', { kind: 'start' }), someAct('bad', { kind: 'stop' })], {
    sendActs: async (acts) => {
      if (acts.some(({ actId }) => actId === 'bad')) throw new Refusal(400)
      return acts.map(accepted)
    },
  })
  expect(await run()).toBe('done')
  expect([stateOf('good'), stateOf('bad')]).toEqual(['sent', 'refused'])
})

test('a photo that the server stumbles over waits, and the next one goes', async () => {
  const { run, sent, kept } = phone([somePhoto('a'), somePhoto('b')], {
    sendPhoto: async ({ id }) => {
      sent.push(id)
      if (id === 'a') throw new Refusal(500)
      return undefined
    },
  })
  expect(await run()).toBe('done')
  expect(sent).toEqual(['a', 'b'])
  expect(kept.get('a')).toMatchObject({ state: 'waiting', attempts: 1 })
  expect(kept.get('a')?.nextAt).toBeGreaterThan(NOW)
})

test('a refused photo says why, and a picture that is gone is not sent', async () => {
  const { run, kept } = phone([somePhoto('a'), somePhoto('b', { pictureId: 'lost' })], {
    sendPhoto: async () => ({ reason: 'It is no picture.', code: 'fileRefused' }),
  })
  await run()
  expect(kept.get('a')).toMatchObject({
    state: 'refused',
    problem: 'pictureRefused',
    reason: 'It is no picture.',
  })
  expect(kept.get('b')).toMatchObject({ state: 'refused', problem: 'fileMissing' })
})

test('an upload that the server has swept away is made again from the picture on the phone', async () => {
  let asked = 0
  const uploaded = { ...photoOfIssue, fileUid: 'swept' }
  const { run, sent, stateOf } = phone([someAct('issue', issue, { pictures: [uploaded] })], {
    sendActs: async (acts) => {
      asked++
      return acts.map((act) =>
        asked === 1 ? { ...accepted(act), result: 'rejected', problem: 'fileMissing' } : accepted(act),
      )
    },
  })
  expect(await run()).toBe('done')
  expect([asked, sent, stateOf('issue')]).toEqual([2, ['picture'], 'sent'])
})
