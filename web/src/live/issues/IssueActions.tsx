import { formatPhone } from '@roadshow/contract/platform/figures'
import { fleet } from '@roadshow/contract/live/fleet'
import type { TruckIssue } from '@roadshow/contract/live/truck-issue'
import { planAccess } from '@roadshow/contract/planning/shift-access'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../api/user.ts'
import { Row } from '../../ui/layout.tsx'
import { issueActions } from './issueActionNames.ts'
import type { IssueAction } from './issueActionNames.ts'
import styles from './issues.module.css'
import { lazyOverlay } from '../../ui/lazyPart.tsx'

// No one needs them before an action is chosen.
const IssueDialog = lazyOverlay(() => import('./IssueDialog.tsx'))

const PLANNING = { access: planAccess }

interface IssueActionsProps {
  issue: TruckIssue
  /** Actions that stand elsewhere. */
  without?: readonly IssueAction[]
}

/** What solves an issue: a call or a message to its driver, another truck, and the work on the issue itself. */
export function IssueActions({ issue, without = [] }: IssueActionsProps) {
  const { truck, shift, driver, status } = issue
  const mayWork = useMay(fleet.resolve)
  const mayPlan = useMay(PLANNING)
  const [action, setAction] = useState<IssueAction>()
  const isPossible: Record<IssueAction | 'swap', boolean> = {
    message: mayPlan && shift !== null && driver !== null,
    // A shift that is over keeps its truck.
    swap: mayPlan && (shift?.status === 'planned' || shift?.status === 'out'),
    assign: mayWork,
    snooze: mayWork,
    resolve: mayWork,
  }
  if (status === 'resolved') return null
  const offered = (each: IssueAction) =>
    isPossible[each] &&
    !without.includes(each) && (
      <button type="button" onClick={() => setAction(each)}>
        {each === 'snooze' && issue.snoozedUntil ? 'Change snooze' : issueActions[each]}
      </button>
    )
  return (
    <Row gap={3} lineGap={0} wrap className={styles.actions} role="group" aria-label={`Actions for ${truck.name}`}>
      {driver?.phone && (
        <a
          href={`tel:${driver.phone.replaceAll(/[^+\d]/g, '')}`}
          aria-label={`Call ${driver.name}, ${formatPhone(driver.phone)}`}
        >
          Call
        </a>
      )}
      {offered('message')}
      {isPossible.swap && shift && (
        <Link to="/schedule/program-schedule" search={{ open: shift.uid, choose: 'trucks' }}>
          Swap truck
        </Link>
      )}
      {offered('assign')}
      {offered('snooze')}
      {offered('resolve')}
      {action && <IssueDialog issue={issue} action={action} onClose={() => setAction(undefined)} />}
    </Row>
  )
}
