import { waitingSaves } from '../../api/waiting-saves.ts'
import { Confirm } from '../../ui/Confirm.tsx'

/** Asks before a sign-out drops saves that have not reached the server. */
export default function SignOutConfirm({ onAct, onCancel }: { onAct: () => void; onCancel: () => void }) {
  const count = waitingSaves.all().length
  return (
    <Confirm
      open
      question={`Sign out and lose ${count} ${count === 1 ? 'save' : 'saves'}?`}
      text="They have not reached the server. Stay signed in until the connection is back to keep them."
      act="Sign out"
      onAct={onAct}
      onCancel={onCancel}
    />
  )
}
