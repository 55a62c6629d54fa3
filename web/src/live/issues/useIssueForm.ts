import { fleet } from '@roadshow/contract/live/fleet'
import type { TruckIssue } from '@roadshow/contract/live/truck-issue'
import { call } from '../../api/call.ts'
import { useRefreshAfter } from '../../api/useSave.ts'
import { useNotice } from '../../ui/notices.tsx'
import { useRecordForm } from '../../ui/form/useRecordForm.ts'

interface IssueFormOptions<Input extends object> {
  issue: TruckIssue
  toInput: (issue: TruckIssue) => Input
  /** Saves, and answers what to say then. */
  save: (input: Input, issue: TruckIssue) => Promise<string>
  changeText?: (name: string, issue: TruckIssue) => string
  onDone: () => void
}

const SAVE_AGAIN = 'Someone else changed this issue. Save again to make your change, too.'

/** A form of an issue, which others may change while it is open. Saved or not, every list fetches the newest state. */
export function useIssueForm<Input extends object>({ issue, save, onDone, ...form }: IssueFormOptions<Input>) {
  const notice = useNotice()
  const refresh = useRefreshAfter(fleet.resolve)
  return useRecordForm({
    ...form,
    base: issue,
    isLive: true,
    save: (input: Input, base) => save(input, base).finally(() => refresh()),
    onSaved(done) {
      notice(done)
      onDone()
    },
    reload: async ({ uid }) => (await call(fleet.issue, { params: { uid } })).data,
    saveAgain: SAVE_AGAIN,
  })
}
