import { useEffect } from 'react'
import { trucks } from '@roadshow/contract/catalog/trucks'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { Stack } from '../../ui/layout.tsx'
import { ReplayBar } from './ReplayBar.tsx'
import { prepareReplayMap } from './ReplayMap.tsx'
import { ReplayView } from './ReplayView.tsx'
import { useReplay } from './useReplay.ts'

/** A shift, or a truck's day, minute by minute. */
export default function ReplayPage() {
  const state = useReplay()
  const { found, model, isAsked } = state
  useEffect(() => {
    if (isAsked) prepareReplayMap()
  }, [isAsked])
  return (
    <Stack gap={3}>
      <ReplayBar state={state} />
      {!isAsked && (
        <EmptyState next={{ label: 'Open trucks', needs: trucks.create, to: '/trucks', search: {} }}>
          Choose a truck to see where it drove and what it showed.
        </EmptyState>
      )}
      {isAsked && found.isError && !model && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {isAsked && found.isPending && <SkeletonLines rows={8} />}
      {model && <ReplayView key={`${model.replay.truck.uid} ${model.replay.from}`} model={model} state={state} />}
    </Stack>
  )
}
