import { payroll } from '@roadshow/contract/pay/payroll'
import type { DeletedAdjustment, PayAdjustment } from '@roadshow/contract/pay/payroll'
import { formatClock, formatDateTime, formatWeekday, localZone } from '@roadshow/contract/platform/dates'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { Soft } from '../../ui/layout.tsx'
import { useRestore } from '../../ui/record/useRestore.ts'
import { useNotice } from '../../ui/notices.tsx'
import { formatDollars } from '@roadshow/contract/platform/figures'
import styles from './payroll.module.css'

interface AdjustmentsProps {
  adjustments: readonly PayAdjustment[]
  /** For the office: those that were deleted. */
  deleted?: readonly DeletedAdjustment[]
  mayRemove?: (adjustment: PayAdjustment) => boolean
  /** The form that adds one. */
  children?: ReactNode
}

interface CorrectedShift {
  date: string
  start: string
  truck: string
  program: string
}

export const shiftText = ({ date, start, truck, program }: CorrectedShift) =>
  `the shift on ${formatWeekday(date)} at ${formatClock(start)}, ${program}, truck ${truck}`

/** The amounts added or deducted besides the shifts. */
export function Adjustments({ adjustments, deleted = [], mayRemove, children }: AdjustmentsProps) {
  const remove = useSave(payroll.removeAdjustment)
  const restore = useRestore()
  const bringBack = (uid: string) => void restore(payroll.restoreAdjustment, uid, 'Adjustment')
  const notice = useNotice()
  const [asked, setAsked] = useState<PayAdjustment>()
  const act = async ({ uid }: PayAdjustment) => {
    try {
      await remove.mutateAsync({ params: { uid } })
      notice('Adjustment deleted.', 'done', [{ label: 'Undo', onAct: () => bringBack(uid) }])
    } catch {
      // The list shows the error.
    }
    setAsked(undefined)
  }
  const ask = (adjustment: PayAdjustment) => {
    remove.reset()
    setAsked(adjustment)
  }
  return (
    <section id="adjustments">
      <h2>Adjustments</h2>
      {remove.error && <Alert type="error" role="alert" title={errorMessage(remove.error)} />}
      {adjustments.length === 0 && <Soft as="p">None on these days.</Soft>}
      <ul className={styles.lines}>
        {adjustments.map((adjustment) => (
          <li key={adjustment.uid}>
            <AdjustmentCard
              adjustment={adjustment}
              onRemove={mayRemove?.(adjustment) ? () => ask(adjustment) : undefined}
            />
          </li>
        ))}
      </ul>
      {children}
      {deleted.length > 0 && (
        <>
          <h3>Deleted adjustments</h3>
          <ul className={styles.lines} aria-label="Deleted adjustments">
            {deleted.map((adjustment) => (
              <li key={adjustment.uid}>
                <DeletedCard
                  adjustment={adjustment}
                  onRestore={mayRemove?.(adjustment) ? () => bringBack(adjustment.uid) : undefined}
                />
              </li>
            ))}
          </ul>
        </>
      )}
      {asked && (
        <Confirm
          open
          question="Delete this adjustment?"
          text={`${formatDollars(asked.cents)} on ${formatWeekday(asked.date)} (“${asked.note}”) will not be paid.`}
          act="Delete adjustment"
          busy={remove.isPending}
          onAct={() => void act(asked)}
          onCancel={() => setAsked(undefined)}
        />
      )}
    </section>
  )
}

interface AdjustmentCardProps {
  adjustment: PayAdjustment
  onRemove: (() => void) | undefined
}

const AdjustmentCard = ({ adjustment: { date, note, shift, by, cents }, onRemove }: AdjustmentCardProps) => (
  <article className={styles.pay} aria-label={`${formatWeekday(date)}, ${note}`}>
    <p>
      <strong className="figures">{formatWeekday(date)}</strong>
    </p>
    <div>
      <p>{note}</p>
      {shift && <Soft as="p">Corrects {shiftText(shift)}.</Soft>}
      <Soft as="p">Added by {by}.</Soft>
    </div>
    <div className={styles.amount}>
      <strong className="figures">{formatDollars(cents)}</strong>
      {onRemove && (
        <Button size="small" aria-label={`Delete ${note}`} onClick={onRemove}>
          Delete
        </Button>
      )}
    </div>
  </article>
)

interface DeletedCardProps {
  adjustment: DeletedAdjustment
  onRestore: (() => void) | undefined
}

const DeletedCard = ({ adjustment: { date, note, cents, by, deletedAt, deletedBy }, onRestore }: DeletedCardProps) => (
  <article className={styles.pay} aria-label={`Deleted: ${formatWeekday(date)}, ${note}`}>
    <p>
      <strong className="figures">{formatWeekday(date)}</strong>
    </p>
    <div>
      <p>{note}</p>
      <Soft as="p">
        Added by {by}. Deleted by {deletedBy} on {formatDateTime(deletedAt, localZone())}.
      </Soft>
    </div>
    <div className={styles.amount}>
      <del className="figures">{formatDollars(cents)}</del>
      {onRestore && (
        <Button size="small" aria-label={`Restore ${note}`} onClick={onRestore}>
          Restore
        </Button>
      )}
    </div>
  </article>
)
