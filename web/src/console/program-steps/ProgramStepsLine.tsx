import { programProgress } from '@roadshow/contract/console/program-steps'
import { Link } from '@tanstack/react-router'
import { useCall } from '../../api/useCall.ts'
import { ErrorState, SkeletonLine } from '../../ui/states.tsx'
import { stepsOf } from './stepText.ts'
import styles from './ProgramStepsLine.module.css'

const stateLabel = { done: 'Done', missing: 'Missing', later: 'Later' } as const

interface ProgramStepsLineProps {
  program: { uid: string; startsOn: string }
}

/** A program's way from artwork over shifts to its POP: what is there, what is missing, and where to add it. */
export function ProgramStepsLine({ program }: ProgramStepsLineProps) {
  const params = { uid: program.uid }
  const found = useCall(programProgress.steps, { params }, { refetchOnMount: 'always' })
  if (found.isError && !found.data) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <SkeletonLine />
  return (
    <ol className={styles.steps} aria-label="Steps of the program">
      {stepsOf(program, found.data).map(({ name, state, text, to, search }) => (
        <li key={name} className={styles.step} data-state={state}>
          <Link to={to} search={search}>
            <strong>{name}</strong>
            <span>
              <span className={styles.mark} role="img" aria-label={stateLabel[state]} /> {text}
            </span>
          </Link>
        </li>
      ))}
    </ol>
  )
}
