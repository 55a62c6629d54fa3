import { describe, expect, test } from 'vitest'
import { countTruckDays, type FleetTruck, homeDays, type TruckDay } from './availability.ts'

const WEEK = { from: '2026-11-02', to: '2026-11-08' }
const truck = (more: Partial<FleetTruck> = {}): FleetTruck => ({
  uid: 'T-1',
  state: 'active',
  homeMarketUid: 'dallas',
  isDeleted: false,
  since: '2020-01-01',
  changes: [],
  ...more,
})
const atHome = (given: FleetTruck) =>
  [...homeDays(given, WEEK.from, WEEK.to)].map(([day, market]) => `${day} ${market}`)

describe('the days on which a truck was active at home', () => {
  test('are all days for a truck that never changed', () => expect(atHome(truck())).toHaveLength(7))

  test('begin with its first record', () =>
    expect(atHome(truck({ since: '2026-11-07' }))).toEqual(['2026-11-08 dallas', '2026-11-07 dallas']))

  test('follow its state: a day counts by what was recorded at its end', () => {
    const changes = [
      { day: '2026-11-06', state: 'inShop' as const },
      { day: '2026-11-04', state: 'active' as const },
    ]
    expect(atHome(truck({ changes })).map((text) => text.slice(8, 10))).toEqual(['08', '07', '06', '03', '02'])
  })

  test('follow its home', () => {
    const changes = [
      { day: '2026-11-08', homeMarketUid: 'austin' },
      { day: '2026-11-04', homeMarketUid: null },
    ]
    expect(atHome(truck({ changes }))).toEqual([
      '2026-11-08 dallas',
      '2026-11-07 austin',
      '2026-11-06 austin',
      '2026-11-05 austin',
      '2026-11-04 austin',
    ])
  })

  test('end when it is deleted or retired', () => {
    const deleted = truck({ isDeleted: true, changes: [{ day: '2026-11-04', isDeleted: false }] })
    expect(atHome(deleted)).toEqual(['2026-11-03 dallas', '2026-11-02 dallas'])
    expect(atHome(truck({ state: 'retired' }))).toEqual([])
  })
})

describe('truck-days by market and week', () => {
  const day = (more: Partial<TruckDay>): TruckDay => ({
    truckUid: 'T-1',
    marketUid: 'dallas',
    day: '2026-11-02',
    shifts: 1,
    isDriven: false,
    ...more,
  })
  const count = (trucks: FleetTruck[], days: TruckDay[], span = WEEK) =>
    Object.fromEntries(
      [...countTruckDays(trucks, days, span)].map(([market, weeks]) => [market, Object.fromEntries(weeks)]),
    )

  test('a truck counts once a day, driven before booked', () => {
    expect(
      count([truck()], [day({ shifts: 2, isDriven: true }), day({ day: '2026-11-03' }), day({ day: '2026-11-04' })]),
    ).toEqual({ dallas: { '2026-11-02': { shifts: 4, driven: 1, booked: 2, available: 7 } } })
  })

  test('a truck away from home counts where it drives, and a retired one as long as it drives', () => {
    const away = [day({ marketUid: 'austin' }), day({ truckUid: 'T-2', day: '2026-11-08', isDriven: true })]
    expect(count([truck(), truck({ uid: 'T-2', state: 'retired' })], away)).toEqual({
      austin: { '2026-11-02': { shifts: 1, driven: 0, booked: 1, available: 1 } },
      dallas: { '2026-11-02': { shifts: 1, driven: 1, booked: 0, available: 7 } },
    })
  })

  test('shifts of other programs keep a truck from being idle twice', () => {
    expect(count([truck()], [day({ shifts: 0 })])).toEqual({
      dallas: { '2026-11-02': { shifts: 0, driven: 0, booked: 0, available: 7 } },
    })
  })

  test('weeks begin on Monday and are cut off by the days of the query', () => {
    expect(count([truck()], [], { from: '2026-11-08', to: '2026-11-09' })).toEqual({
      dallas: {
        '2026-11-02': { shifts: 0, driven: 0, booked: 0, available: 1 },
        '2026-11-09': { shifts: 0, driven: 0, booked: 0, available: 1 },
      },
    })
  })
})
