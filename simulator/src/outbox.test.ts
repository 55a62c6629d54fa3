import type { RowAck } from '@roadshow/contract'
import { expect, test } from 'vitest'
import type { DeviceLink } from './device-link.ts'
import { Outbox } from './outbox.ts'

type Row = { id: string }

/** A server that answers as it is told, and keeps what it got. */
function server(answer: (rows: Row[]) => RowAck[] | undefined) {
  const batches: Row[][] = []
  const request = (async (_: string, rows: Row[]) => {
    batches.push(rows)
    const acks = answer(rows)
    return acks && { rows: acks }
  }) as DeviceLink['request']
  return { batches, link: { request } }
}

const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ id: String(index) }))
const accepted = (given: Row[]) => given.map(({ id }): RowAck => ({ id, result: 'accepted' }))

test('everything goes out in batches and is forgotten once it is on disk', async () => {
  const outbox = new Outbox<Row>('driver-shift', ({ id }) => id)
  outbox.add(rows(1000))
  const { link, batches } = server(accepted)
  await outbox.flush(link)
  expect(batches.flat()).toEqual(rows(1000))
  expect(outbox).toMatchObject({ length: 0, sent: 1000, rejected: 0 })
})

test('what was not answered is kept and sent again', async () => {
  const outbox = new Outbox<Row>('driver-shift', ({ id }) => id)
  outbox.add(rows(10))
  await outbox.flush(server(() => undefined).link)
  expect(outbox.length).toBe(10)
  await outbox.flush(server((given) => accepted(given.slice(0, 4))).link)
  expect(outbox.length).toBe(0)
})

test('what was rejected is not sent again', async () => {
  const outbox = new Outbox<Row>('driver-shift', ({ id }) => id)
  outbox.add(rows(2))
  const { link, batches } = server((given) => given.map(({ id }) => ({ id, result: 'rejected', reason: 'No.' })))
  await outbox.flush(link)
  await outbox.flush(link)
  expect(batches).toHaveLength(1)
  expect(outbox).toMatchObject({ length: 0, rejected: 2 })
})

test('a row that is too early is kept, and does not hold up the others', async () => {
  const outbox = new Outbox<Row>('driver-shift', ({ id }) => id)
  outbox.add(rows(900))
  const isEarly = ({ id }: Row) => Number(id) < 500
  const { link } = server((given) =>
    given.map((row) => ({ id: row.id, result: (isEarly(row) ? 'later' : 'accepted') as RowAck['result'] })),
  )
  await outbox.flush(link)
  // A full batch of early rows makes no progress; the next flush starts with the others.
  await outbox.flush(link)
  expect(outbox).toMatchObject({ length: 500, sent: 400, rejected: 0 })
  await outbox.flush(server(accepted).link)
  expect(outbox.length).toBe(0)
})
