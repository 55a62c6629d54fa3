import { calendar } from '@roadshow/contract/planning/calendar'
import { Alert, Button, Modal } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../../api/call.ts'
import { useCall } from '../../../api/useCall.ts'
import { useSave } from '../../../api/useSave.ts'
import { Confirm } from '../../../ui/Confirm.tsx'
import { CopyLink } from '../../../ui/form/CopyLink.tsx'
import { Row, Stack } from '../../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../../ui/states.tsx'
import { localZone, formatDateTime } from '@roadshow/contract/platform/dates'
import styles from './userSchedule.module.css'

/** Opens the private link to the user's own shifts, for calendar apps. */
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
          A private link shows your shifts in a calendar app such as Google Calendar, Outlook or the one on your phone,
          and keeps them up to date. Add it there as a calendar “from URL” or “by subscription”.
        </p>
        <p>Anyone with the link can see your shifts, so keep it private.</p>
        <CalendarLinkDetails />
      </Modal>
    </>
  )
}

const confirmations = {
  replace: {
    title: 'Replace the calendar link?',
    effect: 'The current link stops working right away. Add the new one to your calendars.',
    act: 'Replace link',
  },
  remove: {
    title: 'Remove the calendar link?',
    effect: 'The link stops working right away, and your shifts disappear from calendars that use it.',
    act: 'Remove link',
  },
} as const

/** The saved link, and the calls that create, replace and remove it. */
function useCalendarLink() {
  const found = useCall(calendar.link)
  const create = useSave(calendar.createLink)
  const remove = useSave(calendar.removeLink)
  // The server shows the link only in the reply that creates it.
  const [url, setUrl] = useState<string>()
  const run = async (work: () => Promise<string | undefined>) => {
    create.reset()
    remove.reset()
    try {
      setUrl(await work())
    } catch {
      // The dialog shows the error.
    }
  }
  const replace = () => run(async () => (await create.mutateAsync({})).data.url)
  return {
    found,
    url,
    problem: create.error ?? remove.error,
    isCreating: create.isPending,
    isBusy: create.isPending || remove.isPending,
    create: replace,
    replace,
    remove: () => run(async () => void (await remove.mutateAsync({}))),
  }
}

function CalendarLinkDetails() {
  const link = useCalendarLink()
  const { found, url, problem } = link
  const [asking, setAsking] = useState<keyof typeof confirmations>()
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <SkeletonLines rows={2} />
  const { since } = found.data
  return (
    <Stack gap={3} className={styles.link}>
      {problem && <Alert type="error" role="alert" title={errorMessage(problem)} />}
      {url && <NewLink url={url} />}
      {!url && since && (
        <p>
          Your link was created on {formatDateTime(since, localZone())}. For security it is shown only once, when it is
          created.
        </p>
      )}
      <Row gap={2}>
        {since ? (
          <>
            <Button onClick={() => setAsking('replace')}>Replace</Button>
            <Button onClick={() => setAsking('remove')}>Remove</Button>
          </>
        ) : (
          <Button type="primary" loading={link.isCreating} onClick={() => void link.create()}>
            Create link
          </Button>
        )}
      </Row>
      {asking && (
        <Confirm
          open
          question={confirmations[asking].title}
          text={confirmations[asking].effect}
          act={confirmations[asking].act}
          busy={link.isBusy}
          onAct={() => void link[asking]().then(() => setAsking(undefined))}
          onCancel={() => setAsking(undefined)}
        />
      )}
    </Stack>
  )
}

const NewLink = ({ url }: { url: string }) => (
  <div role="status">
    <p>Copy the link now. It is shown only once.</p>
    <CopyLink url={url} label="Calendar link" />
  </div>
)
