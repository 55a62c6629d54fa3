import { Link } from '@tanstack/react-router'
import { formatCount } from '@roadshow/contract/platform/figures'
import type { UrlSearch } from '../../ui/useListState.ts'

/** The heading of the list of plays, to which links from figures scroll. */
export const PLAYS_HEADING = 'ad-log-plays'

interface FilterLinkProps {
  /** The filters that leave only the rows of the figure. */
  filters: UrlSearch
  /** Spoken with the figure, such as `Unverified plays`. */
  label?: string
  children: string
}

/** Leads from a figure of the ad log to the plays below, filtered to those it counts. */
export const FilterLink = ({ filters, label, children }: FilterLinkProps) => (
  <Link
    to="."
    search={(old: UrlSearch) => ({ ...old, page: undefined, ...filters })}
    hash={PLAYS_HEADING}
    resetScroll={false}
    aria-label={label && `${label}: ${children}`}
  >
    {children}
  </Link>
)

/** Lists of the ad log beside the plays themselves, by their names in the address. */
export const UNASSIGNED = 'unassigned'
export const UNSTORED = 'missing-and-rejected'

/** The filters of the rows behind numbers that are no plays of a shift, as far as the user may list them. */
export interface OtherFilters {
  unassigned?: UrlSearch | undefined
  /** Of missing, rejected and duplicate numbers. */
  unstored?: UrlSearch | undefined
}

/** Each part with the kind of its rows. */
const kindOfPart = { unassigned: undefined, missing: 'missing', rejected: 'rejected', duplicates: 'duplicate' } as const
type OtherPart = keyof typeof kindOfPart
const isOther = (part: string): part is OtherPart => part in kindOfPart

/** The address of the rows behind one of these numbers. */
const searchOf = (part: OtherPart, { unassigned, unstored }: OtherFilters): UrlSearch | undefined =>
  part === 'unassigned'
    ? unassigned && { view: UNASSIGNED, ...unassigned }
    : unstored && { view: UNSTORED, kind: kindOfPart[part], ...unstored }

interface OtherFigureProps {
  part: string
  filters: OtherFilters
  label: string
  count: number
}

/** A number that is no play of a shift; it leads to its rows where they are listed. */
export function OtherFigure({ part, filters, label, count }: OtherFigureProps) {
  const search = isOther(part) && count > 0 ? searchOf(part, filters) : undefined
  const shown = formatCount(count)
  if (!search) return shown
  return (
    <Link to="." search={search} aria-label={`${label}: ${shown}`}>
      {shown}
    </Link>
  )
}
