import { addresses } from '@roadshow/contract/catalog/addresses'
import type { AddressSet } from '@roadshow/contract/catalog/addresses'
import { artworkSets } from '@roadshow/contract/catalog/artwork'
import type { ArtworkSet } from '@roadshow/contract/catalog/artwork'
import { clients } from '@roadshow/contract/catalog/clients'
import type { Client } from '@roadshow/contract/catalog/clients'
import { markets } from '@roadshow/contract/catalog/markets'
import type { Market } from '@roadshow/contract/catalog/markets'
import { pixel } from '@roadshow/contract/catalog/pixel-maps'
import type { PixelMap } from '@roadshow/contract/catalog/pixel-maps'
import { programs } from '@roadshow/contract/catalog/programs'
import type { Program } from '@roadshow/contract/catalog/programs'
import { trucks } from '@roadshow/contract/catalog/trucks'
import type { Truck } from '@roadshow/contract/catalog/trucks'
import { users } from '@roadshow/contract/catalog/users'
import type { User } from '@roadshow/contract/catalog/users'
import { shifts } from '@roadshow/contract/planning/shifts'
import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import type { FileRef } from '@roadshow/contract/platform/files'
import type { UserWithPermissions } from '@roadshow/contract/accounts/sign-in'
import { cleanup, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { aBoardShift, answerSchedule, asShift } from './planning/shifts/test-shifts.ts'
import { fakeApi, findDialog, openConsole, paged, someUser } from './test-console.tsx'
import type { FakeApi } from './test-console.tsx'
import { testUid } from './test-uid.ts'
import { EM_DASH } from './ui/text/dash.ts'

afterEach(cleanup)

const times = { createdAt: '2026-07-01T12:00:00.000Z', updatedAt: '2026-07-01T12:00:00.000Z', version: 3 }
const acme = { uid: testUid(501), name: 'Acme' }
const summer = { uid: testUid(301), name: 'Summer' }
const dallas = { uid: testUid(401), name: 'Dallas', zone: 'America/Chicago' }

const aFile = (n: number): FileRef => ({
  uid: testUid(n),
  url: `/api/v1/files/${n}`,
  thumbnailUrl: `/api/v1/files/${n}/thumbnail`,
  name: `art-${n}.png`,
  contentType: 'image/png',
  size: 2_400_000,
  width: 640,
  height: 320,
  durationMs: null,
  sha256: 'a'.repeat(64),
})

// Every field of every record holds something, so that a reader sees a dash only where a reading is missing.
const truck: Truck = {
  ...times,
  uid: testUid(1),
  number: 'T-4',
  plate: 'PLT-4',
  vin: '1FDUF5HT0NEC00004',
  kind: 'led',
  state: 'active',
  homeMarket: dallas,
  pixelMap: { uid: testUid(70), name: 'P6' },
  geotabDeviceId: 'b1A',
  player: 'paired',
  note: 'New tires in May.',
}
const client: Client = {
  ...times,
  ...acme,
  logo: aFile(11),
  note: 'Pays late.',
  contacts: [{ name: 'Robin Hale', title: 'Buyer', email: 'robin@acme.example', phone: '+1 214 555 0100' }],
  programsCount: 2,
}
const program: Program = {
  ...times,
  ...summer,
  client: acme,
  status: 'active',
  startsOn: '2026-07-01',
  endsOn: '2026-07-31',
  popUrl: 'summer',
  markets: [{ ...dallas, startsOn: '2026-07-02', endsOn: null }],
  bookedLines: [
    {
      uid: testUid(302),
      market: dallas,
      unit: 'truckDays',
      amount: 1200,
      startsOn: '2026-07-03',
      endsOn: '2026-07-30',
      priceCents: 4_500_000,
    },
  ],
  spotSeconds: 15,
  note: 'Ask before moving.',
}
const artwork: ArtworkSet = {
  ...times,
  uid: testUid(2),
  program: summer,
  client: acme,
  name: 'Launch',
  status: 'draft',
  driverSideArtwork: aFile(21),
  passengerSideArtwork: aFile(22),
  rearArtwork: aFile(23),
  filesHash: 'b'.repeat(64),
  approvedHash: null,
  approvedBy: null,
  approvedAt: null,
  approvalReason: '',
  note: 'Second version.',
}
const addressSet: AddressSet = {
  ...times,
  uid: testUid(3),
  name: 'Dallas shops',
  program: summer,
  client: acme,
  addressCount: 1,
  approximateCount: 0,
  note: 'From the chain.',
  addresses: [
    {
      uid: testUid(31),
      label: 'Elm Street',
      address: '1 Elm St, Dallas, TX 75201',
      latitude: 32.78,
      longitude: -96.8,
      radiusM: 1609.344,
      artworkSet: { uid: testUid(2), name: 'Launch' },
      locatedBy: 'given',
    },
  ],
}
const market: Market = {
  ...dallas,
  earlierZones: [{ zone: 'America/Denver', until: '2026-03-02' }],
  state: 'TX',
  latitude: 32.7767,
  longitude: -96.797,
  radiusM: 40_233.6,
  outline: [
    [-97, 32],
    [-96, 32],
    [-96, 33],
  ],
  depots: [{ name: 'Yard', latitude: 32.9, longitude: -96.9, radiusM: 804.672 }],
  updatedAt: times.updatedAt,
  version: 3,
}
const pixelMap: PixelMap = {
  ...times,
  uid: testUid(70),
  name: 'P6',
  pitchUm: 6000,
  width: 1664,
  height: 768,
  sides: {
    driverSide: { x: 0, y: 0, width: 1280, height: 384 },
    passengerSide: { x: 0, y: 384, width: 1281, height: 383 },
    rear: { x: 1284, y: 7, width: 379, height: 377 },
  },
  note: 'Two processors.',
  trucks: 2,
  retiredTrucks: 0,
}
const person: User = {
  ...times,
  userUid: testUid(4),
  name: 'Dana Reyes',
  email: 'dana@roadshow.example',
  phone: '(214) 555-0101',
  photo: aFile(41),
  role: 'driver',
  modules: ['schedule', 'pop'],
  client: null,
  payRates: [{ validFrom: '2026-01-05', payHalfDay: 9_000, payEightHours: 18_000, payTwelveHours: 25_050 }],
  payrollId: 'D-17',
  language: 'es',
  isInvited: false,
  lastSeen: null,
  deletedAt: null,
}
const shift = {
  ...asShift(aBoardShift(5, { start: '20:00', end: '04:00' })),
  artworkSet: { uid: testUid(2), name: 'Launch' },
  addressSet: { uid: testUid(3), name: 'Dallas shops' },
}

interface Drawer {
  /** The file that declares the form. */
  form: string
  address: string
  title: string
  get: Endpoint
  /** What a user who changes it opens, and what one opens who only looks. */
  edited: object
  read?: object
  reader: UserWithPermissions
  /** What a reader of this role is not shown. */
  without?: readonly string[]
  values: readonly string[]
  links: Readonly<Record<string, string>>
}

const NOTES = ['Notes', 'Note']
const client1 = someUser('client', ['clients'])

const drawers: Drawer[] = [
  {
    form: './catalog/trucks/TruckForm.tsx',
    address: `/trucks?open=${truck.uid}`,
    title: 'Truck T-4',
    get: trucks.get,
    edited: truck,
    reader: someUser('sales', ['trucks']),
    values: ['T-4', 'PLT-4', '1FDUF5HT0NEC00004', 'LED', 'Active', 'Dallas', 'P6', 'b1A', 'New tires in May.'],
    links: {
      Dallas: `/trucks?open=${truck.uid}&markets=${dallas.uid}`,
      P6: `/pixel?open=${pixelMap.uid}`,
    },
  },
  {
    form: './catalog/clients/ClientForm.tsx',
    address: `/clients?open=${acme.uid}`,
    title: 'Acme',
    get: clients.get,
    edited: client,
    reader: client1,
    without: NOTES,
    values: ['Acme', 'art-11.png', 'Robin Hale', 'Buyer'],
    links: {
      'robin@acme.example': 'mailto:robin@acme.example',
      '(214) 555-0100': 'tel:+12145550100',
      'art-11.pngPNG · 640 × 320 · 2.3 MB': '/api/v1/files/11',
    },
  },
  {
    form: './catalog/programs/ProgramForm.tsx',
    address: `/client-programs?open=${summer.uid}`,
    title: 'Summer',
    get: programs.get,
    edited: program,
    reader: client1,
    without: NOTES,
    values: [
      'Active',
      '/programs/summer',
      'Jul 1, 2026',
      'Jul 31, 2026',
      '15',
      'Dallas',
      'Jul 2, 2026',
      'Same as program',
      'Truck-days',
      '1,200',
      'Jul 3, 2026',
      'Jul 30, 2026',
      '$45,000.00',
    ],
    links: { Acme: `/clients?open=${acme.uid}` },
  },
  {
    form: './catalog/artwork/ArtworkForm.tsx',
    address: `/artworks?open=${artwork.uid}`,
    title: 'Launch',
    get: artworkSets.get,
    edited: artwork,
    reader: client1,
    without: NOTES,
    values: ['Launch', 'art-21.png', 'art-22.png', 'art-23.png'],
    links: { Summer: `/client-programs?open=${summer.uid}` },
  },
  {
    form: './catalog/addresses/AddressSetForm.tsx',
    address: `/gps-addresses?open=${addressSet.uid}`,
    title: 'Dallas shops',
    get: addresses.get,
    edited: addressSet,
    reader: client1,
    without: NOTES,
    values: ['Dallas shops', 'Elm Street', '1 Elm St, Dallas, TX 75201', '1 mi'],
    links: { Summer: `/client-programs?open=${summer.uid}` },
  },
  {
    form: './catalog/markets/MarketForm.tsx',
    address: `/trucks?markets=${market.uid}`,
    title: 'Dallas, TX',
    get: markets.get,
    edited: market,
    reader: someUser('sales', ['trucks']),
    values: [
      'TX',
      'America/Chicago',
      '32.7767',
      '-96.797',
      '25',
      'Outline with 3 corners',
      'Yard',
      '0.5',
      '32.9',
      '-96.9',
    ],
    links: {},
  },
  {
    form: './catalog/pixel-maps/PixelForm.tsx',
    address: `/pixel?open=${pixelMap.uid}`,
    title: 'P6',
    get: pixel.get,
    edited: pixelMap,
    reader: someUser('driver'),
    values: ['6 mm', '1664 px', '768 px', '1280', '384', '1281', '383', '1284', '7', '379', '377', 'Two processors.'],
    links: {},
  },
  {
    form: './catalog/users/UserForm.tsx',
    address: `/users?open=${person.userUid}`,
    title: 'Dana Reyes',
    get: users.get,
    edited: person,
    read: { ...person, deletedAt: '2026-07-02T12:00:00.000Z' },
    reader: someUser('admin'),
    // Shown for users of role client only.
    without: ['Client'],
    values: ['Driver', 'Español', 'D-17', 'Schedule', 'POP', 'Jan 5, 2026', '$90.00', '$180.00', '$250.50'],
    links: {
      'dana@roadshow.example': 'mailto:dana@roadshow.example',
      '(214) 555-0101': 'tel:2145550101',
    },
  },
  {
    form: './planning/shifts/ShiftForm.tsx',
    address: `/schedule/program-schedule?open=${shift.uid}`,
    title: 'T-1 · Wed, Jul 8, 8:00 PM–4:00 AM',
    get: shifts.get,
    edited: shift,
    reader: someUser('driver'),
    values: [
      'Summer',
      'Dallas',
      'T-1',
      'Dana Reyes',
      'Wed, Jul 8, 2026 (America/Chicago)',
      '8:00 PM',
      '4:00 AM the next day',
      '8-hour day',
      'Launch',
      'Dallas shops',
      'Bring the flags.',
    ],
    links: {},
  },
]

/** Only admins see these: reading them takes the permission to change them. */
const changedByEveryReader = ['./console/incidents/IncidentForm.tsx', './live/inspections/InspectionItemForm.tsx']

function answerAll(api: FakeApi, get: Endpoint, record: object) {
  answerSchedule(api, [])
  for (const list of [trucks.list, pixel.list, users.list, shifts.list, programs.list])
    api.respond(list, () => Response.json(paged([])))
  api.answer(artworkSets.trucks, () => ({ data: [] }))
  api.respond(get, () => Response.json({ data: record }))
}

async function openDrawer({ address, title, get }: Drawer, record: object, user: UserWithPermissions, until: string) {
  const api = fakeApi()
  answerAll(api, get, record)
  openConsole(address, { api, user })
  const dialog = await findDialog(title)
  await within(dialog).findAllByText(until, { selector: 'button > span' })
  return dialog
}

const textsOf = (root: HTMLElement, selector: string) =>
  [...root.querySelectorAll<HTMLElement>(selector)].map((each) => each.textContent?.trim() ?? '').filter(Boolean)

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-7/

describe('a user who only looks', () => {
  test.each(drawers)('reads all that $form asks for, follows its links, and sees no input', async (drawer) => {
    const form = await openDrawer(drawer, drawer.edited, someUser('admin'), 'Save')
    const asked = textsOf(form, '.ant-form-item-label label, fieldset > legend')
    expect(asked.length).toBeGreaterThan(2)
    cleanup()

    const page = await openDrawer(drawer, drawer.read ?? drawer.edited, drawer.reader, 'Close')
    const shown = new Set(textsOf(page, 'dt, h2'))
    const isLeftOut = (label: string) => drawer.without?.includes(label)
    expect(asked.filter((label) => !shown.has(label) && !isLeftOut(label))).toEqual([])
    expect([...shown].filter(isLeftOut)).toEqual([])

    expect(page.querySelectorAll('input, textarea, select, [role="combobox"], button[disabled]')).toHaveLength(0)
    expect(page.textContent).not.toMatch(UID)
    expect(textsOf(page, 'dd').filter((value) => value === EM_DASH)).toEqual([])
    for (const value of drawer.values) expect(page.textContent).toContain(value)
    const links = [...page.querySelectorAll('dd a')].map((link) => [link.textContent, link.getAttribute('href')])
    expect(links).toEqual(expect.arrayContaining(Object.entries(drawer.links)))
  })
})

test('every form of a record is among them', () => {
  const files = import.meta.glob<string>('./**/*.tsx', { query: '?raw', import: 'default', eager: true })
  const forms = Object.keys(files).filter((file) => files[file]?.includes('<FormDrawer\n') && !file.includes('.test.'))
  expect(forms.toSorted()).toEqual([...drawers.map(({ form }) => form), ...changedByEveryReader].toSorted())
})
