import { useEffect, useState } from 'react'
import { useApp, useAppState, useMay, useNow, useWords } from '../context.ts'
import { isWaiting } from '../queue/items.ts'
import { ContactLinks } from './ContactLinks.tsx'
import { currentShift } from '../shift-rules.ts'
import { spanText } from '../times.ts'
import { mayBeEvicted } from './eviction.ts'
import { Button } from './Button.tsx'
import { Notice } from './Notice.tsx'

const CLOCK_TOLERANCE_MS = 5 * 60_000

/** What a driver should know about signal, session, storage and clock. */
export function Notices() {
  const app = useApp()
  const words = useWords()
  const { queue, isOnline, session, isStoreFull, clockOffsetMs } = useAppState()
  const waiting = queue.filter(isWaiting).length
  const isAtRisk = useEvictionRisk()
  const may = useMay()
  return (
    <>
      {session === 'ended' && (
        <Notice>
          <span>{waiting > 0 ? words.sessionEndedWaiting(waiting) : words.sessionEnded}</span>
          {isOnline && (
            <Button look="primary" onClick={app.signIn}>
              {words.signIn}
            </Button>
          )}
        </Notice>
      )}
      {session !== 'otherRole' && !may.act && <ReadOnlyNotice />}
      {!isOnline && <Notice>{words.offline}</Notice>}
      {isStoreFull && <Notice isBad>{words.storeFull}</Notice>}
      {isAtRisk && waiting > 0 && <Notice isBad>{words.evictionWarning}</Notice>}
      {Math.abs(clockOffsetMs) > CLOCK_TOLERANCE_MS && <Notice>{words.clockWrong(spanText(clockOffsetMs))}</Notice>}
    </>
  )
}

/** An account that may only read says whom to call. */
function ReadOnlyNotice() {
  const words = useWords()
  const { day } = useAppState()
  const shift = currentShift(day?.shifts ?? [], useNow())
  return (
    <Notice>
      <span>{words.readOnlyAccount}</span>
      <ContactLinks contacts={shift?.contacts ?? []} />
    </Notice>
  )
}

/** Whether this phone clears the app's storage when it is not used for a week. */
function useEvictionRisk(): boolean {
  const [isAtRisk, setAtRisk] = useState(false)
  useEffect(() => void mayBeEvicted().then(setAtRisk), [])
  return isAtRisk
}
