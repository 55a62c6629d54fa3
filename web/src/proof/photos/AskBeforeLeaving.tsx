import { useBlocker } from '@tanstack/react-router'
import { readToken } from '../../api/session.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import type { UrlSearch } from '../../ui/useListState.ts'

interface AskBeforeLeavingProps {
  /** Whether leaving would lose something now. */
  isBusy: () => boolean
  question: string
  text: string
  act: string
}

/**
 * Confirms leaving a POP while something would be lost. Changing its tabs, filters and open photos also changes the URL,
 * but is not leaving.
 */
export function AskBeforeLeaving({ isBusy, question, text, act }: AskBeforeLeavingProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isBusy() &&
      (current.pathname !== next.pathname || (current.search as UrlSearch).open !== (next.search as UrlSearch).open),
    // A page whose session has ended must go.
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
