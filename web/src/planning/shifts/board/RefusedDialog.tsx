import { Modal } from 'antd'
import { useState } from 'react'
import { ActPreview } from './ActDialog.tsx'
import { actWords } from './actWords.ts'
import type { RefusedAct, ShiftActsControl } from './useShiftActs.ts'

interface RefusedDialogProps {
  refused: RefusedAct
  acts: ShiftActsControl
}

/** After shifts were dragged together and some were refused: nothing is saved yet, and the rest can be. */
export default function RefusedDialog({ refused: { act, result }, acts }: RefusedDialogProps) {
  const [allowInactiveProgram, setAllowed] = useState(false)
  const [partly, setPartly] = useState(false)
  const words = actWords[act.kind]
  const close = () => acts.setRefused(undefined)
  return (
    <Modal
      open
      centered
      title="Some shifts can't be changed"
      okText={result.accepted > 0 ? words.act(result.accepted) : words.label}
      okButtonProps={{ disabled: !allowInactiveProgram && (!partly || result.accepted === 0) }}
      cancelText="Keep as is"
      onOk={() => {
        close()
        void acts.run(act, { partly, allowInactiveProgram })
      }}
      onCancel={close}
    >
      <p>Nothing was changed yet.</p>
      <ActPreview
        kind={act.kind}
        result={result}
        partly={partly}
        setPartly={setPartly}
        allowInactiveProgram={allowInactiveProgram}
        setAllowed={setAllowed}
      />
    </Modal>
  )
}
