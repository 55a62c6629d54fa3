import { useState } from 'react'
import { call, errorMessage } from '../../api/call.ts'
import { beginSignOn } from './calls.ts'
import { nextPath } from './next-path.ts'
import { words } from './words/index.ts'

interface Props {
  /** What people call the identity provider. */
  name: string
  isOnlyWay: boolean
  onRefused: (sentence: string) => void
}

/** Leads to the identity provider, and later back here. */
export function SignOnButton({ name, isOnlyWay, onRefused }: Props) {
  const [busy, setBusy] = useState(false)

  async function begin() {
    if (busy) return
    setBusy(true)
    try {
      const { data } = await call(beginSignOn, { body: { next: nextPath(location.search) } })
      location.assign(data.url)
    } catch (error) {
      setBusy(false)
      onRefused(errorMessage(error))
    }
  }

  return (
    <button
      type="button"
      className={isOnlyWay ? 'primary' : 'secondary'}
      aria-disabled={busy}
      onClick={() => void begin()}
    >
      {words.signInWith(name)}
    </button>
  )
}
