import { fleet } from '@roadshow/contract/live/fleet'
import { issueWork } from '@roadshow/contract/live/issue-work'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { keyOf } from '../../api/queryClient.ts'

const SHOWING_ISSUES = [fleet.issues, fleet.issue, fleet.figures, fleet.issueHistory, issueWork.comments]

/** Fetches again everything that shows issues. */
export function useRefreshIssues(): () => void {
  const queries = useQueryClient()
  return useCallback(() => {
    for (const call of SHOWING_ISSUES) void queries.invalidateQueries({ queryKey: keyOf(call).slice(0, 2) })
  }, [queries])
}
