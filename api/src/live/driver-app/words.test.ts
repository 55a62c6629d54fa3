import { shiftDrivers, shifts } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { expect, test } from 'vitest'
import { openPhones } from './test-phone.ts'

const world = await openWorld()
const { call, addUser, db, people } = world
const { act, addDriving, addTruck, ago, change, current, onPhone, results, send } = await openPhones(world)

const ofDispatch = async (uid: string) => (await call(shiftDrivers.get, { params: { uid } })).body.data
const write = (uid: string, text: string, token = people.sales.token) =>
  call(shiftDrivers.write, { params: { uid }, body: { text } }, { token })
const eventsOf = async (uid: string) => {
  const rows = await db.selectFrom('outbound_event').select('type').where('object', '=', `shift ${uid}`).execute()
  return rows.map(({ type }) => type).filter((type) => type !== 'shift.changed')
}
const fieldsIn = async (uid: string, token = people.admin.token) => {
  const { body } = await call(shifts.history, { params: { uid }, query: {} }, { token })
  return body.data.flatMap(({ fields }) =>
    fields.map(({ field, new: value }) => `${field}: ${typeof value === 'string' ? value : JSON.stringify(value)}`),
  )
}

test('the last answer by its true time counts, whatever order they arrive in, and a new plan asks again', async () => {
  const { driver, shift } = await addDriving(-20)
  const [declined, confirmed] = [
    act('answer', shift.uid, 60, { answer: 'declined', reason: 'Sick' }),
    act('answer', shift.uid, 20, { answer: 'confirmed' }),
  ]
  expect(await results(driver, [confirmed, declined, declined])).toEqual(['accepted', 'accepted', 'duplicate'])
  expect((await onPhone(driver, shift.uid))?.answer).toMatchObject({ answer: 'confirmed' })
  expect(await current(shift.uid)).toMatchObject({ driverAnswer: 'confirmed', declineReason: '' })
  expect((await ofDispatch(shift.uid)).answer).toMatchObject({ isSentLater: true, isOutdated: false })
  // A declined shift that was confirmed later is no news.
  expect(await eventsOf(shift.uid)).toEqual([])

  await change(shift.uid, { truckUid: await addTruck() })
  expect((await onPhone(driver, shift.uid))?.answer).toBeNull()
  expect((await ofDispatch(shift.uid)).answer).toMatchObject({ answer: 'confirmed', isOutdated: true })
  expect((await current(shift.uid)).driverAnswer).toBeNull()
  // The phone was offline and showed the old plan.
  const { date, start, end, truck } = shift
  const seen = { date, start, end, truckUid: truck.uid }
  expect(await results(driver, [act('answer', shift.uid, 0, { answer: 'confirmed', seen })])).toEqual([
    'accepted shiftMoved',
  ])
  expect((await current(shift.uid)).driverAnswer).toBeNull()

  expect(await results(driver, [act('answer', shift.uid, 0, { answer: 'declined', reason: 'Sick' })])).toEqual([
    'accepted',
  ])
  expect(await current(shift.uid)).toMatchObject({ driverAnswer: 'declined', declineReason: 'Sick' })
  expect(await eventsOf(shift.uid)).toEqual(['shift.declined'])
  expect(await fieldsIn(shift.uid)).toEqual(expect.arrayContaining(['driverAnswer: declined', 'declineReason: Sick']))
})

test('a problem and the reason of a refusal arrive as they were typed, on several lines', async () => {
  const { driver, shift } = await addDriving(-20)
  const typed = 'The rear screen is dark.\n\tSince Dallas 🚚'
  const acts = [
    act('issue', shift.uid, 30, { issueKind: 'screen', text: typed }),
    act('answer', shift.uid, 20, { answer: 'declined', reason: typed }),
  ]
  expect(await results(driver, acts)).toEqual(['accepted', 'accepted'])
  expect((await onPhone(driver, shift.uid))?.issues).toMatchObject([{ text: typed }])
  expect(await current(shift.uid)).toMatchObject({ driverAnswer: 'declined', declineReason: typed })
})

test('driver and dispatch write to each other, and the next driver of the shift reads nothing of it', async () => {
  const { driver, shift } = await addDriving(-20)
  const message = act('message', shift.uid, 30, { text: 'The gate is locked' })
  expect(await results(driver, [message, message])).toEqual(['accepted', 'duplicate'])
  expect((await write(shift.uid, 'The code is 4711')).status).toBe(200)
  expect((await onPhone(driver, shift.uid))?.messages).toMatchObject([
    { text: 'The gate is locked', isOwn: true },
    { text: 'The code is 4711', isOwn: false },
  ])
  expect((await ofDispatch(shift.uid)).messages).toMatchObject([
    { isOfDriver: true, isSentLater: true },
    { isOfDriver: false, isSentLater: false },
  ])
  expect(await eventsOf(shift.uid)).toEqual(['shift.driverMessage', 'shift.dispatchMessage'])
  expect((await write(shift.uid, 'Hello', driver.token)).status).toBe(403)
  expect((await call(shiftDrivers.get, { params: { uid: shift.uid } }, { token: driver.token })).status).toBe(403)

  const next = await addUser('driver')
  await change(shift.uid, { driverUid: next.uid })
  // Written before, sent after the shift was given away.
  const late = [
    act('message', shift.uid, 60, { text: 'A secret of mine' }),
    act('answer', shift.uid, 60, { answer: 'declined', reason: 'Private matters' }),
    act('issue', shift.uid, 60, { issueKind: 'other', text: 'My own words' }),
    act('otherTruck', shift.uid, 60, { truckNumber: 'T-77' }),
  ]
  expect(await results(driver, late)).toEqual(late.map(() => 'accepted shiftOfAnother'))
  expect(await onPhone(next, shift.uid)).toMatchObject({ messages: [], answer: null, issues: [], askedTruck: null })
  expect(await fieldsIn(shift.uid, next.token)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/secret|Private|T-77|gate/)]),
  )
  expect(await fieldsIn(shift.uid)).toEqual(
    expect.arrayContaining([
      'driverMessage: A secret of mine',
      'dispatchMessage: The code is 4711',
      'requestedTruck: T-77',
    ]),
  )
  expect((await ofDispatch(shift.uid)).messages).toHaveLength(3)
  const other = await addUser('driver')
  expect(await results(other, [act('message', shift.uid, 0, { text: 'Let me in' })])).toEqual([
    'rejected shiftOfAnother',
  ])
})

test('a request for another truck is open until dispatch changes the truck or dismisses it', async () => {
  const { driver, shift } = await addDriving(1)
  const spare = await addTruck()
  const { number } = await db.selectFrom('truck').select('number').where('uid', '=', spare).executeTakeFirstOrThrow()
  expect(await results(driver, [act('otherTruck', shift.uid, 2, { truckNumber: number, text: 'Flat tire' })])).toEqual([
    'accepted',
  ])
  expect((await onPhone(driver, shift.uid))?.askedTruck).toBe(number)
  const { truckRequest } = await ofDispatch(shift.uid)
  expect(truckRequest).toMatchObject({ number, truck: { uid: spare }, text: 'Flat tire' })
  expect(await eventsOf(shift.uid)).toEqual(['shift.truckRequested'])
  const dismiss = { params: { uid: shift.uid }, body: { requestUid: truckRequest?.uid ?? '' } }
  expect((await call(shiftDrivers.dismissTruckRequest, dismiss)).body.data.truckRequest).toBeNull()
  expect((await onPhone(driver, shift.uid))?.askedTruck).toBeNull()

  await send(driver, [act('otherTruck', shift.uid, 1, { truckNumber: 'No such truck' })])
  expect((await ofDispatch(shift.uid)).truckRequest).toMatchObject({ number: 'No such truck', truck: null })
  await change(shift.uid, { truckUid: spare })
  expect((await ofDispatch(shift.uid)).truckRequest).toBeNull()
})

test('an issue is raised once, of the truck that the shift had, with a photo of the driver’s own', async () => {
  const { driver, shift } = await addDriving(1)
  const fileOf = async (announcedBy: string) =>
    (
      await db
        .insertInto('stored_file')
        .values({
          blob_name: `photo-of-${announcedBy}`,
          purpose: 'issue',
          original_name: 'tire.jpg',
          content_type: 'image/jpeg',
          size_bytes: 5,
          announced_by: announcedBy,
          stored_at: new Date(),
        })
        .returning('uid')
        .executeTakeFirstOrThrow()
    ).uid
  const own = act('issue', shift.uid, 30, {
    issueKind: 'mechanical',
    text: 'Flat',
    photoFileUid: await fileOf(driver.uid),
  })
  const foreign = act('issue', shift.uid, 30, { issueKind: 'other', photoFileUid: await fileOf(people.sales.uid) })
  // The truck is changed after the driver reported it and before the phone was online again.
  await change(shift.uid, { truckUid: await addTruck() })
  expect(await results(driver, [own, own, foreign])).toEqual(['accepted', 'duplicate', 'rejected fileMissing'])
  const stored = await db.selectFrom('truck_issue').selectAll().where('shift_uid', '=', shift.uid).execute()
  expect(stored).toMatchObject([{ truck_uid: shift.truck.uid, kind: 'mechanical', reported_by: driver.uid }])
  expect((await onPhone(driver, shift.uid))?.issues).toMatchObject([
    { kind: 'mechanical', text: 'Flat', status: 'open' },
  ])
})

test('details name whose event it was, and show the times it was given', async () => {
  const { driver, shift } = await addDriving(3)
  const next = await addUser('driver')
  await send(driver, [act('start', shift.uid, 170)])
  await change(shift.uid, { driverUid: next.uid })
  await send(driver, [act('stop', shift.uid, 100)], ago(0))
  const [ofStaff] = (await call(shifts.details, { query: { uid: shift.uid } })).body.data
  expect(ofStaff?.reports.map(({ kind, note }) => [kind, note])).toEqual([
    ['start', 'reported by The driver, who had the shift before'],
    ['stop', 'reported by The driver, who had the shift before'],
  ])
  const [ofNext] = (await call(shifts.details, { query: { uid: shift.uid } }, { token: next.token })).body.data
  expect(ofNext?.reports).toEqual([])
})
