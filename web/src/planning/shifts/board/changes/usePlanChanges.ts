import { shiftPlanChanges } from '@roadshow/contract/planning/shift-plan-changes'
import type { ShiftPlanChange, ShiftPlanChangeResult } from '@roadshow/contract/planning/shift-plan-changes'
import { shifts } from '@roadshow/contract/planning/shifts'
import { isTransientStatus } from '@roadshow/contract/platform/retries'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiError, call, errorMessage } from '../../../../api/call.ts'
import { useRefreshAfter } from '../../../../api/useSave.ts'
import { countOf } from '@roadshow/contract/platform/figures'
import { planChangeWords } from './planChangeWords.ts'

/** The message after a change. */
export interface PlanChangeOutcome {
  text: string
  isBad: boolean
  undo?: () => void
  /** Answers the question that the refusal asks, such as about a paused program. */
  confirm?: { label: string; act: () => void }
}

/** A change of which some shifts were refused, so that nothing was saved. */
export interface RefusedPlanChange {
  act: ShiftPlanChange
  result: ShiftPlanChangeResult
}

interface PlanChangeOptions {
  partly?: boolean
  allowInactiveProgram?: boolean
}

/** A change that can be undone, and its message. */
interface DonePlanChange {
  undoUid: string
  text: string
}

const TYPING = 'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"]'

/** Ctrl+Z undoes the last change, except where text is typed. */
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

/** A refusal is final; after a lost connection or a failure of the server, the change can still be undone. */
const isRefusal = (error: unknown) =>
  error instanceof ApiError && error.status < 500 && !isTransientStatus(error.status)

/** What several shifts that were placed lack. */
const lateText = ({ lateArrivals: { length } }: ShiftPlanChangeResult) =>
  length > 0 ? `Too little time to travel: ${countOf(length, 'shift')}.` : undefined

/** Every change on the schedule: what it says, what was refused, and how it is undone. */
export function usePlanChanges() {
  const [outcome, say] = useState<PlanChangeOutcome>()
  const [refused, setRefused] = useState<RefusedPlanChange>()
  const done = useRef<DonePlanChange[]>([])
  const dismiss = useCallback(() => say(undefined), [])
  const refetch = useRefreshAfter(shifts.board)

  async function undo(act: DonePlanChange): Promise<void> {
    done.current = done.current.filter((each) => each !== act)
    dismiss()
    try {
      await call(shiftPlanChanges.undo, { body: { uid: act.undoUid } })
      say({ text: `Undone: ${act.text}`, isBad: false })
    } catch (error) {
      if (!isRefusal(error)) done.current.push(act)
      say({ text: errorMessage(error), isBad: true })
    }
    refetch()
  }

  /** Says what a change has done and what to know about it, with Undo. */
  function finish(undoUid: string | null, text: string, note?: string): void {
    const act = undoUid === null ? undefined : { undoUid, text }
    if (act) done.current.push(act)
    say({ text: [text, note].filter(Boolean).join(' '), isBad: false, ...(act && { undo: () => void undo(act) }) })
    refetch()
  }

  useUndoKey(() => {
    const last = done.current.at(-1)
    if (last) void undo(last)
    return last !== undefined
  })

  const apply = async (act: ShiftPlanChange, options: PlanChangeOptions = {}): Promise<ShiftPlanChangeResult> =>
    (await call(shiftPlanChanges.apply, { body: { act, ...options } })).data

  return {
    outcome,
    say,
    dismiss,
    refused,
    setRefused,
    finish,
    refetch,
    apply,
    /** Does a change on several shifts; where some are refused, it asks about the rest. */
    async run(act: ShiftPlanChange, options: PlanChangeOptions = {}): Promise<void> {
      dismiss()
      try {
        const result = await apply(act, options)
        if (result.saved) {
          return finish(result.undoUid, planChangeWords[act.kind].done(result.accepted), lateText(result))
        }
        setRefused({ act, result })
      } catch (error) {
        say({ text: errorMessage(error), isBad: true })
      }
      refetch()
    },
  }
}
export type PlanChangesControl = ReturnType<typeof usePlanChanges>
