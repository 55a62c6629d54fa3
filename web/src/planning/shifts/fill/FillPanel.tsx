import type { FillProposal, FillRule } from '@roadshow/contract/planning/fill'
import { Alert, Button } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { ApiError, errorMessage } from '../../../api/call.ts'
import { Row, Soft } from '../../../ui/layout.tsx'
import { ErrorState } from '../../../ui/states.tsx'
import { countOf } from '@roadshow/contract/platform/figures'
import { formatWeekday } from '@roadshow/contract/platform/dates'
import type { PlanChangesControl } from '../board/changes/usePlanChanges.ts'
import { formatShiftTime } from '../shiftText.ts'
import type { useSchedule } from '../useSchedule.ts'
import { blankRequest, FillForm } from './FillForm.tsx'
import { isRule, movesText, reasonsOf, relaxLabel, reliefTotals, stepText } from './fillText.ts'
import { GhostEditor } from './GhostEditor.tsx'
import type { GhostBoard } from './ghosts.ts'
import { useFill } from './useFill.ts'
import type { FillControl, FillInput } from './useFill.ts'
import styles from './Fill.module.css'

interface FillPanelProps {
  schedule: ReturnType<typeof useSchedule>
  planChanges: PlanChangesControl
  onGhosts: (ghosts: GhostBoard | undefined) => void
  onClose: () => void
}

/** Fill: the form, then the search with its progress, then the fill proposal above the board that shows its shifts. */
export default function FillPanel({ schedule, planChanges, onGhosts, onClose }: FillPanelProps) {
  const fill = useFill()
  const { proposal, ghosts, found } = fill
  const [opened, setOpened] = useState<string>()
  const of = proposal?.uid ?? ''
  const shown = useMemo(() => ({ of, ghosts, opened, onOpen: setOpened }), [of, ghosts, opened])
  useEffect(() => onGhosts(shown), [shown, onGhosts])
  useEffect(() => () => onGhosts(undefined), [onGhosts])
  const { program } = schedule.filters
  const start = async (request: FillInput) => {
    await fill.start(request)
    schedule.showDays(request.from, request.to)
  }
  const leave = async () => {
    await fill.discard()
    onClose()
  }
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (proposal === undefined) return null
  if (proposal === null || proposal.state === 'accepted') {
    const initial = blankRequest(schedule.today, typeof program === 'string' ? program : '')
    return <FillForm initial={initial} onStart={start} onClose={onClose} />
  }
  if (proposal.state === 'solving') return <Searching proposal={proposal} onCancel={() => void leave()} />
  if (proposal.state === 'failed') {
    return (
      <section className={styles.panel} aria-label="Fill">
        <Alert type="error" role="alert" title={proposal.failure} />
        <Button onClick={() => void fill.discard()}>Change and try again</Button>
      </section>
    )
  }
  const ghost = ghosts.find(({ key }) => key === opened)
  return (
    <>
      <FillProposalView
        fill={fill}
        proposal={proposal}
        onStart={start}
        onOpen={setOpened}
        onDiscard={leave}
        planChanges={planChanges}
        onClose={onClose}
      />
      {ghost && (
        <GhostEditor
          key={ghost.key}
          ghost={ghost}
          programUid={proposal.request.programUid}
          onClose={() => setOpened(undefined)}
          onDrop={() => {
            fill.drop([ghost.key])
            setOpened(undefined)
          }}
          onChange={(change) => {
            fill.change(ghost.key, change)
            setOpened(undefined)
          }}
        />
      )}
    </>
  )
}

function Searching({ proposal, onCancel }: { proposal: FillProposal; onCancel: () => void }) {
  return (
    <section className={styles.panel} aria-label="Fill" aria-busy>
      <p role="status">
        {stepText[proposal.step]}
        {proposal.placed !== null && ` ${countOf(proposal.placed, 'shift')} placed so far.`}
      </p>
      <div className={styles.bar} aria-hidden />
      <Button onClick={onCancel}>Cancel</Button>
    </section>
  )
}

interface FillProposalViewProps extends Pick<FillPanelProps, 'planChanges' | 'onClose'> {
  fill: FillControl
  proposal: FillProposal
  onStart: (request: FillInput) => Promise<unknown>
  onOpen: (key: string) => void
  onDiscard: () => Promise<void>
}

/** What is proposed, what is not and why, and the decision. */
function FillProposalView({ fill, proposal, planChanges, onStart, onOpen, onDiscard, onClose }: FillProposalViewProps) {
  const { ghosts } = fill
  const { result, request } = proposal
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const accept = async (allowInactiveProgram = false) => {
    setBusy(true)
    setError(undefined)
    try {
      const { uids, undoUid } = await fill.accept(allowInactiveProgram)
      planChanges.finish(undoUid, `${countOf(uids.length, 'shift')} planned for ${request.program}.`)
      onClose()
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  if (!result) return null
  const missing = result.unplaced.reduce((sum, each) => sum + each.missing, 0)
  const isInactive = error instanceof ApiError && error.code === 'programInactive'
  const { program: _name, ...asked } = request
  const relax = (rule: FillRule) => onStart({ ...asked, relax: [...asked.relax, rule] })
  return (
    <section className={styles.panel} aria-label="Fill">
      <h2>
        Proposal for {request.program}: {countOf(ghosts.length, 'shift')}
        {missing > 0 && `, ${missing} not placed`}
      </h2>
      <Soft as="p">
        Dashed on the board. Nothing is planned until you accept.
        {result.alreadyPlanned > 0 && ` ${countOf(result.alreadyPlanned, 'shift')} planned already.`}{' '}
        {movesText(result.truckMoves, result.driverMoves)}
        {!result.isOptimal && ' Time ran out: this is the best proposal found so far.'}
        {!result.considered.isAll &&
          ` Chosen from ${result.considered.trucks} trucks and ${result.considered.drivers} drivers.`}
      </Soft>
      {error !== undefined && <Alert type="error" role="alert" title={errorMessage(error)} />}
      <Refused fill={fill} />
      <Unplaced proposal={proposal} onRelax={(rule) => void relax(rule)} />
      <details className={styles.list}>
        <summary>Proposed shifts</summary>
        <ul>
          {ghosts.map((ghost) => (
            <li key={ghost.key}>
              <button type="button" onClick={() => onOpen(ghost.key)}>
                {formatShiftTime(ghost)} · {ghost.market.name} · {ghost.truck.name} · {ghost.driver.name}
                {ghost.isChanged && ' (changed)'}
              </button>
            </li>
          ))}
        </ul>
      </details>
      <Row gap={2} wrap right>
        <Button onClick={() => void onDiscard()}>Discard</Button>
        {isInactive && (
          <Button loading={isBusy} onClick={() => void accept(true)}>
            Plan anyway
          </Button>
        )}
        <Button type="primary" loading={isBusy} disabled={ghosts.length === 0} onClick={() => void accept()}>
          Accept {countOf(ghosts.length, 'shift')}
        </Button>
      </Row>
    </section>
  )
}

/** Shifts that can no longer be planned, with the way to accept the rest. */
function Refused({ fill: { ghosts, drop } }: { fill: FillControl }) {
  const refused = ghosts.filter(({ refusal }) => refusal !== undefined)
  if (refused.length === 0) return null
  return (
    <>
      <ul className={styles.reasons} aria-label="Shifts that can no longer be planned">
        {refused.map((ghost) => (
          <li key={ghost.key}>
            {formatShiftTime(ghost)} · {ghost.truck.name} · {ghost.driver.name}: <Soft tone="bad">{ghost.refusal}</Soft>
          </li>
        ))}
      </ul>
      <Button onClick={() => drop(refused.map(({ key }) => key))}>Remove {countOf(refused.length, 'shift')}</Button>
    </>
  )
}

function Unplaced({ proposal: { result }, onRelax }: { proposal: FillProposal; onRelax: (rule: FillRule) => void }) {
  const unplaced = result?.unplaced ?? []
  if (unplaced.length === 0) return null
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keys scroll a long list */}
      <ul className={styles.reasons} aria-label="Not placed" tabIndex={0}>
        {unplaced.map((each) => (
          <li key={`${each.date} ${each.market.uid}`}>
            <strong>
              {formatWeekday(each.date)}, {each.market.name}: {countOf(each.missing, 'shift')}
            </strong>{' '}
            <Soft>{reasonsOf(each).join(' ')}</Soft>
          </li>
        ))}
      </ul>
      <div className={styles.reliefs}>
        {reliefTotals(unplaced).map(
          ([by, places]) =>
            isRule(by) && (
              <Button key={by} size="small" onClick={() => onRelax(by)}>
                Allow “{relaxLabel[by]}” and place {places} more
              </Button>
            ),
        )}
      </div>
    </>
  )
}
