import { expect, test } from 'vitest'
import { problemText, stateText } from '../waiting/item-words.ts'
import { matchPath } from '../router.tsx'
import { NOW, someAct, somePhoto } from '../test-driver-day.ts'
import { dateText, momentText, spanText } from '../times.ts'
import { languageFor, wordsOf } from '../words/index.ts'
import { queueLine } from './queue-line.ts'

const { en, es } = wordsOf
const line = (queue: Parameters<typeof queueLine>[0]['queue'], isOnline = false, isSending = false) =>
  queueLine({ queue, isOnline, isSending }, en)?.text

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

test('an item says why it waits and what the server had against it', () => {
  const item = someAct('a', { kind: 'start' })
  expect(stateText(item, { isOnline: false, session: 'ended' }, en)).toBe('Waiting for signal')
  expect(stateText(item, { isOnline: true, session: 'ended' }, en)).toBe('Waiting until you sign in')
  expect(problemText({ problem: 'shiftMoved', reason: 'moved' }, es)).toContain('se movió el turno')
  expect(problemText({ problem: 'invalid', reason: 'Too large.' }, en)).toBe('The server did not accept it. Too large.')
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
  expect(momentText(NOW, 'America/Denver', 'en')).toBe('Tue, Nov 17, 11:00 AM MST')
  expect(momentText('2026-11-01T07:30:00Z', 'America/Denver', 'en')).toBe('Sun, Nov 1, 1:30 AM MDT')
  expect(momentText('2026-11-01T08:30:00Z', 'America/Denver', 'en')).toBe('Sun, Nov 1, 1:30 AM MST')
  expect(dateText('2026-11-17', 'es')).toBe('mar, 17 nov')
  expect(momentText(NOW, 'America/Denver', 'es')).toBe('mar, 17 nov, 11:00 a. m. MST')
  expect([spanText(65 * 60_000), spanText(-3_600_000), spanText(300_000)]).toEqual(['1 h 5 min', '1 h', '5 min'])
})
