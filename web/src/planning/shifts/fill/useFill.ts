import { shiftFill } from '@roadshow/contract/planning/fill'
import type { FillProposal } from '@roadshow/contract/planning/fill'
import type { InputOf } from '@roadshow/contract/platform/endpoint'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { ApiError, call } from '../../../api/call.ts'
import { keyOf } from '../../../api/queryClient.ts'
import { useCall } from '../../../api/useCall.ts'
import type { Ghost } from './ghosts.ts'
import { keepEdits, keptEdits, noEdits } from './keptEdits.ts'
import type { FillEdits, GhostChange } from './keptEdits.ts'

const KEY = keyOf(shiftFill.current)

export type FillInput = InputOf<typeof shiftFill.start>['body']

/** The proposed shifts with the changes of the planner. */
const ghostsOf = (proposal: FillProposal | null | undefined, edits: FillEdits): Ghost[] =>
  (proposal?.state === 'ready' ? (proposal.result?.shifts ?? []) : [])
    .filter(({ key }) => !edits.dropped.has(key))
    .map((shift) => ({
      ...shift,
      ...edits.changed.get(shift.key),
      isChanged: edits.changed.has(shift.key),
      refusal: edits.refused[shift.key],
    }))

/** The fill proposal of the planner: asked for, watched while it is looked for, changed, accepted or discarded. */
export function useFill() {
  const queries = useQueryClient()
  const [stored, setStored] = useState(noEdits(''))
  const found = useCall(shiftFill.current)
  const proposal = found.data
  const of = proposal?.uid ?? ''
  const edits = useMemo(() => (stored.of === of ? stored : keptEdits(of)), [stored, of])
  const setEdits = (next: FillEdits) => {
    setStored(next)
    keepEdits(next)
  }
  const show = (next: FillProposal | null) => queries.setQueryData(KEY, { data: next })
  const ghosts = useMemo(() => ghostsOf(proposal, edits), [proposal, edits])
  const drop = (keys: readonly string[]) =>
    setEdits({ ...edits, refused: {}, dropped: new Set([...edits.dropped, ...keys]) })
  return {
    found,
    proposal,
    ghosts,
    drop,
    change: (key: string, change: GhostChange) => {
      const { [key]: _refusal, ...refused } = edits.refused
      setEdits({ ...edits, refused, changed: new Map([...edits.changed, [key, change]]) })
    },
    start: async (body: FillInput) => show((await call(shiftFill.start, { body })).data),
    discard: async () => {
      if (!proposal) return
      show(null)
      // Another tab may have discarded or replaced it.
      await call(shiftFill.discard, { params: { uid: proposal.uid } }).catch((error: unknown) => {
        if (!(error instanceof ApiError) || error.status !== 404) throw error
      })
    },
    accept: async (allowInactiveProgram: boolean) => {
      const shifts = ghosts.map(({ key, truck, driver, start, end }) => ({
        key,
        truckUid: truck.uid,
        driverUid: driver.uid,
        start,
        end,
      }))
      try {
        const body = { uid: proposal?.uid ?? '', shifts, allowInactiveProgram }
        const { data } = await call(shiftFill.accept, { body })
        show(null)
        return data
      } catch (error) {
        if (error instanceof ApiError && error.code === 'fillRefused')
          setEdits({ ...edits, refused: error.fields ?? {} })
        throw error
      }
    },
  }
}
export type FillControl = ReturnType<typeof useFill>
