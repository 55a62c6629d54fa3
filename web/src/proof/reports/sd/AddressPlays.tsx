import { adLog, ANY_ADDRESS } from '@roadshow/contract/proof/ad-log'
import { countOf, formatCount } from '@roadshow/contract/platform/figures'
import { FigureLink } from '../../../ui/list/FigureLink.tsx'

interface AddressPlaysProps {
  /** A program, with a market and days as the report has them. */
  of: { program: string; market?: string | undefined; from?: string | undefined; to?: string | undefined }
  /** Without one, plays for any address count. */
  address?: string
  /** A visit to the address. */
  visit?: { shiftUid: string; since: string; until: string }
  plays: number
  /** Names what is counted, where no heading does. */
  unit?: 'play'
}

/** A number of plays for SD addresses, which leads to them. */
export function AddressPlays({ of: { program, market, from, to }, address, visit, plays, unit }: AddressPlaysProps) {
  const search = {
    program,
    ...(market && { market }),
    ...(from && { from }),
    ...(to && { to }),
    address: address ?? ANY_ADDRESS,
    ...(visit && { shift: visit.shiftUid, since: visit.since, until: visit.until }),
  }
  return (
    <FigureLink list={adLog.list} to="/ad-log" search={search}>
      {unit ? countOf(plays, unit) : formatCount(plays)}
    </FigureLink>
  )
}
