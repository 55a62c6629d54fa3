import { calendar } from '@roadshow/contract/planning/calendar'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { call, errorMessage } from '../../../api/call.ts'
import { keyOf } from '../../../api/queryClient.ts'
import { useSave } from '../../../api/useSave.ts'
import { Confirm } from '../../../ui/Confirm.tsx'
import { CopyLink } from '../../../ui/CopyLink.tsx'
import { ErrorState } from '../../../ui/states.tsx'
import { localZone, timestamp } from '../../../ui/time.ts'
import styles from './userSchedule.module.css'

/** The way to one's own shifts in a calendar program. */
export function CalendarLink() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Calendar link</Button>
      <Modal
        open={open}
        title="Your shifts in your calendar"
        footer={null}
        width={480}
        centered
        destroyOnHidden
        onCancel={() => setOpen(false)}
      >
        <p>
          With a private link, a calendar program such as Google Calendar, Outlook or the one on your phone shows your
          shifts and follows their changes. Add it there as a calendar “from a URL” or “by subscription”.
        </p>
        <p>Whoever has the link can read your shifts: do not pass it on.</p>
        <TheLink />
      </Modal>
    </>
  )
}

const questions = {
  replace: [
    'Replace',
    'Replace the link?',
    'The link that you use now stops working at once; calendars need the new one.',
  ],
  remove: ['Remove', 'Remove the link?', 'It stops working at once, and your shifts leave the calendars that use it.'],
} as const

function TheLink() {
  const found = useQuery({
    queryKey: keyOf(calendar.link),
    queryFn: async ({ signal }) => (await call(calendar.link, {}, { signal })).data,
  })
  const create = useSave(calendar.createLink)
  const remove = useSave(calendar.removeLink)
  const [url, setUrl] = useState<string>()
  const [asking, setAsking] = useState<keyof typeof questions>()

  const act = async (work: () => Promise<string | undefined>) => {
    create.reset()
    remove.reset()
    try {
      setUrl(await work())
    } catch {
      // Stands below.
    }
    setAsking(undefined)
  }
  const make = () => act(async () => (await create.mutateAsync({})).data.url)
  const acts = {
    replace: make,
    remove: () => act(async () => void (await remove.mutateAsync({}))),
  }

  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <Skeleton active title={false} paragraph={{ rows: 2 }} />
  const { since } = found.data
  const problem = create.error ?? remove.error
  return (
    <div className={styles.link}>
      {problem && <Alert type="error" role="alert" title={errorMessage(problem)} />}
      {url && <Shown url={url} />}
      {!url && since && (
        <p>
          There is a link since {timestamp(since)} ({localZone()}). It was shown when it was made; nobody can look it up
          again.
        </p>
      )}
      {since ? (
        <div className={styles.buttons}>
          <Button onClick={() => setAsking('replace')}>Replace</Button>
          <Button onClick={() => setAsking('remove')}>Remove</Button>
        </div>
      ) : (
        <div className={styles.buttons}>
          <Button type="primary" loading={create.isPending} onClick={() => void make()}>
            Create link
          </Button>
        </div>
      )}
      {asking && (
        <Confirm
          open
          question={questions[asking][1]}
          text={questions[asking][2]}
          act={questions[asking][0]}
          busy={create.isPending || remove.isPending}
          onAct={() => void acts[asking]()}
          onCancel={() => setAsking(undefined)}
        />
      )}
    </div>
  )
}

const Shown = ({ url }: { url: string }) => (
  <div role="status">
    <p>Copy the link now: it is shown only this once.</p>
    <CopyLink url={url} label="Calendar link" />
  </div>
)
