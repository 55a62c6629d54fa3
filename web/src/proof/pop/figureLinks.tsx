import { shifts } from '@roadshow/contract/planning/shifts'
import { adLog } from '@roadshow/contract/proof/ad-log'
import type { PopGrade } from '@roadshow/contract/proof/pop-document'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMay } from '../../api/user.ts'

interface FigureLinkProps {
  /** The uids that narrow the rows. */
  program: string
  market?: string | undefined
  /** A day of shifts, which start on it. */
  day?: string | undefined
  /** Days of shifts, instead of one day. */
  days?: { from?: string; to?: string }
  children: ReactNode
}

const daysOf = (day: string | undefined): { from?: string; to?: string } =>
  day === undefined ? {} : { from: day, to: day }

/** Leads from miles, hours, days or a number of shifts to the shifts that took place. */
export function ShiftsLink({ program, market, day, days = daysOf(day), children }: FigureLinkProps) {
  const may = useMay(shifts.list)
  if (!may) return children
  const search = { view: 'list', tookPlace: 'yes', program, ...(market && { market }), ...days }
  return (
    <Link to="/schedule/program-schedule" search={search}>
      {children}
    </Link>
  )
}

interface PlaysLinkProps extends FigureLinkProps {
  grade?: PopGrade
}

/** Leads from a number of plays to the ad log. */
export function PlaysLink({ program, market, day, days = daysOf(day), grade, children }: PlaysLinkProps) {
  const may = useMay(adLog.list)
  if (!may) return children
  return (
    <Link to="/ad-log" search={{ program, ...(market && { market }), ...days, ...(grade && { grade }) }}>
      {children}
    </Link>
  )
}

/** Leads from a number of photos to the photos of a POP. */
export const PhotosLink = ({ program, market, children }: Omit<FigureLinkProps, 'day' | 'days'>) => (
  <Link to="/client-pop" search={{ open: program, ...(market && { market }) }}>
    {children}
  </Link>
)
