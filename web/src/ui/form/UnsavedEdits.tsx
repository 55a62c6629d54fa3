import { useEffect, useEffectEvent } from 'react'
import { takeDraft, watchDraft } from '../../api/drafts.ts'
import { savedUserUid } from '../../api/session.ts'
import { AskBeforeLeaving } from './AskBeforeLeaving.tsx'
import { useNotice } from '../notices.tsx'

/** How a form outlasts a forced sign-out. */
interface Draft<Typed> {
  /** Names the form and its record; a form without a name is not kept. */
  name: string | undefined
  /** What was typed, as JSON can carry it. */
  read: () => Typed
  /** Puts it back into the form. */
  restore: (typed: Typed) => void
}

interface UnsavedEditsProps<Typed> {
  isEdited: () => boolean
  isOfRecord?: boolean
  draft: Draft<Typed>
}

/**
 * Asks before edits are lost. A forced sign-out does not ask: what was typed comes back when the same user opens the
 * form again.
 */
export function UnsavedEdits<Typed>({ isEdited, isOfRecord = false, draft }: UnsavedEditsProps<Typed>) {
  useFormDraft(isEdited, draft)
  return <AskBeforeLeaving isBusy={isEdited} isOfRecord={isOfRecord} />
}

function useFormDraft<Typed>(isEdited: () => boolean, draft: Draft<Typed>): void {
  const notice = useNotice()
  const { name } = draft
  const read = useEffectEvent(() => (isEdited() ? draft.read() : undefined))
  const restore = useEffectEvent(() => {
    const typed = name === undefined ? undefined : takeDraft(name, savedUserUid())
    if (typed === undefined) return
    draft.restore(typed as Typed)
    notice('Your unsaved changes are back.')
  })
  useEffect(() => {
    if (name === undefined) return undefined
    restore()
    return watchDraft(name, () => read())
  }, [name])
}
