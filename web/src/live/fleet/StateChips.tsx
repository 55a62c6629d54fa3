import { formatCount } from '@roadshow/contract/platform/figures'
import { liveStateLabel } from '@roadshow/contract/live/fleet'
import type { LiveState, LiveTruck } from '@roadshow/contract/live/fleet'
import { useMemo } from 'react'
import { isHollow } from '../../ui/text/StateTag.tsx'
import { Row } from '../../ui/layout.tsx'
import { statesInOrder, stateTone } from './truckState.tsx'
import shared from './overview.module.css'
import styles from './StateChips.module.css'

interface StateChipsProps {
  trucks: readonly LiveTruck[] | undefined
  chosen: readonly LiveState[]
  onChange: (states: readonly LiveState[]) => void
}

/** The state filters of the map with their counts, which are also its legend. */
export function StateChips({ trucks, chosen, onChange }: StateChipsProps) {
  const counts = useMemo(() => {
    const all = new Map<LiveState, number>()
    for (const { state } of trucks ?? []) all.set(state, (all.get(state) ?? 0) + 1)
    return all
  }, [trucks])
  const toggle = (state: LiveState) =>
    onChange(statesInOrder.filter((each) => (each === state) !== chosen.includes(each)))
  return (
    <Row gap={1} wrap className={styles.chips} role="group" aria-label="States shown">
      {statesInOrder.map((state) => (
        <button
          key={state}
          type="button"
          className={styles.chip}
          aria-pressed={chosen.includes(state)}
          onClick={() => toggle(state)}
        >
          <span
            className={shared.dot}
            data-hollow={isHollow(stateTone[state])}
            style={{ color: `var(--${stateTone[state]})` }}
            aria-hidden
          />
          {liveStateLabel[state]}
          {trucks && <span className={styles.chipCount}>{formatCount(counts.get(state) ?? 0)}</span>}
        </button>
      ))}
    </Row>
  )
}
