import { formatMoment, formatWeekday } from '@roadshow/contract/platform/dates'
import { expect, test } from 'vitest'
import { mayOf } from '../queue/wait-rules.ts'
import type { QueueItem } from '../queue/items.ts'
import { needsCall, problemText, stateText } from '../waiting/item-words.ts'
import { matchPath } from '../router.tsx'
import { NOW, someAct, someDay, somePhoto } from '../test-driver-day.ts'
import { spanText } from '../times.ts'
import { languageFor, wordsOf } from '../words/index.ts'
import { queueLine } from './queue-line.ts'

const { en, es } = wordsOf
type Line = Parameters<typeof queueLine>[0]
const open = { session: 'open' as const, day: undefined }
const line = (queue: Line['queue'], isOnline = false, isSending = false, facts: Partial<Line> = {}) =>
  queueLine({ queue, isOnline, isSending, ...open, ...facts }, en)?.text

test('the line above the button says what waits, and first what needs a look', () => {
  const photos = ['a', 'b', 'c'].map((id) => somePhoto(id))
  expect(line([])).toBeUndefined()
  expect(line(photos)).toBe('3 photos waiting for signal')
  expect(line([somePhoto('a')])).toBe('1 photo waiting for signal')
  expect(line([...photos, someAct('d', { kind: 'stop' })])).toBe('4 items waiting for signal')
  expect(line(photos, true, true)).toBe('Sending 3 photos')
  expect(line([...photos, somePhoto('d', { state: 'refused' })])).toBe('1 item needs your attention')
  expect(line([somePhoto('d', { state: 'sent' })])).toBeUndefined()
})

test('what the account may not send is never said to wait for signal', () => {
  const photos = ['a', 'b', 'c'].map((id) => somePhoto(id))
  const start = someAct('d', { kind: 'start' })
  const refused = photos.map((photo) => ({ ...photo, isForbidden: true }))
  expect(line(refused, true)).toBe('Your account can’t send 3 photos. Call dispatch.')
  expect(line(refused, false)).toBe('Your account can’t send 3 photos. Call dispatch.')
  expect(line([start, ...refused], true, true)).toBe('Your account can’t send 3 photos. Call dispatch.')
  expect(line([start], true, false, { session: 'otherRole' })).toBe('Your account can’t send 1 item. Call dispatch.')
  // The server said so before anything was sent.
  const withoutPhotos = { day: { ...someDay(), may: { ...mayOf(undefined), photos: false } } }
  expect(line(photos, false, false, withoutPhotos)).toBe('Your account can’t send 3 photos. Call dispatch.')
  expect(line([start], true, false, withoutPhotos)).toBe('1 item waiting for the server')
  expect(line([start], true, false, { session: 'ended' })).toBe('1 item waiting until you sign in')
  expect(line(photos, true)).toBe('3 photos waiting for the server')
})

test('an item says why it waits and what the server had against it', () => {
  const item = someAct('a', { kind: 'start' })
  const state = (part: object) => stateText({ ...item, ...part }, { ...open, isOnline: true }, en)
  expect(stateText(item, { isOnline: false, session: 'ended', day: undefined }, en)).toBe('Waiting for signal')
  expect(stateText(item, { isOnline: true, session: 'ended', day: undefined }, en)).toBe('Waiting until you sign in')
  expect(state({})).toBe('Waiting for the server')
  expect(state({ isForbidden: true })).toBe('Your account can’t send this. Call dispatch.')
  expect(problemText({ problem: 'shiftMoved', reason: 'moved' }, es, 'es')).toContain('se movió el turno')
  const refused = { problem: 'invalid' as const, reason: 'Too large.' }
  expect(problemText(refused, en, 'en')).toBe('The server did not accept it. Too large.')
  // The server's reasons are English.
  expect(problemText(refused, es, 'es')).toBe('El servidor no lo aceptó. Llame a despacho.')
  expect(problemText({ ...refused, problem: 'pictureRefused' }, es, 'es')).toBe(es.problemPictureRefused)
})

test.each<[string, Partial<QueueItem>, boolean]>([
  ['waits for a right', { isForbidden: true }, true],
  ['waits for signal', {}, false],
  ['is of a shift that is another driver’s', { state: 'noted', problem: 'shiftOfAnother' }, true],
  ['has a picture that can’t be used', { state: 'refused', problem: 'pictureRefused' }, false],
])('the contacts of the shift stand beside what only dispatch can solve: what %s', (_, part, isCalled) => {
  expect(needsCall({ ...somePhoto('a'), ...part } as QueueItem, { ...open, isOnline: false })).toBe(isCalled)
})

test('paths of the app have values', () => {
  expect(matchPath('/shifts/:uid', '/shifts/1')).toEqual({ uid: '1' })
  expect(matchPath('/shifts/:uid', '/shifts/1/issue')).toBeUndefined()
  expect(matchPath('/', '/queue')).toBeUndefined()
})

test('the language is the driver’s own, then the first that the browser knows', () => {
  expect(languageFor('es', ['en-US'])).toBe('es')
  expect(languageFor(null, ['fr-FR', 'es-MX', 'en-US'])).toBe('es')
  expect(languageFor(null, ['en-US', 'es-MX'])).toBe('en')
  expect(languageFor(undefined, [])).toBe('en')
})

test('times are those of the shift’s zone, in the driver’s language', () => {
  expect(formatMoment(NOW, 'America/Denver', 'en')).toBe('Tue, Nov 17, 11:00 AM MST')
  expect(formatMoment('2026-11-01T07:30:00Z', 'America/Denver', 'en')).toBe('Sun, Nov 1, 1:30 AM MDT')
  expect(formatMoment('2026-11-01T08:30:00Z', 'America/Denver', 'en')).toBe('Sun, Nov 1, 1:30 AM MST')
  expect(formatWeekday('2026-11-17', 'es')).toBe('mar, 17 nov')
  expect(formatMoment(NOW, 'America/Denver', 'es')).toBe('mar, 17 nov, 11:00 a. m. MST')
  expect([spanText(65 * 60_000), spanText(-3_600_000), spanText(300_000)]).toEqual(['1 h 5 min', '1 h', '5 min'])
})
