import { artworkSets } from '@roadshow/contract/catalog/artwork'
import type { ArtworkSet } from '@roadshow/contract/catalog/artwork'
import { Alert, Button, Input } from 'antd'
import { useId, useState } from 'react'
import { ApiError, errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { Row, Soft, Stack } from '../../ui/layout.tsx'
import { useNotice } from '../../ui/notices.tsx'
import type { NextStep } from '../../ui/record/records.ts'
import { localZone, formatDateTime } from '@roadshow/contract/platform/dates'
import { useNextSteps } from '../../ui/record/useNextSteps.ts'
import { newAddressSet, planShifts } from '../programs/nextSteps.ts'
import { ArtworkStatusTag } from './artworkColumns.tsx'
import styles from './artwork.module.css'

interface ApprovalProps {
  set: ArtworkSet
  /** The form holds other files than the saved ones. */
  isEdited: boolean
  onDone: () => void
}

/** Who approved a set and when, as far as the reader learns it: clients don't read the names of staff. */
function approvalOf({ approvedBy, approvedAt }: ArtworkSet): string[] {
  const known = [approvedBy && `by ${approvedBy.name}`, approvedAt && formatDateTime(approvedAt, localZone())].filter(
    Boolean,
  )
  return known.length > 0 ? [`${known.join(', ')}.`] : []
}

/** Whether the set may go to players, and the buttons that decide it. */
export function ArtworkApproval({ set, isEdited, onDone }: ApprovalProps) {
  const approve = useSave(artworkSets.approve)
  const withdraw = useSave(artworkSets.withdraw)
  const may = useMay(artworkSets.approve)
  const notice = useNotice()
  const [problem, setProblem] = useState<string>()
  /** The files fit no truck: a reason is asked for. */
  const [misfit, setMisfit] = useState<string>()

  const { offered } = useNextSteps()

  const settle = async (work: Promise<unknown>, done: string, steps: readonly NextStep[] = []) => {
    setProblem(undefined)
    try {
      await work
      setMisfit(undefined)
      notice(done, 'done', offered(steps))
      onDone()
    } catch (error) {
      if (isMisfit(error)) setMisfit(errorMessage(error))
      else setProblem(errorMessage(error))
    }
  }
  const { uid, filesHash } = set
  const decide = (reason?: string) =>
    void settle(
      approve.mutateAsync({ body: { uid, filesHash: filesHash ?? '', ...(reason && { reason }) } }),
      `${set.name} is approved.`,
      [newAddressSet(set.program.uid), planShifts(set.program.uid)],
    )

  return (
    <div className={styles.approval}>
      <ArtworkStatusTag status={set.status} />
      <Soft>
        {set.status === 'approved'
          ? [...approvalOf(set), 'Replacing a file makes it a draft again.'].join(' ')
          : filesHash
            ? 'Only approved sets go to players.'
            : 'Each of the three sides needs a file before it can be approved.'}
      </Soft>
      {set.approvalReason && <Soft>Approved although it fits no truck: {set.approvalReason}</Soft>}
      {may && set.status === 'draft' && filesHash && misfit === undefined && (
        <Button
          disabled={isEdited}
          loading={approve.isPending}
          title={isEdited ? 'Save the new files first.' : undefined}
          onClick={() => decide()}
        >
          Approve
        </Button>
      )}
      {misfit !== undefined && (
        <MisfitReason
          text={misfit}
          isBusy={approve.isPending}
          onApprove={decide}
          onCancel={() => setMisfit(undefined)}
        />
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

export const isMisfit = (error: unknown): boolean => error instanceof ApiError && error.code === 'artworkFitsNone'

interface MisfitReasonProps {
  text: string
  isBusy: boolean
  onApprove: (reason: string) => void
  onCancel: () => void
}

/** Asks for the reason that the history keeps. */
function MisfitReason({ text, isBusy, onApprove, onCancel }: MisfitReasonProps) {
  const id = useId()
  const [reason, setReason] = useState('')
  return (
    <Alert
      type="warning"
      role="alert"
      className={styles.reason ?? ''}
      title={text}
      description={
        <Stack gap={2}>
          <label htmlFor={id}>Reason</label>
          <Input id={id} value={reason} maxLength={300} onChange={({ target }) => setReason(target.value)} />
          <Row gap={2} wrap right>
            <Button onClick={onCancel}>Cancel</Button>
            <Button
              type="primary"
              loading={isBusy}
              disabled={reason.trim() === ''}
              onClick={() => onApprove(reason.trim())}
            >
              Approve anyway
            </Button>
          </Row>
        </Stack>
      }
    />
  )
}
