import { useBlocker } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { takeDraft, watchDraft } from '../api/drafts.ts'
import { readToken, savedUserUid } from '../api/session.ts'
import { Confirm } from './Confirm.tsx'
import { useNotice } from './notices.tsx'

/** How a form outlasts a forced sign-out. */
interface Draft<Typed> {
  /** Names the form and its record. */
  name: string
  /** What was typed, as JSON can carry it. */
  read: () => Typed
  /** Puts it back into the form. */
  restore: (typed: Typed) => void
}

interface UnsavedEditsProps<Typed> {
  isEdited: () => boolean
  draft?: Draft<Typed>
}

/**
 * Asks before edits are lost, whichever way the user leaves: Cancel, Back, another screen, or closing the page. A forced
 * sign-out does not ask: what was typed comes back when the same user opens the form again.
 */
export function UnsavedEdits<Typed>({ isEdited, draft }: UnsavedEditsProps<Typed>) {
  useFormDraft(isEdited, draft)
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

/** Makes what is typed into a form outlast a forced sign-out. */
export function useFormDraft<Typed>(isEdited: () => boolean, draft: Draft<Typed> | undefined): void {
  const notice = useNotice()
  const name = draft?.name
  const read = useEffectEvent(() => (isEdited() ? draft?.read() : undefined))
  const restore = useEffectEvent(() => {
    const typed = name === undefined ? undefined : takeDraft(name, savedUserUid())
    if (typed === undefined) return
    draft?.restore(typed as Typed)
    notice('Your unsaved changes are back.')
  })
  useEffect(() => {
    if (name === undefined) return undefined
    restore()
    return watchDraft(name, () => read())
  }, [name])
}
