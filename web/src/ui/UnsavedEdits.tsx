import { useBlocker } from '@tanstack/react-router'
import { readToken } from '../api/session.ts'
import { Confirm } from './Confirm.tsx'

/** Asks before edits are lost, whichever way the user leaves: Cancel, Back, another screen, or closing the page. */
export function UnsavedEdits({ isEdited }: { isEdited: () => boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: isEdited,
    // A page whose session has ended must go: its cookies are cleared by then, and nothing could be saved any more.
    enableBeforeUnload: () => isEdited() && readToken() !== undefined,
    withResolver: true,
  })
  return (
    <Confirm
      open={blocker.status === 'blocked'}
      question="Discard your changes?"
      text="Your unsaved changes will be lost."
      act="Discard"
      onAct={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    />
  )
}
