import { dependentWords, needsConfirmation } from '@roadshow/contract/platform/dependents'
import type { Dependents, dependentsEndpoint } from '@roadshow/contract/platform/deletion'
import { useCall } from '../../api/useCall.ts'
import { Confirm } from '../Confirm.tsx'
import { Stack } from '../layout.tsx'
import { ThingsInTheWay } from './ThingsInTheWay.tsx'
import { PathLink } from '../rows/PathLink.tsx'
import { SkeletonLines } from '../states.tsx'

export type DependentsCall = ReturnType<typeof dependentsEndpoint>

interface DeleteQuestionProps {
  /** The record: `Truck 12`. */
  name: string
  uid: string
  /** What deleting it does, in a sentence. */
  effect: string
  /** The button: `Delete truck`. */
  act: string
  dependents: DependentsCall
  busy: boolean
  /** The caller deletes; `isConfirmed` where the user has read of plays, pay or a published page. */
  onAct: (isConfirmed: boolean) => void
  onCancel: () => void
}

/** Asks before a record is deleted, with what hangs on it, or says why it can't be deleted. */
export function DeleteQuestion({ name, uid, effect, act, dependents, busy, onAct, onCancel }: DeleteQuestionProps) {
  const asked = useCall(dependents, { params: { uid } }, { staleTime: 0, gcTime: 0, retry: false })
  const found = asked.data
  const hasPast = found?.dependents.some(({ kind }) => needsConfirmation(kind)) === true
  const refusal = found?.refusal ?? null
  return (
    <Confirm
      open
      question={refusal === null ? `Delete ${name}?` : `${name} can’t be deleted`}
      text={
        <Stack gap={2}>
          <p>{refusal ?? effect}</p>
          {found?.inTheWay && <ThingsInTheWay things={found.inTheWay} onDone={() => void asked.refetch()} />}
          {asked.isPending && <SkeletonLines rows={2} />}
          {asked.isError && <p role="alert">What belongs to it couldn’t be loaded.</p>}
          {found && refusal === null && <DependentList dependents={found.dependents} onOpen={onCancel} />}
        </Stack>
      }
      act={hasPast ? `${act} anyway` : act}
      busy={busy}
      isWaiting={asked.isPending}
      isRefused={refusal !== null}
      onAct={() => onAct(hasPast)}
      onCancel={onCancel}
    />
  )
}

/** What hangs on a record, as links to the screens that list it. */
const DependentList = ({ dependents, onOpen }: Pick<Dependents, 'dependents'> & { onOpen: () => void }) =>
  dependents.length > 0 && (
    <div>
      <p>Behind it:</p>
      <ul aria-label="Behind it">
        {dependents.map(({ to, ...dependent }) => (
          <li key={dependent.kind}>
            {to === null ? (
              dependentWords(dependent)
            ) : (
              <PathLink path={to} onOpen={onOpen}>
                {dependentWords(dependent)}
              </PathLink>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
