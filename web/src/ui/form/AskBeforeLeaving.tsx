import { useBlocker } from '@tanstack/react-router'
import { readToken } from '../../api/session.ts'
import { Confirm } from '../Confirm.tsx'
import type { UrlSearch } from '../useListState.ts'

interface AskBeforeLeavingProps {
  /** Whether leaving would lose something now. */
  isBusy: () => boolean
  /** Changing tabs, filters and open photos of a record also changes the address, but is not leaving. */
  isOfRecord?: boolean
  question?: string
  text?: string
  act?: string
}

/** Asks before something is lost, whichever way the user leaves: Cancel, Back, another screen, or closing the page. */
export function AskBeforeLeaving({
  isBusy,
  isOfRecord = false,
  question = 'Discard your changes?',
  text = 'Your unsaved changes will be lost.',
  act = 'Discard',
}: AskBeforeLeavingProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isBusy() &&
      !(
        isOfRecord &&
        current.pathname === next.pathname &&
        (current.search as UrlSearch).open === (next.search as UrlSearch).open
      ),
    // A page whose session has ended must go: its cookies are cleared by then, and nothing could be saved any more.
    enableBeforeUnload: () => isBusy() && readToken() !== undefined,
    withResolver: true,
  })
  return (
    <Confirm
      open={blocker.status === 'blocked'}
      question={question}
      text={text}
      act={act}
      onAct={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    />
  )
}
