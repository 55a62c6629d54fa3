import type { DeviceKind, TruckKind, TruckState } from '@roadshow/contract'
import { demoMarkets } from './markets.ts'
import { seededIntegers } from './seeded-integers.ts'

const sideBySide = ({ side, rear, height }: { side: number; rear: number; height: number }) => ({
  width: 2 * side + rear,
  height,
  sides: {
    driverSide: { x: 0, y: 0, width: side, height },
    passengerSide: { x: side, y: 0, width: side, height },
    rear: { x: 2 * side, y: 0, width: rear, height },
  },
})

// The second has the shape of the first, so artwork scales from one to the other; the third needs its own.
export const demoPixelMaps = {
  standard: {
    name: 'LED 3-side 1920×480',
    ...sideBySide({ side: 800, rear: 320, height: 480 }),
    pitch_um: 6000,
    note: 'Sides next to each other, one sending card.',
  },
  compact: {
    name: 'LED 3-side 1536×384',
    ...sideBySide({ side: 640, rear: 256, height: 384 }),
    pitch_um: 8000,
    note: 'Older panels with a coarser pitch.',
  },
  long: {
    name: 'LED long body 1920×1080',
    width: 1920,
    height: 1080,
    pitch_um: 4000,
    sides: {
      driverSide: { x: 0, y: 0, width: 1472, height: 368 },
      passengerSide: { x: 0, y: 368, width: 1472, height: 368 },
      rear: { x: 1472, y: 0, width: 448, height: 736 },
    },
    note: 'Sides above each other; artwork for the other trucks does not fit.',
  },
}
export type MapKey = keyof typeof demoPixelMaps

const VIN_SIGNS = 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789'

interface DemoTruck {
  number: string
  plate: string
  vin: string
  kind: TruckKind
  state: TruckState
  market: string
  map: MapKey | null
  geotab: string
  note: string
}

function mapOf(index: number, kind: TruckKind): MapKey | null {
  if (kind === 'printed') return null
  return index % 10 === 9 ? 'long' : index % 3 === 1 ? 'compact' : 'standard'
}

/** Forty trucks, spread over the markets. */
export function demoTrucks(): DemoTruck[] {
  const pick = seededIntegers(7)
  const sign = () => VIN_SIGNS[pick(VIN_SIGNS.length)] ?? 'A'
  const letter = () => String.fromCharCode(65 + pick(26))
  return Array.from({ length: 40 }, (_, index) => {
    const kind: TruckKind = index % 8 === 5 ? 'printed' : 'led'
    const state: TruckState = index === 12 || index === 27 ? 'inShop' : index === 38 ? 'retired' : 'active'
    return {
      number: `T-${index + 1}`,
      plate: `${letter()}${letter()}${letter()}-${1000 + pick(9000)}`,
      vin: `1HT${Array.from({ length: 14 }, sign).join('')}`,
      kind,
      state,
      market: demoMarkets[index % demoMarkets.length]?.name ?? '',
      map: mapOf(index, kind),
      // What is retired no longer reports where it is.
      geotab: state === 'retired' ? '' : `b${(0x2a0 + index * 7).toString(16).toUpperCase()}`,
      note: index === 12 ? 'Rear screen: two dead panels, parts ordered.' : index === 27 ? 'Brake service.' : '',
    }
  })
}

const MAKER: Record<DeviceKind, string> = { player: 'B8:27:EB', driver: '3C:5A:B4' }

/** The devices in each truck, in the order of the trucks: a driver app in all, a player where there are screens. */
export function demoDevices(fleet: readonly DemoTruck[]): { kind: DeviceKind; mac: string; truck: string }[] {
  const pick = seededIntegers(11)
  const byte = () => pick(256).toString(16).toUpperCase().padStart(2, '0')
  return fleet.flatMap(({ number, kind }) =>
    (kind === 'led' ? (['player', 'driver'] as const) : (['driver'] as const)).map((each) => ({
      kind: each,
      mac: [MAKER[each], byte(), byte(), byte()].join(':'),
      truck: number,
    })),
  )
}
