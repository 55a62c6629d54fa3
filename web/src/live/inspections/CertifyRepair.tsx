import { inspections, repairLabel, repairOutcomes } from '@roadshow/contract/live/inspections'
import type { RepairOutcome } from '@roadshow/contract/live/inspections'
import { Alert, Button, Input } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { Row } from '../../ui/layout.tsx'
import styles from './inspections.module.css'

interface CertifyRepairProps {
  inspectionUid: string
  itemUid: string
  /** Of the item with the defect. */
  name: string
}

/** Certifies under the user's name that a defect is repaired or needs no repair; this resolves its issue. */
export function CertifyRepair({ inspectionUid, itemUid, name }: CertifyRepairProps) {
  const certify = useSave(inspections.certify)
  const [note, setNote] = useState('')
  const [problem, setProblem] = useState<string>()
  const give = async (outcome: RepairOutcome) => {
    setProblem(undefined)
    try {
      await certify.mutateAsync({ body: { uid: inspectionUid, itemUid, outcome, note } })
    } catch (error) {
      setProblem(errorMessage(error))
    }
  }
  return (
    <Row gap={2} wrap className={styles.certify}>
      <Input
        aria-label={`Note on the repair: ${name}`}
        placeholder="Note on the repair (optional)"
        maxLength={300}
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
      {repairOutcomes.map((outcome) => (
        <Button
          key={outcome}
          aria-label={`Certify ${name}: ${repairLabel[outcome]}`}
          loading={certify.isPending && certify.variables.body.outcome === outcome}
          disabled={certify.isPending}
          onClick={() => void give(outcome)}
        >
          Certify: {repairLabel[outcome].toLowerCase()}
        </Button>
      ))}
      {problem && <Alert type="error" role="alert" title={problem} />}
    </Row>
  )
}
