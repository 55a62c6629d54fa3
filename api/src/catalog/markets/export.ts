import { type Depot, type Market, type markets, METERS_PER_FOOT, type QueryOf } from '@roadshow/contract'
import type { ListSheet } from '../../platform/spreadsheet/list-or-export.ts'
import { milesColumn } from '../../platform/spreadsheet/columns.ts'

// A meter, as a corner on a map is drawn no more exactly.
const DIGITS = 5
const degrees = (value: number) => String(Number(value.toFixed(DIGITS)))

/** The corners of a market: `29.76043 -95.3698;29.8 -95.2`. */
const cornersOf = ({ outline }: Market) =>
  (outline ?? []).map(([longitude, latitude]) => `${degrees(latitude)} ${degrees(longitude)}`).join(';')

/** A depot: `North yard (29.8 -95.2, 500 ft)`. */
const depotOf = ({ name, latitude, longitude, radiusM }: Depot) =>
  `${name} (${degrees(latitude)} ${degrees(longitude)}, ${Math.round(radiusM / METERS_PER_FOOT)} ft)`

export const marketSheet: ListSheet<Market, QueryOf<typeof markets.list>> = {
  name: 'markets',
  columns: {
    Name: (market) => market.name,
    State: (market) => market.state,
    Zone: (market) => market.zone,
    Latitude: (market) => market.latitude,
    Longitude: (market) => market.longitude,
    'Radius (miles)': milesColumn(({ radiusM }) => radiusM),
    Outline: cornersOf,
    Depots: ({ depots }) => depots.map(depotOf).join('; '),
  },
  filters: async () => [],
}
