import { addresses, MAX_GEOCODE } from '@roadshow/contract/addresses'
import type { AddressInput } from '@roadshow/contract/addresses'
import { Button, Progress } from 'antd'
import { useRef, useState } from 'react'
import { call, sentenceOf } from '../api/call.ts'
import { useNotice } from '../ui/notices.tsx'
import styles from './addresses.module.css'

interface LocateApproximateProps {
  value: AddressInput[]
  onChange: (value: AddressInput[]) => void
}

/** Looks up, a few at a time, the addresses that stand only where their ZIP code is. */
export function LocateApproximate({ value, onChange }: LocateApproximateProps) {
  const [done, setDone] = useState<number>()
  const stop = useRef(false)
  const notice = useNotice()
  const approximate = value.flatMap(({ locatedBy, address }, index) => (locatedBy === 'zip' && address ? [index] : []))

  const run = async () => {
    stop.current = false
    const next = [...value]
    let better = 0
    setDone(0)
    try {
      for (let from = 0; from < approximate.length && !stop.current; from += MAX_GEOCODE) {
        const group = approximate.slice(from, from + MAX_GEOCODE)
        const { data } = await call(addresses.geocode, {
          body: { addresses: group.map((index) => String(next[index]?.address)) },
        })
        for (const [place, found] of data.entries()) {
          const index = group[place]
          const known = index === undefined ? undefined : next[index]
          if (index === undefined || !known || found?.locatedBy !== 'geocoder') continue
          next[index] = { ...known, ...found }
          better++
        }
        setDone(from + group.length)
      }
      notice(better > 0 ? `${better} addresses are located exactly now.` : 'No better place was found.')
    } catch (error) {
      notice(sentenceOf(error), 'bad')
    }
    // What was found before it stopped is kept.
    if (better > 0) onChange(next)
    setDone(undefined)
  }

  if (done !== undefined) {
    return (
      <span className={styles.locating}>
        <Progress percent={Math.round((done / approximate.length) * 100)} size="small" aria-label="Addresses located" />
        <Button size="small" onClick={() => (stop.current = true)}>
          Stop
        </Button>
      </span>
    )
  }
  if (approximate.length === 0) return null
  return <Button onClick={() => void run()}>Locate {approximate.length.toLocaleString('en-US')} approximate</Button>
}
