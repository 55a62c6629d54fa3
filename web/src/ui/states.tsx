import { Alert, Button } from 'antd'
import { errorMessage } from '../api/call.ts'
import { Stack } from './layout.tsx'
import styles from './states.module.css'

/** What happened, and the way to try again. */
export const ErrorState = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <Alert
    type="error"
    showIcon
    role="alert"
    title={errorMessage(error)}
    action={
      <Button size="small" onClick={onRetry}>
        Retry
      </Button>
    }
  />
)

/** A line of text that is on its way. */
export const SkeletonLine = () => <span className={styles.bone} aria-hidden />

/** Several lines on their way. The page says nothing of them: what comes is announced when it is there. */
export const SkeletonLines = ({ rows = 4, className = '' }: { rows?: number; className?: string }) => (
  <Stack gap={2} className={`${styles.bones} ${className}`} aria-hidden>
    {Array.from({ length: rows }, (_, row) => (
      <span key={row} className={styles.bone} />
    ))}
  </Stack>
)
