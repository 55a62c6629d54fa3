import { needsUnlockReason, payPeriodStateLabel } from '@roadshow/contract/pay/pay-periods'
import type { PayPeriodState } from '@roadshow/contract/pay/pay-periods'
import { payroll } from '@roadshow/contract/pay/payroll'
import { Link } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Drawer, Input, Modal } from 'antd'
import { DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { useId, useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { recordsOf } from '../../api/queryClient.ts'
import { useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { HistoryTab } from '../../ui/HistoryTab.tsx'
import { useNotice } from '../../ui/notices.tsx'
import type { Given } from '../../ui/useListState.ts'
import type { PayPage } from './payColumns.tsx'
import { dollars } from '../../ui/money.ts'
import { counted } from './money.ts'
import { PeriodStateTag } from './states.tsx'
import { payDatesSearch } from './usePayDays.ts'
import type { PayDateRange, PayDays } from './usePayDays.ts'
import styles from './payroll.module.css'

interface Step {
  from: PayPeriodState
  to: PayPeriodState
  label: string
  done: string
  /** What it means, in a sentence. */
  text: string
  /** The way a period usually goes. */
  isNext?: true
}

const steps: readonly Step[] = [
  {
    from: 'open',
    to: 'approved',
    label: 'Approve',
    done: 'The period is approved.',
    text: 'What is paid for these shifts stays as it is now. Files for payroll programs can be made then.',
    isNext: true,
  },
  {
    from: 'approved',
    to: 'locked',
    label: 'Lock',
    done: 'The period is locked.',
    text: 'Its shifts cannot be changed any more; corrections are adjustments on a later day.',
    isNext: true,
  },
  {
    from: 'approved',
    to: 'open',
    label: 'Back to open',
    done: 'The period is open again.',
    text: 'Pay follows the schedule and the hours again, until the period is approved anew.',
  },
  {
    from: 'locked',
    to: 'approved',
    label: 'Unlock',
    done: 'The period is unlocked; it is still approved.',
    text: 'The period is approved then, and can be opened again. What was already paid out does not change by this.',
  },
]

const daysText = ({ from, to }: PayDateRange) => `${from} – ${to}`

interface PeriodStepsProps {
  days: PayDays
  page: PayPage
  /** The page is of other days, shown until the right one arrives. */
  isStale: boolean
}

/** What a period is now, what it becomes next, and what is in its way. */
export function PeriodSteps({ days, page, isStale }: PeriodStepsProps) {
  const { period, periods } = page
  const [asked, setAsked] = useState<Step>()
  const [isLookedBack, setIsLookedBack] = useState(false)
  const mayMove = useMay(payroll.approve)
  const state = period?.state ?? 'open'
  const others = periods.filter(({ uid }) => uid !== period?.uid)
  const isOver = days.to < days.today
  const cannot =
    state !== 'open'
      ? undefined
      : others.length > 0
        ? 'Some of these days are settled already:'
        : !isOver
          ? 'Can be approved once its last day is over.'
          : undefined
  const shown = mayMove && !cannot ? steps.filter(({ from }) => from === state) : []
  return (
    <section className={styles.period} aria-label="Period" aria-busy={isStale}>
      <PeriodStateTag state={state} />
      {cannot && (
        <span className={styles.soft}>
          {cannot}{' '}
          {others.map((other) => (
            <Link
              key={other.uid}
              to="."
              search={(old: Given) => ({ ...old, page: undefined, ...payDatesSearch(other) })}
            >
              {daysText(other)} ({payPeriodStateLabel[other.state].toLowerCase()}){' '}
            </Link>
          ))}
        </span>
      )}
      <div className={styles.acts}>
        {period && <Button onClick={() => setIsLookedBack(true)}>History</Button>}
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
      {asked && <Asked step={asked} days={days} page={page} onClose={() => setAsked(undefined)} />}
      {period && (
        <Drawer
          open={isLookedBack}
          onClose={() => setIsLookedBack(false)}
          size={DRAWER_WIDTH}
          title={`History of ${daysText(period)}`}
          destroyOnHidden
        >
          <HistoryTab
            history={payroll.history}
            uid={period.uid}
            fields={{
              state: ['State', payPeriodStateLabel],
              reason: 'Reason',
              from: 'First day',
              to: 'Last day',
              approvedAt: 'Approved at',
              lockedAt: 'Locked at',
            }}
          />
        </Drawer>
      )}
    </section>
  )
}

interface AskedProps {
  step: Step
  days: PayDateRange
  page: PayPage
  onClose: () => void
}

/** The question before a step. A refusal stands in it, above the figures as they are by then. */
function Asked({ step, days, page: { period, totals }, onClose }: AskedProps) {
  const approve = useSave(payroll.approve)
  const move = useSave(payroll.move)
  const queries = useQueryClient()
  const notice = useNotice()
  const [reason, setReason] = useState('')
  const reasonId = useId()
  const needsReason = needsUnlockReason(step.from, step.to)
  const error = approve.error ?? move.error
  // Somebody else may have made the same step meanwhile.
  const isPossible = (period?.state ?? 'open') === step.from

  const act = async () => {
    approve.reset()
    move.reset()
    try {
      if (step.from === 'open') {
        await approve.mutateAsync({ body: { from: days.from, to: days.to, cents: totals.cents } })
      } else if (period) {
        const { uid, version } = period
        await move.mutateAsync({ body: { uid, version, state: step.to, reason: reason.trim() } })
      }
      notice(step.done)
      onClose()
    } catch {
      // What was refused was refused because of something newer: it is shown before anybody tries again.
      void queries.invalidateQueries({ queryKey: [recordsOf(payroll.list)] })
    }
  }
  return (
    <Modal
      open
      title={`${step.label}?`}
      okText={step.label}
      cancelText="Cancel"
      width={416}
      centered
      confirmLoading={approve.isPending || move.isPending}
      okButtonProps={{ disabled: !isPossible || (needsReason && reason.trim() === '') }}
      onOk={() => void act()}
      onCancel={onClose}
    >
      {error && <Alert type="error" role="alert" title={errorMessage(error)} />}
      <p>
        <strong className="figures">{daysText(days)}</strong>: {counted(totals.drivers, 'driver')},{' '}
        <strong className="figures">{dollars(totals.cents)}</strong>
      </p>
      {step.from === 'open' && totals.anomalies > 0 && (
        <p className={styles.warn}>
          {totals.anomalies === 1 ? 'One shift has an anomaly' : `${totals.anomalies} shifts have anomalies`}: look at
          them before.
        </p>
      )}
      <p>{step.text}</p>
      {needsReason && (
        <>
          <label htmlFor={reasonId}>Reason</label>
          <Input id={reasonId} value={reason} maxLength={300} onChange={({ target }) => setReason(target.value)} />
        </>
      )}
    </Modal>
  )
}
