import { notifications } from '@roadshow/contract/outreach/notifications'
import { Button } from 'antd'
import { errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { useNotice } from '../../ui/notices.tsx'

interface MarkAllReadProps {
  /** The time of the newest notification on the screen. Later ones stay unread. */
  newest: string | undefined
  unread: number
}

export function MarkAllRead({ newest, unread }: MarkAllReadProps) {
  const save = useSave(notifications.markAllRead)
  const notice = useNotice()
  const mark = () =>
    newest !== undefined &&
    save.mutate({ body: { until: newest } }, { onError: (error) => notice(errorMessage(error), 'bad') })
  return (
    <Button disabled={unread === 0 || newest === undefined} loading={save.isPending} onClick={mark}>
      Mark all as read
    </Button>
  )
}
