import { Button } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../api/call.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { useNotice } from '../ui/notices.tsx'

interface RemoveRowProps {
  name: string
  /** The effect of deleting, in a sentence. */
  effect: string
  onRemove: () => Promise<unknown>
}

/** Deletes a row after a confirmation. */
export function RemoveRow({ name, effect, onRemove }: RemoveRowProps) {
  const [isAsking, ask] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const notice = useNotice()
  const act = async () => {
    setBusy(true)
    try {
      await onRemove()
      notice(`${name} deleted.`)
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
          text={effect}
          act="Delete"
          busy={isBusy}
          onAct={() => void act()}
          onCancel={() => ask(false)}
        />
      )}
    </>
  )
}
