import { useEffect, useState } from 'react'
import { Soft } from '../layout.tsx'

const SLOW_MS = 3000

/** Whether something has been under way for more than three seconds. */
function useIsSlow(isBusy: boolean): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isBusy) return
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isBusy])
  return isSlow
}

/** Says of a save without an answer that it waits, so that nobody presses again or leaves. */
export const SlowSave = ({ isBusy }: { isBusy: boolean }) => (
  <span role="status">{useIsSlow(isBusy) && <Soft small>Still saving. Waiting for the server’s answer.</Soft>}</span>
)
