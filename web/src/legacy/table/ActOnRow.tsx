import { Button } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { DeleteQuestion } from '../../ui/record/DeleteQuestion.tsx'
import type { DependentsCall } from '../../ui/record/DeleteQuestion.tsx'
import { useNotice } from '../../ui/notices.tsx'

interface ActOnRowProps {
  /** The button: `Delete`. */
  label: string
  name: string
  /** What it does, in a sentence. */
  effect: string
  /** What is said when it is done. */
  done: string
  onAct: (isConfirmed: boolean) => Promise<unknown>
  /** The call that says what hangs on the row, to be asked before it is deleted. */
  dependents?: { of: DependentsCall; uid: string } | undefined
  /** Takes it back. */
  onUndo?: (() => void) | undefined
}

/** Does something with a row after a confirmation. */
export function ActOnRow({ label, name, effect, done, onAct, dependents, onUndo }: ActOnRowProps) {
  const [isAsking, ask] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const notice = useNotice()
  const act = async (isConfirmed: boolean) => {
    setBusy(true)
    try {
      await onAct(isConfirmed)
      notice(done, 'done', onUndo ? [{ label: 'Undo', onAct: onUndo }] : [])
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
      {isAsking && dependents && (
        <DeleteQuestion
          name={name}
          uid={dependents.uid}
          effect={effect}
          act={label}
          dependents={dependents.of}
          busy={isBusy}
          onAct={(isConfirmed) => void act(isConfirmed)}
          onCancel={() => ask(false)}
        />
      )}
      {isAsking && !dependents && (
        <Confirm
          open
          question={`${label} ${name}?`}
          text={effect}
          act={label}
          busy={isBusy}
          onAct={() => void act(false)}
          onCancel={() => ask(false)}
        />
      )}
    </>
  )
}
