import { artworkSets } from '@roadshow/contract/catalog/artwork'
import type { ArtworkSet } from '@roadshow/contract/catalog/artwork'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { Soft } from '../../ui/layout.tsx'
import { useNotice } from '../../ui/notices.tsx'
import type { NextStep } from '../../ui/records.ts'
import { timestamp } from '../../ui/time.ts'
import { useNextSteps } from '../../ui/useNextSteps.ts'
import { newAddressSet, planShifts } from '../programs/nextSteps.ts'
import { ArtworkStatusTag } from './artworkColumns.tsx'
import styles from './ArtworkApproval.module.css'

interface ApprovalProps {
  set: ArtworkSet
  /** The form holds other files than the saved ones. */
  isEdited: boolean
  onDone: () => void
}

/** Whether the set may go to players, and the buttons that decide it. */
export function ArtworkApproval({ set, isEdited, onDone }: ApprovalProps) {
  const approve = useSave(artworkSets.approve)
  const withdraw = useSave(artworkSets.withdraw)
  const may = useMay(artworkSets.approve)
  const notice = useNotice()
  const [problem, setProblem] = useState<string>()

  const { offered } = useNextSteps()

  const settle = async (work: Promise<unknown>, done: string, steps: readonly NextStep[] = []) => {
    setProblem(undefined)
    try {
      await work
      notice(done, 'done', offered(steps))
      onDone()
    } catch (error) {
      setProblem(errorMessage(error))
    }
  }
  const { uid, filesHash } = set

  return (
    <div className={styles.approval}>
      <ArtworkStatusTag status={set.status} />
      <Soft>
        {set.status === 'approved'
          ? `by ${set.approvedBy?.name ?? 'an unknown user'}, ${set.approvedAt ? timestamp(set.approvedAt) : ''}. Replacing a file makes it a draft again.`
          : filesHash
            ? 'Only approved sets go to players.'
            : 'Each of the three sides needs a file before it can be approved.'}
      </Soft>
      {may && set.status === 'draft' && filesHash && (
        <Button
          disabled={isEdited}
          loading={approve.isPending}
          title={isEdited ? 'Save the new files first.' : undefined}
          onClick={() =>
            void settle(approve.mutateAsync({ body: { uid, filesHash } }), `${set.name} is approved.`, [
              newAddressSet(set.program.uid),
              planShifts(set.program.uid),
            ])
          }
        >
          Approve
        </Button>
      )}
      {may && set.status === 'approved' && (
        <Button
          loading={withdraw.isPending}
          onClick={() => void settle(withdraw.mutateAsync({ body: { uid } }), `${set.name} is a draft again.`)}
        >
          Withdraw approval
        </Button>
      )}
      {problem && <Alert type="error" role="alert" title={problem} />}
    </div>
  )
}
