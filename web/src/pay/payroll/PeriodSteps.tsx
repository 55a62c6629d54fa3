import { needsUnlockReason, payPeriodStateLabel } from '@roadshow/contract/pay/pay-periods'
import type { PayPeriodRef, PayPeriodState } from '@roadshow/contract/pay/pay-periods'
import { payroll } from '@roadshow/contract/pay/payroll'
import { formatDays } from '@roadshow/contract/platform/dates'
import { Link } from '@tanstack/react-router'
import { Alert, Button, Drawer, Input, Modal } from 'antd'
import { DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { useId, useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { useRefreshAfter, useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { HistoryTab } from '../../ui/record/HistoryTab.tsx'
import { Row, Soft } from '../../ui/layout.tsx'
import { useNotice } from '../../ui/notices.tsx'
import type { UrlSearch } from '../../ui/useListState.ts'
import type { PayPage } from './payColumns.tsx'
import { formatDollars, countOf } from '@roadshow/contract/platform/figures'
import { PeriodStateTag } from './states.tsx'
import { payPeriodSearch } from './usePayDays.ts'
import type { PayDateRange, PayDays } from './usePayDays.ts'
import shared from './payroll.module.css'
import styles from './PeriodSteps.module.css'

interface PeriodStep {
  from: PayPeriodState
  to: PayPeriodState
  label: string
  title: string
  done: string
  effect: string
  /** The step that a period usually takes next. */
  isNext?: true
}

const steps: readonly PeriodStep[] = [
  {
    from: 'open',
    to: 'approved',
    label: 'Approve',
    title: 'Approve this pay period?',
    done: 'Pay period approved.',
    effect: 'The pay for these shifts is frozen as shown, and payroll files become available.',
    isNext: true,
  },
  {
    from: 'approved',
    to: 'locked',
    label: 'Lock',
    title: 'Lock this pay period?',
    done: 'Pay period locked.',
    effect: 'Its shifts can no longer be changed. Make corrections as adjustments on a later day.',
    isNext: true,
  },
  {
    from: 'approved',
    to: 'open',
    label: 'Reopen',
    title: 'Reopen this pay period?',
    done: 'Pay period reopened.',
    effect: 'Pay follows the schedule and the hours again until the period is approved again.',
  },
  {
    from: 'locked',
    to: 'approved',
    label: 'Unlock',
    title: 'Unlock this pay period?',
    done: 'Pay period unlocked. It is still approved.',
    effect: 'The period goes back to approved and can be reopened. Amounts already paid out do not change.',
  },
]

const daysText = ({ from, to }: PayDateRange) => formatDays(from, to)

interface PeriodStepsProps {
  days: PayDays
  page: PayPage
  /** The page belongs to other days and is shown until the right one loads. */
  isStale: boolean
}

interface ApprovalBlock {
  text: string
  overlapping: readonly PayPeriodRef[]
  /** A link to the pay period instead. */
  hasPeriodLink?: true
}

/** Why the shown days cannot be approved, and the settled periods that overlap them. */
function approvalBlock({
  days,
  page: { period, periods, totals },
}: Pick<PeriodStepsProps, 'days' | 'page'>): ApprovalBlock | undefined {
  const overlapping = periods.filter(({ uid }) => uid !== period?.uid)
  if ((period?.state ?? 'open') !== 'open') return undefined
  if (overlapping.length > 0) return { text: 'Some of these days are already settled:', overlapping }
  if (days.to >= days.today) return { text: 'You can approve it after its last day.', overlapping }
  // What was approved once may be approved again.
  if (days.range === 'free' && !period) {
    return { text: 'Only periods of the pay calendar can be approved.', overlapping, hasPeriodLink: true }
  }
  if (totals.undecided === 0) return undefined
  const needs = totals.undecided === 1 ? 'needs' : 'need'
  return { text: `${countOf(totals.undecided, 'shift')} ${needs} a decision before you can approve.`, overlapping }
}

/** The state of a pay period, the buttons for its next steps, and why a step is not possible. */
export function PeriodSteps({ days, page, isStale }: PeriodStepsProps) {
  const { period } = page
  const [asked, setAsked] = useState<PeriodStep>()
  const [isHistoryOpen, setHistoryOpen] = useState(false)
  const mayMove = useMay(payroll.approve)
  const state = period?.state ?? 'open'
  const block = approvalBlock({ days, page })
  const shown = mayMove && !block ? steps.filter(({ from }) => from === state) : []
  return (
    <Row
      as="section"
      gap={3}
      lineGap={2}
      align="center"
      wrap
      className={shared.period}
      aria-label="Pay period"
      aria-busy={isStale}
    >
      <PeriodStateTag state={state} />
      {block && (
        <Soft>
          {block.text}{' '}
          {block.hasPeriodLink && (
            <Link to="." search={(old: UrlSearch) => ({ ...old, page: undefined, ...payPeriodSearch(days) })}>
              Show the pay period
            </Link>
          )}
          {block.overlapping.map((other) => (
            <Link
              key={other.uid}
              to="."
              search={(old: UrlSearch) => ({ ...old, page: undefined, ...payPeriodSearch(other) })}
            >
              {daysText(other)} ({payPeriodStateLabel[other.state].toLowerCase()}){' '}
            </Link>
          ))}
        </Soft>
      )}
      <div className={shared.acts}>
        {period && <Button onClick={() => setHistoryOpen(true)}>History</Button>}
        {shown.toReversed().map((step) => (
          <Button
            key={step.label}
            type={step.isNext ? 'primary' : 'default'}
            disabled={isStale}
            onClick={() => setAsked(step)}
          >
            {step.label}
          </Button>
        ))}
      </div>
      {asked && <ConfirmStep step={asked} days={days} page={page} onClose={() => setAsked(undefined)} />}
      {period && <PeriodHistory period={period} isOpen={isHistoryOpen} onClose={() => setHistoryOpen(false)} />}
    </Row>
  )
}

interface PeriodHistoryProps {
  period: PayPeriodRef
  isOpen: boolean
  onClose: () => void
}

const PeriodHistory = ({ period, isOpen, onClose }: PeriodHistoryProps) => (
  <Drawer open={isOpen} onClose={onClose} size={DRAWER_WIDTH} title={`History of ${daysText(period)}`} destroyOnHidden>
    <HistoryTab history={payroll.history} uid={period.uid} fields={historyFields} />
  </Drawer>
)

const historyFields = {
  state: ['State', payPeriodStateLabel],
  reason: 'Reason',
  startsOn: 'First day',
  endsOn: 'Last day',
  approvedAt: 'Approved at',
  lockedAt: 'Locked at',
} as const

interface ConfirmStepProps {
  step: PeriodStep
  days: PayDays
  page: PayPage
  onClose: () => void
}

/** The call that takes a step; a refusal refetches the figures before the next attempt. */
function usePeriodStep({ step, days, page: { period, totals }, onClose }: ConfirmStepProps) {
  const approve = useSave(payroll.approve)
  const move = useSave(payroll.move)
  const refresh = useRefreshAfter(payroll.list)
  const notice = useNotice()
  return {
    error: approve.error ?? move.error,
    isBusy: approve.isPending || move.isPending,
    take: async (reason: string) => {
      approve.reset()
      move.reset()
      try {
        if (step.from === 'open') {
          await approve.mutateAsync({ body: { from: days.from, to: days.to, cents: totals.cents } })
        } else if (period) {
          const { uid, version } = period
          await move.mutateAsync({ body: { uid, version, state: step.to, reason } })
        }
        notice(step.done)
        onClose()
      } catch {
        // Something newer caused the refusal: it is shown before another attempt.
        refresh()
      }
    },
  }
}

/** Confirms a step. A refusal is shown above the current figures. */
function ConfirmStep(props: ConfirmStepProps) {
  const { step, days, page, onClose } = props
  const { period, totals } = page
  const { error, isBusy, take } = usePeriodStep(props)
  const [reason, setReason] = useState('')
  const reasonId = useId()
  const needsReason = needsUnlockReason(step.from, step.to)
  // Someone else may have taken the same step.
  const isPossible = (period?.state ?? 'open') === step.from
  return (
    <Modal
      open
      title={step.title}
      okText={step.label}
      cancelText="Cancel"
      width={416}
      centered
      confirmLoading={isBusy}
      okButtonProps={{ disabled: !isPossible || (needsReason && reason.trim() === '') }}
      onOk={() => void take(reason.trim())}
      onCancel={onClose}
    >
      {error && <Alert type="error" role="alert" title={errorMessage(error)} />}
      <p>
        <strong className="figures">{daysText(days)}</strong>: {countOf(totals.drivers, 'driver')},{' '}
        <strong className="figures">{formatDollars(totals.cents)}</strong>
      </p>
      {step.from === 'open' && totals.anomalies > 0 && (
        <p className={styles.warn}>
          {totals.anomalies === 1 ? 'One shift has a problem' : `${totals.anomalies} shifts have problems`}. Review
          before approving.
        </p>
      )}
      {step.from === 'open' && days.oldest && days.oldest.from < days.from && (
        <p className={styles.warn}>An earlier pay period is not locked yet: {daysText(days.oldest)}.</p>
      )}
      <p>{step.effect}</p>
      {needsReason && (
        <>
          <label htmlFor={reasonId}>Reason</label>
          <Input id={reasonId} value={reason} maxLength={300} onChange={({ target }) => setReason(target.value)} />
        </>
      )}
    </Modal>
  )
}
