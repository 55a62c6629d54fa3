import { shiftActs } from '@roadshow/contract/planning/shift-acts'
import type { ShiftAct, ShiftActResult } from '@roadshow/contract/planning/shift-acts'
import { shifts } from '@roadshow/contract/planning/shifts'
import { isTransientStatus } from '@roadshow/contract/platform/retries'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiError, call, errorMessage } from '../../../api/call.ts'
import { refreshLists } from '../../../api/useSave.ts'
import { actWords } from './actWords.ts'

/** The message after an act. */
export interface ActOutcome {
  text: string
  isBad: boolean
  undo?: () => void
  /** Answers the question that the refusal asks, such as about a paused program. */
  confirm?: { label: string; act: () => void }
}

/** An act of which some shifts were refused, so that nothing was saved. */
export interface RefusedAct {
  act: ShiftAct
  result: ShiftActResult
}

interface ActOptions {
  partly?: boolean
  allowInactiveProgram?: boolean
}

/** An act that can be undone, and its message. */
interface DoneAct {
  undoUid: string
  text: string
}

const TYPING = 'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"]'

/** Ctrl+Z undoes the last act, except where text is typed. */
function useUndoKey(undoLast: () => boolean): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isUndo =
      (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'z'
    if (!isUndo || (event.target instanceof Element && event.target.closest(TYPING))) return
    if (undoLast()) event.preventDefault()
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** A refusal is final; after a lost connection or a failure of the server, the act can still be undone. */
const isRefusal = (error: unknown) =>
  error instanceof ApiError && error.status < 500 && !isTransientStatus(error.status)

/** Every act on the schedule: what it says, what was refused, and how it is undone. */
export function useShiftActs() {
  const queries = useQueryClient()
  const [outcome, say] = useState<ActOutcome>()
  const [refused, setRefused] = useState<RefusedAct>()
  const done = useRef<DoneAct[]>([])
  const dismiss = useCallback(() => say(undefined), [])
  const refetch = () => void refreshLists(queries, shifts.board)

  async function undo(act: DoneAct): Promise<void> {
    done.current = done.current.filter((each) => each !== act)
    dismiss()
    try {
      await call(shiftActs.undo, { body: { uid: act.undoUid } })
      say({ text: `Undone: ${act.text}`, isBad: false })
    } catch (error) {
      if (!isRefusal(error)) done.current.push(act)
      say({ text: errorMessage(error), isBad: true })
    }
    refetch()
  }

  /** Says what an act has done, with Undo. */
  function finish(undoUid: string | null, text: string): void {
    const act = undoUid === null ? undefined : { undoUid, text }
    if (act) done.current.push(act)
    say({ text, isBad: false, ...(act && { undo: () => void undo(act) }) })
    refetch()
  }

  useUndoKey(() => {
    const last = done.current.at(-1)
    if (last) void undo(last)
    return last !== undefined
  })

  const apply = async (act: ShiftAct, options: ActOptions = {}): Promise<ShiftActResult> =>
    (await call(shiftActs.apply, { body: { act, ...options } })).data

  return {
    outcome,
    say,
    dismiss,
    refused,
    setRefused,
    finish,
    refetch,
    apply,
    /** Does an act on several shifts; where some are refused, it asks about the rest. */
    async run(act: ShiftAct, options: ActOptions = {}): Promise<void> {
      dismiss()
      try {
        const result = await apply(act, options)
        if (result.saved) return finish(result.undoUid, actWords[act.kind].done(result.accepted))
        setRefused({ act, result })
      } catch (error) {
        say({ text: errorMessage(error), isBad: true })
      }
      refetch()
    },
  }
}
export type ShiftActsControl = ReturnType<typeof useShiftActs>
