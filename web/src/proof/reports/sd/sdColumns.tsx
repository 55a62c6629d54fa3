import type { SdResult } from '@roadshow/contract/proof/sd-report'
import type { Column } from '../../../ui/rows/columns.ts'
import { StateTag } from '../../../ui/text/StateTag.tsx'
import { timestamp } from '@roadshow/contract/platform/dates'
import { EM_DASH } from '../../../ui/text/dash.ts'
import { formatCount } from '@roadshow/contract/platform/figures'
import { distanceText } from '../reportNumbers.ts'
import { AddressPlays } from './AddressPlays.tsx'
import { outcomeTone } from './approachMap.ts'
import type { SdFilters } from './useSdFilters.ts'

const number = (key: keyof SdResult, title: string, width: number, render: Column<SdResult>['render']) =>
  ({ key, title, width, align: 'right', render }) as const

/** The columns of the SD report; times as clocks in the market show them. */
export const sdColumns = (zone: string, filters: SdFilters): Column<SdResult>[] => [
  { key: 'label', title: 'Address', render: ({ label, address }) => <span title={address}>{label}</span> },
  number('plays', 'Plays', 84, ({ uid, plays }) => <AddressPlays of={filters} address={uid} plays={plays} />),
  number('seconds', 'Seconds', 98, ({ seconds }) => formatCount(seconds)),
  number('approaches', 'Approaches', 118, ({ approaches }) => formatCount(approaches)),
  number('missed', 'Missed', 94, ({ missed }) =>
    missed > 0 ? <StateTag tone={outcomeTone.missed}>{formatCount(missed)}</StateTag> : 0,
  ),
  number('nearestM', 'Closest', 98, ({ nearestM }) => distanceText(nearestM)),
  { ...number('trucks', 'Trucks', 88, ({ trucks }) => formatCount(trucks)), secondary: true },
  { key: 'firstAt', title: 'First', width: 190, secondary: true, render: ({ firstAt }) => timeText(firstAt, zone) },
  { key: 'lastAt', title: 'Last', width: 190, render: ({ lastAt }) => timeText(lastAt, zone) },
]

const timeText = (instant: string | null, zone: string) => (instant ? timestamp(instant, zone) : EM_DASH)
