import { Button } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { useNotice } from '../../ui/notices.tsx'

interface ActOnRowProps {
  /** The button: `Delete`. */
  label: string
  name: string
  /** What it does, in a sentence. */
  effect: string
  /** What is said when it is done. */
  done: string
  onAct: () => Promise<unknown>
}

/** Does something with a row after a confirmation. */
export function ActOnRow({ label, name, effect, done, onAct }: ActOnRowProps) {
  const [isAsking, ask] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const notice = useNotice()
  const act = async () => {
    setBusy(true)
    try {
      await onAct()
      notice(done)
    } catch (error) {
      notice(errorMessage(error), 'bad')
    }
    setBusy(false)
    ask(false)
  }
  return (
    <>
      <Button size="small" type="text" onClick={() => ask(true)} aria-label={`${label} ${name}`}>
        {label}
      </Button>
      {isAsking && (
        <Confirm
          open
          question={`${label} ${name}?`}
          text={effect}
          act={label}
          busy={isBusy}
          onAct={() => void act()}
          onCancel={() => ask(false)}
        />
      )}
    </>
  )
}
