import { webhooks } from '@roadshow/contract/outreach/webhooks'
import type { Webhook } from '@roadshow/contract/outreach/webhooks'
import { Button, Modal, Radio } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { useNotice } from '../../ui/notices.tsx'
import type { ShownSecret } from './NewSecret.tsx'
import { hostOf } from './webhookWords.ts'
import styles from '../../ui/details.module.css'

interface ActionProps {
  webhook: Webhook
  onChanged: () => void
}

/** Does something after a question, says how it went, and closes the question. */
function useAsked() {
  const [isAsking, setAsking] = useState(false)
  const notice = useNotice()
  const act = async (work: () => Promise<string>) => {
    try {
      notice(await work())
    } catch (error) {
      notice(errorMessage(error), 'bad')
    }
    setAsking(false)
  }
  return { isAsking, ask: () => setAsking(true), cancel: () => setAsking(false), act }
}

export function PauseWebhook({ webhook: { uid, url }, onChanged }: ActionProps) {
  const { isAsking, ask, cancel, act } = useAsked()
  const pause = useSave(webhooks.pause)
  const run = () =>
    act(async () => {
      await pause.mutateAsync({ params: { uid } })
      onChanged()
      return 'The webhook is paused.'
    })
  return (
    <>
      <Button onClick={ask}>Pause</Button>
      <Confirm
        open={isAsking}
        question={`Pause ${hostOf(url)}?`}
        text="Nothing is sent until you resume it. Events are kept, each for two days."
        act="Pause"
        busy={pause.isPending}
        onAct={() => void run()}
        onCancel={cancel}
      />
    </>
  )
}

export function ResumeWebhook({ webhook: { uid, url, waiting: count }, onChanged }: ActionProps) {
  const { isAsking, ask, cancel, act } = useAsked()
  const [waiting, setWaiting] = useState<'send' | 'cancel'>('send')
  const resume = useSave(webhooks.resume)
  const run = () =>
    act(async () => {
      await resume.mutateAsync({ params: { uid }, body: { waiting } })
      onChanged()
      return 'The webhook is active again.'
    })
  return (
    <>
      <Button type="primary" onClick={ask}>
        Resume
      </Button>
      <Modal
        open={isAsking}
        title={`Resume ${hostOf(url)}?`}
        okText="Resume"
        confirmLoading={resume.isPending}
        onOk={() => void run()}
        onCancel={cancel}
        width={416}
        centered
        destroyOnHidden
      >
        <p>
          {count === 0
            ? 'No messages wait for it. New events are sent from now on.'
            : `${count === 1 ? '1 message waits' : `${count} messages wait`} for it. New events are sent from now on.`}
        </p>
        {count > 0 && (
          <Radio.Group
            className={styles.choices ?? ''}
            value={waiting}
            onChange={({ target }) => setWaiting(target.value as 'send' | 'cancel')}
            options={[
              { value: 'send', label: 'Send waiting messages in order' },
              { value: 'cancel', label: 'Skip waiting messages' },
            ]}
          />
        )}
      </Modal>
    </>
  )
}

const overlaps = [
  { value: 24, label: 'For 24 hours, so that the receiver can change over' },
  { value: 168, label: 'For 7 days' },
  { value: 0, label: 'Stop using it now, because others know it' },
]

export function NewSecretButton({
  webhook: { uid, url },
  onSecret,
}: {
  webhook: Webhook
  onSecret: (shown: ShownSecret) => void
}) {
  const { isAsking, ask, cancel, act } = useAsked()
  const [overlapHours, setOverlapHours] = useState(24)
  const rotate = useSave(webhooks.rotateSecret)
  const run = () =>
    act(async () => {
      onSecret((await rotate.mutateAsync({ params: { uid }, body: { overlapHours } })).data)
      return 'The webhook has a new secret.'
    })
  return (
    <>
      <Button onClick={ask}>New secret</Button>
      <Modal
        open={isAsking}
        title={`Create a new secret for ${hostOf(url)}?`}
        okText="Create secret"
        confirmLoading={rotate.isPending}
        onOk={() => void run()}
        onCancel={cancel}
        width={416}
        centered
        destroyOnHidden
      >
        <p>Messages carry the signatures of both secrets while the old one is still used:</p>
        <Radio.Group
          className={styles.choices ?? ''}
          value={overlapHours}
          onChange={({ target }) => setOverlapHours(target.value as number)}
          options={overlaps}
        />
      </Modal>
    </>
  )
}

export function EndWebhook({ webhook: { uid, url }, onChanged }: ActionProps) {
  const { isAsking, ask, cancel, act } = useAsked()
  const end = useSave(webhooks.end)
  const run = () =>
    act(async () => {
      await end.mutateAsync({ params: { uid } })
      onChanged()
      return 'Webhook deleted.'
    })
  return (
    <>
      <Button danger onClick={ask}>
        Delete webhook
      </Button>
      <Confirm
        open={isAsking}
        question={`Delete the webhook to ${hostOf(url)}?`}
        text="Nothing more is sent to it, and waiting messages are canceled. This can’t be undone."
        act="Delete webhook"
        busy={end.isPending}
        onAct={() => void run()}
        onCancel={cancel}
      />
    </>
  )
}
