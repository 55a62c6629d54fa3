import { POP_FORMAT, type PopChapter, type PopDocument, type PublicPhoto } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { describeChanges } from './changes.ts'

const figures = {
  metres: 0,
  seconds: 0,
  shifts: 0,
  trucks: 0,
  days: 0,
  plays: 0,
  verifiedPlays: 0,
  conflictPlays: 0,
  playSeconds: 0,
}
const photo = (key: string, given: Partial<PublicPhoto> = {}): PublicPhoto => ({
  key,
  width: 1,
  height: 1,
  sha256: '',
  widths: { small: 1, medium: 1, large: 1 },
  blur: '',
  caption: '',
  takenAt: null,
  grade: 'verified',
  reason: '',
  ...given,
})
const chapter = (name: string, given: Partial<PopChapter> = {}): PopChapter => ({
  slug: name.toLowerCase(),
  name,
  state: 'TX',
  zone: 'America/Chicago',
  headline: '',
  text: '',
  startsOn: '2026-07-01',
  endsOn: '2026-07-31',
  figures,
  perDay: [],
  routes: [],
  photos: [photo('a'), photo('b')],
  ...given,
})
const version = (given: Partial<PopDocument> = {}): PopDocument => ({
  format: POP_FORMAT,
  version: 1,
  publishedAt: '2026-08-01T00:00:00Z',
  brand: 'Roadshow',
  client: 'Zephyr',
  logo: null,
  program: 'Summer',
  popUrl: 'summer',
  startsOn: '2026-07-01',
  endsOn: '2026-07-31',
  headline: '',
  text: '',
  cover: 'a',
  figures,
  photos: 2,
  verifiedPhotos: 2,
  milesAlgorithm: 1,
  chapters: [chapter('Dallas')],
  ...given,
})
const withPhotos = (...photos: PublicPhoto[]) => version({ chapters: [chapter('Dallas', { photos })] })

test.each<[string, PopDocument]>([
  ['No changes.', version({ version: 2, publishedAt: '2026-08-02T00:00:00Z' })],
  ['1 photo added.', withPhotos(photo('a'), photo('b'), photo('c'))],
  ['2 photos removed.', withPhotos()],
  ['Photos reordered.', withPhotos(photo('b'), photo('a'))],
  ['1 caption changed.', withPhotos(photo('a', { caption: 'Main Street' }), photo('b'))],
  ['1 photo graded again.', withPhotos(photo('a'), photo('b', { grade: 'conflict' }))],
  ['Market Austin added.', version({ chapters: [chapter('Dallas'), chapter('Austin', { photos: [] })] })],
  ['2 photos removed, market Dallas removed.', version({ chapters: [] })],
  ['1 mile more, 1 play fewer.', version({ figures: { ...figures, metres: 1609.344, plays: -1 } })],
  ['Text changed.', version({ chapters: [chapter('Dallas', { headline: 'Seen everywhere' })] })],
  ['Dates changed.', version({ endsOn: '2026-08-31' })],
  ['Names changed, cover changed.', version({ client: 'Zephyr Foods', cover: 'b' })],
  ['Miles measured with another method.', version({ milesAlgorithm: 2 })],
])('%s', (sentence, document) => {
  expect(describeChanges(version(), document)).toBe(sentence)
})
