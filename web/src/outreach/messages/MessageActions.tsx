import { messages } from '@roadshow/contract/outreach/messages'
import type { OutgoingMessageEntry } from '@roadshow/contract/outreach/messages'
import { Button } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { useNotice } from '../../ui/notices.tsx'
import styles from './messages.module.css'

interface Props {
  message: OutgoingMessageEntry
}

/** Sends a finished message again, or cancels a waiting one. */
export function MessageActions({ message }: Props) {
  const { uid, state, recipient } = message
  const [isAsking, setAsking] = useState(false)
  const again = useSave(messages.sendAgain)
  const cancel = useSave(messages.cancel)
  const mayEdit = useMay(messages.sendAgain)
  const notice = useNotice()
  if (!mayEdit || state === 'sent') return null

  const act = async (save: typeof again | typeof cancel, done: string) => {
    try {
      await save.mutateAsync({ params: { uid } })
      notice(done)
    } catch (error) {
      notice(errorMessage(error), 'bad')
    }
    setAsking(false)
  }

  if (state === 'dead' || state === 'cancelled') {
    return (
      <p className={styles.actions}>
        <Button
          type="primary"
          loading={again.isPending}
          onClick={() => void act(again, 'The message is on its way again.')}
        >
          Send again
        </Button>
      </p>
    )
  }
  return (
    <p className={styles.actions}>
      <Button danger onClick={() => setAsking(true)}>
        Cancel message
      </Button>
      <Confirm
        open={isAsking}
        question="Cancel this message?"
        text={`It is not sent to ${recipient}. You can send it again later.`}
        act="Cancel message"
        busy={cancel.isPending}
        onAct={() => void act(cancel, 'The message is canceled.')}
        onCancel={() => setAsking(false)}
      />
    </p>
  )
}
