import {
  dailySchedule,
  type Endpoint,
  oldPops,
  oldPrograms,
  pops,
  programs,
  type Role,
  shifts,
  shiftUpload,
} from '@roadshow/contract'

type Body = Record<string, unknown>

/** `GET /trucks` */
export const endpointName = ({ method, path }: Endpoint) => `${method} ${path}`

/** A body that each old call takes: that of the new call, of another day or name where it adds something. */
export function legacyBodies(samples: Record<string, Body>): Record<string, Body> {
  const of = (endpoint: Endpoint) => samples[endpointName(endpoint)] ?? {}
  const artwork = {
    name: 'Worn first',
    note: '',
    driverSideArtworkUid: null,
    passengerSideArtworkUid: null,
    rearArtworkUid: null,
  }
  const bodies: [Endpoint, Body][] = [
    [dailySchedule.create, { ...of(shifts.create), date: '2026-02-09' }],
    [dailySchedule.update, of(shifts.update)],
    [dailySchedule.upload, of(shiftUpload.upload)],
    [oldPrograms.create, { ...of(programs.create), name: 'A classic', popUrl: 'a-classic', artwork }],
    [oldPrograms.update, { ...of(programs.update), artwork: { ...artwork, seen: null } }],
    [oldPops.addPhotos, of(pops.addPhotos)],
    [oldPops.update, of(pops.update)],
    [oldPops.saveMarkets, of(pops.saveMarkets)],
    [oldPops.publish, of(pops.publish)],
  ]
  return Object.fromEntries(bodies.map(([endpoint, body]) => [endpointName(endpoint), body]))
}

type Access = Record<Role, 'yes' | 'no'>

/** Who may make each old call, with the default modules of their role. Of the schedule sales keep the new screens only. */
export const legacyAccess: Record<string, Access> = {
  'GET old-overview/shifts': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
  'GET old-overview/pop-photos': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
  'GET daily-schedule/run': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
  'GET daily-schedule/details/run': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
  'POST daily-schedule/': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
  'PUT daily-schedule/': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
  'DELETE daily-schedule/{uid}': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
  'GET daily-schedule/{uid}/dependents': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
  'PUT daily-schedule/{uid}/restore': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
  'POST daily-schedule/upload': { admin: 'yes', driver: 'no', sales: 'no', client: 'no' },
  'GET user-schedule/run': { admin: 'yes', driver: 'yes', sales: 'no', client: 'no' },
  'GET programs/run': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
  'POST programs/': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
  'PUT programs/': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
  'DELETE programs/{uid}': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
  'GET programs/{uid}/dependents': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
  'PUT programs/{uid}/restore': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
  'GET programs/smart-directional-report/{programUid}': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
  'GET pop/run': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'yes' },
  'POST pop/': { admin: 'yes', driver: 'yes', sales: 'yes', client: 'no' },
  'PUT pop/': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
  'PUT pop/pop-market': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
  'POST pop/program-pop': { admin: 'yes', driver: 'no', sales: 'yes', client: 'no' },
  'GET pop/miles-driven': { admin: 'yes', driver: 'no', sales: 'yes', client: 'yes' },
}
