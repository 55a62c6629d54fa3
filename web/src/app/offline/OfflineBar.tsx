import { formatTimeOnly, localZone } from '@roadshow/contract/platform/dates'
import { Button } from 'antd'
import { useState } from 'react'
import { checkConnection, connection } from '../../api/connection.ts'
import { dropWaitingSave } from '../../api/waiting-saves.ts'
import type { WaitingSave } from '../../api/waiting-saves.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import styles from './OfflineBar.module.css'

const clock = (moment: number) => formatTimeOnly(moment, localZone())

const savesText = (count: number) => `${count} ${count === 1 ? 'save' : 'saves'}`

interface OfflineBarProps {
  isAway: boolean
  saves: readonly WaitingSave[]
  onOpen: (save: WaitingSave) => void
}

/** Says that the server is away, since when, and which saves wait for it or were refused. */
export function OfflineBar({ isAway, saves, onOpen }: OfflineBarProps) {
  const [isListed, setIsListed] = useState(false)
  const [isChecking, setIsChecking] = useState(false)
  const waiting = saves.filter(({ refused }) => !refused).length
  const refused = saves.length - waiting
  const retry = () => {
    setIsChecking(true)
    void checkConnection().finally(() => setIsChecking(false))
  }
  return (
    <div role="status" className={styles.place}>
      {(isAway || saves.length > 0) && (
        <section aria-label="Connection" className={styles.bar}>
          <div className={styles.line}>
            <strong>{stateText(isAway, waiting, refused)}</strong>
            {saves.length > 0 && (
              <button
                type="button"
                className={styles.button}
                aria-expanded={isListed}
                onClick={() => setIsListed(!isListed)}
              >
                {[waiting && `${savesText(waiting)} waiting`, refused && `${savesText(refused)} refused`]
                  .filter(Boolean)
                  .join(', ')}
              </button>
            )}
            {isAway && (
              <button type="button" className={styles.button} disabled={isChecking} onClick={retry}>
                {isChecking ? 'Trying…' : 'Retry'}
              </button>
            )}
          </div>
          {isListed && saves.length > 0 && <WaitingList saves={saves} onOpen={onOpen} />}
        </section>
      )}
    </div>
  )
}

function stateText(isAway: boolean, waiting: number, refused: number): string {
  if (isAway) return `Offline, last update ${clock(connection.heardAt())}`
  return waiting > 0 ? 'Sending…' : `Not saved: ${savesText(refused)}`
}

/** Each save in line: what it is, since when it waits or why it was refused, and the ways on. */
function WaitingList({ saves, onOpen }: Pick<OfflineBarProps, 'saves' | 'onOpen'>) {
  const [asked, setAsked] = useState<WaitingSave>()
  return (
    <ul className={styles.list}>
      {saves.map((save) => (
        <li key={save.idempotencyKey}>
          <span>
            <strong>{save.name}</strong> · {save.refused?.body.error ?? `waits since ${clock(save.since)}`}
          </span>
          <Button size="small" onClick={() => onOpen(save)}>
            Open form
          </Button>
          <Button size="small" type="text" danger onClick={() => setAsked(save)}>
            Discard
          </Button>
        </li>
      ))}
      <Confirm
        open={asked !== undefined}
        question={`Discard the changes to ${asked?.name ?? ''}?`}
        text="What you typed will be lost."
        act="Discard"
        onAct={() => {
          if (asked) dropWaitingSave(asked)
          setAsked(undefined)
        }}
        onCancel={() => setAsked(undefined)}
      />
    </ul>
  )
}
