import { useState } from 'react'
import { ApiError, errorMessage } from '../../api/call.ts'
import { translated, words } from './words/index.ts'

interface Props {
  children: string
  className?: string
  /** Asks the passkey and goes on with its answer. */
  onPress: () => Promise<void>
  /** Takes over a refusal that leads elsewhere. */
  onRefused?: (error: ApiError) => boolean
}

/** A button that has the browser ask for a passkey, and says what went wrong. */
export function PasskeyButton({ children, className = 'secondary', onPress, onRefused }: Props) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function press() {
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    try {
      await onPress()
    } catch (error) {
      if (error instanceof ApiError && onRefused?.(error)) return
      setProblem(translated(errorMessage(error)))
      setBusy(false)
    }
  }

  return (
    <>
      {problem && (
        <p role="alert" className="notice notice-bad passkey-problem">
          {problem}
        </p>
      )}
      <button type="button" className={className} aria-disabled={busy} onClick={() => void press()}>
        {busy ? words.waitingForPasskey : children}
      </button>
    </>
  )
}
