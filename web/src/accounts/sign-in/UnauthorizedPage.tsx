import { useState } from 'react'
import { signOut } from '../../api/sign-out.ts'
import { words } from './words/index.ts'

export function UnauthorizedPage() {
  const [leaving, setLeaving] = useState(false)
  return (
    <>
      <h1>{words.noAccess}</h1>
      <p className="lead">{words.noAccessText}</p>
      <button
        type="button"
        className="primary"
        disabled={leaving}
        onClick={() => {
          setLeaving(true)
          void signOut()
        }}
      >
        {leaving ? words.signingOut : words.signOut}
      </button>
      <p className="aside">
        <a href="/">{words.tryAgain}</a>
      </p>
    </>
  )
}
