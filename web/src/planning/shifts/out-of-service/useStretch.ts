import { outOfServices } from '@roadshow/contract/planning/out-of-service'
import type { OutOfService, ShiftInStretch } from '@roadshow/contract/planning/out-of-service'
import { localDay } from '@roadshow/contract/planning/shift-time'
import { localZone } from '@roadshow/contract/platform/dates'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, call } from '../../../api/call.ts'
import { useSave, useSaveOnce } from '../../../api/useSave.ts'
import type { AskedStretch } from './useOutOfServiceParam.ts'

export interface StretchValues {
  of: string
  from: string | null
  startTime: string
  /** Null: until further notice. */
  to: string | null
  endTime: string
  reason: string
}

/** What happens to a shift: the uid of who takes it, or that it is canceled. */
export type Decision = string
export const CANCEL: Decision = 'cancel'

const startOf = ({ of = '', from }: AskedStretch, saved: OutOfService | undefined): StretchValues => {
  const day = saved?.from ?? from ?? localDay(localZone())
  return {
    of: saved?.truck?.uid ?? saved?.driver?.uid ?? of,
    from: day,
    startTime: saved && saved.startTime !== '00:00' ? saved.startTime : '',
    to: saved ? saved.to : day,
    endTime: saved?.endTime ?? '',
    reason: saved?.reason ?? '',
  }
}

/** A time out of service as it is typed, the shifts in it, and what happens to each. */
export function useStretch(asked: AskedStretch, saved: OutOfService | undefined) {
  const [values, setValues] = useState(() => startOf(asked, saved))
  const [decisions, setDecisions] = useState<ReadonlyMap<string, Decision>>(new Map())
  const [allowInactiveProgram, setAllowed] = useState(false)
  const create = useSaveOnce(outOfServices.create)
  const update = useSave(outOfServices.update)

  const body = {
    truckUid: asked.over === 'truck' ? values.of : null,
    driverUid: asked.over === 'driver' ? values.of : null,
    from: values.from ?? '',
    startTime: values.startTime || '00:00',
    to: values.to,
    endTime: values.endTime || null,
  }
  const wanted = outOfServices.check.body.safeParse({ ...body, ...(saved && { uid: saved.uid }) })
  const check = useQuery({
    queryKey: ['out-of-service', wanted.data],
    queryFn: async ({ signal }) =>
      wanted.data ? (await call(outOfServices.check, { body: wanted.data }, { signal })).data : null,
    enabled: wanted.data !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  const shifts = wanted.data ? (check.data?.shifts ?? []) : []
  const decisionOf = ({ uid, proposedUid }: ShiftInStretch) => decisions.get(uid) ?? proposedUid ?? undefined
  const open = shifts.filter((shift) => decisionOf(shift) === undefined)
  const own = Object.fromEntries((wanted.error?.issues ?? []).map(({ path, message }) => [String(path[0]), message]))
  const error = create.error ?? update.error
  const refused = error instanceof ApiError ? error : undefined

  return {
    values,
    set: (changes: Partial<StretchValues>) => setValues((before) => ({ ...before, ...changes })),
    check,
    zone: check.data?.zone,
    shifts,
    more: check.data?.more ?? 0,
    open,
    decisionOf,
    decide: (uids: readonly string[], decision: Decision) =>
      setDecisions((before) => new Map([...before, ...uids.map((uid) => [uid, decision] as const)])),
    problems: { ...(values.of === '' ? {} : own), ...check.data?.problems, ...refused?.fields } as Record<
      string,
      string
    >,
    refused,
    allowInactiveProgram,
    setAllowed,
    isSaving: create.isPending || update.isPending,
    canSave: wanted.data !== undefined && !check.isFetching && check.isSuccess && open.length === 0,
    save: async () => {
      const decided = {
        ...body,
        reason: values.reason.trim(),
        allowInactiveProgram,
        shifts: shifts.map((shift) => {
          const decision = decisionOf(shift) ?? CANCEL
          return { uid: shift.uid, version: shift.version, toUid: decision === CANCEL ? null : decision }
        }),
      }
      const reply = saved
        ? await update.mutateAsync({ body: { ...decided, uid: saved.uid, version: saved.version } })
        : await create.mutateAsync({ body: decided })
      return reply.data
    },
  }
}
export type StretchState = ReturnType<typeof useStretch>
