import type { ThingInTheWay } from '@roadshow/contract/platform/in-the-way'
import { useEffect, useRef } from 'react'
import { SlotParts } from '../slots.tsx'
import { InTheWayBox } from './InTheWayBox.tsx'

export interface InTheWayProps {
  thing: ThingInTheWay
  /** It is out of the way: what was refused can be done. */
  onDone: () => void
}

declare module '../slots.tsx' {
  interface SlotProps {
    inTheWay: InTheWayProps
  }
}

interface ThingsInTheWayProps extends Pick<InTheWayProps, 'onDone'> {
  things: readonly ThingInTheWay[]
}

/** What refuses something: a link to each thing, and what takes it out of the way. */
export function ThingsInTheWay({ things, onDone }: ThingsInTheWayProps) {
  // The refusal stands above a long form, and its buttons may be out of sight.
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'center' })
  }, [])
  return (
    <div ref={place}>
      {things.map((thing) => (
        <InTheWayBox key={`${thing.name} ${thing.screen}`} words={thing.name}>
          {thing.screen !== null && (
            // In a tab of its own: the form keeps what was typed.
            <a href={thing.screen} target="_blank" rel="noreferrer">
              Show
            </a>
          )}
          <SlotParts name="inTheWay" props={{ thing, onDone }} />
        </InTheWayBox>
      ))}
    </div>
  )
}
