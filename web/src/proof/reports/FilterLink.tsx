import { Link } from '@tanstack/react-router'
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

/** Leads from a number of unassigned plays to the list of them. */
export const UnassignedLink = ({ filters, label, children }: FilterLinkProps) => (
  <Link to="." search={{ view: 'unassigned', ...filters }} aria-label={label && `${label}: ${children}`}>
    {children}
  </Link>
)
