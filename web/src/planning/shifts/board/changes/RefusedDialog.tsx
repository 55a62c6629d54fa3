import { Modal } from 'antd'
import { useState } from 'react'
import { PlanChangePreview } from './PlanChangeDialog.tsx'
import { planChangeWords } from './planChangeWords.ts'
import type { RefusedPlanChange, PlanChangesControl } from './usePlanChanges.ts'

interface RefusedDialogProps {
  refused: RefusedPlanChange
  planChanges: PlanChangesControl
}

/** After shifts were dragged together and some were refused: nothing is saved yet, and the rest can be. */
export default function RefusedDialog({ refused: { act, result }, planChanges }: RefusedDialogProps) {
  const [allowInactiveProgram, setAllowed] = useState(false)
  const [partly, setPartly] = useState(false)
  const words = planChangeWords[act.kind]
  const close = () => planChanges.setRefused(undefined)
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
        void planChanges.run(act, { partly, allowInactiveProgram })
      }}
      onCancel={close}
    >
      <p>Nothing was changed yet.</p>
      <PlanChangePreview
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
