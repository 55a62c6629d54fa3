import { useState } from 'react'
import { signOut } from '../../api/sign-out.ts'

export function UnauthorizedPage() {
  const [leaving, setLeaving] = useState(false)
  return (
    <>
      <h1>No access yet</h1>
      <p className="lead">Your account doesn’t have access to any screen yet. Ask an administrator.</p>
      <button
        type="button"
        className="primary"
        disabled={leaving}
        onClick={() => {
          setLeaving(true)
          void signOut()
        }}
      >
        {leaving ? 'Signing out…' : 'Sign out'}
      </button>
      <p className="aside">
        <a href="/">Try again</a>
      </p>
    </>
  )
}
