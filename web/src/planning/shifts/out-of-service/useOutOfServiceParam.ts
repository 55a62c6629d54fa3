import { useNavigate, useSearch } from '@tanstack/react-router'
import type { UrlSearch } from '../../../ui/useListState.ts'

/** What the dialog begins with: a truck or a driver, and the first day. */
export interface AskedStretch {
  over: 'truck' | 'driver'
  /** The truck or the driver; chosen in the dialog if it is not given. */
  of?: string | undefined
  from?: string | undefined
  /** The stretch to change. */
  uid?: string | undefined
}

/** The dialog that takes a truck or a driver out of service, kept in the address: `away=driver&awayOf=…&awayFrom=…`. */
export function useOutOfServiceParam(): [
  asked: AskedStretch | undefined,
  ask: (asked: AskedStretch | undefined) => void,
] {
  const search: UrlSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const textOf = (name: string) => (typeof search[name] === 'string' && search[name] !== '' ? search[name] : undefined)
  const over = textOf('away')
  const asked =
    over === 'truck' || over === 'driver'
      ? { over, of: textOf('awayOf'), from: textOf('awayFrom'), uid: textOf('awayUid') }
      : undefined
  const ask = (next: AskedStretch | undefined) =>
    void navigate({
      to: '.',
      search: (old: UrlSearch) => ({
        ...old,
        away: next?.over,
        awayOf: next?.of,
        awayFrom: next?.from,
        awayUid: next?.uid,
      }),
      resetScroll: false,
    })
  return [asked as AskedStretch | undefined, ask]
}
