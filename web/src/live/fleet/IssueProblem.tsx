import { Alert } from 'antd'
import { errorMessage, isStale } from '../../api/call.ts'

/** Why a change of an issue was not saved. The newest state is fetched meanwhile, and the next save is made on top of it. */
export const IssueProblem = ({ error }: { error: unknown }) =>
  isStale(error) ? (
    <Alert type="warning" role="alert" title="Someone else changed this issue. Save again to make your change, too." />
  ) : (
    <Alert type="error" role="alert" title={errorMessage(error)} />
  )
