import { formatCount } from '@roadshow/contract/platform/figures'
import { addresses, MAX_GEOCODE } from '@roadshow/contract/catalog/addresses'
import type { AddressInput } from '@roadshow/contract/catalog/addresses'
import { Button, Progress } from 'antd'
import { useRef, useState } from 'react'
import { call, errorMessage } from '../../api/call.ts'
import { Row } from '../../ui/layout.tsx'
import { useNotice } from '../../ui/notices.tsx'

/** Where an address was found that read so when it was asked for. */
export interface LocatedAddress {
  index: number
  text: string
  at: Pick<AddressInput, 'latitude' | 'longitude' | 'locatedBy'>
}

interface LocateApproximateProps {
  value: AddressInput[]
  onFound: (found: LocatedAddress[]) => void
}

/** Looks up, a few at a time, the addresses that stand only where their ZIP code is. */
export function LocateApproximate({ value, onFound }: LocateApproximateProps) {
  const [done, setDone] = useState<number>()
  const stop = useRef(false)
  const notice = useNotice()
  const approximate = value.flatMap(({ locatedBy, address }, index) =>
    locatedBy === 'zip' && address ? [{ index, text: address }] : [],
  )

  const run = async () => {
    stop.current = false
    const better: LocatedAddress[] = []
    setDone(0)
    try {
      for (let from = 0; from < approximate.length && !stop.current; from += MAX_GEOCODE) {
        const group = approximate.slice(from, from + MAX_GEOCODE)
        const { data } = await call(addresses.geocode, { body: { addresses: group.map(({ text }) => text) } })
        for (const [place, asked] of group.entries()) {
          const at = data[place]
          if (at?.locatedBy === 'geocoder') better.push({ ...asked, at })
        }
        setDone(from + group.length)
      }
      notice(better.length > 0 ? `${better.length} addresses are located exactly now.` : 'No better place was found.')
    } catch (error) {
      notice(errorMessage(error), 'bad')
    }
    // What was found before it stopped is kept.
    if (better.length > 0) onFound(better)
    setDone(undefined)
  }

  if (done !== undefined) {
    return (
      <Row as="span" gap={2} align="center" grow style={{ minWidth: 200 }}>
        <Progress percent={Math.round((done / approximate.length) * 100)} size="small" aria-label="Addresses located" />
        <Button size="small" onClick={() => (stop.current = true)}>
          Stop
        </Button>
      </Row>
    )
  }
  if (approximate.length === 0) return null
  return <Button onClick={() => void run()}>Locate {formatCount(approximate.length)} approximate</Button>
}
