import { uidOf } from '@roadshow/contract/platform/common'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { canCall, permissionsOf, useUser } from '../../api/user.ts'
import type { NoticeAction } from '../notices.tsx'
import type { NextStep, SavedRecord } from './records.ts'
import { NEW_RECORD } from '../useListState.ts'

/** The address of the form that is open, once its record has a uid. */
function placeOfSaved(uid: string): string {
  const params = [...new URLSearchParams(location.search)].map(([name, value]) => [
    name,
    value === NEW_RECORD ? uid : value,
  ])
  return `${location.pathname}?${new URLSearchParams(params)}`
}

/** The buttons of the notice that a record was saved: what usually comes next, and the way back to a new record. */
export function useNextSteps() {
  const router = useRouter()
  const navigate = useNavigate()
  const user = permissionsOf(useUser())

  const toAction = (step: NextStep): NoticeAction => ({
    label: step.label,
    onAct: () => ('to' in step ? void navigate({ to: step.to, search: step.search }) : step.act()),
  })
  const offered = (steps: readonly NextStep[]) => steps.filter(({ needs }) => canCall(user, needs)).map(toAction)

  const afterSaving = (saved: SavedRecord, steps: readonly NextStep[], isNew: boolean): NoticeAction[] => {
    const place = placeOfSaved(uidOf(saved))
    return [...offered(steps), ...(isNew ? [{ label: 'Open', onAct: () => router.history.push(place) }] : [])]
  }
  return { offered, afterSaving }
}
