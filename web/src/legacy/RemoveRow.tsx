import { Button } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../api/call.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { useNotice } from '../ui/notices.tsx'

interface RemoveRowProps {
  name: string
  /** What deleting does, in a sentence. */
  says: string
  onRemove: () => Promise<unknown>
}

/** Deletes a row, once asked. */
export function RemoveRow({ name, says, onRemove }: RemoveRowProps) {
  const [isAsking, ask] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const notice = useNotice()
  const act = async () => {
    setBusy(true)
    try {
      await onRemove()
      notice(`${name} is deleted.`)
    } catch (error) {
      notice(errorMessage(error), 'bad')
    }
    setBusy(false)
    ask(false)
  }
  return (
    <>
      <Button size="small" type="text" onClick={() => ask(true)} aria-label={`Delete ${name}`}>
        Delete
      </Button>
      {isAsking && (
        <Confirm
          open
          question={`Delete ${name}?`}
          text={says}
          act="Delete"
          busy={isBusy}
          onAct={() => void act()}
          onCancel={() => ask(false)}
        />
      )}
    </>
  )
}
