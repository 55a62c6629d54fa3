import { useState } from 'react'
import { countOf } from '@roadshow/contract/platform/figures'
import { payReview } from '@roadshow/contract/pay/pay-review'
import type { UndecidedShift } from '@roadshow/contract/pay/pay-review'
import type { PayDecision } from '@roadshow/contract/pay/payroll'
import { errorMessage } from '../../api/call.ts'
import { useRefreshAfter, useSave } from '../../api/useSave.ts'
import { useNotice } from '../../ui/notices.tsx'
import type { PayDateRange } from './usePayDays.ts'

const done: Record<PayDecision, string> = { pay: 'paid as planned', doNotPay: 'not paid' }

/** Decides on shifts without a typed reason; the notice takes it back. */
export function useDecide(days: PayDateRange) {
  const save = useSave(payReview.decide)
  const refresh = useRefreshAfter(payReview.decide)
  const notice = useNotice()
  const [decidedAt, setDecidedAt] = useState(0)
  const send = async (shifts: { uid: string; version: number | null }[], decision: PayDecision | null) => {
    try {
      return (await save.mutateAsync({ body: { ...days, shifts, decision } })).data.shifts
    } catch (error) {
      notice(errorMessage(error), 'bad')
      refresh()
      return undefined
    }
  }
  const decide = async (shifts: readonly UndecidedShift[], decision: PayDecision) => {
    const seen = shifts.map(({ line }) => ({ uid: line.uid, version: line.override?.version ?? null }))
    const saved = await send(seen, decision)
    if (!saved) return
    setDecidedAt(Date.now())
    notice(`${countOf(saved.length, 'shift')}: ${done[decision]}.`, 'done', [
      { label: 'Undo', onAct: () => void send(saved, null) },
    ])
  }
  return { isBusy: save.isPending, decidedAt, decide }
}
