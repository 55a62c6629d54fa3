import { readFileSync } from 'node:fs'
import { type HostileTexts, type HostileWorld, TODAY } from './hostile-world.ts'

export type TextName = keyof HostileTexts

/** A place of the console that shows names: an address, the texts it must show, and the tabs of what it opens. */
interface Place {
  query: string
  shows: TextName[]
  /** Every tab of the drawer or editor that the address opens; one that is missing here fails the test. */
  tabs?: Record<string, TextName[]>
}

const listOf = (...names: string[]) =>
  names.flatMap((name) =>
    [...readFileSync(new URL(`../../web/src/${name}`, import.meta.url), 'utf8').matchAll(/path: '(\/[^']+)'/g)].map(
      ([, path = '']) => path,
    ),
  )

/** Every screen of the console, from its own table. */
export const screens = listOf('screens.ts', 'legacy/oldScreens.ts')

export type Places = Record<string, (world: HostileWorld, search: (name: TextName) => string) => Place[]>

/** Each screen with its places for an admin. A screen that is added must say here what it shows. */
export const adminPlaces: Places = {
  '/overview': ({ issue, market }) => [
    { query: `?market=${market.uid}`, shows: ['truck', 'driver', 'program', 'market', 'issue'] },
    {
      query: `?open=${issue.uid}`,
      shows: ['issue', 'truck'],
      tabs: { Issue: ['issue', 'issueNote'], Comments: ['issueComment'], History: ['issueNote', 'issueComment'] },
    },
  ],
  '/clients': ({ client }, search) => [
    { query: `?${search('client')}`, shows: ['client'] },
    {
      query: `?open=${client.uid}`,
      shows: ['client', 'contact', 'clientNote'],
      tabs: {
        Details: ['client'],
        Programs: ['program', 'market'],
        'Monthly report': [],
        Invite: ['client'],
        History: ['client', 'contact', 'clientNote'],
      },
    },
  ],
  '/client-programs': ({ program }, search) => [
    { query: `?${search('program')}`, shows: ['program', 'client'] },
    {
      query: `?open=${program.uid}`,
      shows: ['program', 'client', 'market', 'programNote'],
      tabs: {
        Program: ['program'],
        Markets: ['market'],
        Booked: ['market'],
        Artwork: ['artwork'],
        Rotation: ['artwork'],
        'SD addresses': ['addresses'],
        Proposals: [],
        Shifts: ['truck', 'driver'],
        Delivery: ['market'],
        POP: [],
        Feeds: [],
        History: ['program', 'programNote', 'client', 'market'],
      },
    },
    { query: '?markets=list', shows: ['market'] },
  ],
  '/artworks': ({ artwork }, search) => [
    { query: `?${search('artwork')}`, shows: ['artwork', 'program', 'client'] },
    {
      query: `?open=${artwork.uid}`,
      shows: ['artwork', 'file', 'program'],
      tabs: { Details: ['file'], Fit: ['pixelMap'], 'On the truck': [], History: ['artwork', 'file'] },
    },
  ],
  '/gps-addresses': ({ addresses }, search) => [
    { query: `?${search('addresses')}`, shows: ['addresses', 'program', 'client'] },
    {
      query: `?open=${addresses.uid}`,
      shows: ['addresses', 'place', 'street'],
      tabs: { Details: ['place'], History: ['addresses', 'place'] },
    },
  ],
  '/schedule/program-schedule': ({ shift, market }, search) => [
    { query: `?date=${TODAY}&market=${market.uid}`, shows: ['truck', 'program', 'driver', 'market'] },
    { query: `?view=list&${search('program')}`, shows: ['truck', 'program', 'driver', 'market', 'client'] },
    {
      query: `?open=${shift.uid}`,
      shows: ['truck', 'program', 'driver', 'market', 'artwork', 'addresses', 'shiftNote', 'stop', 'stopNote'],
      tabs: {
        Shift: ['shiftNote', 'stop'],
        Driver: [],
        Details: ['driver', 'stop', 'stopNote'],
        History: ['truck', 'driver', 'program', 'market', 'shiftNote', 'stop'],
      },
    },
  ],
  '/schedule/program-user-schedule': (_, search) => [
    { query: `?date=${TODAY}&${search('driver')}`, shows: ['driver', 'truck', 'program'] },
  ],
  '/campaigns': ({ program }, search) => [
    { query: `?${search('program')}`, shows: ['program', 'client', 'market', 'caption'] },
    { query: `?${search('program')}&links=${program.uid}`, shows: ['program'] },
  ],
  '/client-pop': ({ program, photo }, search) => [
    { query: `?${search('program')}`, shows: ['program', 'client'] },
    {
      query: `?open=${program.uid}`,
      shows: ['program', 'client', 'market'],
      tabs: {
        Figures: ['market'],
        Photos: ['caption'],
        Text: ['headline', 'popText'],
        Markets: ['popMarket'],
        Versions: ['popNote'],
        History: ['headline', 'popText'],
      },
    },
    { query: `?open=${program.uid}&photo=${photo}`, shows: ['caption', 'photoFile'] },
    { query: `?queue=photos&program=${program.uid}`, shows: [] },
  ],
  '/trucks': ({ truck }, search) => [
    { query: `?${search('truck')}`, shows: ['truck', 'market'] },
    {
      query: `?open=${truck.uid}`,
      shows: ['truck', 'market', 'pixelMap', 'truckNote'],
      tabs: {
        Details: ['truckNote'],
        Devices: [],
        Shifts: ['driver', 'program'],
        Live: [],
        Shop: [],
        Trackers: [],
        Issues: ['issue'],
        Inspections: [],
        'Miles by day': [],
        History: ['truck', 'market', 'pixelMap', 'truckNote'],
      },
    },
  ],
  '/smart-directional-report': ({ program, market }) => [
    {
      query: `?program=${program.uid}&market=${market.uid}&from=${TODAY}&to=${TODAY}`,
      shows: ['program', 'market', 'place'],
    },
  ],
  '/ad-log': ({ program }) => [
    {
      query: `?program=${program.uid}&from=${TODAY}&to=${TODAY}`,
      shows: ['program', 'truck', 'artwork', 'market', 'place'],
    },
  ],
  '/replay': ({ shift }) => [{ query: `?shift=${shift.uid}`, shows: ['truck', 'program', 'market', 'stop'] }],
  '/charts': ({ market }) => [
    { query: `?market=${market.uid}&from=${TODAY}&to=${TODAY}`, shows: ['market', 'driver'] },
  ],
  '/users': ({ driver }, search) => [
    { query: `?view=drivers&${search('driver')}`, shows: ['driver'] },
    { query: `?${search('driver')}`, shows: ['driver'] },
    { query: `?${search('reader')}`, shows: ['reader', 'client'] },
    {
      query: `?open=${driver.uid}`,
      shows: ['driver'],
      tabs: { Details: ['driver'], 'Sign-in & access': [], History: ['driver'] },
    },
  ],
  '/users/payroll': ({ driver }, search) => [
    { query: `?date=${TODAY}&${search('driver')}`, shows: ['driver'] },
    { query: `?date=${TODAY}&open=${driver.uid}`, shows: ['driver', 'adjustment'] },
  ],
  '/system/api-keys': (_, search) => [{ query: `?${search('apiKey')}`, shows: ['apiKey', 'client'] }],
  '/system/webhooks': ({ messages }, search) => [
    { query: `?${search('webhook')}`, shows: ['webhook'] },
    { query: `?open=${messages.webhook}`, shows: ['webhook'] },
  ],
  '/system/webhook-log': ({ messages }, search) => [
    { query: `?${search('webhook')}`, shows: [] },
    { query: `?open=${messages.delivery}`, shows: ['issue', 'truck'] },
  ],
  '/system/messages': ({ messages }, search) => [
    { query: `?${search('truck')}`, shows: ['truck'] },
    { query: `?open=${messages.mail}`, shows: ['truck'] },
  ],
  '/system/web-log': (_, search) => [{ query: `?${search('webError')}`, shows: ['webError'] }],
  '/system/audit-log': (_, search) => [{ query: `?${search('driver')}`, shows: ['driver'] }],
  '/import': () => [{ query: '', shows: [] }],
  '/pixel': ({ pixelMap }, search) => [
    { query: `?${search('pixelMap')}`, shows: ['pixelMap'] },
    {
      query: `?open=${pixelMap.uid}`,
      shows: ['pixelMap', 'pixelNote'],
      tabs: { Details: ['pixelMap'], History: ['pixelMap', 'pixelNote'] },
    },
  ],
  '/notifications': () => [{ query: '', shows: [] }],
  '/notifications/settings': () => [{ query: '', shows: [] }],
  '/setup': () => [{ query: '', shows: [] }],
  '/welcome': () => [{ query: '', shows: [] }],
  '/old-overview': () => [{ query: `?date=${TODAY}`, shows: ['truck', 'driver', 'program', 'market'] }],
  '/old-schedule/daily-schedule': (_, search) => [
    { query: `?date=${TODAY}&${search('truck')}`, shows: ['truck', 'driver', 'program', 'market', 'shiftNote'] },
  ],
  '/old-schedule/user-schedule': (_, search) => [
    { query: `?date=${TODAY}&${search('driver')}`, shows: ['driver', 'truck', 'program', 'market'] },
  ],
  '/programs/program-by-client': (_, search) => [
    { query: `?${search('program')}`, shows: ['client', 'program', 'file'] },
  ],
  '/programs/pop': (_, search) => [{ query: `?${search('program')}`, shows: ['program', 'client', 'headline'] }],
  '/old-trucks': (_, search) => [{ query: `?${search('truck')}`, shows: ['truck', 'market', 'truckNote'] }],
  '/old-users': (_, search) => [{ query: `?${search('reader')}`, shows: ['reader', 'client'] }],
  '/old-users/payroll': ({ driver }, search) => [
    { query: `?date=${TODAY}&${search('driver')}&open=${driver.uid}`, shows: ['driver', 'adjustment'] },
  ],
}

/** The drawers under the user's name, from their own table; each opens over any screen. */
export const headerDrawers = [
  ...readFileSync(new URL('../../web/src/header-tools.ts', import.meta.url), 'utf8').matchAll(/key: '([^']+)'/g),
].map(([, key = '']) => key)
export const headerPlaces: Record<string, TextName[]> = {
  markets: ['market'],
  settings: [],
  changes: [],
  credentials: ['apiKey'],
}

/** What the driver of the shift and someone at the client see. */
export const driverPlaces: Places = {
  '/schedule/program-schedule': ({ shift }) => [
    { query: `?date=${TODAY}`, shows: ['truck', 'program', 'market'] },
    { query: `?open=${shift.uid}`, shows: ['truck', 'program', 'market'] },
  ],
  '/schedule/program-user-schedule': () => [{ query: `?date=${TODAY}`, shows: ['truck', 'program', 'market'] }],
  '/client-pop': () => [{ query: '', shows: ['program', 'market'] }],
  '/users/payroll': () => [{ query: `?date=${TODAY}`, shows: ['adjustment'] }],
  '/old-schedule/user-schedule': () => [{ query: `?date=${TODAY}`, shows: ['truck', 'program'] }],
}
export const clientPlaces: Places = {
  '/clients': () => [{ query: '', shows: ['client'] }],
  '/client-programs': () => [{ query: '', shows: ['program'] }],
  '/artworks': () => [{ query: '', shows: ['artwork'] }],
  '/gps-addresses': ({ addresses }) => [{ query: `?open=${addresses.uid}`, shows: ['addresses', 'place', 'street'] }],
  '/schedule/program-schedule': () => [{ query: `?view=list`, shows: ['program', 'market'] }],
  '/campaigns': () => [{ query: '', shows: ['program', 'market', 'caption'] }],
  '/client-pop': ({ program }) => [{ query: `?open=${program.uid}`, shows: ['program', 'caption'] }],
  '/smart-directional-report': adminPlaces['/smart-directional-report'] ?? (() => []),
  '/replay': adminPlaces['/replay'] ?? (() => []),
}
