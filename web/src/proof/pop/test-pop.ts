import { campaignMails } from '@roadshow/contract/proof/campaign-mails'
import { pops } from '@roadshow/contract/proof/pop'
import type { Pop, PopPhoto, PopVersion } from '@roadshow/contract/proof/pop'
import type { PopDocument, PopFigures } from '@roadshow/contract/proof/pop-document'
import { paged } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import { testUid } from '../../test-uid.ts'

export const dallasMarket = { uid: testUid(401), name: 'Dallas' }
export const austinMarket = { uid: testUid(402), name: 'Austin' }

export const aPop = (more: Partial<Pop> = {}): Pop => ({
  uid: testUid(1),
  name: 'Summer',
  client: { uid: testUid(500), name: 'Acme' },
  startsOn: '2026-07-01',
  endsOn: '2026-07-31',
  popUrl: 'summer 26',
  state: 'unpublished',
  shownVersion: null,
  publishedAt: null,
  shownUntil: null,
  photos: 3,
  photosWaiting: 2,
  metres: 160_934,
  plays: 12_345,
  shiftCounts: { all: 2, withoutGps: 0, printed: 0 },
  newestVersion: null,
  views: 7,
  updatedAt: '2026-07-05T12:00:00.000Z',
  version: 3,
  headline: '',
  text: '',
  coverPhotoUid: null,
  passwordSetAt: null,
  markets: [dallasMarket, austinMarket].map((market) => ({
    market,
    headline: '',
    text: '',
    startsOn: null,
    endsOn: null,
    isShown: true,
    photos: 2,
  })),
  ...more,
})

export const aPopPhoto = (n: number, more: Partial<PopPhoto> = {}): PopPhoto => ({
  uid: testUid(100 + n),
  program: { uid: testUid(1), name: 'Summer' },
  market: dallasMarket,
  truck: { uid: testUid(601), name: 'T-1' },
  shift: null,
  takenBy: { uid: testUid(701), name: 'Dana Reyes' },
  name: `photo-${n}.jpg`,
  urls: { small: `/small-${n}`, medium: `/medium-${n}`, large: `/large-${n}` },
  width: 4000,
  height: 3000,
  blur: 'data:image/png;base64,AA==',
  takenAt: '2026-07-04T17:00:00.000Z',
  zone: 'America/Chicago',
  timeSource: 'exif',
  phoneTakenAt: null,
  latitude: 32.78,
  longitude: -96.8,
  placeSource: 'exif',
  accuracyM: null,
  side: null,
  caption: `Elm Street ${n}`,
  status: 'waiting',
  rejection: '',
  grade: 'verified',
  reason: '69 ft from the truck, 4 s apart',
  changedBy: null,
  createdAt: '2026-07-04T17:01:00.000Z',
  updatedAt: '2026-07-04T17:01:00.000Z',
  version: 1,
  ...more,
})

const figures: PopFigures = {
  metres: 160_934,
  seconds: 36_000,
  shifts: 2,
  trucks: 1,
  days: 2,
  plays: 12_345,
  verifiedPlays: 12_000,
  conflictPlays: 0,
  playSeconds: 100_000,
}

const aDocument: PopDocument = {
  format: 2,
  version: 0,
  publishedAt: '2026-07-05T12:00:00.000Z',
  brand: 'Roadshow',
  client: 'Acme',
  logo: null,
  program: 'Summer',
  popUrl: 'summer 26',
  startsOn: '2026-07-01',
  endsOn: '2026-07-31',
  headline: '',
  text: '',
  cover: null,
  figures,
  photos: 1,
  verifiedPhotos: 1,
  milesAlgorithm: 1,
  chapters: [
    {
      slug: 'dallas-tx',
      name: 'Dallas',
      state: 'TX',
      zone: 'America/Chicago',
      headline: '',
      text: '',
      startsOn: '2026-07-01',
      endsOn: '2026-07-31',
      figures,
      perDay: [],
      routes: [],
      photos: [],
    },
  ],
}

export const aVersion = (number: number, more: Partial<PopVersion> = {}): PopVersion => ({
  number,
  publishedAt: '2026-07-05T12:00:00.000Z',
  publishedBy: 'Avery Stone',
  note: '',
  changes: '',
  sha256: String(number).repeat(64),
  isShown: true,
  pdf: 'waiting',
  ...more,
})

export const previewReply = ({ pop }: { pop: Pop }) => ({
  data: {
    html: `<h1>${pop.headline}</h1>`,
    document: aDocument,
    changes: '2 photos more.',
    grading: { waiting: 0, withoutTrack: 0, run: null },
    photosWithoutMarket: { count: 0, first: [] },
  },
})

/** Answers the POP endpoints from a world that the test can change. */
export function answerPops(api: FakeApi, world: { pop: Pop; photos: PopPhoto[]; versions: PopVersion[] }) {
  api.answer(pops.list, () => {
    const { headline: _, text: __, coverPhotoUid: ___, passwordSetAt: _____, markets: ____, ...row } = world.pop
    return paged([row])
  })
  api.answer(pops.get, () => ({ data: world.pop }))
  api.answer(pops.photos, () => ({ ...paged(world.photos), pageSize: 200 }))
  api.answer(pops.photo, ({ params }) => ({ data: world.photos.find(({ uid }) => uid === params.uid) ?? aPopPhoto(1) }))
  api.answer(pops.preview, () => previewReply(world))
  api.answer(pops.versions, () => ({ data: world.versions }))
  api.answer(pops.history, () => paged([]))
  api.answer(campaignMails.get, () => ({ data: { recipients: [], sent: [] } }))
  api.answer(pops.photoHistory, () => paged([]))
}
